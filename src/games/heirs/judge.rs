//! Judges a claimed move of Heirs, with the reason of a refusal. The texts of Heirs call it.
//!
//! It must accept exactly the generated moves, although it shares only the board with the generator.

use super::rules::forward;
use super::{Heirs, Move, Piece, Reason};
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
        judge_way(piece, mv, own)?;
        let mut between = mv.from.squares_to(mv.to);
        if piece != Piece::Scout
            && let Some(by) = between.find(|&square| self.at(square).is_some())
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

/// Whether `piece` of `side` may move this way on an empty board.
fn judge_way(piece: Piece, mv: Move, side: Side) -> Result<(), Reason> {
    let (right, down) = mv.from.offset_to(mv.to);
    let forward = down * forward(side).signum();
    let straight = down == 0 || right == 0;
    let diagonal = down.abs() == right.abs();
    let (goes_there, reach) = match piece {
        Piece::Baby | Piece::Scout if forward < 1 => return Err(Reason::NotForward(piece)),
        Piece::Baby if right != 0 => return Err(Reason::Sideways(piece)),
        Piece::Scout if right.abs() > 1 => return Err(Reason::Sideways(piece)),
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
    } else if down.abs().max(right.abs()) > reach {
        Err(Reason::TooFar(piece))
    } else {
        Ok(())
    }
}
