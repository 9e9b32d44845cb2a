//! The part of a game's state that its position lacks: draws by idle turns, by repetition and by the turn limit.
//!
//! It knows no rules of a game and no clock. `referee` has one for each game; the check of rules programs asks one how
//! their random games would end.

use super::{DrawRules, ReachedPosition, State};

/// A draw that no position shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum HistoryDraw {
    /// The same placement of all pieces occurred this often.
    Repetition {
        /// The number.
        times: u32,
    },
    /// This many consecutive turns without progress.
    IdleTurns {
        /// The number.
        turns: u32,
    },
    /// The game reached the turn limit.
    TurnLimit {
        /// The limit.
        turns: u32,
    },
}

/// The past of a game, as far as draws depend on it.
#[derive(Clone, Debug)]
pub struct History {
    rules: DrawRules,
    /// The positions since the last progress, including its result. Earlier positions cannot recur.
    since_progress: Vec<State>,
    idle_turns: u32,
    turns: u32,
}

impl History {
    /// The history of a game that begins with `start`; `start` counts as its own first occurrence.
    pub fn new(rules: DrawRules, start: State) -> Self {
        Self { rules, since_progress: vec![start], idle_turns: 0, turns: 0 }
    }

    /// `position`, which the game has now reached, with its history.
    pub fn reached<'a>(&'a self, position: &'a State) -> ReachedPosition<'a> {
        ReachedPosition {
            position,
            since_progress: &self.since_progress,
            idle_turns: self.idle_turns,
            turns: self.turns,
            draws: self.rules,
        }
    }

    /// Adds a move to `after`.
    pub fn add_move(&mut self, after: State, progress: bool) {
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
    pub fn add_pass(&mut self) {
        self.turns += 1;
        self.idle_turns += 1;
    }

    /// The draw that is now due, if any.
    pub fn draw(&self) -> Option<HistoryDraw> {
        let DrawRules { idle_turns, repetitions, turn_limit } = self.rules;
        if let Some(times) = repetitions.filter(|&times| self.occurrences() >= times as usize) {
            return Some(HistoryDraw::Repetition { times });
        }
        if let Some(turns) = idle_turns.filter(|&turns| self.idle_turns >= turns) {
            return Some(HistoryDraw::IdleTurns { turns });
        }
        turn_limit.filter(|&turns| self.turns >= turns).map(|turns| HistoryDraw::TurnLimit { turns })
    }

    /// How often the current placement has occurred.
    fn occurrences(&self) -> usize {
        let Some(now) = self.since_progress.last() else {
            return 0;
        };
        self.since_progress.iter().filter(|earlier| earlier.same_placement(now)).count()
    }
}
