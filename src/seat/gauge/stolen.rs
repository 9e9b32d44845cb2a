//! The time that a hypervisor took from this machine's processors: "steal" in `proc_stat(5)`, summed over all
//! processors.
//!
//! A task clock keeps running meanwhile. On a busy virtual machine with two processors, up to 17 ms of a run of 200 ms
//! were stolen; no agent may be suspected for that. Which processes lost the time is not known. `perf` reads it.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::super::fault::HostError;
use super::super::processes::ticks_long;
use crate::time::CpuTime;

/// The kernel counts in ticks, so one more may have passed.
const RESOLUTION_TICKS: u64 = 1;

/// The source, and its value when a run began.
pub(super) struct Stolen {
    statistics: File,
    before_ticks: u64,
}

impl Stolen {
    pub(super) fn open() -> std::io::Result<Self> {
        let mut stolen = Self {
            statistics: File::open("/proc/stat")?,
            before_ticks: 0,
        };
        stolen.before_ticks = stolen.ticks()?;
        Ok(stolen)
    }

    /// Begins a run. If nothing was ever stolen, this is not a virtual machine, and reading is skipped.
    pub(super) fn begin(&mut self) -> Result<(), HostError> {
        if self.before_ticks > 0 {
            self.before_ticks = self.read()?;
        }
        Ok(())
    }

    /// The maximum time stolen since.
    pub(super) fn at_most(&self) -> Result<CpuTime, HostError> {
        Ok(match self.read()? {
            0 => CpuTime::ZERO,
            now => ticks_long(now.saturating_sub(self.before_ticks) + RESOLUTION_TICKS),
        })
    }

    fn read(&self) -> Result<u64, HostError> {
        self.ticks()
            .map_err(HostError::when("read what was stolen from the processors"))
    }

    fn ticks(&self) -> std::io::Result<u64> {
        let mut beginning = [0; 256];
        let length = self.statistics.read_at(&mut beginning, 0)?;
        Ok(str::from_utf8(&beginning[..length])
            .ok()
            .and_then(stolen_ticks)
            .unwrap_or(0))
    }
}

/// The eighth number of the first line: user, nice, system, idle, iowait, irq, softirq, steal.
fn stolen_ticks(statistics: &str) -> Option<u64> {
    let numbers = statistics.lines().next()?.strip_prefix("cpu ")?;
    numbers.split_ascii_whitespace().nth(7)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steal_of_all_processors_is_found() {
        let text = "cpu  373164 0 72388 493044 2018 0 576 783 0 0\ncpu0 185861 0 34854 249256 578 0 35 393 0 0\n";
        assert_eq!(stolen_ticks(text), Some(783));
        assert_eq!(stolen_ticks("cpu  1 2 3 4\n"), None);
        assert_eq!(stolen_ticks("intr 1 2 3 4 5 6 7 8\n"), None);
    }
}
