//! Scores, in half points. Pure; positions and verdicts contain them.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An exact score in whole and half points.
///
/// ```
/// use referee_games::Score;
///
/// assert_eq!(Score::from_halves(25).to_string(), "12.5");
/// assert_eq!(Score::from(12), Score::from_halves(24));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u32);

impl Score {
    /// This many half points.
    pub const fn from_halves(halves: u32) -> Self {
        Self(halves)
    }

    /// The score in half points.
    pub const fn halves(self) -> u32 {
        self.0
    }
}

/// Whole points.
impl From<u32> for Score {
    fn from(points: u32) -> Self {
        Self(points * 2)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.0.is_multiple_of(2) { "" } else { ".5" };
        write!(f, "{}{half}", self.0 / 2)
    }
}

/// As a number: an integer if whole.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(2) {
            serializer.serialize_u32(self.0 / 2)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 2.0)
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let halves = f64::deserialize(deserializer)? * 2.0;
        let is_score = halves.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&halves);
        if !is_score {
            return Err(serde::de::Error::custom("a score is a number of whole and half points"));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a whole number of the range"
        )]
        Ok(Self(halves as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_read_as_it_is_written() {
        for (halves, text) in [(0, "0"), (24, "12"), (25, "12.5")] {
            let score = Score::from_halves(halves);
            assert_eq!(serde_json::to_string(&score).unwrap(), text);
            assert_eq!(serde_json::from_str::<Score>(text).unwrap(), score);
            assert_eq!(score.to_string(), text);
        }
        for text in ["12.25", "-1", "1e300", "\"3\""] {
            assert!(serde_json::from_str::<Score>(text).is_err(), "{text}");
        }
    }
}
