//! The alpha-beta agent's view of Little-Go: stones, open room, and groups about to be captured. The search itself is
//! in `agents/builtin/alphabeta`.

use super::{LAST_TURN, LittleGo, Move, PointSet};
use crate::builtin::{Searched, mixed};
use crate::{Position, Side};

/// Each half of a point.
const HALF: i32 = 50;
/// Each liberty of a group, up to a few.
const LIBERTY: i32 = 12;
/// Each stone of a group with one liberty left, if its enemy is to move; otherwise half of it.
const ATARI: i32 = 70;
/// An empty point bordered by only one side's stones.
const TERRITORY: i32 = 45;
/// A point made safe by all its neighbours.
const EYE: i32 = 40;

impl Searched for LittleGo {
    type Cache = ();

    /// Points and the pass.
    const HISTORY_SIZE: usize = 31;

    fn cache(&self) {}

    #[inline]
    fn key(&self, (): &()) -> u64 {
        let [black, white] = Side::BOTH.map(|side| self.stones(side).words()[0]);
        let state = u64::from(self.turns()) << 8 | u64::from(self.follows_a_pass()) << 1 | 1 << 4;
        let ko = self.ko().map_or(0, |point| point.index() as u64 + 1);
        let side = self.side_to_move().index() as u64;
        mixed([black | white << 32, state | ko << 32, side])
    }

    fn static_evaluation(&self, (): &()) -> i32 {
        let side = self.side_to_move();
        value(self, side, side) - value(self, side.other(), side)
    }

    #[inline]
    fn history_index(mv: Move) -> usize {
        match mv {
            Move::Place(point) => point.index(),
            Move::Pass => 30,
        }
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        match mv {
            Move::Pass => -(1 << 22),
            Move::Place(point) => {
                let captured = self.captures(point).count().cast_signed();
                let (row, column) = (i32::from(point.row()), i32::from(point.column()));
                let central = 4 - (row - 2).abs() - (column - 2).abs();
                captured * (1 << 21) + central * 16
            }
        }
    }

    fn moves_left(&self) -> Option<u32> {
        Some(LAST_TURN.saturating_sub(self.turns()))
    }
}

fn value(board: &LittleGo, side: Side, to_move: Side) -> i32 {
    let (own, enemy) = (board.stones(side), board.stones(side.other()));
    let empty = board.empty();
    let room = (own.beside() & empty).without(enemy.beside());
    let eyes = empty.without((!own).beside());
    let halves = board.score(side).halves().cast_signed();
    let mut value = HALF * halves + TERRITORY * count(room) + EYE * count(eyes);
    for group in own.groups() {
        let liberties = (group.beside() & empty).count();
        value += LIBERTY * liberties.min(4).cast_signed();
        if liberties == 1 {
            let urgency = if side == to_move { 2 } else { 1 };
            value -= ATARI * count(group) / urgency;
        }
    }
    value
}

fn count(points: PointSet) -> i32 {
    points.count().cast_signed()
}
