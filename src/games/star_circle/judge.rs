//! Judges a claimed move of Star and Circle, with the reason of a refusal. The texts call it; it must accept exactly
//! the generated moves.

use std::fmt;

use super::moves::last_row;
use super::{Move, Square, StarCircle};
use crate::games::Position;

/// The fault of a claimed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A square that no piece can occupy.
    LightSquare(Square),
    /// There is no piece to move.
    EmptyOrigin(Square),
    /// The piece to move is the opponent's.
    OpponentsPiece(Square),
    /// The piece has reached its last row.
    Arrived(Square),
    /// A move to its own start.
    Motionless(Square),
    /// The move does not go forward.
    Backward(Move),
    /// The two squares are on no common diagonal.
    NotDiagonal(Move),
    /// The two squares are on one diagonal, more than two rows apart.
    TooFar(Move),
    /// The end of the move is occupied.
    Occupied(Square),
    /// There is no piece to jump over.
    NothingToJump(Square),
    /// The piece to jump over is the player's own.
    OwnPieceJumped(Square),
}

impl StarCircle {
    /// Whether the side to move may play `mv`.
    ///
    /// # Errors
    ///
    /// The first fault, examining the squares, then the geometry, then the pieces, as the author would on a board.
    ///
    /// ```
    /// use referee::games::Position;
    /// use referee::games::star_circle::{Move, Square, StarCircle};
    ///
    /// let start = StarCircle::start(());
    /// let mv = |from: &[u8], to: &[u8]| Some(Move { from: Square::read(from)?, to: Square::read(to)? });
    /// assert!(start.judge(mv(b"B2", b"C3").unwrap()).is_ok());
    /// let reason = start.judge(mv(b"A1", b"B2").unwrap()).unwrap_err();
    /// assert_eq!(reason.to_string(), "`B2` is occupied");
    /// ```
    pub fn judge(&self, mv: Move) -> Result<(), Reason> {
        let Move { from, to } = mv;
        self.check_origin(from)?;
        self.check_way(mv)?;
        let (own, enemy) = (self.pieces(self.side), self.pieces(self.side.other()));
        if let Some(over) = mv.jumped() {
            if own & over.bit() != 0 {
                return Err(Reason::OwnPieceJumped(over));
            }
            if enemy & over.bit() == 0 {
                return Err(Reason::NothingToJump(over));
            }
        }
        let is_occupied = (own & !last_row(self.side) | enemy) & to.bit() != 0;
        if is_occupied { Err(Reason::Occupied(to)) } else { Ok(()) }
    }

    fn check_origin(&self, from: Square) -> Result<(), Reason> {
        if !from.is_dark() {
            Err(Reason::LightSquare(from))
        } else if self.pieces(self.side.other()) & from.bit() != 0 {
            Err(Reason::OpponentsPiece(from))
        } else if self.pieces(self.side) & from.bit() == 0 {
            Err(Reason::EmptyOrigin(from))
        } else if last_row(self.side) & from.bit() != 0 {
            Err(Reason::Arrived(from))
        } else {
            Ok(())
        }
    }

    fn check_way(&self, mv: Move) -> Result<(), Reason> {
        let Move { from, to } = mv;
        let rows = from.row().abs_diff(to.row());
        if from == to {
            Err(Reason::Motionless(from))
        } else if !to.is_dark() {
            Err(Reason::LightSquare(to))
        } else if rows == 0 || (to.row() > from.row()) != Self::goes_up(self.side_to_move()) {
            Err(Reason::Backward(mv))
        } else if rows != from.column().abs_diff(to.column()) {
            Err(Reason::NotDiagonal(mv))
        } else if rows > 2 {
            Err(Reason::TooFar(mv))
        } else {
            Ok(())
        }
    }
}

impl Reason {
    /// A stable name for programs, in kebab case.
    pub const fn code(self) -> &'static str {
        match self {
            Self::LightSquare(_) => "light-square",
            Self::EmptyOrigin(_) => "empty-origin",
            Self::OpponentsPiece(_) => "opponents-piece",
            Self::Arrived(_) => "arrived",
            Self::Motionless(_) => "motionless",
            Self::Backward(_) => "backward",
            Self::NotDiagonal(_) => "not-diagonal",
            Self::TooFar(_) => "too-far",
            Self::Occupied(_) => "occupied",
            Self::NothingToJump(_) => "nothing-to-jump",
            Self::OwnPieceJumped(_) => "own-piece-jumped",
        }
    }
}

/// A sentence, lower case, without a full stop.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LightSquare(square) => write!(f, "`{square}` is a light square: pieces stand on dark squares only"),
            Self::EmptyOrigin(square) => write!(f, "`{square}` is empty"),
            Self::OpponentsPiece(square) => write!(f, "the piece on `{square}` is the opponent's"),
            Self::Arrived(square) => write!(f, "`{square}` is on the last row: pieces there cannot move"),
            Self::Motionless(square) => write!(f, "the piece on `{square}` must leave it"),
            Self::Backward(Move { from, to }) => {
                write!(f, "no backward movement: `{to}` is not on a row in front of `{from}`")
            }
            Self::NotDiagonal(Move { from, to }) => write!(f, "`{from}` and `{to}` are not on one diagonal"),
            Self::TooFar(Move { from, to }) => {
                write!(f, "`{to}` is too far from `{from}`: a step goes one row, a jump two")
            }
            Self::Occupied(square) => write!(f, "`{square}` is occupied"),
            Self::NothingToJump(square) => {
                write!(f, "nothing to jump over: there is no piece on `{square}`")
            }
            Self::OwnPieceJumped(square) => {
                write!(f, "the piece on `{square}` is your own and cannot be jumped over")
            }
        }
    }
}
