//! Judges a claimed move of Star and Circle, with the reason of a refusal. The texts call it; it must accept exactly
//! the generated moves.

use super::moves::last_row;
use super::{Move, Square, StarCircle};
use crate::games::Position;

/// The fault of a claimed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A square that no piece can occupy.
    #[error("`{0}` is a light square: pieces stand on dark squares only")]
    LightSquare(Square),
    /// There is no piece to move.
    #[error("`{0}` is empty")]
    EmptyOrigin(Square),
    /// The piece to move is the opponent's.
    #[error("the piece on `{0}` is the opponent's")]
    OpponentsPiece(Square),
    /// The piece has reached its last row.
    #[error("`{0}` is on the last row: pieces there cannot move")]
    Arrived(Square),
    /// A move to its own start.
    #[error("the piece on `{0}` must leave it")]
    Motionless(Square),
    /// The move does not go forward.
    #[error("no backward movement: `{}` is not on a row in front of `{}`", .0.to, .0.from)]
    Backward(Move),
    /// The two squares are on no common diagonal.
    #[error("`{}` and `{}` are not on one diagonal", .0.from, .0.to)]
    NotDiagonal(Move),
    /// The two squares are on one diagonal, more than two rows apart.
    #[error("`{}` is too far from `{}`: a step goes one row, a jump two", .0.to, .0.from)]
    TooFar(Move),
    /// The end of the move is occupied.
    #[error("`{0}` is occupied")]
    Occupied(Square),
    /// There is no piece to jump over.
    #[error("nothing to jump over: there is no piece on `{0}`")]
    NothingToJump(Square),
    /// The piece to jump over is the player's own.
    #[error("the piece on `{0}` is your own and cannot be jumped over")]
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
