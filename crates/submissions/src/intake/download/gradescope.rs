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

use super::yaml::YamlNode;
use super::{
    AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, SubmissionTime, UploadAttempt, unread_time,
};
use crate::agents::FileNames;

const METADATA: &str = "submission_metadata.yml";

struct ExportedSubmission {
    submitters: Vec<PlatformPerson>,
    created_at: Option<String>,
}

impl ExportedSubmission {
    fn of(node: &YamlNode) -> Result<Self, String> {
        let submitters = node.value(":submitters")?.map_or(Ok(&[][..]), YamlNode::list)?;
        let created_at = node.value(":created_at")?.map_or(Ok(None), YamlNode::text)?;
        Ok(Self {
            submitters: submitters.iter().map(|node| submitter(node)).collect::<Result<_, _>>()?,
            created_at: created_at.map(str::to_owned),
        })
    }
}

fn submitter(node: &YamlNode) -> Result<PlatformPerson, String> {
    let text = |key| -> Result<String, String> {
        let text = node.value(key)?.map_or(Ok(None), YamlNode::text)?;
        Ok(text.unwrap_or_default().trim().to_owned())
    };
    let [name, id, email] = [text(":name")?, text(":sid")?, text(":email")?];
    Ok(PlatformPerson { name, id, email, ..PlatformPerson::default() })
}

pub(super) fn recognize(listing: &Listing, _names: &FileNames) -> Option<Download> {
    let text = listing.texts.get(METADATA)?;
    let (told, mut remarks) = read(text);
    let mut attempts = Vec::new();
    for entry in listing.submissions() {
        if entry.within.is_none() && !told.contains_key(&entry.name) {
            remarks.push(format!("skipped `{}`: not in `submission_metadata.yml`", entry.name));
            continue;
        }
        let submission = told.get(&entry.name);
        let mut people = submission.map(|submission| submission.submitters.clone()).unwrap_or_default();
        if people.is_empty() {
            people.push(PlatformPerson { name: entry.name.clone(), ..PlatformPerson::default() });
        }
        let created = submission.and_then(|submission| submission.created_at.as_deref());
        let submitted = created.and_then(SubmissionTime::utc);
        if let (Some(created), None) = (created, submitted) {
            remarks.push(unread_time(created, &format!("`:created_at` of `{}` in `{METADATA}`", entry.name)));
        }
        attempts.push(UploadAttempt {
            people,
            submitted,
            is_late: false,
            parts: AttemptParts::Entry(entry.name.clone()),
        });
    }
    let missing = told.keys().filter(|name| listing.entries.iter().all(|entry| entry.name != **name));
    remarks.extend(missing.map(|name| format!("`{name}` of `submission_metadata.yml` is missing")));
    Some(Download { remarks, ..Download::new(DownloadLayout::Gradescope, attempts) })
}

type ToldSubmissions = BTreeMap<String, ExportedSubmission>;

/// What the metadata tell, and what is wrong with them. If they cannot be read as a whole, a fault of one entry costs
/// only that entry.
fn read(text: &str) -> (ToldSubmissions, Vec<String>) {
    let whole = match submissions(text) {
        Ok(told) => return (told, Vec::new()),
        Err(fault) => fault,
    };
    let (mut told, mut remarks) = (ToldSubmissions::new(), Vec::new());
    for entry in entries(text) {
        match submissions(entry) {
            Ok(read) => told.extend(read),
            Err(fault) => {
                let key = entry.split(':').next().unwrap_or_default();
                remarks.push(unread(
                    &format!("the entry `{key}` of `{METADATA}`, so it has its number for a name"),
                    &fault,
                ));
            }
        }
    }
    if told.is_empty() {
        remarks = vec![unread(&format!("`{METADATA}`, so submissions are called by their numbers"), &whole)];
    }
    (told, remarks)
}

fn submissions(text: &str) -> Result<ToldSubmissions, String> {
    let whole = YamlNode::read(text)?;
    let entries = whole.mapping()?.into_iter().flatten();
    entries.map(|(name, entry)| Ok((name.clone(), ExportedSubmission::of(entry)?))).collect()
}

fn unread(what: &str, fault: &str) -> String {
    format!("cannot read {what}: {}", fault.lines().next().unwrap_or_default())
}

/// The entries of the outermost mapping, each of which begins at the margin: YAML indents all that is in them, so no
/// line of a student's text can begin one.
fn entries(text: &str) -> Vec<&str> {
    let lines = text.split_inclusive('\n');
    let starts = lines.scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, line))
    });
    let is_start = |line: &str| line.starts_with("submission_");
    let starts: Vec<usize> = starts.filter(|(_, line)| is_start(line)).map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
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
                "Gina Good + O'Brien: C|333|||submission_2/",
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
    fn a_time_that_cannot_be_read_is_a_remark() {
        let metadata = "submission_1:\n  :created_at: yesterday\nsubmission_2:\n  :created_at:\n";
        let listing = listing(&["submission_1/x", "submission_2/x"], &[(METADATA, metadata)]);
        let remark = "cannot read the time `yesterday`, `:created_at` of `submission_1` in \
            `submission_metadata.yml`: it is unknown when that was handed in, unless a roster says it in its column \
            `submitted`";
        assert_eq!(recognize(&listing, &FileNames::default()).unwrap().remarks, [remark]);
    }

    #[test]
    fn a_bad_entry_costs_only_that_entry() {
        for bad in [":name: [1, 2]", ":name: \"\\x\"", ":name: *nobody", ":name: 'open", ":name: a\n\t- b: c: d"] {
            let entry = |number: u32, name: &str| {
                format!("submission_{number}:\n  :submitters:\n  - {name}\n    :sid: '{number}'\n")
            };
            let metadata = entry(1, ":name: Ada") + &entry(2, bad) + &entry(3, ":name: Cyd");
            let listing =
                listing(&["submission_1/x", "submission_2/x", "submission_3/x"], &[(METADATA, metadata.as_str())]);
            let download = recognize(&listing, &FileNames::default()).unwrap();
            assert_eq!(download.student_names(), ["Ada", "submission_2", "Cyd"], "{bad}");
            let remark = "cannot read the entry `submission_2` of `submission_metadata.yml`, so it has its number for";
            assert!(download.remarks[0].starts_with(remark), "{:?}", download.remarks);
        }
    }

    #[test]
    fn a_name_that_ends_in_another_ones_id_takes_nobodys_place() {
        let submitter = |number: u32, name: &str| {
            format!("submission_{number}:\n  :submitters:\n  - :name: {name}\n    :sid: '{number}'\n")
        };
        let metadata = submitter(1, "Gina Good") + &submitter(2, "Gina Good") + &submitter(3, "GINA GOOD (1)");
        let names = ["submission_1/x", "submission_2/x", "submission_3/x"];
        let listing = listing(&names, &[(METADATA, metadata.as_str())]);
        let download = recognize(&listing, &FileNames::default()).unwrap();
        assert_eq!(download.student_names(), ["Gina Good (1)", "Gina Good (2)", "GINA GOOD (1) (3)"]);
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
