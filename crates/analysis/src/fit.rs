//! Fits the curve of a game: which part of the points sides with a value have scored in games of built-in agents.
//!
//! Equal agents play from random openings, and every position is valued as an analysis values it. The values are
//! grouped by size into bins of equally many; means that fall are joined (pool adjacent violators, Ayer et al. 1955),
//! and lines connect the rest. A third of the games is held out, and only tells the error.

use rayon::prelude::*;
use referee_games::builtin::{NodeLimit, WIN_VALUE};
use referee_games::{GameRef, History};

use super::curve::{CURVE_SCHEMA, ExpectedScoreCurve};
use super::self_play::{SelfPlay, SelfPlayError, score_of};

/// The number of bins of values, of which a curve has at most as many points.
const BINS: usize = 24;

/// Games begin with from 2 to 11 random plies, so that they differ, and so that one side is often better.
const OPENINGS: (u32, u32) = (2, 10);

/// Of so many games, one is held out.
const HELD_OUT: usize = 3;

/// The games to which a curve is fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// The number of games, a third of which is held out.
    pub games: u32,
    /// The nodes of each search of the agents.
    pub agent_nodes: NodeLimit,
    /// The nodes of each search that values a position.
    pub nodes: NodeLimit,
    /// The random seed of the openings and agents.
    pub seed: u64,
}

/// A valued position: the value to the side to move, and what it has scored.
#[derive(Clone, Copy, Debug)]
struct Observation {
    value: i32,
    score: f64,
}

impl Observation {
    /// The same for the side that is ahead, of which alone a curve tells.
    fn of_leader(self) -> Self {
        if self.value < 0 { Self { value: -self.value, score: 1.0 - self.score } } else { self }
    }
}

/// Fits a curve for `game`; calls `played` after each game.
///
/// # Errors
///
/// [`SelfPlayError`] if the rules fail, or the game is none that the agents can play.
pub fn fit(
    game: GameRef,
    settings: FitSettings,
    played: impl Fn() + Sync,
) -> Result<ExpectedScoreCurve, SelfPlayError> {
    let observed = (0..u64::from(settings.games)).into_par_iter().map(|number| {
        let observed = observe(game, settings, settings.seed.wrapping_add(number));
        played();
        observed
    });
    let games = observed.collect::<Result<Vec<Vec<Observation>>, SelfPlayError>>()?;
    let part = |is_held_out: bool| -> Vec<Observation> {
        let numbered = games.iter().enumerate().filter(|(number, _)| (number % HELD_OUT == 0) == is_held_out);
        numbered.flat_map(|(_, observed)| observed.iter().copied().map(Observation::of_leader)).collect()
    };
    let (held_out, fitted) = (part(true), part(false));
    let count = |held_out: bool| (0..games.len()).filter(|number| (number % HELD_OUT == 0) == held_out).count();
    let mut curve = ExpectedScoreCurve {
        schema: CURVE_SCHEMA,
        game: game.id(),
        agents: format!("builtin:alphabeta:nodes={}", settings.agent_nodes.count()),
        nodes: settings.nodes.count(),
        seed: settings.seed,
        games: u32::try_from(count(false)).unwrap_or(u32::MAX),
        held_out: u32::try_from(count(true)).unwrap_or(u32::MAX),
        brier: 0.0,
        brier_of_bins: 0.0,
        points: monotone(&bins(fitted)),
    };
    curve.brier = rounded(mean_squared(&held_out, |value| curve.expected(value)));
    curve.brier_of_bins = rounded(bins(held_out).iter().map(ValueBin::squares).sum());
    Ok(curve)
}

/// Plays one game, and values its positions.
fn observe(game: GameRef, settings: FitSettings, seed: u64) -> Result<Vec<Observation>, SelfPlayError> {
    let start = game.start();
    let history = History::new(game.profile().draws, start.clone());
    let mut play = SelfPlay { position: start, history, nodes: settings.agent_nodes, seed };
    let (least, variety) = OPENINGS;
    let plies = least + u32::try_from(seed % u64::from(variety)).unwrap_or(0);
    if !play.open_at_random(plies) {
        return Ok(Vec::new());
    }
    let mut positions = Vec::new();
    let black = play.finish(|position, history| {
        let values = game.value_moves(&history.reached(position), settings.nodes.count());
        if let Some(&best) = values.values.iter().max() {
            positions.push((best, position.side_to_move()));
        }
    })?;
    let scored = |(value, side)| Observation { value, score: score_of(side, black) };
    Ok(positions.into_iter().map(scored).collect())
}

/// A group of observations with similar values.
#[derive(Clone, Copy, Debug)]
struct ValueBin {
    count: f64,
    values: f64,
    scores: f64,
    /// The sum of squared scores.
    squared: f64,
    /// The part of all observations that one of them is.
    share: f64,
}

impl ValueBin {
    fn of(observed: &[Observation], all: usize) -> Self {
        let sum = |part: fn(&Observation) -> f64| observed.iter().map(part).sum::<f64>();
        Self {
            count: sum(|_| 1.0),
            values: sum(|seen| f64::from(seen.value)),
            scores: sum(|seen| seen.score),
            squared: sum(|seen| seen.score * seen.score),
            share: 1.0 / f64::from(u32::try_from(all).unwrap_or(u32::MAX).max(1)),
        }
    }

    fn mean(&self) -> f64 {
        self.scores / self.count
    }

    fn joined(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            values: self.values + other.values,
            scores: self.scores + other.scores,
            squared: self.squared + other.squared,
            share: self.share,
        }
    }

    /// What it adds to the mean squared error if its mean is expected.
    fn squares(&self) -> f64 {
        (self.squared - self.scores * self.mean()) * self.share
    }
}

/// Groups observations by value, each of about as many, and those in which a win was found by themselves.
fn bins(mut observed: Vec<Observation>) -> Vec<ValueBin> {
    observed.sort_by_key(|seen| seen.value);
    let (open, won) = observed.split_at(observed.partition_point(|seen| seen.value < WIN_VALUE));
    let parts = open.chunks(open.len().div_ceil(BINS).max(1)).chain((!won.is_empty()).then_some(won));
    parts.map(|part| ValueBin::of(part, observed.len())).collect()
}

/// The points of the curve through bins whose means do not fall.
#[expect(clippy::cast_possible_truncation, reason = "the mean of values of 32 bits")]
fn monotone(bins: &[ValueBin]) -> Vec<(i32, f64)> {
    let mut joined: Vec<ValueBin> = Vec::new();
    for &bin in bins {
        let mut bin = bin;
        while let Some(before) = joined.pop_if(|before| before.mean() >= bin.mean()) {
            bin = before.joined(bin);
        }
        joined.push(bin);
    }
    let point = |bin: &ValueBin| ((bin.values / bin.count).round() as i32, rounded(bin.mean().clamp(0.5, 1.0)));
    let mut points: Vec<(i32, f64)> = joined.iter().map(point).collect();
    points.dedup_by_key(|&mut (value, _)| value);
    points
}

fn mean_squared(observed: &[Observation], expected: impl Fn(i32) -> f64) -> f64 {
    let errors = observed.iter().map(|seen| expected(seen.value) - seen.score);
    // Not `powi`, whose precision depends on the platform.
    errors.map(|error| error * error).sum::<f64>() / f64::from(u32::try_from(observed.len()).unwrap_or(u32::MAX).max(1))
}

/// To four decimals, so that files do not depend on the last bit.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
