//! Judges a submission's runs apart from its answers: leftover processes and files, and printed output. `prepared`
//! collects the facts, and `examine` calls it.

use std::collections::BTreeSet;

use super::report::CheckItem;
use referee_games::protocol::{plain, quote};
use referee_messages::{ProcessorWaits, counted};
use referee_seat::{Run, Termination};

const LEFTOVERS: &str = "leftovers";
const PRINTING: &str = "printing";

/// As much printed output as a seat keeps: more costs time.
const MUCH_BYTES: usize = 2 << 10;

/// The maximum shown width of a line.
const COLUMNS: usize = 100;

/// The maximum number of named files.
const NAMES: usize = 5;

/// What was observed in all runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ObservedConduct {
    /// The number of runs.
    runs: usize,
    /// The number of runs that left processes, ...
    leaving: usize,
    /// ... and the maximum number of these.
    survivors: u32,
    /// The names of leftover files, at most ten per run.
    removed: BTreeSet<String>,
    /// The first output on standard error.
    stderr: Option<String>,
    /// How a run ended abnormally.
    ended: Option<String>,
    /// The largest resident set of any process.
    pub(super) peak_rss_bytes: u64,
    /// How long they waited for a processor.
    pub(super) waits: ProcessorWaits,
}

impl ObservedConduct {
    /// Records leftovers and memory of `run`.
    pub(super) fn note(&mut self, run: &Run) {
        self.runs += 1;
        self.leaving += usize::from(run.survivors > 0);
        self.survivors = self.survivors.max(run.survivors);
        self.removed.extend(run.removed.iter().cloned());
        self.peak_rss_bytes = self.peak_rss_bytes.max(run.usage.peak_rss_bytes);
        self.waits.add(run);
    }

    /// Records the output and the end of `run`, which answered well. For other runs, the answer's explanation contains
    /// them.
    pub(super) fn note_oddities(&mut self, run: &Run) {
        if self.stderr.is_none() && !run.stderr.trim().is_empty() {
            self.stderr = Some(run.stderr.clone());
        }
        if self.ended.is_none() {
            self.ended = failure(&run.ended);
        }
    }
}

/// How a program failed by itself, in the past tense; `None` if it did not.
pub(super) fn failure(ended: &Termination) -> Option<String> {
    match ended {
        Termination::Answered
        | Termination::Exited { status: 0 }
        | Termination::OutOfCpu
        | Termination::Guarded
        | Termination::Exceeded { .. }
        | Termination::NotStarted { .. } => None,
        Termination::Exited { status } => Some(format!("exited with status {status}")),
        Termination::Signalled { name, .. } => Some(format!("was terminated by {}", plain(name))),
    }
}

/// Judges leftover processes and files.
pub(super) fn judge_leftovers(conduct: &ObservedConduct) -> CheckItem {
    let mut found = Vec::new();
    if conduct.leaving > 0 {
        found.push(format!(
            "in {} of {} it left processes running, at most {}: killed",
            conduct.leaving,
            counted(conduct.runs, "run"),
            conduct.survivors
        ));
    }
    if !conduct.removed.is_empty() {
        let names: Vec<String> = conduct.removed.iter().take(NAMES).map(|name| quote(name.as_bytes())).collect();
        let more = if conduct.removed.len() > NAMES { ", ..." } else { "" };
        found.push(format!("it left {}{more}: removed", names.join(", ")));
    }
    if found.is_empty() {
        return CheckItem::ok(LEFTOVERS, format!("none in {}", counted(conduct.runs, "run")));
    }
    let remedy = if conduct.leaving > 0 {
        "end all threads and processes before the program exits: their time is charged, and they are killed"
    } else {
        "only `playdata.txt` is kept for the next move: write no other files"
    };
    CheckItem::warning(LEFTOVERS, found.join("; "), remedy)
}

/// Judges printed output and abnormal ends: neither costs points, but both are hints.
pub(super) fn judge_printing(conduct: &ObservedConduct, stdout: &str) -> CheckItem {
    if let Some(ended) = &conduct.ended {
        let remedy = "find out why: this answer counts because it was written before the crash, the next may not";
        return CheckItem::warning(PRINTING, format!("the program {ended} after a valid answer"), remedy)
            .with(end_of(conduct));
    }
    if conduct.stderr.is_some() {
        let remedy = "check for errors; grading ignores this output, and printing costs time";
        return CheckItem::warning(PRINTING, "it writes to stderr", remedy).with(end_of(conduct));
    }
    if stdout.len() >= MUCH_BYTES {
        let remedy = "remove the output: nobody reads it, and its time is charged";
        return CheckItem::warning(PRINTING, "it prints more than 2 KiB per move", remedy);
    }
    match stdout.lines().find(|line| !line.trim().is_empty()) {
        None => CheckItem::ok(PRINTING, "it prints nothing"),
        Some(line) => {
            CheckItem::ok(PRINTING, format!("it prints {} to stdout (harmless, ignored)", quote(line.as_bytes())))
        }
    }
}

/// Judges what is printed by a submission that writes no `output.txt`, if anything.
pub(super) fn judge_unread(stdout: &str) -> Option<CheckItem> {
    let line = stdout.lines().find(|line| !line.trim().is_empty())?;
    let found = format!("it prints {} and writes no `output.txt`", quote(line.as_bytes()));
    let remedy = "write the move to the file `output.txt`: nobody reads what is printed";
    Some(CheckItem::warning(PRINTING, found, remedy))
}

/// The last lines on standard error.
fn end_of(conduct: &ObservedConduct) -> Vec<String> {
    let stderr = conduct.stderr.as_deref().unwrap_or_default();
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(3)..];
    last.iter().map(|line| plain(line).chars().take(COLUMNS).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn much_on_standard_output_is_a_warning() {
        let judged = |bytes| judge_printing(&ObservedConduct::default(), &"x".repeat(bytes)).light.word();
        assert_eq!([MUCH_BYTES - 1, MUCH_BYTES].map(judged), ["ok", "warning"]);
    }
}
