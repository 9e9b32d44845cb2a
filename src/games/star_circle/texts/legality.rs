//! Explains why a well-formed answer is illegal, with hints. The texts call it after `judge` refuses a move.

use super::Written;
use crate::games::star_circle::reasons::PASS_ONLY_WHEN_STUCK;
use crate::games::star_circle::{Move, Square, StarCircle};
use crate::games::{Position, Side};
use crate::protocol::Texts;
use crate::protocol::finding::Finding;
use crate::protocol::plays::PASSES_ARE_AUTOMATIC;
use crate::protocol::respell::listed;

/// The maximum number of legal moves in a hint.
const LISTED_MOVES: usize = 6;

/// A pass: the referee passes by itself, so an agent that runs has a move.
pub(super) fn must_not_pass(position: &StarCircle) -> Finding {
    let message = if position.count_moves() == 0 {
        PASSES_ARE_AUTOMATIC
    } else {
        "a side can only pass when none of its pieces can move"
    };
    Finding::new("must-not-pass", message).under(&PASS_ONLY_WHEN_STUCK)
}

/// A move when the other side has no pieces left.
pub(super) fn over() -> Finding {
    Finding::new("game-over", "the game is over: only one side has pieces")
}

/// The finding with the right answer, if it is likely to help.
pub(super) fn hinted(position: &StarCircle, written: Written, finding: Finding) -> Finding {
    let misread = match written {
        Written::Pass => None,
        Written::Move(mv) => of_the_opponent(position, mv).or_else(|| upside_down(position, mv)),
    };
    finding.hinted(misread.or_else(|| few_legal_moves(position)))
}

fn of_the_opponent(position: &StarCircle, mv: Move) -> Option<String> {
    let side = position.side_to_move();
    let theirs = position.clone().with_side_to_move(side.other());
    let name = |side: Side| StarCircle::side_name(side);
    theirs.is_legal(mv).then(|| {
        let (own, other) = (name(side), name(side.other()));
        format!("this is a move of `{other}`: line 1 of `input.txt` says `{own}`")
    })
}

/// Counting rows from the top exchanges dark and light squares: a move that becomes legal is hardly so by chance.
fn upside_down(position: &StarCircle, Move { from, to }: Move) -> Option<String> {
    let turned = |square: Square| Square::new(7 - square.row(), square.column());
    let mv = Move {
        from: turned(from)?,
        to: turned(to)?,
    };
    position
        .is_legal(mv)
        .then(|| format!("`{mv}` would be legal: row `A` is at the bottom, row `H` at the top"))
}

fn few_legal_moves(position: &StarCircle) -> Option<String> {
    let moves = position.moves();
    (1..=LISTED_MOVES)
        .contains(&moves.len())
        .then(|| format!("legal here: {}", listed(&moves)))
}
