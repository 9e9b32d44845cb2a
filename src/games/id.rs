//! The names of the games, for a choice at run time.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::halma;

/// A game together with the variant of its rules: all that has to be known to judge it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "game", content = "rules")]
pub enum GameId {
    /// American checkers, 8x8 (Spring 2021).
    Checkers,
    /// Halma, 16x16 (Fall 2019), by one of its two rule sets.
    Halma(halma::Rules),
    /// Othello on 12x12 with two starting groups (Spring 2024).
    DuoOthello,
    /// Star and Circle, 8x8 (Spring 2018).
    StarCircle,
}

/// A name that is not the name of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a game: choose one of `checkers`, `halma`, `duo-othello`, `star-circle`")]
pub struct UnknownGame(String);

impl GameId {
    /// The game's name as it is written on the command line, without its variant.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkers => "checkers",
            Self::Halma(_) => "halma",
            Self::DuoOthello => "duo-othello",
            Self::StarCircle => "star-circle",
        }
    }
}

/// The name, and the rule set where the game has several: `checkers`, `halma (addendum)`.
impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Halma(rules) => write!(f, "halma ({rules})"),
            Self::Checkers | Self::DuoOthello | Self::StarCircle => f.write_str(self.name()),
        }
    }
}

/// Reads a name as on the command line; Halma gets its default rule set.
impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Self, UnknownGame> {
        match name {
            "checkers" => Ok(Self::Checkers),
            "halma" => Ok(Self::Halma(halma::Rules::default())),
            "duo-othello" => Ok(Self::DuoOthello),
            "star-circle" => Ok(Self::StarCircle),
            _ => Err(UnknownGame(name.to_owned())),
        }
    }
}
