//! The worth of a Star-and-Circle position: the handout's evaluation with its usual row values.

use super::Evaluate;
use crate::games::Side;
use crate::games::star_circle::{RowValues, StarCircle};

impl Evaluate for StarCircle {
    fn evaluate(&self, side: Side) -> i32 {
        Self::evaluate(self, side, &RowValues::STANDARD)
    }
}
