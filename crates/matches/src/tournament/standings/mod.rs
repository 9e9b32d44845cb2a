//! Standings: points, tie-breaks, and facts about each agent's games.
//!
//! Everything counted rather than estimated; [`ratings`](crate::tournament::ratings()) estimates strengths. It does not
//! format tables (`console`). `cli/standings`, `assignment`, `report` and `console` use it. Standings must be
//! a function of the set of games, never of their order. Points must be exact. Indistinguishable agents must share a
//! rank. A competition must have one ranking, that of its format.

use std::collections::BTreeSet;

mod column;
mod criterion;
mod crosstable;
mod results_csv;
mod tally;
mod tie_break;

pub use column::{ColumnValue, StandingsColumn};
pub use criterion::RankingCriterion;
pub use crosstable::{Crosstable, FirstAgainstSecond, HeadToHead};
use serde::Serialize;
pub use tally::{EndCounts, Tally};
pub use tie_break::TieBreak;

use super::estimate::Interval;
use super::formats::{Conclusion, RankedPlayer as Ranked};
use super::ratings::{RankCertainty, RankRange, RankRanges};
use referee_time::CpuTime;

/// The standings of a competition or of other games, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The winners of the competition; empty while it is in progress, and for games without competition.
    pub winners: Vec<String>,
    /// The criteria of the ranks, the most important first.
    pub order: Vec<RankingCriterion>,
    /// All agents, the best first; within a rank by name or, in a competition, by seed.
    pub agents: Vec<Standing>,
    /// The value of moving first.
    pub first_move: FirstMove,
    /// How certain the ranks are; `None` until [`Standings::with_certainty`] computes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<RankCertainty>,
}

/// The standing of one agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Its rank, from 1; `None` for an agent that left a competition which ranks only those who stayed.
    pub rank: Option<u32>,
    /// Whether others share the rank.
    pub shared: bool,
    /// Its name.
    pub name: String,
    /// Its points. If the format awards points without a game (a bye) or discards games (against a withdrawn player),
    /// they differ from those of [`Self::tally`].
    pub points: f64,
    /// The criterion that puts it above the next agent with equal points; `None` if points did, or nothing.
    pub ahead_by: Option<RankingCriterion>,
    /// The values of the criteria in [`Standings::order`], in points, wins or rounds; `None` if unused or inapplicable.
    pub values: Vec<Option<f64>>,
    /// Its results by kind.
    #[serde(flatten)]
    pub tally: Tally,
    /// Its average charge per move; `None` where no CPU time was measured.
    #[serde(rename = "cpu_us_per_move")]
    pub charged_per_move: Option<CpuTime>,
    /// Its results against each agent of [`Standings::agents`], zero against itself.
    pub against: Vec<HeadToHead>,
    /// The ranks that its strength may have, at 95 %; `None` without games, and until [`Standings::with_certainty`]
    /// computes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plausible_ranks: Option<RankRange>,
}

/// The score of the side that moved first, over all games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FirstMove {
    /// The games.
    #[serde(flatten)]
    pub games: FirstAgainstSecond,
    /// Its share of the points; `None` without games.
    pub score: Option<f64>,
    /// The interval of the true share, with the observed variance.
    pub interval: Interval,
}

impl FirstMove {
    /// The value of the first move over all `games`.
    pub fn of(games: FirstAgainstSecond) -> Self {
        let trials = f64::from(games.games());
        let score = (trials > 0.0).then(|| f64::from(games.first_half_points()) / 2.0 / trials);
        let mean = score.unwrap_or(0.5);
        let squares = f64::from(games.first_won) + f64::from(games.drawn) / 4.0;
        let variance = squares / trials.max(1.0) - mean * mean;
        Self { games, score, interval: Interval::of_mean(mean, variance, trials) }
    }
}

impl Standings {
    /// The same standings with the ranks that are plausible for each agent by the games in `table`.
    #[must_use]
    pub fn with_certainty(mut self, table: &Crosstable) -> Self {
        let ranges = RankRanges::of(table);
        for agent in &mut self.agents {
            agent.plausible_ranks = ranges.range(&agent.name);
        }
        self.certainty = Some(ranges.certainty);
        self
    }

    /// Whether they are of a gauntlet whose challenger has withdrawn: nobody has anything to be ranked by.
    pub fn is_without_challenger(&self) -> bool {
        self.order.is_empty() && self.agents.iter().any(|agent| agent.rank.is_some())
    }

    /// The criteria besides points, which have their own column, with their indices in [`Standing::values`].
    fn beside_points(&self) -> impl Iterator<Item = (usize, RankingCriterion)> {
        self.order.iter().copied().enumerate().filter(|(_, criterion)| *criterion != RankingCriterion::Points)
    }

    /// The standings of games without competition: by points, then by `tie_breaks` in this order.
    pub fn of(table: &Crosstable, tie_breaks: &[TieBreak]) -> Self {
        let place = |agent: usize| {
            let mut values = vec![None; 1 + tie_breaks.len()];
            values[0] = Some(points_of(table, agent));
            RankedAgent { agent, rank: None, values }
        };
        let mut places: Vec<RankedAgent> = table.by_name().map(place).collect();
        let points = |place: &RankedAgent| table.tally(place.agent).half_points();
        places.sort_by_key(|place| std::cmp::Reverse(points(place)));
        for tied in places.chunk_by_mut(|a, b| points(a) == points(b)) {
            break_tie(table, tie_breaks, 0, tied);
        }
        let mut rank = 1;
        for group in places.chunk_by_mut(|a, b| a.values == b.values) {
            let next = rank + u32::try_from(group.len()).unwrap_or(u32::MAX);
            for place in group {
                place.rank = Some(rank);
            }
            rank = next;
        }
        let rules = tie_breaks.iter().map(|&rule| RankingCriterion::TieBreak(rule));
        Self::of_places(table, std::iter::once(RankingCriterion::Points).chain(rules).collect(), &places)
    }

    /// The standings of a competition with the games in `table`, in the order of its
    /// [`ranking`](crate::tournament::ranking). Unranked agents come last, by name.
    pub fn of_competition(table: &Crosstable, standing: CompetitionStanding) -> Self {
        let (ranking, is_over) = match standing {
            CompetitionStanding::GoesOn(ranking) => (ranking, false),
            CompetitionStanding::Over(ranking) => (ranking, true),
        };
        let winners = ranking.winners().filter(|_| is_over).map(str::to_owned).collect();
        let places = ranking.ranking;
        let order = places.first().map_or_else(Vec::new, |first| RankingCriterion::of_rank_keys(&first.rank_keys));
        let ranked: BTreeSet<&str> = places.iter().map(|place| place.player.as_str()).collect();
        let unranked = table.by_name().filter(|&agent| !ranked.contains(table.names()[agent].as_str()));
        let place = |place: &Ranked| {
            let values = place.rank_keys.iter().map(|rank_key| Some(RankingCriterion::value(*rank_key))).collect();
            let rank = Some(u32::try_from(place.rank).unwrap_or(u32::MAX));
            Some(RankedAgent { agent: table.index(&place.player)?, rank, values })
        };
        let without_rank = |agent| RankedAgent { agent, rank: None, values: vec![None; order.len()] };
        let places: Vec<RankedAgent> = places.iter().filter_map(place).chain(unranked.map(without_rank)).collect();
        Self { winners, ..Self::of_places(table, order, &places) }
    }

    fn of_places(table: &Crosstable, order: Vec<RankingCriterion>, places: &[RankedAgent]) -> Self {
        let indices: Vec<usize> = places.iter().map(|place| place.agent).collect();
        // The points of a competition that ranks by points first, or after pairings.
        let points = order.iter().position(|criterion| *criterion != RankingCriterion::Pairings);
        let points = points.filter(|&place| order[place] == RankingCriterion::Points);
        let is_timed = column::is_timed(places.iter().map(|place| table.tally(place.agent)));
        let standing = |(row, place): (usize, &RankedAgent)| {
            let (agent, tally) = (place.agent, table.tally(place.agent));
            let against = |&other: &usize| {
                if other == agent { HeadToHead::default() } else { table.head_to_head(agent, other) }
            };
            Standing {
                rank: place.rank,
                shared: place.rank.is_some() && places.iter().filter(|other| other.rank == place.rank).count() > 1,
                name: table.names()[agent].clone(),
                points: points.and_then(|points| place.values[points]).unwrap_or_else(|| points_of(table, agent)),
                ahead_by: places.get(row + 1).and_then(|next| ahead_by(&order, place, next)),
                values: place.values.clone(),
                tally: tally.clone(),
                charged_per_move: is_timed.then(|| tally.charged_per_move()),
                against: indices.iter().map(against).collect(),
                plausible_ranks: None,
            }
        };
        Self {
            winners: Vec::new(),
            agents: places.iter().enumerate().map(standing).collect(),
            order,
            first_move: FirstMove::of(table.first_against_second()),
            certainty: None,
        }
    }
}

/// The state of a competition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompetitionStanding {
    /// Games are missing.
    GoesOn(Conclusion),
    /// It is decided.
    Over(Conclusion),
}

/// The criterion that puts `place` above `next`; `None` if points did, or nothing.
fn ahead_by(order: &[RankingCriterion], place: &RankedAgent, next: &RankedAgent) -> Option<RankingCriterion> {
    place.rank.and(next.rank)?;
    let by = place.values.iter().zip(&next.values).position(|(mine, theirs)| mine != theirs)?;
    Some(order[by]).filter(|by| *by != RankingCriterion::Points)
}

fn points_of(table: &Crosstable, agent: usize) -> f64 {
    f64::from(table.tally(agent).half_points()) / 2.0
}

/// An agent with its rank and the values of the criteria, as in [`Standing`].
struct RankedAgent {
    agent: usize,
    rank: Option<u32>,
    values: Vec<Option<f64>>,
}

/// Orders `tied`, who are equal so far, by the rules from index `next` on.
fn break_tie(table: &Crosstable, rules: &[TieBreak], next: usize, tied: &mut [RankedAgent]) {
    let Some(&rule) = rules.get(next) else { return };
    if tied.len() < 2 {
        return;
    }
    let agents: Vec<usize> = tied.iter().map(|place| place.agent).collect();
    let Some(values) = rule.values(table, &agents) else {
        return break_tie(table, rules, next + 1, tied);
    };
    for (place, value) in tied.iter_mut().zip(values) {
        place.values[next + 1] = Some(rule.in_points(value));
    }
    let value = |place: &RankedAgent| place.values[next + 1].unwrap_or_default();
    // A stable sort keeps tied agents in the order of names.
    tied.sort_by(|a, b| value(b).total_cmp(&value(a)));
    for group in tied.chunk_by_mut(|a, b| value(a).total_cmp(&value(b)).is_eq()) {
        break_tie(table, rules, next + 1, group);
    }
}
