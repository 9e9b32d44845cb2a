//! The formats by name, with their parameters. It plans nothing; assignments choose a format, and
//! [`super::next_rounds`] plays it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{CompetitionField, ExtraGameStart};
use referee_games::protocol::quote;

/// The format of a competition, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "format")]
pub enum Format {
    /// Everybody plays everybody.
    RoundRobin,
    /// One player plays all the others.
    Gauntlet {
        /// The name of that player.
        challenger: String,
    },
    /// In each round, players with similar scores meet who have not met before.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
    /// Single elimination: a player who loses a pairing is out.
    Knockout,
    /// Double elimination: a player who loses two pairings is out.
    DoubleKnockout,
    /// The handouts' elimination: a player who loses more than half of a pairing's games is out; on a split both
    /// continue, and several may win.
    Elimination {
        /// The maximum number of rounds.
        round_limit: u32,
    },
    /// The format that the staff ran in 2021: rounds against random opponents, which eliminate only players who lose
    /// every pairing, then a round robin of the rest.
    RandomRounds {
        /// The opponents of each player in a round.
        opponents: u32,
        /// The rounds before the round robin.
        rounds: u32,
    },
}

/// Why a field cannot play a format: the user's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Two players have the same name.
    #[error("two players are named {}: rename one", quote(.0.as_bytes()))]
    SameName(String),
    /// The challenger of a gauntlet is not in the field.
    #[error("the challenger {} is not among the players: name one of them", quote(.0.as_bytes()))]
    NoChallenger(String),
    /// A parameter that must be positive is zero.
    #[error("`{0}` is 0: expected at least 1")]
    Zero(&'static str),
    /// The handouts' elimination with an odd number of games.
    #[error("elimination needs an even number of games per pairing, not {0}: each side moves first in half of them")]
    OddGames(u32),
}

impl Format {
    /// Whether all games are planned at the start, so that agents may still join; otherwise the next round depends on
    /// all results of those before it.
    pub const fn is_planned_at_once(&self) -> bool {
        match self {
            Self::RoundRobin | Self::Gauntlet { .. } => true,
            Self::Swiss { .. }
            | Self::Knockout
            | Self::DoubleKnockout
            | Self::Elimination { .. }
            | Self::RandomRounds { .. } => false,
        }
    }

    /// The name of the player whom all others meet, in a gauntlet.
    pub fn challenger(&self) -> Option<&str> {
        match self {
            Self::Gauntlet { challenger } => Some(challenger),
            Self::RoundRobin
            | Self::Swiss { .. }
            | Self::Knockout
            | Self::DoubleKnockout
            | Self::Elimination { .. }
            | Self::RandomRounds { .. } => None,
        }
    }

    /// Whether `field` can play this format. [`next_rounds`](super::next_rounds) handles invalid fields somehow, but an
    /// assignment file should be refused.
    ///
    /// # Errors
    ///
    /// The first `FieldError` found.
    pub fn check(&self, field: &CompetitionField) -> Result<(), FieldError> {
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
            Self::Elimination { .. }
                if !games.is_multiple_of(2) && field.extra_game_start == ExtraGameStart::Balanced =>
            {
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
        let field = CompetitionField::new(
            referee_games::checkers::ID,
            players.iter().map(|&name| name.to_owned()).collect(),
            NonZeroU32::new(games).unwrap(),
            0,
        );
        format.check(&field).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn what_cannot_be_played_is_said() {
        let gauntlet = |challenger: &str| Format::Gauntlet { challenger: challenger.to_owned() };
        let table = [
            (Format::RoundRobin, ["a", "b"], 1, ""),
            (Format::Knockout, ["a\x1b", "a\x1b"], 1, r"two players are named `a\u{1b}`: rename one"),
            (gauntlet("b"), ["a", "b"], 1, ""),
            (gauntlet("c"), ["a", "b"], 1, "the challenger `c` is not among the players: name one of them"),
            (Format::Swiss { rounds: 0 }, ["a", "b"], 1, "`rounds` is 0: expected at least 1"),
            (Format::Elimination { round_limit: 0 }, ["a", "b"], 2, "`round_limit` is 0: expected at least 1"),
            (
                Format::Elimination { round_limit: 9 },
                ["a", "b"],
                3,
                "elimination needs an even number of games per pairing, not 3: each side moves first in half of them",
            ),
            (Format::Elimination { round_limit: 9 }, ["a", "b"], 4, ""),
            (Format::RandomRounds { opponents: 0, rounds: 1 }, ["a", "b"], 2, "`opponents` is 0: expected at least 1"),
            (Format::RandomRounds { opponents: 4, rounds: 0 }, ["a", "b"], 2, "`rounds` is 0: expected at least 1"),
        ];
        for (format, players, games, expected) in table {
            assert_eq!(objection(&format, &players, games), expected, "{format:?}");
        }
    }
}
