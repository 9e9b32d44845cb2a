//! The criteria of ranks, with their names. It ranks nothing; its parent module does, and tables show the names.

use serde::Serialize;

use super::TieBreak;
use crate::tournament::RankKey;

/// A criterion of ranks. More is better in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
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
    /// A tie-break, as the competition's format counts it.
    #[serde(untagged)]
    #[strum(transparent)]
    TieBreak(TieBreak),
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
            RankKey::Buchholz(_) => Self::TieBreak(TieBreak::Buchholz),
            RankKey::SonnebornBerger(_) => Self::TieBreak(TieBreak::SonnebornBerger),
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
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Its column header in CSV.
    pub fn csv_name(self) -> String {
        match self {
            Self::Points | Self::Rounds | Self::Pairings | Self::FinalPoints | Self::Margin => {
                self.name().replace('-', "_")
            }
            Self::TieBreak(rule) => format!("tie_break_{rule}"),
        }
    }

    /// Its column header in a table.
    pub fn short(self) -> &'static str {
        match self {
            Self::Points | Self::Rounds | Self::Pairings | Self::Margin => self.name(),
            Self::FinalPoints => "final",
            Self::TieBreak(rule) => rule.short(),
        }
    }
}
