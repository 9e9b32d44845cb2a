//! Watches one run: sleeps until the program ends, the budget may be used up, the wall-clock limit may pass, a sample
//! is due, or the referee is gone.
//!
//! It enforces CPU time and kills nothing; the keeper calls it and kills. A process tree uses at most one second of CPU
//! time per second on each processor. So after a reading of the meter, the rest of the budget divided by the number of
//! processors is safe; then the meter is read again. A sleeping agent is checked ten times a second, a computing one is
//! caught within a millisecond per processor.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;

use super::end_notice::EndNotice;
use super::fault::HostError;
use super::limiter::{Limiter, PERIOD};
use super::ready_time::{ReadyTime, WaitEnd};
use super::report::Exceeded;
use super::stderr::StderrPipe;
use super::tree_meter::TreeMeter;
use referee_time::{CpuTime, WallTime};

/// The shortest sleep between two readings of the meter.
const SHORTEST_SLEEP: Duration = Duration::from_millis(1);

/// The longest one. A meter with blind spots sees more the more often it samples living processes.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);

/// Why the watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchEnd {
    /// The program exited.
    Ended,
    /// It exceeded its CPU time.
    OutOfCpu,
    /// It waited beyond its wall-clock limit.
    Guarded,
    /// The machine gave it too little of a processor for too long.
    Starved,
    /// It exceeded another limit.
    Exceeded(Exceeded),
    /// The referee is gone.
    Abandoned,
}

impl From<WaitEnd> for WatchEnd {
    fn from(end: WaitEnd) -> Self {
        match end {
            WaitEnd::Guarded => Self::Guarded,
            WaitEnd::Starved => Self::Starved,
        }
    }
}

/// The limits that end a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunBounds {
    pub(super) kill_after: CpuTime,
    pub(super) wall_limit: WallTime,
}

/// The sources that are checked during a run.
pub(super) struct RunWatch<'a, 'w> {
    pub(super) ended: &'a EndNotice,
    /// The channel to the referee, silent during a run.
    pub(super) referee: BorrowedFd<'a>,
    pub(super) stderr: &'a mut StderrPipe,
    pub(super) tree_meter: &'a mut TreeMeter,
    pub(super) limiter: &'a mut Limiter<'w>,
    pub(super) ready_time: &'a mut ReadyTime<'w>,
    /// How many processors the tree can use at once.
    pub(super) processors: u32,
}

impl RunWatch<'_, '_> {
    /// Watches a program started at `started` until the keeper must act.
    pub(super) fn keep(&mut self, bounds: RunBounds, started: Instant) -> Result<WatchEnd, HostError> {
        let mut look = started.checked_add(self.safe_for(bounds.kill_after));
        let mut limits = started + PERIOD;
        loop {
            // A time beyond the range of the clock never comes.
            let waits = self.ready_time.next_sample(bounds.wall_limit);
            let next = [waits, look, Some(limits)].into_iter().flatten().min();
            if let Some(outcome) = self.sleep_until(next)? {
                return Ok(outcome);
            }
            let now = Instant::now();
            if look.is_some_and(|look| look <= now) {
                let used = self.tree_meter.so_far()?;
                if used >= bounds.kill_after {
                    return Ok(WatchEnd::OutOfCpu);
                }
                look = now.checked_add(self.safe_for(bounds.kill_after.saturating_sub(used)));
            }
            let waits = waits.is_some_and(|waits| waits <= now);
            if limits <= now || waits {
                let (tree, passed) = self.limiter.look();
                if let Some(passed) = passed {
                    return Ok(WatchEnd::Exceeded(passed));
                }
                if waits && let Some(end) = self.ready_time.sample(tree.processes(), bounds.wall_limit) {
                    return Ok(end.into());
                }
                limits = Instant::now() + PERIOD;
            }
        }
    }

    /// A lower bound of the time to use up `rest`, rounded up slightly, and capped.
    fn safe_for(&self, rest: CpuTime) -> Duration {
        (rest.to_duration() / self.processors).clamp(SHORTEST_SLEEP, LONGEST_SLEEP)
    }

    /// Sleeps until an event or until `next`; reads standard error meanwhile.
    fn sleep_until(&mut self, next: Option<Instant>) -> Result<Option<WatchEnd>, HostError> {
        let timeout = next.map(|next| TimeSpec::from_duration(next.saturating_duration_since(Instant::now())));
        let readable = |fd| PollFd::new(fd, PollFlags::POLLIN);
        let mut all = [readable(self.ended.as_fd()), readable(self.referee), readable(self.stderr.as_fd())];
        match ppoll(&mut all, timeout, None) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(None),
            Err(errno) => return Err(HostError::when("wait for the program")(errno)),
        }
        let [ended, referee, stderr] = all.map(|fd| fd.any().unwrap_or(true));
        if stderr {
            self.stderr.drain();
        }
        let ended = ended && self.ended.has_come().map_err(HostError::when("wait for the program"))?;
        // A message from the referee during a run would violate the protocol.
        Ok(match (ended, referee) {
            (true, _) => Some(WatchEnd::Ended),
            (false, true) => Some(WatchEnd::Abandoned),
            (false, false) => None,
        })
    }
}
