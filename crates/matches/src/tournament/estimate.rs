//! Elo, intervals and the normal distribution, shared by ratings, standings and match statistics. Pure arithmetic; it
//! knows nothing of games.

use serde::{Deserialize, Serialize};

/// The two-sided 95 % point of the normal distribution: all intervals of this program cover 95 %.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Elo points per unit of log-odds: 400 / ln 10.
pub const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;

/// A range that covers the true value with probability 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// `centre` plus and minus 1.96 standard errors.
    pub fn around(centre: f64, standard_error: f64) -> Self {
        Self { low: centre - Z_95 * standard_error, high: centre + Z_95 * standard_error }
    }

    /// An interval for the mean of results between 0 and 1, of which `trials` had the mean `mean` and the variance
    /// `variance`: E. B. Wilson's score interval (1927), with the equivalent number of coin tosses. It stays between 0
    /// and 1 and is never empty: identical results count as coin tosses.
    pub fn of_mean(mean: f64, variance: f64, trials: f64) -> Self {
        let of_coin = mean * (1.0 - mean);
        let tosses = if variance > 0.0 && of_coin > 0.0 { trials * of_coin / variance } else { trials };
        if tosses <= 0.0 {
            return Self { low: 0.0, high: 1.0 };
        }
        let z2 = Z_95 * Z_95 / tosses;
        let centre = (mean + z2 / 2.0) / (1.0 + z2);
        let half = Z_95 * (of_coin / tosses + z2 / tosses / 4.0).sqrt() / (1.0 + z2);
        Self { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }
}

/// The expected score of an agent that is `elo` points stronger.
///
/// ```
/// # use referee_matches::tournament::score_of_elo;
/// assert_eq!(score_of_elo(0.0), 0.5);
/// assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOG_ODDS).exp())
}

/// The Elo difference that explains `score`; `None` for 0 and 1, which no finite difference explains.
pub(super) fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_PER_LOG_ODDS * (score / (1.0 - score)).ln())
}

/// The probability that a standard normal variable is below `z`.
pub(super) fn normal_below(z: f64) -> f64 {
    let tail = normal_tail(z.abs());
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// The probability of more than `z`, for non-negative `z`.
///
/// Uses the series of Abramowitz and Stegun 26.2.11 near the middle, and the continued fraction 26.2.14 further out.
fn normal_tail(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < 3.0 {
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term > 1e-17 * sum {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    let fraction = (1..=60).rev().fold(z, |fraction, k| z + f64::from(k) / fraction);
    density / fraction
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_normal_distribution_is_the_tabulated_one() {
        // Abramowitz and Stegun, table 26.1; table 26.2 for the far tail.
        let table = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (1.96, 0.975_002_104_851_78),
            (2.9, 0.998_134_186_699_616),
            (3.1, 0.999_032_396_786_782),
            (-5.0, 2.866_515_718_791_94e-7),
        ];
        for (z, below) in table {
            assert!((normal_below(z) - below).abs() < 1e-13, "{z}: {}", normal_below(z));
        }
        assert!((normal_below(Z_95) - 0.975).abs() < 1e-14);
    }

    proptest! {
        #[test]
        fn elo_and_score_are_inverse_and_odd(elo in -2000.0..2000.0_f64) {
            let score = score_of_elo(elo);
            prop_assert!((elo_of_score(score).unwrap() - elo).abs() < 1e-6);
            prop_assert!((score + score_of_elo(-elo) - 1.0).abs() < 1e-12);
        }

        #[test]
        fn an_interval_of_a_mean_holds_it_and_narrows(
            mean in 0.0..=1.0_f64,
            share in 0.05..=1.0_f64,
            trials in 1.0..1e6_f64,
        ) {
            let variance = mean * (1.0 - mean) * share;
            let wide = Interval::of_mean(mean, variance, trials);
            let narrow = Interval::of_mean(mean, variance, 4.0 * trials);
            prop_assert!(0.0 <= wide.low && wide.low <= mean + 1e-12 && mean - 1e-12 <= wide.high && wide.high <= 1.0);
            prop_assert!(narrow.high - narrow.low < wide.high - wide.low);
        }
    }

    #[test]
    fn one_score_without_a_game_says_nothing() {
        assert_eq!(Interval::of_mean(0.5, 0.25, 0.0), Interval { low: 0.0, high: 1.0 });
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (None, None));
    }
}
