//! Why a check could not be made. Plain errors; every step of a check returns them, and `cli/check` shows them.

use referee_games::positions::PositionsError;
use referee_matches::referee::{Void, VoidCause};
use referee_seat::SeatError;
use referee_submissions::agents::AgentError;

/// Why a check failed through no fault of the submission.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The named path is no submission.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// This machine failed.
    #[error("cannot run agents on this machine: {0}")]
    Machine(String),
    /// The rules of a custom game failed.
    #[error("the rules of the game have failed: {0}")]
    Rules(String),
    /// There are not that many positions.
    #[error(transparent)]
    Positions(#[from] PositionsError),
}

impl From<SeatError> for CheckError {
    fn from(error: SeatError) -> Self {
        Self::Machine(error.to_string())
    }
}

impl From<Void> for CheckError {
    fn from(void: Void) -> Self {
        match void.cause {
            VoidCause::Host | VoidCause::Seat => Self::Machine(void.reason),
            VoidCause::Rules | VoidCause::RulesAtLegalMoves => Self::Rules(void.reason),
        }
    }
}
