//! How CPU time is measured: the place where a meter is chosen.
//!
//! For: one [`Gauge`] for each kind of [`Meter`]. A gauge belongs to a keeper and measures one run after another.
//! What must always hold: a gauge may be read while the program runs, never tells less the second time, and never more
//! in the end than what the tree has used.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::unistd::Pid;

use super::Charge;
use super::fault::Fault;
use super::processes::{cpu_clock, living_use};
use super::report::Meter;
use crate::time::CpuTime;

/// CPU time, split as the kernel splits it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) user: CpuTime,
    pub(super) system: CpuTime,
}

/// Measures the CPU time of the process trees that a keeper starts.
pub(super) trait Gauge {
    /// A run begins: `starter` waits for its word to become the program. What it used until now is not the agent's.
    fn begin(&mut self, starter: Pid) -> Result<(), Fault>;

    /// What would be charged of the run until now. May fall short of the truth by what cannot be seen yet.
    fn so_far(&mut self) -> Result<CpuTime, Fault>;

    /// What the run used, all of its processes being reaped.
    fn total(&mut self) -> Result<Split, Fault>;
}

/// The gauge for a meter.
pub(super) fn gauge(meter: Meter, charge: Charge) -> Box<dyn Gauge> {
    match meter {
        Meter::Rusage => Box::new(RusageGauge {
            charge,
            before: Split::default(),
            starter: CpuTime::ZERO,
            seen: CpuTime::ZERO,
        }),
    }
}

/// `getrusage(2)` of the keeper's children before and after.
///
/// It is exact for every process that somebody has waited for. A process whose parent ignores SIGCHLD is waited for by
/// nobody, and its time is lost to this gauge except for what was seen of it alive.
struct RusageGauge {
    charge: Charge,
    before: Split,
    starter: CpuTime,
    seen: CpuTime,
}

impl RusageGauge {
    fn reaped(&self) -> Result<Split, Fault> {
        let now = reaped_use()?;
        let user = now.user.saturating_sub(self.before.user);
        let system = now.system.saturating_sub(self.before.system);
        Ok(Split { user, system })
    }
}

impl Gauge for RusageGauge {
    fn begin(&mut self, starter: Pid) -> Result<(), Fault> {
        self.before = reaped_use()?;
        self.starter = cpu_clock(starter).map_err(Fault::when("read the clock of a process"))?;
        self.seen = CpuTime::ZERO;
        Ok(())
    }

    fn so_far(&mut self) -> Result<CpuTime, Fault> {
        let reaped = self.reaped()?;
        let now = match self.charge {
            Charge::Cpu => (reaped.user + reaped.system + living_use(self.charge)).saturating_sub(self.starter),
            Charge::User => reaped.user + living_use(self.charge),
        };
        self.seen = self.seen.max(now);
        Ok(self.seen)
    }

    fn total(&mut self) -> Result<Split, Fault> {
        let split = without(self.reaped()?, self.starter);
        let charged = match self.charge {
            Charge::Cpu => split.user + split.system,
            Charge::User => split.user,
        };
        let unseen = self.seen.saturating_sub(charged);
        Ok(Split {
            user: split.user + unseen,
            ..split
        })
    }
}

/// Takes a part off both shares alike: the sum is exact in the kernel, the split is an estimate by ticks, and a process
/// too short for a tick has all of its time put down as user time.
fn without(split: Split, part: CpuTime) -> Split {
    let sum = (split.user + split.system).micros();
    let rest = sum.saturating_sub(part.micros());
    let share = u128::from(split.user.micros()) * u128::from(rest) / u128::from(sum.max(1));
    let user = u64::try_from(share).unwrap_or(rest);
    Split {
        user: CpuTime::from_micros(user),
        system: CpuTime::from_micros(rest - user),
    }
}

fn reaped_use() -> Result<Split, Fault> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(Fault::when("read what its children used"))?;
    Ok(Split {
        user: cpu_time(usage.user_time()),
        system: cpu_time(usage.system_time()),
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

    fn split(user: u64, system: u64) -> Split {
        Split {
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
            prop_assert_eq!((rest.user + rest.system).micros(), (user + system).saturating_sub(part));
            prop_assert!(rest.user.micros() <= user && rest.system.micros() <= system + 1);
        }
    }
}
