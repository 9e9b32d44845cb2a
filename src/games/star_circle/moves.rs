//! The moves of one side, in the handout's expansion order.
//!
//! For: listing and counting moves for the rules and for the search alike. Deliberately not here: playing them, and
//! whose turn it is.
//!
//! What must always hold: the sets that go in have dark squares only; moves come sorted by the square they start
//! from, then by the one they end on.
//!
//! All pieces are looked at at once: for each of the four ways in which a piece can move, the set of those that can is
//! found by shifting the whole board. A set has the bit of a square at its place in the expansion order, so
//! running through the bits from the lowest is running through the squares in that order.

use std::fmt;

use super::square::{SIZE, Square};
use crate::games::Side;

/// One move: a step to an adjacent square, or a jump over an enemy piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// The square that the move jumps over, if it is a jump: it goes two rows, and there is one between.
    pub const fn jumped(self) -> Option<Square> {
        if self.from.row().abs_diff(self.to.row()) == 2 {
            Square::new(
                u8::midpoint(self.from.row(), self.to.row()),
                u8::midpoint(self.from.column(), self.to.column()),
            )
        } else {
            None
        }
    }
}

/// As in the handout: `F4-H2`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

/// Row `H`, the last of Star.
const TOP: u64 = 0xff;
/// Row `A`, the last of Circle.
const BOTTOM: u64 = 0xff << 56;
/// Columns `1` and `8`.
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// The squares of the row on which pieces of `side` end, and stack.
pub(super) const fn last_row(side: Side) -> u64 {
    match side {
        Side::Black => BOTTOM,
        Side::White => TOP,
    }
}

/// The squares of pieces of `side` and all that they could get to if nothing stood in their way.
pub(super) const fn reach(side: Side, pieces: u64) -> u64 {
    let mut reached = pieces;
    // A piece goes a row at a time, or two.
    let mut rows = 1;
    while rows < SIZE {
        let (to_left, to_right) = (reached & !LEFT, reached & !RIGHT);
        reached |= match side {
            Side::White => to_left >> 9 | to_right >> 7,
            Side::Black => to_left << 7 | to_right << 9,
        };
        rows += 1;
    }
    reached
}

/// The moves of one side that are still to come, in the expansion order.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    side: Side,
    /// The pieces that can move in each way, in the order in which the ways end for one piece.
    can: [u64; 4],
}

impl Moves {
    /// All moves of `side` with its pieces on `own` and the other side's on `enemy`.
    pub(super) const fn of(side: Side, own: u64, enemy: u64) -> Self {
        let last = last_row(side);
        let movable = own & !last;
        // The own pieces on the last row are no obstacle: what lands there goes on top of them.
        let landing = !enemy & (!own | last);
        let can = match side {
            // Upwards the jumps end on the higher row, so they come first.
            Side::White => [
                movable & !LEFT & ((enemy & !LEFT) << 9) & (landing << 18),
                movable & !RIGHT & ((enemy & !RIGHT) << 7) & (landing << 14),
                movable & !LEFT & (landing << 9),
                movable & !RIGHT & (landing << 7),
            ],
            Side::Black => [
                movable & !LEFT & (landing >> 7),
                movable & !RIGHT & (landing >> 9),
                movable & !LEFT & ((enemy & !LEFT) >> 7) & (landing >> 14),
                movable & !RIGHT & ((enemy & !RIGHT) >> 9) & (landing >> 18),
            ],
        };
        Self { side, can }
    }

    /// Those that jump.
    pub(super) const fn jumps(self) -> Self {
        let [a, b, c, d] = self.can;
        let can = match self.side {
            Side::White => [a, b, 0, 0],
            Side::Black => [0, 0, c, d],
        };
        Self { can, ..self }
    }

    /// How many there are.
    pub(super) const fn left(&self) -> u32 {
        let [a, b, c, d] = self.can;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// Whether there is none.
    pub(super) const fn is_empty(&self) -> bool {
        let [a, b, c, d] = self.can;
        a | b | c | d == 0
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let [a, b, c, d] = self.can;
        let movers = a | b | c | d;
        if movers == 0 {
            return None;
        }
        let from = movers.trailing_zeros();
        let bit = movers & movers.wrapping_neg();
        let way = self.can.iter().position(|can| can & bit != 0)?;
        self.can[way] ^= bit;
        let to = match self.side {
            Side::White => from - [18, 14, 9, 7][way],
            Side::Black => from + [7, 9, 14, 18][way],
        };
        #[expect(clippy::cast_possible_truncation, reason = "both are below 64")]
        Some(Move {
            from: Square::of_index(from as u8),
            to: Square::of_index(to as u8),
        })
    }
}
