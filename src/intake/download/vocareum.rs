//! Vocareum: *Download submissions* of an assignment.
//!
//! Vocareum's help pages do not show the layout, so this one is assumed: a folder for each student, called by the
//! e-mail, which Vocareum asks for, alone or behind the name (`Gina Good_gina@example.edu`); in it the files, `work`,
//! or a folder for each submission, `submission_1`, `submission_2` or `1`, `2`, of which the last one counts.

use super::{AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, UploadAttempt, is_number};
use crate::agents::FileNames;

pub(super) fn recognize(listing: &Listing, names: &FileNames) -> Option<Download> {
    let mut attempts = Vec::new();
    for entry in listing.submissions() {
        let within = entry.within.as_ref()?;
        let (name, email) = match entry.name.rsplit_once('_') {
            Some((name, email)) if is_email(email) && !name.contains('@') => (name, email),
            _ => ("", entry.name.as_str()),
        };
        if !is_email(email) {
            return None;
        }
        let last = within.iter().filter_map(|folder| Some((number(folder)?, folder))).max();
        let has_program = within.iter().any(|file| names.is_meant_for_a_program(file));
        let folder = match last {
            Some((_, folder)) if !has_program => format!("{}/{folder}", entry.name),
            Some(_) | None => entry.name.clone(),
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
    (!attempts.is_empty()).then(|| Download::new(DownloadLayout::Vocareum, attempts))
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
            ]
        );
    }
}
