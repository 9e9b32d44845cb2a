//! Standard output of commands that print a text and end.

use std::io::{self, ErrorKind, Write};

use super::Failure;
use crate::console::{Stream, Terminal};
use crate::messages::Look;

/// Prints `text` for programs: as it is, only in the characters that a terminal has. A reader that went away (`| head`)
/// ends the command without a complaint.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let look = Terminal::of(Stream::Stdout).look();
    let mut output = io::stdout().lock();
    output
        .write_all(look.spell(text).as_bytes())
        .and_then(|()| output.flush())
        .map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Write(format!("cannot write to standard output: {error}")),
        })
}

/// Prints `text` for people: on a terminal, no line is wider than that.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    print(&fitted(text, Terminal::of(Stream::Stdout).look()))
}

/// Tells the user something beside the results. Where standard error cannot be written, nobody can be told.
pub(super) fn note(text: &str) {
    let text = fitted(text, Terminal::of(Stream::Stderr).look());
    drop(writeln!(io::stderr(), "{}", text.trim_end_matches('\n')));
}

fn fitted(text: &str, look: Look) -> String {
    let lines = text.lines().flat_map(|line| look.fit(line));
    lines.map(|line| line + "\n").collect()
}
