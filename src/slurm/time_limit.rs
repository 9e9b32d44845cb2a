//! Time limits of jobs, and how long before them a task is notified. Pure functions; requests and scripts use them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The longest notice before the limit, in seconds: enough for all but a few games.
const LONGEST_NOTICE_S: u64 = 360;

/// The time between the end of the grace period and the limit, in seconds: for writing the last game and ending.
const MARGIN_S: u64 = 60;

/// A time limit in Slurm's notation, in whole seconds.
///
/// ```
/// # use referee::slurm::TimeLimit;
/// let limit: TimeLimit = "1-12".parse()?;
/// assert_eq!(limit.seconds(), 36 * 3600);
/// assert_eq!(limit.to_string(), "1-12:00:00");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TimeLimit(u64);

/// When a task is notified of its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Notice {
    /// How many seconds before the limit Slurm sends the signal.
    pub before_s: u64,
    /// How many seconds a running game may continue after it.
    pub grace_s: u64,
}

impl TimeLimit {
    /// The limit in seconds.
    pub const fn seconds(self) -> u64 {
        self.0
    }
}

impl FromStr for TimeLimit {
    type Err = String;

    /// Parses one of the six forms of sbatch(1): `minutes`, `minutes:seconds`, `hours:minutes:seconds`, `days-hours`,
    /// `days-hours:minutes`, `days-hours:minutes:seconds`.
    fn from_str(text: &str) -> Result<Self, String> {
        seconds(text).map(Self).ok_or_else(|| {
            "expected a time limit in Slurm's format: minutes, hours:minutes:seconds or days-hours, such as 90, \
             1:30:00 or 2-0"
                .to_owned()
        })
    }
}

fn seconds(text: &str) -> Option<u64> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(number(days)?), rest),
        None => (None, text),
    };
    let parts: Vec<u64> = rest.split(':').map(number).collect::<Option<_>>()?;
    let (hours, minutes, seconds) = match (days, parts.as_slice()) {
        (None, [minutes]) => (0, *minutes, 0),
        (None, [minutes, seconds]) => (0, *minutes, *seconds),
        (_, [hours, minutes, seconds]) => (*hours, *minutes, *seconds),
        (Some(_), [hours]) => (*hours, 0, 0),
        (Some(_), [hours, minutes]) => (*hours, *minutes, 0),
        (_, _) => return None,
    };
    Some(((days.unwrap_or(0) * 24 + hours) * 60 + minutes) * 60 + seconds)
}

/// A number of at most six digits, to avoid overflow.
fn number(text: &str) -> Option<u64> {
    let is_number = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, hours) = (self.0 / 86_400, self.0 / 3_600 % 24);
        let (minutes, seconds) = (self.0 / 60 % 60, self.0 % 60);
        if days > 0 {
            write!(f, "{days}-")?;
        }
        write!(f, "{hours:02}:{minutes:02}:{seconds:02}")
    }
}

impl Notice {
    /// The notice for tasks with this limit, `None` if unknown: a fifth of it, up to a maximum.
    pub(super) fn of(limit: Option<TimeLimit>) -> Self {
        let before_s = limit.map_or(LONGEST_NOTICE_S, |limit| (limit.seconds() / 5).clamp(1, LONGEST_NOTICE_S));
        Self { before_s, grace_s: before_s - MARGIN_S.min(before_s / 2) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_six_forms_are_read() {
        for (text, seconds) in [
            ("90", 5_400),
            ("1:30", 90),
            ("1:30:00", 5_400),
            ("2-0", 172_800),
            ("1-2:3", 93_780),
            ("1-02:03:04", 93_784),
        ] {
            assert_eq!(text.parse(), Ok(TimeLimit(seconds)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "-", "1-", "-1", ":", "1:", "1:2:3:4", "1h", "+1", " 1", "UNLIMITED", "9999999", "1-1:1:1:1"] {
            assert!(text.parse::<TimeLimit>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same(seconds in 0_u64..86_400_000) {
            prop_assert_eq!(TimeLimit(seconds).to_string().parse(), Ok(TimeLimit(seconds)));
        }

        #[test]
        fn no_text_overflows(text in "[0-9:-]{0,40}") {
            let _: Result<TimeLimit, String> = text.parse();
        }

        #[test]
        fn a_task_plays_most_of_its_time_and_ends_before_its_limit(seconds in 300_u64..1_000_000) {
            let notice = Notice::of(Some(TimeLimit(seconds)));
            prop_assert!(notice.grace_s >= 1 && notice.grace_s < notice.before_s);
            prop_assert!(notice.before_s * 5 <= seconds);
        }
    }
}
