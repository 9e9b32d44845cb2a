//! A square of Star and Circle and its name: `A1`, `H8`. Pure; the rules and texts use it.

use std::fmt;

/// The number of rows and of columns.
pub(super) const SIZE: u8 = 8;

/// A square of the board.
///
/// Written as in the handout of Spring 2018: the row as a capital from `A` at the bottom to `H` at the top, then the
/// column as a digit from `1` on the left. The order is the handout's expansion order: rows from `H` down, each from
/// the left.
///
/// ```
/// use referee_games::star_circle::Square;
///
/// let square = Square::read(b"C5").unwrap();
/// assert_eq!((square.row(), square.column()), (2, 4));
/// assert!(Square::read(b"C3").unwrap() < square && Square::read(b"D6").unwrap() < square);
/// assert_eq!(Square::read(b"c5"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in the given row (0 is `A`) and column (0 is `1`); `None` beyond 8 by 8.
    pub const fn new(row: u8, column: u8) -> Option<Self> {
        if row < SIZE && column < SIZE { Some(Self((SIZE - 1 - row) * SIZE + column)) } else { None }
    }

    /// The row, from 0 for `A` at the bottom.
    pub const fn row(self) -> u8 {
        SIZE - 1 - self.0 / SIZE
    }

    /// The column, from 0 at the left.
    pub const fn column(self) -> u8 {
        self.0 % SIZE
    }

    /// Whether pieces can stand on it: `A1` is dark.
    pub const fn is_dark(self) -> bool {
        (self.row() + self.column()).is_multiple_of(2)
    }

    /// Parses a square exactly as written: an upper-case letter, then a digit.
    pub fn read(word: &[u8]) -> Option<Self> {
        let &[row, column] = word else { return None };
        Self::new(row.checked_sub(b'A')?, column.checked_sub(b'1')?)
    }

    /// The square at an index of the expansion order, from 0 for `H1` to 63 for `A8`: its bit in a set.
    pub(super) const fn of_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// That index.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this square alone.
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.row()), self.column() + 1)
    }
}

/// The name of the square, as a failing test should show it.
impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Square> {
        (0..SIZE).rev().flat_map(|row| (0..SIZE).filter_map(move |column| Square::new(row, column)))
    }

    #[test]
    fn reading_what_was_written_is_the_identity() {
        assert_eq!(all().count(), 64);
        for square in all() {
            assert_eq!(Square::read(square.to_string().as_bytes()), Some(square));
        }
        assert!(all().eq((0..64).map(Square::of_index)));
    }

    #[test]
    fn squares_are_in_the_expansion_order_of_the_handout() {
        assert!(all().is_sorted());
        let ends = [all().next(), all().last()].map(|square| square.unwrap().to_string());
        assert_eq!(ends, ["H1", "A8"]);
    }

    #[test]
    fn half_of_the_squares_are_dark_and_so_is_the_bottom_left_one() {
        assert_eq!(all().filter(|square| square.is_dark()).count(), 32);
        assert!(Square::read(b"A1").unwrap().is_dark());
    }

    #[test]
    fn what_is_not_a_square_is_not_read() {
        for word in ["", "A", "1", "A0", "A9", "I1", "a1", "A1 ", " A1", "1A", "A10", "@1", "A:", "\u{c4}1"] {
            assert_eq!(Square::read(word.as_bytes()), None, "{word:?}");
        }
    }
}
