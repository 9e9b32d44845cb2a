//! Judges a claimed move of Heirs, with the reason of a refusal. The texts of Heirs call it.
//!
//! It must accept exactly the generated moves, although it shares only the board with the generator.

use super::reasons::{CAPTURE_ENEMIES, NO_JUMPING, PIECE_MOVES, SIBLINGS_TOGETHER};
use super::rules::forward;
use super::{Heirs, Move, Piece};
use crate::play::{LEGALITY, own_piece};
use crate::{Hop, Position, Side, Violation};

impl Heirs {
    /// Judges a claimed move of the side to move.
    ///
    /// # Errors
    ///
    /// The first rule that it violates.
    pub fn judge(&self, mv: Move) -> Result<(), Violation> {
        if self.without_prince().is_some() {
            return Err(LEGALITY.violated("game-over", "the game is over: a Prince is captured"));
        }
        let (Hop { from, to }, own) = (mv, self.side_to_move());
        let piece = own_piece(from, self.at(from), own)?;
        if from == to {
            return Err(PIECE_MOVES.violated("motionless", format!("the piece on `{from}` must leave it")));
        }
        judge_way(piece, mv, own)?;
        let mut between = from.squares_to(to);
        if piece != Piece::Scout
            && let Some(by) = between.find(|&square| self.at(square).is_some())
        {
            let message = format!("the piece on `{by}` is in the way, and a {} does not jump", piece.name());
            return Err(NO_JUMPING.violated("blocked", message));
        }
        if self.pieces(own).contains(to) {
            return Err(CAPTURE_ENEMIES.violated("own-piece", format!("the piece on `{to}` is of the same side")));
        }
        if piece == Piece::Sibling && !self.company(own).contains(to) {
            let message = format!("no other piece of its side is beside `{to}`: a Sibling must end beside one");
            return Err(SIBLINGS_TOGETHER.violated("without-company", message));
        }
        Ok(())
    }
}

/// Whether `piece` of `side` may move this way on an empty board.
fn judge_way(piece: Piece, mv: Move, side: Side) -> Result<(), Violation> {
    let (right, down) = mv.from.offset_to(mv.to);
    let forward = down * forward(side).signum();
    let straight = down == 0 || right == 0;
    let diagonal = down.abs() == right.abs();
    let wrong = |code, what| {
        let message = format!("{what}: a {} {}", piece.name(), piece.rule());
        Err(PIECE_MOVES.violated(code, message))
    };
    let (goes_there, reach) = match piece {
        Piece::Baby | Piece::Scout if forward < 1 => return wrong("not-forward", "that is not forward"),
        Piece::Baby if right == 0 => (true, 2),
        Piece::Scout if right.abs() <= 1 => (true, 3),
        Piece::Baby | Piece::Scout => return wrong("sideways", "that is too far to the side"),
        Piece::Prince | Piece::Sibling => (straight || diagonal, 1),
        Piece::Princess => (straight || diagonal, 3),
        Piece::Pony => (diagonal, 1),
        Piece::Guard => (straight, 2),
        Piece::Tutor => (diagonal, 2),
    };
    if !goes_there {
        wrong("wrong-direction", "that is the wrong direction")
    } else if down.abs().max(right.abs()) > reach {
        wrong("too-far", "that is too far")
    } else {
        Ok(())
    }
}
