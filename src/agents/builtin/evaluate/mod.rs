//! What a position is worth to a reference agent that looks no further.
//!
//! For: one function a game, in a file of the game's name. Deliberately not here: looking ahead ([`super::minimax()`]),
//! and knowledge of games that are over, which the rules have already.

mod checkers;
mod halma;
mod othello;
mod star_circle;

use crate::games::{Position, Side};

/// No position that goes on is worth this much or more, to either side; a won one is.
pub const WORTH_LIMIT: i32 = 1_000_000;

/// A position that can be valued without looking ahead.
pub trait Evaluate: Position {
    /// How good the position is for `side`: higher is better, the other side's worth is the negative.
    ///
    /// Only asked of positions whose game goes on; strictly between minus and plus [`WORTH_LIMIT`].
    fn evaluate(&self, side: Side) -> i32;
}
