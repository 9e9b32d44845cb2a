//! The sequential probability ratio test: play until it is clear whether one agent is stronger by a given difference.
//! It plays nothing; [`super::SequentialTest`] feeds it.
//!
//! The hypotheses give the expected score s as Elo differences: `elo0` for H0, `elo1` for H1. A. Wald (1945): continue
//! while the logarithm of the likelihood ratio is between ln(beta / (1 - alpha)) and ln((1 - beta) / alpha). A score
//! does not determine how often each kind of result occurs, so each hypothesis gets the distribution with its score
//! that fits the results best: the generalised test (GSPRT) of X. Li, J. Liu and Z. Ying, Sequential Analysis 33 (2014)
//! 376, which chess engine testers use.
//!
//! ```text
//! a_i   the shares of the points that a trial can bring      p_i   their observed frequencies, of N trials
//! q_i = p_i / (1 + x (a_i - s))    with the x that solves    sum of p_i (a_i - s) / (1 + x (a_i - s)) = 0
//! LLR = N times the sum of p_i ln(q1_i / q0_i)
//! ```
//!
//! The second line is A. Owen's empirical likelihood (1988). A kind of result that never occurred counts as a
//! thousandth of one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{MatchCounts, Trial};
use crate::tournament::estimate::score_of_elo;

/// The hypotheses and error rates of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo difference under H0. Must be less than `elo1`.
    pub elo0: f64,
    /// The Elo difference under H1.
    pub elo1: f64,
    /// The probability of accepting H1 if H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 if H1 is true.
    pub beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio; positive values favour H1.
    pub llr: f64,
    /// H0 is accepted at or below this value.
    pub lower: f64,
    /// H1 is accepted at or above this value.
    pub upper: f64,
    /// The decision.
    pub decision: SprtDecision,
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// More games are needed.
    Continue,
    /// The difference is closer to that of H0.
    AcceptH0,
    /// The difference is closer to that of H1.
    AcceptH1,
}

const NAMES: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];

/// The default error rate.
const USUAL_RATE: f64 = 0.05;

/// The count of a kind of result that never occurred.
const UNSEEN: f64 = 1e-3;

impl FromStr for Sprt {
    type Err = String;

    /// Parses `elo0=0,elo1=10,alpha=0.05,beta=0.05`, in any order; the rates are optional.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut values = [None; 4];
        for part in text.split(',').map(str::trim) {
            let (word, value) = part.split_once('=').ok_or_else(|| {
                format!(
                    "expected `name=number`, found `{part}`: write for example `elo0=0,elo1=10,alpha=0.05,beta=0.05`"
                )
            })?;
            let (word, value) = (word.trim(), value.trim());
            let index = NAMES
                .iter()
                .position(|name| *name == word)
                .ok_or_else(|| format!("unknown parameter `{word}`: choose among `elo0`, `elo1`, `alpha`, `beta`"))?;
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            let number = number.ok_or_else(|| format!("`{word}` must be a number, found `{value}`"))?;
            if values[index].replace(number).is_some() {
                return Err(format!("`{word}` is given twice"));
            }
        }
        let [elo0, elo1, alpha, beta] = values;
        let missing = |name: &str| format!("`{name}` is missing: write for example `elo0=0,elo1=10`");
        Self {
            elo0: elo0.ok_or_else(|| missing("elo0"))?,
            elo1: elo1.ok_or_else(|| missing("elo1"))?,
            alpha: alpha.unwrap_or(USUAL_RATE),
            beta: beta.unwrap_or(USUAL_RATE),
        }
        .checked()
    }
}

/// In the format that [`FromStr`] parses.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

impl Sprt {
    fn checked(self) -> Result<Self, String> {
        let hypotheses = [("elo0", self.elo0), ("elo1", self.elo1)];
        if let Some((name, _)) = hypotheses.into_iter().find(|(_, elo)| elo.abs() > 2000.0) {
            return Err(format!("`{name}` must be between -2000 and 2000 Elo"));
        }
        let rates = [("alpha", self.alpha), ("beta", self.beta)];
        if let Some((name, _)) = rates.into_iter().find(|(_, rate)| *rate <= 0.0 || *rate >= 0.5) {
            return Err(format!("`{name}` must be above 0 and below 0.5: it is an error rate of the test"));
        }
        if self.elo0 >= self.elo1 {
            let remedy = "to test whether an agent is at least 10 Elo stronger, write `elo0=0,elo1=10`";
            return Err(format!("`elo0` must be less than `elo1`: {remedy}"));
        }
        Ok(self)
    }

    /// The state of the test after `counts`: by pairs if games are paired, without games whose partner is unfinished.
    pub fn state(&self, counts: &MatchCounts) -> SprtState {
        let llr = self.log_likelihood_ratio(&counts.trials());
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        SprtState {
            llr,
            lower,
            upper,
            decision: if llr >= upper {
                SprtDecision::AcceptH1
            } else if llr <= lower {
                SprtDecision::AcceptH0
            } else {
                SprtDecision::Continue
            },
        }
    }

    fn log_likelihood_ratio(&self, trials: &[Trial]) -> f64 {
        if trials.iter().all(|trial| trial.count == 0.0) {
            return 0.0;
        }
        let seen = |trial: &Trial| Trial { count: trial.count.max(UNSEEN), ..*trial };
        let trials: Vec<Trial> = trials.iter().map(seen).collect();
        let [worse, better] = [self.elo0, self.elo1].map(|elo| {
            let score = score_of_elo(elo);
            (score, tilt(&trials, score))
        });
        let weight = |trial: &Trial, (score, tilt): (f64, f64)| (1.0 + tilt * (trial.share - score)).ln();
        trials.iter().map(|trial| trial.count * (weight(trial, worse) - weight(trial, better))).sum()
    }
}

/// The x for which the mean of the shares, weighted with count / (1 + x (share - score)), is `score`. The sum decreases
/// in x between its two poles, so bisection finds it.
fn tilt(trials: &[Trial], score: f64) -> f64 {
    // The lowest share is 0 and the highest is 1, and both have a count.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..100 {
        let x = f64::midpoint(low, high);
        let term = |trial: &Trial| {
            let off = trial.share - score;
            trial.count * off / (1.0 + x * off)
        };
        let sum: f64 = trials.iter().map(term).sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_read_in_any_order_and_printed_as_it_is_read() {
        let sprt: Sprt = "beta=0.1, elo1=10 ,elo0=-2.5".parse().unwrap();
        let expected = Sprt { elo0: -2.5, elo1: 10.0, alpha: 0.05, beta: 0.1 };
        assert_eq!(sprt, expected);
        assert_eq!(sprt.to_string().parse(), Ok(sprt));
    }

    #[test]
    fn what_is_no_test_is_refused_with_the_remedy() {
        let cases = [
            ("", "expected `name=number`, found ``: write for example `elo0=0,elo1=10,alpha=0.05,beta=0.05`"),
            ("elo0=0,elo2=5", "unknown parameter `elo2`: choose among `elo0`, `elo1`, `alpha`, `beta`"),
            ("elo0=0,elo0=1,elo1=5", "`elo0` is given twice"),
            ("elo0=zero,elo1=5", "`elo0` must be a number, found `zero`"),
            ("elo0=0,elo1=inf", "`elo1` must be a number, found `inf`"),
            ("elo0=0", "`elo1` is missing: write for example `elo0=0,elo1=10`"),
            (
                "elo0=10,elo1=10",
                "`elo0` must be less than `elo1`: to test whether an agent is at least 10 Elo stronger, write \
                 `elo0=0,elo1=10`",
            ),
            ("elo0=0,elo1=5000", "`elo1` must be between -2000 and 2000 Elo"),
            ("elo0=0,elo1=5,alpha=0.5", "`alpha` must be above 0 and below 0.5: it is an error rate of the test"),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<Sprt>().unwrap_err(), message, "{text:?}");
        }
    }
}
