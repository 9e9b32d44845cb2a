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

    /// The download of a case, and the lines that are expected of it.
    fn read_case(case: &str) -> (Listing, Vec<&str>) {
        let mut listing = Listing::default();
        let (given, expected) = case.split_once("=> ").unwrap();
        for line in given.lines().filter(|line| !line.starts_with('#')) {
            if let Some(text) = line.strip_prefix('|') {
                let file = listing.entries.last().unwrap().name.clone();
                let text = text.replace("\\u{feff}", "\u{feff}").replace("\\r", "\r");
                listing.texts.entry(file).or_default().push_str(&(text + "\n"));
            } else if let Some(part) = line.strip_prefix("--part ") {
                listing.part = Some(part.to_owned());
            } else {
                let (name, within) = line.split_once('/').map_or((line, None), |(name, within)| (name, Some(within)));
                let within =
                    within.map(|all| all.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect());
                listing.entries.push(ListedEntry { name: name.to_owned(), within });
            }
        }
        listing.entries.sort_by(|one, other| one.name.cmp(&other.name));
        (listing, expected.lines().collect())
    }

    /// The lines of a case: the platform, each submission, the parts and the remarks.
    fn told(download: &Download) -> Vec<String> {
        let student = |(name, attempt): (String, &UploadAttempt)| {
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
        };
        let mut students: Vec<String> =
            download.student_names().into_iter().zip(&download.attempts).map(student).collect();
        students.sort_unstable();
        let parts = (!download.parts.is_empty()).then(|| format!("parts: {}", download.parts.join(", ")));
        let remarks = download.remarks.iter().map(|remark| format!("! {remark}"));
        std::iter::once(download.layout.to_string()).chain(students).chain(parts).chain(remarks).collect()
    }

    #[test]
    fn downloads_are_read_as_their_platforms_write_them() {
        let wrong = include_str!("cases.txt").split("\n\n").skip(1).filter_map(|case| {
            let (listing, expected) = read_case(case);
            let download = recognize(&listing, &FileNames::default());
            let told = download.map_or_else(|| vec!["none".to_owned()], |download| told(&download));
            (told != expected).then(|| format!("{case}\nis read as\n{}\n", told.join("\n")))
        });
        let wrong: String = wrong.collect();
        assert!(wrong.is_empty(), "{wrong}");
        assert_eq!(recognize(&Listing::default(), &FileNames::default()), None);
    }
}
