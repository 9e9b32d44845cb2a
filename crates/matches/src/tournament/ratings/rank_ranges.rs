//! How certain a ranking is: the ranks that each agent's true strength may have.
//!
//! For: telling which places of a table would be the same in another such competition. Deliberately not here: the
//! official ranking, which counts points ([`Standings`](crate::tournament::Standings)).
//!
//! An agent ranks below every agent that is stronger beyond doubt and above every agent that is weaker beyond doubt;
//! anything between is plausible. "Beyond doubt" is a difference of 1.96 standard errors, by a fit with a weak prior
//! that gives every agent with a game a finite strength. In simulated fields of 4 to 46 agents, spread out or in two
//! clusters, these ranges contain the true rank of 95 to 100 of 100 agents (`tests/library/rank_ranges.rs`).
//! Percentiles of ranks that are sampled from the same fit are narrower, but contain only 83 % where many agents are
//! nearly equal: an estimate that is off by its own error is then off twice.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{RatingCovariance, RatingOptions, Ratings, ratings};
use crate::tournament::Crosstable;
use crate::tournament::estimate::Z_95;

/// One virtual draw of each agent against an average one.
const PRIOR: f64 = 1.0;

/// [`RankCertainty::games_to_settle`] speaks of so many agents at the top.
const TOP: usize = 10;

/// A forecast beyond so many times the games that were played is no forecast.
const LONGEST_FORECAST: f64 = 100.0;

/// The ranks that an agent's true strength may have, at 95 %, among all agents of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankRange {
    /// The best rank, from 1.
    pub best: u32,
    /// The worst rank.
    pub worst: u32,
}

impl RankRange {
    /// Whether only one rank is plausible.
    pub const fn is_settled(self) -> bool {
        self.best == self.worst
    }
}

/// How certain a ranking is as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankCertainty {
    /// The ranks for which only one agent is plausible, in order.
    pub settled: Vec<u32>,
    /// How many agents have a range of ranks: those with a game.
    pub ranked: u32,
    /// How many agents at the top [`Self::games_to_settle`] is about.
    pub top: u32,
    /// About how many more games, distributed like those that were played, would settle the ranks of the top; 0 where
    /// they are settled, `None` where more than 100 times the games played would be needed.
    pub games_to_settle: Option<u64>,
}

/// The plausible ranks of all agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankRanges {
    ranges: BTreeMap<String, RankRange>,
    /// How certain the ranking is as a whole.
    pub certainty: RankCertainty,
}

impl RankRanges {
    /// The plausible ranks of the agents in `table`.
    pub fn of(table: &Crosstable) -> Self {
        Self::among(table, &ratings(table, &Self::OPTIONS), |_| true)
    }

    /// How the strengths are fitted that ranks are taken from.
    pub const OPTIONS: RatingOptions = RatingOptions { first_move: true, virtual_draws: PRIOR };

    /// The plausible ranks among those agents in `table` whose names `counts`, by `ratings` that were fitted to the
    /// games of all with [`Self::OPTIONS`].
    pub fn among(table: &Crosstable, ratings: &Ratings, counts: impl Fn(&str) -> bool) -> Self {
        let comparison = &ratings.comparison;
        if comparison.covariance.is_none() {
            return Self::unknown(table, counts);
        }
        let all = comparison.agents.iter().enumerate();
        let mut agents: Vec<usize> = all.filter(|(_, (name, ..))| counts(name)).map(|(index, _)| index).collect();
        agents.sort_by(|&one, &other| comparison.agents[other].2.total_cmp(&comparison.agents[one].2));
        let leads = |one: usize, other: usize| lead(comparison, one, other);
        let range = |&one: &usize| {
            let others = || agents.iter().filter(move |&&other| other != one);
            let stronger = others().filter(|&&other| leads(other, one) > Z_95).count();
            let weaker = others().filter(|&&other| leads(one, other) > Z_95).count();
            let range = RankRange { best: rank(stronger + 1), worst: rank(agents.len() - weaker) };
            (comparison.agents[one].0.clone(), range)
        };
        let ranges: BTreeMap<String, RankRange> = agents.iter().map(range).collect();
        let mut settled: Vec<u32> =
            ranges.values().filter(|range| range.is_settled()).map(|range| range.best).collect();
        settled.sort_unstable();
        let top = TOP.min(agents.len());
        let certainty = RankCertainty {
            settled,
            ranked: rank(agents.len()),
            top: rank(top),
            games_to_settle: games_to_settle(&agents, top, leads, table.first_against_second().games()),
        };
        Self { ranges, certainty }
    }

    /// The plausible ranks of the agent called `name`; `None` where it has no game.
    pub fn range(&self, name: &str) -> Option<RankRange> {
        self.ranges.get(name).copied()
    }

    /// Every rank for everybody with a game: no game was won, or no strength is finite.
    fn unknown(table: &Crosstable, counts: impl Fn(&str) -> bool) -> Self {
        let with_games = table.by_name().filter(|&agent| table.tally(agent).games() > 0);
        let names = with_games.map(|agent| table.names()[agent].clone());
        let names: Vec<String> = names.filter(|name| counts(name)).collect();
        let ranked = rank(names.len());
        let everything = RankRange { best: 1, worst: ranked };
        Self {
            ranges: names.into_iter().map(|name| (name, everything)).collect(),
            certainty: RankCertainty { settled: Vec::new(), ranked, top: ranked.min(rank(TOP)), games_to_settle: None },
        }
    }
}

fn rank(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// How much stronger `one` is than `other`, in standard errors of the difference.
fn lead(comparison: &RatingCovariance, one: usize, other: usize) -> f64 {
    let known = comparison.difference(one, other).filter(|(_, variance)| *variance > 0.0);
    known.map_or(0.0, |(difference, variance)| difference / variance.sqrt())
}

/// Errors shrink with the square root of the number of games, so the closest pair tells how many times as many games it
/// takes to distinguish every pair.
fn games_to_settle(agents: &[usize], top: usize, leads: impl Fn(usize, usize) -> f64, games: u32) -> Option<u64> {
    let closest = (0..top)
        .flat_map(|place| agents[place + 1..].iter().map(move |&other| (agents[place], other)))
        .map(|(one, other)| leads(one, other))
        .fold(f64::INFINITY, f64::min);
    let times = (Z_95 / closest).powi(2).max(1.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and at most 100 times a u32"
    )]
    (times <= LONGEST_FORECAST).then(|| ((times - 1.0) * f64::from(games)).ceil() as u64)
}
