//! A square of Othello and its name: `c2`, `l12`. Pure; the rules and texts use it.

use std::fmt;

/// The side of the largest board whose squares have names.
const LARGEST: u8 = 12;

/// A square by column and row, on a board of up to 12 by 12.
///
/// Written as in the handout of Spring 2024: the column as a letter from `a` on the left, the row as a number from `1`
/// at the top. The order is that of reading: row by row from the top, each from the left.
///
/// ```
/// use referee::games::othello::Square;
///
/// let square = Square::new(2, 1).unwrap();
/// assert_eq!(square.to_string(), "c2");
/// assert_eq!(Square::read(b"c2"), Some(square));
/// assert_eq!(Square::read(b"c02"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in the given column and row, both from 0; `None` beyond 12 by 12.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < LARGEST && row < LARGEST {
            Some(Self(row << 4 | column))
        } else {
            None
        }
    }

    /// The column, from 0 at the left.
    pub const fn column(self) -> u8 {
        self.0 & 15
    }

    /// The row, from 0 at the top.
    pub const fn row(self) -> u8 {
        self.0 >> 4
    }

    /// Parses a square exactly as written: a lower-case letter, then a number without leading zeros.
    pub fn read(word: &[u8]) -> Option<Self> {
        let (&column, row) = word.split_first()?;
        let row = match *row {
            [ones @ b'1'..=b'9'] => ones - b'0',
            [b'1', ones @ b'0'..=b'9'] => 10 + ones - b'0',
            _ => return None,
        };
        Self::new(column.checked_sub(b'a')?, row - 1)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
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
        (0..LARGEST).flat_map(|row| (0..LARGEST).filter_map(move |column| Square::new(column, row)))
    }

    #[test]
    fn reading_what_was_written_is_the_identity() {
        assert_eq!(all().count(), 144);
        for square in all() {
            assert_eq!(Square::read(square.to_string().as_bytes()), Some(square));
        }
    }

    #[test]
    fn squares_are_in_the_order_of_reading() {
        assert!(all().is_sorted());
        let ends = [all().next(), all().last()].map(|square| square.unwrap().to_string());
        assert_eq!(ends, ["a1", "l12"]);
    }

    #[test]
    fn what_is_not_a_square_is_not_read() {
        for word in [
            "", "a", "1", "a0", "a01", "a13", "a20", "a99", "m1", "m3", "C2", "c2 ", " c2", "2c", "c-2", "c+2", "c2c",
            "a110", "`1", "\u{e0}1",
        ] {
            assert_eq!(Square::read(word.as_bytes()), None, "{word:?}");
        }
    }
}
