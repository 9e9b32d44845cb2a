//! The layouts in which platforms deliver the submissions of an assignment, one file for each platform.
//!
//! It recognizes a layout by the names of its entries, and reads from these, and from the platform's own files, who
//! handed in what and when. It opens no files: a layout is a pure function of a [`Listing`]. Its parent module calls
//! it.
//!
//! If a layout is uncertain, there is none, and every entry must count as a student. Entries added by hand must not
//! change a student's name. No submission may be dropped without a message: of several by one student the last one
//! counts, and the others are reported. Two students with the same name must stay two.

mod blackboard;
mod brightspace;
mod canvas;
mod github_classroom;
mod gradescope;
mod moodle;
mod vocareum;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::archive::kind_by_name;
use super::submission_time::SubmissionTime;
use crate::agents::{AgentName, FileNames};

/// The names in a folder, and what the files say that platforms put there.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    /// What is in the folder, by name.
    pub(super) entries: Vec<ListedEntry>,
    /// The content of those in which a platform tells of submissions ([`is_metadata`]).
    pub(super) texts: BTreeMap<String, String>,
    /// Which part of the assignment the user has chosen.
    pub(super) part: Option<String>,
}

/// One name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedEntry {
    pub(super) name: String,
    /// What is in it and, behind a `/`, in its folders, where it is a folder.
    pub(super) within: Option<Vec<String>>,
}

/// The files in which platforms tell of whole classes.
const METADATA: [&str; 3] = ["submission_metadata.yml", "grades.csv", "classroom_roster.csv"];

/// Whether a platform writes files of this name to tell of submissions.
pub(super) fn is_metadata(name: &str) -> bool {
    METADATA.contains(&name) || blackboard::is_information(name)
}

/// The platform that a folder was downloaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DownloadLayout {
    /// <https://www.instructure.com/canvas>.
    Canvas,
    /// <https://www.gradescope.com>.
    Gradescope,
    /// <https://www.blackboard.com>.
    Blackboard,
    /// <https://www.d2l.com/brightspace>.
    Brightspace,
    /// <https://moodle.org>.
    Moodle,
    /// <https://www.vocareum.com>.
    Vocareum,
    /// <https://classroom.github.com>.
    GithubClassroom,
}

impl DownloadLayout {
    /// Whether its files still have the times at which they were handed in. The zips of Canvas (rubyzip) and Moodle
    /// (`ZipStream`) have the time of the download, and `git clone` writes new files. Of the platforms that tell times
    /// themselves, nobody knows.
    pub(super) const fn keeps_file_times(self) -> bool {
        matches!(self, Self::Vocareum)
    }
}

impl fmt::Display for DownloadLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Canvas => "Canvas",
            Self::Gradescope => "Gradescope",
            Self::Blackboard => "Blackboard",
            Self::Brightspace => "Brightspace",
            Self::Moodle => "Moodle",
            Self::Vocareum => "Vocareum",
            Self::GithubClassroom => "GitHub Classroom",
        })
    }
}

/// What a download says, the last submission of each student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Download {
    pub(super) layout: DownloadLayout,
    pub(super) attempts: Vec<UploadAttempt>,
    /// The parts of the assignment that it has submissions of. Of several one must be chosen.
    pub(super) parts: Vec<String>,
    /// What is reported about the rest: one sentence each.
    pub(super) remarks: Vec<String>,
}

/// One submission in a download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UploadAttempt {
    /// Who handed in: the one whose name the submission goes by first, then the others of the group.
    pub(super) people: Vec<PlatformPerson>,
    /// When, by the platform.
    pub(super) submitted: Option<SubmissionTime>,
    /// Whether the platform calls it late.
    pub(super) is_late: bool,
    /// What was handed in.
    pub(super) parts: AttemptParts,
}

/// What a platform knows of a person; empty where it does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlatformPerson {
    pub(super) name: String,
    /// What a roster or a gradebook calls the student, too.
    pub(super) id: String,
    /// A number of the platform's own, which no roster has: it only tells people of one name apart.
    pub(super) number: String,
    pub(super) email: String,
    pub(super) login: String,
}

/// The files of a submission, by their places in the download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AttemptParts {
    /// A folder, whose parts are apart by `/`; or a file whose name says who handed it in, and not what it was called.
    Entry(String),
    /// Files: where each is, and what it was called when it was handed in.
    Files(Vec<(String, String)>),
}

impl Default for AttemptParts {
    fn default() -> Self {
        Self::Files(Vec::new())
    }
}

/// The layout of a platform, told by each of them in turn; the surest signs first.
type Recognizer = fn(&Listing, &FileNames) -> Option<Download>;

const RECOGNIZERS: [Recognizer; 7] = [
    gradescope::recognize,
    blackboard::recognize,
    brightspace::recognize,
    moodle::recognize,
    github_classroom::recognize,
    canvas::recognize,
    vocareum::recognize,
];

/// Reads a listing as the download of a platform; `None` where it is none that is known.
pub(super) fn recognize(listing: &Listing, names: &FileNames) -> Option<Download> {
    let whole = RECOGNIZERS.iter().find_map(|recognizer| recognizer(listing, names));
    let download = whole.or_else(|| {
        let mut recognizers = RECOGNIZERS.iter();
        recognizers.find_map(|recognizer| by_most_entries(*recognizer, listing, names))
    })?;
    Some(download.keep_last_submissions())
}

/// The layout of most entries. Of the others, which were added by hand, one that may be a submission belongs to a
/// student of its name, and the rest is left out; both are reported.
fn by_most_entries(recognizer: Recognizer, listing: &Listing, names: &FileNames) -> Option<Download> {
    let mut part = listing.clone();
    let (fitting, odd): (Vec<&ListedEntry>, Vec<&ListedEntry>) = listing.submissions().into_iter().partition(|entry| {
        part.entries = vec![(*entry).clone()];
        recognizer(&part, names).is_some()
    });
    if fitting.len() <= odd.len() {
        return None;
    }
    part.entries = fitting.into_iter().cloned().collect();
    let mut download = recognizer(&part, names)?;
    let layout = download.layout;
    for ListedEntry { name, within } in odd {
        let is_submission =
            within.is_some() || names.language_by_extension(name).is_some() || kind_by_name(name).is_some();
        if !is_submission {
            let remark = format!("skipped `{name}`: not named like a {layout} submission");
            download.remarks.push(remark);
            continue;
        }
        let stem = name.split_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let student = if within.is_some() { name.as_str() } else { stem };
        let remark = format!("`{name}` is not named like a {layout} submission: taken for that of student `{student}`");
        download.remarks.push(remark);
        download.attempts.push(UploadAttempt {
            people: vec![PlatformPerson { name: student.to_owned(), login: name.clone(), ..PlatformPerson::default() }],
            parts: AttemptParts::Entry(name.clone()),
            ..UploadAttempt::default()
        });
    }
    Some(download)
}

impl Listing {
    /// Its names without those of the files that platforms add.
    fn submissions(&self) -> Vec<&ListedEntry> {
        let is_added = |name: &str| METADATA.contains(&name) || name == "index.html" || name.starts_with('.');
        self.entries.iter().filter(|entry| !is_added(&entry.name)).collect()
    }
}

impl Download {
    fn new(layout: DownloadLayout, attempts: Vec<UploadAttempt>) -> Self {
        Self { layout, attempts, parts: Vec::new(), remarks: Vec::new() }
    }

    /// Of each student the last submission, by time where every one has a time, else by its place in the listing.
    fn keep_last_submissions(mut self) -> Self {
        let mut last: BTreeMap<Vec<PlatformPerson>, Vec<UploadAttempt>> = BTreeMap::new();
        for attempt in self.attempts {
            last.entry(attempt.people.clone()).or_default().push(attempt);
        }
        self.attempts = Vec::new();
        for (_, mut attempts) in last {
            attempts.sort_by_key(|attempt| attempt.submitted);
            let earlier = attempts.len() - 1;
            let Some(counts) = attempts.pop() else { continue };
            if earlier > 0 {
                let (name, all) = (counts.shown_name(), earlier + 1);
                self.remarks.push(format!("of `{name}`, the last of {all} submissions counts"));
            }
            self.attempts.push(counts);
        }
        self
    }

    /// A fit name for each attempt: unlike any other's, if need be by the number that the platform gave. Whoever is
    /// called as another one is with a number has a number, too.
    pub(super) fn student_names(&self) -> Vec<String> {
        let fit = |text: &str| AgentName::derived_from(text).to_string();
        let mut names: Vec<String> = self.attempts.iter().map(|attempt| fit(&attempt.shown_name())).collect();
        let mut is_numbered = vec![false; names.len()];
        loop {
            let alike: Vec<usize> = alike(&names).into_iter().filter(|&at| !is_numbered[at]).collect();
            if alike.is_empty() {
                break;
            }
            for at in alike {
                is_numbered[at] = true;
                if let Some(person) = self.attempts[at].people.first() {
                    names[at] = fit(&with_number(&names[at], person));
                }
            }
        }
        let mut taken: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
        for at in alike(&names).into_iter().skip(1) {
            let further = (2..).map(|number: u32| fit(&format!("{number} {}", names[at])));
            let free = further.into_iter().find(|name| taken.insert(name.to_lowercase()));
            names[at] = free.expect("there are more numbers than names");
        }
        names
    }
}

/// The places of names that another one has as well, in any letter case.
fn alike(names: &[String]) -> Vec<usize> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for name in names {
        *counts.entry(name.to_lowercase()).or_default() += 1;
    }
    (0..names.len()).filter(|&at| counts[&names[at].to_lowercase()] > 1).collect()
}

/// `Gina Good (678910)`, however long the name is.
fn with_number(name: &str, person: &PlatformPerson) -> String {
    const LONGEST_START: usize = 36;
    let known = [&person.id, &person.number, &person.login, &person.email];
    let number = known.into_iter().find(|text| !text.is_empty());
    let number: String = number.map_or("", String::as_str).chars().take(20).collect();
    let start: String = name.chars().take(LONGEST_START).collect();
    format!("{} ({number})", start.trim_end())
}

/// Adds a file to what the same people handed in at the same time.
fn add_file(attempts: &mut Vec<UploadAttempt>, attempt: UploadAttempt, file: (String, String)) {
    for known in attempts.iter_mut() {
        if known.people == attempt.people
            && known.submitted == attempt.submitted
            && let AttemptParts::Files(files) = &mut known.parts
        {
            files.push(file);
            known.is_late |= attempt.is_late;
            return;
        }
    }
    attempts.push(UploadAttempt { parts: AttemptParts::Files(vec![file]), ..attempt });
}

impl UploadAttempt {
    /// What the student goes by; of a group, all of them.
    fn shown_name(&self) -> String {
        let names: Vec<&str> = self.people.iter().map(PlatformPerson::shown).collect();
        names.join(" + ")
    }
}

impl PlatformPerson {
    /// What a person calls the student.
    pub(super) fn shown(&self) -> &str {
        let known = [&self.name, &self.login, &self.email, &self.id, &self.number];
        known.into_iter().find(|text| !text.is_empty()).map_or("student", String::as_str)
    }
}

/// The remark on a time in the file of a platform. Silence would spare a late student the penalty.
fn unread_time(text: &str, place: &str) -> String {
    format!(
        "cannot read the time `{text}`, {place}: it is unknown when that was handed in, unless a roster says it in its \
         column `submitted`"
    )
}

/// Whether it is made of digits, and there is one.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that ends in `/` is a folder; what stands behind the slash, apart by `,`, is in it.
    pub(super) fn listing(names: &[&str], texts: &[(&str, &str)]) -> Listing {
        let entry = |name: &&str| match name.split_once('/') {
            Some((folder, within)) => ListedEntry {
                name: folder.to_owned(),
                within: Some(within.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()),
            },
            None => ListedEntry { name: (*name).to_owned(), within: None },
        };
        let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let metadata = texts.clone().map(|(name, _)| ListedEntry { name, within: None });
        let mut entries: Vec<ListedEntry> = names.iter().map(entry).chain(metadata).collect();
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Listing { entries, texts: texts.collect(), part: None }
    }

    /// Each submission: name, number, e-mail, time, parts.
    pub(super) fn told(names: &[&str], texts: &[(&str, &str)]) -> Option<(DownloadLayout, Vec<String>)> {
        let download = recognize(&listing(names, texts), &FileNames::default())?;
        let lines = download.student_names().into_iter().zip(&download.attempts).map(|(name, attempt)| {
            let person = attempt.people.first().cloned().unwrap_or_default();
            let time = attempt.submitted.map_or_else(String::new, |time| time.to_string());
            let late = if attempt.is_late { " LATE" } else { "" };
            let parts = match &attempt.parts {
                AttemptParts::Entry(folder) => format!("{folder}/"),
                AttemptParts::Files(files) => {
                    let files: Vec<String> = files.iter().map(|(from, to)| format!("{from}>{to}")).collect();
                    files.join(" ")
                }
            };
            format!("{name}|{}{}|{}|{time}{late}|{parts}", person.id, person.number, person.email)
        });
        let mut lines: Vec<String> = lines.collect();
        lines.sort_unstable();
        Some((download.layout, lines))
    }

    #[test]
    fn a_class_of_no_platform_is_none() {
        for names in [
            &["ada/homework.py", "bob.py", "cyd.zip"][..],
            &["homework-1/homework.py", "homework-2/homework.py"],
            &["a_b/homework.py", "c_d/homework.py"],
            &["ada_1.py", "bob_2.py"],
            &["2024-1/homework.py"],
            &[],
        ] {
            assert_eq!(told(names, &[]), None, "{names:?}");
        }
    }

    #[test]
    fn what_was_added_to_a_download_is_told_and_changes_nobody() {
        let names = [
            "Ada Bee_124_assignsubmission_file_/homework.py",
            "Cyd Dee_125_assignsubmission_file_/homework.py",
            "Eve Fee_126_assignsubmission_file_/homework.py",
            "notes.txt",
            "Ada Bee/homework.py",
        ];
        let (layout, lines) = told(&names, &[]).unwrap();
        assert_eq!(layout, DownloadLayout::Moodle);
        let students: Vec<&str> = lines.iter().map(|line| line.split('|').next().unwrap()).collect();
        assert_eq!(students, ["Ada Bee (124)", "Ada Bee (Ada Bee)", "Cyd Dee", "Eve Fee"]);
        let download = recognize(&listing(&names, &[]), &FileNames::default()).unwrap();
        let remarks = [
            "`Ada Bee` is not named like a Moodle submission: taken for that of student `Ada Bee`",
            "skipped `notes.txt`: not named like a Moodle submission",
        ];
        assert_eq!(download.remarks, remarks);
        for (layout, names) in [
            (DownloadLayout::Canvas, ["a_1_2_a.py", "b_3_4_b.py", "c.py"]),
            (DownloadLayout::Vocareum, ["a@x.edu/a.py", "b@x.edu/b.py", "c.py"]),
            (
                DownloadLayout::Brightspace,
                ["1-9 - A - Jan 3, 2025 100 AM/a.py", "2-9 - B - Jan 3, 2025 100 AM/a.py", "c.py"],
            ),
            (
                DownloadLayout::Blackboard,
                ["H_a_attempt_2026-11-20-10-00-00_a.py", "H_b_attempt_2026-11-20-10-00-00_a.py", "c.py"],
            ),
            (DownloadLayout::GithubClassroom, ["hw-a/.git", "hw-b/.git", "c.py"]),
        ] {
            let (found, lines) = told(&names, &[]).unwrap();
            assert_eq!((found, lines.len()), (layout, 3), "{lines:?}");
            assert!(lines[2].starts_with("c|"), "{lines:?}");
            assert_eq!(told(&[names[0], "c.py"], &[]), None, "one of two is no majority");
        }
    }

    #[test]
    fn two_students_of_one_name_are_two_in_every_letter_case() {
        let (_, lines) =
            told(&["Gina Good_1_assignsubmission_file_/a.py", "gina good_2_assignsubmission_file_/a.py"], &[]).unwrap();
        assert!(lines[0].starts_with("Gina Good (1)|1|"), "{lines:?}");
        assert!(lines[1].starts_with("gina good (2)|2|"), "{lines:?}");
    }
}
