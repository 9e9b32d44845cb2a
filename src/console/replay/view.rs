//! The position of the viewer in a recorded game, and the effects of keys. A pure state machine; its parent module
//! feeds it keys.

use std::ops::ControlFlow;
use std::time::Duration;

use crossterm::event::{KeyCode as Key, KeyEvent, KeyModifiers};

/// The current view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplayKeys {
    /// The number of turns before the shown board.
    pub(super) turn: usize,
    pub(super) page: ReplayScreen,
    /// The first shown line of a page longer than the screen.
    pub(super) scroll: usize,
    /// Whether the game plays automatically.
    pub(super) plays: bool,
    /// The turn number being typed.
    pub(super) typed: Option<String>,
    pace: usize,
}

/// What fills the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplayScreen {
    Board,
    Explanation,
    Help,
}

/// The limits of moving and scrolling.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplayBounds {
    /// The number of turns.
    pub(super) last: usize,
    /// The maximum scroll position.
    pub(super) scroll: usize,
    /// The lines of one screen.
    pub(super) screenful: usize,
}

/// The display times of a turn during automatic play, in milliseconds.
const PACES: [u64; 6] = [4000, 2000, 1000, 500, 250, 100];

/// The number of turns in a stride.
const STRIDE: usize = 10;

/// The maximum number of digits of a turn.
const MAX_DIGITS: usize = 6;

impl ReplayKeys {
    /// At the start of the game.
    pub(super) const fn new() -> Self {
        Self { turn: 0, page: ReplayScreen::Board, scroll: 0, plays: false, typed: None, pace: 3 }
    }

    /// The display time of a turn during automatic play.
    pub(super) const fn pace(&self) -> Duration {
        Duration::from_millis(PACES[self.pace])
    }

    /// Advances automatic play by one turn.
    pub(super) fn play_on(&mut self, last: usize) {
        self.turn = (self.turn + 1).min(last);
        self.plays = self.turn < last;
    }

    /// Handles `key`; breaks to quit.
    pub(super) fn press(&mut self, key: KeyEvent, bounds: ReplayBounds) -> ControlFlow<()> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let key = match key.code {
            Key::Char('c') if is_control => return ControlFlow::Break(()),
            // Some terminals send it for Backspace.
            Key::Char('h') if is_control => Key::Backspace,
            // Enter, pressed before the terminal was in raw mode.
            Key::Char('j') if is_control => Key::Enter,
            Key::Char(_) if is_control || key.modifiers.contains(KeyModifiers::ALT) => return ControlFlow::Continue(()),
            code => code,
        };
        if let Some(typed) = self.typed.take() {
            self.type_turn(typed, key, bounds.last);
            return ControlFlow::Continue(());
        }
        match self.page {
            ReplayScreen::Board => self.press_on_board(key, bounds.last),
            ReplayScreen::Explanation | ReplayScreen::Help => {
                self.press_on_text(key, bounds);
                ControlFlow::Continue(())
            }
        }
    }

    fn press_on_board(&mut self, key: Key, last: usize) -> ControlFlow<()> {
        let turn = match key {
            Key::Right | Key::Down | Key::Enter | Key::Char('n' | 'l' | 'j') => self.turn + 1,
            Key::Left | Key::Up | Key::Backspace | Key::Char('p' | 'h' | 'k') => self.turn.saturating_sub(1),
            Key::PageDown => self.turn + STRIDE,
            Key::PageUp => self.turn.saturating_sub(STRIDE),
            Key::Home => 0,
            Key::End | Key::Char('G') => last,
            Key::Char('q') | Key::Esc => return ControlFlow::Break(()),
            Key::Char(other) => {
                self.command(other, last);
                return ControlFlow::Continue(());
            }
            _ => return ControlFlow::Continue(()),
        };
        self.plays = false;
        self.turn = turn.min(last);
        ControlFlow::Continue(())
    }

    fn command(&mut self, letter: char, last: usize) {
        match letter {
            ' ' if self.plays => self.plays = false,
            ' ' => {
                self.plays = last > 0;
                if self.turn == last {
                    self.turn = 0;
                }
            }
            '+' | '=' => self.pace = (self.pace + 1).min(PACES.len() - 1),
            '-' => self.pace = self.pace.saturating_sub(1),
            'g' => self.typed = Some(String::new()),
            '0'..='9' => self.typed = Some(letter.to_string()),
            'e' => self.open(ReplayScreen::Explanation),
            '?' => self.open(ReplayScreen::Help),
            _ => {}
        }
        if self.typed.is_some() {
            self.plays = false;
        }
    }

    fn open(&mut self, page: ReplayScreen) {
        self.page = page;
        self.scroll = 0;
        self.plays = false;
    }

    fn press_on_text(&mut self, key: Key, bounds: ReplayBounds) {
        let screenful = bounds.screenful.max(2) - 1;
        let scroll = match key {
            Key::Down | Key::Enter | Key::Char('j' | 'n') => self.scroll + 1,
            Key::Up | Key::Char('k' | 'p') => self.scroll.saturating_sub(1),
            Key::PageDown | Key::Char(' ') => self.scroll + screenful,
            Key::PageUp => self.scroll.saturating_sub(screenful),
            Key::Home | Key::Char('g') => 0,
            Key::End | Key::Char('G') => bounds.scroll,
            Key::Char('?') if self.page == ReplayScreen::Explanation => return self.open(ReplayScreen::Help),
            Key::Char('e') if self.page == ReplayScreen::Help => return self.open(ReplayScreen::Explanation),
            Key::Esc | Key::Left | Key::Backspace | Key::Char('q' | 'e' | '?') => {
                return self.open(ReplayScreen::Board);
            }
            _ => self.scroll,
        };
        self.scroll = scroll.min(bounds.scroll);
    }

    /// Handles a key of a number being typed; it takes effect at Enter.
    fn type_turn(&mut self, mut typed: String, key: Key, last: usize) {
        match key {
            Key::Enter => {
                if let Ok(turn) = typed.parse::<usize>() {
                    self.turn = turn.min(last);
                }
                return;
            }
            Key::Esc | Key::Char('q') => return,
            Key::Backspace if typed.pop().is_none() => return,
            Key::Char(digit @ '0'..='9') if typed.len() < MAX_DIGITS => typed.push(digit),
            _ => {}
        }
        self.typed = Some(typed);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOUNDS: ReplayBounds = ReplayBounds { last: 25, scroll: 7, screenful: 5 };

    fn after(keys: &[Key]) -> (ReplayKeys, ControlFlow<()>) {
        let mut view = ReplayKeys::new();
        let mut control = ControlFlow::Continue(());
        for &key in keys {
            control = view.press(key.into(), BOUNDS);
        }
        (view, control)
    }

    #[test]
    fn keys_go_through_the_game() {
        let typed = |text: &str| text.chars().map(Key::Char).chain([Key::Enter]).collect::<Vec<_>>();
        let cases: &[(&[Key], usize)] = &[
            (&[Key::Right, Key::Right, Key::Left], 1),
            (&[Key::Left], 0),
            (&[Key::End, Key::Right], 25),
            (&[Key::PageDown, Key::PageDown, Key::PageDown], 25),
            (&[Key::PageDown, Key::PageDown, Key::PageUp], 10),
            (&[Key::End, Key::Home], 0),
            (&typed("g12"), 12),
            (&typed("7"), 7),
            (&typed("g99999999"), 25),
            (&typed("g"), 0),
            (&[Key::Char('1'), Key::Char('2'), Key::Backspace, Key::Enter], 1),
            (&[Key::Right, Key::Char('9'), Key::Esc], 1),
            (&[Key::Char('e'), Key::Down, Key::Char('e'), Key::Right], 1),
        ];
        for (keys, turn) in cases {
            assert_eq!(after(keys).0.turn, *turn, "{keys:?}");
        }
    }

    #[test]
    fn a_page_closes_before_the_replay_does() {
        assert_eq!(after(&[Key::Char('q')]).1, ControlFlow::Break(()));
        assert_eq!(after(&[Key::Char('?'), Key::Char('q')]).1, ControlFlow::Continue(()));
        assert_eq!(after(&[Key::Char('e'), Key::Esc, Key::Esc]).1, ControlFlow::Break(()));
        for key in ['e', 'g'] {
            let mut view = after(&[Key::Char(key)]).0;
            assert_eq!(
                view.press(KeyEvent::new(Key::Char('c'), KeyModifiers::CONTROL), BOUNDS),
                ControlFlow::Break(())
            );
        }
        assert_eq!(after(&[Key::Char('e'), Key::End, Key::Down]).0.scroll, 7);
        assert_eq!(after(&[Key::Char('e'), Key::Char(' '), Key::Up]).0.scroll, 3);
    }

    #[test]
    fn a_game_plays_by_itself_to_its_end_and_anew() {
        let (mut view, _) = after(&[Key::End, Key::Left, Key::Char(' ')]);
        assert!(view.plays && view.turn == 24);
        view.play_on(25);
        assert!(!view.plays && view.turn == 25);
        _ = view.press(Key::Char(' ').into(), BOUNDS);
        assert!(view.plays && view.turn == 0);
        assert!(!after(&[Key::Char(' '), Key::Right]).0.plays);
        assert!(after(&[Key::Char('+')]).0.pace() < ReplayKeys::new().pace());
    }

    fn any_key() -> impl Strategy<Value = Key> {
        let named = [Key::Left, Key::Right, Key::Up, Key::Down, Key::Home, Key::End, Key::PageUp, Key::PageDown];
        let named = named.into_iter().chain([Key::Enter, Key::Esc, Key::Backspace]);
        prop::sample::select(named.chain((' '..='~').map(Key::Char)).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn nobody_leaves_the_game_but_by_quitting(keys in prop::collection::vec(any_key(), 0..60)) {
            let (view, _) = after(&keys);
            prop_assert!(view.turn <= BOUNDS.last && view.scroll <= BOUNDS.scroll);
        }
    }
}
