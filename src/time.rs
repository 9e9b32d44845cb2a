//! CPU time and wall time, in whole microseconds.
//!
//! A clock charges CPU time; a guard against sleeping agents watches wall time. Mixing the two is the classic
//! mistake of a home-made referee, so here they are two types without any arithmetic between them.
//! A microsecond is the resolution of `getrusage(2)`.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Time spent computing by a process tree, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CpuTime(u64);

/// Time that passed on the clock on the wall, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WallTime(u64);

/// A text that is not a number of seconds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of seconds of zero or more such as `300` or `0.25`")]
pub struct NotSeconds;

/// The longest time that is read from a text: about 31 years, so that sums cannot overflow.
const LONGEST_SECONDS: u64 = 1_000_000_000;

const MICROS_PER_SECOND: u64 = 1_000_000;

macro_rules! microseconds {
    ($time:ident) => {
        impl $time {
            /// No time at all.
            pub const ZERO: Self = Self(0);

            /// That many microseconds.
            pub const fn from_micros(micros: u64) -> Self {
                Self(micros)
            }

            /// That many milliseconds.
            pub const fn from_millis(millis: u64) -> Self {
                Self(millis * 1_000)
            }

            /// That many whole seconds.
            pub const fn from_secs(seconds: u64) -> Self {
                Self(seconds * MICROS_PER_SECOND)
            }

            /// The time in microseconds.
            pub const fn micros(self) -> u64 {
                self.0
            }

            /// The time in seconds, for display and for statistics; the exact value is in microseconds.
            #[expect(clippy::cast_precision_loss, reason = "exact up to 285 years")]
            pub fn as_secs_f64(self) -> f64 {
                self.0 as f64 / MICROS_PER_SECOND as f64
            }

            /// The difference, or zero where `other` is the larger one.
            #[must_use]
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }

            /// The time `factor` times over, or the longest time there is.
            #[must_use]
            pub const fn saturating_mul(self, factor: u64) -> Self {
                Self(self.0.saturating_mul(factor))
            }

            /// The same length as the standard library's type.
            pub const fn to_duration(self) -> Duration {
                Duration::from_micros(self.0)
            }

            /// A length of the standard library's type, cut to whole microseconds.
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

        /// Reads seconds as a plain decimal; digits beyond the microsecond are cut off.
        impl FromStr for $time {
            type Err = NotSeconds;

            fn from_str(text: &str) -> Result<Self, NotSeconds> {
                read_micros(text).map(Self)
            }
        }
    };
}

microseconds!(CpuTime);
microseconds!(WallTime);

fn read_micros(text: &str) -> Result<u64, NotSeconds> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits_only = [whole, fraction]
        .iter()
        .all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    if !digits_only || (whole.is_empty() && fraction.is_empty()) {
        return Err(NotSeconds);
    }
    let seconds: u64 = if whole.is_empty() {
        0
    } else {
        whole.parse().map_err(|_| NotSeconds)?
    };
    if seconds > LONGEST_SECONDS {
        return Err(NotSeconds);
    }
    let micros = fraction
        .bytes()
        .chain(std::iter::repeat(b'0'))
        .take(6)
        .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    Ok(seconds * MICROS_PER_SECOND + micros)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn reading_what_was_printed_is_the_identity(micros in 0..LONGEST_SECONDS * MICROS_PER_SECOND) {
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
    fn what_is_not_a_number_of_seconds_is_refused() {
        for text in [
            "",
            ".",
            "-1",
            "+1",
            "1e3",
            "inf",
            "1.2.3",
            " 1",
            "1000000001",
            "99999999999999999999",
        ] {
            assert_eq!(text.parse::<WallTime>(), Err(NotSeconds), "{text:?}");
        }
    }
}
