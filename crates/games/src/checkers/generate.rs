//! Generates the legal moves of checkers. It judges no claims (`judge`); [`super::Checkers`] calls it.

use super::Square;
use super::direction::Direction;
use super::{Checkers, Move};
use crate::Side;

/// The row on which men of `side` are crowned.
pub(super) const fn crowning_row(side: Side) -> u64 {
    match side {
        Side::Black => 0x0000_0000_0000_00ff,
        Side::White => 0xff00_0000_0000_0000,
    }
}

impl Checkers {
    pub(super) fn visit_moves(&self, mut visit: impl FnMut(Move)) {
        let jumpers = self.jumpers();
        if jumpers == 0 {
            for &direction in &Direction::ALL {
                Square::of_bits(self.pieces_with_steps(direction))
                    .for_each(|origin| visit(Move::step(origin, direction)));
            }
        } else {
            Square::of_bits(jumpers)
                .for_each(|origin| Chain::start(self, origin).complete(Move::chain(origin), &mut visit));
        }
    }

    pub(super) fn number_of_moves(&self) -> u64 {
        let jumpers = self.jumpers();
        if jumpers == 0 {
            let count = |&direction| u64::from(self.pieces_with_steps(direction).count_ones());
            return Direction::ALL.iter().map(count).sum();
        }
        Square::of_bits(jumpers).map(|origin| Chain::start(self, origin).completions()).sum()
    }

    pub(super) fn can_move(&self) -> bool {
        // Steps first: almost every position has one, and they are cheaper to find.
        let mut directions = Direction::ALL.iter();
        directions.any(|&direction| self.pieces_with_steps(direction) != 0) || self.jumpers() != 0
    }

    /// The pieces of the side to move that can capture.
    #[inline]
    pub(super) fn jumpers(&self) -> u64 {
        let (enemy, empty) = (self.enemy(), self.empty());
        Direction::ALL.iter().fold(0, |jumpers, &direction| {
            let back = direction.opposite();
            jumpers | (self.movable(direction) & back.shift(enemy & back.shift(empty)))
        })
    }

    #[inline]
    fn pieces_with_steps(&self, direction: Direction) -> u64 {
        self.movable(direction) & direction.opposite().shift(self.empty())
    }

    /// The pieces of the side to move that may move in `direction`.
    #[inline]
    fn movable(&self, direction: Direction) -> u64 {
        let men = if direction.is_forward(self.side) { u64::MAX } else { 0 };
        self.own() & (self.kings | men)
    }
}

/// A piece during its chain of jumps, with the current board: captured pieces are removed, and the origin is empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// The square of the piece.
    pub(super) at: u64,
    /// The remaining enemies.
    pub(super) enemy: u64,
    /// The dark squares without a piece, other than `at`.
    pub(super) empty: u64,
    /// The side of a man; `None` for a king.
    man_of: Option<Side>,
}

impl Chain {
    /// The piece of the side to move on `origin`, before its first jump.
    pub(super) fn start(position: &Checkers, origin: Square) -> Self {
        let at = origin.bit();
        Self {
            at,
            enemy: position.enemy(),
            empty: position.empty() | at,
            man_of: (position.kings & at == 0).then_some(position.side),
        }
    }

    /// Whether the piece is a man crowned in this chain, which ends it.
    #[inline]
    pub(super) fn is_crowned(&self) -> bool {
        self.man_of.is_some_and(|side| self.at & crowning_row(side) != 0)
    }

    #[inline]
    pub(super) fn can_go(&self, direction: Direction) -> bool {
        self.man_of.is_none_or(|side| direction.is_forward(side))
    }

    /// The chain after a jump in `direction`, if there is a piece to capture and a square to land on.
    pub(super) const fn jump(self, direction: Direction) -> Option<Self> {
        let over = direction.shift(self.at) & self.enemy;
        let landing = direction.shift(over) & self.empty;
        if landing == 0 {
            return None;
        }
        Some(Self { at: landing, enemy: self.enemy ^ over, empty: self.empty | over, ..self })
    }

    /// All possible next jumps. None after crowning: nothing is ahead of a man on its far row.
    #[inline]
    pub(super) fn next_jumps(self) -> impl Iterator<Item = (Direction, Self)> {
        Direction::ALL
            .iter()
            .filter(move |&&direction| self.can_go(direction))
            .filter_map(move |&direction| Some((direction, self.jump(direction)?)))
    }

    /// The number of complete chains that continue this one.
    fn completions(self) -> u64 {
        let count: u64 = self.next_jumps().map(|(_, next)| next.completions()).sum();
        count.max(1)
    }

    /// Visits every complete chain that continues `so_far`.
    fn complete(self, so_far: Move, visit: &mut impl FnMut(Move)) {
        let mut is_complete = true;
        for (direction, next) in self.next_jumps() {
            is_complete = false;
            next.complete(so_far.then_jump(direction), visit);
        }
        if is_complete {
            visit(so_far);
        }
    }
}
