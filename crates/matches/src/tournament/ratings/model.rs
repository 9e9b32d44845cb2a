//! The likelihood of results under Davidson's model, and its maximum. [`super::ratings`] calls it.
//!
//! Two agents have the log-strengths `a` (moves first) and `b`; `g` is the value of the first move and `t` the tendency
//! to draw, all in log-odds; u = a - b + g:
//!
//! ```text
//!                e^(u/2)                        e^t                          e^(-u/2)
//! P(first) = -----------------  P(draw) = -----------------  P(second) = -----------------
//!            e^(u/2)+e^(-u/2)+e^t         e^(u/2)+e^(-u/2)+e^t           e^(u/2)+e^(-u/2)+e^t
//! ```
//!
//! This is R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments",
//! JASA 65 (1970) 317, with the order effect of Davidson and Beaver, Biometrics 33 (1977) 693 (its tie parameter in
//! another scale). Without draws it is the model of Bradley and Terry. The logarithm of the likelihood is jointly
//! concave in all parameters, so Newton's method with halved steps finds its only maximum.

use super::linear::Matrix;
use crate::tournament::FirstAgainstSecond;

/// The games of one ordered pair: `first` moves first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) games: FirstAgainstSecond,
}

/// The input of a fit.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) players: usize,
    pub(super) pairs: Vec<Pair>,
    /// The groups of comparable players, as indices. The mean strength of each group is fixed at zero, unless there is
    /// a prior.
    pub(super) groups: Vec<Vec<usize>>,
    /// Whether the value of the first move is a parameter; otherwise it is 0.
    pub(super) first_move: bool,
    /// Virtual draws of each player against a player of strength 0, each as half a win and half a loss.
    pub(super) virtual_draws: f64,
}

/// The maximum of the likelihood.
#[derive(Clone, Debug)]
pub(super) struct MaximumLikelihood {
    pub(super) strengths: Vec<f64>,
    /// The value of the first move in log-odds.
    pub(super) first_move: Option<f64>,
    /// The inverse of the information matrix, in the order of [`ParameterLayout`], without the direction in which each
    /// group's likelihood is flat.
    pub(super) covariance: Matrix,
    /// e^t: the ratio of draws between equal agents to the geometric mean of wins and losses; `None` without draws.
    pub(super) draw_ratio: Option<f64>,
}

/// The iteration ends when no parameter moves by more than this: 2e-8 Elo points.
const TOLERANCE: f64 = 1e-10;

/// Newton's method needs 5 to 15 steps where there is a maximum.
const MAX_STEPS: usize = 100;

/// 30 units of log-odds are 5,200 Elo points: beyond it there is no maximum, the likelihood rises without end.
const MAX_LOG_ODDS: f64 = 30.0;

/// The order of the parameters in a vector: strengths, then the first move, then draws.
#[derive(Clone, Copy, Debug)]
struct ParameterLayout {
    first_move: Option<usize>,
    draws: Option<usize>,
    size: usize,
}

impl ParameterLayout {
    fn of(problem: &Problem) -> Self {
        let has_draws = problem.pairs.iter().any(|pair| pair.games.drawn > 0);
        let first_move = problem.first_move.then_some(problem.players);
        let draws = has_draws.then_some(problem.players + usize::from(problem.first_move));
        Self { first_move, draws, size: problem.players + usize::from(problem.first_move) + usize::from(has_draws) }
    }
}

/// Fits the model; `None` if the likelihood has no maximum.
pub(super) fn fit(problem: &Problem) -> Option<MaximumLikelihood> {
    let layout = ParameterLayout::of(problem);
    let mut parameters = vec![0.0; layout.size];
    let mut slope = Slope::at(problem, layout, &parameters);
    for _ in 0..MAX_STEPS {
        let step = slope.information.cholesky()?.solve(&slope.gradient);
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        let (next, next_slope) = line_search(problem, layout, &parameters, &step, &slope)?;
        (parameters, slope) = (next, next_slope);
        if parameters.iter().any(|value| value.abs() > MAX_LOG_ODDS) {
            return None;
        }
        if longest < TOLERANCE {
            return Some(MaximumLikelihood {
                first_move: layout.first_move.map(|index| parameters[index]),
                draw_ratio: layout.draws.map(|index| parameters[index].exp()),
                covariance: slope.information.cholesky()?.inverse(),
                strengths: parameters[..problem.players].to_vec(),
            });
        }
    }
    None
}

/// The first of `step`, half of it, a quarter, ..., that does not lower the likelihood.
fn line_search(
    problem: &Problem,
    layout: ParameterLayout,
    from: &[f64],
    step: &[f64],
    slope: &Slope,
) -> Option<(Vec<f64>, Slope)> {
    let lowest = slope.log_likelihood - 1e-9 * slope.log_likelihood.abs().max(1.0);
    let mut share = 1.0;
    for _ in 0..40 {
        let next: Vec<f64> = from.iter().zip(step).map(|(from, step)| from + share * step).collect();
        let next_slope = Slope::at(problem, layout, &next);
        if next_slope.log_likelihood >= lowest {
            return Some((next, next_slope));
        }
        share /= 2.0;
    }
    None
}

/// The logarithm of the likelihood at a point, its first derivatives and its negated second ones.
struct Slope {
    log_likelihood: f64,
    gradient: Vec<f64>,
    information: Matrix,
}

impl Slope {
    fn at(problem: &Problem, layout: ParameterLayout, parameters: &[f64]) -> Self {
        let mut slope =
            Self { log_likelihood: 0.0, gradient: vec![0.0; layout.size], information: Matrix::zero(layout.size) };
        for pair in &problem.pairs {
            slope.add_pair(layout, parameters, pair);
        }
        for (player, &strength) in parameters[..problem.players].iter().enumerate() {
            slope.add_prior(player, strength, problem.virtual_draws);
        }
        if problem.virtual_draws == 0.0 {
            // The likelihood does not change when a whole group grows stronger alike. A ridge in that direction, in
            // which no gradient ever points, keeps the mean at zero and the matrix invertible.
            for group in &problem.groups {
                slope.add_ridge(group);
            }
        }
        slope
    }

    fn add_pair(&mut self, layout: ParameterLayout, parameters: &[f64], pair: &Pair) {
        let Pair { first, second, games } = *pair;
        let worth = layout.first_move.map_or(0.0, |index| parameters[index]);
        let tendency = layout.draws.map(|index| parameters[index]);
        let u = parameters[first] - parameters[second] + worth;
        let [won, drawn, lost] = [games.first_won, games.drawn, games.second_won].map(f64::from);
        let total = won + drawn + lost;

        let exponents = [u / 2.0, tendency.unwrap_or(f64::NEG_INFINITY), -u / 2.0];
        let top = exponents.iter().fold(f64::NEG_INFINITY, |top, &value| top.max(value));
        let [p_won, p_drawn, p_lost] = exponents.map(|value| (value - top).exp());
        let sum = p_won + p_drawn + p_lost;
        let [p_won, p_drawn, p_lost] = [p_won / sum, p_drawn / sum, p_lost / sum];

        let drawn_part = tendency.map_or(0.0, |t| drawn * t);
        self.log_likelihood += (won - lost) * u / 2.0 + drawn_part - total * (top + sum.ln());
        let balance = p_won - p_lost;
        let by_u = (won - lost) / 2.0 - total * balance / 2.0;
        let by_u_twice = total * (p_won + p_lost - balance * balance) / 4.0;

        // u rises with the first, falls with the second, rises with the worth of the first move.
        let mut u_parts = [(first, 1.0), (second, -1.0), (0, 0.0)];
        if let Some(index) = layout.first_move {
            u_parts[2] = (index, 1.0);
        }
        for &(row, row_sign) in &u_parts {
            self.gradient[row] += row_sign * by_u;
            for &(column, column_sign) in &u_parts {
                self.information.add(row, column, row_sign * column_sign * by_u_twice);
            }
        }
        if let Some(index) = layout.draws {
            self.gradient[index] += drawn - total * p_drawn;
            self.information.add(index, index, total * p_drawn * (1.0 - p_drawn));
            let mixed = -total * p_drawn * balance / 2.0;
            for &(row, sign) in &u_parts {
                self.information.add(row, index, sign * mixed);
                self.information.add(index, row, sign * mixed);
            }
        }
    }

    /// Adds `draws` virtual draws against strength 0, each as half a win and half a loss.
    fn add_prior(&mut self, player: usize, strength: f64, draws: f64) {
        let p = 1.0 / (1.0 + (-strength).exp());
        let softplus = strength.abs() / 2.0 + (-strength.abs()).exp().ln_1p();
        self.log_likelihood -= draws * softplus;
        self.gradient[player] += draws * (0.5 - p);
        self.information.add(player, player, draws * p * (1.0 - p));
    }

    fn add_ridge(&mut self, group: &[usize]) {
        for &row in group {
            for &column in group {
                self.information.add(row, column, 1.0);
            }
        }
    }
}
