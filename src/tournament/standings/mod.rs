//! Who stands where, and why: points, tie-breaks, and what there is to say of each agent's games.
//!
//! For: everything that is counted rather than estimated; strengths are estimated by
//! [`ratings`](crate::tournament::ratings()). Deliberately not here: how it is shown ([`crate::console`]).
//!
//! What must always hold: standings are a function of the set of games, never of their order; points are exact; whoever
//! cannot be told apart shares a rank.

mod crosstable;
mod tally;
mod tie_break;

pub use crosstable::{Crosstable, FirstAgainstSecond, HeadToHead};
use serde::{Deserialize, Serialize};
pub use tally::{Tally, Ways};
pub use tie_break::{TieBreak, UnknownTieBreak};

use super::estimate::Interval;

/// The standings of a competition, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standings {
    /// What decides between agents with the same points, in the order in which it is asked.
    pub tie_breaks: Vec<TieBreak>,
    /// All agents, the best first; those who share a rank by their names.
    pub agents: Vec<Standing>,
    /// What it was worth to move first.
    pub first_move: FirstMove,
}

/// Where one agent stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Its rank, from 1.
    pub rank: u32,
    /// Whether others have the same rank, because nothing tells them apart.
    pub shared: bool,
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: f64,
    /// What put it before the next one with the same points; `None` where points did, or nothing.
    pub ahead_by: Option<TieBreak>,
    /// The value of each tie-break in the order of [`Standings::tie_breaks`], in points (wins: in wins); `None` where it
    /// was not asked, or had nothing to say.
    pub values: Vec<Option<f64>>,
    /// What it has won and lost, and how.
    #[serde(flatten)]
    pub tally: Tally,
    /// Its results against each agent in the order of [`Standings::agents`]; nothing against itself.
    pub against: Vec<HeadToHead>,
}

/// The score of the side that moved first, over all games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FirstMove {
    /// The games.
    #[serde(flatten)]
    pub games: FirstAgainstSecond,
    /// The share of the points that it got; `None` without games.
    pub score: Option<f64>,
    /// Where that share truly lies: a score interval with the variance that was seen.
    pub interval: Interval,
}

impl FirstMove {
    /// What `games`, taken together, say of the first move.
    pub fn of(games: FirstAgainstSecond) -> Self {
        let trials = f64::from(games.games());
        let score = (trials > 0.0).then(|| f64::from(games.first_half_points()) / 2.0 / trials);
        let mean = score.unwrap_or(0.5);
        let squares = f64::from(games.first_won) + f64::from(games.drawn) / 4.0;
        let variance = squares / trials.max(1.0) - mean * mean;
        Self {
            games,
            score,
            interval: Interval::of_mean(mean, variance, trials),
        }
    }
}

impl Standings {
    /// The standings of the games in `table`, with `tie_breaks` asked in their order.
    pub fn of(table: &Crosstable, tie_breaks: &[TieBreak]) -> Self {
        let mut places: Vec<Place> = table.by_name().map(|agent| Place::new(agent, tie_breaks)).collect();
        let points = |place: &Place| u64::from(table.tally(place.agent).half_points());
        places.sort_by_key(|place| std::cmp::Reverse(points(place)));
        for tied in places.chunk_by_mut(|a, b| points(a) == points(b)) {
            break_tie(table, tie_breaks, 0, tied);
        }
        let order: Vec<usize> = places.iter().map(|place| place.agent).collect();
        let mut rank = 1;
        let mut agents = Vec::with_capacity(places.len());
        for group in places.chunk_by(|a, b| points(a) == points(b) && a.ahead_by.is_none()) {
            let shared = group.len() > 1;
            agents.extend(group.iter().map(|place| place.standing(table, &order, rank, shared)));
            rank += u32::try_from(group.len()).unwrap_or(u32::MAX);
        }
        Self {
            tie_breaks: tie_breaks.to_vec(),
            agents,
            first_move: FirstMove::of(table.first_against_second()),
        }
    }
}

/// An agent on its way to its rank.
struct Place {
    agent: usize,
    ahead_by: Option<TieBreak>,
    values: Vec<Option<f64>>,
}

impl Place {
    fn new(agent: usize, tie_breaks: &[TieBreak]) -> Self {
        Self {
            agent,
            ahead_by: None,
            values: vec![None; tie_breaks.len()],
        }
    }

    fn standing(&self, table: &Crosstable, order: &[usize], rank: u32, shared: bool) -> Standing {
        let tally = table.tally(self.agent);
        let against = |&other: &usize| {
            if other == self.agent {
                HeadToHead::default()
            } else {
                table.head_to_head(self.agent, other)
            }
        };
        Standing {
            rank,
            shared,
            name: table.names()[self.agent].clone(),
            points: f64::from(tally.half_points()) / 2.0,
            ahead_by: self.ahead_by,
            values: self.values.clone(),
            tally: tally.clone(),
            against: order.iter().map(against).collect(),
        }
    }
}

/// Orders `tied`, who have the same points and the same values so far, by the rules from the one at `next` on.
fn break_tie(table: &Crosstable, rules: &[TieBreak], next: usize, tied: &mut [Place]) {
    let Some(&rule) = rules.get(next) else { return };
    if tied.len() < 2 {
        return;
    }
    let agents: Vec<usize> = tied.iter().map(|place| place.agent).collect();
    let Some(values) = rule.values(table, &agents) else {
        return break_tie(table, rules, next + 1, tied);
    };
    for (place, value) in tied.iter_mut().zip(values) {
        place.values[next] = Some(rule.in_points(value));
    }
    let value = |place: &Place| place.values[next].unwrap_or_default();
    // A stable sort: whoever stays tied stays in the order of names.
    tied.sort_by(|a, b| value(b).total_cmp(&value(a)));
    for group in tied.chunk_by_mut(|a, b| value(a).total_cmp(&value(b)).is_eq()) {
        break_tie(table, rules, next + 1, group);
    }
    // Only now is it settled who is the last of each group.
    for index in 1..tied.len() {
        if value(&tied[index - 1]) > value(&tied[index]) {
            tied[index - 1].ahead_by = Some(rule);
        }
    }
}
