//! Vocareum: *Exports* of an assignment, *Export submitted assignments*.
//!
//! A folder for each student, called by the e-mail; in it a folder for each part of the assignment, and in that the
//! submission, `submission_3` if it was the third (`gina@example.edu/Part 1/submission_3`). Beside the files of the
//! student are reports by Vocareum (`submit.rst`, `grade.rst`). With *All students*, whoever handed in nothing has an
//! empty folder, which is left out. *De-identified folders* have random names and are a class of no platform.
//!
//! Of several parts the user names one. It is never chosen by what a student has handed in: somebody would be graded by
//! the program of another part.
//!
//! Source: the lecturer's guide of CS 15900 at Purdue, *Export submitted assignments*
//! (<https://www.cs.purdue.edu/cs159/guides/lecturer>); Vocareum's help does not show the names. Assumed beside it: the
//! e-mail behind the name (`Gina Good_gina@example.edu`), submissions without a part, and `work`.

use std::collections::BTreeSet;

use super::{AttemptParts, Download, DownloadLayout, ListedEntry, Listing, PlatformPerson, UploadAttempt, is_number};
use crate::agents::FileNames;

/// The folder of one student.
struct StudentFolder<'a> {
    name: &'a str,
    email: &'a str,
    within: &'a [String],
    /// The name of the folder.
    folder: &'a str,
}

pub(super) fn recognize(listing: &Listing, names: &FileNames) -> Option<Download> {
    let entries = listing.submissions();
    // Where names stand before the addresses, some have a blank in them.
    let has_names = entries.iter().any(|entry| !is_email(&entry.name));
    let folders = entries.into_iter().map(|entry| StudentFolder::read(entry, has_names));
    let folders: Vec<StudentFolder<'_>> = folders.collect::<Option<_>>()?;
    let parts: BTreeSet<&str> = folders.iter().flat_map(|folder| folder.parts(names)).collect();
    let part = match (listing.part.as_deref(), parts.first()) {
        (None, Some(only)) if parts.len() == 1 => Some(*only),
        (part, _) => part,
    };
    let (mut attempts, mut remarks) = (Vec::new(), Vec::new());
    for folder in &folders {
        let email = folder.email;
        let Some(submission) = folder.submission(&parts, part, names) else {
            let place = match part {
                Some(part) if !folder.within.is_empty() => format!("in part `{part}`"),
                Some(_) | None => "(empty folder)".to_owned(),
            };
            remarks.push(format!("`{email}` handed in nothing {place}"));
            continue;
        };
        attempts.push(UploadAttempt {
            people: vec![PlatformPerson {
                name: folder.name.to_owned(),
                email: email.to_owned(),
                login: email.split('@').next().unwrap_or_default().to_owned(),
                ..PlatformPerson::default()
            }],
            parts: AttemptParts::Entry(submission),
            ..UploadAttempt::default()
        });
    }
    let parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
    (!attempts.is_empty() || !parts.is_empty()).then(|| Download {
        parts,
        remarks,
        ..Download::new(DownloadLayout::Vocareum, attempts)
    })
}

impl<'a> StudentFolder<'a> {
    /// An address may have a `_` of its own, and must not become that of somebody else without what stands before it.
    fn read(entry: &'a ListedEntry, has_names: bool) -> Option<Self> {
        let within = entry.within.as_ref()?;
        let last_word = entry.name.rfind(char::is_whitespace).unwrap_or(0);
        let end = entry.name[last_word..].find('_').map(|at| last_word + at).filter(|_| has_names);
        let (name, email) = match end.map(|end| (&entry.name[..end], &entry.name[end + 1..])) {
            Some((name, email)) if is_email(email) && !name.contains('@') => (name, email),
            _ => ("", entry.name.as_str()),
        };
        is_email(email).then_some(Self { name, email, within, folder: &entry.name })
    }

    /// What is in the folder itself.
    fn own(&self) -> impl Iterator<Item = &'a str> {
        let names = self.within.iter().map(String::as_str);
        names.filter(|name| !name.contains('/'))
    }

    /// The folders within folders, each with the outer one.
    fn inner(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.within.iter().filter_map(|place| place.split_once('/'))
    }

    fn has_program(&self, names: &FileNames) -> bool {
        self.own().any(|name| names.is_meant_for_a_program(name))
    }

    /// The parts of the assignment that are in it. Beside a program or submissions, a folder is the student's own.
    fn parts(&self, names: &FileNames) -> impl Iterator<Item = &'a str> {
        let is_one_alone = self.has_program(names) || self.own().any(is_submission);
        let of_parts = self.inner().filter(move |(_, within)| !is_one_alone && is_submission(within));
        of_parts.map(|(part, _)| part)
    }

    /// Where its submission is: the last one in the folder or in that of the `part`, else the folder itself; `None` if
    /// nothing was handed in.
    fn submission(&self, parts: &BTreeSet<&str>, part: Option<&str>, names: &FileNames) -> Option<String> {
        let whole = self.folder;
        let last = self.own().filter(|name| !parts.contains(name));
        let last = last.filter(|name| number(name).is_some()).max_by_key(|name| number(name));
        let of_part = self.inner().filter(|(of, within)| Some(*of) == part && number(within).is_some());
        let of_part = of_part.max_by_key(|(_, within)| number(within));
        match (last, of_part) {
            _ if self.has_program(names) => Some(whole.to_owned()),
            (Some(last), _) => Some(format!("{whole}/{last}")),
            (None, Some((part, last))) => Some(format!("{whole}/{part}/{last}")),
            (None, None) if self.own().all(|name| parts.contains(name)) => None,
            (None, None) => Some(whole.to_owned()),
        }
    }
}

/// Whether only Vocareum writes a folder of this name, and not a student.
fn is_submission(folder: &str) -> bool {
    number(folder).is_some() && !is_number(folder)
}

fn is_email(text: &str) -> bool {
    text.split_once('@')
        .is_some_and(|(user, host)| !user.is_empty() && host.contains('.') && !text.contains(char::is_whitespace))
}

/// The place of a submission among those of its student; what is still being worked on comes first.
fn number(folder: &str) -> Option<u32> {
    let number = folder.strip_prefix("submission_").unwrap_or(folder);
    if folder == "work" {
        return Some(0);
    }
    is_number(number).then(|| number.parse().ok())?
}
