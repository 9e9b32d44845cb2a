//! Standard output of commands that print a text and end.

use std::io::{self, ErrorKind, Write};

use super::Failure;

/// Prints `text` as it is. A reader that went away (`| head`) ends the command without a complaint.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
        .map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Write(format!("cannot write to standard output: {error}")),
        })
}

/// Tells the user something beside the results. Where standard error cannot be written, nobody can be told.
pub(super) fn note(line: &str) {
    drop(writeln!(io::stderr(), "{line}"));
}
