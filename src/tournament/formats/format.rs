//! The formats by their names, with what has to be known of each beside the players.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Field, OddGame};
use crate::protocol::quote;

/// The format of a competition, with what has to be known of it beside the players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "format")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// One meets all the others.
    Gauntlet {
        /// The name of the one.
        challenger: String,
    },
    /// In each round, those of about the same score meet who have not met before.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// Single elimination: who loses a pairing is out.
    Knockout,
    /// Double elimination: who loses two pairings is out.
    DoubleKnockout,
    /// The handouts' elimination: who loses more than half of a pairing's games is out, on a split both go on, and
    /// there may be several winners.
    Elimination {
        /// The competition ends after so many rounds, if not before.
        round_limit: u32,
    },
    /// What the staff of 2021 ran: rounds against random opponents in which only those are out who lose every
    /// pairing, then a round robin of those who are left.
    RandomRounds {
        /// How many opponents each meets in a round.
        opponents: u32,
        /// How many rounds come before the round robin.
        rounds: u32,
    },
}

/// Why a format cannot be played by a field: the user's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Two players have the same name.
    #[error("two players are called {}: give each a name of its own", quote(.0.as_bytes()))]
    SameName(String),
    /// The challenger of a gauntlet does not play.
    #[error("the challenger {} is not among the players: name one of them", quote(.0.as_bytes()))]
    NoChallenger(String),
    /// The format says that a number of things be nought.
    #[error("`{0}` is 0: expected at least 1")]
    Zero(&'static str),
    /// The handouts' elimination with an odd number of games.
    #[error("elimination needs an even number of games in each pairing, not {0}: each side begins half of them")]
    OddGames(u32),
}

impl Format {
    /// Whether `field` can play in this format. [`next_rounds`](super::next_rounds) does something sensible even where
    /// it cannot; an assignment file that asks for it is better refused.
    ///
    /// # Errors
    ///
    /// [`FieldError`], the first that is found.
    pub fn check(&self, field: &Field) -> Result<(), FieldError> {
        let mut names = BTreeSet::new();
        if let Some(twice) = field.players.iter().find(|name| !names.insert(name.as_str())) {
            return Err(FieldError::SameName(twice.clone()));
        }
        let games = field.games_per_pairing.get();
        match self {
            Self::Gauntlet { challenger } if !names.contains(challenger.as_str()) => {
                Err(FieldError::NoChallenger(challenger.clone()))
            }
            Self::Swiss { rounds: 0 } | Self::RandomRounds { rounds: 0, .. } => Err(FieldError::Zero("rounds")),
            Self::RandomRounds { opponents: 0, .. } => Err(FieldError::Zero("opponents")),
            Self::Elimination { round_limit: 0 } => Err(FieldError::Zero("round_limit")),
            Self::Elimination { .. } if !games.is_multiple_of(2) && field.odd_game == OddGame::Balanced => {
                Err(FieldError::OddGames(games))
            }
            Self::RoundRobin
            | Self::Gauntlet { .. }
            | Self::Swiss { .. }
            | Self::Knockout
            | Self::DoubleKnockout
            | Self::Elimination { .. }
            | Self::RandomRounds { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn objection(format: &Format, players: &[&str], games: u32) -> String {
        let field = Field::new(
            crate::games::checkers::ID,
            players.iter().map(|&name| name.to_owned()).collect(),
            NonZeroU32::new(games).unwrap(),
            0,
        );
        format
            .check(&field)
            .map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn what_cannot_be_played_is_said() {
        let gauntlet = |challenger: &str| Format::Gauntlet {
            challenger: challenger.to_owned(),
        };
        let table = [
            (Format::RoundRobin, ["a", "b"], 1, ""),
            (
                Format::Knockout,
                ["a\x1b", "a\x1b"],
                1,
                r"two players are called `a\u{1b}`: give each a name of its own",
            ),
            (gauntlet("b"), ["a", "b"], 1, ""),
            (
                gauntlet("c"),
                ["a", "b"],
                1,
                "the challenger `c` is not among the players: name one of them",
            ),
            (
                Format::Swiss { rounds: 0 },
                ["a", "b"],
                1,
                "`rounds` is 0: expected at least 1",
            ),
            (
                Format::Elimination { round_limit: 0 },
                ["a", "b"],
                2,
                "`round_limit` is 0: expected at least 1",
            ),
            (
                Format::Elimination { round_limit: 9 },
                ["a", "b"],
                3,
                "elimination needs an even number of games in each pairing, not 3: each side begins half of them",
            ),
            (Format::Elimination { round_limit: 9 }, ["a", "b"], 4, ""),
            (
                Format::RandomRounds {
                    opponents: 0,
                    rounds: 1,
                },
                ["a", "b"],
                2,
                "`opponents` is 0: expected at least 1",
            ),
            (
                Format::RandomRounds {
                    opponents: 4,
                    rounds: 0,
                },
                ["a", "b"],
                2,
                "`rounds` is 0: expected at least 1",
            ),
        ];
        for (format, players, games, expected) in table {
            assert_eq!(objection(&format, &players, games), expected, "{format:?}");
        }
    }
}
