//! The results of checking the laws. Plain data; `laws` fills it, and `referee game check` prints it.

use std::time::Duration;

use serde::Serialize;

/// The most contradictions of one law that are kept; the others are counted.
const MOST_KEPT: usize = 3;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameCheck {
    /// The number of positions tried.
    pub positions: usize,
    /// The number of random games in which they occurred, ...
    pub games: usize,
    /// ... and how many of these finished.
    pub ended: usize,
    /// Each law.
    pub laws: Vec<LawResult>,
    /// How long the questions took.
    pub speed: Vec<QuestionSpeed>,
}

/// The result of one law.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LawResult {
    /// The law, as a sentence without a full stop.
    pub law: &'static str,
    /// How often it was tried.
    pub tried: usize,
    /// How often it was violated.
    pub broken: usize,
    /// The first contradictions.
    pub contradictions: Vec<Contradiction>,
}

/// A violation of a law.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contradiction {
    /// The position: its board, and a last line that `--input` reads.
    pub position: String,
    /// What the program said.
    pub one: String,
    /// What contradicts that.
    pub other: String,
}

/// How long a kind of question took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionSpeed {
    /// Its word.
    pub question: &'static str,
    /// How often it was asked.
    pub asked: u32,
    /// How long it took on average, in microseconds.
    pub mean_us: u64,
    /// How long it took at most, in microseconds.
    pub longest_us: u64,
}

impl GameCheck {
    /// Whether no law was broken.
    pub fn is_ready(&self) -> bool {
        self.laws.iter().all(|law| law.broken == 0)
    }
}

impl LawResult {
    pub(super) const fn new(law: &'static str) -> Self {
        Self {
            law,
            tried: 0,
            broken: 0,
            contradictions: Vec::new(),
        }
    }

    /// Notes one try.
    pub(super) fn note(&mut self, contradiction: Option<Contradiction>) {
        self.tried += 1;
        if let Some(contradiction) = contradiction {
            self.broken += 1;
            if self.contradictions.len() < MOST_KEPT {
                self.contradictions.push(contradiction);
            }
        }
    }
}

impl QuestionSpeed {
    pub(super) const fn new(question: &'static str) -> Self {
        Self {
            question,
            asked: 0,
            mean_us: 0,
            longest_us: 0,
        }
    }

    /// Notes one answer; [`Self::mean_us`] is the sum until [`Self::averaged`].
    pub(super) fn note(&mut self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.asked += 1;
        self.mean_us = self.mean_us.saturating_add(took);
        self.longest_us = self.longest_us.max(took);
    }

    pub(super) fn averaged(mut self) -> Self {
        self.mean_us /= u64::from(self.asked.max(1));
        self
    }
}
