//! Explains why a well-formed answer is illegal, with hints. The texts call it after `judge` refuses a move.

use super::Written;
use crate::protocol::finding::Finding;
use crate::protocol::respell::{PASSES_ARE_AUTOMATIC, few_legal_moves, of_the_opponent};
use crate::star_circle::reasons::PASS_ONLY_WHEN_STUCK;
use crate::star_circle::{Move, StarCircle};
use crate::{Position, Violation};

/// A pass: the referee passes by itself, so an agent that runs has a move.
pub(super) fn must_not_pass(position: &StarCircle) -> Violation {
    let message = if position.count_moves() == 0 {
        PASSES_ARE_AUTOMATIC
    } else {
        "a side can only pass when none of its pieces can move"
    };
    PASS_ONLY_WHEN_STUCK.violated("must-not-pass", message)
}

/// A move when the other side has no pieces left.
pub(super) fn over() -> Finding {
    Finding::new("game-over", "the game is over: only one side has pieces")
}

/// The right answer, if it is likely to help.
pub(super) fn hint(position: &StarCircle, written: Written) -> Option<String> {
    let misread = match written {
        Written::Pass => None,
        Written::Move(mv) => {
            of_the_opponent(position, |theirs| theirs.is_legal(mv)).or_else(|| upside_down(position, mv))
        }
    };
    misread.or_else(|| few_legal_moves(position))
}

/// Counting rows from the top exchanges dark and light squares: a move that becomes legal is hardly so by chance.
fn upside_down(position: &StarCircle, Move { from, to }: Move) -> Option<String> {
    let mv = Move { from: from.upside_down(), to: to.upside_down() };
    position.is_legal(mv).then(|| format!("`{mv}` would be legal: row `A` is at the bottom, row `H` at the top"))
}
