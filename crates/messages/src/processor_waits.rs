//! How long runs waited for a processor, and when that is worth a warning. It reads no file; `cli` adds the runs up.

use referee_seat::Run;
use referee_time::WallTime;

/// Below this share of their time, in per cent, runs are not delayed enough to be told of: short programs on a machine
/// with one game per processor wait for the referee itself now and then.
const WORTH_TELLING_PERCENT: u64 = 25;

/// Less than this says nothing about the machine.
const LEAST: WallTime = WallTime::from_secs(1);

/// The sum over some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessorWaits {
    delayed: WallTime,
    wall: WallTime,
}

impl ProcessorWaits {
    /// Adds a run.
    pub fn add(&mut self, run: &Run) {
        self.delayed += run.delayed;
        self.wall += run.usage.wall;
    }

    /// A sentence with figures, if the machine was too busy.
    pub fn warning(&self) -> Option<String> {
        let percent = self.delayed.saturating_mul(100).micros().checked_div(self.wall.micros())?;
        (percent >= WORTH_TELLING_PERCENT && self.delayed >= LEAST).then(|| {
            format!(
                "the machine was too busy: programs waited for a processor in {percent} % of their time ({:.0} of \
                 {:.0} s); nobody loses by waiting, but CPU times vary more: end other programs, or use fewer `--jobs`",
                self.delayed.as_secs_f64(),
                self.wall.as_secs_f64()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_seat::Usage;

    fn warning(runs: &[(u64, u64)]) -> Option<String> {
        let mut waits = ProcessorWaits::default();
        for (delayed, wall) in runs {
            let usage = Usage { wall: WallTime::from_millis(*wall), ..Usage::default() };
            waits.add(&Run { delayed: WallTime::from_millis(*delayed), ..Run::wrote(Vec::new(), usage) });
        }
        waits.warning()
    }

    #[test]
    fn only_a_busy_machine_is_told_of() {
        for quiet in [[].as_slice(), &[(0, 60_000)], &[(240, 1000); 100], &[(900, 1000)]] {
            assert_eq!(warning(quiet), None, "{quiet:?}");
        }
        assert_eq!(
            warning(&[(36_000, 40_000), (0, 8_000)]).unwrap(),
            "the machine was too busy: programs waited for a processor in 75 % of their time (36 of 48 s); nobody \
             loses by waiting, but CPU times vary more: end other programs, or use fewer `--jobs`"
        );
    }
}
