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

#[cfg(test)]
mod tests {
    use super::super::tests::{listing, told};
    use super::*;

    #[test]
    fn folders_and_files_are_recognized_by_their_names() {
        let (layout, lines) = told(
            &[
                "index.html",
                "12345-678910 - Gina Good - Nov 20, 2026 1145 PM/homework.py",
                "12345-678910 - Gina Good - Nov 21, 2026 1205 AM/homework.py",
                "12346-678910 - Anne - Marie Roe - Nov 2, 2026 905 AM - homework.py",
                "12346-678910 - Anne - Marie Roe - Nov 2, 2026 905 AM - my - notes.txt",
                "12347-678910 - Gina Good - 1 November, 2026 11:45 PM - hw.zip",
            ],
            &[],
        )
        .unwrap();
        assert_eq!(layout, DownloadLayout::Brightspace);
        assert_eq!(
            lines,
            [
                "Anne - Marie Roe|12346||2026-11-02 09:05|12346-678910 - Anne - Marie Roe - Nov 2, 2026 905 AM - \
                 homework.py>homework.py 12346-678910 - Anne - Marie Roe - Nov 2, 2026 905 AM - my - \
                 notes.txt>my - notes.txt",
                "Gina Good (12345)|12345||2026-11-21 00:05|12345-678910 - Gina Good - Nov 21, 2026 1205 AM/",
                "Gina Good (12347)|12347||2026-11-01 23:45|12347-678910 - Gina Good - 1 November, 2026 11:45 PM - \
                 hw.zip>hw.zip",
            ]
        );
    }

    #[test]
    fn the_number_that_differs_is_the_students() {
        let (_, lines) =
            told(&["7-11 - A - Nov 20, 2026 1145 PM/x", "7-12 - B - Nov 20, 2026 1145 PM/x"], &[]).unwrap();
        assert!(lines[0].starts_with("A|11|") && lines[1].starts_with("B|12|"), "{lines:?}");
        let (_, lines) =
            told(&["7-11 - A - Nov 20, 2026 1145 PM/x", "7-11 - B - Nov 20, 2026 1145 PM/x"], &[]).unwrap();
        assert!(lines[0].starts_with("A||") && lines[1].starts_with("B||"), "{lines:?}");
    }

    #[test]
    fn a_name_without_two_numbers_and_a_student_is_not_of_brightspace() {
        for start in ["7-11", "7-b - A", "a-11 - A"] {
            let name = format!("{start} - Nov 20, 2026 1145 PM - homework.py");
            assert_eq!(told(&[&name], &[]), None, "{name}");
        }
    }

    #[test]
    fn files_of_another_time_are_another_submission() {
        let names = ["7-11 - A - Dec 1, 2026 1145 PM - homework.py", "7-11 - A - Nov 30, 2026 1145 PM - homework.py"];
        let (_, lines) = told(&names, &[]).unwrap();
        assert_eq!(lines, [format!("A|7||2026-12-01 23:45|{}>homework.py", names[0])]);
        let download = super::super::recognize(&listing(&names, &[]), &FileNames::default()).unwrap();
        assert_eq!(download.remarks, ["of `A`, the last of 2 submissions counts"]);
    }

    #[test]
    fn nobody_is_earlier_by_a_name() {
        let names = ["7-11 - A - Nov 1, 2026 100 AM - Dec 1, 2026 1145 PM - homework.py"];
        let (_, lines) = told(&names, &[]).unwrap();
        assert!(lines[0].starts_with("A|7||2026-12-01 23:45|"), "{lines:?}");
        let names = ["7-11 - A - Nov 1, 2026 100 AM - Dec 1, 2026 1145 PM/homework.py"];
        let (_, lines) = told(&names, &[]).unwrap();
        assert!(lines[0].starts_with("A - Nov 1, 2026 100 AM|7||2026-12-01 23:45|"), "{lines:?}");
    }

    #[test]
    fn times_of_day_are_those_of_the_clock() {
        for (text, expected) in [
            ("Nov 20, 2026 1200 AM", Some("2026-11-20T00:00:00")),
            ("Nov 20, 2026 1200 PM", Some("2026-11-20T12:00:00")),
            ("Nov 20, 2026 105 PM", Some("2026-11-20T13:05:00")),
            ("Nov 20, 2026 2345", Some("2026-11-20T23:45:00")),
            ("Nov 31, 2026 1145 PM", None),
            ("Nov 20, 2026 1165 PM", None),
            ("May May, 2026 1145 PM", None),
            ("Gina Good", None),
        ] {
            let time = SubmissionTime::written(text).map(|time| time.iso());
            assert_eq!(time.as_deref(), expected, "{text}");
        }
    }
}
