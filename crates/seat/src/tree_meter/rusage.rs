//! The kernel's account for `wait(2)`: `getrusage(2)` of the keeper's children, before and after a run.
//!
//! It is exact for every process that was waited for, and includes all descendants of the keeper. A process whose
//! parent ignores SIGCHLD is waited for by nobody, and its time is lost here. [`super::TreeMeter`] compares it with
//! other witnesses.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::unistd::Pid;

use super::super::fault::HostError;
use super::super::processes::{PAGE_BYTES, ProcessUsage, cpu_clock};
use super::CpuSplit;
use referee_time::CpuTime;

/// The usage of all children ever reaped.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    split: CpuSplit,
    page_faults: u64,
}

/// What was reaped since a run began.
#[derive(Debug, Default)]
pub(super) struct ReapedUsage {
    before: Children,
    /// The launcher's usage before the program started, which is not the program's.
    launcher: CpuTime,
}

impl ReapedUsage {
    pub(super) fn begin(&mut self, launcher: Pid) -> Result<(), HostError> {
        self.before = children()?;
        self.launcher = cpu_clock(launcher).map_err(HostError::when("read the clock of a process"))?;
        Ok(())
    }

    /// Includes the usage of living processes, with the launcher among them until it is reaped.
    pub(super) fn so_far(&self, living: ProcessUsage) -> Result<ProcessUsage, HostError> {
        let reaped = self.reaped()?;
        Ok(ProcessUsage {
            cpu: (reaped.split.sum() + living.cpu).saturating_sub(self.launcher),
            fresh_pages: reaped.page_faults + living.fresh_pages,
            rounded_off: living.rounded_off,
        })
    }

    /// The same for user time alone; the launcher's share is unknown and too small to matter.
    pub(super) fn user_time_so_far(&self, living: CpuTime) -> Result<CpuTime, HostError> {
        Ok(self.reaped()?.split.user + living)
    }

    /// The total, after everything was reaped.
    pub(super) fn total(&self) -> Result<CpuSplit, HostError> {
        Ok(without(self.reaped()?.split, self.launcher))
    }

    /// The number of freshly touched pages, when the largest process had `peak_rss_bytes`: a fault may map one page or,
    /// for a huge page, five hundred.
    pub(super) fn fresh_pages(&self, peak_rss_bytes: u64) -> Result<u64, HostError> {
        Ok(self.reaped()?.page_faults.max(peak_rss_bytes / PAGE_BYTES))
    }

    fn reaped(&self) -> Result<Children, HostError> {
        let now = children()?;
        Ok(Children {
            split: CpuSplit {
                user: now.split.user.saturating_sub(self.before.split.user),
                system: now.split.system.saturating_sub(self.before.split.system),
            },
            page_faults: now.page_faults.saturating_sub(self.before.page_faults),
        })
    }
}

/// Subtracts `part` proportionally from both shares: in the kernel the sum is exact, the split is an estimate by ticks,
/// and a process shorter than a tick has all its time in user time.
fn without(split: CpuSplit, part: CpuTime) -> CpuSplit {
    let sum = split.sum().micros();
    let rest = sum.saturating_sub(part.micros());
    let share = u128::from(split.user.micros()) * u128::from(rest) / u128::from(sum.max(1));
    let user = u64::try_from(share).unwrap_or(rest);
    CpuSplit { user: CpuTime::from_micros(user), system: CpuTime::from_micros(rest - user) }
}

fn children() -> Result<Children, HostError> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(HostError::when("read what its children used"))?;
    Ok(Children {
        split: CpuSplit { user: cpu_time(usage.user_time()), system: cpu_time(usage.system_time()) },
        page_faults: u64::try_from(usage.minor_page_faults()).unwrap_or(0),
    })
}

fn cpu_time(time: TimeVal) -> CpuTime {
    let part = |number: i64| u64::try_from(number).unwrap_or(0);
    CpuTime::from_secs(part(time.tv_sec())) + CpuTime::from_micros(part(time.tv_usec()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(user: u64, system: u64) -> CpuSplit {
        CpuSplit { user: CpuTime::from_micros(user), system: CpuTime::from_micros(system) }
    }

    proptest! {
        #[test]
        fn taking_a_part_off_keeps_the_sum_and_raises_neither_share(
            user in 0_u64..1 << 50, system in 0_u64..1 << 50, part in 0_u64..1 << 51
        ) {
            let rest = without(split(user, system), CpuTime::from_micros(part));
            prop_assert_eq!(rest.sum().micros(), (user + system).saturating_sub(part));
            prop_assert!(rest.user.micros() <= user && rest.system.micros() <= system + 1);
        }
    }
}
