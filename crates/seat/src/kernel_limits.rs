//! What the kernel limits for a seat's programs as a whole: their memory and their number, each by a control group
//! where one can be made.
//!
//! Without a group, `limiter` alone limits, by samples. This makes and holds the groups; `memory_group` and
//! `process_cap` say what each is for. It also decides whether a program was killed for want of memory that it may use.
//! A keeper has one.

use std::fs;

use nix::sys::signal::Signal;
use nix::unistd::Pid;

use super::fault::HostError;
use super::isolation::IsolationSetup;
use super::limits::Limits;
use super::memory_group::MemoryGroup;
use super::process_cap::ProcessCap;
use super::system::ChildStatus;
use super::watch::WatchEnd;

const STARVED: &str =
    "the machine, or a control group around the referee, ran out of memory first; lower `--memory` or `--jobs`";

/// The groups of one seat; `Err` says why the kernel does not limit.
#[derive(Debug)]
pub(super) struct KernelLimits {
    memory_group: Result<MemoryGroup, String>,
    /// `None` if namespaces limit the number of processes.
    cap: Result<Option<ProcessCap>, String>,
    /// Without a group: how many processes the kernel had killed for want of memory when the run was prepared.
    kills_before: Option<u64>,
}

impl KernelLimits {
    pub(super) fn make(limits: Limits, isolation_setup: &IsolationSetup) -> Self {
        let memory_group = MemoryGroup::make(limits);
        let cap = if isolation_setup.limits_processes() {
            Ok(None)
        } else {
            ProcessCap::make(limits, memory_group.as_ref()).map(Some)
        };
        Self { memory_group, cap, kills_before: None }
    }

    /// Why memory is not limited, and why the number of processes is not.
    pub(super) fn missing(&self) -> [Option<String>; 2] {
        [self.memory_group.as_ref().err().cloned(), self.cap.as_ref().err().cloned()]
    }

    /// Takes the next run's process into the groups.
    pub(super) fn adopt(&mut self, launcher: Pid) -> Result<(), HostError> {
        if let Ok(group) = &self.memory_group {
            return group.adopt(launcher);
        }
        self.kills_before = kills_of_the_machine();
        Ok(())
    }

    /// Begins a run.
    pub(super) fn begin(&mut self) -> Result<(), HostError> {
        self.memory_group.as_mut().map_or(Ok(()), MemoryGroup::begin)
    }

    /// Fails if the kernel killed a process of the run that has ended although its limit was not reached. Without a
    /// group, it may have if it killed any on this machine, and somebody unknown has killed the program.
    pub(super) fn expect_fed(&self, outcome: WatchEnd, status: ChildStatus) -> Result<(), HostError> {
        let was_starved = if let Ok(group) = &self.memory_group {
            group.was_killed_by_system()
        } else {
            let killed = status == ChildStatus::Signalled(Signal::SIGKILL as i32);
            outcome == WatchEnd::Ended && killed && kills_of_the_machine() > self.kills_before
        };
        if was_starved {
            return Err(HostError::when("give the program the memory that it may use")(STARVED));
        }
        Ok(())
    }

    /// The groups that could be made.
    pub(super) fn parts(&mut self) -> (Option<&MemoryGroup>, Option<&mut ProcessCap>) {
        let Self { memory_group, cap, .. } = self;
        (memory_group.as_ref().ok(), cap.as_mut().ok().and_then(Option::as_mut))
    }
}

/// How many processes the kernel has killed for want of memory, of the machine or of a control group.
fn kills_of_the_machine() -> Option<u64> {
    let counters = fs::read_to_string("/proc/vmstat").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse().ok()
}
