//! Standard output of commands that print a text and end.

use std::io::{self, ErrorKind, Write};

use super::Failure;

/// Prints `text` as it is. A reader that went away (`| head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Write(format!("cannot write to standard output: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
