//! The squares of checkers and their names. Pure; the rules and texts use them.

use std::fmt;

use super::direction::Direction;

/// The squares that pieces can occupy.
pub(super) const DARK_SQUARES: u64 = 0xaa55_aa55_aa55_aa55;

/// A square of the board, dark or light: `a1` bottom left to `h8` top right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The number of columns, and of rows.
const SIZE: u8 = 8;

impl Square {
    /// The square in `column` (0 for `a`) and `row` (0 for the bottom row, `1`), if both are below 8.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < SIZE && row < SIZE { Some(Self(row * SIZE + column)) } else { None }
    }

    /// Reads the name of a square: a small letter and a digit.
    ///
    /// ```
    /// # use referee_games::checkers::Square;
    /// assert_eq!(Square::read(b"c3"), Square::new(2, 2));
    /// assert_eq!(Square::read(b"C3"), None);
    /// ```
    pub const fn read(name: &[u8]) -> Option<Self> {
        match name {
            [column @ b'a'..=b'h', row @ b'1'..=b'8'] => Self::new(*column - b'a', *row - b'1'),
            _ => None,
        }
    }

    /// The column, 0 for `a`.
    pub const fn column(self) -> u8 {
        self.0 % SIZE
    }

    /// The row, 0 for the bottom row, whose name is `1`.
    pub const fn row(self) -> u8 {
        self.0 / SIZE
    }

    /// The square's number: its bit in a set.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether pieces can stand here.
    pub const fn is_dark(self) -> bool {
        self.bit() & DARK_SQUARES != 0
    }

    /// The square as a set: bit 8 x [`Self::row`] + [`Self::column`].
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The only square of a set.
    #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
    pub(super) const fn of_bit(bit: u64) -> Self {
        Self(bit.trailing_zeros() as u8)
    }

    /// The direction and distance to a square on the same diagonal; `None` otherwise.
    pub(super) const fn diagonal_to(self, other: Self) -> Option<(Direction, u8)> {
        let distance = self.column().abs_diff(other.column());
        if distance == 0 || distance != self.row().abs_diff(other.row()) {
            return None;
        }
        let direction = match (other.row() > self.row(), other.column() > self.column()) {
            (true, true) => Direction::NorthEast,
            (true, false) => Direction::NorthWest,
            (false, true) => Direction::SouthEast,
            (false, false) => Direction::SouthWest,
        };
        Some((direction, distance))
    }
}

/// The squares of a set, from `a1` to `h8` by rows.
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| Square::of_bit(set));
        set &= set.wrapping_sub(1);
        lowest
    })
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corner_at_the_bottom_left_is_dark() {
        let dark = ["a1", "b2", "h8", "g1"].map(|name| Square::read(name.as_bytes()).unwrap().is_dark());
        let light = ["a8", "h1", "b1", "d5"].map(|name| Square::read(name.as_bytes()).unwrap().is_dark());
        assert_eq!((dark, light), ([true; 4], [false; 4]));
    }

    #[test]
    fn diagonals_have_a_direction_and_a_length() {
        let square = |name: &str| Square::read(name.as_bytes()).unwrap();
        let from = |from: &str, to: &str| square(from).diagonal_to(square(to));
        assert_eq!(from("c3", "e5"), Some((Direction::NorthEast, 2)));
        assert_eq!(from("c3", "b4"), Some((Direction::NorthWest, 1)));
        assert_eq!(from("h8", "a1"), Some((Direction::SouthWest, 7)));
        assert_eq!(from("a3", "c1"), Some((Direction::SouthEast, 2)));
        assert_eq!([from("c3", "c3"), from("c3", "c5"), from("c3", "e7")], [None; 3]);
    }
}
