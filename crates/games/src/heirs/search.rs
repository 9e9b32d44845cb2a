//! The alpha-beta agent's view of Heirs: cached material and squares, and the safety of the Princes. The search itself
//! is in `agents/builtin/alphabeta`.

use super::evaluation::rows_forward;
use super::{Heirs, Move, Piece, Square, Squares};
use crate::builtin::{Plays, Searched, mixed};
use crate::{Position, Side};

/// Gaining captures precede all quiet moves.
const CAPTURE: i32 = 1 << 25;
/// Each enemy piece that can capture on the Prince's square or beside it.
const THREAT: i32 = 12;
/// Having the move.
const TEMPO: i32 = 10;

/// More than the number of any square.
const SQUARES: usize = 192;

impl Plays for Heirs {}

impl Searched for Heirs {
    /// The value of white's pieces minus that of black's.
    type Cache = i32;

    const DRAW_VALUE: i32 = -60;

    /// The origin and destination of a move.
    const HISTORY_SIZE: usize = SQUARES * SQUARES;

    fn cache(&self) -> i32 {
        let placed = self.placed();
        placed.map(|(square, side, piece)| side.sign() * value(piece, square, side)).sum()
    }

    #[inline]
    fn update(&self, balance: &mut i32, mv: Move) {
        if let Some((side, piece)) = self.at(mv.from) {
            *balance += side.sign() * (value(piece, mv.to, side) - value(piece, mv.from, side));
        }
        if let Some((side, piece)) = self.at(mv.to) {
            *balance -= side.sign() * value(piece, mv.to, side);
        }
    }

    #[inline]
    fn key(&self, _: &i32) -> u64 {
        mixed(self.words().chain([self.side_to_move().index() as u64 + 1]))
    }

    fn static_evaluation(&self, balance: &i32) -> i32 {
        let side = self.side_to_move();
        let [own, other] = [side, side.other()].map(|side| threats(self, side));
        side.sign() * balance + THREAT * (other - own) + TEMPO
    }

    #[inline]
    fn history_index(mv: Move) -> usize {
        mv.from.index() * SQUARES + mv.to.index()
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        match self.at(mv.to) {
            Some((_, taken)) => CAPTURE + 16 * taken.material() - price_on(self, mv.from),
            None => 0,
        }
    }

    /// The captures that gain at first sight: the captured piece is worth more, or nothing recaptures. The best first.
    fn quiescence_captures(&self) -> impl Iterator<Item = Move> {
        let other = self.side_to_move().other();
        let mut captures = Vec::new();
        self.for_each_capture(|mv| {
            let [taking, taken] = [mv.from, mv.to].map(|square| price_on(self, square));
            if taken >= taking || self.attackers(Squares::of(mv.to), other).is_empty() {
                captures.push((16 * taken - taking, mv));
            }
        });
        captures.sort_unstable_by_key(|&(score, _)| std::cmp::Reverse(score));
        captures.into_iter().map(|(_, mv)| mv)
    }

    /// Babies never go back, and captured pieces never return.
    fn stage(&self) -> Option<u64> {
        let [black, white] = Side::BOTH.map(|side| {
            let babies = self.pieces_of(Piece::Baby, side).iter();
            let rows: u64 = babies.map(|baby| u64::from(rows_forward(baby, side))).sum();
            u64::from(self.pieces(side).count()) << 24 | rows
        });
        Some(black << 32 | white)
    }
}

fn price_on(position: &Heirs, square: Square) -> i32 {
    position.at(square).map_or(0, |(_, piece)| piece.material())
}

/// The number of enemy pieces that attack the Prince of `side` and the squares around it.
fn threats(position: &Heirs, side: Side) -> i32 {
    let near = position.pieces_of(Piece::Prince, side).with_neighbours();
    position.attackers(near, side.other()).count().cast_signed()
}

/// The value of a piece on its square.
const fn value(piece: Piece, square: Square, side: Side) -> i32 {
    let rows = rows_forward(square, side) as i32;
    let column = square.column() as i32;
    let from_edge = if column < 6 { column } else { 11 - column };
    let place = match piece {
        Piece::Prince => -15 * rows,
        Piece::Baby => 3 * rows + from_edge,
        Piece::Princess => 4 * rows + 2 * from_edge,
        Piece::Pony | Piece::Sibling | Piece::Tutor | Piece::Guard => 6 * rows + 3 * from_edge,
        // It never goes back: near the last row it has less to do.
        Piece::Scout => 2 * from_edge - rows * rows * 2,
    };
    piece.material() + place
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::builtin::reached;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn attackers_of_an_enemy_piece_are_those_that_can_capture_it(seed in any::<u64>(), plies in 0..200_u64) {
            let position = reached::<Heirs>((), seed, plies);
            let side = position.side_to_move();
            let mut captures = 0;
            for square in position.pieces(side.other()).iter() {
                let attackers = position.attackers(Squares::of(square), side);
                for mv in position.moves().into_iter().filter(|mv| mv.to == square) {
                    prop_assert!(attackers.contains(mv.from), "{mv}");
                    captures += 1;
                }
                let listed = position.moves().into_iter().filter(|mv| mv.to == square).count();
                prop_assert_eq!(attackers.count() as usize, listed);
            }
            let mut visited = 0;
            position.for_each_capture(|_| visited += 1);
            prop_assert_eq!(visited, captures);
        }

        #[test]
        fn captures_that_are_tried_are_legal_and_gain_at_first_sight(seed in any::<u64>(), plies in 0..200_u64) {
            let position = reached::<Heirs>((), seed, plies);
            for mv in position.quiescence_captures() {
                prop_assert!(position.is_legal(mv));
                prop_assert!(position.ordering_score(mv) >= CAPTURE - Piece::Prince.material());
            }
        }
    }
}
