//! The submissions of a class: the students and the location of their files.
//!
//! From a folder with one submission per student, or a list of submissions, it makes a list with one line per student,
//! whatever is wrong with the files. It does not look into submissions;
//! [`AgentBuilder::prepare`](super::AgentBuilder::prepare) does. `intake` calls it. Every entry of
//! a class must have a line. No two lines may have the same name. A bad entry must not affect the others.
//!
//! **Two submissions with the same name** are both at fault, and neither counts: nothing tells which one the student
//! meant, and a guess cannot be defended. The second line is called `NAME-2`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::fault::SubmissionFault;
use super::names::FileNames;
use super::shown;
use super::snapshot::is_left_behind;
use super::spec::{AgentName, AgentSpec};
use referee_games::protocol::composed;

/// The submissions of a class, sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// One line per submission.
    pub entries: Vec<ClassEntry>,
    /// Skipped entries with reasons: one sentence each, safe on a terminal.
    pub remarks: Vec<String>,
}

/// One submission of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassEntry {
    /// The student's name; unique in the class.
    pub student: AgentName,
    /// The path of the submission.
    pub path: PathBuf,
    /// The agent to make, or why none can be made.
    pub spec: Result<AgentSpec, SubmissionFault>,
}

/// What one student has handed in, before the names of the class are held against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassMember {
    /// What the student is called.
    pub name: String,
    /// Where the submission was found, for people; unlike that of any other.
    pub origin: PathBuf,
    /// Its folder or file, or why there is none.
    pub submission: Result<PathBuf, SubmissionFault>,
}

/// A class that cannot be used: the user's fault.
#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    /// The path does not exist.
    #[error(
        "no such file or directory: {}; name the submissions, or the directory that contains them",
        shown::path(.0)
    )]
    NotFound(PathBuf),
    /// A file instead of a class folder.
    #[error("{} is not a directory: name the directory that contains the submissions", shown::path(.0))]
    NotAFolder(PathBuf),
    /// A folder without submissions.
    #[error("no submission in {}: expected a directory or file for each student", shown::path(.0))]
    Empty(PathBuf),
    /// A class folder that cannot be listed.
    #[error("cannot read {}: {error}", shown::path(.path))]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

impl Class {
    /// The class with the direct entries of `folder` as submissions: one folder or file per student.
    ///
    /// A file with one of the program `names` is named after its folder, any other file after itself. Hidden entries
    /// and leftovers of archives and desktops are skipped with a remark.
    ///
    /// # Errors
    ///
    /// [`ClassError`] if the folder is missing or empty.
    pub fn submissions_in(folder: &Path, names: &FileNames) -> Result<Self, ClassError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => ClassError::NotFound(folder.to_owned()),
            io::ErrorKind::NotADirectory => ClassError::NotAFolder(folder.to_owned()),
            _ => ClassError::Unreadable { path: folder.to_owned(), error },
        };
        let listed: io::Result<Vec<PathBuf>> =
            fs::read_dir(folder).map_err(failed)?.map(|entry| Ok(entry?.path())).collect();
        let (hidden, shown): (Vec<_>, Vec<_>) =
            listed.map_err(failed)?.into_iter().partition(|path| file_name(path).starts_with('.'));
        let mut class = Self::of(shown, names);
        class.remarks.extend(hidden.iter().map(|path| skipped_message(path)));
        class.remarks.sort_unstable();
        if class.entries.is_empty() {
            return Err(ClassError::Empty(folder.to_owned()));
        }
        Ok(class)
    }

    /// The class of the submissions at `paths`, each a folder or a file. The same path twice counts once.
    ///
    /// ```no_run
    /// use referee_submissions::agents::{Class, FileNames};
    ///
    /// let class = Class::named(&["class/ada".into(), "class/bob.py".into()], &FileNames::default())?;
    /// for entry in &class.entries {
    ///     match &entry.spec {
    ///         Ok(spec) => println!("{}: {spec}", entry.student),
    ///         Err(fault) => println!("{}: no points: {fault}", entry.student),
    ///     }
    /// }
    /// # Ok::<(), referee_submissions::agents::ClassError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClassError::NotFound`] with the first missing path; [`ClassError::Empty`] without any path.
    pub fn named(paths: &[PathBuf], names: &FileNames) -> Result<Self, ClassError> {
        if let Some(path) = paths.iter().find(|path| path.symlink_metadata().is_err()) {
            return Err(ClassError::NotFound(path.clone()));
        }
        let class = Self::of(paths.to_vec(), names);
        if class.entries.is_empty() {
            return Err(ClassError::Empty(paths.first().cloned().unwrap_or_default()));
        }
        Ok(class)
    }

    fn of(mut paths: Vec<PathBuf>, programs: &FileNames) -> Self {
        paths.sort_unstable();
        paths.dedup();
        let (junk, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| is_left_behind(&file_name(path)));
        let hand_in = |path: PathBuf| ClassMember {
            name: students_name(&path, programs),
            submission: Ok(path.clone()),
            origin: path,
        };
        Self {
            remarks: junk.iter().map(|path| skipped_message(path)).collect(),
            ..Self::of_hand_ins(&paths.into_iter().map(hand_in).collect::<Vec<_>>())
        }
    }

    /// The class of these submissions.
    pub fn of_hand_ins(hand_ins: &[ClassMember]) -> Self {
        let mut taken = BTreeSet::new();
        let mut entries: Vec<ClassEntry> = hand_ins
            .iter()
            .map(|hand_in| {
                let student = unique_name(&AgentName::derived_from(&hand_in.name), &mut taken);
                let spec = agent_spec(&student, hand_in, hand_ins);
                ClassEntry { student, path: hand_in.origin.clone(), spec }
            })
            .collect();
        entries.sort_by(|one, other| one.student.cmp(&other.student));
        Self { entries, remarks: Vec::new() }
    }

    /// Adds a student who is known by this name, and has handed in nothing that could be looked at. A name that
    /// somebody has already gets the `number` behind it. Gives the name in the class.
    pub fn add_without_submission(
        &mut self,
        name: &str,
        number: &str,
        origin: &Path,
        fault: SubmissionFault,
    ) -> String {
        let mut taken: BTreeSet<AgentName> = self.entries.iter().map(|entry| entry.student.clone()).collect();
        let mut student = AgentName::derived_from(name);
        if taken.contains(&student) && !number.is_empty() {
            student = AgentName::derived_from(&format!("{name} ({number})"));
        }
        let student = unique_name(&student, &mut taken);
        self.entries.push(ClassEntry { student: student.clone(), path: origin.to_owned(), spec: Err(fault) });
        self.entries.sort_by(|one, other| one.student.cmp(&other.student));
        student.to_string()
    }
}

/// The agent of one submission, if no other one is of a student of this name, composed or not.
fn agent_spec(student: &AgentName, hand_in: &ClassMember, all: &[ClassMember]) -> Result<AgentSpec, SubmissionFault> {
    let is_same = |other: &&ClassMember| composed(&other.name) == composed(&hand_in.name);
    let others = all.iter().filter(is_same).filter(|other| other.origin != hand_in.origin);
    let others: Vec<String> = others.map(|other| other.origin.display().to_string()).collect();
    if !others.is_empty() {
        return Err(SubmissionFault::SameStudent { others });
    }
    Ok(AgentSpec::of_submission(student.clone(), hand_in.submission.clone()?))
}

/// The name of the folder, or of the file without its extension. A file named like a program takes its folder's name.
fn students_name(path: &Path, programs: &FileNames) -> String {
    let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
    let name = file_name(path);
    if is_folder {
        return name;
    }
    let stem = shown::readable(path.file_stem().unwrap_or_default().as_encoded_bytes());
    let stem = stem.strip_suffix(".tar").unwrap_or(&stem).to_owned();
    if programs.is_called_like_a_program(&stem) {
        let folder = path.canonicalize().ok().and_then(|real| real.parent().map(file_name));
        return folder.filter(|folder| !folder.is_empty()).unwrap_or(stem);
    }
    stem
}

/// The file's own name, even for a path with a trailing slash, or `.`.
fn file_name(path: &Path) -> String {
    let name = path.file_name().map(ToOwned::to_owned);
    let real = || path.canonicalize().ok()?.file_name().map(ToOwned::to_owned);
    shown::readable(name.or_else(real).unwrap_or_default().as_encoded_bytes())
}

/// The name, with a number if it is taken.
fn unique_name(name: &AgentName, taken: &mut BTreeSet<AgentName>) -> AgentName {
    let numbered = (2..).map(|number: u32| {
        let number = format!("-{number}");
        let kept: String = name.as_str().chars().take(AgentName::LONGEST - number.len()).collect();
        AgentName::derived_from(&format!("{}{number}", kept.trim_end()))
    });
    let unlike = std::iter::once(name.clone())
        .chain(numbered)
        .find(|candidate| !taken.contains(candidate))
        .expect("there are more numbers than names");
    taken.insert(unlike.clone());
    unlike
}

fn skipped_message(path: &Path) -> String {
    format!("skipped, not a submission: {}", shown::path(path))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn class(names: &[&str]) -> (tempfile::TempDir, Class) {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            match name.strip_suffix('/') {
                Some(_) => fs::create_dir_all(path).unwrap(),
                None => fs::write(path, "x").unwrap(),
            }
        }
        let class = Class::submissions_in(folder.path(), &FileNames::default()).unwrap();
        (folder, class)
    }

    fn lines(class: &Class) -> Vec<(&str, Result<String, &'static str>)> {
        let entries = class.entries.iter();
        entries
            .map(|ClassEntry { student, spec, .. }| match spec {
                Ok(spec) => (student.as_str(), Ok(spec.name().to_string())),
                Err(fault) => (student.as_str(), Err(fault.code())),
            })
            .collect()
    }

    #[test]
    fn every_entry_of_a_folder_is_a_student_but_for_what_is_left_behind() {
        let (_folder, class) = class(&["bob.py", "ada/", "O'Brien, Cyd (12)/", ".DS_Store", "__MACOSX/", "Thumbs.db"]);
        let fine = |name: &'static str| (name, Ok(name.to_owned()));
        assert_eq!(lines(&class), [fine("O'Brien, Cyd (12)"), fine("ada"), fine("bob")]);
        assert_eq!(class.remarks.len(), 3);
        assert!(class.remarks[0].starts_with("skipped, not a submission: `/"));
    }

    #[test]
    fn no_name_is_a_fault() {
        let (folder, _) = class(&["ada/", "d’Arc – Ann & Bob/", "Ada/", "c\u{1b}[2Jyd/", "eve \"X\" <b>|*?:%.py"]);
        for name in [b"b\xffb", b"b\xfeb"] {
            fs::create_dir(folder.path().join(std::ffi::OsStr::from_bytes(name))).unwrap();
        }
        fs::create_dir(folder.path().join(format!("{}1", "d".repeat(60)))).unwrap();
        fs::create_dir(folder.path().join(format!("{}2", "d".repeat(60)))).unwrap();
        let class = Class::submissions_in(folder.path(), &FileNames::default()).unwrap();
        let [long, longer] = [format!("{}-2", "d".repeat(58)), "d".repeat(60)];
        let expected =
            ["Ada", "ada", "b%FEb", "b%FFb", "c_[2Jyd", "d’Arc – Ann & Bob", &long, &longer, "eve \"X\" <b>|*?:%"];
        let mut expected = expected.map(|name| (name, Ok(name.to_owned())));
        expected.sort_unstable();
        assert_eq!(lines(&class), expected);
    }

    #[test]
    fn two_submissions_of_one_name_count_neither_of_them() {
        let same = || Err("same-student");
        let (_folder, composed) = class(&["Zo\u{eb}/", "Zoe\u{308}/"]);
        assert_eq!(lines(&composed), [("Zo\u{eb}", same()), ("Zo\u{eb}-2", same())]);
        let (_folder, class) = class(&["ada/", "ada.py", "ada.cpp", "bob/"]);
        assert_eq!(
            lines(&class),
            [("ada", same()), ("ada-2", same()), ("ada-3", same()), ("bob", Ok("bob".to_owned()))]
        );
    }

    #[test]
    fn submissions_can_be_named_one_by_one() {
        let (folder, _) = class(&["ada/", "bob/", ".cyd/"]);
        fs::write(folder.path().join("bob/homework.py"), "x").unwrap();
        let path = |name: &str| folder.path().join(name);
        let named =
            Class::named(&[path("bob/homework.py"), path("ada/"), path("ada"), path(".cyd")], &FileNames::default())
                .unwrap();
        let expected = [("ada", Ok("ada".to_owned())), ("bob", Ok("bob".to_owned())), ("cyd", Ok("cyd".to_owned()))];
        assert_eq!(lines(&named), expected);
    }

    #[test]
    fn what_is_no_class_is_for_the_user() {
        let (folder, _) = class(&["ada.py", "empty/", "empty/.hidden"]);
        let path = |name: &str| folder.path().join(name);
        let shown = |name: &str| path(name).display().to_string();
        let missing = format!(
            "no such file or directory: `{}`; name the submissions, or the directory that contains them",
            shown("no")
        );
        let usual = FileNames::default();
        let failure = Class::named(&[path("ada.py"), path("no")], &usual).unwrap_err();
        assert_eq!(failure.to_string(), missing);
        for (name, message) in [
            ("no", missing),
            (
                "ada.py",
                format!("`{}` is not a directory: name the directory that contains the submissions", shown("ada.py")),
            ),
            ("empty", format!("no submission in `{}`: expected a directory or file for each student", shown("empty"))),
        ] {
            let failure = Class::submissions_in(&path(name), &usual).unwrap_err();
            assert_eq!(failure.to_string(), message);
        }
    }
}
