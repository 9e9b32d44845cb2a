//! The 256 squares of Halma, and sets of them. Pure; the rules and texts use them.
//!
//! A jump moves a piece by two squares, which preserves the parity of its column and row. So the board is stored as
//! four *quarters* of 8x8 squares: even column and row, odd and even, even and odd, odd and odd. All squares that a
//! piece reaches by jumps are in its own quarter, one 64-bit word, and all that it jumps over are in the others.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

use crate::Side;

/// Columns and rows of the board.
pub(super) const SIZE: u8 = 16;

/// A square of the board, written `x,y`: x from 0 to the right, y from 0 downwards.
///
/// ```
/// use referee_games::halma::Square;
///
/// let square = Square::new(11, 15).expect("within 16x16");
/// assert_eq!((square.x(), square.y()), (11, 15));
/// assert_eq!(square.to_string(), "11,15");
/// assert_eq!(Square::new(16, 0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in column `x` and row `y`; `None` off the board.
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x < SIZE && y < SIZE { Some(Self::at(x, y)) } else { None }
    }

    /// The square in column `x` and row `y`, each taken modulo 16.
    pub(super) const fn at(x: u8, y: u8) -> Self {
        let quarter = (y & 1) << 1 | (x & 1);
        Self(quarter << 6 | (y >> 1 & 7) << 3 | (x >> 1 & 7))
    }

    pub(super) const fn in_quarter(quarter: usize, bit: u32) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "4 quarters of 64 bits are 256 squares")]
        Self((quarter << 6) as u8 | bit as u8)
    }

    /// The column, 0 on the left.
    pub const fn x(self) -> u8 {
        (self.0 & 7) << 1 | self.0 >> 6 & 1
    }

    /// The row, 0 on top.
    pub const fn y(self) -> u8 {
        (self.0 >> 3 & 7) << 1 | self.0 >> 7
    }

    /// A unique number from 0 to 255, for tables. Squares are not numbered row by row.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square with this [`Self::index`].
    pub const fn of_index(index: u8) -> Self {
        Self(index)
    }

    /// The opposite square, through the centre: the other side's equivalent.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self(!self.0)
    }

    /// Black's equivalent of this square of `side`: for black's tables.
    #[must_use]
    pub const fn as_of_black(self, side: Side) -> Self {
        match side {
            Side::Black => self,
            Side::White => self.opposite(),
        }
    }

    /// The walking distance to `other`: the steps, doubled, plus missing diagonal parts in rows and columns. Of two
    /// ways with as many steps, the one nearer in both coordinates is shorter.
    pub const fn walk_to(self, other: Self) -> u8 {
        let (columns, rows) = (self.x().abs_diff(other.x()), self.y().abs_diff(other.y()));
        let steps = if columns > rows { columns } else { rows };
        2 * steps + columns + rows
    }

    /// The square `dx` to the right and `dy` down; `None` off the board.
    pub fn offset(self, dx: i8, dy: i8) -> Option<Self> {
        Self::new(self.x().checked_add_signed(dx)?, self.y().checked_add_signed(dy)?)
    }

    /// The offset to `other`: columns to the right and rows down.
    pub(super) const fn offset_to(self, other: Self) -> (i8, i8) {
        (other.x().cast_signed() - self.x().cast_signed(), other.y().cast_signed() - self.y().cast_signed())
    }

    /// The number of the quarter, 0 to 3: bit 0 is the parity of the column, bit 1 of the row.
    pub(super) const fn quarter(self) -> usize {
        (self.0 >> 6) as usize
    }

    /// The square's bit in the word of its quarter.
    pub(super) const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares, a word for each quarter of the board.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Squares(pub(super) [u64; 4]);

impl Squares {
    pub(super) const NONE: Self = Self([0; 4]);
    pub(super) const ALL: Self = Self([u64::MAX; 4]);

    pub(super) const fn contains(&self, square: Square) -> bool {
        self.0[square.quarter()] & square.bit() != 0
    }

    #[must_use]
    pub(super) const fn with(mut self, square: Square) -> Self {
        self.0[square.quarter()] |= square.bit();
        self
    }

    #[must_use]
    pub(super) const fn without(mut self, square: Square) -> Self {
        self.0[square.quarter()] &= !square.bit();
        self
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    pub(super) const fn len(&self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones()
    }

    /// Its squares, in the order of [`Square::index`].
    pub(super) fn iter(self) -> impl Iterator<Item = Square> + Clone {
        (0..4).flat_map(move |quarter| bits(self.0[quarter]).map(move |bit| Square::in_quarter(quarter, bit)))
    }
}

/// The set bits of `word`, lowest first.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u32> + Clone {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit)
    })
}

impl BitAnd for Squares {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|quarter| self.0[quarter] & other.0[quarter]))
    }
}

impl BitOr for Squares {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|quarter| self.0[quarter] | other.0[quarter]))
    }
}

impl Not for Squares {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
