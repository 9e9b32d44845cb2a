//! Canvas: the assignment's page, *Download Submissions*.
//!
//! A file for each file, in no folder: `goodgina_LATE_12345_67890_homework-1.py` is the student's name in sorting order
//! without blanks and in small letters, or that of the group, whether it is late, the number of the student, that of
//! the file, and the file. Canvas adds `-1` or `-2` to a file that was handed in again under the same name. What was
//! typed online is `goodgina_12345_text.html`, an address `goodgina_12345_link.html`. With anonymous grading,
//! `LATE_anon_x7Pq2_67890_homework.py` has an identifier of letters and digits instead of name and number.
//!
//! Source: Canvas, `lib/content_zipper.rb`, <https://github.com/instructure/canvas-lms>.

use super::{AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, UploadAttempt, is_number};
use crate::agents::FileNames;

struct CanvasName {
    person: PlatformPerson,
    is_late: bool,
    file: String,
}

pub(super) fn recognize(listing: &Listing, names: &FileNames) -> Option<Download> {
    let mut attempts: Vec<UploadAttempt> = Vec::new();
    for entry in listing.submissions() {
        if entry.within.is_some() {
            return None;
        }
        let CanvasName { person, is_late, file } = CanvasName::read(&entry.name)?;
        let part = (entry.name.clone(), file);
        let same = attempts.iter_mut().find(|attempt| attempt.people == [person.clone()]);
        match same.map(|attempt| (&mut attempt.parts, &mut attempt.is_late)) {
            Some((AttemptParts::Files(files), late)) => {
                files.push(part);
                *late |= is_late;
            }
            Some((AttemptParts::Folder(_), _)) | None => attempts.push(UploadAttempt {
                people: vec![person],
                is_late,
                parts: AttemptParts::Files(vec![part]),
                ..UploadAttempt::default()
            }),
        }
    }
    for attempt in &mut attempts {
        if let AttemptParts::Files(files) = &mut attempt.parts {
            *files = with_their_own_names(std::mem::take(files), names);
        }
    }
    (!attempts.is_empty()).then(|| Download::new(DownloadLayout::Canvas, attempts))
}

impl CanvasName {
    fn read(name: &str) -> Option<Self> {
        let words: Vec<&str> = name.split('_').collect();
        let is_typed = words.len() > 2 && matches!(words.last(), Some(&("text.html" | "link.html")));
        let is_file = |word: &str| is_number(word) || is_typed;
        let numbers = words.windows(2).position(|pair| is_number(pair[0]) && is_file(pair[1]));
        let (at, is_anonymous) = match words.iter().position(|word| *word == "anon") {
            Some(anon) if numbers != Some(anon + 1) && words.get(anon + 2).is_some_and(|word| is_file(word)) => {
                (anon + 1, true)
            }
            Some(_) | None => (numbers?, false),
        };
        let from = if is_number(words[at + 1]) { at + 2 } else { at + 1 };
        let file = words[from..].join("_");
        let name = &words[..if is_anonymous { at + 1 } else { at }];
        // Canvas writes names in small letters.
        let is_late = name.contains(&"LATE");
        let name: Vec<&str> = name.iter().copied().filter(|word| *word != "LATE").collect();
        let person = PlatformPerson {
            id: if is_anonymous { "" } else { words[at] }.to_owned(),
            login: name.join("_"),
            ..PlatformPerson::default()
        };
        let is_whole = !person.login.is_empty() && !file.is_empty();
        is_whole.then_some(Self { person, is_late, file })
    }
}

/// The files without the numbers that Canvas has added; of two that were handed in by one name, the later one.
///
/// A number goes where it leaves the name of a program, or of a Python or Java source, in which no `-` can be.
fn with_their_own_names(files: Vec<(String, String)>, names: &FileNames) -> Vec<(String, String)> {
    let mut own: Vec<(String, String, u32)> = Vec::new();
    for (from, file) in files {
        let (to, number) = without_number(&file, names).unwrap_or((file, 0));
        match own.iter_mut().find(|(_, other, _)| *other == to) {
            Some(known) if known.2 < number => *known = (from, to, number),
            Some(_) => {}
            None => own.push((from, to, number)),
        }
    }
    own.into_iter().map(|(from, to, _)| (from, to)).collect()
}

fn without_number(file: &str, names: &FileNames) -> Option<(String, u32)> {
    let (stem, extension) = file.rsplit_once('.')?;
    let (stem, number) = stem.rsplit_once('-')?;
    let own = format!("{stem}.{extension}");
    let is_added = names.is_program(&own) || ["py", "java", "zip"].contains(&extension);
    (is_added && is_number(number) && !stem.is_empty()).then_some((own, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use super::*;

    #[test]
    fn files_are_recognized_by_their_names() {
        let (layout, lines) = told(
            &[
                "goodgina_12345_67890_homework-1.py",
                "goodgina_12345_67891_game.py",
                "goodgina_12345_67892_homework-2.py",
                "goodgina_12345_67893_book-1.bin",
                "goodgina_12399_67894_hw.zip",
                "o_brien_LATE_777_888_my_homework.py",
                "unnamed_56_67895_-1.py",
                "wordy_55_text.html",
                "zipped_57_67896_hw-2.zip",
                "linked_56_link.html",
                "anon_x7Pq2_67895_homework.py",
                "LATE_anon_b1Cde_67896_homework.py",
                "anon_9_67897_homework.py",
            ],
            &[],
        )
        .unwrap();
        assert_eq!(layout, DownloadLayout::Canvas);
        assert_eq!(
            lines,
            [
                "anon_b1Cde||| LATE|LATE_anon_b1Cde_67896_homework.py>homework.py",
                "anon_x7Pq2||||anon_x7Pq2_67895_homework.py>homework.py",
                "anon|9|||anon_9_67897_homework.py>homework.py",
                "goodgina (12345)|12345|||goodgina_12345_67892_homework-2.py>homework.py \
                 goodgina_12345_67891_game.py>game.py goodgina_12345_67893_book-1.bin>book-1.bin",
                "goodgina (12399)|12399|||goodgina_12399_67894_hw.zip>hw.zip",
                "linked|56|||linked_56_link.html>link.html",
                "o_brien|777|| LATE|o_brien_LATE_777_888_my_homework.py>my_homework.py",
                "unnamed|56|||unnamed_56_67895_-1.py>-1.py",
                "wordy|55|||wordy_55_text.html>text.html",
                "zipped|57|||zipped_57_67896_hw-2.zip>hw.zip",
            ]
        );
    }
}
