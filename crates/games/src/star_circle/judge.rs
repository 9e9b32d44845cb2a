//! Judges a claimed move of Star and Circle, with the reason of a refusal. The texts call it; it must accept exactly
//! the generated moves.

use super::moves::last_row;
use super::reasons::{DARK_SQUARES, DIAGONAL_MOVES, EMPTY_LANDING, FORWARD_ONLY};
use super::{Move, Square, StarCircle};
use crate::play::{CAPTURING_JUMP, own_piece};
use crate::{Position, Side, Violation};

impl StarCircle {
    /// Whether the side to move may play `mv`.
    ///
    /// # Errors
    ///
    /// The first fault, examining the squares, then the geometry, then the pieces, as the author would on a board.
    ///
    /// ```
    /// use referee_games::Position;
    /// use referee_games::star_circle::{Move, Square, StarCircle};
    ///
    /// let start = StarCircle::start(());
    /// let mv = |from: &[u8], to: &[u8]| Some(Move { from: Square::read(from)?, to: Square::read(to)? });
    /// assert!(start.judge(mv(b"B2", b"C3").unwrap()).is_ok());
    /// let reason = start.judge(mv(b"A1", b"B2").unwrap()).unwrap_err();
    /// assert_eq!(reason.to_string(), "`B2` is occupied");
    /// ```
    pub fn judge(&self, mv: Move) -> Result<(), Violation> {
        let Move { from, to } = mv;
        self.check_origin(from)?;
        self.check_way(mv)?;
        let (own, enemy) = (self.pieces(self.side), self.pieces(self.side.other()));
        if let Some(over) = mv.jumped() {
            if own & over.bit() != 0 {
                let message = format!("the piece on `{over}` is your own and cannot be jumped over");
                return Err(CAPTURING_JUMP.violated("own-piece-jumped", message));
            }
            if enemy & over.bit() == 0 {
                let message = format!("nothing to jump over: there is no piece on `{over}`");
                return Err(CAPTURING_JUMP.violated("nothing-to-jump", message));
            }
        }
        let is_occupied = (own & !last_row(self.side) | enemy) & to.bit() != 0;
        if is_occupied {
            return Err(EMPTY_LANDING.violated("occupied", format!("`{to}` is occupied")));
        }
        Ok(())
    }

    fn check_origin(&self, from: Square) -> Result<(), Violation> {
        if !from.is_dark() {
            return Err(light_square(from));
        }
        let owner = Side::BOTH.into_iter().find(|&side| self.pieces(side) & from.bit() != 0);
        own_piece(from, owner.map(|side| (side, ())), self.side)?;
        if last_row(self.side) & from.bit() != 0 {
            let message = format!("`{from}` is on the last row: pieces there cannot move");
            return Err(FORWARD_ONLY.violated("arrived", message));
        }
        Ok(())
    }

    fn check_way(&self, mv: Move) -> Result<(), Violation> {
        let Move { from, to } = mv;
        let rows = from.row().abs_diff(to.row());
        let (rule, code, message) = if from == to {
            let message = format!("the piece on `{from}` must leave it");
            (&DIAGONAL_MOVES, "motionless", message)
        } else if !to.is_dark() {
            return Err(light_square(to));
        } else if rows == 0 || (to.row() < from.row()) != Self::goes_up(self.side_to_move()) {
            let message = format!("no backward movement: `{to}` is not on a row in front of `{from}`");
            (&FORWARD_ONLY, "backward", message)
        } else if rows != from.column().abs_diff(to.column()) {
            let message = format!("`{from}` and `{to}` are not on one diagonal");
            (&DIAGONAL_MOVES, "not-diagonal", message)
        } else if rows > 2 {
            let message = format!("`{to}` is too far from `{from}`: a step goes one row, a jump two");
            (&DIAGONAL_MOVES, "too-far", message)
        } else {
            return Ok(());
        };
        Err(rule.violated(code, message))
    }
}

fn light_square(square: Square) -> Violation {
    let message = format!("`{square}` is a light square: pieces stand on dark squares only");
    DARK_SQUARES.violated("light-square", message)
}
