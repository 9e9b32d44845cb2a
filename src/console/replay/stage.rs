//! The terminal while it belongs to one command: the alternate screen, keys as they are pressed, no cursor.
//!
//! What must always hold: the terminal is left as it was found, however the command ends: by a key, by a signal, by an
//! error or by a panic. Only SIGKILL cannot be helped.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::thread;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyEvent};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, is_raw_mode_enabled,
};
use crossterm::{execute, queue};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use tokio::sync::mpsc;

use crate::console::terminal::Size;
use crate::messages::Look;

/// The terminal of standard input and output, taken over. It is restored when this is dropped.
#[derive(Debug)]
pub(super) struct ReplayTerminal;

impl ReplayTerminal {
    /// Takes the terminal over.
    pub(super) fn enter() -> io::Result<Self> {
        let terminal = Self;
        take()?;
        Ok(terminal)
    }

    /// Takes the terminal over again after the process was stopped, since the shell has used it meanwhile.
    pub(super) fn enter_again() -> io::Result<()> {
        restore_terminal();
        take()
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, Hide, DisableLineWrap)
}

impl Drop for ReplayTerminal {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Leaves the terminal as it was found, if it was taken over. Errors are ignored: the terminal may be gone.
pub fn restore_terminal() {
    if is_raw_mode_enabled().unwrap_or_default() {
        execute!(io::stdout(), EnableLineWrap, Show, LeaveAlternateScreen).ok();
        disable_raw_mode().ok();
    }
}

/// Draws `lines` over everything on the screen, in one write, so that nothing flickers.
pub(super) fn draw(lines: &[String], size: Size, look: Look) -> io::Result<()> {
    let look = look.with_columns(size.columns);
    let mut picture = Vec::new();
    for row in 0..u16::try_from(size.rows).unwrap_or(u16::MAX) {
        let line = lines
            .get(usize::from(row))
            .map_or_else(String::new, |line| look.cut(line));
        // Cleared before it is written: after a full line, the cursor stands on its last character.
        queue!(picture, MoveTo(0, row), Clear(ClearType::CurrentLine), Print(line))?;
    }
    let mut output = io::stdout().lock();
    output.write_all(&picture)?;
    output.flush()
}

/// The keys that are pressed from now on.
///
/// A thread of its own reads them, since `crossterm` blocks until the rest of a key that comes in pieces is there.
pub(super) fn pressed_keys() -> mpsc::UnboundedReceiver<KeyEvent> {
    let (sender, receiver) = mpsc::unbounded_channel();
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if let Event::Key(key) = event
                && sender.send(key).is_err()
            {
                break;
            }
        }
    });
    receiver
}

/// Waits until the terminal hangs up: `crossterm` 0.29 does not notice, and reads nothing in a busy loop.
pub(super) fn wait_for_hangup() {
    let stdin = io::stdin();
    // No event is asked for: errors and the hangup are reported in any case.
    let mut watched = [PollFd::new(stdin.as_fd(), PollFlags::empty())];
    while poll(&mut watched, PollTimeout::NONE) == Err(Errno::EINTR) {}
}
