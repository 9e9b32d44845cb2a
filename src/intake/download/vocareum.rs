//! Vocareum: *Exports* of an assignment, *Export submitted assignments*.
//!
//! A folder for each student, called by the e-mail; in it a folder for each part of the assignment, and in that the
//! submission, `submission_3` if it was the third (`gina@example.edu/Part 1/submission_3`). Beside the files of the
//! student are reports by Vocareum (`submit.rst`, `grade.rst`). With *All students*, whoever handed in nothing has an
//! empty folder, which is left out. *De-identified folders* have random names and are a class of no platform.
//!
//! Source: the lecturer's guide of CS 15900 at Purdue, *Export submitted assignments*
//! (<https://www.cs.purdue.edu/cs159/guides/lecturer>); Vocareum's help does not show the names. Assumed beside it: the
//! e-mail behind the name (`Gina Good_gina@example.edu`), submissions without a part, and `work`.

use std::collections::BTreeSet;

use super::{AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, UploadAttempt, is_number};
use crate::agents::FileNames;

pub(super) fn recognize(listing: &Listing, names: &FileNames) -> Option<Download> {
    let (mut attempts, mut remarks) = (Vec::new(), Vec::new());
    for entry in listing.submissions() {
        let within = entry.within.as_ref()?;
        let (name, email) = match entry.name.rsplit_once('_') {
            Some((name, email)) if is_email(email) && !name.contains('@') => (name, email),
            _ => ("", entry.name.as_str()),
        };
        if !is_email(email) {
            return None;
        }
        let has_program = within
            .iter()
            .any(|file| !file.contains('/') && names.is_meant_for_a_program(file));
        let last = if has_program { None } else { last_submission(within) };
        if within.is_empty() {
            remarks.push(format!("handed in nothing, for the folder is empty: `{email}`"));
            continue;
        }
        let folder = match last {
            Some(folder) => format!("{}/{folder}", entry.name),
            None => entry.name.clone(),
        };
        attempts.push(UploadAttempt {
            people: vec![PlatformPerson {
                name: name.to_owned(),
                email: email.to_owned(),
                login: email.split('@').next().unwrap_or_default().to_owned(),
                ..PlatformPerson::default()
            }],
            parts: AttemptParts::Folder(folder),
            ..UploadAttempt::default()
        });
    }
    (!attempts.is_empty()).then(|| Download {
        remarks,
        ..Download::new(DownloadLayout::Vocareum, attempts)
    })
}

/// The last of the submissions in the folder of a student, or in that of the only part.
fn last_submission(within: &[String]) -> Option<&String> {
    let part = |folder: &str| folder.rsplit_once('/').map(|(part, _)| part.to_owned());
    let folders = within.iter();
    let numbered = folders.filter_map(|folder| Some((number(folder.rsplit('/').next()?)?, folder)));
    let mut numbered: Vec<(u32, &String)> = numbered.collect();
    // Beside the submissions, a folder may be a student's own; without any, it is that of a part.
    if numbered.iter().any(|(_, folder)| !folder.contains('/')) {
        numbered.retain(|(_, folder)| !folder.contains('/'));
    }
    let parts: BTreeSet<Option<String>> = numbered.iter().map(|(_, folder)| part(folder)).collect();
    let last = numbered.into_iter().max().map(|(_, folder)| folder);
    last.filter(|_| parts.len() == 1)
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

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use super::*;

    #[test]
    fn a_name_without_an_address_is_not_of_vocareum() {
        for name in ["ada@localhost/work", "@example.edu/work", "ada/work"] {
            assert_eq!(told(&[name], &[]), None, "{name}");
        }
    }

    #[test]
    fn the_last_submission_of_each_student_counts() {
        let (layout, lines) = told(
            &[
                "ada@example.edu/submission_2,submission_10,work",
                "Bob Roe_bob@example.edu/homework.py",
                "cyd@example.edu/work",
                "dan@example.edu/homework.py,submission_1",
                "eve@example.edu/Part 1,Part 1/submission_9,Part 1/submission_12,Part 1/submit.rst",
                "fay@example.edu/",
            ],
            &[],
        )
        .unwrap();
        assert_eq!(layout, DownloadLayout::Vocareum);
        assert_eq!(
            lines,
            [
                "Bob Roe||bob@example.edu||Bob Roe_bob@example.edu/",
                "ada||ada@example.edu||ada@example.edu/submission_10/",
                "cyd||cyd@example.edu||cyd@example.edu/work/",
                "dan||dan@example.edu||dan@example.edu/",
                "eve||eve@example.edu||eve@example.edu/Part 1/submission_12/",
            ]
        );
    }
}
