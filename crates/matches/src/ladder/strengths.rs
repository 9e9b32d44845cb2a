//! A quick estimate of strengths, for planning only: what is shown comes from [`crate::tournament::ratings`].
//!
//! The model of Bradley and Terry with a normal prior, in log-odds; a draw is half a win. Both sides of an opening are
//! played, so the value of the first move cancels out. Newton steps for one agent after the other need only the pairs
//! that were played: 500 agents take milliseconds, where the covariances of the shown ratings take a second.

use std::collections::BTreeMap;

use super::pair_score::{PairScore, index_of};
use referee_records::LadderPair;

/// The inverse variance of the prior: a standard deviation of 2, which is 350 Elo points.
const PRIOR: f64 = 0.25;

/// The rounds of steps, and the change at which they end.
const MAX_ROUNDS: usize = 200;
const TOLERANCE: f64 = 1e-6;

/// The strengths of all agents, by their indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Strengths(Vec<PlanningStrength>);

/// A strength with its variance, if those of all others were known.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanningStrength {
    pub(super) value: f64,
    pub(super) variance: f64,
}

impl Strengths {
    /// That of the agent with this index: the prior's if nothing is known.
    pub(super) fn of(&self, agent: u32) -> PlanningStrength {
        self.0.get(index_of(agent)).copied().unwrap_or(PlanningStrength { value: 0.0, variance: 1.0 / PRIOR })
    }
}

/// The games of an agent against one opponent.
struct Encounters {
    opponent: usize,
    games: f64,
    points: f64,
}

/// The most likely strengths, from the scores of pairs.
pub(super) fn fitted(pairs: impl Iterator<Item = (LadderPair, PairScore)>) -> Strengths {
    let mut sums: BTreeMap<[u32; 2], PairScore> = BTreeMap::new();
    for (pair, score) in pairs {
        let sum = sums.entry(pair.agents).or_default();
        sum.games += score.games;
        sum.half_points += score.half_points;
    }
    let agents = sums.keys().flatten().max().map_or(0, |last| index_of(*last) + 1);
    let mut games: Vec<Vec<Encounters>> = (0..agents).map(|_| Vec::new()).collect();
    for ([one, other], PairScore { half_points, games: played, .. }) in sums {
        let (one, other) = (index_of(one), index_of(other));
        let (played, points) = (f64::from(played), f64::from(half_points) / 2.0);
        games[one].push(Encounters { opponent: other, games: played, points });
        games[other].push(Encounters { opponent: one, games: played, points: played - points });
    }
    let mut values = vec![0.0; agents];
    for _ in 0..MAX_ROUNDS {
        let mut longest = 0.0_f64;
        for agent in 0..agents {
            let (gradient, information) = slope(&games[agent], &values, values[agent]);
            let step: f64 = (gradient / information).clamp(-1.0, 1.0);
            values[agent] += step;
            longest = longest.max(step.abs());
        }
        if longest < TOLERANCE {
            break;
        }
    }
    let strength = |(agent, &value): (usize, &f64)| {
        let (_, information) = slope(&games[agent], &values, value);
        PlanningStrength { value, variance: 1.0 / information }
    };
    Strengths(values.iter().enumerate().map(strength).collect())
}

/// The derivative of the log-likelihood by the strength of an agent, and the negated second one.
fn slope(games: &[Encounters], values: &[f64], value: f64) -> (f64, f64) {
    let mut slope = (-PRIOR * value, PRIOR);
    for Encounters { opponent, games, points } in games {
        let expected = expected_score(value - values[*opponent]);
        slope.0 += points - games * expected;
        slope.1 += games * expected * (1.0 - expected);
    }
    slope
}

/// The expected score of an agent that is stronger by so many log-odds.
pub(super) fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(agents: [u32; 2]) -> LadderPair {
        LadderPair { sequence: 1, agents, rated: true }
    }

    #[test]
    fn strengths_are_those_of_the_formula_for_two() {
        // The maximum of 30 ln p + 10 ln (1 - p) - PRIOR (a^2 + b^2) / 2 has b = -a.
        let score = PairScore { half_points: 60, games: 40, ..PairScore::default() };
        let strengths = fitted([(pair([0, 1]), score)].into_iter());
        let (a, b) = (strengths.of(0), strengths.of(1));
        assert!((a.value + b.value).abs() < 1e-3, "{a:?} {b:?}");
        let gradient = 30.0 - 40.0 * expected_score(a.value - b.value) - PRIOR * a.value;
        assert!(gradient.abs() < 1e-2, "{gradient}");
        assert!(a.variance < 0.2 && strengths.of(7).variance > 3.9);
    }
}
