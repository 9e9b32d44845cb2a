//! How CPU time is measured: the place where a meter is chosen and its figures become a charge.
//!
//! For: one [`Gauge`], which belongs to a keeper and measures one run after another. It has two witnesses: the kernel's
//! account of the processes that were waited for (`rusage`), and a [`Counter`] that sees processes whether or not
//! anybody waits for them (`perf`, `cgroup`). Deliberately not here: what is done about a budget that is used up.
//! What must always hold: a gauge may be read while the program runs, and never tells less the second time; in the end,
//! nothing is charged that a witness has not seen used.
//!
//! # What is charged
//!
//! What was reaped, as long as that is complete: it is exact and leaves out what was stolen by a hypervisor. It is
//! complete if the run is known to have started no other process and no thread (`births`). Where that is not known and
//! the counter has seen more, it depends on by how much:
//!
//! - By less than can be chance ([`Margin`]): nothing is said.
//! - By less than a hypervisor may have taken away ([`Counter::not_its_own`]): what was reaped is charged, and the
//!   difference is told as time in doubt, so that a result that hangs on it can be looked at again.
//! - By more: processes that nobody waited for have used it, and what the counter has seen is charged. The difference
//!   is user time, for which all clocks charge, and it is told as a [`Discrepancy`].
//!
//! If a look at the living has seen more than was reaped, that is charged and told. If the counter has seen far less,
//! it was led astray, which is told as well and changes nothing.

mod births;
mod cgroup;
mod perf;
mod rusage;
mod stolen;

use nix::unistd::Pid;

use self::births::Births;
use self::cgroup::{CgroupVersion, Ledger};
use self::perf::TaskClock;
use self::rusage::ReapedUsage;
use super::cgroup::ControlGroup;
use super::fault::HostError;
use super::idler::with_idler;
use super::processes::{is_first_of_namespace, living_use};
use super::{Charge, Discrepancy, Meter};
use crate::time::CpuTime;

/// CPU time, split as the kernel splits it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CpuSplit {
    pub(super) user: CpuTime,
    pub(super) system: CpuTime,
}

impl CpuSplit {
    fn sum(self) -> CpuTime {
        self.user + self.system
    }
}

/// What one run used, and whether the witnesses agree on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) split: CpuSplit,
    pub(super) discrepancy: Option<Discrepancy>,
    /// What the counter has seen beyond that, and may be nothing.
    pub(super) in_doubt: CpuTime,
}

/// What a counter has seen beyond what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surplus {
    /// Nothing that means anything.
    None,
    /// As much as a hypervisor may have taken away.
    Doubtful(CpuTime),
    /// More than that.
    Hidden(CpuTime),
}

impl Surplus {
    fn hidden(self) -> CpuTime {
        match self {
            Self::Hidden(time) => time,
            Self::None | Self::Doubtful(_) => CpuTime::ZERO,
        }
    }

    fn in_doubt(self) -> CpuTime {
        match self {
            Self::Doubtful(time) => time,
            Self::None | Self::Hidden(_) => CpuTime::ZERO,
        }
    }
}

/// A meter that cannot be had, and why.
#[derive(Debug)]
pub(super) struct MeterUnavailable {
    pub(super) meter: Meter,
    pub(super) reason: String,
}

/// Counts the CPU time of a process and of everything that comes of it.
trait Counter {
    /// Takes `launcher` in hand, while nobody's clock runs. What is slow is done here.
    fn adopt(&mut self, launcher: Pid) -> Result<(), HostError>;

    /// Counts from zero from here on.
    fn begin(&mut self) -> Result<(), HostError>;

    /// What was used since.
    fn used(&mut self) -> Result<CpuTime, HostError>;

    /// How much of that may have been none of the program's doing, which is `known` to have used so much and has had so
    /// many pages of fresh memory.
    fn not_its_own(&mut self, _known: CpuTime, _fresh_pages: u64) -> Result<CpuTime, HostError> {
        Ok(CpuTime::ZERO)
    }
}

/// Measures the CPU time of the process trees that a keeper starts.
pub(super) struct Gauge {
    meter: Meter,
    charge: Charge,
    reaped: ReapedUsage,
    counter: Option<Box<dyn Counter>>,
    /// `None` where that cannot be known, or where there is no counter that could be doubted.
    births: Option<Births>,
    /// The most that the reaped and the living of this run together have had on account at any look: some of them may
    /// since have vanished.
    seen: CpuTime,
    /// The same of user time alone.
    seen_user: CpuTime,
    /// The most that was told of this run.
    told: CpuTime,
}

impl Gauge {
    /// The gauge for a meter, which is tried on a process first; without one, the best that can be had. `outer` is a
    /// group of the second version that its programs are in already.
    ///
    /// To be called when the keeper has its own isolation behind it, and no children.
    pub(super) fn choose(
        asked: Option<Meter>,
        charge: Charge,
        outer: Option<&ControlGroup>,
    ) -> Result<Self, MeterUnavailable> {
        match asked {
            Some(meter) => Self::of(meter, charge, outer),
            None => Meter::BEST_FIRST
                .into_iter()
                .find_map(|meter| Self::of(meter, charge, outer).ok())
                .map_or_else(|| Self::of(Meter::Rusage, charge, outer), Ok),
        }
    }

    fn of(meter: Meter, charge: Charge, outer: Option<&ControlGroup>) -> Result<Self, MeterUnavailable> {
        let counter = counter(meter, outer).and_then(|counter| counter.map(tried).transpose());
        let counter = counter.map_err(|reason| MeterUnavailable { meter, reason })?;
        let births = counter.as_ref().filter(|_| is_first_of_namespace());
        Ok(Self {
            meter,
            charge,
            reaped: ReapedUsage::default(),
            births: births.and_then(|_| Births::open().ok()),
            counter,
            seen: CpuTime::ZERO,
            seen_user: CpuTime::ZERO,
            told: CpuTime::ZERO,
        })
    }

    pub(super) fn meter(&self) -> Meter {
        self.meter
    }

    /// `launcher` is to be measured next. It is the opponent's turn, so this may take its time.
    pub(super) fn adopt(&mut self, launcher: Pid) -> Result<(), HostError> {
        self.counter.as_mut().map_or(Ok(()), |counter| counter.adopt(launcher))
    }

    /// A run begins: `launcher` waits for its word to become the program. What it used until now is not the agent's.
    pub(super) fn begin(&mut self, launcher: Pid) -> Result<(), HostError> {
        (self.seen, self.seen_user, self.told) = (CpuTime::ZERO, CpuTime::ZERO, CpuTime::ZERO);
        self.reaped.begin(launcher)?;
        if let Some(births) = &mut self.births {
            births.begin()?;
        }
        self.counter.as_mut().map_or(Ok(()), |counter| counter.begin())
    }

    /// What would be charged of the run until now. May fall short of the truth by what cannot be seen yet.
    pub(super) fn so_far(&mut self) -> Result<CpuTime, HostError> {
        let living = living_use(Charge::Cpu);
        let known = self.reaped.so_far(living)?;
        // The counter is read last: between the two, it can only have grown.
        let counted = self.counted()?;
        self.seen = self.seen.max(known.cpu);
        let hidden = self.surplus(counted, self.seen, known.fresh_pages)?.hidden();
        let used = match self.charge {
            Charge::Cpu => self.seen + hidden,
            Charge::User => {
                let user = self.reaped.user_so_far(living_use(Charge::User).cpu)?;
                self.seen_user = self.seen_user.max(user);
                self.seen_user + hidden
            }
        };
        self.told = self.told.max(used);
        Ok(self.told)
    }

    /// What the run used, all of its processes being reaped; the largest one has had so much memory.
    pub(super) fn total(&mut self, peak_rss_bytes: u64) -> Result<Account, HostError> {
        let split = self.reaped.total()?;
        let reaped = split.sum();
        let counted = self.counted()?;
        let surplus = self.surplus(counted, reaped, self.reaped.fresh_pages(peak_rss_bytes)?)?;
        let hidden = surplus.hidden();
        let discrepancy = self.discrepancy(counted.filter(|_| hidden > CpuTime::ZERO), counted, reaped);
        Ok(Account {
            split: self.at_least_what_was_seen(charged(split, hidden)),
            discrepancy,
            in_doubt: surplus.in_doubt(),
        })
    }

    /// What the counter has counted and `known` does not explain.
    fn surplus(&mut self, counted: Option<CpuTime>, known: CpuTime, fresh_pages: u64) -> Result<Surplus, HostError> {
        let margin = margin(self.meter);
        let (Some(counted), Some(witness)) = (counted, &mut self.counter) else {
            return Ok(Surplus::None);
        };
        let difference = margin.beyond(counted, known);
        if difference == CpuTime::ZERO {
            return Ok(Surplus::None);
        }
        // Only now, for it takes its time to be found out.
        if let Some(births) = &mut self.births
            && births.none(counted)?
        {
            return Ok(Surplus::None);
        }
        let taken_away = witness.not_its_own(known, fresh_pages)?;
        Ok(if margin.and(taken_away).beyond(counted, known) == CpuTime::ZERO {
            Surplus::Doubtful(difference)
        } else {
            Surplus::Hidden(difference)
        })
    }

    /// `believed` is what the counter has counted, if that is to be believed rather than the account of the reaped.
    fn discrepancy(&self, believed: Option<CpuTime>, counted: Option<CpuTime>, reaped: CpuTime) -> Option<Discrepancy> {
        let differs = |margin: Margin, larger, smaller| margin.beyond(larger, smaller) > CpuTime::ZERO;
        let seen = Some(self.seen).filter(|seen| differs(margin(Meter::Rusage), *seen, reaped));
        let led_astray = counted.filter(|counted| differs(BLINDNESS, reaped, *counted));
        let metered = believed.max(seen).or(led_astray)?;
        Some(Discrepancy { metered, reaped })
    }

    fn counted(&mut self) -> Result<Option<CpuTime>, HostError> {
        self.counter.as_mut().map(|counter| counter.used()).transpose()
    }

    /// What was on account once was used, wherever it went.
    fn at_least_what_was_seen(&self, split: CpuSplit) -> CpuSplit {
        let sum = split.sum().max(self.seen);
        let user = (split.user + sum.saturating_sub(split.sum())).max(self.seen_user);
        CpuSplit {
            user,
            system: sum.saturating_sub(user),
        }
    }
}

/// What nobody waited for is not known to have been system time, so it counts under every clock.
fn charged(reaped: CpuSplit, hidden: CpuTime) -> CpuSplit {
    CpuSplit {
        user: reaped.user + hidden,
        ..reaped
    }
}

/// By how much one figure may pass another before that means anything.
#[derive(Clone, Copy, Debug)]
struct Margin {
    at_least: CpuTime,
    /// Of the smaller figure.
    parts_per_thousand: u64,
}

impl Margin {
    fn and(self, more: CpuTime) -> Self {
        Self {
            at_least: self.at_least + more,
            ..self
        }
    }

    /// By how much `larger` passes `smaller`, or nothing if it is within the margin.
    fn beyond(self, larger: CpuTime, smaller: CpuTime) -> CpuTime {
        let share = CpuTime::from_micros(smaller.saturating_mul(self.parts_per_thousand).micros() / 1000);
        let difference = larger.saturating_sub(smaller);
        if difference > self.at_least + share {
            difference
        } else {
            CpuTime::ZERO
        }
    }
}

/// How far a meter may be above the account of reaped processes without anything being hidden.
const fn margin(meter: Meter) -> Margin {
    match meter {
        // Where the kernel keeps an account of interrupts, they are in this meter's figure and not in the other.
        Meter::Perf => Margin {
            at_least: CpuTime::from_millis(2),
            parts_per_thousand: 10,
        },
        // These are fed from the very source of that account, and so are the looks at living processes.
        Meter::CgroupV2 | Meter::CgroupV1 | Meter::Rusage => Margin {
            at_least: CpuTime::from_micros(300),
            parts_per_thousand: 1,
        },
    }
}

/// How far a meter may be below that account without having been led astray. Since Linux 6.16, a task clock stops
/// before a process gives its memory back, which takes a tenth of a second a gigabyte.
const BLINDNESS: Margin = Margin {
    at_least: CpuTime::from_millis(20),
    parts_per_thousand: 250,
};

/// `None` where the account of reaped processes is all there is.
fn counter(meter: Meter, outer: Option<&ControlGroup>) -> Result<Option<Box<dyn Counter>>, String> {
    Ok(match meter {
        Meter::Perf => Some(Box::new(TaskClock::open()?)),
        Meter::CgroupV2 => Some(Box::new(Ledger::open(CgroupVersion::Second, outer)?)),
        Meter::CgroupV1 => Some(Box::new(Ledger::open(CgroupVersion::First, outer)?)),
        Meter::Rusage => None,
    })
}

/// Has the counter count a process that does nothing. Where it cannot, it says so here and not in the middle of a game.
fn tried(mut counter: Box<dyn Counter>) -> Result<Box<dyn Counter>, String> {
    let outcome = with_idler(|idler| {
        counter
            .adopt(idler)
            .and_then(|()| counter.begin())
            .and_then(|()| counter.used())
    });
    outcome.map(|_| counter).map_err(|fault| fault.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn micros(micros: u64) -> CpuTime {
        CpuTime::from_micros(micros)
    }

    fn gauge(seen: u64, seen_user: u64) -> Gauge {
        let mut gauge = Gauge::of(Meter::Rusage, Charge::Cpu, None).ok().unwrap();
        (gauge.seen, gauge.seen_user) = (micros(seen), micros(seen_user));
        gauge
    }

    proptest! {
        #[test]
        fn what_is_within_the_margin_is_no_difference_and_the_rest_is_the_whole_of_it(
            reaped in 0_u64..1 << 40, more in 0_u64..1 << 40
        ) {
            for meter in Meter::BEST_FIRST {
                let margin = margin(meter);
                let allowed = margin.at_least.micros() + reaped * margin.parts_per_thousand / 1000;
                let expected = if more > allowed { more } else { 0 };
                prop_assert_eq!(margin.beyond(micros(reaped + more), micros(reaped)), micros(expected));
                prop_assert_eq!(margin.beyond(micros(reaped), micros(reaped + more)), CpuTime::ZERO);
            }
        }

        #[test]
        fn what_was_seen_alive_is_charged_and_nothing_else_changes(
            user in 0_u64..1 << 40, system in 0_u64..1 << 40, seen in 0_u64..1 << 41, seen_user in 0_u64..1 << 40
        ) {
            let split = CpuSplit { user: micros(user), system: micros(system) };
            let charged = gauge(seen, seen_user).at_least_what_was_seen(split);
            prop_assert!(charged.sum() >= split.sum().max(micros(seen)));
            prop_assert!(charged.user >= split.user.max(micros(seen_user)));
            // What the looks do not force stays as it was.
            if seen <= user + system && seen_user <= user {
                prop_assert_eq!(charged, split);
            }
        }
    }

    #[test]
    fn a_fault_of_the_machine_is_no_blindness() {
        // A gigabyte that is given back after two tenths of a second of work.
        assert_eq!(BLINDNESS.beyond(micros(280_000), micros(210_000)), CpuTime::ZERO);
        assert_eq!(BLINDNESS.beyond(micros(280_000), micros(1_000)), micros(279_000));
    }
}
