//! The alpha-beta agent's view of Little-Go: stones, open room, and groups about to be captured. The search itself is
//! in `agents/builtin/alphabeta`.

use super::{LAST_TURN, LittleGo, Move, PointSet};
use crate::agents::builtin::{SearchNode, Searched, mixed};
use crate::games::{Position, Side};

/// Each half of a point.
const HALF: i32 = 50;
/// Each liberty of a group, up to a few.
const LIBERTY: i32 = 12;
/// Each stone of a group with one liberty left, if its enemy is to move; otherwise half of it.
const ATARI: i32 = 70;
/// An empty point bordered by only one side's stones.
const ROOM: i32 = 45;
/// A point made safe by all its neighbours.
const EYE: i32 = 40;

impl Searched for LittleGo {
    type Node = LittleGoNode;
}

/// A position without cached values.
#[derive(Clone, Debug)]
pub struct LittleGoNode(LittleGo);

impl SearchNode for LittleGoNode {
    type Position = LittleGo;

    /// Points and the pass.
    const SLOTS: usize = 31;

    fn enter(position: &LittleGo) -> Self {
        Self(position.clone())
    }

    #[inline]
    fn position(&self) -> &LittleGo {
        &self.0
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.0.play_unchecked(mv);
    }

    fn pass(&mut self) {
        self.0.pass();
    }

    #[inline]
    fn key(&self) -> u64 {
        let board = &self.0;
        let [black, white] = Side::BOTH.map(|side| board.stones(side).words()[0]);
        let state = u64::from(board.turns()) << 8 | u64::from(board.follows_a_pass()) << 1 | 1 << 4;
        let ko = board.ko().map_or(0, |point| point.index() as u64 + 1);
        mixed([
            black | white << 32,
            state | ko << 32,
            board.side_to_move().index() as u64,
        ])
    }

    fn evaluate(&self) -> i32 {
        let board = &self.0;
        let side = board.side_to_move();
        worth(board, side, side) - worth(board, side.other(), side)
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        match mv {
            Move::Place(point) => point.index(),
            Move::Pass => 30,
        }
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        match mv {
            Move::Pass => -(1 << 22),
            Move::Place(point) => {
                let captured = self.0.captures(point).count();
                let (row, column) = (i32::from(point.row()), i32::from(point.column()));
                let central = 4 - (row - 2).abs() - (column - 2).abs();
                let captured = i32::try_from(captured).unwrap_or(0);
                captured * (1 << 21) + central * 16
            }
        }
    }

    fn moves_left(&self) -> Option<u32> {
        Some(LAST_TURN.saturating_sub(self.0.turns()))
    }

    /// The game may be over only by the count of turns; then there is no move.
    fn may_be_over(&self) -> bool {
        false
    }
}

fn worth(board: &LittleGo, side: Side, to_move: Side) -> i32 {
    let (own, enemy) = (board.stones(side), board.stones(side.other()));
    let empty = board.empty();
    let room = (own.beside() & empty).without(enemy.beside());
    let eyes = eyes(own, empty);
    let mut worth = HALF * count_halves(board, side) + ROOM * count(room) + EYE * count(eyes);
    for group in own.groups() {
        let liberties = (group.beside() & empty).count();
        worth += LIBERTY * liberties.min(4).cast_signed();
        if liberties == 1 {
            let urgency = if side == to_move { 2 } else { 1 };
            worth -= ATARI * count(group) / urgency;
        }
    }
    worth
}

/// The empty points whose neighbours all belong to `own`.
fn eyes(own: PointSet, empty: PointSet) -> PointSet {
    empty.without((!own).beside())
}

fn count_halves(board: &LittleGo, side: Side) -> i32 {
    board.score(side).halves().cast_signed()
}

fn count(points: PointSet) -> i32 {
    points.count().cast_signed()
}
