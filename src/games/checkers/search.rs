//! The alpha-beta agent's view of checkers: material, the back row, the way to the crown, and the hunt for the last
//! kings. The search itself is in `agents/builtin/alphabeta`.

use super::{Checkers, Move};
use crate::agents::builtin::{Plays, SearchNode, Searched, mixed};
use crate::games::{Position, Side};

const MAN: i32 = 100;
const KING: i32 = 150;
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
const HUNTERS: u32 = 10;

/// Columns `c` to `f` of rows 3 to 6.
const CENTRE: u64 = 0x0000_3c3c_3c3c_0000;
/// `g1`, `h2`, `a7` and `b8`.
const DOUBLE_CORNERS: u64 = 1 << 6 | 1 << 15 | 1 << 48 | 1 << 57;

impl Plays for Checkers {}

impl Searched for Checkers {
    type Node = CheckersNode;
}

/// A position without cached values: three words are evaluated faster than caches are updated.
#[derive(Clone, Debug)]
pub struct CheckersNode(Checkers);

impl SearchNode for CheckersNode {
    type Position = Checkers;

    /// The origin and destination of a move, six bits each.
    const SLOTS: usize = 1 << 12;

    fn enter(position: &Checkers) -> Self {
        Self(position.clone())
    }

    #[inline]
    fn position(&self) -> &Checkers {
        &self.0
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.0.play_unchecked(mv);
    }

    fn pass(&mut self) {
        self.0.pass();
    }

    #[inline]
    fn key(&self) -> u64 {
        let [black, white] = Side::BOTH.map(|side| pieces(&self.0, side));
        let kings = self.0.kings(Side::Black) | self.0.kings(Side::White);
        mixed([black, white, kings, self.0.side_to_move().index() as u64 + 1])
    }

    fn evaluate(&self) -> i32 {
        let board = &self.0;
        let side = board.side_to_move();
        let [own, other] = [side, side.other()].map(|side| material(board, side));
        let lead = own - other;
        let pieces = Side::BOTH
            .map(|side| pieces(board, side).count_ones())
            .iter()
            .sum::<u32>();
        let placed = placement(board, side) - placement(board, side.other());
        let hunt = if pieces > HUNTERS || lead == 0 {
            0
        } else if lead > 0 {
            hunt(board, side)
        } else {
            -hunt(board, side.other())
        };
        lead + lead * EXCHANGE / pieces.max(1).cast_signed() + placed + hunt
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        let index =
            |square: crate::games::checkers::Square| usize::from(square.row()) << 3 | usize::from(square.column());
        index(mv.origin()) << 6 | index(mv.destination())
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        let crowned = if self.0.makes_progress(mv) { 500 } else { 0 };
        mv.captures().cast_signed() * 1000 + crowned
    }

    #[inline]
    fn is_restless(&self) -> bool {
        self.0.must_jump()
    }

    fn stage(&self) -> Option<u64> {
        let counts = Side::BOTH.map(|side| [self.0.men(side), self.0.kings(side)].map(u64::count_ones));
        Some(
            counts
                .as_flattened()
                .iter()
                .fold(0, |stage, &count| stage << 8 | u64::from(count)),
        )
    }
}

fn material(board: &Checkers, side: Side) -> i32 {
    MAN * count(board.men(side)) + KING * count(board.kings(side))
}

const fn pieces(board: &Checkers, side: Side) -> u64 {
    board.men(side) | board.kings(side)
}

fn placement(board: &Checkers, side: Side) -> i32 {
    let (men, kings) = (board.men(side), board.kings(side));
    let advanced: i32 = (1..7).map(|row| ADVANCED[row] * count(men & row_from(side, row))).sum();
    let guards = if board.men(side.other()) == 0 {
        0
    } else {
        GUARD * count(men & row_from(side, 0))
    };
    advanced + guards + CENTRAL_KING * count(kings & CENTRE) + CENTRAL_MAN * count(men & CENTRE)
}

/// The progress of `leader`: near kings, and no enemy in a double corner.
fn hunt(board: &Checkers, leader: Side) -> i32 {
    let prey = pieces(board, leader.other());
    let away: i32 = squares(board.kings(leader))
        .map(|king| squares(prey).map(|enemy| distance(king, enemy)).min().unwrap_or(0))
        .sum();
    -HUNT * away - DOUBLE_CORNER * count(board.kings(leader.other()) & DOUBLE_CORNERS)
}

/// The steps of a king between two squares, given by their bits.
fn distance(a: u32, b: u32) -> i32 {
    let (columns, rows) = ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
    (if columns > rows { columns } else { rows }).cast_signed()
}

fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    })
}

/// The squares of the row `row` rows in front of the back row of `side`.
const fn row_from(side: Side, row: usize) -> u64 {
    match side {
        Side::Black => 0xff << (8 * (7 - row)),
        Side::White => 0xff << (8 * row),
    }
}

fn count(squares: u64) -> i32 {
    squares.count_ones().cast_signed()
}
