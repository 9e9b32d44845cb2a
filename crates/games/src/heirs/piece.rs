//! The eight pieces of Heirs: letters, names and moves. Constants; rules, texts and pages use them.

use self::Piece::{Baby, Guard, Pony, Prince, Princess, Scout, Sibling, Tutor};
use crate::Side;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Piece {
    /// Moves 1 or 2 squares straight forward, and captures so.
    Baby,
    /// Moves 1 square in any direction; its capture loses the game.
    Prince,
    /// Moves 1 to 3 squares in any direction.
    Princess,
    /// Moves 1 square diagonally.
    Pony,
    /// Moves 1 or 2 squares along a row or a column.
    Guard,
    /// Moves 1 or 2 squares diagonally.
    Tutor,
    /// Leaps 1 to 3 rows forward, in its column or one column beside it.
    Scout,
    /// Moves 1 square in any direction, to where another piece of its side stands beside it.
    Sibling,
}

impl Piece {
    /// All pieces, each at the index of its number.
    pub const ALL: [Self; 8] = [Baby, Prince, Princess, Pony, Guard, Tutor, Scout, Sibling];

    /// The letters of all pieces on a board, white's first.
    pub const LETTERS: &'static str = "BPXYGTSNbpxygtsn";

    /// The name of the piece.
    pub const fn name(self) -> &'static str {
        ["Baby", "Prince", "Princess", "Pony", "Guard", "Tutor", "Scout", "Sibling"][self as usize]
    }

    /// Its value to the agents. A Prince's only serves to compare captured with capturing pieces: its capture ends the
    /// game.
    pub(super) const fn material(self) -> i32 {
        const VALUES: &[i32; 8] = &[100, 20_000, 900, 150, 360, 300, 280, 200];
        VALUES[self as usize]
    }

    /// The rule of its moves, to follow its name in a sentence.
    pub const fn rule(self) -> &'static str {
        match self {
            Baby => "moves 1 or 2 squares straight forward",
            Prince => "moves 1 square in any direction",
            Princess => "moves 1 to 3 squares in any direction",
            Pony => "moves exactly 1 square diagonally",
            Guard => "moves 1 or 2 squares along a row or a column",
            Tutor => "moves 1 or 2 squares diagonally",
            Scout => "moves 1 to 3 rows forward, in its column or one column to either side",
            Sibling => "moves 1 square in any direction, to a square beside another piece of its side",
        }
    }

    /// The figure above its letter: an SVG path in a box from -1 to 1, y downwards.
    pub const fn figure(self) -> &'static str {
        match self {
            // A small head.
            Baby => "M-.45 .1a.45 .45 0 1 0 .9 0a.45 .45 0 1 0 -.9 0z",
            // A crown of three points.
            Prince => "M-.9 .7L-.9 -.5L-.4 0L0 -.8L.4 0L.9 -.5L.9 .7z",
            // A crown of five points over a band.
            Princess => "M-1 .3L-1 -.6L-.55 -.1L-.4 -.9L0 -.2L.4 -.9L.55 -.1L1 -.6L1 .3zM-1 .5H1V.8H-1z",
            // A horseshoe.
            Pony => "M-.7 .8L-.7 -.1A.7 .7 0 0 1 .7 -.1L.7 .8H.3L.3 -.1A.3 .3 0 0 0 -.3 -.1L-.3 .8z",
            // A shield.
            Guard => "M-.7 -.8H.7V0Q.7 .6 0 .95Q-.7 .6 -.7 0z",
            // An open book.
            Tutor => "M-1 -.5Q-.5 -.8 -.06 -.45V.7Q-.5 .4 -1 .65zM1 -.5Q.5 -.8 .06 -.45V.7Q.5 .4 1 .65z",
            // An arrow.
            Scout => "M0 -.9L.75 0H.28V.8H-.28V0H-.75z",
            // Two heads.
            Sibling => "M-.85 .1a.4 .4 0 1 0 .8 0a.4 .4 0 1 0 -.8 0zM.05 .1a.4 .4 0 1 0 .8 0a.4 .4 0 1 0 -.8 0z",
        }
    }

    /// Its letter on the board: upper case for white.
    pub const fn letter(self, side: Side) -> u8 {
        Self::LETTERS.as_bytes()[self as usize + 8 * side.other().index()]
    }

    /// The piece of the letter at an index of [`Self::LETTERS`].
    pub(super) const fn of_letter(index: usize) -> (Side, Self) {
        let side = if index < 8 { Side::White } else { Side::Black };
        (side, Self::ALL[index % 8])
    }
}
