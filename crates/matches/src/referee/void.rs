//! A game that counts for nobody. Plain data: `play` makes it, and `tournament/attempts` decides whether to retry.

use referee_records::VoidBlame;
use referee_seat::SeatError;

/// A game that failed through our own fault: it counts for nobody, leaves no record, and is played again.
#[derive(Debug, thiserror::Error)]
#[error("the game is void: {reason}")]
pub struct Void {
    /// The reason.
    pub reason: String,
    /// What failed.
    pub cause: VoidCause,
}

/// What made a game void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoidCause {
    /// This machine, or this program.
    Host,
    /// The rules program of the game, which may fail only at what an agent wrote.
    Rules,
    /// The rules program of the game, which fails at legal moves: any agent may play them.
    RulesAtLegalMoves,
}

impl VoidCause {
    /// Whether another attempt may succeed.
    pub const fn may_pass(self) -> bool {
        match self {
            Self::Host | Self::Rules => true,
            Self::RulesAtLegalMoves => false,
        }
    }

    /// Whose failure it is, as the run's count of voids keeps it.
    pub const fn blame(self) -> VoidBlame {
        match self {
            Self::Host => VoidBlame::Machine,
            Self::Rules | Self::RulesAtLegalMoves => VoidBlame::Rules,
        }
    }
}

impl Void {
    /// A void through this machine, or this program.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), cause: VoidCause::Host }
    }

    /// A void through the rules program of the game.
    pub fn of_rules(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), cause: VoidCause::Rules }
    }
}

impl From<SeatError> for Void {
    fn from(error: SeatError) -> Self {
        Self::new(error.to_string())
    }
}
