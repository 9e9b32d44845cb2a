//! The minimax agent: searches every sequence of moves to a fixed depth, without pruning.
//!
//! Deliberately plain: the handouts say that students are graded against "a simple minimax agent with no alpha-beta
//! pruning". It ignores repetition, idle turns and remaining time, which are not part of the position.
//! [`super::answer()`] calls it.

use super::evaluate::{Evaluate, WIN_VALUE};
use super::{Depth, TurnRng};
use crate::Status;

/// A uniformly random one of the best moves by minimax; `None` if the side to move has no move.
pub fn minimax<P: Evaluate>(position: &P, depth: Depth, chance: &mut TurnRng) -> Option<P::Move> {
    chance.choose(&best_moves(position, depth))
}

/// The best moves for the side to move, searching `depth` plies, in the order of
/// [`for_each_move`](crate::Position::for_each_move).
pub fn best_moves<P: Evaluate>(position: &P, depth: Depth) -> Vec<P::Move> {
    let mut best = Vec::new();
    let mut highest = i32::MIN;
    position.for_each_move(|mv| {
        let value = -value(&position.after(mv), depth.plies() - 1);
        if value > highest {
            highest = value;
            best.clear();
        }
        if value == highest {
            best.push(mv);
        }
    });
    best
}

/// The value of the position to the side to move if both sides play best for `plies` plies. A pass is a ply.
///
/// A win is worth [`WIN_VALUE`] plus one for each remaining ply: an earlier win is better, and an earlier loss worse.
/// A draw is worth 0.
pub fn value<P: Evaluate>(position: &P, plies: u8) -> i32 {
    let side = position.side_to_move();
    match position.status() {
        Status::Over(ending) => ending.worth(side, WIN_VALUE + i32::from(plies)),
        Status::ToMove | Status::MustPass if plies == 0 => position.evaluate(side),
        Status::MustPass => {
            let mut passed = position.clone();
            passed.pass();
            -value(&passed, plies - 1)
        }
        Status::ToMove if plies == 1 => position.evaluate_best_move(),
        Status::ToMove => {
            let mut highest = i32::MIN;
            position.for_each_move(|mv| highest = highest.max(-value(&position.after(mv), plies - 1)));
            highest
        }
    }
}
