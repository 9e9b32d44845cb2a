//! Says in words how a program's run ended, and quotes its last output.
//!
//! Reads a run's report; it judges nothing. Called by [`super::explain`], by gradebooks and feedback, by `check` and by
//! live boards.

use serde::Serialize;

use referee_games::protocol::plain;
use referee_seat::{OutputFile, Run, Termination};
use referee_time::CpuTime;

/// The end of a program's run. Its texts are safe on a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProcessEnd {
    /// A sentence: `the program exited with status 1`.
    pub how: String,
    /// The last lines of its standard error, at most [`Self::STDERR_LINES`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// The maximum length of a shown line of standard error.
const STDERR_COLUMNS: usize = 160;

impl ProcessEnd {
    /// The maximum number of shown lines of standard error.
    pub const STDERR_LINES: usize = 12;

    /// The end of a person's turn, in which no program ran.
    pub(super) fn of_a_person() -> Self {
        Self { how: "there was none: a person played".to_owned(), stderr: Vec::new() }
    }

    /// The end of a run.
    pub fn of(run: &Run) -> Self {
        let lines: Vec<&str> = run.stderr.lines().collect();
        let last = &lines[lines.len().saturating_sub(Self::STDERR_LINES)..];
        Self { how: ending(run), stderr: last.iter().map(|line| one_line(line)).collect() }
    }
}

/// A line of foreign text, cut to a length that fits a terminal.
fn one_line(line: &str) -> String {
    let shown = plain(&line.replace('\t', "    "));
    match shown.char_indices().nth(STDERR_COLUMNS) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

fn ending(run: &Run) -> String {
    match &run.ended {
        Termination::Answered if matches!(run.output, OutputFile::Unfinished { .. }) => {
            "the program closed its standard output and lived on".to_owned()
        }
        Termination::Answered => "the program had answered and lived on".to_owned(),
        Termination::Exited { status: 0 } => "the program exited with status 0".to_owned(),
        Termination::Exited { status } => format!("the program exited with status {status}"),
        Termination::Signalled { name, .. } => match cause_of(name) {
            Some(cause) => format!("the program was terminated by {}: {cause}", plain(name)),
            None => format!("the program was terminated by {}", plain(name)),
        },
        Termination::OutOfCpu => "the program was killed because its CPU time was used up".to_owned(),
        Termination::Guarded => {
            let wall = run.usage.wall.as_secs_f64();
            format!("the program was killed after {wall:.1} s of wall-clock time")
        }
        Termination::Exceeded { .. } => "the program was killed for exceeding a limit".to_owned(),
        Termination::NotStarted { .. } => "the program was not started".to_owned(),
    }
}

/// The usual cause of a signal.
fn cause_of(signal: &str) -> Option<&'static str> {
    match signal {
        "SIGSEGV" | "SIGBUS" => {
            Some("invalid memory access (an index out of range, a null pointer, or too deep recursion)")
        }
        "SIGABRT" => Some("it aborted (an uncaught exception or a failed assertion)"),
        "SIGFPE" => Some("it divided by zero"),
        "SIGILL" => Some("illegal instruction (compiled for another processor, or a function without a return)"),
        "SIGKILL" => Some("killed from outside, usually by the system because memory ran out"),
        "SIGSYS" => Some("it made a forbidden system call"),
        "SIGXFSZ" => Some("it wrote a file larger than the limit"),
        "SIGXCPU" => Some("it used more CPU time than the limit"),
        "SIGPIPE" => Some("it wrote to a closed pipe"),
        _ => None,
    }
}

/// Whether the program ended against its own intention.
pub(super) fn has_crashed(run: &Run) -> bool {
    match run.ended {
        Termination::Exited { status } => status != 0,
        Termination::Signalled { .. } => true,
        Termination::Answered
        | Termination::OutOfCpu
        | Termination::Guarded
        | Termination::Exceeded { .. }
        | Termination::NotStarted { .. } => false,
    }
}

/// The last line of a Python traceback or Java stack trace, quoted: the cause of the crash.
pub(super) fn last_words(run: &Run) -> Option<String> {
    let java = run.stderr.lines().find(|line| line.starts_with("Exception in thread "));
    let python = || {
        let last = run.stderr.lines().rev().find(|line| !line.trim().is_empty())?;
        let class = last.split(':').next()?;
        let is_class = class.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
        let named = ["Error", "Exception", "Interrupt", "Exit"].iter().any(|end| class.ends_with(end));
        (is_class && named).then_some(last)
    };
    let cpp = || run.stderr.lines().find(|line| line.starts_with("terminate called "));
    java.or_else(python).or_else(cpp).map(|line| format!("`{}`", one_line(line.trim())))
}

/// The total CPU time of a run, charged or not.
pub(super) fn cpu_of(run: &Run) -> CpuTime {
    run.usage.user + run.usage.system
}
