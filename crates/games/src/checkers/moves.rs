//! A move of checkers: a step or a whole chain of jumps, packed into eight bytes. Only the rules make moves.

use std::fmt;

use super::direction::Direction;
use super::square::Square;
use crate::Hop;
use crate::play::write_hops;

/// A step or a complete chain of jumps of one piece.
///
/// It contains the whole path: two chains that end on the same square, or capture the same pieces in another order, are
/// different moves. Only the rules make it, for a given position, so its path stays on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    origin: Square,
    /// 0 for a step.
    jumps: u8,
    /// The direction of each hop, two bits each, the first one lowest.
    path: u32,
}

impl Move {
    pub(super) const fn step(origin: Square, direction: Direction) -> Self {
        Self { origin, jumps: 0, path: direction as u32 }
    }

    /// A chain before its first jump.
    pub(super) const fn chain(origin: Square) -> Self {
        Self { origin, jumps: 0, path: 0 }
    }

    /// The chain with another jump.
    pub(super) const fn then_jump(self, direction: Direction) -> Self {
        Self { origin: self.origin, jumps: self.jumps + 1, path: self.path | (direction as u32) << (2 * self.jumps) }
    }

    /// The square of the piece before the move.
    pub const fn origin(self) -> Square {
        self.origin
    }

    /// The square of the piece after the move; a chain may end on its origin.
    pub const fn destination(self) -> Square {
        Square::of_bit(self.trace().0)
    }

    /// Whether the move captures.
    pub const fn is_jump(self) -> bool {
        self.jumps > 0
    }

    /// The number of captured pieces, 0 for a step.
    pub const fn captures(self) -> u32 {
        self.jumps as u32
    }

    /// The hops in order; one for a step.
    pub fn hops(self) -> impl Iterator<Item = Hop<Square>> {
        let mut at = self.origin;
        (0..self.jumps.max(1)).map(move |index| {
            let from = at;
            let next = self.direction(index).shift(from.bit());
            let landing = if self.is_jump() { self.direction(index).shift(next) } else { next };
            at = Square::of_bit(landing);
            Hop { from, to: at }
        })
    }

    /// The square where the piece lands, and the squares of captured pieces, as sets.
    pub(super) const fn trace(self) -> (u64, u64) {
        let mut at = self.origin.bit();
        if !self.is_jump() {
            return (self.direction(0).shift(at), 0);
        }
        let mut captured = 0;
        let mut index = 0;
        while index < self.jumps {
            let direction = self.direction(index);
            let over = direction.shift(at);
            captured |= over;
            at = direction.shift(over);
            index += 1;
        }
        (at, captured)
    }

    const fn direction(self, index: u8) -> Direction {
        Direction::ALL[(self.path >> (2 * index)) as usize % 4]
    }
}

/// As in `output.txt`, one line for each jump.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hops(f, if self.is_jump() { 'J' } else { 'E' }, self.hops())
    }
}
