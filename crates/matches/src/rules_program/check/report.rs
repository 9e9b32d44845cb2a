//! The results of checking the laws. Plain data; `trial` fills it, and `referee game check` prints it.

use std::time::Duration;

use serde::Serialize;

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GameCheck {
    /// The number of positions tried, ...
    pub positions: usize,
    /// ... and the number asked for. There are fewer if the rules failed too often.
    pub positions_wanted: usize,
    /// The number of random games in which they occurred, ...
    pub games: usize,
    /// ... how many of these finished, ...
    pub ended: usize,
    /// ... how many were stopped because they were too long, ...
    pub stopped: usize,
    /// ... and in how many the rules failed.
    pub failed: usize,
    /// How many turns of these games were passes.
    pub passes: usize,
    /// How many moves were listed in these positions, ...
    pub moves_listed: usize,
    /// ... and how many of them were tried.
    pub moves_tried: usize,
    /// Each reason for which a game may end, and how often one did.
    pub ends: Vec<MetEnding>,
    /// Each law, whether it was tried or not.
    pub laws: Vec<LawResult>,
    /// How long the questions took.
    pub speed: Vec<QuestionSpeed>,
}

/// A reason for which games end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetEnding {
    /// A code of `goals` or `draw_reasons`, or one that every game has, such as `no-pieces` or `turn-limit`.
    pub code: String,
    /// How many random games ended so.
    pub met: usize,
    /// How many of these were won by the side that had not just moved.
    pub won_without_moving: usize,
}

impl MetEnding {
    /// One that was not met yet.
    pub(super) fn of(code: &str) -> Self {
        Self { code: code.to_owned(), met: 0, won_without_moving: 0 }
    }
}

/// A law of rules programs, in the order in which results are told; `laws` says it in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    Answers,
    Turns,
    Same,
    Unchanged,
    Listed,
    Others,
    Reasons,
    Codes,
    Bytes,
    Over,
    Squares,
    TimeLine,
    /// Only of rules for programs that live for a whole game.
    Framed,
    Inputs,
    WholeState,
    Visible,
    Values,
    Opposite,
    Differs,
    Winners,
    Memory,
    Ends,
    Names,
}

/// The result of one law.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LawResult {
    #[serde(skip)]
    pub(super) id: Law,
    /// The law, as a sentence without a full stop.
    pub law: &'static str,
    /// What to do where it is broken.
    pub remedy: &'static str,
    /// What has to be there for it to be tried.
    pub needs: &'static str,
    /// Whether a program that breaks it can be used all the same.
    pub is_advice: bool,
    /// How often it was tried.
    pub tried: usize,
    /// How often it was violated.
    pub broken: usize,
    /// The first violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradiction: Option<LawViolation>,
}

/// A violation of a law.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LawViolation {
    /// What contradicts what, in sentences.
    pub found: Vec<String>,
    /// The rows of the board, if there is a position.
    pub board: Vec<String>,
    /// The position as a line that `--input` reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The end of what the program wrote to its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// How long a kind of question took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionSpeed {
    /// Its word.
    pub question: &'static str,
    /// How often it was asked.
    pub asked: u32,
    /// How long it took on average, in microseconds.
    pub mean_wall_us: u64,
    /// How long it took at most, in microseconds.
    pub longest_wall_us: u64,
}

impl GameCheck {
    /// Whether it ended before all positions were tried, because the rules failed too often.
    pub fn stopped_early(&self) -> bool {
        self.positions < self.positions_wanted
    }

    /// Whether no law was broken without which the program cannot be used.
    pub fn is_ready(&self) -> bool {
        self.laws.iter().all(|law| law.broken == 0 || law.is_advice)
    }
}

impl LawResult {
    /// Notes one try.
    pub(super) fn note(&mut self, contradiction: Option<LawViolation>) {
        self.tried += 1;
        self.broken += usize::from(contradiction.is_some());
        if self.contradiction.is_none() {
            self.contradiction = contradiction;
        }
    }
}

impl QuestionSpeed {
    pub(super) const fn new(question: &'static str) -> Self {
        Self { question, asked: 0, mean_wall_us: 0, longest_wall_us: 0 }
    }

    /// Notes one answer; [`Self::mean_wall_us`] is the sum until [`Self::averaged`].
    pub(super) fn note(&mut self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.asked += 1;
        self.mean_wall_us = self.mean_wall_us.saturating_add(took);
        self.longest_wall_us = self.longest_wall_us.max(took);
    }

    pub(super) fn averaged(mut self) -> Self {
        self.mean_wall_us /= u64::from(self.asked.max(1));
        self
    }
}
