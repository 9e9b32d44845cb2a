//! The lines closed by a disk, which determine legal moves and flipped disks. Pure; the rules call it.
//!
//! All input and output sets must contain only squares of the board.

#![expect(clippy::inline_always, reason = "as in `games::board`")]

use crate::{BoardSquares, SquareBoard};

/// `self` are the disks of the side to move.
impl<B: SquareBoard, const WORDS: usize> BoardSquares<B, WORDS> {
    /// The empty squares on which a disk flips at least one disk of `opponent`.
    ///
    /// Processes all disks of a line at once. On each axis the owner's disks flow over the opponent's, first by one
    /// square, then by two at a time over pairs, far enough for the longest line; where a flow arrives on an empty
    /// square, a disk there closes the line.
    pub(super) fn legal_squares(self, opponent: Self) -> Self {
        let ends = self.ends(opponent, 1)
            | self.ends(opponent, B::ROW - 1)
            | self.ends(opponent, B::ROW)
            | self.ends(opponent, B::ROW + 1);
        ends & !(self | opponent)
    }

    /// The disks of `opponent` flipped by a disk on the single square of `placed`.
    ///
    /// Only eight lines matter here and most end at once, so each is walked square by square.
    pub(super) fn flipped(self, placed: Self, opponent: Self) -> Self {
        self.closed_lines(placed, opponent, 1)
            | self.closed_lines(placed, opponent, B::ROW - 1)
            | self.closed_lines(placed, opponent, B::ROW)
            | self.closed_lines(placed, opponent, B::ROW + 1)
    }

    /// The squares on which the flows along the axis of `step` arrive, occupied or not.
    #[inline(always)]
    fn ends(self, opponent: Self, step: u8) -> Self {
        let (passable, on) = (opponent.passable(step), step.cast_signed());
        let pairs_on = passable & passable.moved(on);
        self.flow_end(passable, pairs_on, on) | self.flow_end(passable, pairs_on.moved(-on), -on)
    }

    /// The disks that a line along `step` can cross. In a set whose rows have no bits beyond the sides, a line along a
    /// row or diagonal that crosses an outer column would wrap around the board.
    #[inline(always)]
    fn passable(self, step: u8) -> Self {
        if step == B::ROW || B::ROW > B::SIZE {
            self
        } else {
            self & const { Self::within(1..B::SIZE - 1, 0..B::SIZE) }
        }
    }

    /// The squares, occupied or not, on which the flow over `passable` arrives. `pairs` are the passable squares whose
    /// predecessor is passable too.
    #[inline(always)]
    fn flow_end(self, passable: Self, pairs: Self, step: i8) -> Self {
        let mut flow = passable & self.moved(step);
        flow |= passable & flow.moved(step);
        // Two squares are done; the ends of a line take two more.
        for _ in 0..(B::SIZE - 4) / 2 {
            flow |= pairs & flow.moved(2 * step);
        }
        flow.moved(step)
    }

    /// The disks between `placed` and the first own disk, if nothing else is between them, on both ways along the axis
    /// of `step`.
    #[inline(always)]
    fn closed_lines(self, placed: Self, opponent: Self, step: u8) -> Self {
        let (passable, on) = (opponent.passable(step), step.cast_signed());
        self.closed_line(placed, passable, on) | self.closed_line(placed, passable, -on)
    }

    #[inline(always)]
    fn closed_line(self, placed: Self, passable: Self, step: i8) -> Self {
        let mut line = Self::NONE;
        let mut next = placed.moved(step);
        while next.meets(passable) {
            line |= next;
            next = next.moved(step);
        }
        if next.meets(self) { line } else { Self::NONE }
    }
}
