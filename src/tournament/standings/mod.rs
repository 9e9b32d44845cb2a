//! Who stands where, and why: points, tie-breaks, and what there is to say of each agent's games.
//!
//! For: everything that is counted rather than estimated; strengths are estimated by
//! [`ratings`](crate::tournament::ratings()). Deliberately not here: how it is shown ([`crate::console`]).
//!
//! What must always hold: standings are a function of the set of games, never of their order; points are exact; whoever
//! cannot be told apart shares a rank; a competition has one ranking, that of its format.

use std::collections::BTreeSet;

mod criterion;
mod crosstable;
mod tally;
mod tie_break;

pub use criterion::RankingCriterion;
pub use crosstable::{Crosstable, FirstAgainstSecond, HeadToHead};
use serde::{Deserialize, Serialize};
pub use tally::{Tally, Ways};
pub use tie_break::{TieBreak, UnknownTieBreak};

use super::estimate::Interval;
use super::formats::{Conclusion, Merit, Placing as Ranked};

/// The standings of a competition or of any other games, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standings {
    /// Who has won the competition, or has won it together; empty while it goes on, and for games that are no
    /// competition.
    pub winners: Vec<String>,
    /// What the ranks go by, the weightiest first.
    pub order: Vec<RankingCriterion>,
    /// All agents, the best first; those who share a rank by their names or, in a competition, by their seeds.
    pub agents: Vec<Standing>,
    /// What it was worth to move first.
    pub first_move: FirstMove,
}

/// Where one agent stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Its rank, from 1; `None` for one that has left a competition which ranks only those who stayed.
    pub rank: Option<u32>,
    /// Whether others have the same rank, because nothing tells them apart.
    pub shared: bool,
    /// Its name.
    pub name: String,
    /// Its points. Where the format gives points without a game (a bye) or takes games out (against one that has left),
    /// these are not the points of [`Self::tally`].
    pub points: f64,
    /// What put it before the next one with the same points; `None` where points did, or nothing.
    pub ahead_by: Option<RankingCriterion>,
    /// The value of each criterion in the order of [`Standings::order`], in points, wins or rounds; `None` where it was
    /// not asked, or had nothing to say.
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
    /// The standings of the games in `table`, which are no competition: by points, with `tie_breaks` asked in their
    /// order.
    pub fn of(table: &Crosstable, tie_breaks: &[TieBreak]) -> Self {
        let mut places: Vec<RankedAgent> = table
            .by_name()
            .map(|agent| RankedAgent::new(agent, tie_breaks))
            .collect();
        let points = |place: &RankedAgent| u64::from(table.tally(place.agent).half_points());
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
        let rules = tie_breaks.iter().map(|&rule| RankingCriterion::from(rule));
        Self {
            winners: Vec::new(),
            order: std::iter::once(RankingCriterion::Points).chain(rules).collect(),
            agents,
            first_move: FirstMove::of(table.first_against_second()),
        }
    }

    /// The standings of a competition whose games are in `table`: in the order of its
    /// [`ranking`](crate::tournament::ranking), which alone decides. Agents that it does not rank come last, by their
    /// names.
    pub fn of_competition(table: &Crosstable, standing: CompetitionStanding) -> Self {
        let (ranking, is_over) = match standing {
            CompetitionStanding::GoesOn(ranking) => (ranking, false),
            CompetitionStanding::Over(ranking) => (ranking, true),
        };
        let winners = ranking.winners().filter(|_| is_over).map(str::to_owned).collect();
        let places = ranking.ranking;
        let order = places
            .first()
            .map_or_else(Vec::new, |first| RankingCriterion::of_merits(&first.merits));
        let ranked: BTreeSet<&str> = places.iter().map(|place| place.player.as_str()).collect();
        let unranked = table
            .by_name()
            .filter(|&agent| !ranked.contains(table.names()[agent].as_str()));
        let agents: Vec<(usize, Option<&Ranked>)> = places
            .iter()
            .filter_map(|place| Some((table.index(&place.player)?, Some(place))))
            .chain(unranked.map(|agent| (agent, None)))
            .collect();
        let indices: Vec<usize> = agents.iter().map(|(agent, _)| *agent).collect();
        let shares = |rank: usize| places.iter().filter(|place| place.rank == rank).count() > 1;
        let standing = |(row, (agent, place)): (usize, &(usize, Option<&Ranked>))| {
            let next = agents.get(row + 1).and_then(|(_, place)| *place);
            Standing {
                rank: place.map(|place| u32::try_from(place.rank).unwrap_or(u32::MAX)),
                shared: place.is_some_and(|place| shares(place.rank)),
                points: place
                    .and_then(official_points)
                    .unwrap_or_else(|| points_of(table, *agent)),
                ahead_by: place.zip(next).and_then(|(place, next)| ahead_by(&order, place, next)),
                values: place.map_or_else(
                    || vec![None; order.len()],
                    |place| {
                        place
                            .merits
                            .iter()
                            .map(|merit| Some(RankingCriterion::value(*merit)))
                            .collect()
                    },
                ),
                ..Standing::unranked(table, &indices, *agent)
            }
        };
        Self {
            winners,
            agents: agents.iter().enumerate().map(standing).collect(),
            order,
            first_move: FirstMove::of(table.first_against_second()),
        }
    }
}

/// How a competition stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompetitionStanding {
    /// Games are to be played.
    GoesOn(Conclusion),
    /// It is decided.
    Over(Conclusion),
}

/// The points that a competition gives, where its ranking goes by points first.
fn official_points(place: &Ranked) -> Option<f64> {
    match place.merits.first()? {
        Merit::HalfPoints(points) => Some(f64::from(*points) / 2.0),
        Merit::Rounds(_) | Merit::Margin(_) | Merit::Buchholz(_) | Merit::SonnebornBerger(_) => None,
    }
}

/// What put `place` before the `next` one; `None` where points did, or nothing.
fn ahead_by(order: &[RankingCriterion], place: &Ranked, next: &Ranked) -> Option<RankingCriterion> {
    let merits = place.merits.iter().zip(&next.merits);
    let (_, by) = merits.zip(order).find(|((mine, theirs), _)| mine != theirs)?;
    (*by != RankingCriterion::Points).then_some(*by)
}

fn points_of(table: &Crosstable, agent: usize) -> f64 {
    f64::from(table.tally(agent).half_points()) / 2.0
}

impl Standing {
    /// The results of `agent`, without its rank; those against each of `agents` in their order.
    fn unranked(table: &Crosstable, agents: &[usize], agent: usize) -> Self {
        let against = |&other: &usize| {
            if other == agent {
                HeadToHead::default()
            } else {
                table.head_to_head(agent, other)
            }
        };
        Self {
            rank: None,
            shared: false,
            name: table.names()[agent].clone(),
            points: points_of(table, agent),
            ahead_by: None,
            values: Vec::new(),
            tally: table.tally(agent).clone(),
            against: agents.iter().map(against).collect(),
        }
    }
}

/// An agent on its way to its rank.
struct RankedAgent {
    agent: usize,
    ahead_by: Option<TieBreak>,
    values: Vec<Option<f64>>,
}

impl RankedAgent {
    fn new(agent: usize, tie_breaks: &[TieBreak]) -> Self {
        Self {
            agent,
            ahead_by: None,
            values: vec![None; tie_breaks.len()],
        }
    }

    fn standing(&self, table: &Crosstable, order: &[usize], rank: u32, shared: bool) -> Standing {
        let points = points_of(table, self.agent);
        Standing {
            rank: Some(rank),
            shared,
            ahead_by: self.ahead_by.map(RankingCriterion::from),
            values: std::iter::once(Some(points))
                .chain(self.values.iter().copied())
                .collect(),
            ..Standing::unranked(table, order, self.agent)
        }
    }
}

/// Orders `tied`, who have the same points and the same values so far, by the rules from the one at `next` on.
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
        place.values[next] = Some(rule.in_points(value));
    }
    let value = |place: &RankedAgent| place.values[next].unwrap_or_default();
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
