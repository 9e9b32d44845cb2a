//! Who is alive under the keeper, and what they have used so far, from `/proc` (proc(5)).
//!
//! For: killing what is left over and looking at a budget while it is being used. Deliberately not here: the use that
//! is charged in the end, which comes from reaped processes and is exact. What must always hold: a look is never more
//! than was really used, whatever starts, ends or changes its parent while it is taken.

use std::collections::BTreeSet;

use nix::sys::time::TimeSpec;
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::{Pid, SysconfVar, sysconf};

use super::Charge;
use crate::time::CpuTime;

/// The children of this process, which has one thread.
pub(super) fn children() -> std::io::Result<Vec<Pid>> {
    std::fs::read_to_string("/proc/thread-self/children").map(|list| pids(&list))
}

/// The CPU time that one process has used by itself, exactly.
pub(super) fn cpu_clock(pid: Pid) -> nix::Result<CpuTime> {
    clock_gettime(clock_getcpuclockid(pid)?).map(|time| cpu_time(&time))
}

/// What all living descendants have used, and all the dead ones that those have waited for.
///
/// Parents are looked at before their children, and no process twice. A child that ends in between is missed this time
/// and found in its parent's account the next; the other way round it would count double.
pub(super) fn living_use(charge: Charge) -> CpuTime {
    let mut seen = BTreeSet::new();
    let mut waiting = children().unwrap_or_default();
    let mut sum = CpuTime::ZERO;
    while let Some(pid) = waiting.pop() {
        if seen.insert(pid) {
            sum += use_of(pid, charge).unwrap_or_default();
            waiting.extend(children_of(pid));
        }
    }
    sum
}

/// A process has a list of children for each of its threads.
pub(super) fn children_of(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| pids(&list))
        .collect()
}

fn pids(list: &str) -> Vec<Pid> {
    list.split_ascii_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .map(Pid::from_raw)
        .collect()
}

/// What one process and the children that it has waited for used; the latter is only known in ticks, cut downwards.
fn use_of(pid: Pid, charge: Charge) -> Option<CpuTime> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let ticks = Ticks::read(&stat)?;
    Some(match charge {
        Charge::Cpu => cpu_clock(pid).ok()? + ticks_long(ticks.children_user + ticks.children_system),
        Charge::User => ticks_long(ticks.user + ticks.children_user),
    })
}

#[derive(Debug, PartialEq, Eq)]
struct Ticks {
    user: u64,
    children_user: u64,
    children_system: u64,
}

impl Ticks {
    /// The fields 14, 16 and 17. The second one is a name in parentheses that may itself hold blanks and parentheses.
    fn read(stat: &str) -> Option<Self> {
        let (_, after_name) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3)?.parse().ok();
        Some(Self {
            user: field(14)?,
            children_user: field(16)?,
            children_system: field(17)?,
        })
    }
}

/// How long so many ticks of proc(5) are.
pub(super) fn ticks_long(ticks: u64) -> CpuTime {
    let per_second = sysconf(SysconfVar::CLK_TCK)
        .ok()
        .flatten()
        .and_then(|ticks| u64::try_from(ticks).ok())
        .filter(|ticks| *ticks > 0)
        .unwrap_or(100);
    CpuTime::from_micros(ticks.saturating_mul(1_000_000) / per_second)
}

fn cpu_time(time: &TimeSpec) -> CpuTime {
    CpuTime::from_duration((*time).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_blanks_and_parentheses_does_not_shift_the_fields() {
        let stat = "7 (a) b (c)) R 1 7 7 0 -1 4194304 94 0 0 0 11 12 13 14 20 0 1 0 100 0 0";
        let ticks = Ticks {
            user: 11,
            children_user: 13,
            children_system: 14,
        };
        assert_eq!(Ticks::read(stat), Some(ticks));
    }

    #[test]
    fn a_line_that_is_cut_short_is_no_account() {
        for stat in ["", "7", "7 (x", "7 (x) R 1 2 3"] {
            assert_eq!(Ticks::read(stat), None, "{stat:?}");
        }
    }
}
