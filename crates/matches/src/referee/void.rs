//! A game that counts for nobody. Plain data: `play` makes it, and `tournament/attempts` decides whether to retry.

use referee_games::RulesUnavailable;
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
    /// This program, or what it was given.
    Host,
    /// A seat: this machine, or its processes, which an external signal may have ended.
    Seat,
    /// The rules program of the game, which may fail only at what an agent wrote.
    Rules,
    /// The rules program of the game, which fails at legal moves: any agent may play them.
    RulesAtLegalMoves,
}

impl VoidCause {
    /// Whether another attempt may succeed.
    pub const fn may_pass(self) -> bool {
        match self {
            Self::Host | Self::Seat | Self::Rules => true,
            Self::RulesAtLegalMoves => false,
        }
    }

    /// Whether an external signal may be the cause: it has ended a process without which no game can be played.
    pub(crate) const fn may_be_sent(self) -> bool {
        match self {
            Self::Seat | Self::Rules => true,
            // Rules started anew have failed in the same way.
            Self::Host | Self::RulesAtLegalMoves => false,
        }
    }

    /// Whose failure it is, as the run's count of voids keeps it.
    pub const fn blame(self) -> VoidBlame {
        match self {
            Self::Host | Self::Seat => VoidBlame::Machine,
            Self::Rules | Self::RulesAtLegalMoves => VoidBlame::Rules,
        }
    }
}

impl Void {
    /// A void through this program, or what it was given.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), cause: VoidCause::Host }
    }

    /// A void through the rules program of the game.
    pub fn of_rules(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), cause: VoidCause::Rules }
    }
}

impl From<RulesUnavailable> for Void {
    fn from(unavailable: RulesUnavailable) -> Self {
        match unavailable {
            RulesUnavailable::Machine(reason) => Self { reason, cause: VoidCause::Seat },
            RulesUnavailable::Program(reason) => Self::of_rules(reason),
        }
    }
}

impl From<SeatError> for Void {
    fn from(error: SeatError) -> Self {
        Self { reason: error.to_string(), cause: VoidCause::Seat }
    }
}
