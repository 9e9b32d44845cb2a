//! A fixed workload, timed: how much CPU time the same work takes now.
//!
//! Shows how noisy CPU times are. Other programs share caches and memory, and clock frequencies vary, so the same game
//! was charged 6.39 s in one run and 5.77 s in the next. It draws no conclusions for a result; `referee/close_calls`
//! does. Called at both ends of a game, and by the doctor.

use std::hint::black_box;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

use referee_time::CpuTime;

/// An array that fills the innermost cache of a processor: 32 KiB.
const WORDS: usize = 4096;

/// The number of passes over it, about half a millisecond.
const PASSES: usize = 64;

/// The calling thread, for `sched_setaffinity(2)`.
const THIS_PROCESS: Pid = Pid::from_raw(0);

/// Does the same work `times` times and returns the time of each: on `processor` if it is given and allowed, otherwise
/// wherever the system chooses. Each costs the calling thread about half a millisecond.
pub fn time_fixed_work(times: usize, processor: Option<usize>) -> Vec<CpuTime> {
    let _stays = processor.and_then(OneProcessor::on);
    let mut words: Vec<u64> = (0..WORDS as u64).collect();
    // The first pass fills the caches.
    work(&mut words);
    (0..times).filter_map(|_| time(|| work(&mut words))).collect()
}

fn work(words: &mut [u64]) {
    for _ in 0..PASSES {
        let mut last = 0;
        for word in &mut *words {
            last = (*word ^ last).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
            *word = last;
        }
    }
    black_box(words);
}

fn time(work: impl FnOnce()) -> Option<CpuTime> {
    let now = || clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(std::time::Duration::from);
    let begin = now().ok()?;
    work();
    Some(CpuTime::from_duration(now().ok()?.saturating_sub(begin)))
}

/// Pins this thread to one processor while it lives.
struct OneProcessor {
    before: CpuSet,
}

impl OneProcessor {
    fn on(processor: usize) -> Option<Self> {
        let before = sched_getaffinity(THIS_PROCESS).ok()?;
        let mut one = CpuSet::new();
        one.set(processor).ok()?;
        sched_setaffinity(THIS_PROCESS, &one).ok()?;
        Some(Self { before })
    }
}

impl Drop for OneProcessor {
    fn drop(&mut self) {
        // These were allowed a moment ago. If that has changed, the thread stays pinned.
        let _ = sched_setaffinity(THIS_PROCESS, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_timed_and_the_thread_is_free_again() {
        let before = sched_getaffinity(THIS_PROCESS).unwrap();
        let some = (0..CpuSet::count()).find(|&processor| before.is_set(processor) == Ok(true));
        let times = time_fixed_work(3, some);
        assert_eq!(times.len(), 3);
        assert!(times.iter().all(|time| *time > CpuTime::ZERO), "{times:?}");
        assert_eq!(sched_getaffinity(THIS_PROCESS).unwrap(), before);
    }
}
