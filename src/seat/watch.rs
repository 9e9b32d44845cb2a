//! Watching one run: asleep until the program ends, the budget could be used up, the guard runs out, the limits are to
//! be looked at, or nobody waits for the answer any more.
//!
//! For: enforcement by CPU time. A tree of processes cannot use more than `processors` seconds of CPU time in a second,
//! so after a look at the meter nothing can be wrong before `(budget - used) / processors` has passed; then it is
//! looked at again. A sleeping agent is looked at ten times a second, a computing one is caught within a millisecond a
//! processor. Deliberately not here: killing.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;

use super::fault::HostError;
use super::gauge::Gauge;
use super::limiter::{Limiter, PERIOD};
use super::report::Exceeded;
use super::stderr::StderrPipe;
use crate::time::{CpuTime, WallTime};

/// The shortest sleep between two looks at the meter.
const SHORTEST_SLEEP: Duration = Duration::from_millis(1);

/// The longest one. A meter that cannot see everything sees more of it the more often it looks at what is alive.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);

/// Why the watch is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchEnd {
    /// The program has ended by itself.
    Ended,
    /// It has used more than it may.
    OutOfCpu,
    /// It has taken longer than it may.
    Guarded,
    /// It has passed a limit.
    Exceeded(Exceeded),
    /// The referee is gone.
    Abandoned,
}

/// What ends a run that does not end by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunBounds {
    pub(super) kill_after: CpuTime,
    pub(super) wall_limit: WallTime,
}

/// Everything that is looked at during a run.
pub(super) struct RunWatch<'a, 'w> {
    /// Readable when the program has ended.
    pub(super) ended: BorrowedFd<'a>,
    /// The line to the referee, on which nothing is said during a run.
    pub(super) referee: BorrowedFd<'a>,
    pub(super) stderr: &'a mut StderrPipe,
    pub(super) gauge: &'a mut Gauge,
    pub(super) limiter: &'a mut Limiter<'w>,
    /// How many processors the tree can use at a time.
    pub(super) processors: u32,
}

impl RunWatch<'_, '_> {
    /// Watches over a program that was started at `started` until there is something to be done.
    pub(super) fn keep(&mut self, bounds: RunBounds, started: Instant) -> Result<WatchEnd, HostError> {
        // A guard beyond the reach of the clock is no guard.
        let wall_limit = started.checked_add(bounds.wall_limit.to_duration());
        let mut look = started.checked_add(self.safe_for(bounds.kill_after));
        let mut limits = started + PERIOD;
        loop {
            let next = [wall_limit, look, Some(limits)].into_iter().flatten().min();
            if let Some(outcome) = self.sleep_until(next)? {
                return Ok(outcome);
            }
            let now = Instant::now();
            if wall_limit.is_some_and(|wall_limit| wall_limit <= now) {
                return Ok(WatchEnd::Guarded);
            }
            if look.is_some_and(|look| look <= now) {
                let used = self.gauge.so_far()?;
                if used >= bounds.kill_after {
                    return Ok(WatchEnd::OutOfCpu);
                }
                look = now.checked_add(self.safe_for(bounds.kill_after.saturating_sub(used)));
            }
            if limits <= now {
                if let Some(passed) = self.limiter.look() {
                    return Ok(WatchEnd::Exceeded(passed));
                }
                limits = Instant::now() + PERIOD;
            }
        }
    }

    /// How long it takes at least to use `rest`, or so little longer that it does not matter; less where that is long.
    fn safe_for(&self, rest: CpuTime) -> Duration {
        (rest.to_duration() / self.processors).clamp(SHORTEST_SLEEP, LONGEST_SLEEP)
    }

    /// Sleeps until something happens or the time has come; serves standard error.
    fn sleep_until(&mut self, next: Option<Instant>) -> Result<Option<WatchEnd>, HostError> {
        let timeout = next.map(|next| TimeSpec::from_duration(next.saturating_duration_since(Instant::now())));
        let readable = |fd| PollFd::new(fd, PollFlags::POLLIN);
        let mut all = [
            readable(self.ended),
            readable(self.referee),
            readable(self.stderr.as_fd()),
        ];
        let watched = if self.stderr.is_open() { 3 } else { 2 };
        match ppoll(&mut all[..watched], timeout, None) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(None),
            Err(errno) => return Err(HostError::when("wait for the program")(errno)),
        }
        let [ended, referee, stderr] = all.map(|fd| fd.any().unwrap_or(true));
        if stderr && watched == 3 {
            self.stderr.drain();
        }
        // A word from the referee in mid-run would be a breach of the protocol; it has none to say.
        Ok(match (ended, referee) {
            (true, _) => Some(WatchEnd::Ended),
            (false, true) => Some(WatchEnd::Abandoned),
            (false, false) => None,
        })
    }
}
