//! The board of Heirs. Constants; the rules and texts use them.

use crate::games::{BoardLook, BoardSquare, BoardSquares, SquareBoard, Surface};

/// The board of 12x12 squares. In sets, each row takes 16 bits, so no row spans two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HeirsBoard {}

/// A square: `a1` bottom left to `n12` top right.
pub type Square = BoardSquare<HeirsBoard>;

/// A set of squares.
pub type Squares = BoardSquares<HeirsBoard, 3>;

impl SquareBoard for HeirsBoard {
    const SIZE: u8 = 12;
    const ROW: u8 = 16;
    const LOOK: BoardLook = BoardLook {
        // Without `i` and `l`, which look like 1.
        columns: &["a", "b", "c", "d", "e", "f", "g", "h", "j", "k", "m", "n"],
        rows: &["12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"],
        surface: Surface::Chequered,
        ..BoardLook::LETTERS
    };
}
