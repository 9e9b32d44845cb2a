//! The terminal while it belongs to one command: another screen, keys as they are pressed, no cursor.
//!
//! What must always hold: the terminal is left as it was found, however the command ends: by a key, by a signal, by an error
//! or by a panic. Only SIGKILL cannot be helped.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::termios::{SetArg, Termios, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::read;

use super::keys::{ReplayKey, keys};
use crate::console::terminal::Size;
use crate::messages::Look;

/// How the terminal was found; nothing while it is as it was. It is here, since a panic has no other way to it.
static FOUND: Mutex<Option<Termios>> = Mutex::new(None);

/// Another screen, no cursor, no line that goes on in the next.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// The terminal of standard input and output, taken. It is given back when this is dropped.
#[derive(Debug)]
pub(super) struct ReplayTerminal {
    signals: SignalFd,
    listened: SigSet,
}

/// Something to react to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReplayEvent {
    /// Keys were pressed.
    Pressed(Vec<ReplayKey>),
    /// The terminal has another size.
    Resized,
    /// Nothing happened for as long as was waited.
    Waited,
    /// The user, or whoever ends the session, has had enough; the word says by which signal.
    Ended(&'static str),
}

impl ReplayTerminal {
    /// Takes the terminal.
    pub(super) fn enter() -> io::Result<Self> {
        let mut listened = SigSet::empty();
        let ending = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
        for signal in ending.into_iter().chain([Signal::SIGWINCH, Signal::SIGCONT]) {
            listened.add(signal);
        }
        listened.thread_block()?;
        let signals = SignalFd::with_flags(&listened, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
        let stage = Self { signals, listened };
        take()?;
        Ok(stage)
    }

    /// Waits until something happens, or for `patience`.
    pub(super) fn wait(&mut self, patience: Option<Duration>) -> io::Result<ReplayEvent> {
        let stdin = io::stdin();
        let timeout = patience.map_or(PollTimeout::NONE, |patience| {
            PollTimeout::try_from(patience).unwrap_or(PollTimeout::MAX)
        });
        let mut watched = [
            PollFd::new(self.signals.as_fd(), PollFlags::POLLIN),
            PollFd::new(stdin.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut watched, timeout) {
            Ok(0) | Err(Errno::EINTR) => return Ok(ReplayEvent::Waited),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let pressed = watched[1].any().unwrap_or(true);
        if let Some(information) = self.signals.read_signal()? {
            return signalled(information.ssi_signo);
        }
        if !pressed {
            return Ok(ReplayEvent::Waited);
        }
        let mut bytes = [0; 1024];
        match read(&stdin, &mut bytes) {
            // Nobody is there any more to press keys.
            Ok(0) | Err(Errno::EIO) => Ok(ReplayEvent::Ended("hung up")),
            Ok(length) => Ok(ReplayEvent::Pressed(keys(&bytes[..length]))),
            Err(Errno::EINTR | Errno::EAGAIN) => Ok(ReplayEvent::Waited),
            Err(error) => Err(error.into()),
        }
    }
}

/// Draws `lines` over whatever was there, in one go, so that nothing flickers.
pub(super) fn draw(lines: &[String], size: Size, look: Look) -> io::Result<()> {
    let look = look.with_columns(size.columns);
    let mut picture = String::new();
    for row in 0..size.rows {
        let line = lines.get(row).map_or_else(String::new, |line| look.cut(line));
        // Cleared before it is written: after a full line, the cursor stands on its last character.
        write!(picture, "\x1b[{};1H\x1b[2K{line}", row + 1).expect("a string has room");
    }
    let mut output = io::stdout().lock();
    output.write_all(picture.as_bytes())?;
    output.flush()
}

impl Drop for ReplayTerminal {
    fn drop(&mut self) {
        give_back();
        // Nobody is left to tell if the signals stay blocked; the process is about to end.
        self.listened.thread_unblock().ok();
    }
}

fn signalled(number: u32) -> io::Result<ReplayEvent> {
    let signal = i32::try_from(number)
        .ok()
        .and_then(|number| Signal::try_from(number).ok());
    Ok(match signal {
        Some(Signal::SIGINT) => ReplayEvent::Ended("interrupted"),
        Some(Signal::SIGTERM) => ReplayEvent::Ended("terminated"),
        Some(Signal::SIGHUP) => ReplayEvent::Ended("hung up"),
        Some(Signal::SIGCONT) => {
            // Whoever stopped the process has had the terminal meanwhile.
            give_back();
            take()?;
            ReplayEvent::Resized
        }
        _ => ReplayEvent::Resized,
    })
}

fn take() -> io::Result<()> {
    let stdin = io::stdin();
    let found = tcgetattr(&stdin)?;
    let mut raw = found.clone();
    cfmakeraw(&mut raw);
    *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
    tcsetattr(&stdin, SetArg::TCSADRAIN, &raw)?;
    let mut output = io::stdout().lock();
    output.write_all(ENTER.as_bytes())?;
    output.flush()
}

/// Leaves the terminal as it was found, if it was taken. A terminal that is gone needs no care.
pub fn give_back() {
    let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(found) = found else { return };
    let mut output = io::stdout();
    drop(output.write_all(LEAVE.as_bytes()).and_then(|()| output.flush()));
    tcsetattr(io::stdin(), SetArg::TCSADRAIN, &found).ok();
}
