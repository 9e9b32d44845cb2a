//! Static evaluation: how good a position is for a side, estimated from the board alone, without trying moves.
//!
//! Each game implements [`Evaluate`]. [`super::minimax()`] tries moves and evaluates where it stops; who has won a
//! finished game is decided by the rules, not by an evaluation.

use crate::{Position, Side, Status};

/// The least value of a position that a side has won. An unfinished position has a lower value for both sides.
pub const WIN_VALUE: i32 = 1_000_000;

/// A position that can be evaluated statically.
pub trait Evaluate: Position {
    /// The value of the position for `side`: higher is better, and the other side's value is the negative.
    ///
    /// Must only be called for unfinished games. The value is greater than minus [`WIN_VALUE`] and less than it.
    fn evaluate(&self, side: Side) -> i32;

    /// A shortcut: what a legal move adds to the value of this position for the side to move, computed without playing
    /// it; at least [`WIN_VALUE`] if it wins.
    ///
    /// `None`, the default, if evaluating the next position is as fast, or if a move might end the game in another way
    /// than by winning it.
    fn gains(&self) -> Option<impl Fn(Self::Move) -> i32> {
        None::<fn(Self::Move) -> i32>
    }

    /// The value of the best legal move, as [`Self::evaluate_after`] has it. There must be a legal move.
    ///
    /// Minimax spends most of its time here, so it uses [`Self::gains`] where the game has it.
    fn evaluate_best_move(&self) -> i32 {
        let mut highest = i32::MIN;
        let Some(gain) = self.gains() else {
            self.for_each_move(|mv| highest = highest.max(self.evaluate_after(mv)));
            return highest;
        };
        self.for_each_move(|mv| highest = highest.max(gain(mv)));
        if highest >= WIN_VALUE { WIN_VALUE } else { self.evaluate(self.side_to_move()) + highest }
    }

    /// The value of the position after `mv` for the side that plays it: [`WIN_VALUE`] if it wins.
    fn evaluate_after(&self, mv: Self::Move) -> i32 {
        let side = self.side_to_move();
        let next = self.after(mv);
        match next.status() {
            Status::Over(ending) => ending.worth(side, WIN_VALUE),
            Status::ToMove | Status::MustPass => next.evaluate(side),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::builtin::reached;
    use crate::halma::{Halma, Rules};
    use crate::positions::twin;
    use crate::protocol::Texts;
    use crate::{checkers::Checkers, heirs::Heirs, little_go::LittleGo, othello::DuoOthello, star_circle::StarCircle};

    fn expect_fair<P: Evaluate>(position: &P) -> Result<i32, TestCaseError> {
        let value = position.evaluate(Side::Black);
        prop_assert_eq!(position.evaluate(Side::White), -value);
        prop_assert!(value.abs() < WIN_VALUE);
        Ok(value)
    }

    /// Also to a side in the place of the other.
    fn expect_fair_to_twins<P: Evaluate + Texts>(position: &P) -> Result<(), TestCaseError> {
        let value = expect_fair(position)?;
        prop_assert_eq!(twin(position).map(|twin| twin.evaluate(Side::White)), Some(value));
        Ok(())
    }

    proptest! {
        #[test]
        fn what_one_side_gains_the_other_loses(seed in any::<u64>(), plies in 0..200_u64) {
            expect_fair_to_twins(&reached::<Checkers>((), seed, plies))?;
            expect_fair_to_twins(&reached::<Halma>(Rules::Original, seed, plies))?;
            expect_fair_to_twins(&reached::<Heirs>((), seed, plies))?;
            expect_fair(&reached::<DuoOthello>((), seed, plies))?;
            expect_fair(&reached::<StarCircle>((), seed, plies / 3))?;
            expect_fair(&reached::<LittleGo>((), seed, plies / 6))?;
        }
    }
}
