//! Canvas: the assignment's page, *Download Submissions*.
//!
//! A file for each file, in no folder: `goodgina_LATE_12345_67890_homework-1.py` is the student's name in sorting order
//! without blanks and in small letters, or that of the group, whether it is late, the number of the student, that of
//! the file, and the file. Canvas adds `-1` or `-2` to a file that was handed in again under the same name. What was
//! typed online is `goodgina_12345_text.html`, an address `goodgina_12345_link.html`. With anonymous grading,
//! `LATE_anon_x7Pq2_67890_homework.py` has an identifier of letters and digits instead of name and number.
//!
//! Source: Canvas, `lib/content_zipper.rb`, <https://github.com/instructure/canvas-lms>.

use super::{AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, UploadAttempt, add_file, is_number};
use crate::agents::FileNames;

struct CanvasName {
    person: PlatformPerson,
    is_late: bool,
    /// What the student called it.
    file: String,
    /// Whether it cannot be read in another way.
    is_certain: bool,
}

pub(super) fn recognize(listing: &Listing, names: &FileNames) -> Option<Download> {
    let entries = listing.submissions();
    // A file may be called as if it were one of an anonymous class, or its author may be.
    let read_all = |read: fn(&str) -> Option<CanvasName>| -> Option<Vec<CanvasName>> {
        entries.iter().map(|entry| read(&entry.name).filter(|_| entry.within.is_none())).collect()
    };
    let read = read_all(CanvasName::of_anonymous).or_else(|| read_all(CanvasName::of_student))?;
    let mut attempts: Vec<UploadAttempt> = Vec::new();
    let mut remarks = Vec::new();
    for (entry, CanvasName { person, is_late, file, is_certain }) in entries.iter().zip(read) {
        if !is_certain {
            let (entry, name) = (&entry.name, person.shown());
            remarks.push(format!(
                "`{entry}`: see on Canvas whether `{name}` handed it in; its name can be read in two ways"
            ));
        }
        let attempt = UploadAttempt { people: vec![person], is_late, ..UploadAttempt::default() };
        add_file(&mut attempts, attempt, (entry.name.clone(), file));
    }
    for attempt in &mut attempts {
        if let AttemptParts::Files(files) = &mut attempt.parts {
            *files = with_their_own_names(std::mem::take(files), names);
        }
    }
    (!attempts.is_empty()).then(|| Download { remarks, ..Download::new(DownloadLayout::Canvas, attempts) })
}

impl CanvasName {
    /// `goodgina_LATE_12345_67890_homework-1.py`. The first number is the student's: Canvas takes the `_` from numbers
    /// in names of people, so that it is. Only a name that ends in a number makes three of them, as a file does that
    /// begins with one.
    fn of_student(name: &str) -> Option<Self> {
        let words: Vec<&str> = name.split('_').collect();
        let at = words.windows(2).position(|pair| is_number(pair[0]) && is_file(pair[1], &words))?;
        let (named, file) = (&words[..at], file_after(&words, at));
        let is_late = named.last() == Some(&"LATE");
        let person = PlatformPerson {
            id: words[at].to_owned(),
            name: named[..named.len() - usize::from(is_late)].join("_"),
            ..PlatformPerson::default()
        };
        let is_certain = is_late || words.get(at + 2).is_none_or(|word| at + 3 == words.len() || !is_number(word));
        (!named.is_empty() && !file.is_empty()).then_some(Self { person, is_late, file, is_certain })
    }

    /// `LATE_anon_x7Pq2_67890_homework.py`.
    fn of_anonymous(name: &str) -> Option<Self> {
        const LENGTH: usize = 5;
        let (is_late, name) = name.strip_prefix("LATE_").map_or((false, name), |name| (true, name));
        let words: Vec<&str> = name.split('_').collect();
        let [mark, id, number, ..] = words.as_slice() else {
            return None;
        };
        let is_id = id.len() == LENGTH && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let file = file_after(&words, 1);
        let person = PlatformPerson { name: format!("{mark}_{id}"), ..PlatformPerson::default() };
        let is_whole = *mark == "anon" && is_id && is_file(number, &words) && !file.is_empty();
        is_whole.then_some(Self { person, is_late, file, is_certain: true })
    }
}

/// Whether a file, or what was typed online, follows the student in the name that has these words.
fn is_file(word: &str, words: &[&str]) -> bool {
    is_number(word) || words.last() == Some(&word) && ["text.html", "link.html"].contains(&word)
}

/// What the file was called when it was handed in, by the place of the student's number or identifier.
fn file_after(words: &[&str], student: usize) -> String {
    let from = if is_number(words[student + 1]) { student + 2 } else { student + 1 };
    words[from..].join("_")
}

/// The files without the numbers that Canvas has added; of two that were handed in by one name, the later one.
///
/// A number goes where it leaves the name of a program, of a source or of an archive. If one did, others may have been
/// added to the submission's data: these files go by both names.
fn with_their_own_names(files: Vec<(String, String)>, names: &FileNames) -> Vec<(String, String)> {
    let mut own: Vec<(String, String, u32)> = Vec::new();
    for (from, file) in files {
        let (to, number) = without_number(&file).filter(|(to, _)| is_source(to, names)).unwrap_or((file, 0));
        match own.iter_mut().find(|(_, other, _)| *other == to) {
            Some(known) if known.2 < number => *known = (from, to, number),
            Some(_) => {}
            None => own.push((from, to, number)),
        }
    }
    if own.iter().any(|(_, _, number)| *number > 0) {
        for at in 0..own.len() {
            let (from, file, _) = own[at].clone();
            if let Some((to, number)) = without_number(&file).filter(|(to, _)| own.iter().all(|(_, own, _)| own != to))
            {
                own.push((from, to, number));
            }
        }
    }
    own.into_iter().map(|(from, to, _)| (from, to)).collect()
}

/// `book-1.bin` is `book.bin`, handed in again.
fn without_number(file: &str) -> Option<(String, u32)> {
    let packed = file.strip_suffix(".tar.gz").map(|stem| (stem, "tar.gz"));
    let (stem, ending) = packed.or_else(|| file.rsplit_once('.'))?;
    let (stem, number) = stem.rsplit_once('-')?;
    (is_number(number) && !stem.is_empty()).then_some((format!("{stem}.{ending}"), number.parse().ok()?))
}

/// Whether a `-` and a number at the end of such a name would be odd.
fn is_source(file: &str, names: &FileNames) -> bool {
    const ENDINGS: [&str; 12] = ["py", "java", "cpp", "cc", "cxx", "c", "h", "hpp", "zip", "tar", "gz", "tgz"];
    let ending = file.rsplit('.').next().unwrap_or_default().to_lowercase();
    names.is_program(file) || ENDINGS.contains(&ending.as_str())
}
