//! The two boards of Othello: size, start and bonus. Constants; the rules are generic over them.

use std::fmt::Debug;
use std::hash::Hash;

use super::{SquareSet, Squares8, Squares12};
use crate::games::Side;

/// A board with the properties of its game.
pub trait Grid: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    /// A set of squares of this board.
    type Squares: SquareSet;
    /// The start, drawn, top row first.
    const START: &'static [&'static str];
    /// Who has the first move.
    const MOVES_FIRST: Side;
    /// The bonus of black's score over the number of its disks.
    const BLACK_BONUS: u32;
}

/// The 8x8 board of classic Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grid8 {}

/// The 12x12 board of Duo-Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grid12 {}

impl Grid for Grid8 {
    type Squares = Squares8;
    const START: &'static [&'static str] = &[
        "........", "........", "........", "...OX...", "...XO...", "........", "........", "........",
    ];
    const MOVES_FIRST: Side = Side::Black;
    const BLACK_BONUS: u32 = 0;
}

impl Grid for Grid12 {
    type Squares = Squares12;
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
