//! Perft ("performance test"): counts the sequences of moves of a given length. It is the standard test of a move
//! generator: one missing or wrong move changes the count. `cli/perft` and tests call it.

use super::{BoardDraw, BoardWin, Ending, Position, Status};

/// The greatest depth that makes sense: the longest game of Duo-Othello has 140 moves, each followed by at most one
/// pass, and in the other games a count would never finish at this depth.
///
/// [`perft()`] calls itself once per turn, so a depth that a user chose must be checked against this, or it would
/// exhaust the stack.
pub const MAX_PERFT_DEPTH: u32 = 280;

/// Counts the sequences of exactly `depth` turns from `position`. A pass counts as a turn. `depth` must not exceed
/// [`MAX_PERFT_DEPTH`].
///
/// A game that ends earlier adds nothing, as is usual in chess and checkers. In Othello it is usual to go on passing
/// after neither side can move: where [`Position::PASSES_AFTER_END`] is set, such a game adds one sequence.
///
/// The moves of the last turn are counted, not played, which is much faster ("bulk counting").
///
/// ```
/// use referee_games::{Position, checkers::Checkers, perft};
///
/// assert_eq!(perft(&Checkers::start(()), 4), 1469);
/// ```
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.status() {
        Status::Over(ending) => u64::from(P::PASSES_AFTER_END && neither_can_move(ending)),
        Status::MustPass => perft(&after_pass(position), depth - 1),
        Status::ToMove if depth == 1 => position.count_moves(),
        Status::ToMove => {
            let mut count = 0;
            position.for_each_move(|mv| count += perft(&position.after(mv), depth - 1));
            count
        }
    }
}

fn neither_can_move(ending: Ending) -> bool {
    match ending {
        Ending::Drawn(BoardDraw::Blocked | BoardDraw::EqualScores { .. } | BoardDraw::Reason(_))
        | Ending::Won { by: BoardWin::HigherScore { .. }, .. } => true,
        Ending::Won { by: BoardWin::NoPieces | BoardWin::NoMoves | BoardWin::Goal(_), .. }
        | Ending::Drawn(BoardDraw::NoMoves) => false,
    }
}

fn after_pass<P: Position>(position: &P) -> P {
    let mut next = position.clone();
    next.pass();
    next
}
