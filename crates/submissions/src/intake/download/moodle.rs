//! Moodle: *Assignment*, *View all submissions*, *Download all submissions*.
//!
//! `Gina Good_123_assignsubmission_file` is a folder (older versions end it with `_`), or, where *Download submissions
//! in folders* is off, the beginning of a file's name. The number is that of the participant in the grading worksheet;
//! with *Students submit in groups* it is that of the group, and the name is the group's, `Default group` without a
//! number for students in none. With *Anonymous submissions* every name is `Participant`. What was typed online
//! (`..._assignsubmission_onlinetext`) belongs to it, too.
//!
//! Source: Moodle, `mod/assign/classes/downloader.php`, <https://github.com/moodle/moodle>.

use super::{AttemptParts, Download, DownloadLayout, ListedEntry, Listing, PlatformPerson, UploadAttempt, is_number};
use crate::agents::FileNames;

pub(super) fn recognize(listing: &Listing, _names: &FileNames) -> Option<Download> {
    let mut attempts: Vec<UploadAttempt> = Vec::new();
    let mut texts: Vec<UploadAttempt> = Vec::new();
    let mut remarks = Vec::new();
    for entry in listing.submissions() {
        let (person, plugin, file) = read(entry)?;
        if entry.within.is_none() && entry.name.matches(MARK).count() > 1 {
            let (entry, name) = (&entry.name, &person.name);
            remarks.push(format!(
                "`{entry}`: see on Moodle whether `{name}` handed it in; its name can be read in two ways"
            ));
        }
        let parts = match (&entry.within, file) {
            (Some(_), "") => AttemptParts::Entry(entry.name.clone()),
            (None, file) if !file.is_empty() => AttemptParts::Files(vec![(entry.name.clone(), file.to_owned())]),
            (Some(_) | None, _) => return None,
        };
        let list = if plugin == "file" { &mut attempts } else { &mut texts };
        let same = list.iter_mut().find(|attempt| attempt.people == [person.clone()]);
        match (same.map(|attempt| &mut attempt.parts), parts) {
            (Some(AttemptParts::Files(files)), AttemptParts::Files(more)) => files.extend(more),
            (Some(_), _) => return None,
            (None, parts) => list.push(UploadAttempt { people: vec![person], parts, ..UploadAttempt::default() }),
        }
    }
    // A text that comes with a file is a comment.
    texts.retain(|text| attempts.iter().all(|attempt| attempt.people != text.people));
    attempts.extend(texts);
    (!attempts.is_empty()).then(|| Download { remarks, ..Download::new(DownloadLayout::Moodle, attempts) })
}

const MARK: &str = "_assignsubmission_";

/// The student, what kind of submission it is, and the file's own name.
///
/// Whoever is called, or calls a file, `Gina Good_123_assignsubmission_file_` must not become Gina Good: a folder ends
/// in what Moodle wrote, and before the name of a file there is nothing of the file's author but the name.
fn read(entry: &ListedEntry) -> Option<(PlatformPerson, &str, &str)> {
    let (student, plugin, file) = if entry.within.is_some() {
        let (student, plugin) = entry.name.rsplit_once(MARK)?;
        (student, plugin.strip_suffix('_').unwrap_or(plugin), "")
    } else {
        let (student, rest) = entry.name.split_once(MARK)?;
        let (plugin, file) = rest.split_once('_')?;
        (student, plugin, file)
    };
    let (name, number) = match student.rsplit_once('_') {
        Some((name, number)) if is_number(number) => (name, number),
        Some(_) => return None,
        None => (student, ""),
    };
    let person =
        PlatformPerson { name: name.trim().to_owned(), number: number.to_owned(), ..PlatformPerson::default() };
    (!person.name.is_empty() && !plugin.contains('_')).then_some((person, plugin, file))
}
