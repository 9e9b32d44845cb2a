//! Tie-breaks between agents with equal points. Its parent module applies them; options and assignments name them.

use serde::{Deserialize, Serialize};

use super::Crosstable;

/// A rule that ranks agents with equal points. More is better in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = not_a_tie_break)]
pub enum TieBreak {
    /// The points from the games among the tied agents. It applies only if all of them have met, equally often.
    DirectEncounter,
    /// The number of games won.
    Wins,
    /// Sonneborn-Berger: the points of every beaten opponent plus half the points of every drawn one, per game.
    SonnebornBerger,
    /// Buchholz: the points of every opponent, who counts once.
    Buchholz,
}

impl TieBreak {
    /// All tie-breaks.
    pub const ALL: [Self; 4] = [Self::DirectEncounter, Self::Wins, Self::SonnebornBerger, Self::Buchholz];

    /// The usual order for a round robin.
    pub const ROUND_ROBIN: [Self; 3] = [Self::DirectEncounter, Self::Wins, Self::SonnebornBerger];

    /// Its column header in a table.
    pub const fn short(self) -> &'static str {
        match self {
            Self::DirectEncounter => "direct",
            Self::Wins => "wins",
            Self::SonnebornBerger => "SB",
            Self::Buchholz => "Buchholz",
        }
    }

    /// The value for each of `tied`, in quarter points (wins: in wins); `None` if the rule does not apply.
    pub(super) fn values(self, table: &Crosstable, tied: &[usize]) -> Option<Vec<u64>> {
        match self {
            Self::DirectEncounter => direct_encounter(table, tied),
            Self::Wins => Some(tied.iter().map(|&one| u64::from(table.tally(one).won.total())).collect()),
            Self::SonnebornBerger => Some(tied.iter().map(|&one| sonneborn_berger(table, one)).collect()),
            Self::Buchholz => Some(tied.iter().map(|&one| buchholz(table, one)).collect()),
        }
    }

    /// Converts a value of this rule to points, or wins.
    #[expect(clippy::cast_precision_loss, reason = "exact up to 2^51 points")]
    pub(super) const fn in_points(self, value: u64) -> f64 {
        match self {
            Self::Wins => value as f64,
            Self::DirectEncounter | Self::SonnebornBerger | Self::Buchholz => value as f64 / 4.0,
        }
    }
}

fn direct_encounter(table: &Crosstable, tied: &[usize]) -> Option<Vec<u64>> {
    let games = |one: usize, other: usize| table.head_to_head(one, other).games();
    let (&first, others) = tied.split_first()?;
    let each = games(first, *others.first()?);
    let pairs = || {
        let rest = |index: usize| tied[index + 1..].iter();
        tied.iter().enumerate().flat_map(move |(index, &one)| rest(index).map(move |&other| (one, other)))
    };
    if each == 0 || pairs().any(|(one, other)| games(one, other) != each) {
        return None;
    }
    let points = |one: usize| {
        let others = tied.iter().filter(move |&&other| other != one);
        others.map(|&other| 2 * u64::from(table.head_to_head(one, other).half_points())).sum()
    };
    Some(tied.iter().map(|&one| points(one)).collect())
}

fn sonneborn_berger(table: &Crosstable, one: usize) -> u64 {
    sum_over_opponents(table, one, |other| u64::from(table.head_to_head(one, other).half_points()))
}

fn buchholz(table: &Crosstable, one: usize) -> u64 {
    sum_over_opponents(table, one, |other| 2 * u64::from(table.head_to_head(one, other).games() > 0))
}

/// The half points of each opponent times its weight, summed.
fn sum_over_opponents(table: &Crosstable, one: usize, weight: impl Fn(usize) -> u64) -> u64 {
    let others = (0..table.len()).filter(|&other| other != one);
    others.map(|other| u64::from(table.tally(other).half_points()) * weight(other)).sum()
}

fn not_a_tie_break(name: &str) -> String {
    let all = TieBreak::ALL.map(|rule| format!("`{rule}`")).join(", ");
    format!("`{name}` is not a tie-break: choose among {all}")
}
