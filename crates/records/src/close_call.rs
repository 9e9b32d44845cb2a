//! Close calls: results that depend on how time is measured. Plain data; `referee` finds them, and all output
//! shows them.

use serde::{Deserialize, Serialize};

use referee_games::Side;
use referee_seat::Charge;
use referee_time::CpuTime;

/// A reason to review a result before points depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum CloseCall {
    /// The result would differ if the clocks charged the other kind of CPU time.
    OtherClock {
        /// The other kind.
        charge: Charge,
        /// The result under that kind.
        otherwise: OtherClockResult,
    },
    /// Less CPU time decided the result than the meter's uncertainty.
    WithinUncertainty {
        /// The deciding time.
        #[serde(rename = "margin_cpu_us")]
        margin: CpuTime,
        /// The meter's uncertainty over all runs, plus the time in doubt.
        #[serde(rename = "uncertainty_cpu_us")]
        uncertainty: CpuTime,
    },
    /// Less CPU time decided a draw than the noise of this machine.
    WithinNoise {
        /// The deciding time.
        #[serde(rename = "margin_cpu_us")]
        margin: CpuTime,
        /// The noise in both sides' CPU time, estimated from a fixed workload during the game.
        #[serde(rename = "noise_cpu_us")]
        noise: CpuTime,
    },
}

impl CloseCall {
    /// Whether noise may have decided a draw.
    pub const fn is_within_noise(&self) -> bool {
        matches!(self, Self::WithinNoise { .. })
    }
}

/// The result under the other clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "then")]
pub enum OtherClockResult {
    /// The side that ran out of time would have continued.
    GoesOn,
    /// This side would have run out of time, on this turn.
    OutOfTime {
        /// The side.
        loser: Side,
        /// The turn, from 1.
        turn: u32,
    },
    /// The answer to a question would have come too late.
    TooLate,
    /// The draw on the board would have been given to this side, or to nobody.
    DrawGoesTo {
        /// The side.
        winner: Option<Side>,
    },
}
