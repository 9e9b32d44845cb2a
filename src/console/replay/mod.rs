//! A recorded game, gone through by keys on a terminal, or as one text.
//!
//! For: looking at a game. Deliberately not here: judging it ([`crate::referee`]) and words ([`crate::messages`]).
//!
//! What a key does ([`ReplayView`]) and what is drawn for a size ([`picture`]) are functions of values; only [`ReplayTerminal`] knows the
//! terminal.

mod keys;
mod reel;
mod screen;
mod stage;
mod view;

use std::io;
use std::time::Instant;

pub use self::reel::Reel;
use self::screen::{page_lines, picture};
pub use self::stage::give_back;
use self::stage::{ReplayEvent, ReplayTerminal, draw};
use self::view::{ReplayBounds, ReplayView, Wish};
use super::terminal::{Size, Terminal};

/// How somebody stopped looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// By a key.
    Quit,
    /// By a signal, in one word.
    Signalled(&'static str),
}

impl Reel {
    /// Shows the game on `terminal`, which is standard output, until somebody has seen enough.
    ///
    /// # Errors
    ///
    /// The terminal cannot be used.
    pub fn show(&self, terminal: &Terminal) -> io::Result<Left> {
        let mut stage = ReplayTerminal::enter()?;
        let mut view = ReplayView::new();
        let mut next_turn = Instant::now();
        loop {
            let size = terminal.size();
            let look = terminal.look();
            draw(&picture(self, &view, size, look), size, look)?;
            let patience = view.plays.then(|| next_turn.saturating_duration_since(Instant::now()));
            match stage.wait(patience)? {
                ReplayEvent::Ended(word) => return Ok(Left::Signalled(word)),
                ReplayEvent::Pressed(keys) => {
                    let (played, pace) = (view.plays, view.pace());
                    for key in keys {
                        let bounds = self.bounds(&view, size, terminal);
                        if view.press(key, bounds) == Wish::Quit {
                            return Ok(Left::Quit);
                        }
                    }
                    if view.plays && (!played || pace != view.pace()) {
                        next_turn = Instant::now() + view.pace();
                    }
                }
                ReplayEvent::Resized | ReplayEvent::Waited => {}
            }
            if view.plays && Instant::now() >= next_turn {
                view.play_on(self.last());
                next_turn = Instant::now() + view.pace();
            }
            // The page may have become shorter.
            view.scroll = view.scroll.min(self.bounds(&view, terminal.size(), terminal).scroll);
        }
    }

    fn bounds(&self, view: &ReplayView, size: Size, terminal: &Terminal) -> ReplayBounds {
        let screenful = size.rows.saturating_sub(2);
        let lines = page_lines(self, view.page, terminal.look()).len();
        ReplayBounds {
            last: self.last(),
            scroll: lines.saturating_sub(screenful),
            screenful,
        }
    }
}
