//! Reads typed lines, for which one can wait with a timeout. It interprets nothing; `person` calls it.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// More than anybody types; longer lines are split.
const LONGEST_LINE_BYTES: u64 = 64 << 10;

/// The lines of `source` from now on, without their ends, lossy.
///
/// A separate thread reads them, because nothing ends a read that waits for input. The channel closes at the end of the
/// input, and where it cannot be read: a terminal that has hung up returns EIO.
pub fn typed_lines(source: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut source = BufReader::new(source);
        let mut line = Vec::new();
        while source.by_ref().take(LONGEST_LINE_BYTES).read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
            if sender.send(text).is_err() {
                break;
            }
            line.clear();
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use std::io::{Write, pipe};
    use std::sync::mpsc::RecvTimeoutError;
    use std::time::Duration;

    use super::*;

    #[test]
    fn lines_come_one_by_one_and_then_no_more() {
        let (source, mut sink) = pipe().unwrap();
        let lines = typed_lines(source);
        let none_yet = lines.recv_timeout(Duration::from_millis(5));
        assert_eq!(none_yet, Err(RecvTimeoutError::Timeout));
        sink.write_all(b"one\r\ntwo\nrest").unwrap();
        drop(sink);
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["one", "two", "rest"]);
    }
}
