//! What the moves of a recorded game are worth: the questions of an analysis, and their answers. Plain data; games
//! answer ([`Game::value_moves`](super::Game::value_moves), [`Game::proved_result`](super::Game::proved_result)).

use serde::{Deserialize, Serialize};

/// The values of all legal moves of a position, from one search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveValues {
    /// The value of each move to the side that makes it, in the order of [`GameState::moves`](super::GameState::moves).
    ///
    /// The unit is that of the game's evaluation. From [`WIN_VALUE`](crate::builtin::WIN_VALUE) on, the search has
    /// found a win, and has proved none: it may have left out moves.
    pub values: Vec<i32>,
    /// The number of plies that the search looked ahead, with the move itself; 0 if not even one was searched.
    pub depth: u32,
}

/// A result on the board that is certain with best play: for the side that has made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProvedResult {
    /// The other side can force a win.
    Loss,
    /// Each side can force at least a draw.
    Draw,
    /// It can force a win.
    Win,
}

impl ProvedResult {
    /// The score, from 0 to 1.
    pub const fn score(self) -> f64 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }
}
