//! Tells whether a run has started any process or thread at all.
//!
//! This separates hidden CPU time from measurement noise. If the program's process never created another process or
//! thread, its account is complete once it has been waited for, and any surplus that a witness saw is not the
//! program's. It does not count starts: a thread's time is in its process's account, and afterwards nothing
//! distinguishes the number of a thread from that of an unreaped process. [`super::Gauge`] asks it once a run.
//!
//! A PID namespace assigns numbers in sequence and reports the last one (`/proc/loadavg`, proc(5)). If it has not
//! changed, nothing was started, or the numbers have wrapped around. Two facts rule out the latter:
//! - Assigning all numbers takes CPU time, at least [`LEAST_FOR_A_NUMBER`] each.
//! - The machine counts all processes and threads ever started (`processes` in `/proc/stat`). That count alone is no
//!   proof, because a start that fails late takes a number too: with `CLONE_PIDFD` and no free descriptor (which the
//!   seccomp filter refuses), and in a thread that is being killed, which is one more per start.
//!
//! Outside a PID namespace, other programs start processes too, so nothing can be proved.

use std::fs::File;
use std::io::{Read, Seek};

use super::super::fault::HostError;
use crate::time::CpuTime;

/// The minimum CPU time to assign a number. A failing thread start takes 5 microseconds on a fast machine.
const LEAST_FOR_A_NUMBER: CpuTime = CpuTime::from_micros(2);

/// Numbers below this are assigned only once (`RESERVED_PIDS`).
const GIVEN_AGAIN_FROM: u64 = 300;

/// Evidence of started processes.
pub(super) struct Births {
    last_number: File,
    statistics: File,
    /// How many numbers are assigned before they wrap around.
    numbers: u64,
    before: BirthCount,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BirthCount {
    last_number: u64,
    started_in_machine: u64,
}

impl Births {
    /// Must be called by the first process of a PID namespace that sees its own `/proc`.
    pub(super) fn open() -> std::io::Result<Self> {
        let highest = std::fs::read_to_string("/proc/sys/kernel/pid_max")?;
        let highest: u64 = highest.trim().parse().map_err(std::io::Error::other)?;
        Ok(Self {
            last_number: File::open("/proc/loadavg")?,
            statistics: File::open("/proc/stat")?,
            numbers: highest.saturating_sub(GIVEN_AGAIN_FROM + 1),
            before: BirthCount::default(),
        })
    }

    /// Begins a run; its process already exists.
    pub(super) fn begin(&mut self) -> Result<(), HostError> {
        self.before = self.count()?;
        Ok(())
    }

    /// Whether certainly nothing was started since. `used` is the maximum CPU time that the run can have used.
    pub(super) fn none(&mut self, used: CpuTime) -> Result<bool, HostError> {
        let now = self.count()?;
        Ok(is_none(self.before, now, self.numbers, used))
    }

    fn count(&mut self) -> Result<BirthCount, HostError> {
        let doing = "read how many processes there have been";
        let last_number = text(&mut self.last_number).map_err(HostError::when(doing))?;
        let statistics = text(&mut self.statistics).map_err(HostError::when(doing))?;
        count(&last_number, &statistics).ok_or_else(|| HostError::when(doing)("it has another form than expected"))
    }
}

fn text(file: &mut File) -> std::io::Result<String> {
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text)?;
    Ok(text)
}

fn count(load: &str, statistics: &str) -> Option<BirthCount> {
    let started = statistics.lines().find_map(|line| line.strip_prefix("processes "))?;
    Some(BirthCount {
        last_number: load.split_ascii_whitespace().last()?.parse().ok()?,
        started_in_machine: started.trim().parse().ok()?,
    })
}

fn is_none(before: BirthCount, now: BirthCount, numbers: u64, used: CpuTime) -> bool {
    let started = now.started_in_machine.saturating_sub(before.started_in_machine);
    let too_few = started.saturating_mul(2) < numbers;
    let too_quick = used < LEAST_FOR_A_NUMBER.saturating_mul(numbers);
    before.last_number == now.last_number && (too_few || too_quick)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_and_the_count_of_the_machine_are_found() {
        let statistics = "cpu  1 2 3\nintr 1 2 3\nctxt 5\nbtime 6\nprocesses 4711\nprocs_running 2\n";
        let expected = BirthCount {
            last_number: 303,
            started_in_machine: 4711,
        };
        assert_eq!(count("0.38 0.97 0.96 2/121 303\n", statistics), Some(expected));
        assert_eq!(count("", statistics), None);
        assert_eq!(count("0.38 0.97 0.96 2/121 303\n", "cpu 1\n"), None);
    }

    #[test]
    fn nothing_was_started_only_if_the_numbers_cannot_have_come_round() {
        let at = |last_number, started_in_machine| BirthCount {
            last_number,
            started_in_machine,
        };
        let second = CpuTime::from_secs(1);
        // The size of an ordinary user's namespace, and of root's.
        for (now, numbers, used, expected) in [
            (at(7, 100), 4_000_000, second, true),
            (at(8, 101), 4_000_000, second, false),
            (at(7, 100), 320, second, true),
            (at(7, 259), 320, second, true),
            (at(7, 260), 320, second, false),
            (at(7, 4_000_100), 4_000_000, second, true),
            (at(7, 4_000_100), 4_000_000, CpuTime::from_secs(8), false),
            (at(8, 101), 320, CpuTime::ZERO, false),
        ] {
            assert_eq!(
                is_none(at(7, 100), now, numbers, used),
                expected,
                "{now:?} of {numbers}"
            );
        }
    }

    #[test]
    fn this_machine_tells_both() {
        let mut births = Births::open().unwrap();
        births.begin().unwrap();
        assert!(births.before.last_number > 0 && births.before.started_in_machine > 0);
    }
}
