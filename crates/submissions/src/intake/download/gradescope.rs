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
    /// Empty where it is not told.
    created_at: String,
}

impl ExportedSubmission {
    fn of(node: &YamlNode) -> Result<Self, String> {
        let submitters = node.value(":submitters")?.map_or(Ok(&[][..]), YamlNode::list)?;
        let created_at = node.value(":created_at")?.map_or(Ok(""), YamlNode::text)?;
        Ok(Self {
            submitters: submitters.iter().map(|node| submitter(node)).collect::<Result<_, _>>()?,
            created_at: created_at.to_owned(),
        })
    }
}

fn submitter(node: &YamlNode) -> Result<PlatformPerson, String> {
    let text =
        |key| -> Result<String, String> { Ok(node.value(key)?.map_or(Ok(""), YamlNode::text)?.trim().to_owned()) };
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
        let created = submission.map_or("", |submission| &submission.created_at);
        let submitted = SubmissionTime::utc(created);
        if submitted.is_none() && !created.is_empty() {
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
    use super::*;

    #[test]
    fn a_bad_entry_costs_only_that_entry() {
        for bad in [":name: [1, 2]", ":name: \"\\x\"", ":name: *nobody", ":name: 'open", ":name: a\n\t- b: c: d"] {
            let entry = |number: u32, name: &str| {
                format!("submission_{number}:\n  :submitters:\n  - {name}\n    :sid: '{number}'\n")
            };
            let (told, remarks) = read(&(entry(1, ":name: Ada") + &entry(2, bad) + &entry(3, ":name: Cyd")));
            let names = told.values().map(|submission| submission.submitters[0].name.as_str());
            assert_eq!(names.collect::<Vec<_>>(), ["Ada", "Cyd"], "{bad}");
            let remark = "cannot read the entry `submission_2` of `submission_metadata.yml`, so it has its number for";
            assert!(remarks[0].starts_with(remark), "{remarks:?}");
        }
        let (told, remarks) = read(": :\n - x");
        let remark = "cannot read `submission_metadata.yml`, so submissions are called by their numbers: ";
        assert!(told.is_empty() && remarks[0].starts_with(remark), "{remarks:?}");
    }
}
