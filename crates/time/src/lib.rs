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

        /// Parses seconds as a decimal, with or without exponent; truncates to microseconds.
        impl FromStr for $time {
            type Err = SecondsError;

            fn from_str(text: &str) -> Result<Self, SecondsError> {
                let micros = Decimal::read(text).ok_or(SecondsError)?.micros();
                let is_in_range = micros <= LONGEST_MICROS;
                is_in_range.then_some(Self(micros)).ok_or(SecondsError)
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
        let seconds = Decimal::read(text).filter(Decimal::is_positive)?;
        Some(Self(seconds.micros().clamp(1, LONGEST_MICROS)))
    }
}

/// A non-negative number as programs write it: `100.0`, `.5`, `5.`, `+1`, `3.4e-14`, `1E+2`.
struct Decimal<'a> {
    /// The digits before the point.
    whole: &'a str,
    /// The digits after the point.
    fraction: &'a str,
    /// How many digits the exponent moves the point to the right.
    shift: i64,
}

impl<'a> Decimal<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let text = text.strip_prefix('+').unwrap_or(text);
        let (mantissa, shift) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_number = are_digits(whole) && are_digits(fraction) && !(whole.is_empty() && fraction.is_empty());
        is_number.then_some(Self { whole, fraction, shift })
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes()).map(|digit| digit - b'0')
    }

    fn is_positive(&self) -> bool {
        self.digits().any(|digit| digit > 0)
    }

    /// The number of whole millionths, or the maximum.
    fn micros(&self) -> u64 {
        const DIGITS_OF_A_SECOND: i64 = 6;
        let before_point = i64::try_from(self.whole.len()).unwrap_or(i64::MAX);
        let wanted = before_point.saturating_add(self.shift).saturating_add(DIGITS_OF_A_SECOND);
        let leading_zeros = self.digits().take_while(|&digit| digit == 0).count();
        let significant = wanted.saturating_sub(i64::try_from(leading_zeros).unwrap_or(i64::MAX));
        if !self.is_positive() || significant <= 0 {
            return 0;
        }
        // At most as many digits as a `u64` may have; a longer number is too large anyway.
        let significant = usize::try_from(significant).unwrap_or(usize::MAX).min(MAX_DIGITS);
        let digits = self.digits().skip(leading_zeros).chain(std::iter::repeat(0));
        digits.take(significant).fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit)))
    }
}

/// One digit more than the largest `u64`.
const MAX_DIGITS: usize = 21;

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// An integer with or without sign, limited to a range that moves the point beyond any text.
fn read_exponent(text: &str) -> Option<i64> {
    const FARTHEST: i64 = 1 << 62;
    let (digits, sign) = match text.as_bytes().first()? {
        b'-' => (&text[1..], -1),
        b'+' => (&text[1..], 1),
        _ => (text, 1),
    };
    let is_number = !digits.is_empty() && are_digits(digits);
    is_number.then(|| sign * digits.parse().unwrap_or(FARTHEST).min(FARTHEST))
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
    fn long_decimals_of_other_programs_are_cut_to_microseconds() {
        assert_eq!("70.0100000000002".parse(), Ok(CpuTime::from_micros(70_010_000)));
    }

    #[test]
    fn a_number_is_read_in_the_notations_of_all_languages() {
        let read = [
            ("1e3", 1_000_000_000),
            ("+2.5E+1", 25_000_000),
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
            ("0.0000009", Some(1)),
            ("1e-999999999999999999999", Some(1)),
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

    proptest! {
        #[test]
        fn a_remaining_time_is_what_the_floating_point_numbers_say(
            text in "[0-9]{0,4}\\.?[0-9]{0,4}([eE][+-]?[0-9]{1,3})?",
        ) {
            let expected = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
            let read = CpuTime::read_remaining(&text);
            // A number that rounds to zero as a float is refused.
            let is_lost = text.parse() == Ok(0.0) && read == Some(CpuTime::from_micros(1));
            prop_assert!(is_lost || read.is_some() == expected.is_some(), "{text}");
            if let (Some(read), Some(seconds)) = (read, expected) {
                let micros = (seconds * 1e6).clamp(1.0, 1e15);
                prop_assert!((read.as_secs_f64() * 1e6 - micros).abs() <= 1.0 + micros * 1e-9, "{text}");
            }
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
