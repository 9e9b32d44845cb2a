//! Blackboard: *Full Grade Center*, the column of the assignment, *Assignment File Download*.
//!
//! A file for each file, in no folder: `Homework 2_ggood_attempt_2026-11-20-23-45-00_homework.py` is the assignment,
//! the username, the time of the attempt and the file. Beside them is
//! `Homework 2_ggood_attempt_2026-11-20-23-45-00.txt`, which begins with `Name: Gina Good (ggood)` and has what the
//! student typed. The time is in the time zone of the site.
//!
//! Blackboard's help does not show the names; programs that read them do: the `README.md` of
//! <https://github.com/kwurst/bb-file-cleanup> and the instructions of `BBGradebookOrganiser`. The
//! `blackboard.py` of `CodeGrade` reads the text.

use std::collections::BTreeMap;

use jiff::civil::DateTime;

use super::{AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, SubmissionTime, UploadAttempt};
use crate::agents::FileNames;

const MARK: &str = "_attempt_";

/// The parts of a name.
struct BlackboardName<'a> {
    /// The assignment and the username.
    start: &'a str,
    /// All before what the student called the file.
    attempt: &'a str,
    time: DateTime,
    /// What the student called the file; empty for the platform's own text.
    file: &'a str,
}

pub(super) fn recognize(listing: &Listing, _names: &FileNames) -> Option<Download> {
    let entries = listing.submissions();
    let is_file = entries.iter().all(|entry| entry.within.is_none());
    let names = entries.iter().map(|entry| BlackboardName::read(&entry.name));
    let names: Vec<BlackboardName<'_>> = names.collect::<Option<_>>().filter(|_| is_file)?;
    let mut of_attempts: BTreeMap<&str, Vec<BlackboardName<'_>>> = BTreeMap::new();
    for name in names {
        of_attempts.entry(name.attempt).or_default().push(name);
    }
    let attempts = of_attempts.into_values().map(|names| upload(listing, &names));
    let attempts: Vec<UploadAttempt> = attempts.collect();
    (!attempts.is_empty()).then(|| Download::new(DownloadLayout::Blackboard, attempts))
}

/// The files of one attempt. The platform's own text is one of them only where there is no other: then it has what the
/// student typed.
fn upload(listing: &Listing, names: &[BlackboardName<'_>]) -> UploadAttempt {
    let first = &names[0];
    let own = names.iter().filter(|name| !name.file.is_empty());
    let mut files: Vec<(String, String)> =
        own.map(|name| (format!("{}_{}", name.attempt, name.file), name.file.to_owned())).collect();
    if files.is_empty() {
        files.push((format!("{}.txt", first.attempt), "submission.txt".to_owned()));
    }
    UploadAttempt {
        people: vec![first.person(listing)],
        submitted: Some(SubmissionTime::local(first.time)),
        is_late: false,
        parts: AttemptParts::Files(files),
    }
}

/// Whether this is the name of a text in which Blackboard tells of an attempt.
pub(super) fn is_information(name: &str) -> bool {
    BlackboardName::read(name).is_some_and(|name| name.file.is_empty())
}

impl<'a> BlackboardName<'a> {
    /// The first mark counts: a student's own name for a file comes after it.
    fn read(name: &'a str) -> Option<Self> {
        const TIME: &str = "2026-11-20-23-45-00";
        let (start, rest) = name.split_once(MARK)?;
        let (time, file) = rest.split_at_checked(TIME.len())?;
        let is_comment = file == ".txt";
        let file = if is_comment { "" } else { file.strip_prefix('_')? };
        let attempt = &name[..start.len() + MARK.len() + TIME.len()];
        let time = DateTime::strptime("%Y-%m-%d-%H-%M-%S", time).ok()?;
        let is_whole = start.contains('_') && (is_comment || !file.is_empty());
        is_whole.then_some(Self { start, attempt, time, file })
    }

    /// By the first line of the platform's texts, where it fits the name; else by the name alone.
    ///
    /// The rest of a text may be a student's.
    fn person(&self, listing: &Listing) -> PlatformPerson {
        let of_them = format!("{}{MARK}", self.start);
        let texts = listing.texts.range(of_them.clone()..);
        let texts = texts.take_while(|(name, _)| name.starts_with(&of_them));
        let mut told = texts.filter_map(|(_, text)| {
            let first = text.trim_start_matches('\u{feff}').lines().next()?;
            let (name, login) = first.strip_prefix("Name: ")?.trim_end().strip_suffix(')')?.rsplit_once(" (")?;
            self.start.ends_with(&format!("_{login}")).then_some((name.trim(), login))
        });
        let of_the_name = || ("", self.start.rsplit('_').next().unwrap_or_default());
        let (name, login) = told.next().unwrap_or_else(of_the_name);
        PlatformPerson {
            name: name.to_owned(),
            id: login.to_owned(),
            login: login.to_owned(),
            // The end of a login may be that of another one.
            number: self.start.to_owned(),
            ..PlatformPerson::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_information;

    #[test]
    fn a_students_file_is_never_the_platforms_text() {
        assert!(is_information("Hw_eve_attempt_2026-11-20-10-00-00.txt"));
        assert!(!is_information("Hw_eve_attempt_2026-11-20-10-00-00_Hw_gina_attempt_2026-11-20-10-00-00.txt"));
    }
}
