//! CPU time and wall-clock time, in whole microseconds. It reads no clock; all crates use these types.
//!
//! A game clock charges CPU time; a limit against sleeping agents measures wall-clock time. Mixing the two is the
//! classic mistake of home-made referees, so they are two types without arithmetic between them. A microsecond is the
//! resolution of `getrusage(2)`.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// CPU time of a process tree, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CpuTime(u64);

/// Wall-clock time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WallTime(u64);

/// A text that is no number of seconds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of seconds of zero or more such as `300` or `0.25`")]
pub struct SecondsError;

/// The maximum parsed time: about 31 years, so that sums cannot overflow.
const LONGEST_MICROS: u64 = 1_000_000_000 * MICROS_PER_SECOND;

const MICROS_PER_SECOND: u64 = 1_000_000;

macro_rules! microseconds {
    ($time:ident) => {
        impl $time {
            /// Zero.
            pub const ZERO: Self = Self(0);

            /// This many microseconds.
            pub const fn from_micros(micros: u64) -> Self {
                Self(micros)
            }

            /// This many milliseconds.
            pub const fn from_millis(millis: u64) -> Self {
                Self(millis * 1_000)
            }

            /// This many whole seconds.
            pub const fn from_secs(seconds: u64) -> Self {
                Self(seconds * MICROS_PER_SECOND)
            }

            /// The time in microseconds.
            pub const fn micros(self) -> u64 {
                self.0
            }

            /// The time in seconds, for display and statistics; the exact value is in microseconds.
            #[expect(clippy::cast_precision_loss, reason = "exact up to 285 years")]
            pub fn as_secs_f64(self) -> f64 {
                self.0 as f64 / MICROS_PER_SECOND as f64
            }

            /// The difference, or zero if `other` is larger.
            #[must_use]
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }

            /// The time multiplied by `factor`, or the maximum.
            #[must_use]
            pub const fn saturating_mul(self, factor: u64) -> Self {
                Self(self.0.saturating_mul(factor))
            }

            /// The same duration in the standard library's type.
            pub const fn to_duration(self) -> Duration {
                Duration::from_micros(self.0)
            }

            /// A duration of the standard library, truncated to microseconds.
            pub fn from_duration(duration: Duration) -> Self {
                Self(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
            }
        }

        impl Add for $time {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                Self(self.0.saturating_add(other.0))
            }
        }

        impl AddAssign for $time {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Sum for $time {
            fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
                times.fold(Self::ZERO, Add::add)
            }
        }

        /// Seconds as a decimal without trailing zeros: `300`, `0.25`, `12.345678`.
        impl fmt::Display for $time {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (whole, mut fraction, mut digits) = (self.0 / MICROS_PER_SECOND, self.0 % MICROS_PER_SECOND, 6);
                if fraction == 0 {
                    return write!(f, "{whole}");
                }
                while fraction.is_multiple_of(10) {
                    (fraction, digits) = (fraction / 10, digits - 1);
                }
                write!(f, "{whole}.{fraction:0digits$}")
            }
        }

        /// Parses seconds as a decimal, with or without exponent; rounds to microseconds.
        impl FromStr for $time {
            type Err = SecondsError;

            fn from_str(text: &str) -> Result<Self, SecondsError> {
                let micros = decimal(text).map(micros).filter(|micros| *micros <= LONGEST_MICROS);
                micros.map(Self).ok_or(SecondsError)
            }
        }
    };
}

microseconds!(CpuTime);
microseconds!(WallTime);

impl CpuTime {
    /// Parses the remaining time in an `input.txt`: any positive finite number of seconds, such as `100.0` or
    /// `3.49581474878846e-14`. A time below a microsecond becomes one microsecond, and a time above about 31 years
    /// becomes that: both are legal, and the difference does not matter to an agent.
    ///
    /// ```
    /// # use referee_time::CpuTime;
    /// assert_eq!(CpuTime::read_remaining("2.5E+1"), Some(CpuTime::from_secs(25)));
    /// assert_eq!(CpuTime::read_remaining("3.49581474878846e-14"), Some(CpuTime::from_micros(1)));
    /// assert_eq!(CpuTime::read_remaining("0.0"), None);
    /// ```
    pub fn read_remaining(text: &str) -> Option<Self> {
        let seconds = decimal(text).filter(|seconds| *seconds > 0.0)?;
        Some(Self(micros(seconds).clamp(1, LONGEST_MICROS)))
    }
}

/// A non-negative number as programs write it: `100.0`, `.5`, `5.`, `+1`, `3.4e-14`, `1E+2`; no `inf` or `nan`.
fn decimal(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse().ok().filter(|_| is_number && !text.starts_with('-'))
}

/// The nearest number of microseconds, or the maximum.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is not negative, and casts saturate")]
fn micros(seconds: f64) -> u64 {
    (seconds * 1e6).round() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn reading_what_was_printed_is_the_identity(micros in 0..=LONGEST_MICROS) {
            let time = CpuTime::from_micros(micros);
            prop_assert_eq!(time.to_string().parse(), Ok(time));
        }
    }

    #[test]
    fn seconds_are_printed_without_trailing_zeros() {
        let printed = [300_000_000, 250_000, 1, 0].map(|micros| CpuTime::from_micros(micros).to_string());
        assert_eq!(printed, ["300", "0.25", "0.000001", "0"]);
    }

    #[test]
    fn a_number_is_read_in_the_notations_of_all_languages() {
        let read = [
            ("1e3", 1_000_000_000),
            ("+2.5E+1", 25_000_000),
            ("70.0100000000002", 70_010_000),
            ("5.", 5_000_000),
            (".5", 500_000),
            ("12345e-4", 1_234_500),
            ("0.00000012345e5", 12_345),
            ("1e-05", 10),
            ("0e999999999999999999999", 0),
            ("1e-999999999999999999999", 0),
        ];
        for (text, micros) in read {
            assert_eq!(text.parse(), Ok(CpuTime::from_micros(micros)), "{text}");
        }
    }

    #[test]
    fn a_remaining_time_is_any_positive_finite_number() {
        let read = [
            ("3.49581474878846e-14", Some(1)),
            ("0.0000001", Some(1)),
            ("4.9E-324", Some(1)),
            ("1e308", Some(LONGEST_MICROS)),
            ("1e999999999999999999999", Some(LONGEST_MICROS)),
            ("99999999999999999999999999", Some(LONGEST_MICROS)),
            ("6.6", Some(6_600_000)),
            ("0", None),
            ("0.0e9", None),
            ("-1", None),
            ("inf", None),
            ("nan", None),
        ];
        for (text, micros) in read {
            assert_eq!(CpuTime::read_remaining(text), micros.map(CpuTime::from_micros), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_of_seconds_is_refused() {
        for text in [
            "",
            ".",
            "-1",
            "+",
            "e3",
            "1e",
            "1e-",
            "1e1.5",
            "1e++1",
            "0x10",
            "inf",
            "NaN",
            "1.2.3",
            " 1",
            "1000000001",
            "1e10",
            "99999999999999999999",
        ] {
            assert_eq!(text.parse::<WallTime>(), Err(SecondsError), "{text:?}");
        }
    }
}
