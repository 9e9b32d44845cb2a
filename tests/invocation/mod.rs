//! Runs the program for tests.
//!
//! It starts `referee` and returns how it ended. Standard input is empty unless a test provides it.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test program uses another part of it, so that it is dead code in the others"
)]

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use nix::sys::signal::Signal;

/// The program with these arguments, not started yet.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    // Not that of whoever runs the tests.
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.env("PATH", path());
    command.args(arguments).stdin(Stdio::null());
    listen_to_signals();
    command
}

/// Makes sure that the programs started from now on do not ignore signals. Tests in the background of a script ignore
/// SIGINT, and their child processes would inherit that.
pub(crate) fn listen_to_signals() {
    let signals = [Signal::SIGINT, Signal::SIGHUP, Signal::SIGTERM, Signal::SIGUSR1];
    referee_seat::restore_signals(&signals).expect("each has a default action");
}

/// The caller's `PATH`, but with the distribution's own programs first. The tests start thousands of Pythons, and one
/// of a version manager's, behind its shim and with its site packages, takes ten times as long.
pub(crate) fn path() -> OsString {
    let own = std::env::var_os("PATH").unwrap_or_default();
    let distribution = ["/usr/bin", "/bin"].map(PathBuf::from);
    std::env::join_paths(distribution.into_iter().chain(std::env::split_paths(&own)))
        .expect("they come from such a list")
}

/// Runs the program to its end.
pub(crate) fn referee(arguments: &[&str]) -> Output {
    command(arguments).output().expect("it runs")
}

/// Runs the program to its end, with `input` to read.
pub(crate) fn referee_reading(arguments: &[&str], input: impl AsRef<[u8]> + Send) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    std::thread::scope(|scope| {
        // What ends before everything is read closes the pipe; and what answers while it reads has to be read
        // meanwhile.
        scope.spawn(move || drop(stdin.write_all(input.as_ref())));
        child.wait_with_output().expect("it ends")
    })
}

/// The exit status.
pub(crate) fn status(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

/// What it printed.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it prints UTF-8")
}

/// What it complained of, but for [notes on load](without_notes_on_load).
pub(crate) fn stderr(output: &Output) -> String {
    without_notes_on_load(std::str::from_utf8(&output.stderr).expect("it complains in UTF-8"))
}

/// What was said, without what is said of a machine that the tests themselves keep busy.
pub(crate) fn without_notes_on_load(said: &str) -> String {
    let is_note = |line: &str| line.contains("this machine is busy") || line.contains("the machine was too busy");
    said.split_inclusive('\n').filter(|line| !is_note(line)).collect()
}

/// What it prints where it ends with `expected`.
pub(crate) fn printed(arguments: &[&str], expected: i32) -> String {
    let output = referee(arguments);
    assert_eq!(output.status.code(), Some(expected), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// Fails unless `part` is in `text`, and shows the text.
#[track_caller]
pub(crate) fn assert_contains(text: impl AsRef<str>, part: &str) {
    let text = text.as_ref();
    assert!(text.contains(part), "expected `{part}` in `{text}`");
}

/// Fails unless `text` begins with `start`, and shows the text.
#[track_caller]
pub(crate) fn assert_starts(text: impl AsRef<str>, start: &str) {
    let text = text.as_ref();
    assert!(text.starts_with(start), "expected `{start}` at the start of `{text}`");
}

/// Fails unless `text` ends with `end`, and shows the text.
#[track_caller]
pub(crate) fn assert_ends(text: impl AsRef<str>, end: &str) {
    let text = text.as_ref();
    assert!(text.ends_with(end), "expected `{end}` at the end of `{text}`");
}

/// The words of `text`, in which each `{}` stands for the next of `values`, whatever blanks it has.
pub(crate) fn words<'a>(text: &'a str, values: &[&'a str]) -> Vec<&'a str> {
    let mut values = values.iter();
    let mut fill = |word| match word {
        "{}" => values.next().expect("each `{}` has a value"),
        word => word,
    };
    let words = text.split_whitespace().map(&mut fill).collect();
    assert_eq!(values.next(), None, "each value has a `{{}}`");
    words
}
