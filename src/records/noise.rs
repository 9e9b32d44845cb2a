//! How far the CPU time of a game was a matter of chance.

use serde::{Deserialize, Serialize};

use crate::time::CpuTime;

/// The CPU time of a fixed workload at the beginning and at the end of a game, on the processor that the game had, if
/// it had one for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noise {
    /// Each time at the beginning.
    #[serde(rename = "before_cpu_us")]
    pub before: Vec<CpuTime>,
    /// Each time at the end.
    #[serde(rename = "after_cpu_us")]
    pub after: Vec<CpuTime>,
}

impl Noise {
    /// How many parts in a thousand the same work took longer at its worst than at its best, the quickest and the
    /// slowest time left aside: single ones are disturbed in ways that do not count in games of seconds.
    ///
    /// ```
    /// use referee::records::Noise;
    /// use referee::time::CpuTime;
    ///
    /// let noise = Noise {
    ///     before: [500, 400, 502].map(CpuTime::from_micros).into(),
    ///     after: [900, 510, 520].map(CpuTime::from_micros).into(),
    /// };
    /// assert_eq!(noise.parts_per_thousand(), 40);
    /// ```
    pub fn parts_per_thousand(&self) -> u64 {
        let mut times: Vec<u64> = self
            .before
            .iter()
            .chain(&self.after)
            .map(|time| time.micros())
            .collect();
        times.sort_unstable();
        match times.as_slice() {
            [_, best, .., worst, _] => (worst - best).saturating_mul(1000) / (*best).max(1),
            _ => 0,
        }
    }

    /// How much of `total` is a matter of chance.
    pub fn of(&self, total: CpuTime) -> CpuTime {
        CpuTime::from_micros(total.micros().saturating_mul(self.parts_per_thousand()) / 1000)
    }
}
