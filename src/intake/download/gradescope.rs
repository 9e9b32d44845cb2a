//! Gradescope: *Review grades*, *Export submissions*.
//!
//! A folder `submission_12345678` for each submission, and beside them `submission_metadata.yml`, which Ruby writes:
//!
//! ```yaml
//! submission_12345678:
//!   :submitters:
//!   - :name: Gina Good
//!     :sid: '678910'
//!     :email: gina@example.edu
//!   :created_at: 2026-11-20 23:45:00.861687000 Z
//! ```
//!
//! Everything else in it is passed over, such as the results of an autograder, whose texts may be a student's. All is
//! in one folder `assignment_1234_export`. Gradescope's guides do not show the keys; the scripts of its users do.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, SubmissionTime, UploadAttempt};
use crate::agents::FileNames;

#[derive(Deserialize)]
struct ExportedSubmission {
    #[serde(rename = ":submitters", default)]
    submitters: Option<Vec<GradescopeSubmitter>>,
    #[serde(rename = ":created_at", default)]
    created_at: Option<String>,
}

#[derive(Deserialize)]
struct GradescopeSubmitter {
    #[serde(rename = ":name", default)]
    name: Option<String>,
    #[serde(rename = ":sid", default)]
    sid: Option<String>,
    #[serde(rename = ":email", default)]
    email: Option<String>,
}

pub(super) fn recognize(listing: &Listing, _names: &FileNames) -> Option<Download> {
    let text = listing.texts.get("submission_metadata.yml")?;
    let (told, problem) = match serde_saphyr::from_str::<BTreeMap<String, ExportedSubmission>>(text) {
        Ok(told) => (told, None),
        Err(error) => (BTreeMap::new(), Some(error.to_string())),
    };
    let mut attempts = Vec::new();
    let mut remarks = Vec::new();
    if let Some(problem) = problem {
        let first = problem.lines().next().unwrap_or_default();
        remarks.push(format!(
            "cannot read `submission_metadata.yml`, so submissions are called by their numbers: {first}"
        ));
    }
    for entry in listing.submissions() {
        if entry.within.is_none() && !told.contains_key(&entry.name) {
            remarks.push(format!("skipped `{}`: not in `submission_metadata.yml`", entry.name));
            continue;
        }
        let submission = told.get(&entry.name);
        let people = submission.and_then(|submission| submission.submitters.as_deref()).unwrap_or_default();
        let mut people: Vec<PlatformPerson> = people.iter().map(GradescopeSubmitter::person).collect();
        if people.is_empty() {
            people.push(PlatformPerson { name: entry.name.clone(), ..PlatformPerson::default() });
        }
        let created = submission.and_then(|submission| submission.created_at.as_deref());
        attempts.push(UploadAttempt {
            people,
            submitted: created.and_then(SubmissionTime::utc),
            is_late: false,
            parts: AttemptParts::Folder(entry.name.clone()),
        });
    }
    let missing = told.keys().filter(|name| listing.entries.iter().all(|entry| entry.name != **name));
    remarks.extend(missing.map(|name| format!("`{name}` of `submission_metadata.yml` is missing")));
    Some(Download { remarks, ..Download::new(DownloadLayout::Gradescope, attempts) })
}

impl GradescopeSubmitter {
    fn person(&self) -> PlatformPerson {
        let text = |text: &Option<String>| text.as_deref().unwrap_or_default().trim().to_owned();
        PlatformPerson {
            name: text(&self.name),
            id: text(&self.sid),
            email: text(&self.email),
            ..PlatformPerson::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{listing, told};
    use super::*;

    #[test]
    fn who_handed_in_is_in_the_metadata() {
        let metadata = "submission_1:\n  :submitters:\n  - :name: Gina Good\n    :sid: '0678910'\n    \
            :email: gina@example.edu\n  :created_at: 2026-11-20 23:45:00.861687000 Z\n  :score: 2.0\n  :results:\n    \
            output: |-\n      submission_3:\n        :submitters:\n        - :name: Eve\n\
            submission_2:\n  :submitters:\n  - :name: Gina Good\n    :sid: 333\n  - :name: 'O''Brien: C'\n\
            submission_3:\n  :submitters: []\n";
        let names = ["submission_1/homework.py", "submission_2/homework.py", "submission_3/x"];
        let (layout, lines) = told(&names, &[("submission_metadata.yml", metadata)]).unwrap();
        assert_eq!(layout, DownloadLayout::Gradescope);
        assert_eq!(
            lines,
            [
                "Gina Good + O'Brien_ C|333|||submission_2/",
                "Gina Good|0678910|gina@example.edu|2026-11-20 23:45 UTC|submission_1/",
                "submission_3||||submission_3/",
            ]
        );
    }

    #[test]
    fn files_without_metadata_and_metadata_without_files_are_remarks() {
        let metadata = "submission_1: {}\nsubmission_9: {}\n";
        let listing =
            listing(&["notes.txt", "submission_1/x", "submission_2/x"], &[("submission_metadata.yml", metadata)]);
        let download = recognize(&listing, &FileNames::default()).unwrap();
        let names = download.student_names();
        assert_eq!(names, ["submission_1", "submission_2"]);
        let expected = [
            "skipped `notes.txt`: not in `submission_metadata.yml`",
            "`submission_9` of `submission_metadata.yml` is missing",
        ];
        assert_eq!(download.remarks, expected);
    }

    #[test]
    fn metadata_that_is_no_yaml_names_nobody() {
        let bombs = format!("a: &a [x,x]\n{}", "b: [*a,*a,*a,*a,*a,*a]\n");
        for text in [": : :\n - x", "- 1", bombs.as_str()] {
            let (_, lines) = told(&["submission_1/x"], &[("submission_metadata.yml", text)]).unwrap();
            assert_eq!(lines, ["submission_1||||submission_1/"], "{text}");
        }
    }
}
