//! What a position is worth to a reference agent that looks no further.
//!
//! For: the trait that each game implements. Deliberately not here: looking ahead ([`super::minimax()`]),
//! and knowledge of games that are over, which the rules have already.

use crate::games::{Ending, Position, Side, Status};

/// No position that goes on is worth this much or more, to either side; a won one is.
pub const WORTH_LIMIT: i32 = 1_000_000;

/// A position that can be valued without looking ahead.
pub trait Evaluate: Position {
    /// How good the position is for `side`: higher is better, the other side's worth is the negative.
    ///
    /// Only asked of positions whose game goes on; strictly between minus and plus [`WORTH_LIMIT`].
    fn evaluate(&self, side: Side) -> i32;

    /// What the best of the legal moves is worth to the side to move if nothing is looked at beyond it, and a won game
    /// is worth [`WORTH_LIMIT`]; of a position in which it has a move.
    ///
    /// This is where minimax spends its time. A game overrides it where a move changes little of what is evaluated.
    fn evaluate_best_move(&self) -> i32 {
        let mut highest = i32::MIN;
        self.for_each_move(|mv| highest = highest.max(self.evaluate_after(mv)));
        highest
    }

    /// What the position after `mv` is worth to the side that makes it, a won game [`WORTH_LIMIT`].
    fn evaluate_after(&self, mv: Self::Move) -> i32 {
        let side = self.side_to_move();
        let mut next = self.clone();
        next.play_unchecked(mv);
        match next.status() {
            Status::Over(Ending::Won { winner, .. }) if winner == side => WORTH_LIMIT,
            Status::Over(Ending::Won { .. }) => -WORTH_LIMIT,
            Status::Over(Ending::Level(_)) => 0,
            Status::ToMove | Status::MustPass => next.evaluate(side),
        }
    }
}
