//! When the submissions of a class were handed in, where only their files say it: copying a folder changes their times,
//! so times that nobody can believe are asked for. It reads no clock.

use std::str::FromStr;

use super::Failure;
use referee_course::assignment::{Deadline, LateRules};
use referee_messages::counted;
use referee_records::{StudentRecord, TimeSource};

/// What the grader says of submissions without a time of the platform or of the roster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReceivedAt {
    /// The times of their files are right.
    Files,
    /// They were handed in at this time, which has an offset from UTC.
    Time(String),
}

impl FromStr for ReceivedAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "files" => Ok(Self::Files),
            _ if text.parse::<Deadline>().is_ok() => Ok(Self::Time(text.to_owned())),
            _ => {
                Err("expected `files`, or a time with its offset from UTC, such as `2026-11-20T23:59:00-08:00`".into())
            }
        }
    }
}

impl ReceivedAt {
    /// Gives its time to a student of whom neither the platform nor the roster has one.
    pub(super) fn apply(&self, student: &mut StudentRecord) {
        let is_known = match student.submitted_by {
            Some(TimeSource::Roster | TimeSource::Platform | TimeSource::Grader) => true,
            Some(TimeSource::Files) => false,
            None => student.late_on_platform == Some(false),
        };
        if let (Self::Time(time), false) = (self, is_known) {
            (student.submitted, student.submitted_by) = (Some(time.clone()), Some(TimeSource::Grader));
        }
    }
}

/// Refuses times of files that seem to be those of a copy: all after the deadline, or all at the same moment.
pub(super) fn expect_credible_times(rules: &LateRules, students: &[&StudentRecord]) -> Result<(), Failure> {
    let by_files = students.iter().filter(|one| one.submitted_by == Some(TimeSource::Files));
    let times: Vec<_> = by_files.filter_map(|one| rules.deadline.moment(one.submitted.as_deref()?)).collect();
    let is_late = |&time: &_| !rules.is_within_grace(rules.deadline.seconds_until(time));
    let doubt = if times.iter().all(is_late) {
        format!("after the deadline, {}", rules.deadline)
    } else if times.len() > 1 && times.iter().all(|time| *time == times[0]) {
        format!("at the same moment, {}", rules.deadline.shown(times[0]))
    } else {
        return Ok(());
    };
    if times.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "only the times of files say when {} handed in, and all of them are {doubt}, as if the files had been copied: \
         give the times in the column `submitted` of the roster, or one for all with `--received-at TIME`, or confirm \
         those of the files with `--received-at files`",
        match times.len() {
            1 => "1 submission was".to_owned(),
            several => format!("{} were", counted(several, "submission")),
        }
    )))
}
