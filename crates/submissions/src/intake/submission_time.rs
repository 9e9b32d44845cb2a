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

    /// Reads what people are shown, without a time zone: `Nov 20, 2026 1145 PM` of Brightspace, `Friday, 20 November
    /// 2026, 11:45 PM` of Moodle; in English, and the day before or after the month.
    pub(super) fn written(text: &str) -> Option<Self> {
        const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
        let month = |word: &str| MONTHS.iter().position(|month| word.to_lowercase().starts_with(month));
        let text = text.replace([',', '.'], " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = match words.as_slice() {
            [weekday, day, ..] if month(weekday).is_none() && month(day).is_none() => &words[1..],
            words => words,
        };
        let [one, other, year, clock, rest @ ..] = words else {
            return None;
        };
        let (month, day) = match (month(one), month(other)) {
            (Some(month), None) => (month, other),
            (None, Some(month)) => (month, one),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let clock: i16 = clock.replace(':', "").parse().ok()?;
        let (hour, minute) = (clock / 100, clock % 100);
        let hour = match rest {
            [] => hour,
            [half] if half.eq_ignore_ascii_case("am") => hour % 12,
            [half] if half.eq_ignore_ascii_case("pm") => hour % 12 + 12,
            _ => return None,
        };
        let month = i8::try_from(month + 1).ok()?;
        let (hour, minute) = (i8::try_from(hour).ok()?, i8::try_from(minute).ok()?);
        let clock = DateTime::new(year.parse().ok()?, month, day.parse().ok()?, hour, minute, 0, 0);
        clock.ok().map(Self::local)
    }

    /// This many seconds after 1970; `None` if a calendar has no such time.
    pub(super) fn of_unix(seconds: i64) -> Option<Self> {
        let timestamp = jiff::Timestamp::from_second(seconds).ok()?;
        Some(Self { clock: jiff::tz::Offset::UTC.to_datetime(timestamp), is_utc: true })
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
        write!(f, "{}{}", self.clock.strftime("%Y-%m-%d %H:%M"), if self.is_utc { " UTC" } else { "" })
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
    fn times_for_people_are_read_without_a_zone() {
        for (text, expected) in [
            ("Nov 20, 2026 1145 PM", Some("2026-11-20T23:45:00")),
            ("20 November, 2026 23:45", Some("2026-11-20T23:45:00")),
            ("Friday, 20 November 2026, 11:45 PM", Some("2026-11-20T23:45:00")),
            ("Friday, 6 November 2026, 12:05 AM", Some("2026-11-06T00:05:00")),
            ("Freitag, 20. November 2026, 23:45", Some("2026-11-20T23:45:00")),
            ("vendredi 20 brumaire 2026, 23:45", None),
            ("20 November 2026, 11:45:30 PM", None),
            ("32 November 2026, 11:45 PM", None),
            ("-", None),
            ("Gina Good", None),
            ("Nov 20, 2026 1200 AM", Some("2026-11-20T00:00:00")),
            ("Nov 20, 2026 1200 PM", Some("2026-11-20T12:00:00")),
            ("Nov 20, 2026 105 PM", Some("2026-11-20T13:05:00")),
            ("Nov 20, 2026 2345", Some("2026-11-20T23:45:00")),
            ("Nov 31, 2026 1145 PM", None),
            ("Nov 20, 2026 1165 PM", None),
            ("May May, 2026 1145 PM", None),
        ] {
            let time = SubmissionTime::written(text).map(|time| time.iso());
            assert_eq!(time.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn times_of_archives_are_read_and_impossible_ones_are_none() {
        let iso = |time: Option<SubmissionTime>| time.map(|time| time.iso());
        assert_eq!(iso(SubmissionTime::of_clock(2026, [11, 20, 23, 45, 2])).as_deref(), Some("2026-11-20T23:45:02"));
        assert_eq!(iso(SubmissionTime::of_clock(1980, [0, 0, 0, 0, 0])), None);
        assert_eq!(iso(SubmissionTime::of_clock(2026, [2, 30, 0, 0, 0])), None);
        assert_eq!(iso(SubmissionTime::of_unix(0)).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(iso(SubmissionTime::of_unix(i64::MAX)), None);
    }
}
