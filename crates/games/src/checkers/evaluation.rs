//! The static value of a checkers board for the minimax agent: material first, then what a shallow search cannot see.
//! It searches nothing.

use super::Checkers;
use crate::Side;
use crate::builtin::Evaluate;

pub(super) const MAN: i32 = 100;
pub(super) const KING: i32 = 150;

/// For each row behind a man: an advanced man is closer to its crown.
const ADVANCE: i32 = 3;

/// For each man on the back row: it prevents crowning.
const GUARD: i32 = 8;

/// For each king on the central squares, from which it reaches the most.
const CENTRAL_KING: i32 = 6;

/// Divided by the number of pieces, for each hundredth of a man of lead: the leader profits from exchanges.
const EXCHANGE: i32 = 2;

/// Columns `c` to `f` of rows 3 to 6.
pub(super) const CENTRE: u64 = 0x0000_3c3c_3c3c_0000;

impl Evaluate for Checkers {
    fn evaluate(&self, side: Side) -> i32 {
        let (own, other) = (material(self, side), material(self, side.other()));
        let exchange = (own - other) * EXCHANGE / count(self.own() | self.enemy()).max(1);
        own - other + exchange + placement(self, side) - placement(self, side.other())
    }
}

pub(super) fn material(board: &Checkers, side: Side) -> i32 {
    MAN * count(board.men(side)) + KING * count(board.kings(side))
}

fn placement(board: &Checkers, side: Side) -> i32 {
    let men = board.men(side);
    // A row number has three bits, so three counts give the sum over all rows.
    let [ones, twos, fours] = ROW_BITS.map(|rows| count(men & seen_by(side, rows)));
    let rows_behind = ones + 2 * twos + 4 * fours;
    ADVANCE * rows_behind + GUARD * count(men & seen_by(side, 0xff)) + CENTRAL_KING * count(board.kings(side) & CENTRE)
}

/// The squares of the rows, counted from 0 at the bottom, whose number has the first, the second, the third bit.
const ROW_BITS: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];

/// Rows counted from the back row of `side`; white's is at the bottom.
const fn seen_by(side: Side, rows: u64) -> u64 {
    match side {
        Side::Black => rows.swap_bytes(),
        Side::White => rows,
    }
}

pub(super) fn count(squares: u64) -> i32 {
    squares.count_ones().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::drawn;

    #[test]
    fn each_thing_of_worth_counts() {
        let board = |rows: &[&str]| drawn::<Checkers>(rows, Side::Black);
        let empty = "........";
        let plain = board(&[empty, empty, ".b.....b", empty, empty, "w.....w.", empty, empty]);
        let fewer = board(&[empty, empty, ".b......", empty, empty, "w.....w.", empty, empty]);
        let king = board(&[empty, empty, ".b.....B", empty, empty, "w.....w.", empty, empty]);
        let closer = board(&[empty, empty, ".b......", "......b.", empty, "w.....w.", empty, empty]);
        let value = |position: &Checkers| position.evaluate(Side::Black);
        assert_eq!(value(&plain), 0);
        assert!(value(&fewer) < -MAN, "a man less, and white gains by exchanges");
        assert!(value(&closer) > 0);
        assert!(value(&king) > value(&closer));
    }
}
