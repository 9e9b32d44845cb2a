//! Brightspace: *Assignments*, *Submissions*, *Download*.
//!
//! `12345-678910 - Gina Good - Nov 20, 2026 1145 PM - homework.py` for each file, or a folder of the name without the
//! file's; several attempts of a student beside each other, and an `index.html`. One of the two numbers is the
//! student's and the other one the assignment's; which one, differs between sites, so the one that differs between
//! students is taken. The time is in the time zone of the person who downloads.
//!
//! D2L's help does not show the names; the scripts of its users do, such as `rename_and_move.sh` and *lab-download*.

use std::collections::BTreeSet;

use super::{
    AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, SubmissionTime, UploadAttempt, add_file, is_number,
};
use crate::agents::FileNames;

struct BrightspaceName<'a> {
    numbers: [&'a str; 2],
    student: String,
    time: SubmissionTime,
    /// The file's own name; none where the entry is a folder.
    file: Option<String>,
}

pub(super) fn recognize(listing: &Listing, _names: &FileNames) -> Option<Download> {
    let entries = listing.submissions();
    let names = entries.iter().map(|entry| BrightspaceName::read(&entry.name, entry.within.is_some()));
    let names: Vec<BrightspaceName<'_>> = names.collect::<Option<_>>()?;
    if names.is_empty() {
        return None;
    }
    let numbers = |at: usize| names.iter().map(|name| name.numbers[at]).collect::<BTreeSet<_>>().len();
    let students = names.iter().map(|name| (&name.student, name.numbers)).collect::<BTreeSet<_>>().len();
    let id = match (numbers(0), numbers(1)) {
        (1, 2..) => Some(1),
        (1, _) if students > 1 => None,
        _ => Some(0),
    };
    let mut attempts: Vec<UploadAttempt> = Vec::new();
    for (entry, name) in entries.iter().zip(names) {
        let person = PlatformPerson {
            number: id.map_or_else(String::new, |at| name.numbers[at].to_owned()),
            name: name.student,
            ..PlatformPerson::default()
        };
        let attempt = UploadAttempt { people: vec![person], submitted: Some(name.time), ..UploadAttempt::default() };
        match (&entry.within, name.file) {
            (Some(_), None) => {
                attempts.push(UploadAttempt { parts: AttemptParts::Entry(entry.name.clone()), ..attempt });
            }
            (None, Some(file)) => add_file(&mut attempts, attempt, (entry.name.clone(), file)),
            (Some(_), Some(_)) | (None, None) => return None,
        }
    }
    Some(Download::new(DownloadLayout::Brightspace, attempts))
}

impl<'a> BrightspaceName<'a> {
    fn read(name: &'a str, is_folder: bool) -> Option<Self> {
        let parts: Vec<&str> = name.split(" - ").collect();
        let (numbers, rest) = parts.split_first()?;
        let (first, second) = numbers.split_once('-')?;
        if !is_number(first) || !is_number(second) {
            return None;
        }
        let times = || rest.iter().map(|part| SubmissionTime::written(part)).enumerate().skip(1);
        let mut places = times().filter(|(_, time)| time.is_some()).map(|(at, _)| at);
        let at = if is_folder { places.next_back() } else { places.next() }?;
        let file = rest[at + 1..].join(" - ");
        // Who has a time for a name, or puts one into that of a file, is not earlier by it.
        let time = times().filter_map(|(_, time)| time).max()?;
        Some(Self {
            numbers: [first, second],
            student: rest[..at].join(" - ").trim().to_owned(),
            time,
            file: (!file.is_empty()).then_some(file),
        })
    }
}
