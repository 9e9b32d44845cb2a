//! The static value of a Little-Go position: the current score, and liberties. It searches nothing; minimax uses it.
//!
//! Deliberately rough: a program that searches deeper or knows more should beat the reference agents.

use super::LittleGo;
use crate::Side;
use crate::builtin::Evaluate;

/// Each half of a point.
const HALF: i32 = 10;
/// Each liberty of a side's stones.
const LIBERTY: i32 = 4;

impl Evaluate for LittleGo {
    fn evaluate(&self, side: Side) -> i32 {
        value(self, side) - value(self, side.other())
    }
}

fn value(position: &LittleGo, side: Side) -> i32 {
    let liberties = position.stones(side).beside() & position.empty();
    HALF * position.score(side).halves().cast_signed() + LIBERTY * liberties.count().cast_signed()
}
