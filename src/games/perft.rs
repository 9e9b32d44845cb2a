//! Perft: the number of move sequences of a given length, the standard test of a move generator. `cli/perft` and tests
//! call it.

use super::{BoardDraw, Ending, Position, Status, Win};

/// The maximum useful depth: a game of Duo-Othello has at most 140 moves, each followed by at most one pass, and no
/// count of another game will ever finish at this depth.
///
/// [`perft()`] recurses, so callers must check an external depth.
pub const GREATEST_PERFT_DEPTH: u32 = 280;

/// Counts the sequences of `depth` turns from `position`. A pass counts as a turn.
///
/// A game that ends before `depth` turns counts nothing, as in chess and checkers; but if it ends because neither side
/// can move, and [`Position::PASSES_AFTER_END`] is set, only passes follow, which is one sequence.
///
/// It recurses `depth` times: see [`GREATEST_PERFT_DEPTH`].
///
/// The last turn is counted, not played ("bulk counting").
///
/// ```
/// use referee::games::{Position, checkers::Checkers, perft};
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

/// The perft count of `depth` below each legal move of `position`, in the order of the moves.
///
/// Empty if the side to move has no move; a `depth` of 0 counts as 1.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    let below = depth.saturating_sub(1);
    position.moves().into_iter().map(|mv| (mv, perft(&position.after(mv), below))).collect()
}

fn neither_can_move(ending: Ending) -> bool {
    match ending {
        Ending::Drawn(BoardDraw::Blocked | BoardDraw::EqualScores { .. } | BoardDraw::Reason(_))
        | Ending::Won { by: Win::HigherScore { .. }, .. } => true,
        Ending::Won { by: Win::NoPieces | Win::NoMoves | Win::Goal(_), .. } | Ending::Drawn(BoardDraw::NoMoves) => {
            false
        }
    }
}

fn after_pass<P: Position>(position: &P) -> P {
    let mut next = position.clone();
    next.pass();
    next
}
