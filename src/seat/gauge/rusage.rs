//! The account that the kernel keeps for `wait(2)`: `getrusage(2)` of the keeper's children, before and after.
//!
//! It is exact for every process that somebody has waited for, and all that the keeper is an ancestor of ends up in it.
//! A process whose parent ignores SIGCHLD is waited for by nobody, and its time never gets here.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::unistd::Pid;

use super::super::fault::HostError;
use super::super::processes::{PAGE_BYTES, ProcessUsage, cpu_clock};
use super::CpuSplit;
use crate::time::CpuTime;

/// What all children used that were ever reaped.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    split: CpuSplit,
    page_faults: u64,
}

/// What was reaped since a run began.
#[derive(Debug, Default)]
pub(super) struct ReapedUsage {
    before: Children,
    /// What the process used before it was set off to become the program, which is not the program's.
    launcher: CpuTime,
}

impl ReapedUsage {
    pub(super) fn begin(&mut self, launcher: Pid) -> Result<(), HostError> {
        self.before = children()?;
        self.launcher = cpu_clock(launcher).map_err(HostError::when("read the clock of a process"))?;
        Ok(())
    }

    /// With what the living ones have used, the starter among them until it has been reaped.
    pub(super) fn so_far(&self, living: ProcessUsage) -> Result<ProcessUsage, HostError> {
        let reaped = self.reaped()?;
        Ok(ProcessUsage {
            cpu: (reaped.split.sum() + living.cpu).saturating_sub(self.launcher),
            fresh_pages: reaped.page_faults + living.fresh_pages,
        })
    }

    /// The same of user time alone, in which the starter's share is not known and is too small to be told.
    pub(super) fn user_so_far(&self, living: CpuTime) -> Result<CpuTime, HostError> {
        Ok(self.reaped()?.split.user + living)
    }

    /// When everything has been reaped.
    pub(super) fn total(&self) -> Result<CpuSplit, HostError> {
        Ok(without(self.reaped()?.split, self.launcher))
    }

    /// How many pages of memory were used that nobody had used before, the largest process having had `peak_rss_bytes`:
    /// a fault may have brought one page or, where it is a huge one, five hundred.
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

/// Takes a part off both shares alike: the sum is exact in the kernel, the split is an estimate by ticks, and a process
/// too short for a tick has all of its time put down as user time.
fn without(split: CpuSplit, part: CpuTime) -> CpuSplit {
    let sum = split.sum().micros();
    let rest = sum.saturating_sub(part.micros());
    let share = u128::from(split.user.micros()) * u128::from(rest) / u128::from(sum.max(1));
    let user = u64::try_from(share).unwrap_or(rest);
    CpuSplit {
        user: CpuTime::from_micros(user),
        system: CpuTime::from_micros(rest - user),
    }
}

fn children() -> Result<Children, HostError> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(HostError::when("read what its children used"))?;
    Ok(Children {
        split: CpuSplit {
            user: cpu_time(usage.user_time()),
            system: cpu_time(usage.system_time()),
        },
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
        CpuSplit {
            user: CpuTime::from_micros(user),
            system: CpuTime::from_micros(system),
        }
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
