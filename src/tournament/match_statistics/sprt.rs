//! The sequential test: play until it is clear whether one agent is stronger than the other by as much as one hoped.
//!
//! Two hypotheses on the expected score s, given as Elo differences: H0 says that it is that of `elo0`, H1 that it is
//! that of `elo1`. A. Wald (1945): go on as long as the logarithm of the likelihood ratio is between ln(beta / (1 -
//! alpha)) and ln((1 - beta) / alpha). A score does not say how often results of each kind occur, so each hypothesis is
//! given the distribution that suits the results best among those with its score: the generalised test (GSPRT) of X.
//! Li, J. Liu and Z. Ying, Sequential Analysis 33 (2014) 376, which is what chess engine testers use.
//!
//! ```text
//! a_i   the shares of the points that a trial can bring      p_i   how often they were seen, of N trials
//! q_i = p_i / (1 + x (a_i - s))    with the x that solves    sum of p_i (a_i - s) / (1 + x (a_i - s)) = 0
//! LLR = N times the sum of p_i ln(q1_i / q0_i)
//! ```
//!
//! The second line is A. Owen's empirical likelihood (1988). A kind of result that was never seen counts as a
//! thousandth of one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{MatchCounts, Trial};
use crate::tournament::estimate::score_of_elo;

/// The hypotheses of a sequential test and how often it may err.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference in Elo under H0.
    pub elo0: f64,
    /// The difference in Elo under H1; it is the larger one.
    pub elo1: f64,
    /// How often H1 is accepted where H0 is true.
    pub alpha: f64,
    /// How often H0 is accepted where H1 is true.
    pub beta: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio; it speaks for H1 where it is positive.
    pub llr: f64,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// What follows.
    pub decision: SprtDecision,
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// More games are needed.
    Continue,
    /// The difference is that of H0 rather.
    AcceptH0,
    /// The difference is that of H1 rather.
    AcceptH1,
}

/// A text that does not describe a sequential test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSprt {
    /// A part is not of the form `name=number`.
    #[error("expected `name=number`, found `{0}`: write for example `elo0=0,elo1=10,alpha=0.05,beta=0.05`")]
    NotAPart(String),
    /// A name that means nothing here.
    #[error("`{0}` means nothing here: choose among `elo0`, `elo1`, `alpha`, `beta`")]
    UnknownName(String),
    /// A name that occurs twice.
    #[error("`{0}` is given twice")]
    Twice(&'static str),
    /// A value that is not a finite number.
    #[error("`{name}` is a number, found `{value}`")]
    NotANumber {
        /// Whose value it is.
        name: &'static str,
        /// What stands there.
        value: String,
    },
    /// One of the two hypotheses is missing.
    #[error("`{0}` is missing: write for example `elo0=0,elo1=10`")]
    Missing(&'static str),
    /// The hypotheses are in the wrong order, or the same.
    #[error("`elo0` is less than `elo1`: to test whether an agent is at least 10 Elo stronger, write `elo0=0,elo1=10`")]
    NotLess,
    /// A difference that no test can tell from a win in every game.
    #[error("`{0}` lies between -2000 and 2000 Elo")]
    TooFar(&'static str),
    /// An error rate that is no rate.
    #[error("`{0}` is above 0 and below 0.5: it is how often the test may err")]
    NotARate(&'static str),
}

const NAMES: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];

/// How often a test may err where nothing else is said.
const USUAL_RATE: f64 = 0.05;

/// What a kind of result counts as that was never seen.
const UNSEEN: f64 = 1e-3;

impl FromStr for Sprt {
    type Err = InvalidSprt;

    /// Reads `elo0=0,elo1=10,alpha=0.05,beta=0.05`, in any order; the rates may be left out.
    fn from_str(text: &str) -> Result<Self, InvalidSprt> {
        let mut values = [None; 4];
        for part in text.split(',').map(str::trim) {
            let split = part.split_once('=');
            let (word, value) = split.ok_or_else(|| InvalidSprt::NotAPart(part.to_owned()))?;
            let (word, value) = (word.trim(), value.trim());
            let index = NAMES.iter().position(|name| *name == word);
            let index = index.ok_or_else(|| InvalidSprt::UnknownName(word.to_owned()))?;
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            let number = number.ok_or_else(|| InvalidSprt::NotANumber {
                name: NAMES[index],
                value: value.to_owned(),
            })?;
            if values[index].replace(number).is_some() {
                return Err(InvalidSprt::Twice(NAMES[index]));
            }
        }
        let [elo0, elo1, alpha, beta] = values;
        Self {
            elo0: elo0.ok_or(InvalidSprt::Missing("elo0"))?,
            elo1: elo1.ok_or(InvalidSprt::Missing("elo1"))?,
            alpha: alpha.unwrap_or(USUAL_RATE),
            beta: beta.unwrap_or(USUAL_RATE),
        }
        .checked()
    }
}

/// As it is read.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            elo0,
            elo1,
            alpha,
            beta,
        } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

impl Sprt {
    fn checked(self) -> Result<Self, InvalidSprt> {
        let hypotheses = [("elo0", self.elo0), ("elo1", self.elo1)];
        if let Some((name, _)) = hypotheses.into_iter().find(|(_, elo)| elo.abs() > 2000.0) {
            return Err(InvalidSprt::TooFar(name));
        }
        let rates = [("alpha", self.alpha), ("beta", self.beta)];
        if let Some((name, _)) = rates.into_iter().find(|(_, rate)| *rate <= 0.0 || *rate >= 0.5) {
            return Err(InvalidSprt::NotARate(name));
        }
        if self.elo0 < self.elo1 {
            Ok(self)
        } else {
            Err(InvalidSprt::NotLess)
        }
    }

    /// Where the test stands after `counts`: by pairs of games where they come in pairs, and then games whose partner
    /// is not finished do not count yet.
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
        let seen = |trial: &Trial| Trial {
            count: trial.count.max(UNSEEN),
            ..*trial
        };
        let trials: Vec<Trial> = trials.iter().map(seen).collect();
        let [worse, better] = [self.elo0, self.elo1].map(|elo| {
            let score = score_of_elo(elo);
            (score, tilt(&trials, score))
        });
        let weight = |trial: &Trial, (score, tilt): (f64, f64)| (1.0 + tilt * (trial.share - score)).ln();
        let terms = trials
            .iter()
            .map(|trial| trial.count * (weight(trial, worse) - weight(trial, better)));
        terms.sum()
    }
}

/// The x under which the mean of the shares, weighted with count / (1 + x (share - score)), is `score`. The sum falls
/// with x between its two poles, so it is found by halving.
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
        let expected = Sprt {
            elo0: -2.5,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.1,
        };
        assert_eq!(sprt, expected);
        assert_eq!(sprt.to_string().parse(), Ok(sprt));
    }

    #[test]
    fn what_is_no_test_is_refused_with_the_remedy() {
        let cases = [
            (
                "",
                "expected `name=number`, found ``: write for example `elo0=0,elo1=10,alpha=0.05,beta=0.05`",
            ),
            (
                "elo0=0,elo2=5",
                "`elo2` means nothing here: choose among `elo0`, `elo1`, `alpha`, `beta`",
            ),
            ("elo0=0,elo0=1,elo1=5", "`elo0` is given twice"),
            ("elo0=zero,elo1=5", "`elo0` is a number, found `zero`"),
            ("elo0=0,elo1=inf", "`elo1` is a number, found `inf`"),
            ("elo0=0", "`elo1` is missing: write for example `elo0=0,elo1=10`"),
            (
                "elo0=10,elo1=10",
                "`elo0` is less than `elo1`: to test whether an agent is at least 10 Elo stronger, write \
                 `elo0=0,elo1=10`",
            ),
            ("elo0=0,elo1=5000", "`elo1` lies between -2000 and 2000 Elo"),
            (
                "elo0=0,elo1=5,alpha=0.5",
                "`alpha` is above 0 and below 0.5: it is how often the test may err",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), message, "{text:?}");
        }
    }
}
