//! One run of a program, or one turn of a living one: from its start, or from being let go on, to its end.
//!
//! It watches, ends and reports; the keeper says what is run, and `living` when a program lives on.

use std::os::fd::BorrowedFd;
use std::time::Instant;

use nix::fcntl::{OFlag, open};
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::dup2_stdout;

use super::{FULL, Keeper, STARVED};
use crate::Charge;
use crate::fault::HostError;
use crate::launcher::{Launcher, ProcessKind};
use crate::limiter::Limiter;
use crate::ready_time::{MainThread, ReadyTime};
use crate::reap::{Reaped, reap};
use crate::report::{Exceeded, Run, Termination, Usage};
use crate::system::{ChildStatus, limit_cpu};
use crate::tree_meter::{Account, CpuSplit};
use crate::verdict::verdict;
use crate::watch::{RunBounds, RunWatch, StopAt, WatchEnd};
use referee_time::{CpuTime, WallTime};

/// How many seconds after the watch the kernel's own CPU limit ends a program.
const BACKSTOP_SLACK_SECONDS: u64 = 2;

/// The process that becomes the program, or is it.
pub(super) struct RunningProgram {
    pub(super) launcher: Launcher,
    pub(super) main_thread: MainThread,
}

/// How a watch begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Go {
    /// With the start of the program.
    Start,
    /// With letting it go on.
    Thaw,
    /// It runs already.
    Still,
}

/// How a watch ended.
pub(super) struct Watched {
    pub(super) outcome: WatchEnd,
    pub(super) wall: WallTime,
    pub(super) delayed: WallTime,
    pub(super) disk_was_full: bool,
}

impl Watched {
    /// Of a program that was not watched.
    pub(super) const fn nothing(outcome: WatchEnd) -> Self {
        Self { outcome, wall: WallTime::ZERO, delayed: WallTime::ZERO, disk_was_full: false }
    }
}

/// The course of a run of any kind.
pub(super) struct RunCourse {
    /// Whether it was ended because the referee was gone.
    pub(super) is_abandoned: bool,
    /// The report, without what the program has left.
    pub(super) run: Run,
}

impl Keeper {
    /// The prepared process, at the beginning of its run.
    pub(super) fn take_prepared(&mut self) -> Result<RunningProgram, HostError> {
        let (Some(launcher), Some(main_thread)) = (self.launcher.take(), self.main_thread.take()) else {
            return Err(HostError::when("start the program")("nothing was prepared"));
        };
        self.kernel.begin()?;
        Ok(RunningProgram { launcher, main_thread })
    }

    /// Starts the program, or lets it go on, and waits until the keeper must act.
    pub(super) fn watch(
        &mut self,
        program: &mut RunningProgram,
        bounds: RunBounds,
        referee: Option<BorrowedFd<'_>>,
        go: Go,
    ) -> Result<Watched, HostError> {
        let RunningProgram { launcher, main_thread } = program;
        let backstop = self.backstop(bounds);
        let mut limiter = Limiter::new(self.context.limits, &self.workdir, self.context.room, self.kernel.parts().0);
        let mut ready_time = match go {
            Go::Start => ReadyTime::begin(main_thread, self.pressure.as_ref()),
            Go::Thaw | Go::Still => {
                ReadyTime::resume(main_thread, self.pressure.as_ref(), limiter.living().processes())
            }
        };
        if go == Go::Start {
            if let Some(seconds) = backstop {
                limit_cpu(launcher.pid, seconds).map_err(HostError::when("limit the program"))?;
            }
            self.tree_meter.begin(launcher.pid)?;
        }
        let begin = Instant::now();
        match (go, &self.freezer) {
            (Go::Start, _) => launcher.start()?,
            (Go::Thaw, Some(freezer)) => freezer.thaw()?,
            (Go::Thaw, None) | (Go::Still, _) => {}
        }
        if matches!(self.context.kind, ProcessKind::Service) {
            // As long as this process has the line open, nobody would notice the program's end.
            let null = open(c"/dev/null", OFlag::O_RDWR | OFlag::O_CLOEXEC, Mode::empty());
            null.and_then(|null| dup2_stdout(&null)).map_err(HostError::when("hand over the line to the program"))?;
        }
        let outcome = RunWatch {
            ended: &launcher.ended,
            referee,
            line: launcher.line.as_mut(),
            stderr: &mut launcher.stderr,
            tree_meter: &mut self.tree_meter,
            limiter: &mut limiter,
            ready_time: &mut ready_time,
            processors: self.processors,
        }
        .keep(bounds, begin)?;
        let wall = WallTime::from_duration(begin.elapsed());
        Ok(Watched { outcome, wall, delayed: ready_time.delayed(), disk_was_full: limiter.disk_was_full() })
    }

    /// Ends the program and all that it started, if they have not ended, and reports.
    pub(super) fn end(
        &mut self,
        RunningProgram { launcher, .. }: &mut RunningProgram,
        watched: Result<Watched, HostError>,
        bounds: RunBounds,
    ) -> Result<RunCourse, HostError> {
        let (memory_group, mut cap) = self.kernel.parts();
        // Nothing may stay alive, whatever happened.
        if !matches!(watched, Ok(Watched { outcome: WatchEnd::Ended, .. }))
            && let Some(cap) = &mut cap
        {
            cap.freeze();
        }
        let reaped = reap(launcher.pid, self.context.isolation_setup.level(), cap)?;
        let Watched { outcome, wall, delayed, disk_was_full } = watched?;
        if outcome == WatchEnd::Starved {
            return Err(HostError::starved(STARVED));
        }
        let Account { split, discrepancy, in_doubt } = self.tree_meter.total(reaped.peak_rss_bytes)?;
        self.workdir.unlock().map_err(HostError::when("look into the working directory"))?;
        let limiter = Limiter::new(self.context.limits, &self.workdir, self.context.room, memory_group);
        let passed = limiter.last_look(reaped.peak_rss_bytes);
        let is_answered = reaped.status == ChildStatus::Exited(0) && self.workdir.has_whole_answer();
        let is_blamed = passed.is_some() || matches!(outcome, WatchEnd::Exceeded(_));
        if (disk_was_full || limiter.disk_was_full()) && !is_answered && !is_blamed {
            return Err(HostError::when("give the program the room that it may use")(FULL));
        }
        self.kernel.expect_fed(outcome, reaped.status)?;
        let ended = match launcher.refusal(&self.command) {
            Some(error) => Termination::NotStarted { error },
            None => verdict(outcome, reaped.status, self.over(bounds, split), self.passed(reaped.status, passed)),
        };
        let run = Run {
            usage: usage(split, reaped, wall),
            discrepancy,
            in_doubt,
            delayed,
            survivors: survivors(outcome, reaped),
            stderr: launcher.stderr.take_text(),
            ..Run::not_begun(ended)
        };
        Ok(RunCourse { is_abandoned: outcome == WatchEnd::Abandoned, run })
    }

    /// The kernel's limit on the program's CPU time, in seconds; none for a living program, whose limit is one for each
    /// turn.
    fn backstop(&self, bounds: RunBounds) -> Option<u64> {
        match bounds.stop {
            StopAt::End => backstop(bounds.kill_after, self.charge),
            StopAt::Answer | StopAt::Rest => None,
        }
    }

    /// The exceeded limit: found by a sample, or reported by the kernel through a signal.
    fn passed(&self, status: ChildStatus, found: Option<Exceeded>) -> Option<Exceeded> {
        let by_signal = status == ChildStatus::Signalled(Signal::SIGXFSZ as i32);
        let limit_bytes = self.context.limits.file_bytes;
        found.or_else(|| by_signal.then_some(Exceeded::FileSize { limit_bytes }))
    }

    fn over(&self, bounds: RunBounds, split: CpuSplit) -> bool {
        usage_of(split).charged(self.charge) >= bounds.used_before + bounds.kill_after
    }
}

/// The kernel's limit covers only the sum of user and system time, so it does not apply if user time alone is charged.
fn backstop(kill_after: CpuTime, charge: Charge) -> Option<u64> {
    match charge {
        Charge::Cpu => Some(kill_after.micros().div_ceil(1_000_000) + BACKSTOP_SLACK_SECONDS),
        Charge::User => None,
    }
}

pub(super) fn usage_of(CpuSplit { user, system }: CpuSplit) -> Usage {
    Usage { user, system, ..Usage::default() }
}

fn usage(split: CpuSplit, reaped: Reaped, wall: WallTime) -> Usage {
    Usage { wall, peak_rss_bytes: reaped.peak_rss_bytes, ..usage_of(split) }
}

/// If the whole tree was killed, no process outlived the program.
fn survivors(outcome: WatchEnd, reaped: Reaped) -> u32 {
    match outcome {
        WatchEnd::Ended => reaped.killed,
        WatchEnd::Answered
        | WatchEnd::Closed
        | WatchEnd::Rested
        | WatchEnd::OutOfCpu
        | WatchEnd::Guarded
        | WatchEnd::Starved
        | WatchEnd::Exceeded(_)
        | WatchEnd::Abandoned => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_backstop_is_whole_seconds_and_later() {
        assert_eq!(backstop(CpuTime::from_millis(1500), Charge::Cpu), Some(4));
        assert_eq!(backstop(CpuTime::from_secs(10), Charge::Cpu), Some(12));
        assert_eq!(backstop(CpuTime::from_secs(10), Charge::User), None);
    }
}
