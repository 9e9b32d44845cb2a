//! Shows a recorded game, by keys on a terminal or as one text. `cli/replay` calls it.
//!
//! It neither judges ([`referee_matches::referee`]) nor words results ([`referee_messages`]). The effect of a key
//! ([`ReplayKeys`]) and the picture for a size ([`picture`]) are pure functions; only [`ReplayTerminal`] accesses the
//! terminal.

mod analysis;
mod frames;
mod screen;
mod stage;
mod view;

use std::io;

use nix::libc::{EIO, SIGCONT};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until};

pub use self::frames::Frames;
use self::screen::{page_lines, picture};
pub use self::stage::restore_terminal;
use self::stage::{ReplayTerminal, draw, pressed_keys, wait_for_hangup};
use self::view::{ReplayBounds, ReplayKeys};
use super::terminal::{Size, Terminal};

/// Why the replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayEnd {
    /// By a key.
    Quit,
    /// The terminal hung up.
    HungUp,
}

impl Frames {
    /// Shows the game on `terminal`, which must be standard output, until the user quits.
    ///
    /// Dropping the future restores the terminal.
    ///
    /// # Errors
    ///
    /// The terminal cannot be used.
    pub async fn show(&self, terminal: &Terminal) -> io::Result<ReplayEnd> {
        match self.show_until_left(terminal).await {
            // A terminal that hangs up while it is written to may tell the writer first (tty_write, Linux).
            Err(error) if error.raw_os_error() == Some(EIO) => Ok(ReplayEnd::HungUp),
            ended => ended,
        }
    }

    async fn show_until_left(&self, terminal: &Terminal) -> io::Result<ReplayEnd> {
        let mut resumed = signal(SignalKind::from_raw(SIGCONT))?;
        let mut resized = signal(SignalKind::window_change())?;
        let _terminal = ReplayTerminal::enter()?;
        let mut hangup = spawn_blocking(wait_for_hangup);
        let mut keys = pressed_keys();
        let mut view = ReplayKeys::new();
        let mut next_turn = Instant::now();
        loop {
            let size = terminal.size();
            let bounds = self.bounds(&view, size, terminal);
            // The page may have become shorter.
            view.scroll = view.scroll.min(bounds.scroll);
            let look = terminal.look();
            draw(&picture(self, &view, size, look), size, look)?;
            tokio::select! {
                Some(key) = keys.recv() => {
                    let (played, pace) = (view.plays, view.pace());
                    if view.press(key, bounds).is_break() {
                        return Ok(ReplayEnd::Quit);
                    }
                    if view.plays && (!played || pace != view.pace()) {
                        next_turn = Instant::now() + view.pace();
                    }
                }
                () = sleep_until(next_turn), if view.plays => {
                    view.play_on(self.last());
                    next_turn = Instant::now() + view.pace();
                }
                Some(()) = resized.recv() => {}
                Some(()) = resumed.recv() => ReplayTerminal::enter_again()?,
                _ = &mut hangup => return Ok(ReplayEnd::HungUp),
            }
        }
    }

    fn bounds(&self, view: &ReplayKeys, size: Size, terminal: &Terminal) -> ReplayBounds {
        let screenful = size.rows.saturating_sub(2);
        let lines = page_lines(self, view.page, terminal.look()).len();
        ReplayBounds { last: self.last(), scroll: lines.saturating_sub(screenful), screenful }
    }
}
