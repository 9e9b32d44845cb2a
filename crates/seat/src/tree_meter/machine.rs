//! What the machine counts for all its processes together, in `/proc/stat` (`proc_stat(5)`).
//!
//! - How many processes and threads were ever started, for `process_starts`.
//! - The time that a hypervisor took from its processors ("steal"), summed over all processors. A task clock keeps
//!   running meanwhile. On a busy virtual machine with two processors, up to 17 ms of a run of 200 ms were stolen; no
//!   agent may be suspected for that. Which processes lost the time is not known.
//!
//! [`super::TreeMeter`] reads it at the beginning of a run, and again only if its witnesses differ: the kernel composes
//! the whole text for each reading.

use std::fs::File;

use super::super::fault::HostError;
use super::super::processes::{proc_text, ticks_long};
use referee_time::CpuTime;

/// The kernel counts stolen time in ticks, so one more may have passed.
const RESOLUTION_TICKS: u64 = 1;

/// The source, and its values when a run began.
pub(super) struct MachineAccount {
    statistics: File,
    before: MachineCounts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MachineCounts {
    started: u64,
    stolen_ticks: u64,
}

/// What happened on the machine during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MachineActivity {
    /// How many processes and threads were started.
    pub(super) started: u64,
    /// The maximum time that a hypervisor has stolen; zero where none ever did.
    pub(super) stolen: CpuTime,
}

impl MachineAccount {
    pub(super) fn open() -> Result<Self, HostError> {
        let statistics = File::open("/proc/stat").map_err(HostError::when("open `/proc/stat`"))?;
        let before = counts(&statistics)?;
        Ok(Self { statistics, before })
    }

    /// Begins a run.
    pub(super) fn begin(&mut self) -> Result<(), HostError> {
        self.before = counts(&self.statistics)?;
        Ok(())
    }

    pub(super) fn meanwhile(&self) -> Result<MachineActivity, HostError> {
        counts(&self.statistics).map(|now| now.since(self.before))
    }
}

impl MachineCounts {
    /// The eighth number of the first line is the steal: user, nice, system, idle, iowait, irq, softirq, steal.
    fn read(statistics: &str) -> Option<Self> {
        let started = statistics.lines().find_map(|line| line.strip_prefix("processes "))?;
        let stolen = statistics.lines().next()?.strip_prefix("cpu ")?.split_ascii_whitespace().nth(7);
        Some(Self {
            started: started.trim().parse().ok()?,
            stolen_ticks: stolen.and_then(|ticks| ticks.parse().ok()).unwrap_or(0),
        })
    }

    fn since(self, before: Self) -> MachineActivity {
        MachineActivity {
            started: self.started.saturating_sub(before.started),
            stolen: match self.stolen_ticks {
                0 => CpuTime::ZERO,
                ticks => ticks_long(ticks.saturating_sub(before.stolen_ticks) + RESOLUTION_TICKS),
            },
        }
    }
}

fn counts(statistics: &File) -> Result<MachineCounts, HostError> {
    let doing = "read what the machine has counted";
    let text = proc_text(statistics).map_err(HostError::when(doing))?;
    MachineCounts::read(&text).ok_or_else(|| HostError::when(doing)("it has another form than expected"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATISTICS: &str = "cpu  373164 0 72388 493044 2018 0 576 783 0 0\ncpu0 185861 0 34854 249256 578 0 35 393 0 \
                              0\nintr 1 2 3\nctxt 5\nbtime 6\nprocesses 4711\nprocs_running 2\n";

    #[test]
    fn the_steal_of_all_processors_and_the_starts_are_found() {
        let expected = MachineCounts { started: 4711, stolen_ticks: 783 };
        assert_eq!(MachineCounts::read(STATISTICS), Some(expected));
        let old = MachineCounts::read("cpu  1 2 3 4\nprocesses 1\n");
        assert_eq!(old.map(|counts| counts.stolen_ticks), Some(0));
        assert_eq!(MachineCounts::read("cpu 1\n"), None);
        assert_eq!(MachineCounts::read("intr 1 2 3 4 5 6 7 8\nprocesses 1\n"), None);
    }

    #[test]
    fn only_where_time_was_ever_stolen_it_may_have_been_stolen_now() {
        let at = |started, stolen_ticks| MachineCounts { started, stolen_ticks };
        let meanwhile = at(12, 0).since(at(10, 0));
        assert_eq!((meanwhile.started, meanwhile.stolen), (2, CpuTime::ZERO));
        assert_eq!(at(10, 7).since(at(10, 7)).stolen, ticks_long(1));
        assert_eq!(at(10, 9).since(at(10, 7)).stolen, ticks_long(3));
    }

    #[test]
    fn this_machine_counts_its_processes() {
        let machine = MachineAccount::open().unwrap();
        assert!(machine.before.started > 0);
        std::process::Command::new("/bin/true").status().unwrap();
        assert!(machine.meanwhile().unwrap().started > 0);
    }
}
