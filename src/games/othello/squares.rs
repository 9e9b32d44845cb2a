//! Sets of Othello squares as bits: 64 for 8x8, three times 64 for 12x12. It contains no rules; the generator uses it
//! for both boards.
//!
//! A set of disks must never have a bit that is no square of the board. Shifts may set such bits temporarily; the
//! caller must mask the result.

use std::array::from_fn;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitOrAssign};

use super::Square;

/// A set of squares of the 8x8 board: a bit a square, in the order of reading.
pub type Squares8 = Squares<1>;

/// A set of squares of the 12x12 board: each row takes 16 bits, of which the upper four are never squares.
///
/// So a line that leaves the board on the left or right ends there, and no row spans two words.
pub type Squares12 = Squares<3>;

/// A set of squares of one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Squares<const WORDS: usize>([u64; WORDS]);

/// The layout of a board in bits.
pub trait Layout: Sized {
    /// The number of rows and of columns.
    const SIZE: u8;
    /// The step from a square to the one below it.
    const ROW: u8;
    /// All squares of the board.
    const BOARD: Self;
    /// The squares that a line along a row or diagonal can cross without wrapping around the board.
    const INSIDE: Self;
}

impl Layout for Squares8 {
    const SIZE: u8 = 8;
    const ROW: u8 = 8;
    const BOARD: Self = Self([u64::MAX]);
    const INSIDE: Self = Self([0x7e7e_7e7e_7e7e_7e7e]);
}

impl Layout for Squares12 {
    const SIZE: u8 = 12;
    const ROW: u8 = 16;
    const BOARD: Self = Self([0x0fff_0fff_0fff_0fff; 3]);
    const INSIDE: Self = Self::BOARD;
}

/// The operations that the generator needs.
///
/// A shift moves every square of the set by the same step. The four axes are the steps of 1 (along a row),
/// [`Layout::ROW`] (along a column), and one less and one more than that (along the diagonals).
pub trait SquareSet: Layout + Copy + Debug + Eq + Hash + Send + Sync + 'static
where
    Self: BitAnd<Output = Self> + BitOr<Output = Self> + BitOrAssign,
{
    /// No square.
    const EMPTY: Self;

    /// The set of this square, or empty if this board lacks it.
    fn of(square: Square) -> Self;

    /// All squares moved down or right by `step`, from 1 to 63.
    #[must_use]
    fn moved_on(self, step: u8) -> Self;

    /// All squares moved up or left by `step`, from 1 to 63.
    #[must_use]
    fn moved_back(self, step: u8) -> Self;

    /// The squares that are not in `other`.
    #[must_use]
    fn without(self, other: Self) -> Self;

    /// Whether the two sets have a square in common.
    fn meets(self, other: Self) -> bool;

    /// The number of squares.
    fn count(self) -> u32;

    /// Calls `visit` with each square, in the order of reading.
    fn for_each(self, visit: impl FnMut(Square));

    /// Whether there is no square in the set.
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether the set has `square`.
    fn contains(self, square: Square) -> bool {
        self.meets(Self::of(square))
    }
}

impl<const WORDS: usize> SquareSet for Squares<WORDS>
where
    Self: Layout,
{
    const EMPTY: Self = Self([0; WORDS]);

    #[inline]
    fn of(square: Square) -> Self {
        let (column, row) = (square.column(), square.row());
        if column >= Self::SIZE || row >= Self::SIZE {
            return Self::EMPTY;
        }
        let index = row * Self::ROW + column;
        Self(from_fn(|word| {
            if usize::from(index / 64) == word {
                1 << (index % 64)
            } else {
                0
            }
        }))
    }

    #[inline]
    fn moved_on(self, step: u8) -> Self {
        Self(from_fn(|word| {
            let carried = if word == 0 { 0 } else { self.0[word - 1] >> (64 - step) };
            self.0[word] << step | carried
        }))
    }

    #[inline]
    fn moved_back(self, step: u8) -> Self {
        Self(from_fn(|word| {
            let carried = if word + 1 == WORDS {
                0
            } else {
                self.0[word + 1] << (64 - step)
            };
            self.0[word] >> step | carried
        }))
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        Self(from_fn(|word| self.0[word] & !other.0[word]))
    }

    #[inline]
    fn meets(self, other: Self) -> bool {
        (0..WORDS).fold(0, |common, word| common | self.0[word] & other.0[word]) != 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.into_iter().map(u64::count_ones).sum()
    }

    #[inline]
    fn for_each(self, mut visit: impl FnMut(Square)) {
        for (mut bits, word) in self.0.into_iter().zip(0..) {
            while bits != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "at most 63")]
                let index = 64 * word + bits.trailing_zeros() as u8;
                if let Some(square) = Square::new(index % Self::ROW, index / Self::ROW) {
                    visit(square);
                }
                bits &= bits - 1;
            }
        }
    }
}

impl<const WORDS: usize> BitAnd for Squares<WORDS> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const WORDS: usize> BitOr for Squares<WORDS> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const WORDS: usize> BitOrAssign for Squares<WORDS> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Squares12 {
    /// The four corners.
    pub const CORNERS: Self = Self::drawn([
        b"#..........#",
        b"............",
        b"............",
        b"............",
        b"............",
        b"............",
        b"............",
        b"............",
        b"............",
        b"............",
        b"............",
        b"#..........#",
    ]);

    /// The squares of the outermost rows and columns, corners included.
    pub const EDGES: Self = Self::drawn([
        b"############",
        b"#..........#",
        b"#..........#",
        b"#..........#",
        b"#..........#",
        b"#..........#",
        b"#..........#",
        b"#..........#",
        b"#..........#",
        b"#..........#",
        b"#..........#",
        b"############",
    ]);

    /// The set in three words of four rows of 16 bits each, of which the upper four are never set.
    pub const fn words(self) -> [u64; 3] {
        self.0
    }

    /// The squares marked `#` in a drawing, top row first: for constant tables.
    pub const fn drawn(rows: [&[u8; 12]; 12]) -> Self {
        let mut words = [0; 3];
        let mut row = 0;
        while row < 12 {
            let mut column = 0;
            while column < 12 {
                if rows[row][column] == b'#' {
                    words[row / 4] |= 1 << (row % 4 * 16 + column);
                }
                column += 1;
            }
            row += 1;
        }
        Self(words)
    }

    /// The squares of the set and all their neighbours on the board.
    #[must_use]
    pub fn with_neighbours(self) -> Self {
        let wide = self | self.moved_on(1) | self.moved_back(1);
        (wide | wide.moved_on(Self::ROW) | wide.moved_back(Self::ROW)) & Self::BOARD
    }
}
