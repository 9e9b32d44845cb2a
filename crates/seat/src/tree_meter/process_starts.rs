//! Tells whether a run has started any process or thread at all.
//!
//! This separates hidden CPU time from measurement noise. If the program's process never created another process or
//! thread, its account is complete once it has been waited for, and any surplus that a witness saw is not the
//! program's. It does not count starts: a thread's time is in its process's account, and afterwards nothing
//! distinguishes the number of a thread from that of an unreaped process. [`super::TreeMeter`] asks it once a run.
//!
//! A PID namespace assigns numbers in sequence and reports the last one (`/proc/loadavg`, proc(5)). If it has not
//! changed, nothing was started, or the numbers have wrapped around. They wrap to [`FIRST_REUSED_NUMBER`], so a last
//! number below that proves that they have not. In its own namespace a keeper may set the last number (`ns_last_pid`,
//! `pid_namespaces(7)`), and does so when a seat has used up the low ones. Where it may not, two facts rule out a wrap:
//! - Assigning all numbers takes CPU time, at least [`MIN_CPU_PER_START`] each.
//! - The machine counts all processes and threads ever started (`machine`). That count alone is no proof, because a
//!   start that fails late takes a number too: with `CLONE_PIDFD` and no free descriptor (which the seccomp filter
//!   refuses), and in a thread that is being killed, which is one more per start. On a busy machine it proves nothing
//!   for a sealed seat, whose namespace has only a few hundred numbers.
//!
//! Other programs' processes in the namespace count like the run's own, so outside sealed seats it is known less often.

use std::fs::File;

use super::super::fault::HostError;
use super::super::idler::with_idler;
use super::super::processes::{is_first_of_namespace, proc_text};
use referee_time::CpuTime;

/// The minimum CPU time to assign a number. A failing thread start takes 5 microseconds on a fast machine.
const MIN_CPU_PER_START: CpuTime = CpuTime::from_micros(2);

/// Numbers below this are assigned only once (`RESERVED_PIDS`).
const FIRST_REUSED_NUMBER: u64 = 300;

const DOING: &str = "read the number of the last process";

/// Evidence of started processes.
pub(super) struct ProcessStarts {
    load: File,
    /// How many numbers are assigned before they wrap around.
    numbers: u64,
    /// The last number that was assigned before the run.
    before: u64,
}

impl ProcessStarts {
    /// Fails where these files are made up by something else than this kernel, as in some sandboxes and containers:
    /// then they do not show at once that a process was started.
    pub(super) fn open() -> Result<Self, HostError> {
        let mut process_starts = Self::read().map_err(HostError::when(DOING))?;
        process_starts.begin()?;
        if with_idler(|_| process_starts.none(CpuTime::ZERO, 0))? {
            return Err(HostError::when(DOING)("a new one is not counted"));
        }
        Ok(process_starts)
    }

    fn read() -> std::io::Result<Self> {
        let highest = std::fs::read_to_string("/proc/sys/kernel/pid_max")?;
        let highest: u64 = highest.trim().parse().map_err(std::io::Error::other)?;
        Ok(Self {
            load: File::open("/proc/loadavg")?,
            numbers: highest.saturating_sub(FIRST_REUSED_NUMBER + 1),
            before: 0,
        })
    }

    /// Begins a run; its process already exists.
    pub(super) fn begin(&mut self) -> Result<(), HostError> {
        self.before = self.last_number()?;
        if is_reused(self.before) && is_first_of_namespace() {
            // A kernel without checkpoints (`CONFIG_CHECKPOINT_RESTORE`) has no such file.
            let _ = std::fs::write("/proc/sys/kernel/ns_last_pid", "1");
            self.before = self.last_number()?;
        }
        Ok(())
    }

    /// Whether certainly nothing was started since. `used` is the maximum CPU time that the run can have used, and
    /// `in_machine` the number of starts in the whole machine.
    pub(super) fn none(&self, used: CpuTime, in_machine: u64) -> Result<bool, HostError> {
        Ok(self.is_proof(self.last_number()?, used, in_machine))
    }

    fn is_proof(&self, last_number: u64, used: CpuTime, in_machine: u64) -> bool {
        let has_wrapped = || is_reused(last_number) && may_have_wrapped(self.numbers, used, in_machine);
        last_number == self.before && !has_wrapped()
    }

    fn last_number(&self) -> Result<u64, HostError> {
        let text = proc_text(&self.load).map_err(HostError::when(DOING))?;
        last_number(&text).ok_or_else(|| HostError::when(DOING)("it has another form than expected"))
    }
}

fn last_number(load: &str) -> Option<u64> {
    load.split_ascii_whitespace().last()?.parse().ok()
}

fn is_reused(number: u64) -> bool {
    number >= FIRST_REUSED_NUMBER
}

fn may_have_wrapped(numbers: u64, used: CpuTime, in_machine: u64) -> bool {
    let enough = in_machine.saturating_mul(2) >= numbers;
    let long_enough = used >= MIN_CPU_PER_START.saturating_mul(numbers);
    enough && long_enough
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_is_found() {
        assert_eq!(last_number("0.38 0.97 0.96 2/121 303\n"), Some(303));
        assert_eq!(last_number(""), None);
    }

    #[test]
    fn numbers_come_round_only_with_enough_starts_and_time() {
        let second = CpuTime::from_secs(1);
        // The size of an ordinary user's namespace, and of root's.
        for (numbers, used, in_machine, expected) in [
            (4_000_000, second, 0, false),
            (320, second, 0, false),
            (320, second, 159, false),
            (320, second, 160, true),
            (320, CpuTime::from_micros(639), 160, false),
            (4_000_000, second, 4_000_000, false),
            (4_000_000, CpuTime::from_secs(8), 4_000_000, true),
        ] {
            let found = may_have_wrapped(numbers, used, in_machine);
            assert_eq!(found, expected, "{in_machine} of {numbers} in {used}");
        }
    }

    #[test]
    fn a_number_that_is_assigned_once_proves_it_whatever_else_was_started() {
        let long = CpuTime::from_secs(1000);
        let mut process_starts = ProcessStarts::read().unwrap();
        process_starts.numbers = 320;
        for (before, expected) in [(2, true), (299, true), (300, false)] {
            process_starts.before = before;
            assert_eq!(process_starts.is_proof(before, long, u64::MAX), expected, "{before}");
            assert!(!process_starts.is_proof(before + 1, long, 0), "{before}");
        }
    }

    #[test]
    fn this_machine_tells_the_last_number() {
        let mut process_starts = ProcessStarts::open().unwrap();
        process_starts.begin().unwrap();
        assert!(process_starts.before > 0);
    }
}
