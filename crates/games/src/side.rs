//! The two players. Every crate uses this type; it knows no game.

use serde::{Deserialize, Serialize};

/// One of the two players, by the colour of the pieces.
///
/// Every game has its own words for the colours (`X` and `O`, `BLACK` and `WHITE`, `Star` and `Circle`);
/// the words belong to [`crate::protocol`]. In Duo-Othello `X` is black and `O` is white; in Star and Circle,
/// Circle, which starts on top like black in checkers, is black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Side {
    /// The dark pieces.
    Black,
    /// The light pieces.
    White,
}

impl Side {
    /// Both sides, black first.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// 1 for white, -1 for black: the factor that turns a value for white into one for this side, and back.
    pub const fn sign(self) -> i32 {
        match self {
            Self::Black => -1,
            Self::White => 1,
        }
    }

    /// 0 for black, 1 for white: the index in per-side pairs.
    pub const fn index(self) -> usize {
        match self {
            Self::Black => 0,
            Self::White => 1,
        }
    }
}
