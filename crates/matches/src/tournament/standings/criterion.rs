//! The criteria of ranks, with their names. It ranks nothing; its parent module does, and tables show the names.

use serde::{Deserialize, Serialize};

use super::TieBreak;
use crate::tournament::RankKey;

/// A criterion of ranks. More is better in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankingCriterion {
    /// Points, from all counted games and byes.
    Points,
    /// Rounds survived: later elimination ranks higher.
    Rounds,
    /// Pairings won.
    Pairings,
    /// Points in the round robin that ends a competition of random rounds.
    FinalPoints,
    /// Points won minus points lost against the challenger of a gauntlet.
    Margin,
    /// As [`TieBreak::DirectEncounter`].
    DirectEncounter,
    /// As [`TieBreak::Wins`].
    Wins,
    /// As [`TieBreak::SonnebornBerger`], as the competition's format counts it.
    SonnebornBerger,
    /// As [`TieBreak::Buchholz`], as the competition's format counts it.
    Buchholz,
}

impl RankingCriterion {
    /// The criteria of a ranking with these rank keys.
    pub(super) fn of_rank_keys(rank_keys: &[RankKey]) -> Vec<Self> {
        let is_final = matches!(rank_keys.first(), Some(RankKey::Rounds(_)));
        let criterion = |rank_key: &RankKey| match rank_key {
            RankKey::Rounds(_) => Self::Rounds,
            RankKey::Pairings(_) => Self::Pairings,
            RankKey::HalfPoints(_) if is_final => Self::FinalPoints,
            RankKey::HalfPoints(_) => Self::Points,
            RankKey::Margin(_) => Self::Margin,
            RankKey::Buchholz(_) => Self::Buchholz,
            RankKey::SonnebornBerger(_) => Self::SonnebornBerger,
        };
        rank_keys.iter().map(criterion).collect()
    }

    /// A rank key in rounds, pairings or points.
    #[expect(clippy::cast_precision_loss, reason = "exact up to 2^51 points")]
    pub(super) fn value(rank_key: RankKey) -> f64 {
        match rank_key {
            RankKey::Rounds(number) | RankKey::Pairings(number) => f64::from(number),
            RankKey::HalfPoints(points) => f64::from(points) / 2.0,
            RankKey::Margin(points) => points as f64 / 2.0,
            RankKey::Buchholz(points) => points as f64 / 2.0,
            RankKey::SonnebornBerger(points) => points as f64 / 4.0,
        }
    }

    /// Its name in JSON, CSV and sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Rounds => "rounds",
            Self::Pairings => "pairings",
            Self::FinalPoints => "final-points",
            Self::Margin => "margin",
            Self::DirectEncounter => TieBreak::DirectEncounter.name(),
            Self::Wins => TieBreak::Wins.name(),
            Self::SonnebornBerger => TieBreak::SonnebornBerger.name(),
            Self::Buchholz => TieBreak::Buchholz.name(),
        }
    }

    /// Its column header in CSV.
    pub fn csv_name(self) -> String {
        match self {
            Self::Points | Self::Rounds | Self::Pairings | Self::FinalPoints | Self::Margin => {
                self.name().replace('-', "_")
            }
            Self::DirectEncounter | Self::Wins | Self::SonnebornBerger | Self::Buchholz => {
                format!("tie_break_{}", self.name())
            }
        }
    }

    /// Its column header in a table.
    pub const fn short(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Rounds => "rounds",
            Self::Pairings => "pairings",
            Self::FinalPoints => "final",
            Self::Margin => "margin",
            Self::DirectEncounter => TieBreak::DirectEncounter.short(),
            Self::Wins => TieBreak::Wins.short(),
            Self::SonnebornBerger => TieBreak::SonnebornBerger.short(),
            Self::Buchholz => TieBreak::Buchholz.short(),
        }
    }
}

impl From<TieBreak> for RankingCriterion {
    fn from(rule: TieBreak) -> Self {
        match rule {
            TieBreak::DirectEncounter => Self::DirectEncounter,
            TieBreak::Wins => Self::Wins,
            TieBreak::SonnebornBerger => Self::SonnebornBerger,
            TieBreak::Buchholz => Self::Buchholz,
        }
    }
}
