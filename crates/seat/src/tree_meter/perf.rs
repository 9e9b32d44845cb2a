//! A task clock: a `perf_event_open(2)` counter that every descendant process inherits.
//!
//! It counts a process tree whether or not its processes wait for each other. It needs no privilege if
//! `kernel.perf_event_paranoid` is at most 2, works in user and PID namespaces, and can be read while the tree lives,
//! to the microsecond even for a running process. A program cannot turn it off: `PR_TASK_PERF_EVENTS_DISABLE` affects
//! only counters that the program made itself. It charges nothing; [`super::TreeMeter`] reads it.
//!
//! Its limits:
//! - The kernel detaches it from a process that executes an unreadable file, since nobody may learn anything about such
//!   a process. An agent can make such a file: a `memfd_create(2)` of mode 0111. Its time is still in the account of
//!   reaped processes; it vanishes only together with a parent that ignores SIGCHLD.
//! - It counts time on a virtual processor even while the hypervisor runs somebody else; the account of reaped
//!   processes does not. In a virtual machine this clock is therefore a witness, not a measure (`machine`).
//! - Since Linux 6.16 it stops at the start of a process's exit; before, it stopped after the memory was freed.

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};

use nix::errno::Errno;
use nix::unistd::Pid;

use super::super::fault::{HostError, in_words};
use super::super::system::{ClockTarget, start_counter, task_clock};
use super::Counter;
use referee_time::CpuTime;

/// This process, for `perf_event_open(2)`.
const THIS_PROCESS: Pid = Pid::from_raw(0);

/// The CPU time that a hypervisor may take, while this clock runs, to map a page that its guest touches for the first
/// time. A run of 1.0 s that only did this seemed to take a quarter of a second longer.
const FOR_A_FRESH_PAGE: CpuTime = CpuTime::from_micros(1);

/// Fresh memory explains at most a third of the known CPU time: a quarter was observed. Otherwise a program could hide
/// children behind memory, most of which is cheaper to touch than this allows.
const FRESH_MEMORY_AT_MOST: u64 = 3;

/// The counter, for one run after another.
pub(super) struct TaskClock {
    /// The kernel enables its bookkeeping with the first counter and disables it a second after the last; enabling it
    /// takes 10 ms or more. This counter keeps it enabled and counts nothing.
    _pilot_light: OwnedFd,
    clock: Option<File>,
}

impl TaskClock {
    /// The error says why no task clock is available.
    pub(super) fn open() -> Result<Self, String> {
        let pilot_light = task_clock(THIS_PROCESS, ClockTarget::Itself).map_err(why_not)?;
        Ok(Self { _pilot_light: pilot_light, clock: None })
    }

    fn clock(&mut self) -> Result<&mut File, HostError> {
        let nothing = || HostError::when("read the task clock")("nothing is being counted");
        self.clock.as_mut().ok_or_else(nothing)
    }
}

impl Counter for TaskClock {
    fn adopt(&mut self, launcher: Pid) -> Result<(), HostError> {
        let clock = task_clock(launcher, ClockTarget::WithDescendants).map_err(HostError::when("make a task clock"))?;
        self.clock = Some(File::from(clock));
        Ok(())
    }

    fn begin(&mut self) -> Result<(), HostError> {
        start_counter(self.clock()?.as_fd()).map_err(HostError::when("start the task clock"))
    }

    fn used(&mut self) -> Result<CpuTime, HostError> {
        let mut nanoseconds = [0; 8];
        let read = self.clock()?.read_exact(&mut nanoseconds);
        read.map_err(HostError::when("read the task clock"))?;
        Ok(CpuTime::from_micros(u64::from_ne_bytes(nanoseconds) / 1000))
    }

    fn not_its_own(&self, stolen: CpuTime, known: CpuTime, fresh_pages: u64) -> CpuTime {
        match stolen {
            CpuTime::ZERO => CpuTime::ZERO,
            stolen => stolen + for_fresh_memory(known, fresh_pages),
        }
    }
}

fn for_fresh_memory(known: CpuTime, pages: u64) -> CpuTime {
    let at_most = CpuTime::from_micros(known.micros() / FRESH_MEMORY_AT_MOST);
    FOR_A_FRESH_PAGE.saturating_mul(pages).min(at_most)
}

fn why_not(errno: Errno) -> String {
    let paranoia = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    refused(errno, paranoia.ok().and_then(|text| text.trim().parse().ok()))
}

/// The meaning of an error of `perf_event_open(2)` at this level of `kernel.perf_event_paranoid`.
fn refused(errno: Errno, paranoia: Option<i32>) -> String {
    match (errno, paranoia) {
        (Errno::EACCES | Errno::EPERM, Some(paranoia @ 3..)) => format!(
            "`kernel.perf_event_paranoid` is {paranoia}, expected at most 2; `sysctl kernel.perf_event_paranoid=2` as \
             root \
             permits it"
        ),
        (Errno::EACCES | Errno::EPERM, _) => {
            "`perf_event_open` is not permitted, as it is in containers that filter system calls".to_owned()
        }
        (Errno::ENOSYS | Errno::ENOENT, _) => "this kernel has no performance events".to_owned(),
        (other, _) => format!("`perf_event_open`: {}", in_words(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_memory_explains_a_microsecond_a_page_up_to_a_third_of_what_is_known() {
        let [known, most] = [300, 100].map(CpuTime::from_millis);
        for (pages, expected) in [(0, CpuTime::ZERO), (40_000, CpuTime::from_millis(40)), (100_001, most)] {
            assert_eq!(for_fresh_memory(known, pages), expected, "{pages}");
        }
        assert_eq!(for_fresh_memory(known, u64::MAX), most);
    }

    #[test]
    fn a_refusal_names_the_remedy_where_there_is_one() {
        let cases = [
            (
                Errno::EACCES,
                Some(4),
                "`kernel.perf_event_paranoid` is 4, expected at most 2; `sysctl kernel.perf_event_paranoid=2` as root \
                 permits it",
            ),
            (
                Errno::EPERM,
                Some(2),
                "`perf_event_open` is not permitted, as it is in containers that filter system calls",
            ),
            (Errno::ENOSYS, None, "this kernel has no performance events"),
            (Errno::EMFILE, Some(2), "`perf_event_open`: too many open files"),
        ];
        for (errno, paranoia, expected) in cases {
            assert_eq!(refused(errno, paranoia), expected);
        }
    }
}
