//! CPU time measurement: chooses a meter and turns its readings into a charge.
//!
//! A [`TreeMeter`] belongs to a keeper and measures one run after another. It has two witnesses: the kernel's account
//! of reaped processes (`rusage`), and a [`Counter`] that sees processes whether or not they are waited for (`perf`,
//! `cgroup`; `shared_group` where neither can be had). It does not enforce budgets; `keeper` and `watch` do. A meter
//! may be read while the program runs, and must never report less on a later reading. Nothing may be charged that no
//! witness has seen used.
//!
//! # What is charged
//!
//! The reaped time, if it is complete: it is exact and excludes time stolen by a hypervisor. It is complete if the run
//! has provably started no other process or thread (`process_starts`). If that is unknown and the counter has seen
//! more, the size of the difference decides:
//!
//! - Within chance ([`Margin`]): ignored.
//! - Within what a hypervisor or others may have taken ([`Counter::not_its_own`]): the reaped time is charged, and the
//!   difference is reported as time in doubt, so that results that depend on it can be reviewed.
//! - Larger: unreaped processes used it, and the counter's time is charged. The difference counts as user time, which
//!   every clock charges, and is reported as a [`Discrepancy`].
//!
//! If a sample of the living processes exceeds the reaped time, the sample is charged and reported. If the counter has
//! seen far less, it was misled; this is reported too and changes nothing.

mod cgroup;
mod machine;
mod perf;
mod process_starts;
mod rusage;
mod shared_group;

use nix::unistd::Pid;

use self::cgroup::{CgroupLedger, CgroupVersion};
use self::machine::{MachineAccount, MachineActivity};
use self::perf::TaskClock;
use self::process_starts::ProcessStarts;
use self::rusage::ReapedUsage;
use self::shared_group::SharedGroup;
use super::cgroup::ControlGroup;
use super::fault::HostError;
use super::idler::with_idler;
use super::processes::living_use;
use super::wire::KeeperSetup;
use super::{Charge, Concurrency, Discrepancy, Meter, SeatError};
use referee_time::CpuTime;

/// CPU time, split as in the kernel.
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

/// The CPU time of one run, and whether the witnesses agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) split: CpuSplit,
    pub(super) discrepancy: Option<Discrepancy>,
    /// The counter's surplus beyond that, which may be noise.
    pub(super) in_doubt: CpuTime,
}

/// A counter's surplus over the known time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CounterSurplus {
    /// Insignificant.
    None,
    /// No more than a hypervisor or others may have taken.
    Doubtful(CpuTime),
    /// More than a hypervisor may have taken.
    Hidden(CpuTime),
}

impl CounterSurplus {
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

/// Counts the CPU time of a process and its descendants.
trait Counter {
    /// Attaches to `launcher`, between turns. Slow work belongs here.
    fn adopt(&mut self, launcher: Pid) -> Result<(), HostError>;

    /// Resets the count to zero.
    fn begin(&mut self) -> Result<(), HostError>;

    /// A program that lives on is about to go on; what counts others, too, has to leave out what they used meanwhile.
    fn resume(&mut self) -> Result<(), HostError> {
        Ok(())
    }

    /// The time used since [`Self::begin`].
    fn used(&mut self) -> Result<CpuTime, HostError>;

    /// How much of it may not be the program's, from which a hypervisor may have `stolen` that much, and which is
    /// `known` to have used that much CPU time and to have touched that many fresh pages.
    fn not_its_own(&self, _stolen: CpuTime, _known: CpuTime, _fresh_pages: u64) -> CpuTime {
        CpuTime::ZERO
    }
}

/// Measures the CPU time of the process trees that a keeper starts.
pub(super) struct TreeMeter {
    meter: Meter,
    charge: Charge,
    reaped: ReapedUsage,
    counter: Option<Box<dyn Counter>>,
    /// What else happened, to explain a counter's surplus; `None` if there is no counter.
    machine: Option<MachineAccount>,
    /// `None` if unknowable, or if there is no counter to doubt.
    process_starts: Option<ProcessStarts>,
    /// The maximum CPU time seen at any sample, of reaped and living processes together: some may have vanished since.
    seen: CpuTime,
    /// The same for user time alone.
    seen_user: CpuTime,
    /// The maximum reported for this run.
    reported: CpuTime,
    /// The account of a living program after its last turn.
    turn: TurnAccount,
}

/// What the witnesses said of a living program after its last turn, and what was charged until then.
#[derive(Clone, Copy, Debug, Default)]
struct TurnAccount {
    known: CpuTime,
    counted: CpuTime,
    split: CpuSplit,
}

impl TreeMeter {
    /// Sets up the requested meter after a trial on a process, or by default the best available one. `outer` is a
    /// version 2 group that already contains the programs.
    ///
    /// Must be called after the keeper has isolated itself, while it has no children.
    pub(super) fn choose(setup: &KeeperSetup, outer: Option<&ControlGroup>) -> Result<Self, SeatError> {
        let options = &setup.options;
        let with = |meter| Self::with_counter(meter, options.charge, counter(meter, outer, options.concurrency));
        match options.meter {
            Some(meter) => with(meter),
            None => {
                Meter::BEST_FIRST.into_iter().find_map(|meter| with(meter).ok()).map_or_else(|| with(Meter::Rusage), Ok)
            }
        }
    }

    fn with_counter(
        meter: Meter,
        charge: Charge,
        counter: Result<Option<Box<dyn Counter>>, String>,
    ) -> Result<Self, SeatError> {
        let counter = counter.and_then(|counter| counter.map(tested).transpose());
        let unavailable = |reason| SeatError::NoMeter { meter, reason };
        let counter = counter.map_err(unavailable)?;
        let machine = counter.as_ref().map(|_| MachineAccount::open()).transpose();
        Ok(Self {
            meter,
            charge,
            reaped: ReapedUsage::default(),
            machine: machine.map_err(|fault| unavailable(fault.to_string()))?,
            process_starts: counter.as_ref().and_then(|_| ProcessStarts::open().ok()),
            counter,
            seen: CpuTime::ZERO,
            seen_user: CpuTime::ZERO,
            reported: CpuTime::ZERO,
            turn: TurnAccount::default(),
        })
    }

    pub(super) fn meter(&self) -> Meter {
        self.meter
    }

    /// Attaches to `launcher`, the next process to measure. Called in the opponent's turn, so it may be slow.
    pub(super) fn adopt(&mut self, launcher: Pid) -> Result<(), HostError> {
        self.counter.as_mut().map_or(Ok(()), |counter| counter.adopt(launcher))
    }

    /// Begins a run: `launcher` is about to become the program. Its earlier CPU time is not the agent's.
    pub(super) fn begin(&mut self, launcher: Pid) -> Result<(), HostError> {
        (self.seen, self.seen_user, self.reported) = (CpuTime::ZERO, CpuTime::ZERO, CpuTime::ZERO);
        self.turn = TurnAccount::default();
        self.reaped.begin(launcher)?;
        if let Some(process_starts) = &mut self.process_starts {
            process_starts.begin()?;
        }
        if let Some(machine) = &mut self.machine {
            machine.begin()?;
        }
        self.counter.as_mut().map_or(Ok(()), |counter| counter.begin())
    }

    /// Begins the next turn of a program that lives on.
    pub(super) fn resume(&mut self) -> Result<(), HostError> {
        self.counter.as_mut().map_or(Ok(()), |counter| counter.resume())
    }

    /// The charge so far. It may be too low by what is not yet visible.
    pub(super) fn so_far(&mut self) -> Result<CpuTime, HostError> {
        let living = living_use(Charge::Cpu);
        let known = self.reaped.so_far(living)?;
        // Read the counter last: it can only have grown in between. The group around the keeper cannot tell living
        // processes from those of others.
        let counted = if self.meter.has_witness() { self.counted()? } else { None };
        self.seen = self.seen.max(known.cpu);
        let margin = margin(self.meter);
        let hidden = self.surplus(margin, counted, self.seen, |_| Ok(known.fresh_pages))?.hidden();
        let used = match self.charge {
            Charge::Cpu => self.seen + hidden,
            Charge::User => {
                let user = self.reaped.user_time_so_far(living_use(Charge::User).cpu)?;
                self.seen_user = self.seen_user.max(user);
                self.seen_user + hidden
            }
        };
        self.reported = self.reported.max(used);
        Ok(self.reported)
    }

    /// The account so far of a program that lives on and is stopped; never less than before.
    ///
    /// Both witnesses are exact for living processes, but the children that one has reaped are in its own account in
    /// whole ticks: the counter says the rest. Beyond that its surplus is hidden time as soon as it exceeds the margin
    /// of this turn alone: that of the whole game would let a program hide a hundredth of all that it has used in a
    /// single turn.
    pub(super) fn of_living(&mut self) -> Result<Account, HostError> {
        let known = self.reaped.so_far(living_use(Charge::Cpu))?;
        let user = self.reaped.user_time_so_far(living_use(Charge::User).cpu)?;
        let counted = self.counted()?;
        self.seen = self.seen.max(known.cpu);
        let margin = margin(self.meter).of(self.seen.saturating_sub(self.turn.known));
        let surplus = self.surplus(margin, counted, self.seen, |_| Ok(known.fresh_pages))?;
        let rounded_off = surplus.in_doubt().min(known.rounded_off);
        // The group around the keeper says only how much it may be.
        let beyond = surplus.hidden() + if self.meter.has_witness() { rounded_off } else { CpuTime::ZERO };
        let sum = (self.seen + beyond).max(self.turn.split.sum());
        let user = (user + beyond).min(sum).max(self.turn.split.user);
        let split = CpuSplit { user, system: sum.saturating_sub(user) };
        let counted = counted.unwrap_or_default();
        let discrepancy = (surplus.hidden() > known.rounded_off).then(|| Discrepancy {
            metered: counted.saturating_sub(self.turn.counted),
            reaped: self.seen.saturating_sub(self.turn.known),
        });
        self.turn = TurnAccount { known: self.seen, counted, split };
        Ok(Account { split, discrepancy, in_doubt: surplus.in_doubt().saturating_sub(rounded_off) })
    }

    /// The run's account after all its processes are reaped; the largest had this much memory.
    pub(super) fn total(&mut self, peak_rss_bytes: u64) -> Result<Account, HostError> {
        let split = self.reaped.total()?;
        let reaped = split.sum();
        let counted = self.counted()?;
        let surplus = self.surplus(margin(self.meter), counted, reaped, |reaped| reaped.fresh_pages(peak_rss_bytes))?;
        let hidden = surplus.hidden();
        let discrepancy = self.discrepancy(counted.filter(|_| hidden > CpuTime::ZERO), counted, reaped);
        let split = self.at_least_what_was_seen(charged(split, hidden));
        let charged_too = split.sum().saturating_sub(reaped);
        Ok(Account { split, discrepancy, in_doubt: surplus.in_doubt().saturating_sub(charged_too) })
    }

    /// The counter's surplus over `known`.
    fn surplus(
        &self,
        margin: Margin,
        counted: Option<CpuTime>,
        known: CpuTime,
        fresh_pages: impl FnOnce(&ReapedUsage) -> Result<u64, HostError>,
    ) -> Result<CounterSurplus, HostError> {
        let (Some(counted), Some(witness), Some(machine)) = (counted, &self.counter, &self.machine) else {
            return Ok(CounterSurplus::None);
        };
        let difference = margin.beyond(counted, known);
        if difference == CpuTime::ZERO {
            return Ok(CounterSurplus::None);
        }
        // Only now, because it takes time to find out.
        let MachineActivity { started, stolen } = machine.meanwhile()?;
        if let Some(process_starts) = &self.process_starts
            && process_starts.none(counted, started)?
        {
            return Ok(CounterSurplus::None);
        }
        let taken_away = witness.not_its_own(stolen, known, fresh_pages(&self.reaped)?);
        Ok(if margin.and(taken_away).beyond(counted, known) == CpuTime::ZERO {
            CounterSurplus::Doubtful(difference)
        } else {
            CounterSurplus::Hidden(difference)
        })
    }

    /// `trusted` is the counter's value if it is trusted over the account of reaped processes.
    fn discrepancy(&self, trusted: Option<CpuTime>, counted: Option<CpuTime>, reaped: CpuTime) -> Option<Discrepancy> {
        let differs = |margin: Margin, larger, smaller| margin.beyond(larger, smaller) > CpuTime::ZERO;
        let seen = Some(self.seen).filter(|seen| differs(margin(Meter::Rusage), *seen, reaped));
        let led_astray =
            counted.filter(|counted| self.meter.has_witness() && differs(TOLERATED_SHORTFALL, reaped, *counted));
        let metered = trusted.max(seen).or(led_astray)?;
        Some(Discrepancy { metered, reaped })
    }

    fn counted(&mut self) -> Result<Option<CpuTime>, HostError> {
        self.counter.as_mut().map(|counter| counter.used()).transpose()
    }

    /// CPU time once seen was used, wherever it went.
    fn at_least_what_was_seen(&self, split: CpuSplit) -> CpuSplit {
        let sum = split.sum().max(self.seen);
        let user = (split.user + sum.saturating_sub(split.sum())).max(self.seen_user);
        CpuSplit { user, system: sum.saturating_sub(user) }
    }
}

/// The system share of unreaped time is unknown, so it counts under every clock.
fn charged(reaped: CpuSplit, hidden: CpuTime) -> CpuSplit {
    CpuSplit { user: reaped.user + hidden, ..reaped }
}

/// The smallest significant difference between two readings.
#[derive(Clone, Copy, Debug)]
struct Margin {
    at_least: CpuTime,
    /// Relative to the smaller reading.
    parts_per_thousand: u64,
}

impl Margin {
    /// The absolute margin for a smaller reading of `time`.
    fn of(self, time: CpuTime) -> Self {
        Self { at_least: self.at_least + self.share(time), parts_per_thousand: 0 }
    }

    fn share(self, time: CpuTime) -> CpuTime {
        CpuTime::from_micros(time.saturating_mul(self.parts_per_thousand).micros() / 1000)
    }

    fn and(self, more: CpuTime) -> Self {
        Self { at_least: self.at_least + more, ..self }
    }

    /// The excess of `larger` over `smaller`, or zero if it is within the margin.
    fn beyond(self, larger: CpuTime, smaller: CpuTime) -> CpuTime {
        let difference = larger.saturating_sub(smaller);
        if difference > self.at_least + self.share(smaller) { difference } else { CpuTime::ZERO }
    }
}

/// How far a meter may exceed the account of reaped processes without hidden time.
const fn margin(meter: Meter) -> Margin {
    match meter {
        // If the kernel accounts for interrupts, they are in this meter's value only.
        Meter::Perf => Margin { at_least: CpuTime::from_millis(2), parts_per_thousand: 10 },
        // These have the same source as that account, and so do the samples of living processes.
        Meter::CgroupV2 | Meter::CgroupV1 | Meter::Rusage => {
            Margin { at_least: CpuTime::from_micros(300), parts_per_thousand: 1 }
        }
    }
}

/// How far a meter may be below that account without having been misled. Since Linux 6.16, a task clock stops before a
/// process frees its memory, which takes a tenth of a second per gigabyte.
const TOLERATED_SHORTFALL: Margin = Margin { at_least: CpuTime::from_millis(20), parts_per_thousand: 250 };

/// `None` if the account of reaped processes is all there is.
fn counter(
    meter: Meter,
    outer: Option<&ControlGroup>,
    concurrency: Concurrency,
) -> Result<Option<Box<dyn Counter>>, String> {
    Ok(match meter {
        Meter::Perf => Some(Box::new(TaskClock::open()?)),
        Meter::CgroupV2 => Some(Box::new(CgroupLedger::open(CgroupVersion::Second, outer)?)),
        Meter::CgroupV1 => Some(Box::new(CgroupLedger::open(CgroupVersion::First, outer)?)),
        Meter::Rusage => match concurrency {
            Concurrency::Alone => SharedGroup::open(outer)
                // It can be done without; this meter must be available everywhere.
                .filter(|_| MachineAccount::open().is_ok())
                .map(|group| Box::new(group) as Box<dyn Counter>),
            Concurrency::Others => None,
        },
    })
}

/// Makes the counter count an idle process, so that a failure shows now and not during a game.
fn tested(mut counter: Box<dyn Counter>) -> Result<Box<dyn Counter>, String> {
    let outcome = with_idler(|idler| counter.adopt(idler).and_then(|()| counter.begin()).and_then(|()| counter.used()));
    outcome.map(|_| counter).map_err(|fault| fault.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn micros(micros: u64) -> CpuTime {
        CpuTime::from_micros(micros)
    }

    fn tree_meter(seen: u64, seen_user: u64) -> TreeMeter {
        let mut tree_meter = TreeMeter::with_counter(Meter::Rusage, Charge::Cpu, Ok(None)).ok().unwrap();
        (tree_meter.seen, tree_meter.seen_user) = (micros(seen), micros(seen_user));
        tree_meter
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
            let charged = tree_meter(seen, seen_user).at_least_what_was_seen(split);
            prop_assert!(charged.sum() >= split.sum().max(micros(seen)));
            prop_assert!(charged.user >= split.user.max(micros(seen_user)));
            // A value that the samples do not force is unchanged.
            if seen <= user + system && seen_user <= user {
                prop_assert_eq!(charged, split);
            }
        }
    }

    #[test]
    fn a_fault_of_the_machine_is_no_blindness() {
        // Freeing a gigabyte after two tenths of a second of work.
        assert_eq!(TOLERATED_SHORTFALL.beyond(micros(280_000), micros(210_000)), CpuTime::ZERO);
        assert_eq!(TOLERATED_SHORTFALL.beyond(micros(280_000), micros(1_000)), micros(279_000));
    }
}
