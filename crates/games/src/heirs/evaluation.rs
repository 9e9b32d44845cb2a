//! The static value of a Heirs position: pieces and their progress. It searches nothing; minimax and alpha-beta use it.
//!
//! The weights are deliberately rough: a program that searches deeper or knows more should beat the reference agent.

use super::{Heirs, Move, Piece, Square};
use crate::builtin::{Evaluate, WIN_VALUE};
use crate::{Position, Side};

/// Each row that a piece has gone forward.
const ADVANCE: i32 = 2;
/// Each row of the Prince: it is safest at home.
const PRINCE_ADVANCE: i32 = -6;

impl Evaluate for Heirs {
    fn evaluate(&self, side: Side) -> i32 {
        value(self, side) - value(self, side.other())
    }

    /// One piece moves and at most one is captured: a move gains as much, unless it might leave the opponent without a
    /// move.
    fn gains(&self) -> Option<impl Fn(Move) -> i32> {
        let side = self.side_to_move();
        self.keeps_a_move(side.other()).then_some(move |mv| gain_of(self, mv, side))
    }
}

fn gain_of(position: &Heirs, mv: Move, side: Side) -> i32 {
    let moved =
        position.at(mv.from).map_or(0, |(_, piece)| worth_of(piece, mv.to, side) - worth_of(piece, mv.from, side));
    match position.at(mv.to) {
        None => moved,
        Some((_, Piece::Prince)) => WIN_VALUE,
        Some((other, piece)) => moved + worth_of(piece, mv.to, other),
    }
}

fn value(position: &Heirs, side: Side) -> i32 {
    let mut value = 0;
    for piece in Piece::ALL {
        let squares = position.pieces_of(piece, side);
        squares.for_each(|square| value += worth_of(piece, square, side));
    }
    value
}

fn worth_of(piece: Piece, square: Square, side: Side) -> i32 {
    let advance = if piece == Piece::Prince { PRINCE_ADVANCE } else { ADVANCE };
    piece.material() + advance * i32::from(rows_forward(square, side))
}

/// The number of rows between a square and the back row of `side`.
pub(super) const fn rows_forward(square: Square, side: Side) -> u8 {
    match side {
        Side::White => 11 - square.row(),
        Side::Black => square.row(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Status;
    use crate::builtin::reached;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn who_keeps_a_move_has_one_after_whatever_the_other_plays(seed in any::<u64>(), plies in 0..300_u64) {
            let position = reached::<Heirs>((), seed, plies);
            if position.keeps_a_move(position.side_to_move().other()) {
                for mv in position.moves() {
                    let next = position.after(mv);
                    let is_level = matches!(next.status(), Status::Over(crate::Ending::Drawn(_)));
                    prop_assert!(!is_level);
                }
            }
        }
    }
}
