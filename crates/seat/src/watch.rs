//! Watches one run, or one turn of a living program: sleeps until the program ends or answers, the budget may be used
//! up, the wall-clock limit may pass, a sample is due, or the referee is gone.
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
use super::line::{AgentLine, LineEvent};
use super::ready_time::{ReadyTime, WaitEnd, are_at_rest};
use super::report::Exceeded;
use super::stderr::StderrPipe;
use super::tree_meter::TreeMeter;
use referee_time::{CpuTime, WallTime};

/// The shortest sleep between two readings of the meter.
const SHORTEST_SLEEP: Duration = Duration::from_millis(1);

/// The longest one. A meter with blind spots sees more the more often it samples living processes.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);

/// How many samples of its limits, a second in all, a program has to end after it closed its standard output: an exit
/// closes it, too, and says more.
const SAMPLES_AFTER_CLOSING: u32 = 50;

/// Why the watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchEnd {
    /// The program exited.
    Ended,
    /// It answered, and lives on.
    Answered,
    /// It closed its standard output without an answer, and lives on.
    Closed,
    /// It waits: for its first question, if it does not wait for something else.
    Rested,
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

/// The limits that end a run, or a turn of a living program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunBounds {
    /// What it has used before.
    pub(super) used_before: CpuTime,
    /// How much it may use beyond that.
    pub(super) kill_after: CpuTime,
    pub(super) wall_limit: WallTime,
    pub(super) stop: StopAt,
}

impl RunBounds {
    /// Those of a whole run.
    pub(super) const fn of_run(kill_after: CpuTime, wall_limit: WallTime) -> Self {
        Self { used_before: CpuTime::ZERO, kill_after, wall_limit, stop: StopAt::End }
    }
}

/// What else ends the watch of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopAt {
    /// Its end alone.
    End,
    /// An answer.
    Answer,
    /// An answer, or that it waits.
    Rest,
}

/// The sources that are checked during a run.
pub(super) struct RunWatch<'a, 'w> {
    pub(super) ended: &'a EndNotice,
    /// The channel to the referee, silent during a run; `None` if it does not matter that the referee is gone.
    pub(super) referee: Option<BorrowedFd<'a>>,
    /// The line to a living program.
    pub(super) line: Option<&'a mut AgentLine>,
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
        let kill_at = bounds.used_before + bounds.kill_after;
        let mut look = started.checked_add(self.safe_for(bounds.kill_after));
        let mut limits = started + PERIOD;
        let mut used_at_rest = None;
        let mut samples_after_closing = 0;
        loop {
            // A time beyond the range of the clock never comes.
            let waits = self.ready_time.next_sample(bounds.wall_limit);
            let next = [waits, look, Some(limits)].into_iter().flatten().min();
            if let Some(outcome) = self.sleep_until(next, bounds.stop)? {
                return Ok(outcome);
            }
            let now = Instant::now();
            if look.is_some_and(|look| look <= now) {
                let used = self.tree_meter.so_far()?;
                if used >= kill_at {
                    return Ok(WatchEnd::OutOfCpu);
                }
                look = now.checked_add(self.safe_for(kill_at.saturating_sub(used)));
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
                if bounds.stop == StopAt::Answer && self.line.as_deref().is_some_and(AgentLine::is_closed) {
                    samples_after_closing += 1;
                    if samples_after_closing == SAMPLES_AFTER_CLOSING {
                        return Ok(WatchEnd::Closed);
                    }
                }
                if bounds.stop == StopAt::Rest {
                    let before = used_at_rest.take();
                    if are_at_rest(tree.processes()) {
                        used_at_rest = Some(self.tree_meter.so_far()?);
                    }
                    // Between two looks at which all wait, something may have run.
                    if before.is_some() && before == used_at_rest {
                        return Ok(WatchEnd::Rested);
                    }
                }
                limits = Instant::now() + PERIOD;
            }
        }
    }

    /// A lower bound of the time to use up `rest`, rounded up slightly, and capped.
    fn safe_for(&self, rest: CpuTime) -> Duration {
        (rest.to_duration() / self.processors).clamp(SHORTEST_SLEEP, LONGEST_SLEEP)
    }

    /// Sleeps until an event or until `next`; reads standard error, and writes and reads the line, meanwhile.
    fn sleep_until(&mut self, next: Option<Instant>, stop: StopAt) -> Result<Option<WatchEnd>, HostError> {
        let timeout = next.map(|next| TimeSpec::from_duration(next.saturating_duration_since(Instant::now())));
        // A descriptor that is not there is represented by one that is waited for anyway.
        let ended = self.ended.as_fd();
        let line = self.line.as_deref();
        let wanted = [
            (ended, PollFlags::POLLIN),
            (self.referee.unwrap_or(ended), PollFlags::POLLIN),
            (self.stderr.as_fd(), PollFlags::POLLIN),
            (line.and_then(AgentLine::wants_to_read).unwrap_or(ended), PollFlags::POLLIN),
            (line.and_then(AgentLine::wants_to_write).unwrap_or(ended), PollFlags::POLLOUT),
        ];
        let mut all = wanted.map(|(fd, events)| PollFd::new(fd, events));
        let polled = if self.line.is_some() { &mut all[..] } else { &mut all[..3] };
        match ppoll(polled, timeout, None) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(None),
            Err(errno) => return Err(HostError::when("wait for the program")(errno)),
        }
        let [ended, referee, stderr, readable, writable] = all.map(|fd| fd.any().unwrap_or(true));
        if stderr {
            self.stderr.drain();
        }
        if let Some(end) = self.use_line(readable, writable, stop) {
            return Ok(Some(end));
        }
        let ended = ended && self.ended.has_come().map_err(HostError::when("wait for the program"))?;
        // A message from the referee during a run would violate the protocol.
        Ok(match (ended, referee && self.referee.is_some()) {
            (true, _) => Some(WatchEnd::Ended),
            (false, true) => Some(WatchEnd::Abandoned),
            (false, false) => None,
        })
    }

    /// Reads and writes what can be at this moment.
    fn use_line(&mut self, readable: bool, writable: bool, stop: StopAt) -> Option<WatchEnd> {
        let line = self.line.as_deref_mut()?;
        if writable {
            line.write();
        }
        match if readable { line.read() } else { LineEvent::Nothing } {
            LineEvent::Answered if stop != StopAt::End => Some(WatchEnd::Answered),
            LineEvent::TooLong => Some(WatchEnd::Exceeded(self.limiter.answer_size())),
            LineEvent::Answered | LineEvent::Nothing => None,
        }
    }
}
