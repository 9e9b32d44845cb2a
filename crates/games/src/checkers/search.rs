//! The alpha-beta agent's view of checkers: material, the back row, the way to the crown, and the hunt for the last
//! kings. The search itself is in `agents/builtin/alphabeta`.

use super::evaluation::{CENTRE, count, material};
use super::{Checkers, Move, Square};
use crate::builtin::{Plays, Searched, mixed};
use crate::{Position, Side};

/// A man, by the rows behind it.
const ADVANCED: [i32; 8] = [0, 1, 2, 4, 7, 12, 20, 0];
/// A man on the back row, while the opponent still has men to crown.
const GUARD: i32 = 9;
/// A king, or a man, in the middle of the board.
const CENTRAL_KING: i32 = 5;
const CENTRAL_MAN: i32 = 2;
/// The additional value of a lead, divided by the pieces on the board: the leader profits from exchanges.
const EXCHANGE: i32 = 4;
/// The weaker side survives longest in a double corner.
const DOUBLE_CORNER: i32 = 14;
/// Each square between a king of the leader and the nearest enemy.
const HUNT: i32 = 3;
/// With at most this many pieces, kings are hunted.
const HUNTERS: i32 = 10;

/// `g1`, `h2`, `a7` and `b8`.
const DOUBLE_CORNERS: u64 = 1 << 6 | 1 << 15 | 1 << 48 | 1 << 57;

impl Plays for Checkers {}

impl Searched for Checkers {
    type Cache = ();

    /// The origin and destination of a move, six bits each.
    const HISTORY_SIZE: usize = 1 << 12;

    fn cache(&self) {}

    #[inline]
    fn key(&self, (): &()) -> u64 {
        let [black, white] = self.pieces;
        mixed([black, white, self.kings, self.side.index() as u64 + 1])
    }

    fn static_evaluation(&self, (): &()) -> i32 {
        let (board, side) = (self, self.side);
        let [own, other] = [side, side.other()].map(|side| material(board, side));
        let lead = own - other;
        let pieces = count(self.own() | self.enemy());
        let placed = placement(board, side) - placement(board, side.other());
        let hunt = if pieces > HUNTERS || lead == 0 {
            0
        } else if lead > 0 {
            hunt(board, side)
        } else {
            -hunt(board, side.other())
        };
        lead + lead * EXCHANGE / pieces.max(1) + placed + hunt
    }

    #[inline]
    fn history_index(mv: Move) -> usize {
        mv.origin().index() << 6 | mv.destination().index()
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        let crowned = if self.makes_progress(mv) { 500 } else { 0 };
        mv.captures().cast_signed() * 1000 + crowned
    }

    #[inline]
    fn needs_quiescence(&self) -> bool {
        self.must_jump()
    }

    fn stage(&self) -> Option<u64> {
        let counts = Side::BOTH.map(|side| [self.men(side), self.kings(side)].map(u64::count_ones));
        Some(counts.as_flattened().iter().fold(0, |stage, &count| stage << 8 | u64::from(count)))
    }
}

fn placement(board: &Checkers, side: Side) -> i32 {
    let (men, kings) = (board.men(side), board.kings(side));
    let advanced: i32 = (1..7).map(|row| ADVANCED[row] * count(men & row_from(side, row))).sum();
    let guards = if board.men(side.other()) == 0 { 0 } else { GUARD * count(men & row_from(side, 0)) };
    advanced + guards + CENTRAL_KING * count(kings & CENTRE) + CENTRAL_MAN * count(men & CENTRE)
}

/// The progress of `leader`: near kings, and no enemy in a double corner.
fn hunt(board: &Checkers, leader: Side) -> i32 {
    let prey = board.pieces[leader.other().index()];
    let away: i32 = Square::of_bits(board.kings(leader))
        .map(|king| Square::of_bits(prey).map(|enemy| distance(king, enemy)).min().unwrap_or(0))
        .sum();
    -HUNT * away - DOUBLE_CORNER * count(board.kings(leader.other()) & DOUBLE_CORNERS)
}

/// The steps of a king between two squares.
fn distance(a: Square, b: Square) -> i32 {
    let (columns, rows) = (a.column().abs_diff(b.column()), a.row().abs_diff(b.row()));
    columns.max(rows).into()
}

/// The squares of the row `row` rows in front of the back row of `side`.
const fn row_from(side: Side, row: usize) -> u64 {
    match side {
        Side::Black => 0xff << (8 * (7 - row)),
        Side::White => 0xff << (8 * row),
    }
}
