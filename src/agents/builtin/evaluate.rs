//! The interface of a static evaluation: the value of a position to a reference agent, without looking ahead.
//!
//! Each game implements it; [`super::minimax()`] looks ahead, and the rules decide finished games.

use crate::games::{Ending, Position, Side, Status};

/// Every unfinished position is worth less than this, to either side; a won one is worth at least this.
pub const WORTH_LIMIT: i32 = 1_000_000;

/// A position that can be evaluated statically.
pub trait Evaluate: Position {
    /// The value of the position for `side`: higher is better, and the other side's value is the negative.
    ///
    /// Must only be called for unfinished games; strictly between minus and plus [`WORTH_LIMIT`].
    fn evaluate(&self, side: Side) -> i32;

    /// What each legal move adds to the value of the position for the side to move, or at least [`WORTH_LIMIT`] for a
    /// win; `None` if evaluating the position after it takes no longer, or if a move might end the game otherwise.
    fn gains(&self) -> Option<impl Fn(Self::Move) -> i32> {
        None::<fn(Self::Move) -> i32>
    }

    /// The highest value of [`Self::evaluate_after`] over the legal moves, of which there must be one; a win counts
    /// [`WORTH_LIMIT`].
    ///
    /// Minimax spends its time here.
    fn evaluate_best_move(&self) -> i32 {
        let mut highest = i32::MIN;
        let Some(gain) = self.gains() else {
            self.for_each_move(|mv| highest = highest.max(self.evaluate_after(mv)));
            return highest;
        };
        self.for_each_move(|mv| highest = highest.max(gain(mv)));
        if highest >= WORTH_LIMIT { WORTH_LIMIT } else { self.evaluate(self.side_to_move()) + highest }
    }

    /// The value of the position after `mv` to the side that makes it; a win counts [`WORTH_LIMIT`].
    fn evaluate_after(&self, mv: Self::Move) -> i32 {
        let side = self.side_to_move();
        let next = self.after(mv);
        match next.status() {
            Status::Over(Ending::Won { winner, .. }) if winner == side => WORTH_LIMIT,
            Status::Over(Ending::Won { .. }) => -WORTH_LIMIT,
            Status::Over(Ending::Drawn(_)) => 0,
            Status::ToMove | Status::MustPass => next.evaluate(side),
        }
    }
}
