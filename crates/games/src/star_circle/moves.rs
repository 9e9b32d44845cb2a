//! Lists and counts the moves of one side in the handout's expansion order. The rules and the search call it; it plays
//! no move.
//!
//! Input sets must contain only dark squares. Moves must be sorted by origin, then by destination.
//!
//! It processes all pieces at once: for each of the four directions of a move, shifting the whole board gives the set
//! of pieces that can make it. A square's bit is its index in expansion order, so iterating from the lowest bit gives
//! that order.

use std::fmt;

use super::square::{SIZE, Square};
use crate::Side;

/// One move: a step to an adjacent square, or a jump over an enemy piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The origin.
    pub from: Square,
    /// The destination.
    pub to: Square,
}

impl Move {
    /// The square that a jump crosses: it goes two rows, with one between.
    pub const fn jumped(self) -> Option<Square> {
        if self.from.row().abs_diff(self.to.row()) == 2 {
            Square::new(
                u8::midpoint(self.from.column(), self.to.column()),
                u8::midpoint(self.from.row(), self.to.row()),
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

/// Row `H`, the last row of Star.
const TOP: u64 = 0xff;
/// Row `A`, the last row of Circle.
const BOTTOM: u64 = 0xff << 56;
/// Columns `1` and `8`.
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// The squares of `side`'s last row, where its pieces stack.
pub(super) const fn last_row(side: Side) -> u64 {
    match side {
        Side::Black => BOTTOM,
        Side::White => TOP,
    }
}

/// The squares that pieces of `side` could reach without obstacles, including their own.
pub(super) const fn reach(side: Side, pieces: u64) -> u64 {
    let mut reached = pieces;
    // A piece advances by one or two rows at a time.
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

/// The remaining moves of one side, in expansion order.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    side: Side,
    /// The pieces that can move in each direction, in the order of destinations.
    can: [u64; 4],
}

impl Moves {
    /// All moves of `side` with its pieces on `own` and the other side's on `enemy`.
    pub(super) const fn of(side: Side, own: u64, enemy: u64) -> Self {
        let last = last_row(side);
        let movable = own & !last;
        // Own pieces on the last row are no obstacle: others land on top of them.
        let landing = !enemy & (!own | last);
        let can = match side {
            // Upwards, jumps end on the higher row, so they come first.
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

    /// Only the jumps.
    pub(super) const fn jumps(self) -> Self {
        let [a, b, c, d] = self.can;
        let can = match self.side {
            Side::White => [a, b, 0, 0],
            Side::Black => [0, 0, c, d],
        };
        Self { can, ..self }
    }

    /// The number of moves.
    pub(super) const fn left(&self) -> u32 {
        let [a, b, c, d] = self.can;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// Whether there are none.
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
        Some(Move { from: Square::numbered(from as u8), to: Square::numbered(to as u8) })
    }
}
