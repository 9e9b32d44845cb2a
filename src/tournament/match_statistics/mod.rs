//! Two agents against each other: is the one better than the other, and by how much?
//!
//! For: the score of a match, the Elo difference with its interval, the likelihood of superiority, and the sequential
//! test that says when the question is settled ([`Sprt`]). Where games come in pairs with the agents exchanged, the
//! pair is the unit: the two games share what the first move and the opening are worth, so counting them one by one
//! would overstate what they vary by. Deliberately not here: more than two agents ([`ratings`](super::ratings())).
//!
//! What must always hold: exchanging the two agents turns every sign and every probability around.

mod counts;
mod sequential;
mod sprt;

pub use counts::{Pentanomial, Trinomial, pairs_of};
pub use sequential::SequentialTest;
use serde::{Deserialize, Serialize};
pub use sprt::{InvalidSprt, Sprt, SprtDecision, SprtState};

use std::collections::BTreeMap;

use super::estimate::{Interval, elo_of_score, normal_below};
use crate::records::{GameSummary, Pairing};

/// The results of a match, from the side of its first agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchCounts {
    /// Every finished game.
    pub games: Trinomial,
    /// Every finished pair of games with the agents exchanged.
    pub pairs: Pentanomial,
    /// Whether games are played in such pairs at all.
    pub paired: bool,
}

impl MatchCounts {
    /// The results of `one` against `other` in the games that were planned as `planned`, as far as they are among
    /// `finished`.
    pub fn of<'a>(
        one: &str,
        other: &str,
        planned: &[Pairing],
        finished: impl IntoIterator<Item = &'a GameSummary>,
    ) -> Self {
        let mut counts = Self::default();
        let mut half_points = BTreeMap::new();
        let between = |game: &GameSummary| {
            let names = [game.beginner(), game.follower()];
            names == [one, other] || names == [other, one]
        };
        for game in finished.into_iter().filter(|game| between(game)) {
            let points = half_points_of(one, game);
            counts.games.add(points);
            half_points.insert(game.id.as_str(), points);
        }
        for pair in pairs_of(planned, one, other) {
            counts.paired = true;
            if let [Some(a), Some(b)] = pair.map(|id| half_points.get(id)) {
                counts.pairs.add(a + b);
            }
        }
        counts
    }

    /// The same match from the side of the other agent.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        Self {
            games: self.games.exchanged(),
            pairs: self.pairs.exchanged(),
            paired: self.paired,
        }
    }

    /// The shares of the points that were seen, with how often: of pairs where games come in pairs, of games otherwise.
    pub(super) fn trials(&self) -> Vec<Trial> {
        if self.paired {
            trials(&self.pairs.counts())
        } else {
            trials(&self.games.counts())
        }
    }
}

/// What `game` brought the agent `one`, which played in it: 0 to 2.
fn half_points_of(one: &str, game: &GameSummary) -> usize {
    match game.winner() {
        None => 1,
        Some(winner) if game.name(winner) == one => 2,
        Some(_) => 0,
    }
}

/// A share of the points that can come of one trial, and how often it did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) share: f64,
    pub(super) count: f64,
}

/// Equally spaced shares from 0 to 1.
fn trials(counts: &[u32]) -> Vec<Trial> {
    let highest = u32::try_from(counts.len().saturating_sub(1)).map_or(1.0, f64::from);
    let trial = |(index, &count): (u32, &u32)| Trial {
        share: f64::from(index) / highest,
        count: f64::from(count),
    };
    (0..).zip(counts).map(trial).collect()
}

/// What a match says of the difference between its two agents, from the side of the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchStatistics {
    /// What was counted.
    #[serde(flatten)]
    pub counts: MatchCounts,
    /// The share of the points of all finished games; `None` before the first.
    pub score: Option<f64>,
    /// Where the true share lies, from the variance of pairs where games come in pairs.
    pub score_interval: Interval,
    /// By how many Elo points it is stronger; `None` where it has all the points, or none of them.
    pub elo: Option<f64>,
    /// The lowest difference that the games speak for; `None` where there is no bound.
    pub elo_low: Option<f64>,
    /// The highest difference that the games speak for; `None` where there is no bound.
    pub elo_high: Option<f64>,
    /// How likely it is, by these games alone, that it is the stronger one.
    pub superiority: f64,
}

impl MatchStatistics {
    /// What `counts` say.
    pub fn of(counts: MatchCounts) -> Self {
        let games = trials(&counts.games.counts());
        let units = Sample::of(&counts.trials());
        // Before the first pair is complete, there is nothing better than the games.
        let sample = if units.trials > 0.0 { units } else { Sample::of(&games) };
        let score = (counts.games.games() > 0).then(|| Sample::of(&games).mean);
        let score_interval = Interval::of_mean(score.unwrap_or(0.5), sample.variance, sample.trials);
        Self {
            counts,
            score,
            score_interval,
            elo: score.and_then(elo_of_score),
            elo_low: elo_of_score(score_interval.low),
            elo_high: elo_of_score(score_interval.high),
            superiority: sample.superiority(),
        }
    }
}

/// What trials come to.
struct Sample {
    trials: f64,
    mean: f64,
    variance: f64,
}

impl Sample {
    fn of(trials: &[Trial]) -> Self {
        let total: f64 = trials.iter().map(|trial| trial.count).sum();
        let average = |value: &dyn Fn(f64) -> f64| {
            let sum: f64 = trials.iter().map(|trial| trial.count * value(trial.share)).sum();
            sum / total.max(1.0)
        };
        let mean = if total > 0.0 { average(&|share| share) } else { 0.5 };
        Self {
            trials: total,
            mean,
            variance: average(&|share| (share - mean) * (share - mean)),
        }
    }

    /// The score test against equal strength; for games one by one that is (W - L) / sqrt(W + L).
    fn superiority(&self) -> f64 {
        let off = self.mean - 0.5;
        let variance_if_equal = self.variance + off * off;
        if self.trials == 0.0 || variance_if_equal == 0.0 {
            return 0.5;
        }
        normal_below(off / (variance_if_equal / self.trials).sqrt())
    }
}
