//! The noise in a game's CPU time. Plain data with its arithmetic; a game measures it, and close calls use it.

use serde::{Deserialize, Serialize};

use referee_time::CpuTime;

/// The CPU times of a fixed workload at both ends of a game, on the game's own processor if it has one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineNoise {
    /// The times at the beginning.
    #[serde(rename = "before_cpu_us")]
    pub before: Vec<CpuTime>,
    /// The times at the end.
    #[serde(rename = "after_cpu_us")]
    pub after: Vec<CpuTime>,
}

impl MachineNoise {
    /// The slowdown of the same work from its best to its worst time, in parts per thousand, without the fastest and
    /// the slowest time: single outliers do not matter in games of seconds.
    ///
    /// ```
    /// use referee_records::MachineNoise;
    /// use referee_time::CpuTime;
    ///
    /// let noise = MachineNoise {
    ///     before: [500, 400, 502].map(CpuTime::from_micros).into(),
    ///     after: [900, 510, 520].map(CpuTime::from_micros).into(),
    /// };
    /// assert_eq!(noise.parts_per_thousand(), 40);
    /// ```
    pub fn parts_per_thousand(&self) -> u64 {
        let mut times: Vec<u64> = self.before.iter().chain(&self.after).map(|time| time.micros()).collect();
        times.sort_unstable();
        match times.as_slice() {
            [_, best, .., worst, _] => (worst - best).saturating_mul(1000) / (*best).max(1),
            _ => 0,
        }
    }

    /// The noise in a measurement of `total`.
    pub fn noise_in(&self, total: CpuTime) -> CpuTime {
        CpuTime::from_micros(total.micros().saturating_mul(self.parts_per_thousand()) / 1000)
    }
}
