//! The students of a run: who shares which submission, and when it was handed in.
//!
//! A time in the roster takes precedence over that of the platform, and this over file times, which copying a folder
//! changes. Downloads whose files have the time of the download have no file times here
//! ([`DownloadLayout::keeps_file_times`]). Times in a student's own archive are never read.

use super::{ClassIntake, DownloadLayout, StudentFacts};
use referee_records::{StudentIdentity, StudentRecord, TimeSource};

impl ClassIntake {
    /// The students of the class, in its order. Those of a group share a submission.
    pub fn student_records(&self) -> Vec<StudentRecord> {
        let entries = self.class.entries.iter();
        entries.flat_map(|entry| self.records_of(entry.student.as_str())).collect()
    }

    fn records_of(&self, student: &str) -> Vec<StudentRecord> {
        let nothing = StudentFacts::default();
        let facts = self.facts.get(student).unwrap_or(&nothing);
        let by_platform = facts.submitted.map(|time| (time.iso(), TimeSource::Platform));
        let dated = by_platform.or_else(|| facts.file_time.map(|time| (time.iso(), TimeSource::Files)));
        let (submitted, submitted_by) = dated.unzip();
        let platform = StudentRecord {
            name: student.to_owned(),
            submission: student.to_owned(),
            identity: StudentIdentity {
                id: facts.id.clone(),
                email: facts.email.clone(),
                ..StudentIdentity::default()
            },
            submitted,
            submitted_by,
            late_on_platform: (self.layout == Some(DownloadLayout::Canvas)).then_some(facts.is_late),
            ..StudentRecord::default()
        };
        if facts.lines.is_empty() {
            return vec![platform];
        }
        let known = |own: &str, platform: &str| if own.is_empty() { platform } else { own }.to_owned();
        let is_alone = facts.lines.len() == 1;
        // The roster may say it of one member of a group.
        let of_roster = facts.lines.iter().find_map(|(_, line)| line.submitted.as_ref());
        let lines = facts.lines.iter().map(|(name, line)| StudentRecord {
            name: name.clone(),
            // What a platform says of a group is not of one of them.
            identity: StudentIdentity {
                id: known(&line.id, if is_alone { &facts.id } else { "" }),
                email: known(&line.email, if is_alone { &facts.email } else { "" }),
                login: line.login.clone(),
                section: line.section.clone(),
                group: line.group.clone(),
            },
            submitted: line.submitted.as_ref().or(of_roster).or(platform.submitted.as_ref()).cloned(),
            submitted_by: of_roster.map_or(platform.submitted_by, |_| Some(TimeSource::Roster)),
            deadline: line.deadline.clone(),
            extension_minutes: line.extension_minutes,
            late_days: line.late_days,
            ..platform.clone()
        });
        lines.collect()
    }
}
