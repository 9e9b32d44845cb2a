//! The static value of a Star-and-Circle position: the handout's evaluation with its standard row values. It searches
//! nothing; minimax uses it.

use super::{RowValues, StarCircle};
use crate::Side;
use crate::builtin::Evaluate;

impl Evaluate for StarCircle {
    fn evaluate(&self, side: Side) -> i32 {
        Self::evaluate(self, side, &RowValues::STANDARD)
    }
}
