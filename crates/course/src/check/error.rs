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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_void_names_who_failed() {
        let of_rules = CheckError::from(Void::of_rules("no answer"));
        assert_eq!(of_rules.to_string(), "the rules of the game have failed: no answer");
        let of_machine = CheckError::from(Void::new("no room"));
        assert_eq!(of_machine.to_string(), "cannot run agents on this machine: no room");
    }
}
