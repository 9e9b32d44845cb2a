//! Strength estimates on the Elo scale from all games at once, each with its uncertainty.
//!
//! Finds the strengths that make the observed results most likely (Bradley-Terry with Davidson's ties; formulas in
//! `model.rs`), errors from the information matrix, and the groups of comparable agents. Unlike club Elo, nothing
//! depends on the order of games. Points and ranks are in [`standings`](super::Standings). `cli/standings`, `console`
//! and `report` call it. If no finite strength exists, none may be given, and the reason must be stated.

mod groups;
mod linear;
mod model;
mod rank_ranges;

use serde::{Deserialize, Serialize};

use super::estimate::{ELO_PER_LOG_ODDS, Interval, normal_below};
use super::{Crosstable, FirstAgainstSecond};
use groups::strong_components;
use linear::Matrix;
use model::{MaximumLikelihood, Pair, Problem};
pub use rank_ranges::{RankCertainty, RankRange, RankRanges};

/// How to estimate ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingOptions {
    /// Whether to estimate the value of the first move and remove it from the strengths.
    pub first_move: bool,
    /// A weak prior: this many virtual draws of each agent against one of average strength. It gives every agent with a
    /// game a finite rating and makes all comparable, but pulls ratings toward the mean. 0 for none.
    pub virtual_draws: f64,
}

impl Default for RatingOptions {
    /// With the first move and without a prior.
    fn default() -> Self {
        Self { first_move: true, virtual_draws: 0.0 }
    }
}

/// The ratings of all agents of a competition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// All agents: those who won everything, then each group with the strongest first, then those without a rating.
    pub agents: Vec<AgentRating>,
    /// The number of groups, no two of them comparable.
    pub groups: u32,
    /// The value of the first move; `None` if not requested, or not finite.
    pub first_move: Option<Estimate>,
    /// The probability of a draw between equal agents, without first move; 0 if no game was drawn.
    pub draw_probability: f64,
    #[serde(skip)]
    comparison: RatingCovariance,
}

/// The rating of one agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentRating {
    /// Its name.
    pub name: String,
    /// The number of its games.
    pub games: u32,
    /// Its strength, or the reason for having none.
    #[serde(flatten)]
    pub strength: Strength,
    /// The probability, given only these games, that it is stronger than the next agent in its group.
    pub stronger_than_next: Option<f64>,
}

/// A strength, or the reason for having none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "rating")]
pub enum Strength {
    /// It has a rating.
    Rated {
        /// Its group of comparable agents, from 1, the largest first.
        group: u32,
        /// The rating.
        #[serde(flatten)]
        estimate: Estimate,
    },
    /// It won every game: any finite strength may be too low.
    WonAll,
    /// It lost every game.
    LostAll,
    /// It won every game against some and lost every game against the others: it ranks between them, with no definite
    /// rating.
    Apart,
    /// Every game of the competition was drawn: a difference in strength would not show.
    AllDrawn,
    /// The likelihood has no maximum within 5,000 Elo points of the mean.
    OffTheScale,
    /// It has not finished a game.
    NoGames,
}

impl Strength {
    /// The rating, if there is one.
    pub const fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::Rated { estimate, .. } => Some(*estimate),
            Self::WonAll | Self::LostAll | Self::Apart | Self::AllDrawn | Self::OffTheScale | Self::NoGames => None,
        }
    }

    /// The reason for having no rating, as a sentence; `None` with a rating.
    pub const fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Rated { .. } => None,
            Self::WonAll => Some("no finite rating: won every game"),
            Self::LostAll => Some("no finite rating: lost every game"),
            Self::Apart => {
                Some("no finite rating: won every game against some opponents and lost every game against the others")
            }
            Self::AllDrawn => Some("no rating: every game was drawn"),
            Self::OffTheScale => Some("no rating: too far from the others"),
            Self::NoGames => Some("no rating: no game finished"),
        }
    }

    /// The sort key in a list.
    const fn place(&self) -> (u32, u32) {
        match self {
            Self::WonAll => (0, 0),
            Self::Rated { group, .. } => (1, *group),
            Self::Apart | Self::AllDrawn | Self::OffTheScale => (2, 0),
            Self::LostAll => (3, 0),
            Self::NoGames => (4, 0),
        }
    }
}

/// An estimate in Elo points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The most likely value.
    pub elo: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The interval of the true value.
    pub interval: Interval,
}

impl Estimate {
    /// From log-odds and their variance.
    fn new(elo: f64, variance: f64) -> Self {
        let standard_error = ELO_PER_LOG_ODDS * variance.max(0.0).sqrt();
        Self { elo, standard_error, interval: Interval::around(elo, standard_error) }
    }
}

/// The covariances that compare two agents.
#[derive(Clone, Debug, Default, PartialEq)]
struct RatingCovariance {
    /// The agents in matrix order: name, group and strength in log-odds.
    agents: Vec<(String, u32, f64)>,
    covariance: Option<Matrix>,
}

impl Ratings {
    /// The rating of the agent called `name`.
    pub fn rating_of(&self, name: &str) -> Option<&AgentRating> {
        self.agents.iter().find(|agent| agent.name == name)
    }

    /// By how much `one` is stronger than `other`, with the error of the difference; `None` if they are not comparable.
    pub fn difference(&self, one: &str, other: &str) -> Option<Estimate> {
        let (difference, variance) = self.comparison.between(one, other)?;
        Some(Estimate::new(ELO_PER_LOG_ODDS * difference, variance))
    }

    /// The probability, given only these games, that `one` is stronger than `other`; `None` if they are not comparable.
    pub fn superiority(&self, one: &str, other: &str) -> Option<f64> {
        let (difference, variance) = self.comparison.between(one, other)?;
        let is_far = variance > 0.0;
        Some(if is_far { normal_below(difference / variance.sqrt()) } else { 0.5 })
    }

    fn compare_neighbours(&mut self) {
        for place in 1..self.agents.len() {
            let (one, next) = (&self.agents[place - 1].name, &self.agents[place].name);
            self.agents[place - 1].stronger_than_next = self.superiority(one, next);
        }
    }
}

impl RatingCovariance {
    /// As [`Self::difference`], of two agents by name, if they are comparable.
    fn between(&self, one: &str, other: &str) -> Option<(f64, f64)> {
        let place = |name: &str| self.agents.iter().position(|(agent, ..)| agent == name);
        let (one, other) = (place(one)?, place(other)?);
        if self.agents[one].1 == self.agents[other].1 { self.difference(one, other) } else { None }
    }

    /// By how much `one` is stronger than `other` in log-odds, and the variance of that.
    fn difference(&self, one: usize, other: usize) -> Option<(f64, f64)> {
        let all = self.covariance.as_ref()?;
        let variance = all.at(one, one) + all.at(other, other) - 2.0 * all.at(one, other);
        Some((self.agents[one].2 - self.agents[other].2, variance))
    }
}

/// Estimates the ratings of all agents in `table`.
pub fn ratings(table: &Crosstable, options: &RatingOptions) -> Ratings {
    // By name, so that even rounding errors do not depend on the order of games.
    let order: Vec<usize> = table.by_name().collect();
    let groups = comparable(table, &order, options);
    let rated: Vec<usize> = groups.iter().flatten().copied().collect();
    let problem = problem(table, &order, &groups, options);
    let fitted = fitted(problem);
    let mut strengths: Vec<Strength> = order.iter().map(|&agent| unrated(table, agent)).collect();
    match &fitted {
        Ok(fit) => {
            for (agent, strength) in rated_strengths(fit, &groups) {
                strengths[agent] = strength;
            }
        }
        Err(why) => rated.iter().for_each(|&agent| strengths[agent] = *why),
    }
    let agent = |(&agent, strength): (&usize, Strength)| AgentRating {
        name: table.names()[agent].clone(),
        games: table.tally(agent).games(),
        strength,
        stronger_than_next: None,
    };
    let mut agents: Vec<AgentRating> = order.iter().zip(strengths).map(agent).collect();
    agents.sort_by(|a, b| {
        let elo = |agent: &AgentRating| agent.strength.estimate().map_or(0.0, |estimate| estimate.elo);
        let by_strength = elo(b).total_cmp(&elo(a));
        a.strength.place().cmp(&b.strength.place()).then(by_strength)
    });
    let names = |agent: usize| table.names()[order[agent]].clone();
    let mut ratings = Ratings {
        agents,
        groups: u32::try_from(groups.len()).unwrap_or(u32::MAX),
        first_move: fitted.as_ref().ok().and_then(first_move_estimate),
        draw_probability: fitted
            .as_ref()
            .ok()
            .and_then(|fit| fit.draw_ratio)
            .map_or(0.0, |ratio| ratio / (2.0 + ratio)),
        comparison: fitted.map_or_else(|_| RatingCovariance::default(), |fit| comparison(fit, &groups, names)),
    };
    ratings.compare_neighbours();
    ratings
}

/// The groups of at least two agents with finite relative strengths, as places in `order`, the largest first.
fn comparable(table: &Crosstable, order: &[usize], options: &RatingOptions) -> Vec<Vec<usize>> {
    if options.virtual_draws > 0.0 {
        let with_games = (0..order.len()).filter(|&place| table.tally(order[place]).games() > 0);
        return Some(with_games.collect::<Vec<_>>()).filter(|group| !group.is_empty()).into_iter().collect();
    }
    let took_something =
        |one: usize, other: usize| one != other && table.head_to_head(order[one], order[other]).half_points() > 0;
    let mut groups = strong_components(order.len(), took_something);
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

/// The games within the groups; players are numbered in the order of the groups.
fn problem(table: &Crosstable, order: &[usize], groups: &[Vec<usize>], options: &RatingOptions) -> Problem {
    let mut pairs = Vec::new();
    let mut numbered = Vec::with_capacity(groups.len());
    let mut next = 0;
    for group in groups {
        let number = |place: usize| next + place;
        for (first, &first_agent) in group.iter().enumerate() {
            for (second, &second_agent) in group.iter().enumerate().filter(|&(second, _)| second != first) {
                let games = table.encounter(order[first_agent], order[second_agent]);
                if games.games() > 0 {
                    let (first, second) = (number(first), number(second));
                    pairs.push(Pair { first, second, games });
                }
            }
        }
        numbered.push((next..next + group.len()).collect());
        next += group.len();
    }
    Problem {
        players: next,
        pairs,
        groups: numbered,
        first_move: options.first_move,
        virtual_draws: options.virtual_draws,
    }
}

/// The fit, or why none of the comparable agents has a strength.
fn fitted(mut problem: Problem) -> Result<MaximumLikelihood, Strength> {
    let decisive = |games: FirstAgainstSecond| games.first_won + games.second_won > 0;
    if !problem.pairs.iter().any(|pair| decisive(pair.games)) {
        return Err(Strength::AllDrawn);
    }
    if let Some(fit) = model::fit(&problem) {
        return Ok(fit);
    }
    // If the side that moves first always wins, its value has no finite estimate; the strengths may have one.
    problem.first_move = false;
    model::fit(&problem).ok_or(Strength::OffTheScale)
}

/// Why the agent has no rating, if it has none.
fn unrated(table: &Crosstable, agent: usize) -> Strength {
    let tally = table.tally(agent);
    let games = tally.games();
    if games == 0 {
        Strength::NoGames
    } else if tally.won.total() == games {
        Strength::WonAll
    } else if tally.lost.total() == games {
        Strength::LostAll
    } else {
        Strength::Apart
    }
}

/// The strengths of all agents in groups, with their places in `order`.
fn rated_strengths(fit: &MaximumLikelihood, groups: &[Vec<usize>]) -> Vec<(usize, Strength)> {
    let mut strengths = Vec::new();
    let mut next = 0;
    for (number, group) in (1..).zip(groups) {
        let players: Vec<usize> = (next..next + group.len()).collect();
        next += group.len();
        for (estimate, &place) in estimates(fit, &players).into_iter().zip(group) {
            strengths.push((place, Strength::Rated { group: number, estimate }));
        }
    }
    strengths
}

/// The estimates for the players of a group, by their numbers in the fit. Games only determine differences, so the mean
/// of the group is 0.
#[expect(clippy::cast_precision_loss, reason = "groups are far smaller than 2^53")]
fn estimates(fit: &MaximumLikelihood, players: &[usize]) -> Vec<Estimate> {
    let covariance = &fit.covariance;
    let size = players.len() as f64;
    let zero = players.iter().map(|&one| fit.strengths[one]).sum::<f64>() / size;
    // The variance of a strength minus the mean: the covariance with centred rows and columns.
    let mean_with = |one: usize| players.iter().map(|&other| covariance.at(one, other)).sum::<f64>() / size;
    let means: Vec<f64> = players.iter().map(|&one| mean_with(one)).collect();
    let grand = means.iter().sum::<f64>() / size;
    let estimate = |(&one, mean): (&usize, f64)| {
        let variance = covariance.at(one, one) - 2.0 * mean + grand;
        Estimate::new(ELO_PER_LOG_ODDS * (fit.strengths[one] - zero), variance)
    };
    players.iter().zip(means).map(estimate).collect()
}

fn first_move_estimate(fit: &MaximumLikelihood) -> Option<Estimate> {
    let place = fit.strengths.len();
    let variance = || fit.covariance.at(place, place);
    fit.first_move.map(|worth| Estimate::new(ELO_PER_LOG_ODDS * worth, variance()))
}

fn comparison(fit: MaximumLikelihood, groups: &[Vec<usize>], name: impl Fn(usize) -> String) -> RatingCovariance {
    let members = (1..).zip(groups).flat_map(|(number, group)| group.iter().map(move |&place| (number, place)));
    let agents = members.zip(fit.strengths);
    RatingCovariance {
        agents: agents.map(|((number, place), strength)| (name(place), number, strength)).collect(),
        covariance: Some(fit.covariance),
    }
}
