//! Makes a class of the folder, archive or submissions named on a command line: unpacks archives, and gives each
//! student a unique name. `runs` and `cli` call it.
//!
//! It does not decide which file of a submission is the program, or whether it can be built ([`crate::agents`]). It
//! must never write to what was named. A fault in one submission must not affect the others. Archives are unpacked into
//! a private folder, which is removed when the command ends.
//!
//! A class may be one archive, and each submission in it another one. Deeper nesting is refused, because it has no end.

mod archive;
mod download;
mod file_times;
mod ready;
mod roster;
mod roster_line;
mod roster_match;
mod students;
mod submission_time;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use crate::agents::{
    ArchiveFault, Class, ClassEntry, ClassError, ClassMember, FileNames, FolderEntry, SubmissionFault, entries_of,
    is_left_behind,
};
use archive::{ArchiveKind, UnpackError, UnpackedClass, kind_by_name, unpack_class};
pub use download::DownloadLayout;
use download::{AttemptParts, Download, ListedEntry, Listing, PlatformPerson, UploadAttempt, is_metadata, recognize};
use file_times::newest_in;
use ready::Unpacker;
use referee_games::protocol::plain;
use referee_records::read_bounded;
use roster_line::RosterLine;

pub use submission_time::SubmissionTime;

/// What cannot be made a class, for the user to mend.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// What was named is no class.
    #[error(transparent)]
    Class(#[from] ClassError),
    /// The archive of a class that cannot be read.
    #[error(
        "cannot unpack `{}`: {problem}: download it again, or unpack it and name the folder",
        plain(&.path.to_string_lossy())
    )]
    Archive {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file that is no roster.
    #[error("cannot read the roster `{}`: {problem}", plain(&.path.to_string_lossy()))]
    Roster {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A class of which no part, or none that it has, was chosen.
    #[error(
        "the download `{}` {}",
        plain(&.path.to_string_lossy()),
        joined_parts(.parts)
    )]
    Part {
        /// The download.
        path: PathBuf,
        /// Its parts.
        parts: Vec<String>,
    },
    /// This machine cannot hold it.
    #[error(
        "cannot unpack `{}`: {error}; `TMPDIR` names another folder for temporary files",
        plain(&.path.to_string_lossy())
    )]
    System {
        /// What was to be unpacked.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// A class, and what is known of its students beside their submissions.
#[derive(Debug, Default)]
pub struct ClassIntake {
    /// The submissions.
    pub class: Class,
    /// The platform that they were downloaded from, where that can be told.
    pub layout: Option<DownloadLayout>,
    /// What the platform says of the students, by their names in the class.
    pub facts: BTreeMap<String, StudentFacts>,
}

impl ClassIntake {
    /// Adds the submissions of `other`.
    pub fn add(&mut self, other: Self) {
        self.class.entries.extend(other.class.entries);
        self.class.remarks.extend(other.class.remarks);
        self.facts.extend(other.facts);
        self.layout = self.layout.or(other.layout);
    }
}

/// What a platform says about the author of a submission. Empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudentFacts {
    /// The number or text that identifies a student there.
    pub id: String,
    /// The e-mail; of a group, all of them.
    pub email: String,
    /// When the submission was handed in.
    pub submitted: Option<SubmissionTime>,
    /// Whether the platform calls it late.
    pub is_late: bool,
    /// The newest time of its files, on disk or in the archive of the class, where these may be of the submission.
    pub file_time: Option<SubmissionTime>,
    /// Those who handed it in, as the platform knows them.
    people: Vec<PlatformPerson>,
    /// The lines of the roster that this is the submission of, with their names in the gradebook.
    lines: Vec<(String, RosterLine)>,
}

/// The class in `folder`, which may be an archive: the download of a platform, or each entry is the submission of a
/// student. Archives are unpacked into the folder `scratch`, which is made and has to stay. Of an assignment with
/// parts, `part` is taken in.
///
/// # Errors
///
/// [`IntakeError`]; never for what is wrong with one submission.
pub fn import_class(
    folder: &Path,
    part: Option<&str>,
    names: &FileNames,
    scratch: &Path,
) -> Result<ClassIntake, IntakeError> {
    fs::create_dir_all(scratch).map_err(|error| system(folder, error))?;
    let is_archive = kind_by_name(&folder.to_string_lossy()).is_some() && folder.is_file();
    let source = if is_archive {
        unpacked_class(folder, &scratch.join("class"))?
    } else {
        ClassSource { named: folder, folder: folder.to_owned(), unpacked: None }
    };
    let download = source.download(part, names)?;
    expect_one_part(folder, part, download.as_ref().map_or(&[], |(_, download)| &download.parts))?;
    if let Some((root, download)) = download {
        return source.hand_ins_of(&root, &download, &mut Unpacker::new(names, scratch));
    }
    let (class, facts) = source.class_of_no_platform(names)?;
    with_archives_unpacked(class, facts, names, scratch)
}

/// The class of these submissions, each a folder, a file or an archive.
///
/// # Errors
///
/// [`IntakeError`]; never for what is wrong with one submission.
pub fn import_submissions(paths: &[PathBuf], names: &FileNames, scratch: &Path) -> Result<ClassIntake, IntakeError> {
    fs::create_dir_all(scratch).map_err(|error| system(scratch, error))?;
    let class = Class::named(paths, names)?;
    let facts = facts_by_files(&class, newest_in);
    with_archives_unpacked(class, facts, names, scratch)
}

/// The folder of the submission at `path` as it would be handed in, or why its archive is refused; and what was passed
/// over. An archive is unpacked below `scratch`, and any other file copied, because its name counts.
///
/// # Errors
///
/// [`IntakeError::System`].
pub fn as_handed_in(
    path: &Path,
    names: &FileNames,
    scratch: &Path,
) -> Result<(Result<PathBuf, SubmissionFault>, Vec<String>), IntakeError> {
    let mut unpacker = Unpacker::new(names, scratch);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let submission = if path.is_file() && kind_by_name(&name).is_none() {
        unpacker.gather_files(&[(path.to_owned(), &name)], &name)
    } else {
        unpacker.without_archive(path, &name)
    };
    let submission = submission.map_err(|error| system(path, error))?;
    Ok((submission, unpacker.remarks))
}

/// What is known of students of whom nothing but their files is.
fn facts_by_files(class: &Class, time_of: impl Fn(&Path) -> Option<SubmissionTime>) -> BTreeMap<String, StudentFacts> {
    let facts = |path: &Path| StudentFacts { file_time: time_of(path), ..StudentFacts::default() };
    class.entries.iter().map(|entry| (entry.student.to_string(), facts(&entry.path))).collect()
}

fn with_archives_unpacked(
    mut class: Class,
    facts: BTreeMap<String, StudentFacts>,
    names: &FileNames,
    scratch: &Path,
) -> Result<ClassIntake, IntakeError> {
    let mut unpacker = Unpacker::new(names, scratch);
    for ClassEntry { spec, path, .. } in &mut class.entries {
        if let Ok(found) = spec {
            *spec = unpacker.unpack(found).map_err(|error| system(path, error))?;
        }
    }
    class.remarks.extend(unpacker.remarks);
    Ok(ClassIntake { class, facts, ..ClassIntake::default() })
}

/// Refuses to choose a part of an assignment, and a `part` that is not there.
fn expect_one_part(folder: &Path, part: Option<&str>, parts: &[String]) -> Result<(), IntakeError> {
    let is_certain = match part {
        Some(part) => parts.iter().any(|one| one == part),
        None => parts.len() < 2,
    };
    let (path, parts) = (folder.to_owned(), parts.to_vec());
    if is_certain { Ok(()) } else { Err(IntakeError::Part { path, parts }) }
}

fn joined_parts(parts: &[String]) -> String {
    let names: Vec<String> = parts.iter().map(|part| format!("`{}`", plain(part))).collect();
    match names.as_slice() {
        [] => "has no parts: remove `--part`".to_owned(),
        [only] => format!("has only the part {only}: remove `--part`"),
        [_, ..] => format!("has several parts: choose one of {} with `--part NAME`", names.join(", ")),
    }
}

fn system(path: &Path, error: io::Error) -> IntakeError {
    IntakeError::System { path: path.to_owned(), error }
}

/// Where the submissions of a class are.
#[derive(Debug)]
struct ClassSource<'a> {
    /// What the user named.
    named: &'a Path,
    /// The folder: itself, or what was unpacked of it.
    folder: PathBuf,
    unpacked: Option<UnpackedClass>,
}

fn unpacked_class<'a>(archive: &'a Path, into: &Path) -> Result<ClassSource<'a>, IntakeError> {
    if let Some(ArchiveKind::Other(format)) = kind_by_name(&archive.to_string_lossy()) {
        let problem = format!("it is {format} archive, and only `.zip`, `.tar` and `.tar.gz` are read");
        let path = archive.to_owned();
        return Err(IntakeError::Archive { path, problem });
    }
    let unpacked = unpack_class(archive, into).map_err(|error| of_class(archive, error))?;
    Ok(ClassSource { named: archive, folder: into.to_owned(), unpacked: Some(unpacked) })
}

impl ClassSource<'_> {
    /// The download that the folder is, or that the only folder in it is, and where.
    fn download(&self, part: Option<&str>, names: &FileNames) -> Result<Option<(PathBuf, Download)>, IntakeError> {
        // The search for submissions reports a folder that cannot be listed.
        let Ok(listing) = listing_of(&self.folder, part) else {
            return Ok(None);
        };
        if let Some(download) = recognize(&listing, names) {
            return Ok(Some((self.folder.clone(), download)));
        }
        let Some(only) = only_folder(&self.folder).map_err(|error| system(self.named, error))? else {
            return Ok(None);
        };
        let listing = listing_of(&only, part).map_err(|error| system(self.named, error))?;
        Ok(recognize(&listing, names).map(|download| (only, download)))
    }

    fn hand_ins_of(
        &self,
        root: &Path,
        download: &Download,
        unpacker: &mut Unpacker<'_>,
    ) -> Result<ClassIntake, IntakeError> {
        let student_names = download.student_names();
        let mut hand_ins = Vec::new();
        let mut facts = BTreeMap::new();
        for (name, attempt) in student_names.into_iter().zip(&download.attempts) {
            let places = attempt.places();
            let fault = places.iter().find_map(|place| self.fault_at(&root.join(place)));
            let submission = match fault {
                Some(fault) => Err(fault),
                None => unpacker.gather(root, attempt, &name).map_err(|error| system(self.named, error))?,
            };
            let origin = self.origin(&root.join(places.first().map_or("", String::as_str)));
            let times = places.iter().filter(|_| download.layout.keeps_file_times());
            let file_time = times.filter_map(|place| self.time_of(&root.join(place))).max();
            facts.insert(name.clone(), StudentFacts { file_time, ..attempt.facts() });
            hand_ins.push(ClassMember { name, origin, submission });
        }
        let mut class = Class::of_hand_ins(&hand_ins);
        class.remarks.extend(download.remarks.iter().map(|remark| plain(remark)));
        class.remarks.append(&mut unpacker.remarks);
        class.remarks.extend(self.strays());
        Ok(ClassIntake { class, layout: Some(download.layout), facts })
    }

    fn class_of_no_platform(&self, names: &FileNames) -> Result<(Class, BTreeMap<String, StudentFacts>), IntakeError> {
        let root = match self.unpacked {
            None => self.folder.clone(),
            Some(_) => class_root(&self.folder, names).map_err(|error| system(self.named, error))?,
        };
        let mut class = Class::submissions_in(&root, names).map_err(|error| match error {
            ClassError::Empty(_) => ClassError::Empty(self.named.to_owned()),
            ClassError::NotFound(_) | ClassError::NotAFolder(_) | ClassError::Unreadable { .. } => error,
        })?;
        let facts = facts_by_files(&class, |path| self.time_of(path));
        for entry in &mut class.entries {
            if let (Ok(_), Some(fault)) = (&entry.spec, self.fault_at(&entry.path)) {
                entry.spec = Err(fault);
            }
            entry.path = self.origin(&entry.path);
        }
        let (here, there) = (self.folder.to_string_lossy(), self.named.to_string_lossy());
        for remark in &mut class.remarks {
            *remark = remark.replace(here.as_ref(), &there);
        }
        class.remarks.extend(self.strays());
        Ok((class, facts))
    }

    /// What is at `path`, as the user would find it.
    fn origin(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.folder).map_or_else(|_| path.to_owned(), |within| self.named.join(within))
    }

    /// What was refused of what is at `path`.
    fn fault_at(&self, path: &Path) -> Option<SubmissionFault> {
        let within = path.strip_prefix(&self.folder).ok()?;
        let faults = &self.unpacked.as_ref()?.faults;
        let around = within.ancestors().find_map(|place| faults.get(place));
        let mut inside = below(faults, within);
        around.or_else(|| inside.next()).cloned()
    }

    /// The newest time of the files at `path`: as the archive of the class says, else as the disk does.
    fn time_of(&self, path: &Path) -> Option<SubmissionTime> {
        let Some(unpacked) = &self.unpacked else {
            return newest_in(path);
        };
        let within = path.strip_prefix(&self.folder).ok()?;
        below(&unpacked.times, within).max().copied()
    }

    fn strays(&self) -> Vec<String> {
        let strays = self.unpacked.iter().flat_map(|unpacked| &unpacked.strays).take(MAX_STRAYS_LISTED);
        strays.map(|name| format!("skipped `{}`: its path leads outside the archive", plain(name))).collect()
    }
}

/// What a map has of `place` and all that is in it. Paths are sorted by their parts, so these are beside each other.
fn below<'m, V>(map: &'m BTreeMap<PathBuf, V>, place: &'m Path) -> impl Iterator<Item = &'m V> {
    let from = map.range::<Path, _>((Bound::Included(place), Bound::Unbounded));
    from.take_while(move |(path, _)| path.starts_with(place)).map(|(_, value)| value)
}

impl UploadAttempt {
    /// Where its files or its folder are.
    fn places(&self) -> Vec<String> {
        match &self.parts {
            AttemptParts::Entry(folder) => vec![folder.clone()],
            AttemptParts::Files(files) => files.iter().map(|(place, _)| place.clone()).collect(),
        }
    }

    fn facts(&self) -> StudentFacts {
        let of_all = |text: fn(&PlatformPerson) -> &String| {
            let texts: Vec<&str> = self.people.iter().map(|person| text(person).as_str()).collect();
            let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            texts.join(" ")
        };
        StudentFacts {
            id: of_all(|person| &person.id),
            email: of_all(|person| &person.email),
            people: self.people.clone(),
            submitted: self.submitted,
            is_late: self.is_late,
            ..StudentFacts::default()
        }
    }
}

/// The names in a folder and in its folders, and what platforms have written there.
fn listing_of(folder: &Path, part: Option<&str>) -> io::Result<Listing> {
    let mut listing = Listing { part: part.map(str::to_owned), ..Listing::default() };
    for FolderEntry { path, name, kind } in entries_of(folder)? {
        if kind.is_file() && is_metadata(&name) {
            let text = read_bounded(&path, MAX_METADATA_BYTES).unwrap_or_default();
            listing.texts.insert(name.clone(), String::from_utf8_lossy(&text).into_owned());
        }
        let within = kind.is_dir().then(|| names_within(&path));
        listing.entries.push(ListedEntry { name, within });
    }
    Ok(listing)
}

/// The names in a folder, and those in its folders, behind a `/`.
fn names_within(folder: &Path) -> Vec<String> {
    let listed = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = Vec::new();
    for entry in listed(folder).take(NAMES_WITHIN) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_left_behind(&name) {
            let inner = listed(&entry.path()).take(NAMES_WITHIN);
            names.extend(inner.map(|entry| format!("{name}/{}", entry.file_name().to_string_lossy())));
        }
        names.push(name);
    }
    names
}

/// Larger than what any platform writes of a class.
const MAX_METADATA_BYTES: u64 = 64 << 20;

/// How many names within a folder may tell its layout.
const NAMES_WITHIN: usize = 1_000;

/// The only thing in `folder`, where that is a folder.
fn only_folder(folder: &Path) -> io::Result<Option<PathBuf>> {
    match entries_of(folder)?.as_slice() {
        [only] if only.kind.is_dir() => Ok(Some(only.path.clone())),
        [] | [_, ..] => Ok(None),
    }
}

/// How many names of entries that belong to nobody are shown.
const MAX_STRAYS_LISTED: usize = 20;

/// The folder that the submissions are in: the only one in `into`, unless that is a submission itself.
fn class_root(into: &Path, names: &FileNames) -> io::Result<PathBuf> {
    let Some(only) = only_folder(into)? else {
        return Ok(into.to_owned());
    };
    let has_program = entries_of(&only)?.iter().any(|entry| names.is_meant_for_a_program(&entry.name));
    Ok(if has_program { into.to_owned() } else { only })
}

fn of_class(archive: &Path, error: UnpackError) -> IntakeError {
    let path = archive.to_owned();
    let problem = match error {
        UnpackError::System(error) => return IntakeError::System { path, error },
        UnpackError::TooLarge(_) => "it is too large for a class".to_owned(),
        UnpackError::Fault(ArchiveFault::Broken { problem }) => plain(&problem),
        UnpackError::Fault(fault) => {
            let file = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
            SubmissionFault::Archive { file, fault }.message()
        }
    };
    IntakeError::Archive { path, problem }
}
