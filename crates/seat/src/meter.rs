//! The names of the meters, what each of them cannot see, and how accurate it is.
//!
//! This is the choice of a meter, as options, records and reports have it; the CPU time of a run is read in
//! `tree_meter`. `tests/meter` must show every statement about a meter that stands here.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Charge;
use referee_time::CpuTime;

/// How CPU time is measured.
///
/// Besides the meter, the kernel's account of reaped processes is always read. It is charged if it is complete, because
/// it is exact, separates user and system time, and excludes time taken by a hypervisor or, on many kernels, by
/// interrupts. The meter shows whether it is complete; if not, the meter's value is charged, and the difference counts
/// as user time.
///
/// ```
/// use referee_seat::Meter;
///
/// assert_eq!("cgroup-v2".parse(), Ok(Meter::CgroupV2));
/// assert_eq!(Meter::Perf.to_string(), "perf");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[strum(parse_err_ty = UnknownMeter, parse_err_fn = UnknownMeter::new)]
pub enum Meter {
    /// A task clock of `perf_event_open(2)`, inherited by everything that the program starts.
    Perf,
    /// The `cpu.stat` of a version 2 control group of the program.
    CgroupV2,
    /// The `cpuacct.usage` of a version 1 control group of the program.
    CgroupV1,
    /// `getrusage(2)` of the keeper's reaped children, plus samples of the living ones. Nothing tells for sure what is
    /// missing ([`Concurrency::Alone`]). Every machine has it.
    #[default]
    Rusage,
}

impl Meter {
    /// All meters, in the order of preference.
    pub const BEST_FIRST: [Self; 4] = [Self::Perf, Self::CgroupV2, Self::CgroupV1, Self::Rusage];

    /// Whether it sees processes that nobody waits for.
    pub const fn has_witness(self) -> bool {
        match self {
            Self::Perf | Self::CgroupV2 | Self::CgroupV1 => true,
            Self::Rusage => false,
        }
    }

    /// How a program can use CPU time unseen by this meter; each is half a sentence.
    pub const fn blind_spots(self) -> &'static [&'static str] {
        match self {
            Self::Perf => &[
                "unreaped processes, up to 2 ms and 1 % of a run; in a virtual machine up to 10 ms more, and time \
                 stolen by the hypervisor",
                "unreaped processes that executed an unreadable file: only processes alive at a sample every 100 ms \
                 are charged",
            ],
            Self::CgroupV2 | Self::CgroupV1 => &[
                "unreaped processes, up to 0.3 ms and 0.1 % of a run",
                "unreaped processes that left their control group: only processes alive at a sample every 100 ms are \
                 charged",
            ],
            Self::Rusage => &[
                "unreaped processes, because their parent ignores SIGCHLD: only processes alive at a sample every 100 \
                 ms are charged; the others are time in doubt, if one seat plays at a time and shares a control group \
                 with little else",
            ],
        }
    }

    /// The measurement error of one run's CPU time, blind spots aside.
    ///
    /// The kernel's account is charged with every meter; its sum of user and system time has no error of its own. In
    /// 366 runs of 1 to 500 ms on a busy machine (Linux 6.18, two processors), the account of reaped processes was 0 to
    /// 40 microseconds above that of either kind of control group, 1 in the median. (`perf` was between 0.5 ms below
    /// and 0.3 ms above, and up to 17 ms above while the hypervisor stole time; so it reveals hidden time but is not
    /// charged.) On a machine with much stolen time the error is larger: a program of 60 ms was charged up to 25 ms
    /// more than its own count, which no meter can detect. The split into user and system time has the resolution of a
    /// clock tick, at the slowest 100 a second.
    pub const fn uncertainty(self, charge: Charge) -> CpuTime {
        match (self, charge) {
            (Self::Perf | Self::CgroupV2 | Self::CgroupV1 | Self::Rusage, Charge::Cpu) => CpuTime::from_micros(50),
            (Self::Perf | Self::CgroupV2 | Self::CgroupV1 | Self::Rusage, Charge::User) => CpuTime::from_millis(10),
        }
    }
}

/// A text that names no meter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `perf`, `cgroup-v2`, `cgroup-v1` or `rusage`, found `{0}`")]
pub struct UnknownMeter(String);

impl UnknownMeter {
    fn new(word: &str) -> Self {
        Self(word.to_owned())
    }
}

/// Whether programs of other seats run at the same time, in the same container or wherever else all are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concurrency {
    /// None do. With the meter [`Meter::Rusage`], the control group around all seats is then read as a witness, if it
    /// can be: hidden time is not charged, but reported as time in doubt.
    #[default]
    Alone,
    /// Some may.
    Others,
}

impl Concurrency {
    /// Whether others run, if so many games are played at a time.
    pub const fn of_games(games: usize) -> Self {
        if games > 1 { Self::Others } else { Self::Alone }
    }
}

/// Two measurements of one run that differ by more than chance. The larger one was charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discrepancy {
    /// The meter's reading, including samples of living processes.
    #[serde(rename = "metered_cpu_us")]
    pub metered: CpuTime,
    /// The CPU time of the reaped processes.
    #[serde(rename = "reaped_cpu_us")]
    pub reaped: CpuTime,
}

/// The meaning, as a sentence without a full stop.
impl fmt::Display for Discrepancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { metered, reaped } = *self;
        if metered > reaped {
            let hidden = metered.saturating_sub(reaped);
            write!(f, "{hidden} s were used by unreaped processes")
        } else {
            let missed = reaped.saturating_sub(metered);
            write!(f, "{missed} s were used outside the meter's view")
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
        assert_eq!(between(700, 200).to_string(), "0.5 s were used by unreaped processes");
        assert_eq!(between(1, 251).to_string(), "0.25 s were used outside the meter's view");
    }
}
