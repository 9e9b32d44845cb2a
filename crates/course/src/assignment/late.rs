//! The `[late]` of an assignment: when submissions are due, and what a late one costs. Pure arithmetic; `grading`
//! applies it to the submission times of a class.
//!
//! No time may be read by the clock of the machine that grades. A deadline has its own offset from UTC or time zone; a
//! submission time without an offset is by the clock of the deadline, which a zone may change between the two.

use std::fmt;
use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize, Serializer};

use super::Points;
use referee_games::protocol::counted;

/// The rules for late submissions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LateRules {
    /// When submissions are due.
    pub deadline: Deadline,
    /// Up to this many minutes after the deadline a submission is not late.
    pub grace_minutes: u32,
    /// The penalty for each started unit, in per cent.
    pub penalty_percent: u32,
    /// Of what the penalty is per cent.
    pub penalty_of: PenaltyBase,
    /// The unit that the penalty is for.
    pub per: LateUnit,
    /// A submission more than this many started days late gets no points; `None` for no limit.
    pub max_days: Option<u32>,
    /// Late days that cost nothing, unless the roster gives a student another number.
    pub free_days: u32,
}

/// Of what a penalty is a share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PenaltyBase {
    /// The maximum points of the assignment.
    #[default]
    Maximum,
    /// The points that the submission earned.
    Earned,
}

/// The unit of lateness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LateUnit {
    /// 24 hours.
    #[default]
    Day,
    /// 60 minutes.
    Hour,
}

/// A moment by the clock that states it: one with a fixed offset from UTC, or that of a time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline(Zoned);

/// A text that is no moment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a date and time with its offset from UTC, such as `2026-11-20T23:59:00-08:00`")]
pub struct DeadlineError;

/// A local time that is no moment in its zone, or two.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("clocks change then, so that this time {}", if *.is_twice { "comes twice" } else { "does not come" })]
pub struct ClocksChange {
    is_twice: bool,
}

const A_DAY: i64 = 86_400;

/// What the lateness of a submission costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateCost {
    /// Started units that are penalized.
    pub units: u32,
    /// Free late days used up.
    pub free_days_used: u32,
    /// The points taken off.
    pub penalty: Points,
    /// Whether it is beyond the last day.
    pub is_too_late: bool,
}

impl Deadline {
    /// This time by the clock of `zone`.
    ///
    /// # Errors
    ///
    /// [`ClocksChange`] if the clock shows it twice or never.
    pub fn in_zone(time: DateTime, zone: TimeZone) -> Result<Self, ClocksChange> {
        let found = zone.into_ambiguous_zoned(time);
        let is_twice = matches!(found.offset(), AmbiguousOffset::Fold { .. });
        found.unambiguous().map(Self).map_err(|_| ClocksChange { is_twice })
    }

    /// The moment of a text such as `2026-11-20T23:45:00Z`. Without an offset it is by the clock of this deadline, and
    /// the first one if that clock shows it twice.
    pub fn moment(&self, text: &str) -> Option<Timestamp> {
        match text.parse::<Self>() {
            Ok(Self(moment)) => Some(moment.timestamp()),
            Err(DeadlineError) => self.0.time_zone().to_timestamp(text.parse::<DateTime>().ok()?).ok(),
        }
    }

    /// By how many seconds `moment` is after it; zero if it is not.
    pub fn seconds_until(&self, moment: Timestamp) -> i64 {
        let late = moment.duration_since(self.0.timestamp());
        // A started second is late.
        let started = i64::from(late.subsec_nanos() > 0);
        (late.as_secs() + started).max(0)
    }

    /// `2026-11-20 23:59 UTC-08:00`, by the clock of this deadline.
    pub fn shown(&self, moment: Timestamp) -> String {
        let here = moment.to_zoned(self.0.time_zone().clone());
        let seconds = if here.second() == 0 { "" } else { ":%S" };
        let offset = if here.offset() == Offset::UTC { "" } else { "%:z" };
        here.strftime(&format!("%Y-%m-%d %H:%M{seconds} UTC{offset}")).to_string()
    }

    /// This deadline `minutes` later.
    #[must_use]
    pub fn extended_by(self, minutes: u32) -> Self {
        let later = jiff::SignedDuration::from_mins(i64::from(minutes));
        let at = self.0.timestamp().checked_add(later).unwrap_or(Timestamp::MAX);
        Self(at.to_zoned(self.0.time_zone().clone()))
    }
}

impl FromStr for Deadline {
    type Err = DeadlineError;

    fn from_str(text: &str) -> Result<Self, DeadlineError> {
        let pieces = Pieces::parse(text).map_err(|_| DeadlineError)?;
        let (Some(time), Some(offset)) = (pieces.time(), pieces.to_numeric_offset()) else {
            return Err(DeadlineError);
        };
        let moment = pieces.date().to_datetime(time).to_zoned(TimeZone::fixed(offset));
        moment.map(Self).map_err(|_| DeadlineError)
    }
}

impl fmt::Display for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(self.0.timestamp()))
    }
}

/// As RFC 3339.
impl Serialize for Deadline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.timestamp().display_with_offset(self.0.offset()))
    }
}

impl LateUnit {
    const fn seconds(self) -> i64 {
        match self {
            Self::Day => A_DAY,
            Self::Hour => 3600,
        }
    }

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Hour => "hour",
        }
    }
}

impl LateRules {
    /// Whether a submission this many seconds after its deadline counts as in time.
    pub fn is_within_grace(&self, seconds: i64) -> bool {
        seconds <= i64::from(self.grace_minutes) * 60
    }

    /// The cost of a submission that is `seconds` late, of a student with this many free days. It is at most `earned`.
    pub fn cost(&self, seconds: i64, free_days: u32, earned: Points, of: Points) -> LateCost {
        if self.is_within_grace(seconds) {
            return LateCost { units: 0, free_days_used: 0, penalty: Points::ZERO, is_too_late: false };
        }
        let days = started(seconds, A_DAY);
        let is_too_late = self.max_days.is_some_and(|most| days > most);
        let free_days_used = if is_too_late { 0 } else { free_days.min(days) };
        let units = started(seconds - i64::from(free_days_used) * A_DAY, self.per.seconds());
        let base = match self.penalty_of {
            PenaltyBase::Maximum => of,
            PenaltyBase::Earned => earned,
        };
        // Per cent of hundredths of a point, rounded half up.
        let share = u64::from(base.hundredths()) * u64::from(self.penalty_percent) * u64::from(units);
        let penalty = Points::from_hundredths(u32::try_from((share + 50) / 100).unwrap_or(u32::MAX));
        LateCost { units, free_days_used, penalty: if is_too_late { earned } else { penalty.min(earned) }, is_too_late }
    }
}

/// The number of started units.
fn started(seconds: i64, unit: i64) -> u32 {
    let units = seconds.max(0).saturating_add(unit - 1) / unit;
    u32::try_from(units).unwrap_or(u32::MAX)
}

/// `10 % of the maximum points for each started day, ...`
impl fmt::Display for LateRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { deadline, penalty_percent, .. } = self;
        let base = match self.penalty_of {
            PenaltyBase::Maximum => "the maximum points",
            PenaltyBase::Earned => "the earned points",
        };
        let unit = self.per.word();
        write!(f, "due {deadline}; each started {unit} late costs {penalty_percent} % of {base}")?;
        if self.grace_minutes > 0 {
            write!(f, ", after a grace of {} min", self.grace_minutes)?;
        }
        match self.max_days {
            None => Ok(()),
            Some(0) => write!(f, "; a late submission gets no points"),
            Some(days) => write!(f, "; more than {} late gets no points", counted(days as usize, "day")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3600;

    fn rules() -> LateRules {
        LateRules {
            deadline: "2026-11-20T23:59:00-08:00".parse().unwrap(),
            grace_minutes: 15,
            penalty_percent: 10,
            penalty_of: PenaltyBase::Maximum,
            per: LateUnit::Day,
            max_days: Some(3),
            free_days: 0,
        }
    }

    fn points(text: &str) -> Points {
        text.parse().unwrap()
    }

    #[test]
    fn a_deadline_has_an_offset_and_local_times_are_by_its_clock() {
        let deadline = rules().deadline;
        assert_eq!(deadline.to_string(), "2026-11-20 23:59 UTC-08:00");
        assert_eq!(serde_json::to_string(&deadline).unwrap(), "\"2026-11-20T23:59:00-08:00\"");
        for text in ["2026-11-20T23:59:00", "2026-11-20", "23:59", "tomorrow", "", "2026-11-31T00:00:00Z"] {
            assert_eq!(text.parse::<Deadline>(), Err(DeadlineError), "{text}");
        }
        let late = |text: &str| deadline.moment(text).map(|moment| deadline.seconds_until(moment));
        for (text, expected) in [
            ("2026-11-21T07:59:00Z", Some(0)),
            ("2026-11-21T07:59:00.5Z", Some(1)),
            ("2026-11-21T08:00:00+00:00", Some(60)),
            ("2026-11-20T23:59:30", Some(30)),
            ("2026-11-20T12:00:00", Some(0)),
            ("soon", None),
        ] {
            assert_eq!(late(text), expected, "{text}");
        }
        assert_eq!(deadline.extended_by(60).to_string(), "2026-11-21 00:59 UTC-08:00");
        let utc: Deadline = "2026-01-02T03:04:05Z".parse().unwrap();
        assert_eq!(utc.to_string(), "2026-01-02 03:04:05 UTC");
    }

    #[test]
    fn each_started_day_costs_its_share_after_the_grace() {
        let cost = |seconds| rules().cost(seconds, 0, points("80"), points("100"));
        for (seconds, units, penalty, is_too_late) in [
            (0, 0, "0", false),
            (15 * 60, 0, "0", false),
            (15 * 60 + 1, 1, "10", false),
            (24 * HOUR, 1, "10", false),
            (24 * HOUR + 1, 2, "20", false),
            (72 * HOUR, 3, "30", false),
            (72 * HOUR + 1, 4, "80", true),
        ] {
            let found = cost(seconds);
            assert_eq!(
                (found.units, found.penalty, found.is_too_late),
                (units, points(penalty), is_too_late),
                "{seconds}"
            );
        }
    }

    #[test]
    fn a_penalty_takes_no_more_than_was_earned_and_rounds_half_up() {
        let hourly = LateRules {
            per: LateUnit::Hour,
            penalty_percent: 5,
            penalty_of: PenaltyBase::Earned,
            max_days: None,
            ..rules()
        };
        assert_eq!(hourly.cost(2 * HOUR, 0, points("33.3"), points("100")).penalty, points("3.33"));
        assert_eq!(hourly.cost(HOUR, 0, points("0.1"), points("100")).penalty, points("0.01"));
        assert_eq!(hourly.cost(99 * HOUR, 0, points("33.3"), points("100")).penalty, points("33.3"));
        assert_eq!(rules().cost(HOUR, 0, points("3"), points("100")).penalty, points("3"));
    }
}
