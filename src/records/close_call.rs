//! Games whose result hangs on the way in which time is measured.

use serde::{Deserialize, Serialize};

use crate::games::Side;
use crate::seat::Charge;
use crate::time::CpuTime;

/// A reason to look at a result again before anybody's points depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum CloseCall {
    /// The result would be another one if the clocks charged the other kind of CPU time.
    OtherClock {
        /// The other kind.
        charge: Charge,
        /// What would have happened.
        otherwise: Otherwise,
    },
    /// The result was decided by less CPU time than the meter can tell apart.
    WithinUncertainty {
        /// The time that decided it.
        #[serde(rename = "margin_cpu_us")]
        margin: CpuTime,
        /// What the meter may be off by, all runs together, with what it has seen and nobody was charged with.
        #[serde(rename = "uncertainty_cpu_us")]
        uncertainty: CpuTime,
    },
    /// A draw was given to a side by less CPU time than the same work may take more or less on this machine.
    WithinNoise {
        /// The time that decided it.
        #[serde(rename = "margin_cpu_us")]
        margin: CpuTime,
        /// What of both sides' CPU time is a matter of chance, by what a fixed workload took during the game.
        #[serde(rename = "noise_cpu_us")]
        noise: CpuTime,
    },
}

impl CloseCall {
    /// Whether it is a draw that chance may have given to either side.
    pub const fn is_within_noise(&self) -> bool {
        matches!(self, Self::WithinNoise { .. })
    }
}

/// What would have happened under the other clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "then")]
pub enum Otherwise {
    /// The side that ran out of time would not have.
    GoesOn,
    /// This side would have run out of time, on this turn.
    OutOfTime {
        /// Who.
        loser: Side,
        /// The turn, from 1.
        turn: u32,
    },
    /// The answer to a question would have come too late.
    TooLate,
    /// The draw on the board would have been given to this side, or to nobody.
    DrawGoesTo {
        /// Who.
        winner: Option<Side>,
    },
}
