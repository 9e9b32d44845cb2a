//! The squares of Star and Circle. Pure; the rules and texts use them.

use crate::{BoardLook, BoardSquare, BoardSurface, Cells, SquareBoard, SquareName};

/// The board of 8x8 squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StarBoard {}

/// A square, written as in the handout of Spring 2018: the row as a capital from `A` at the bottom to `H` at the top,
/// then the column as a digit from `1` on the left. The order is the handout's expansion order.
pub type Square = BoardSquare<StarBoard>;

/// The number of rows and of columns.
pub(super) const SIZE: u8 = StarBoard::SIZE;

impl SquareBoard for StarBoard {
    const SIZE: u8 = 8;
    const ROW: u8 = 8;
    const LOOK: BoardLook = BoardLook {
        columns: &["1", "2", "3", "4", "5", "6", "7", "8"],
        rows: &["H", "G", "F", "E", "D", "C", "B", "A"],
        square: SquareName::RowColumn,
        surface: BoardSurface::Chequered,
        cells: Cells::Stacks,
        ..BoardLook::LETTERS
    };
}

impl Square {
    /// Whether the square is dark; the bottom left one is.
    pub const fn is_dark(self) -> bool {
        !(self.row() + self.column()).is_multiple_of(2)
    }
}
