//! A game that counts for nobody.

use crate::seat::SeatError;

/// A game that failed through our own fault: it counts for nobody, leaves no record, and is played again.
#[derive(Debug, thiserror::Error)]
#[error("the game is void: {reason}")]
pub struct Void {
    /// The reason.
    pub reason: String,
}

impl From<SeatError> for Void {
    fn from(error: SeatError) -> Self {
        Self {
            reason: error.to_string(),
        }
    }
}
