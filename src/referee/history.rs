//! The part of a game's state that its position lacks: draws by idle turns, by repetition and by the turn limit.
//!
//! It knows no rules of a game and no clock. [`super::ongoing_game`] owns it.

use crate::games::{DrawRules, State};
use crate::records::Draw;

/// The past of a game, as far as draws depend on it.
#[derive(Clone, Debug)]
pub(super) struct History {
    rules: DrawRules,
    /// The positions since the last progress, including its result. Earlier positions cannot recur.
    since_progress: Vec<State>,
    idle_turns: u32,
    turns: u32,
}

impl History {
    /// The history of a game that begins with `start`; `start` counts as its own first occurrence.
    pub(super) fn new(rules: DrawRules, start: State) -> Self {
        Self {
            rules,
            since_progress: vec![start],
            idle_turns: 0,
            turns: 0,
        }
    }

    /// Adds a move to `after`.
    pub(super) fn add_move(&mut self, after: State, progress: bool) {
        self.turns += 1;
        if progress {
            self.since_progress.clear();
            self.idle_turns = 0;
        } else {
            self.idle_turns += 1;
        }
        self.since_progress.push(after);
    }

    /// Adds a pass: a turn, but no new occurrence of a position.
    pub(super) fn add_pass(&mut self) {
        self.turns += 1;
        self.idle_turns += 1;
    }

    /// The draw that is now due, if any.
    pub(super) fn draw(&self) -> Option<Draw> {
        let DrawRules {
            idle_turns,
            repetitions,
            turn_limit,
        } = self.rules;
        if let Some(times) = repetitions.filter(|&times| self.occurrences() >= times as usize) {
            return Some(Draw::Repetition { times });
        }
        if let Some(turns) = idle_turns.filter(|&turns| self.idle_turns >= turns) {
            return Some(Draw::IdleTurns { turns });
        }
        turn_limit
            .filter(|&turns| self.turns >= turns)
            .map(|turns| Draw::TurnLimit { turns })
    }

    /// How often the current placement has occurred.
    fn occurrences(&self) -> usize {
        let Some(now) = self.since_progress.last() else {
            return 0;
        };
        self.since_progress
            .iter()
            .filter(|earlier| earlier.same_placement(now))
            .count()
    }
}
