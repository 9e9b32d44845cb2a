//! The two boards of Othello: squares, start and bonus. Constants; the rules are generic over them.

use crate::{BoardLook, BoardSquare, BoardSquares, BoardSurface, Side, SquareBoard};

/// A board with the properties of its game.
pub trait Grid: SquareBoard {
    /// The start, drawn, top row first.
    const START: &'static [&'static str];
    /// Who has the first move.
    const MOVES_FIRST: Side;
    /// The bonus of black's score over the number of its disks.
    const BLACK_BONUS: u32;
}

/// The 8x8 board of classic Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grid8 {}

/// The 12x12 board of Duo-Othello. In sets, each row takes 16 bits, so no row spans two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grid12 {}

/// A square of Duo-Othello: its column from `a` on the left, and its row from `1` at the top.
pub type Square = BoardSquare<Grid12>;

/// A set of squares of Duo-Othello.
pub type Squares = BoardSquares<Grid12, 3>;

impl SquareBoard for Grid8 {
    const SIZE: u8 = 8;
    const ROW: u8 = 8;
    const LOOK: BoardLook = BoardLook {
        columns: Grid12::LOOK.columns.split_at(8).0,
        rows: Grid12::LOOK.rows.split_at(8).0,
        ..Grid12::LOOK
    };
}

impl SquareBoard for Grid12 {
    const SIZE: u8 = 12;
    const ROW: u8 = 16;
    const LOOK: BoardLook = BoardLook {
        columns: &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"],
        rows: &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
        surface: BoardSurface::Felt,
        ..BoardLook::LETTERS
    };
}

impl Grid for Grid8 {
    const START: &'static [&'static str] =
        &["........", "........", "........", "...OX...", "...XO...", "........", "........", "........"];
    const MOVES_FIRST: Side = Side::Black;
    const BLACK_BONUS: u32 = 0;
}

impl Grid for Grid12 {
    const START: &'static [&'static str] = &[
        "............",
        "............",
        "..XO........",
        "..OX........",
        "............",
        "............",
        "............",
        "............",
        "........XO..",
        "........OX..",
        "............",
        "............",
    ];
    const MOVES_FIRST: Side = Side::White;
    const BLACK_BONUS: u32 = 1;
}

impl Squares {
    /// The squares of the outermost rows and columns, corners included.
    pub const EDGES: Self = Self::BOARD.without(Self::within(1..11, 1..11));

    /// The four corners.
    pub const CORNERS: Self = Self::EDGES.without(Self::within(1..11, 0..12)).without(Self::within(0..12, 1..11));
}
