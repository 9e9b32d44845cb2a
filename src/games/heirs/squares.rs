//! The squares of Heirs, their names, and sets of them as bits. Pure; the rules and texts use them.
//!
//! A row takes 16 bits, of which the upper four are no squares: shifts beyond the left or right edge land there, and no
//! row spans two words. A set of pieces must have no such bit; a caller that shifts a set must mask the result.

use std::array::from_fn;
use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// The number of columns, and of rows.
pub const SIZE: u8 = 12;

/// The names of the columns, from the left, without `i` and `l`, which look like 1.
pub const COLUMNS: &[u8; SIZE as usize] = b"abcdefghjkmn";

/// A square of the board: `a1` bottom left to `n12` top right. The order is that of reading, from the top.
///
/// ```
/// use referee::games::heirs::Square;
///
/// let square = Square::new(8, 10).unwrap();
/// assert_eq!(square.to_string(), "j2");
/// assert_eq!(Square::read(b"j2"), Some(square));
/// assert_eq!([Square::read(b"i2"), Square::read(b"J2"), Square::read(b"j02")], [None; 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in `column` (0 for `a`) and `row` (0 for the top row, `12`), if both are below 12.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < SIZE && row < SIZE {
            Some(Self(row << 4 | column))
        } else {
            None
        }
    }

    /// Reads the name of a square: a small letter and a number without leading zeros.
    pub fn read(name: &[u8]) -> Option<Self> {
        let (letter, number) = name.split_first()?;
        let number = match *number {
            [ones @ b'1'..=b'9'] => ones - b'0',
            [b'1', ones @ b'0'..=b'2'] => 10 + ones - b'0',
            _ => return None,
        };
        let column = COLUMNS.iter().position(|column| column == letter)?;
        Self::new(u8::try_from(column).ok()?, SIZE - number)
    }

    /// The column, 0 for `a`.
    pub const fn column(self) -> u8 {
        self.0 & 15
    }

    /// The row, 0 for the top row, whose name is `12`.
    pub const fn row(self) -> u8 {
        self.0 >> 4
    }

    /// A unique number below 192.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square after `step`; meaningless if that is off the board.
    #[inline]
    pub(super) const fn moved(self, step: i8) -> Self {
        Self(self.0.wrapping_add_signed(step))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = COLUMNS.get(usize::from(self.column())).copied().unwrap_or(b'?');
        write!(f, "{}{}", char::from(column), SIZE.wrapping_sub(self.row()))
    }
}

/// The name of the square, as a failing test should show it.
impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Squares([u64; 3]);

impl Squares {
    /// No square.
    pub const NONE: Self = Self([0; 3]);

    /// All squares.
    pub const BOARD: Self = Self([0x0fff_0fff_0fff_0fff; 3]);

    /// The set of this square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        let mut words = [0; 3];
        // No square has a row above 11, so the remainder changes nothing; it avoids a bounds check.
        words[square.0 as usize / 64 % 3] = 1 << (square.0 % 64);
        Self(words)
    }

    /// All squares moved by `step`, nonzero from -63 to 63; positive steps go down or right.
    #[inline]
    pub(super) const fn moved(self, step: i8) -> Self {
        let [top, middle, bottom] = self.0;
        let (by, carried) = (step.unsigned_abs(), 64 - step.unsigned_abs());
        if step > 0 {
            Self([
                top << by,
                middle << by | top >> carried,
                bottom << by | middle >> carried,
            ])
        } else {
            Self([
                top >> by | middle << carried,
                middle >> by | bottom << carried,
                bottom >> by,
            ])
        }
    }

    /// The squares of the set and their neighbours.
    #[must_use]
    pub fn with_neighbours(self) -> Self {
        let row = self | self.moved(-1) | self.moved(1);
        (row | row.moved(-16) | row.moved(16)) & Self::BOARD
    }

    /// The squares that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Whether the two sets have a square in common.
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Whether there is no square in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Whether the set has `square`.
    #[inline]
    pub fn contains(self, square: Square) -> bool {
        self.meets(Self::of(square))
    }

    /// The number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        let [top, middle, bottom] = self.0;
        top.count_ones() + middle.count_ones() + bottom.count_ones()
    }

    /// The squares in the order of reading.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Square> {
        (0_u8..).zip(self.0).flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
                let square = (bits != 0).then(|| Square(word << 6 | bits.trailing_zeros() as u8));
                bits &= bits.wrapping_sub(1);
                square
            })
        })
    }

    /// The words of the set, for keys.
    pub(crate) const fn words(self) -> [u64; 3] {
        self.0
    }
}

impl BitAnd for Squares {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for Squares {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl BitOrAssign for Squares {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_what_was_written_is_the_identity() {
        let all: Vec<Square> = Squares::BOARD.iter().collect();
        assert_eq!(all.len(), 144);
        assert!(all.is_sorted());
        for &square in &all {
            assert_eq!(Square::read(square.to_string().as_bytes()), Some(square));
            assert_eq!(Square::new(square.column(), square.row()), Some(square));
            assert_eq!(Squares::of(square).iter().collect::<Vec<_>>(), [square]);
        }
        let corners = [all[0], all[11], all[132], all[143]].map(|square| square.to_string());
        assert_eq!(corners, ["a12", "n12", "a1", "n1"]);
    }

    #[test]
    fn what_is_not_a_square_is_not_read() {
        for name in [
            "", "a", "1", "a0", "a01", "a13", "a20", "i2", "l2", "o3", "C2", "c2 ", "2c", "c-2", "a110",
        ] {
            assert_eq!(Square::read(name.as_bytes()), None, "{name:?}");
        }
    }

    #[test]
    fn a_set_moves_as_its_squares_do() {
        for square in Squares::BOARD.iter() {
            for (across, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 3), (-1, -3), (3, 3), (-3, 3)] {
                let expected = square
                    .column()
                    .checked_add_signed(across)
                    .zip(square.row().checked_add_signed(down))
                    .and_then(|(column, row)| Square::new(column, row));
                let step = across + 16 * down;
                let moved = Squares::of(square).moved(step) & Squares::BOARD;
                assert_eq!(moved.iter().next(), expected, "{square} by {across}, {down}");
                assert!(expected.is_none_or(|expected| square.moved(step) == expected));
            }
        }
    }
}
