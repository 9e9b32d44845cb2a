//! Writes all messages between the referee and a rules program to a file, as JSON Lines. `client` calls it.
//!
//! For authors who write the protocol themselves. A file that cannot be written must not disturb the questions;
//! the error is reported at the end.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use parking_lot::Mutex;

/// A log, and the first error of writing it.
#[derive(Debug)]
pub(super) struct MessageLog(Mutex<(BufWriter<File>, io::Result<()>)>);

impl MessageLog {
    pub(super) fn new(file: File) -> Self {
        Self(Mutex::new((BufWriter::new(file), Ok(()))))
    }

    /// Adds a question, a line with its end, and its answer without one.
    pub(super) fn add(&self, question: &[u8], answer: &[u8]) {
        let (file, result) = &mut *self.0.lock();
        if result.is_ok() {
            *result = [question, answer, b"\n"].iter().try_for_each(|part| file.write_all(part));
        }
    }

    /// Writes what is still in memory.
    ///
    /// # Errors
    ///
    /// The system's, of this and of everything before.
    pub(super) fn finish(&self) -> io::Result<()> {
        let (file, result) = &mut *self.0.lock();
        std::mem::replace(result, Ok(())).and_then(|()| file.flush())
    }
}
