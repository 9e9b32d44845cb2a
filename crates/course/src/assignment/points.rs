//! Points: exact decimals, because halves and quarters of a point are added and compared. Pure arithmetic, used
//! wherever points are.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul};
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

/// A non-negative number of points, in hundredths.
///
/// The operators panic if a sum exceeds [`Points::MAX`]. The points of one submission cannot: an assignment with more
/// than [`Points::ASSIGNMENT_MAX`] points is refused.
///
/// ```
/// use referee_course::assignment::Points;
///
/// let each: Points = "2.5".parse()?;
/// assert_eq!((each * 3).to_string(), "7.5");
/// assert_eq!(serde_json::to_string(&(each * 4))?, "10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "serde_json::Number")]
pub struct Points(u32);

/// A text that is no number of points.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected points of zero or more with at most two decimals, such as `10` or `2.5`")]
pub struct PointsError;

const HUNDREDTHS: u32 = 100;

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);

    /// The maximum: almost 43 million.
    pub const MAX: Self = Self(u32::MAX);

    /// The maximum for a whole assignment: a million.
    pub const ASSIGNMENT_MAX: Self = Self(1_000_000 * HUNDREDTHS);

    /// The noun behind this number: `of 1 point`, `of 7 points`.
    pub const fn noun(self) -> &'static str {
        if self.0 == HUNDREDTHS { "point" } else { "points" }
    }

    /// This many hundredths of a point.
    pub const fn from_hundredths(hundredths: u32) -> Self {
        Self(hundredths)
    }

    /// The points in hundredths.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// Half of the points, rounded down.
    #[must_use]
    pub const fn half(self) -> Self {
        Self(self.0 / 2)
    }

    /// The sum, or `None` if it overflows.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The points multiplied by `times`, or `None` if that overflows.
    pub fn checked_mul(self, times: u32) -> Option<Self> {
        self.0.checked_mul(times).map(Self)
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.checked_add(other).expect("an assignment of more than a million points is refused")
    }
}

impl Mul<u32> for Points {
    type Output = Self;

    fn mul(self, times: u32) -> Self {
        self.checked_mul(times).expect("an assignment of more than a million points is refused")
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Add::add)
    }
}

/// A decimal without trailing zeros: `10`, `7.5`, `0.25`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimal = format!("{}.{:02}", self.0 / HUNDREDTHS, self.0 % HUNDREDTHS);
        f.pad(decimal.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Parses a plain decimal. Zeros after the second decimal are allowed; other digits there are refused, not rounded.
impl FromStr for Points {
    type Err = PointsError;

    fn from_str(text: &str) -> Result<Self, PointsError> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let beyond = fraction.get(2..).unwrap_or_default();
        let fraction =
            if beyond.bytes().all(|byte| byte == b'0') { fraction.get(..2).unwrap_or(fraction) } else { fraction };
        if !is_number(whole) || !is_number(fraction) || fraction.len() > 2 {
            return Err(PointsError);
        }
        let hundredths = format!("{whole}{fraction:0<2}").parse();
        hundredths.map(Self).map_err(|_| PointsError)
    }
}

/// As a number: an integer if whole, else a decimal.
impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(HUNDREDTHS) {
            serializer.serialize_u32(self.0 / HUNDREDTHS)
        } else {
            serializer.serialize_f64(f64::from(self.0) / f64::from(HUNDREDTHS))
        }
    }
}

/// The shortest decimal for the number is the one that was written.
impl TryFrom<serde_json::Number> for Points {
    type Error = PointsError;

    fn try_from(number: serde_json::Number) -> Result<Self, PointsError> {
        number.to_string().parse()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn reading_what_was_printed_is_the_identity(hundredths: u32) {
            let points = Points::from_hundredths(hundredths);
            prop_assert_eq!(points.to_string().parse(), Ok(points));
            let json = serde_json::to_string(&points).unwrap();
            prop_assert_eq!(serde_json::from_str::<Points>(&json).unwrap(), points);
            prop_assert_eq!(json, points.to_string());
        }

        #[test]
        fn multiplying_is_adding_again_and_again(hundredths in 0_u32..1_000_000, times in 0_u32..100) {
            let each = Points::from_hundredths(hundredths);
            prop_assert_eq!(each * times, (0..times).map(|_| each).sum());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}|[0-9.]{0,12}") {
            let _: Result<Points, _> = text.parse();
        }
    }

    #[test]
    fn decimals_are_read_exactly() {
        let read = [("10", 1000), ("2.5", 250), ("0.25", 25), ("7.000", 700), ("1.10", 110), ("42949672.95", u32::MAX)];
        for (text, hundredths) in read {
            assert_eq!(text.parse(), Ok(Points::from_hundredths(hundredths)), "{text}");
        }
        for text in ["", ".", "1.", ".5", "-1", "+1", "1e2", "0.125", "1.001", "inf", "42949672.96", "1 "] {
            assert_eq!(text.parse::<Points>(), Err(PointsError), "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_written_down_is_not_made_up() {
        assert_eq!(Points::MAX.checked_add(Points::from_hundredths(1)), None);
        assert_eq!(Points::MAX.checked_mul(2), None);
    }
}
