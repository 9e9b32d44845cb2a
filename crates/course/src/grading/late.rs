//! What lateness costs one student: applies the assignment's rules to the submission time in the manifest. It reads no
//! clock.

use serde::Serialize;

use crate::assignment::{Deadline, LateRules, Points};
use referee_records::{StudentRecord, TimeSource};

/// The lateness of a submission, and its points before the penalty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LateGrade {
    /// How it was judged.
    pub verdict: LateVerdict,
    /// The student's deadline, with the extension.
    pub deadline: String,
    /// When it was handed in, by the clock of the deadline; `None` if nothing says.
    pub submitted: Option<String>,
    /// The source of that time.
    pub submitted_by: Option<TimeSource>,
    /// By how many seconds it is after the deadline.
    pub late_seconds: u64,
    /// The penalized units, for people: `2 days`.
    #[serde(skip)]
    pub units: String,
    /// Whether the platform calls it late, and nothing says by how much.
    #[serde(skip)]
    pub is_late_by_unknown: bool,
    /// Free late days used up.
    pub free_days_used: u32,
    /// The points before the penalty.
    pub earned: Points,
    /// The points taken off.
    pub penalty: Points,
}

/// How the time of a submission was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LateVerdict {
    /// Before the deadline, or within the grace.
    InTime,
    /// Late.
    Late,
    /// Later than any submission may be: no points.
    TooLate,
    /// Nothing says when it was handed in, or only that it was late: no penalty, until the roster says.
    Unknown,
}

/// The lateness of a submission that earned these points.
pub(super) fn late_grade(rules: &LateRules, student: &StudentRecord, earned: Points, of: Points) -> LateGrade {
    let own = student.deadline.as_deref().and_then(|text| text.parse::<Deadline>().ok());
    let deadline = own.unwrap_or_else(|| rules.deadline.clone());
    let deadline = deadline.extended_by(student.extension_minutes.unwrap_or(0));
    // In the offset of the course, also if the roster has another one.
    let shown = |moment| rules.deadline.shown(moment);
    let submitted = student.submitted.as_deref();
    let moment = submitted.and_then(|text| rules.deadline.moment(text));
    let judged = match (moment, student.late_on_platform) {
        (Some(moment), _) => Some(deadline.seconds_until(moment)),
        (None, Some(false)) => Some(0),
        (None, Some(true) | None) => None,
    };
    let late = LateGrade {
        verdict: LateVerdict::Unknown,
        deadline: deadline.to_string(),
        submitted: moment.map(shown),
        submitted_by: student.submitted_by.filter(|_| moment.is_some()),
        late_seconds: judged.and_then(|seconds| u64::try_from(seconds).ok()).unwrap_or(0),
        units: String::new(),
        is_late_by_unknown: judged.is_none() && student.late_on_platform == Some(true),
        free_days_used: 0,
        earned,
        penalty: Points::ZERO,
    };
    let Some(seconds) = judged else { return late };
    let cost = rules.cost(seconds, student.late_days.unwrap_or(rules.free_days), earned, of);
    LateGrade {
        verdict: if rules.is_within_grace(seconds) {
            LateVerdict::InTime
        } else if cost.is_too_late {
            LateVerdict::TooLate
        } else {
            LateVerdict::Late
        },
        units: referee_messages::counted(cost.units as usize, rules.per.word()),
        free_days_used: cost.free_days_used,
        penalty: cost.penalty,
        ..late
    }
}

impl LateGrade {
    /// For the student and the grader: a sentence without a full stop, that names the source of the time.
    pub fn sentence(&self) -> String {
        let Self { deadline, earned, penalty, .. } = self;
        let source = self.submitted_by.map_or("", TimeSource::words);
        let handed_in = match &self.submitted {
            Some(time) => format!("handed in {time} ({source}), due {deadline}"),
            None => format!("due {deadline}"),
        };
        let (used, beyond) = match self.free_days_used {
            0 => (String::new(), String::new()),
            1 => ("; 1 free late day was used".to_owned(), " beyond 1 free late day".to_owned()),
            days => (format!("; {days} free late days were used"), format!(" beyond {days} free late days")),
        };
        match self.verdict {
            LateVerdict::InTime => format!("{handed_in}: in time"),
            LateVerdict::Late if *penalty == Points::ZERO => format!("{handed_in}: late, without a penalty{used}"),
            LateVerdict::Late => format!(
                "{handed_in}: {} late{beyond}, {penalty} {} taken off the {earned} earned",
                self.units,
                penalty.noun()
            ),
            LateVerdict::TooLate => {
                format!("{handed_in}: too late, so the {earned} {} earned do not count", earned.noun())
            }
            LateVerdict::Unknown if self.is_late_by_unknown => format!(
                "{handed_in}: late by the platform, which does not say by how much; no penalty unless the roster gives \
                 the submission time"
            ),
            LateVerdict::Unknown => {
                format!("{handed_in}: submission time unknown; no penalty unless the roster gives it")
            }
        }
    }

    /// In a few words, for a table; empty if it is in time.
    pub fn short(&self) -> String {
        match self.verdict {
            LateVerdict::InTime => String::new(),
            LateVerdict::Late => self.with_penalty("late"),
            LateVerdict::TooLate => self.with_penalty("too late"),
            LateVerdict::Unknown if self.is_late_by_unknown => "late, time unknown".to_owned(),
            LateVerdict::Unknown => "time unknown".to_owned(),
        }
    }

    fn with_penalty(&self, late: &str) -> String {
        if self.penalty == Points::ZERO {
            return late.to_owned();
        }
        format!("{late}: -{}", self.penalty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_games::KnownGames;

    fn rules() -> LateRules {
        let text = "title = \"T\"\ngame = \"checkers\"\n\n[late]\ndeadline = 2026-11-20T23:59:00-08:00\n\
            penalty_percent = 10\nmax_days = 3\nfree_days = 1\n\n[[grade]]\nkind = \"games\"\n\
            opponent = \"builtin:random\"\ngames = 10\npoints_each = 10\n";
        let assignment =
            crate::assignment::Assignment::parse(text, std::path::Path::new("t.toml"), &KnownGames::builtin()).unwrap();
        assignment.late.unwrap()
    }

    fn earning(points: &str, student: &StudentRecord) -> LateGrade {
        late_grade(&rules(), student, points.parse().unwrap(), "100".parse().unwrap())
    }

    fn grade(student: &StudentRecord) -> (LateVerdict, String, u32) {
        let late = earning("80", student);
        (late.verdict, late.penalty.to_string(), late.free_days_used)
    }

    fn at(time: &str, source: TimeSource) -> StudentRecord {
        StudentRecord { submitted: Some(time.to_owned()), submitted_by: Some(source), ..StudentRecord::default() }
    }

    #[test]
    fn extensions_free_days_and_the_word_of_the_platform_count() {
        use LateVerdict::{InTime, Late, TooLate, Unknown};
        let late = at("2026-11-22T12:00:00", TimeSource::Platform);
        assert_eq!(grade(&late), (Late, "10".to_owned(), 1));
        let of = |change: fn(&mut StudentRecord)| {
            let mut student = late.clone();
            change(&mut student);
            grade(&student)
        };
        assert_eq!(of(|student| student.late_days = Some(0)), (Late, "20".to_owned(), 0));
        assert_eq!(of(|student| student.late_days = Some(2)), (Late, "0".to_owned(), 2));
        assert_eq!(of(|student| student.extension_minutes = Some(36 * 60)), (Late, "0".to_owned(), 1));
        assert_eq!(of(|student| student.extension_minutes = Some(37 * 60)), (InTime, "0".to_owned(), 0));
        let own = |student: &mut StudentRecord| student.deadline = Some("2026-11-19T00:00:00Z".to_owned());
        assert_eq!(of(own), (TooLate, "80".to_owned(), 0));
        assert_eq!(of(|student| student.submitted = None), (Unknown, "0".to_owned(), 0));
        let graded = earning("80", &at("yesterday", TimeSource::Platform));
        assert_eq!((graded.verdict, graded.submitted_by), (Unknown, None));
        // A platform that says only whether it was late.
        let word_alone = |is_late: bool| {
            let student = StudentRecord { late_on_platform: Some(is_late), ..StudentRecord::default() };
            grade(&student).0
        };
        assert_eq!([false, true].map(word_alone), [InTime, Unknown]);
        assert_eq!(grade(&at("2026-11-22T12:00:00", TimeSource::Files)).0, Late);
        // A platform's own time outweighs what it says besides.
        assert_eq!(of(|student| student.late_on_platform = Some(false)).0, Late);
    }

    #[test]
    fn a_remark_has_the_penalty_if_there_is_one() {
        for (time, earned, expected) in [
            ("2026-11-22T12:00:00", "80", "late: -10"),
            ("2026-12-22T12:00:00", "80", "too late: -80"),
            // Who earned nothing has nothing to lose.
            ("2026-12-22T12:00:00", "0", "too late"),
            ("2026-11-22T12:00:00", "0", "late"),
        ] {
            assert_eq!(earning(earned, &at(time, TimeSource::Platform)).short(), expected);
        }
    }

    #[test]
    fn free_days_and_what_is_not_known_are_told() {
        let late = |free| StudentRecord { late_days: Some(free), ..at("2026-11-22T12:00:00", TimeSource::Platform) };
        let word_alone = StudentRecord { late_on_platform: Some(true), ..StudentRecord::default() };
        for (student, end) in [
            (late(1), ": 1 day late beyond 1 free late day, 10 points taken off the 80 earned"),
            (late(2), ": late, without a penalty; 2 free late days were used"),
            (
                word_alone.clone(),
                "due 2026-11-20 23:59 UTC-08:00: late by the platform, which does not say by how much; no penalty \
                 unless the roster gives the submission time",
            ),
        ] {
            let sentence = earning("80", &student).sentence();
            assert!(sentence.ends_with(end), "{sentence}");
        }
        assert_eq!(earning("80", &late(2)).late_seconds, 36 * 3600 + 60);
        assert_eq!(earning("80", &word_alone).short(), "late, time unknown");
    }
}
