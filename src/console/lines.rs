//! Reads typed lines with a timeout. It interprets nothing; `person` calls it.
//!
//! It must never block in `read(2)`: it polls the descriptor first, and setting a flag ends the wait.

use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::read;

/// The interval of checking whether to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// More than anybody types; longer lines are split.
const LONGEST_LINE_BYTES: usize = 64 << 10;

/// The lines from a descriptor.
#[derive(Debug)]
pub(super) struct LineReader<F> {
    source: F,
    /// Data read but not yet returned.
    pending: Vec<u8>,
    is_over: bool,
}

/// The result of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineWait {
    /// A line, without its end, lossy.
    Line(String),
    /// The timeout passed.
    Late,
    /// End of file.
    Over,
    /// The wait was cancelled.
    Stopped,
}

impl<F: AsFd> LineReader<F> {
    pub(super) const fn new(source: F) -> Self {
        Self { source, pending: Vec::new(), is_over: false }
    }

    /// The next line, if it arrives before `until` and before `stop` is set.
    ///
    /// # Errors
    ///
    /// The system's, if reading fails.
    pub(super) fn next(&mut self, until: Option<Instant>, stop: &AtomicBool) -> io::Result<LineWait> {
        loop {
            if let Some(line) = self.take() {
                return Ok(LineWait::Line(line));
            }
            if self.is_over {
                return Ok(LineWait::Over);
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(LineWait::Stopped);
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Ok(LineWait::Late);
            }
            self.wait(left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL)))?;
        }
    }

    /// Reads available data, and waits at most `timeout` for it.
    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        // A wait rounded down to zero would be a busy loop.
        let timeout = PollTimeout::try_from(timeout + Duration::from_millis(1)).unwrap_or(PollTimeout::ZERO);
        let mut asked = [PollFd::new(self.source.as_fd(), PollFlags::POLLIN)];
        match poll(&mut asked, timeout) {
            Ok(0) | Err(Errno::EINTR) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let mut chunk = [0; 4096];
        match read(&self.source, &mut chunk) {
            // A terminal that has hung up returns EIO.
            Ok(0) | Err(Errno::EIO) => self.is_over = true,
            Ok(bytes) => self.pending.extend_from_slice(&chunk[..bytes]),
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// The first complete line of the data; at the end of file, the rest.
    fn take(&mut self) -> Option<String> {
        let end = self.pending.iter().position(|&byte| byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (end, end + 1),
            None if self.pending.len() >= LONGEST_LINE_BYTES => (LONGEST_LINE_BYTES, LONGEST_LINE_BYTES),
            None if self.is_over && !self.pending.is_empty() => (self.pending.len(), self.pending.len()),
            None => return None,
        };
        let text = String::from_utf8_lossy(&self.pending[..line]).trim_end_matches('\r').to_owned();
        self.pending.drain(..rest);
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn lines_come_one_by_one_and_then_no_more() {
        let (source, mut sink) = io::pipe().unwrap();
        sink.write_all(b"one\r\ntwo\nrest").unwrap();
        drop(sink);
        let mut lines = LineReader::new(source);
        let go_on = AtomicBool::new(false);
        let mut next = || lines.next(None, &go_on).unwrap();
        assert_eq!(
            [next(), next(), next(), next(), next()],
            [
                LineWait::Line("one".to_owned()),
                LineWait::Line("two".to_owned()),
                LineWait::Line("rest".to_owned()),
                LineWait::Over,
                LineWait::Over
            ]
        );
    }

    #[test]
    fn nobody_waits_for_ever() {
        let (source, sink) = io::pipe().unwrap();
        let mut lines = LineReader::new(source);
        let soon = Instant::now() + Duration::from_millis(5);
        assert_eq!(lines.next(Some(soon), &AtomicBool::new(false)).unwrap(), LineWait::Late);
        assert_eq!(lines.next(None, &AtomicBool::new(true)).unwrap(), LineWait::Stopped);
        drop(sink);
    }
}
