//! The kinds of meter: what each is called, what it cannot see, and how exact it is.
//!
//! For: choosing a meter, and telling people which one was in force and what that means. Deliberately not here: any
//! measuring, which is done in `gauge`. What must always hold: what is said here of a meter, `tests/meter.rs` shows.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Charge;
use crate::time::CpuTime;

/// The way in which CPU time is measured.
///
/// With every meter the kernel's account of the processes that were waited for is taken as well. It is what is charged
/// as long as it is complete, because it is exact, it has user and system time apart, and it leaves out what a
/// hypervisor or, on many kernels, an interrupt took away meanwhile. Whether it is complete is what the meter tells;
/// where it is not, the meter's figure is charged, and what the account lacks counts as user time.
///
/// ```
/// use referee::seat::Meter;
///
/// assert_eq!("cgroup-v2".parse(), Ok(Meter::CgroupV2));
/// assert_eq!(Meter::Perf.to_string(), "perf");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meter {
    /// A task clock of `perf_event_open(2)` that is inherited by everything the program starts.
    Perf,
    /// The `cpu.stat` of a control group of the second version that is the program's own.
    CgroupV2,
    /// The `cpuacct.usage` of a control group of the first version that is the program's own.
    CgroupV1,
    /// `getrusage(2)` of the keeper's children, all of them reaped, and looks at the living ones.
    Rusage,
}

impl Meter {
    /// All meters, in the order in which they are tried.
    pub const BEST_FIRST: [Self; 4] = [Self::Perf, Self::CgroupV2, Self::CgroupV1, Self::Rusage];

    /// What it is called, on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Perf => "perf",
            Self::CgroupV2 => "cgroup-v2",
            Self::CgroupV1 => "cgroup-v1",
            Self::Rusage => "rusage",
        }
    }

    /// In which ways a program can use CPU time that this meter does not see; half a sentence each.
    pub const fn blind_spots(self) -> &'static [&'static str] {
        match self {
            Self::Perf => &[
                "processes that nobody waits for, up to 2 ms and 1 % of a run; in a virtual machine up to 10 ms more \
                 and what \
                 its hypervisor took away meanwhile",
                "processes that nobody waits for and that have executed a file which they may not read: only what a \
                 look \
                 every 100 ms finds alive is charged",
            ],
            Self::CgroupV2 | Self::CgroupV1 => &[
                "processes that nobody waits for, up to 0.3 ms and 0.1 % of a run",
                "processes that nobody waits for and that may write to the control groups and so have left theirs: \
                 only what \
                 a look every 100 ms finds alive is charged",
            ],
            Self::Rusage => &[
                "processes that nobody waits for, because their parent ignores SIGCHLD: only what a look \
                               every 100 ms finds alive is charged",
            ],
        }
    }

    /// By how much the CPU time of one run may be measured wrong, blind spots left aside.
    ///
    /// With every meter it is the kernel's account that is charged, which has no error of its own in user and system
    /// time together. In 366 runs of 1 to 500 ms on a busy machine (Linux 6.18, two processors), that of reaped
    /// processes was 0 to 40 microseconds above that of either kind of control group, at the median 1. (`perf` was 0.5
    /// ms below to 0.3 ms above, and up to 17 ms above while the hypervisor stole; so it tells what is hidden, and not
    /// what is charged.) It is no measure of a machine from which much is stolen: there, a program of 60 ms was charged
    /// up to 25 ms more than it says it burned, which no meter can tell apart. How the sum is split into user and
    /// system time is told by the ticks of a clock, at the slowest 100 a second.
    pub const fn uncertainty(self, charge: Charge) -> CpuTime {
        match (self, charge) {
            (Self::Perf | Self::CgroupV2 | Self::CgroupV1 | Self::Rusage, Charge::Cpu) => CpuTime::from_micros(50),
            (Self::Perf | Self::CgroupV2 | Self::CgroupV1 | Self::Rusage, Charge::User) => CpuTime::from_millis(10),
        }
    }
}

impl fmt::Display for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that is no meter's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `perf`, `cgroup-v2`, `cgroup-v1` or `rusage`, found `{0}`")]
pub struct UnknownMeter(String);

impl FromStr for Meter {
    type Err = UnknownMeter;

    fn from_str(text: &str) -> Result<Self, UnknownMeter> {
        let found = Self::BEST_FIRST.into_iter().find(|meter| meter.name() == text);
        found.ok_or_else(|| UnknownMeter(text.to_owned()))
    }
}

/// Two accounts of one run that differ by more than can be chance. Whichever is larger was charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discrepancy {
    /// What the meter in force has seen, looks at the living processes included.
    #[serde(rename = "metered_cpu_us")]
    pub metered: CpuTime,
    /// What the processes used that somebody has waited for.
    #[serde(rename = "reaped_cpu_us")]
    pub reaped: CpuTime,
}

/// What it means, as a sentence without its full stop.
impl fmt::Display for Discrepancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { metered, reaped } = *self;
        if metered > reaped {
            let hidden = metered.saturating_sub(reaped);
            write!(f, "{hidden} s were used by processes that nobody waited for")
        } else {
            let missed = reaped.saturating_sub(metered);
            write!(f, "{missed} s were used where the meter did not see them")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_is_called_the_same_everywhere() {
        for meter in Meter::BEST_FIRST {
            assert_eq!(meter.to_string().parse(), Ok(meter));
            assert_eq!(serde_json::to_string(&meter).unwrap(), format!("\"{meter}\""));
        }
        assert_eq!(
            "perf2".parse::<Meter>().unwrap_err().to_string(),
            "expected `perf`, `cgroup-v2`, `cgroup-v1` or `rusage`, found `perf2`"
        );
    }

    #[test]
    fn a_discrepancy_says_what_it_means() {
        let between = |metered, reaped| Discrepancy {
            metered: CpuTime::from_millis(metered),
            reaped: CpuTime::from_millis(reaped),
        };
        assert_eq!(
            between(700, 200).to_string(),
            "0.5 s were used by processes that nobody waited for"
        );
        assert_eq!(
            between(1, 251).to_string(),
            "0.25 s were used where the meter did not see them"
        );
    }
}
