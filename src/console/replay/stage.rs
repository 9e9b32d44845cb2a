//! Takes over the terminal for one command: alternate screen, raw keys, no cursor. Only its parent module uses it.
//!
//! The terminal must be restored however the command ends: by a key, a signal, an error or a panic; only SIGKILL cannot
//! be handled.

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
use referee_messages::OutputStyle;

/// The terminal of standard input and output, taken over. Dropping it restores it.
#[derive(Debug)]
pub(super) struct ReplayTerminal;

impl ReplayTerminal {
    /// Takes over the terminal.
    pub(super) fn enter() -> io::Result<Self> {
        let terminal = Self;
        take()?;
        Ok(terminal)
    }

    /// Takes over the terminal again after the process was stopped and the shell used it.
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

/// Restores the terminal, if it was taken over. Ignores errors: the terminal may be gone.
pub fn restore_terminal() {
    if is_raw_mode_enabled().unwrap_or_default() {
        execute!(io::stdout(), EnableLineWrap, Show, LeaveAlternateScreen).ok();
        disable_raw_mode().ok();
    }
}

/// Draws `lines` over the whole screen in one write, without flicker.
pub(super) fn draw(lines: &[String], size: Size, look: OutputStyle) -> io::Result<()> {
    let look = look.with_columns(size.columns);
    let mut picture = Vec::new();
    for row in 0..u16::try_from(size.rows).unwrap_or(u16::MAX) {
        let line = lines.get(usize::from(row)).map_or_else(String::new, |line| look.cut(line));
        // Cleared first: after a full line, the cursor is on its last character.
        queue!(picture, MoveTo(0, row), Clear(ClearType::CurrentLine), Print(line))?;
    }
    let mut output = io::stdout().lock();
    output.write_all(&picture)?;
    output.flush()
}

/// The keys pressed from now on.
///
/// A separate thread reads them, because `crossterm` blocks until a key that arrives in pieces is complete.
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

/// Waits until the terminal hangs up: `crossterm` 0.29 does not notice, and reads in a busy loop.
pub(super) fn wait_for_hangup() {
    let stdin = io::stdin();
    // No events requested: errors and hangup are always reported.
    let mut watched = [PollFd::new(stdin.as_fd(), PollFlags::empty())];
    while poll(&mut watched, PollTimeout::NONE) == Err(Errno::EINTR) {}
}
