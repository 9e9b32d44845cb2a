//! When something was handed in, as a platform, an archive or a file says. It reads no clock.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::civil::DateTime;

/// A time by the clock of some place, and how far ahead of UTC that clock is, where a platform says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubmissionTime {
    clock: DateTime,
    is_utc: bool,
}

impl SubmissionTime {
    /// In the time zone of the person who downloaded it.
    pub(super) const fn local(clock: DateTime) -> Self {
        Self { clock, is_utc: false }
    }

    /// In the time zone of the zip: year, month, day, hour, minute, second; `None` if there is no such time.
    pub(super) fn of_clock(year: u16, rest: [u8; 5]) -> Option<Self> {
        let [month, day, hour, minute, second] = rest.map(|number| i8::try_from(number).unwrap_or(i8::MAX));
        let year = i16::try_from(year).ok()?;
        // Zips count in steps of two seconds, up to 60.
        let clock = DateTime::new(year, month, day, hour, minute, second.min(59), 0);
        clock.ok().map(Self::local)
    }

    /// This many seconds after 1970; `None` if a calendar has no such time.
    pub(super) fn of_unix(seconds: i64) -> Option<Self> {
        let timestamp = jiff::Timestamp::from_second(seconds).ok()?;
        Some(Self {
            clock: jiff::tz::Offset::UTC.to_datetime(timestamp),
            is_utc: true,
        })
    }

    /// `2026-11-20T23:45:00Z`; without `Z` in the time zone of the person who downloaded it.
    pub fn iso(&self) -> String {
        format!("{}{}", self.clock, if self.is_utc { "Z" } else { "" })
    }

    /// Reads what Gradescope and GitHub Classroom write: `2026-04-26 17:34:00.861687000 Z` and the like. A text without
    /// a zone is in UTC, too.
    pub(super) fn utc(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches("UTC").trim_end();
        let compact = text.replacen(' ', "T", 1).replace(' ', "");
        let zoned = compact.parse::<jiff::Timestamp>().ok();
        let clock = match zoned {
            Some(timestamp) => jiff::tz::Offset::UTC.to_datetime(timestamp),
            None => compact.parse().ok()?,
        };
        Some(Self { clock, is_utc: true })
    }
}

/// `2026-11-20 23:45`, and `UTC` where it is.
impl fmt::Display for SubmissionTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time) = (self.clock.date(), self.clock.time());
        write!(f, "{date} {:02}:{:02}", time.hour(), time.minute())?;
        f.write_str(if self.is_utc { " UTC" } else { "" })
    }
}

/// The time of a file on disk.
impl From<SystemTime> for SubmissionTime {
    fn from(time: SystemTime) -> Self {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let of_unix = |seconds: u64| Self::of_unix(i64::try_from(seconds).ok()?);
        of_unix(seconds).unwrap_or_else(|| Self::local(DateTime::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_a_zone() {
        for (text, expected) in [
            ("2026-04-26 17:34:00.861687000 Z", "2026-04-26 17:34 UTC"),
            ("2026-04-26 17:34:00 UTC", "2026-04-26 17:34 UTC"),
            ("2026-04-26T17:34:00-07:00", "2026-04-27 00:34 UTC"),
            ("2026-04-26 17:34:00 -0700", "2026-04-27 00:34 UTC"),
            ("2026-04-26 17:34:00", "2026-04-26 17:34 UTC"),
        ] {
            let time = SubmissionTime::utc(text).map(|time| time.to_string());
            assert_eq!(time.as_deref(), Some(expected), "{text}");
        }
        assert_eq!(SubmissionTime::utc("yesterday"), None);
    }

    #[test]
    fn times_of_archives_are_read_and_impossible_ones_are_none() {
        let iso = |time: Option<SubmissionTime>| time.map(|time| time.iso());
        assert_eq!(
            iso(SubmissionTime::of_clock(2026, [11, 20, 23, 45, 2])).as_deref(),
            Some("2026-11-20T23:45:02")
        );
        assert_eq!(iso(SubmissionTime::of_clock(1980, [0, 0, 0, 0, 0])), None);
        assert_eq!(iso(SubmissionTime::of_clock(2026, [2, 30, 0, 0, 0])), None);
        assert_eq!(iso(SubmissionTime::of_unix(0)).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(iso(SubmissionTime::of_unix(i64::MAX)), None);
    }
}
