//! The alpha-beta agent's view of Heirs: cached material and squares, and the safety of the Princes. The search itself
//! is in `agents/builtin/alphabeta`.

use super::evaluation::{price, rows_forward};
use super::{Heirs, Move, Piece, Square, Squares};
use crate::agents::builtin::{Plays, SearchNode, Searched, mixed};
use crate::games::{Position, Side};

/// A Prince, for comparing captured with capturing pieces.
const PRINCE: i32 = 20_000;
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
    type Node = HeirsNode;
}

/// A position with the cached value of all pieces.
#[derive(Clone, Debug)]
pub struct HeirsNode {
    position: Heirs,
    /// White's value minus black's.
    balance: i32,
}

impl SearchNode for HeirsNode {
    type Position = Heirs;

    const LEVEL: i32 = -60;

    /// The origin and destination of a move.
    const SLOTS: usize = SQUARES * SQUARES;

    fn enter(position: &Heirs) -> Self {
        let worths = position
            .placed()
            .map(|(square, side, piece)| signed(worth(piece, square, side), side));
        Self {
            balance: worths.sum(),
            position: position.clone(),
        }
    }

    #[inline]
    fn position(&self) -> &Heirs {
        &self.position
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        if let Some((side, piece)) = self.position.at(mv.from) {
            self.balance += signed(worth(piece, mv.to, side) - worth(piece, mv.from, side), side);
        }
        if let Some((side, piece)) = self.position.at(mv.to) {
            self.balance -= signed(worth(piece, mv.to, side), side);
        }
        self.position.play_unchecked(mv);
    }

    fn pass(&mut self) {
        self.position.pass();
    }

    #[inline]
    fn key(&self) -> u64 {
        let side = self.position.side_to_move().index() as u64;
        mixed(self.position.words().chain([side + 1]))
    }

    fn evaluate(&self) -> i32 {
        let side = self.position.side_to_move();
        let [own, other] = [side, side.other()].map(|side| threats(&self.position, side));
        signed(self.balance, side) + THREAT * (other - own) + TEMPO
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.from.index() * SQUARES + mv.to.index()
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        match self.position.at(mv.to) {
            Some((_, taken)) => CAPTURE + 16 * weight(taken) - self.weight_of(mv),
            None => 0,
        }
    }

    /// The captures that gain at first sight: the captured piece is worth more, or nothing recaptures. The best first.
    fn captures(&self) -> impl Iterator<Item = Move> {
        let other = self.position.side_to_move().other();
        let mut captures = Vec::new();
        self.position.for_each_capture(|mv| {
            let Some((_, taken)) = self.position.at(mv.to) else {
                return;
            };
            let (taken, taking) = (weight(taken), self.weight_of(mv));
            if taken >= taking || self.position.attackers(mv.to, other).is_empty() {
                captures.push((16 * taken - taking, mv));
            }
        });
        captures.sort_unstable_by_key(|&(score, _)| std::cmp::Reverse(score));
        captures.into_iter().map(|(_, mv)| mv)
    }

    /// Babies never go back, and captured pieces never return.
    fn stage(&self) -> Option<u64> {
        let pieces = Side::BOTH.map(|side| u64::from(self.position.pieces(side).count()));
        let [black, white] = Side::BOTH.map(|side| {
            let babies = self.position.pieces_of(Piece::Baby, side);
            babies
                .iter()
                .map(|baby| u64::from(rows_forward(baby, side)))
                .sum::<u64>()
        });
        Some(pieces[0] << 32 | pieces[1] << 24 | black << 12 | white)
    }
}

impl HeirsNode {
    fn weight_of(&self, mv: Move) -> i32 {
        self.position.at(mv.from).map_or(0, |(_, piece)| weight(piece))
    }
}

const fn signed(worth: i32, side: Side) -> i32 {
    match side {
        Side::White => worth,
        Side::Black => -worth,
    }
}

const fn weight(piece: Piece) -> i32 {
    match piece {
        Piece::Prince => PRINCE,
        other => price(other),
    }
}

/// The number of enemy pieces that attack the Prince of `side` and the squares around it.
fn threats(position: &Heirs, side: Side) -> i32 {
    let prince = position.pieces_of(Piece::Prince, side);
    let near = prince.with_neighbours();
    let looking = near
        .iter()
        .map(|square| position.attackers(square, side.other()))
        .fold(Squares::NONE, |all, found| all | found);
    looking.count().cast_signed()
}

/// The value of a piece on its square.
const fn worth(piece: Piece, square: Square, side: Side) -> i32 {
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
    price(piece) + place
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::evaluation::tests::reached;
    use super::*;
    use crate::agents::builtin::WORTH_LIMIT;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn what_a_node_keeps_up_to_date_is_what_it_begins_with(seed in any::<u64>(), plies in 0..200_u64) {
            let node = HeirsNode::enter(&reached(seed, plies));
            for mv in node.position().moves() {
                let mut next = node.clone();
                next.play(mv);
                let entered = HeirsNode::enter(next.position());
                prop_assert_eq!((next.balance, next.key()), (entered.balance, entered.key()));
                prop_assert_eq!(next.stage() != node.stage(), node.position().makes_progress(mv));
                prop_assert!(next.evaluate().abs() < WORTH_LIMIT);
                prop_assert_ne!(next.key(), node.key());
            }
        }

        #[test]
        fn attackers_of_an_enemy_piece_are_those_that_can_capture_it(seed in any::<u64>(), plies in 0..200_u64) {
            let position = reached(seed, plies);
            let side = position.side_to_move();
            let mut captures = 0;
            for square in position.pieces(side.other()).iter() {
                let attackers = position.attackers(square, side);
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
            let node = HeirsNode::enter(&reached(seed, plies));
            for mv in node.captures() {
                prop_assert!(node.position().is_legal(mv));
                prop_assert!(node.promise(mv) >= CAPTURE - PRINCE);
            }
        }
    }

    #[test]
    fn a_prince_that_can_be_captured_is_captured_at_once() {
        let rows = [
            "p...........",
            "............",
            "............",
            "X..b........",
            "............",
            "............",
            "............",
            "............",
            "............",
            "............",
            "............",
            "P...........",
        ];
        let position = Heirs::from_rows(&rows.map(str::as_bytes), Side::White, ()).unwrap();
        let first = HeirsNode::enter(&position).captures().next();
        assert_eq!(first.map(|mv| mv.to_string()).as_deref(), Some("a9 a12"));
    }
}
