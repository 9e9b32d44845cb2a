//! The lines closed by a disk, which determine legal moves and flipped disks. Pure; the rules call it.
//!
//! All input and output sets must contain only squares of the board.

use crate::games::{BoardSquares, SquareBoard};

/// `self` are the disks of the side to move.
impl<B: SquareBoard, const WORDS: usize> BoardSquares<B, WORDS> {
    /// The empty squares on which a disk flips at least one disk of `opponent`.
    ///
    /// Processes all disks of a line at once. On each axis the owner's disks flow over the opponent's, first by one
    /// square, then by two at a time over pairs, far enough for the longest line; where a flow arrives on an empty
    /// square, a disk there closes the line.
    pub(super) fn legal_squares(self, opponent: Self) -> Self {
        let mut ends = Self::NONE;
        for step in axes::<B>() {
            let passable = opponent.passable(step);
            let pairs_on = passable & passable.moved_on(step);
            let pairs_back = pairs_on.moved_back(step);
            ends |= self.flow_end(passable, pairs_on, |set, times| set.moved_on(step * times));
            ends |= self.flow_end(passable, pairs_back, |set, times| set.moved_back(step * times));
        }
        ends & !(self | opponent)
    }

    /// The disks of `opponent` flipped by a disk on the single square of `placed`.
    ///
    /// Only eight lines matter here and most end at once, so each is walked square by square.
    pub(super) fn flipped(self, placed: Self, opponent: Self) -> Self {
        let mut flipped = Self::NONE;
        for step in axes::<B>() {
            let passable = opponent.passable(step);
            flipped |= self.closed_line(placed, passable, |set| set.moved_on(step));
            flipped |= self.closed_line(placed, passable, |set| set.moved_back(step));
        }
        flipped
    }

    /// The disks that a line along `step` can cross. In a set whose rows have no bits beyond the sides, a line along a
    /// row or diagonal that crosses an outer column would wrap around the board.
    #[inline]
    fn passable(self, step: u8) -> Self {
        if step == B::ROW || B::ROW > B::SIZE {
            self
        } else {
            self & const { Self::within(1..B::SIZE - 1, 0..B::SIZE) }
        }
    }

    /// The squares, occupied or not, on which the flow over `passable` arrives. `pairs` are the passable squares whose
    /// predecessor is passable too.
    #[inline]
    fn flow_end(self, passable: Self, pairs: Self, moved: impl Fn(Self, u8) -> Self) -> Self {
        let mut flow = passable & moved(self, 1);
        flow |= passable & moved(flow, 1);
        // Two squares are done; the ends of a line take two more.
        for _ in 0..(B::SIZE - 4) / 2 {
            flow |= pairs & moved(flow, 2);
        }
        moved(flow, 1)
    }

    /// The disks between `placed` and the first own disk, if nothing else is between them.
    #[inline]
    fn closed_line(self, placed: Self, passable: Self, moved: impl Fn(Self) -> Self) -> Self {
        let mut line = Self::NONE;
        let mut next = moved(placed);
        while next.meets(passable) {
            line |= next;
            next = moved(next);
        }
        if next.meets(self) { line } else { Self::NONE }
    }
}

/// The steps along a row, a column and the two diagonals.
fn axes<B: SquareBoard>() -> [u8; 4] {
    [1, B::ROW - 1, B::ROW, B::ROW + 1]
}
