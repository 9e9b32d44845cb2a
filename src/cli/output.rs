//! Prints the output of commands: for programs, for people, notes, and failures. All commands print through it.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::Failure;
use crate::console::{Stream, Terminal};
use crate::messages::OutputStyle;
use crate::rules_program::first_fault;

/// Whether this command has no answer once a rules program has failed.
static WITHHOLDS: AtomicBool = AtomicBool::new(false);

/// From now on, nothing is printed once a rules program has failed: what follows from its answers is false.
pub(super) fn withhold_after_rules_faults() {
    WITHHOLDS.store(true, Ordering::Relaxed);
}

/// Fails if an answer must not be printed any more.
pub(super) fn expect_sound_rules() -> Result<(), Failure> {
    let is_silent = WITHHOLDS.load(Ordering::Relaxed);
    let fault = first_fault().filter(|_| is_silent);
    fault.map_or(Ok(()), |fault| Err(Failure::Input(fault)))
}

/// Prints `text` for programs: unchanged, except for characters that a terminal lacks. A closed pipe (`| head`) ends
/// the command without an error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    expect_sound_rules()?;
    let look = Terminal::of(Stream::Stdout).look();
    let mut output = io::stdout().lock();
    output.write_all(look.spell(text).as_bytes()).and_then(|()| output.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Write(format!("cannot write to stdout: {error}")),
    })
}

/// Prints `value` as a line of JSON.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&json_line(value)?)
}

/// `value` as a line of JSON.
pub(super) fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::Bug(error.to_string()))?;
    Ok(text + "\n")
}

/// Prints `text` for people: fitted to the width of a terminal.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    print(&fitted(text, Terminal::of(Stream::Stdout).look()))
}

/// Prints a note on standard error. If that fails, it is dropped, as it is where no answer is printed any more.
pub(super) fn note(text: &str) {
    if expect_sound_rules().is_ok() {
        print_error(text);
    }
}

/// Prints a complaint on standard error. If that fails, it is dropped.
fn print_error(text: &str) {
    let text = fitted(text, Terminal::of(Stream::Stderr).look());
    drop(writeln!(io::stderr(), "{}", text.trim_end_matches('\n')));
}

impl Failure {
    /// Prints the message; returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        let (status, message) = match self {
            Self::SetAside(message) => (1, message),
            Self::Usage(message) => (2, message),
            Self::Input(message) => (3, message),
            Self::Machine(message) => (4, message),
            Self::Write(message) => (5, message),
            Self::Bug(message) => (70, message),
            Self::ReaderGone => return ExitCode::SUCCESS,
            Self::Stopped(message) => (75, message),
            Self::Interrupted(message) => (130, message),
        };
        print_error(&format!("referee: {message}"));
        ExitCode::from(status)
    }
}

fn fitted(text: &str, look: OutputStyle) -> String {
    text.lines().flat_map(|line| look.fit(line)).map(|line| line + "\n").collect()
}
