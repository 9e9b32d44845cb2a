//! Statistics of a match between two agents: is one better, and by how much?
//!
//! The score, the Elo difference with its interval, the likelihood of superiority, and a sequential test that stops
//! when the question is settled ([`Sprt`]). Where games come in pairs with the agents exchanged, the pair is the unit:
//! its games share the value of the first move and of the opening, so counting them separately would overstate the
//! variance. More than two agents are compared by [`ratings`](super::ratings()). `cli/play` and `console` show the
//! results. Exchanging the two agents must reverse every sign and probability.

mod counts;
mod sequential;
mod sprt;

pub use counts::Pentanomial;
use counts::pairs_of;
pub use sequential::SequentialTest;
use serde::{Deserialize, Serialize};
pub use sprt::{Sprt, SprtDecision, SprtState};

use std::collections::BTreeMap;

use super::HeadToHead;
use super::estimate::{Interval, elo_of_score, normal_below};
use referee_records::{GameSummary, Pairing};

/// The results of a match, from the view of its first agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchCounts {
    /// All finished games.
    pub games: HeadToHead,
    /// All finished pairs of games with the agents exchanged.
    pub pairs: Pentanomial,
    /// Whether games are played in such pairs.
    pub paired: bool,
}

impl MatchCounts {
    /// The results of `one` against `other` in the games of `planned` that are in `finished`.
    pub fn of<'a>(
        one: &str,
        other: &str,
        planned: &[Pairing],
        finished: impl IntoIterator<Item = &'a GameSummary>,
    ) -> Self {
        let mut counts = Self::default();
        let mut half_points = BTreeMap::new();
        let between = |game: &GameSummary| {
            let names = [game.first_player(), game.follower()];
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

    /// The observed shares of the points with their counts: of pairs if games are paired, else of games.
    pub(super) fn trials(&self) -> Vec<Trial> {
        if self.paired { trials(&self.pairs.0) } else { trials(&self.games.by_points()) }
    }
}

/// The half points of `one` in `game`: 0 to 2.
fn half_points_of(one: &str, game: &GameSummary) -> usize {
    match game.winner() {
        None => 1,
        Some(winner) if game.name(winner) == one => 2,
        Some(_) => 0,
    }
}

/// A possible share of the points in one trial, and its count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) share: f64,
    pub(super) count: f64,
}

/// Equally spaced shares from 0 to 1.
fn trials(counts: &[u32]) -> Vec<Trial> {
    let highest = u32::try_from(counts.len().saturating_sub(1)).map_or(1.0, f64::from);
    let trial = |(index, &count): (u32, &u32)| Trial { share: f64::from(index) / highest, count: f64::from(count) };
    (0..).zip(counts).map(trial).collect()
}

/// The conclusions from a match about its two agents, from the view of the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchStatistics {
    /// The counted results.
    #[serde(flatten)]
    pub counts: MatchCounts,
    /// The share of the points in all finished games; `None` before the first.
    pub score: Option<f64>,
    /// The interval of the true share, with the variance of pairs if games are paired.
    pub score_interval: Interval,
    /// The Elo difference; `None` if it has all the points, or none.
    pub elo: Option<f64>,
    /// The lower bound of the difference; `None` if unbounded.
    pub elo_low: Option<f64>,
    /// The upper bound of the difference; `None` if unbounded.
    pub elo_high: Option<f64>,
    /// The probability, given only these games, that it is the stronger one.
    pub superiority: f64,
}

impl MatchStatistics {
    /// The conclusions from `counts`.
    pub fn of(counts: MatchCounts) -> Self {
        let games = trials(&counts.games.by_points());
        let units = Sample::of(&counts.trials());
        // Before the first pair is complete, single games are the best estimate.
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

/// The mean and variance of trials.
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
        Self { trials: total, mean, variance: average(&|share| (share - mean) * (share - mean)) }
    }

    /// The score test against equal strength; for single games, (W - L) / sqrt(W + L).
    fn superiority(&self) -> f64 {
        let off = self.mean - 0.5;
        let variance_if_equal = self.variance + off * off;
        if self.trials == 0.0 || variance_if_equal == 0.0 {
            return 0.5;
        }
        normal_below(off / (variance_if_equal / self.trials).sqrt())
    }
}
