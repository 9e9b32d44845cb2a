//! The lines closed by a disk, which determine legal moves and flipped disks. Pure; the rules call it.
//!
//! All input and output sets must contain only squares of the board.

use super::SquareSet;

/// The empty squares on which a disk of `own`'s owner flips at least one disk of `opponent`.
///
/// Processes all disks of a line at once. On each axis the owner's disks flow over the opponent's, first by one square,
/// then by two at a time over pairs, far enough for the longest line; where a flow arrives on an empty square, a disk
/// there closes the line.
pub(super) fn legal_squares<S: SquareSet>(own: S, opponent: S) -> S {
    let mut ends = S::EMPTY;
    for step in axes::<S>() {
        let passable = passable(opponent, step);
        let pairs_on = passable & passable.moved_on(step);
        let pairs_back = pairs_on.moved_back(step);
        ends |= flow_end(own, passable, pairs_on, |set, times| set.moved_on(step * times));
        ends |= flow_end(own, passable, pairs_back, |set, times| set.moved_back(step * times));
    }
    ends & S::BOARD.without(own | opponent)
}

/// The disks of `opponent` flipped by a disk of `own`'s owner on the single square of `placed`.
///
/// Only eight lines matter here and most end at once, so each is walked square by square.
pub(super) fn flipped<S: SquareSet>(placed: S, own: S, opponent: S) -> S {
    let mut flipped = S::EMPTY;
    for step in axes::<S>() {
        let passable = passable(opponent, step);
        flipped |= closed_line(placed, own, passable, |set| set.moved_on(step));
        flipped |= closed_line(placed, own, passable, |set| set.moved_back(step));
    }
    flipped
}

/// The steps along a row, a column and the two diagonals.
fn axes<S: SquareSet>() -> [u8; 4] {
    [1, S::ROW - 1, S::ROW, S::ROW + 1]
}

/// The disks that a line along `step` can cross.
#[inline]
fn passable<S: SquareSet>(opponent: S, step: u8) -> S {
    if step == S::ROW { opponent } else { opponent & S::INSIDE }
}

/// The squares, occupied or not, on which the flow from `own` over `passable` arrives. `pairs` are the passable squares
/// whose predecessor is passable too.
#[inline]
fn flow_end<S: SquareSet>(own: S, passable: S, pairs: S, moved: impl Fn(S, u8) -> S) -> S {
    let mut flow = passable & moved(own, 1);
    flow |= passable & moved(flow, 1);
    // Two squares are done; the ends of a line take two more.
    for _ in 0..(S::SIZE - 4) / 2 {
        flow |= pairs & moved(flow, 2);
    }
    moved(flow, 1)
}

/// The disks between `placed` and the first disk of its owner, if nothing else is between them.
#[inline]
fn closed_line<S: SquareSet>(placed: S, own: S, passable: S, moved: impl Fn(S) -> S) -> S {
    let mut line = S::EMPTY;
    let mut next = moved(placed);
    while next.meets(passable) {
        line |= next;
        next = moved(next);
    }
    if next.meets(own) { line } else { S::EMPTY }
}
