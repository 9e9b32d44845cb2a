//! Judges a claimed move of Heirs, with the reason of a refusal. The texts of Heirs call it.
//!
//! It must accept exactly the generated moves, although it shares only the board with the generator.

use super::{Heirs, Move, Piece, Reason, Square};
use crate::games::{Position, Side};

impl Heirs {
    /// Judges a claimed move of the side to move.
    ///
    /// # Errors
    ///
    /// The first applicable [`Reason`] if the move is illegal.
    pub fn judge(&self, mv: Move) -> Result<(), Reason> {
        if self.without_prince().is_some() {
            return Err(Reason::GameOver);
        }
        let own = self.side_to_move();
        let piece = match self.at(mv.from) {
            None => return Err(Reason::EmptyOrigin(mv.from)),
            Some((side, _)) if side != own => return Err(Reason::OpponentsPiece(mv.from)),
            Some((_, piece)) => piece,
        };
        if mv.from == mv.to {
            return Err(Reason::Motionless(mv.from));
        }
        let path = Path::of(mv, own);
        path.judge(piece)?;
        if piece != Piece::Scout
            && let Some(by) = path.between(mv.from).find(|&square| self.at(square).is_some())
        {
            return Err(Reason::Blocked { piece, by });
        }
        if self.pieces(own).contains(mv.to) {
            return Err(Reason::OwnPieceThere(mv.to));
        }
        if piece == Piece::Sibling && !self.company(own).contains(mv.to) {
            return Err(Reason::WithoutCompany(mv.to));
        }
        Ok(())
    }
}

/// The path of a move.
struct Path {
    /// Rows, from the view of the moving side.
    forward: i8,
    /// Rows down the board.
    down: i8,
    /// Columns to the right.
    right: i8,
}

impl Path {
    fn of(mv: Move, side: Side) -> Self {
        let difference = |to: u8, from: u8| to.cast_signed() - from.cast_signed();
        let down = difference(mv.to.row(), mv.from.row());
        let forward = if side == Side::White { -down } else { down };
        let right = difference(mv.to.column(), mv.from.column());
        Self { forward, down, right }
    }

    fn distance(&self) -> i8 {
        self.down.abs().max(self.right.abs())
    }

    /// Whether `piece` may move this way on an empty board.
    fn judge(&self, piece: Piece) -> Result<(), Reason> {
        let straight = self.down == 0 || self.right == 0;
        let diagonal = self.down.abs() == self.right.abs();
        let (goes_there, reach) = match piece {
            Piece::Baby | Piece::Scout if self.forward < 1 => return Err(Reason::NotForward(piece)),
            Piece::Baby if self.right != 0 => return Err(Reason::Sideways(piece)),
            Piece::Scout if self.right.abs() > 1 => return Err(Reason::Sideways(piece)),
            Piece::Baby => (true, 2),
            Piece::Scout => (true, 3),
            Piece::Prince | Piece::Sibling => (straight || diagonal, 1),
            Piece::Princess => (straight || diagonal, 3),
            Piece::Pony => (diagonal, 1),
            Piece::Guard => (straight, 2),
            Piece::Tutor => (diagonal, 2),
        };
        if !goes_there {
            Err(Reason::WrongDirection(piece))
        } else if self.distance() > reach {
            Err(Reason::TooFar(piece))
        } else {
            Ok(())
        }
    }

    /// The squares between the two ends of a straight or diagonal path.
    fn between(&self, from: Square) -> impl Iterator<Item = Square> {
        let step = 16 * self.down.signum() + self.right.signum();
        (1..self.distance()).map(move |steps| from.moved(step * steps))
    }
}
