//! The squares of checkers and their names. Pure; the rules and texts use them.

use super::direction::Direction;
use crate::{BoardLook, BoardSquare, BoardSurface, SquareBoard};

/// The squares that pieces can occupy.
pub(super) const DARK_SQUARES: u64 = 0xaa55_aa55_aa55_aa55;

/// The board of 8x8 squares. Its rows are counted from the bottom: row 0 is the row named `1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckersBoard {}

/// A square of the board, dark or light: `a1` bottom left to `h8` top right.
///
/// ```
/// # use referee_games::checkers::Square;
/// assert_eq!(Square::read(b"c3"), Square::new(2, 2));
/// assert_eq!(Square::read(b"C3"), None);
/// ```
pub type Square = BoardSquare<CheckersBoard>;

impl SquareBoard for CheckersBoard {
    const SIZE: u8 = 8;
    const ROW: u8 = 8;
    const LOOK: BoardLook = BoardLook {
        columns: &["a", "b", "c", "d", "e", "f", "g", "h"],
        rows: &["1", "2", "3", "4", "5", "6", "7", "8"],
        surface: BoardSurface::Chequered,
        ..BoardLook::LETTERS
    };
}

impl Square {
    /// Whether pieces can stand here.
    pub const fn is_dark(self) -> bool {
        self.bit() & DARK_SQUARES != 0
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
