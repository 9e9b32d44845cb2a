//! Finds the programs of a submission among the files of its folder. It builds nothing; [`super::AgentBuilder`] calls
//! it.
//!
//! The folder contains `homework.xxx`, and optionally `calibrate.xxx` and related files; or, as archives leave it,
//! exactly one subfolder that does. Anything ambiguous is refused: a point lost to a guess cannot be defended.
//! Leftovers of desktops and archives are ignored.

use std::collections::BTreeSet;
use std::fs::{self, FileType};
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::error::{AgentError, system};
use super::fault::{SubmissionFault, is_notebook};
use super::language::Language;
use super::names::{FileNames, ProgramRole};
use super::snapshot::is_left_behind;
use super::toolchain::is_executable;

/// The programs of one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// The folder with the programs: the named one or its only subfolder.
    pub folder: PathBuf,
    /// The program that plays.
    pub homework: ProgramSource,
    /// The program to run once before all games.
    pub calibrate: Option<ProgramSource>,
    /// Remarks for its author that are no faults: one sentence each.
    pub remarks: Vec<String>,
}

/// The main source of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSource {
    /// The name of the file in its folder.
    pub file: String,
    /// Its language.
    pub language: Language,
}

/// What a whole submission is, as far as it is known before it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmissionContent {
    /// A folder with programs.
    Folder(Submission),
    /// A source file alone, with its name in a folder.
    Source(ProgramSource),
    /// An executable file alone.
    Executable,
}

/// The maximum number of other files listed in a message.
const NAMES_LISTED: usize = 10;

impl Submission {
    /// Searches `folder`, and one level deeper if no program is there.
    ///
    /// # Errors
    ///
    /// [`AgentError::Submission`] if the folder is ambiguous; [`AgentError::System`] if it cannot be read.
    pub fn find(folder: &Path, names: &FileNames) -> Result<Self, AgentError> {
        if let Some(found) = Self::directly_in(folder, names)? {
            return Ok(found);
        }
        let entries = list(folder)?;
        let mut candidates = Vec::new();
        for entry in entries.iter().filter(|entry| entry.may_be_an_unpacked_archive()) {
            match Self::directly_in(&folder.join(&entry.name), names) {
                Ok(None) => {}
                Ok(Some(found)) => candidates.push((entry, Ok(found))),
                Err(fault) => candidates.push((entry, Err(fault))),
            }
        }
        if candidates.len() > 1 {
            let found = candidates.iter().map(|(entry, _)| entry.name.clone()).collect();
            return Err(at_fault(folder, SubmissionFault::SeveralFolders { found }));
        }
        match candidates.pop() {
            Some((_, found)) => found,
            None if entries.is_empty() => {
                let expected = names.listed();
                Err(at_fault(folder, SubmissionFault::EmptyFolder { expected }))
            }
            None => {
                let found: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
                let expected = expected_of(&found, names);
                let found = found.into_iter().take(NAMES_LISTED).collect();
                Err(at_fault(folder, SubmissionFault::NoProgram { found, expected }))
            }
        }
    }

    fn directly_in(folder: &Path, names: &FileNames) -> Result<Option<Self>, AgentError> {
        let entries = list(folder)?;
        let source_of = |role| find_source(&entries, role, names).map_err(|fault| at_fault(folder, fault));
        let mut remarks = vec![];
        let homework = match source_of(ProgramRole::Homework)? {
            SourceMatch::Source { source, .. } if is_empty(&folder.join(&source.file)) => {
                return Err(at_fault(folder, SubmissionFault::EmptyFile));
            }
            SourceMatch::Source { source, others } => {
                remarks.extend(first_of_several(&source, &others));
                source
            }
            SourceMatch::Lookalike { found, expected } => {
                return Err(at_fault(folder, misnamed(found, &expected, names)));
            }
            SourceMatch::Nothing => return Ok(None),
        };
        let calibrate = match source_of(ProgramRole::Calibrate)? {
            SourceMatch::Source { source, others } => {
                remarks.extend(first_of_several(&source, &others));
                Some(source)
            }
            // The course would simply not run it, which is no reason to refuse the homework.
            SourceMatch::Lookalike { found, expected } => {
                remarks.push(format!("{} is ignored: rename it to `{expected}` to run it", super::shown::name(&found)));
                None
            }
            SourceMatch::Nothing => None,
        };
        Ok(Some(Self { folder: folder.to_owned(), homework, calibrate, remarks }))
    }
}

fn is_empty(file: &Path) -> bool {
    file.symlink_metadata().is_ok_and(|found| found.len() == 0)
}

/// What the program among `found` has to be called, in words: that of its language, if all sources have one.
fn expected_of(found: &[String], names: &FileNames) -> String {
    let of_file = |file: &String| {
        // The script that a notebook is exported as.
        let script = is_notebook(file).then(|| format!("{file}.py"));
        Some(names.program_in(names.language_by_extension(script.as_ref().unwrap_or(file))?))
    };
    let programs: BTreeSet<String> = found.iter().filter_map(of_file).collect();
    match (programs.len(), programs.first()) {
        (1, Some(program)) => match program.strip_suffix(".java") {
            Some(class) => format!("`{program}`, and its class with `main` to `{class}`"),
            None => names.with_meanings(program),
        },
        _ => names.listed(),
    }
}

fn at_fault(folder: &Path, fault: SubmissionFault) -> AgentError {
    AgentError::of_submission(folder, fault)
}

fn misnamed(found: String, name: &str, names: &FileNames) -> SubmissionFault {
    let expected = names.with_meanings(name);
    if found.to_lowercase() == name.to_lowercase() {
        SubmissionFault::WrongCase { found, expected }
    } else {
        SubmissionFault::WrongName { found, expected }
    }
}

impl SubmissionContent {
    /// Finds the program of the submission at `path`, without following links.
    ///
    /// # Errors
    ///
    /// [`AgentError::NotFound`] if nothing is there, [`AgentError::Submission`] unless it is a folder or a file with a
    /// program, or an error of the system.
    pub fn find(path: &Path, names: &FileNames) -> Result<Self, AgentError> {
        let found = path.symlink_metadata().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => AgentError::NotFound { path: path.to_owned() },
            _ => system("read", path)(error),
        })?;
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kind = found.file_type();
        let fault = if kind.is_dir() {
            return Submission::find(path, names).map(Self::Folder);
        } else if kind.is_symlink() {
            SubmissionFault::Link { file }
        } else if !kind.is_file() {
            let found = in_words(kind);
            SubmissionFault::NotAFile { file, found }
        } else {
            match single_file(&file, names) {
                Err(misnamed) => misnamed,
                Ok(_) if is_empty(path) => SubmissionFault::EmptyFile,
                Ok(Some(source)) => return Ok(Self::Source(source)),
                Ok(None) if is_executable(path) => return Ok(Self::Executable),
                Ok(None) => SubmissionFault::NotASource { file },
            }
        };
        Err(at_fault(path, fault))
    }
}

/// A single file that is a whole submission, with its name in a folder. `None` if it is no source.
///
/// It may be named after its student, so its extension decides the language; but misspellings are refused.
///
/// # Errors
///
/// [`SubmissionFault`] if another name was meant.
fn single_file(file: &str, names: &FileNames) -> Result<Option<ProgramSource>, SubmissionFault> {
    if let Some(language) = names.language_of(ProgramRole::Homework, file) {
        let file = file.to_owned();
        return Ok(Some(ProgramSource { file, language }));
    }
    if let Some(expected) = names.meant(ProgramRole::Homework, file) {
        return Err(misnamed(file.to_owned(), &expected, names));
    }
    let language = names.language_by_extension(file);
    Ok(language.map(|language| ProgramSource { file: names.program_in(language), language }))
}

/// The remark that `source` counts, and none of the `others`.
fn first_of_several(source: &ProgramSource, others: &[String]) -> Option<String> {
    let others: Vec<String> = others.iter().map(|name| super::shown::name(name)).collect();
    let names = others.join(", ");
    (!others.is_empty()).then(|| {
        format!("{} counts, not {names}: the first in the assignment's list of names", super::shown::name(&source.file))
    })
}

enum SourceMatch {
    Source {
        source: ProgramSource,
        /// The names of other programs, over which its own has precedence.
        others: Vec<String>,
    },
    Lookalike {
        found: String,
        expected: String,
    },
    Nothing,
}

fn find_source(entries: &[FolderEntry], role: ProgramRole, names: &FileNames) -> Result<SourceMatch, SubmissionFault> {
    let sources: Vec<_> =
        entries.iter().filter_map(|entry| Some((entry, names.language_of(role, &entry.name)?))).collect();
    let precedence = |entry: &FolderEntry| names.precedence(role, &entry.name);
    let first = match sources.as_slice() {
        [] => return Ok(find_lookalike(entries, role, names)),
        [only] => Some(only),
        several => several.iter().filter(|(one, _)| precedence(one).is_some()).min_by_key(|(one, _)| precedence(one)),
    };
    let all = sources.iter().map(|(entry, _)| entry.name.clone());
    let Some((first, language)) = first else { return Err(SubmissionFault::SeveralPrograms { found: all.collect() }) };
    first.expect_file()?;
    let source = ProgramSource { file: first.name.clone(), language: *language };
    Ok(SourceMatch::Source { source, others: all.filter(|name| *name != first.name).collect() })
}

fn find_lookalike(entries: &[FolderEntry], role: ProgramRole, names: &FileNames) -> SourceMatch {
    let lookalike = entries.iter().find_map(|entry| Some((entry.name.clone(), names.meant(role, &entry.name)?)));
    match lookalike {
        Some((found, expected)) => SourceMatch::Lookalike { found, expected },
        None => SourceMatch::Nothing,
    }
}

struct FolderEntry {
    name: String,
    kind: FileType,
}

impl FolderEntry {
    fn may_be_an_unpacked_archive(&self) -> bool {
        self.kind.is_dir() && !self.name.starts_with('.')
    }

    fn expect_file(&self) -> Result<(), SubmissionFault> {
        let file = self.name.clone();
        if self.kind.is_file() {
            Ok(())
        } else if self.kind.is_symlink() {
            Err(SubmissionFault::Link { file })
        } else {
            let found = in_words(self.kind);
            Err(SubmissionFault::NotAFile { file, found })
        }
    }
}

/// A description of a file that is not regular.
pub(super) fn in_words(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a link"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

/// The entries of a folder, by name. A name that is not UTF-8 cannot be a program's and is decoded lossily.
fn list(folder: &Path) -> Result<Vec<FolderEntry>, AgentError> {
    let read = || -> io::Result<Vec<FolderEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !is_left_behind(&name) {
                let kind = entry.file_type()?;
                entries.push(FolderEntry { name, kind });
            }
        }
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    };
    read().map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => {
            let file = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let error = error.to_string();
            at_fault(folder, SubmissionFault::Unreadable { file, error })
        }
        _ => system("read", folder)(error),
    })
}

#[cfg(test)]
mod tests {
    use super::super::language::PythonVersion;
    use super::*;

    /// The names of an assignment, each in Python 2.
    fn in_python_2(listed: &[&str]) -> FileNames {
        let python2 = Language::Python(PythonVersion::Two);
        FileNames::new(listed.iter().map(|name| (name.parse().unwrap(), python2)).collect(), None)
    }

    /// A folder with those files; a name that ends in `/` is a folder, one with ` -> ` a link.
    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            if let Some((link, target)) = name.split_once(" -> ") {
                let link = folder.path().join(link);
                fs::create_dir_all(link.parent().unwrap()).unwrap();
                std::os::unix::fs::symlink(target, link).unwrap();
            } else if name.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "x").unwrap();
            }
        }
        folder
    }

    #[test]
    fn of_several_programs_the_first_name_of_the_assignment_counts_where_it_says_so() {
        let folder = folder(&["homework2.py", "homework3.py", "helper.py", "calibrate2.py", "calibrate3.py"]);
        let names = in_python_2(&["homework3.py", "homework2.py", "homework*.py"]);
        let refused = Submission::find(folder.path(), &names).unwrap_err().to_string();
        assert!(refused.contains("several programs"), "{refused}");
        let found = Submission::find(folder.path(), &names.with_first_counting(true)).unwrap();
        assert_eq!(found.homework.file, "homework3.py");
        assert_eq!(found.calibrate.unwrap().file, "calibrate3.py");
        assert_eq!(
            found.remarks,
            [
                "`homework3.py` counts, not `homework2.py`: the first in the assignment's list of names",
                "`calibrate3.py` counts, not `calibrate2.py`: the first in the assignment's list of names",
            ]
        );
    }

    fn find(names: &[&str]) -> Result<(String, Option<String>), String> {
        let folder = folder(names);
        match Submission::find(folder.path(), &FileNames::default()) {
            Ok(found) => {
                let inner = found.folder.strip_prefix(folder.path()).unwrap();
                let homework = inner.join(found.homework.file).display().to_string();
                Ok((homework, found.calibrate.map(|calibrate| calibrate.file)))
            }
            Err(AgentError::Submission { fault, .. }) => Err(fault.to_string()),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn the_programs_are_found_by_their_names() {
        let folders: [(&[&str], &str, Option<&str>); 6] = [
            (&["homework.py"], "homework.py", None),
            (&["homework.java", "Board.java", "notes.txt"], "homework.java", None),
            (&["homework11.cpp", "calibrate.py"], "homework11.cpp", Some("calibrate.py")),
            (&["ada/homework.py", "__MACOSX/homework.py"], "ada/homework.py", None),
            (&["ada/homework.cpp", "ada/calibrate.cpp", "old/"], "ada/homework.cpp", Some("calibrate.cpp")),
            (&["homework.py", "old/homework.py"], "homework.py", None),
        ];
        for (names, homework, calibrate) in folders {
            let expected = (homework.to_owned(), calibrate.map(str::to_owned));
            assert_eq!(find(names), Ok(expected), "{names:?}");
        }
    }

    #[test]
    fn whatever_could_be_meant_otherwise_is_refused() {
        let names =
            "`homework.py`, `homework2.py`, `homework3.py`, `homework.cpp`, `homework11.cpp` or `homework.java`";
        let python = "`homework.py` if it is Python 3, or to `homework2.py` if it is Python 2";
        let cpp = "`homework.cpp` if it is C++17, or to `homework11.cpp` if it is C++11";
        let link = "`homework.py` is a link: hand in the file or directory itself, not a link";
        let faults: [(&[&str], String); 18] = [
            (&[], format!("the directory is empty: add {names}")),
            (
                &["main.py", "a/b/homework.py"],
                format!("no program found in `a`, `main.py`: rename the program to {python}"),
            ),
            (&[".DS_Store", "__MACOSX/homework.py"], format!("the directory is empty: add {names}")),
            (&["hw2.py"], format!("no program found in `hw2.py`: rename the program to {python}")),
            (
                &["hw2.ipynb", "notes.txt"],
                format!(
                    "no program found in `hw2.ipynb`, `notes.txt`: export the notebook as a script, and rename that \
                     to {python}"
                ),
            ),
            (
                &["Board.java", "Main.java"],
                "no program found in `Board.java`, `Main.java`: rename the program to `homework.java`, and its class \
                 with `main` to `homework`"
                    .into(),
            ),
            (
                &["main.cpp", "main.py"],
                format!("no program found in `main.cpp`, `main.py`: rename the program to {names}"),
            ),
            (&["homework.py.txt"], format!("`homework.py.txt` has the wrong name: rename it to {python}")),
            (&["ada/homework (1).cc"], format!("`homework (1).cc` has the wrong name: rename it to {cpp}")),
            (&["HOMEWORK.CPP", "notes.txt"], format!("`HOMEWORK.CPP` has the wrong case: rename it to {cpp}")),
            (&["Homework.py"], format!("`Homework.py` has the wrong case: rename it to {python}")),
            (
                &["homework.py", "homework11.cpp"],
                "several programs, unclear which to run: `homework.py`, `homework11.cpp`: keep one of them".into(),
            ),
            (
                &["homework.py", "calibrate.py", "calibrate.java"],
                "several programs, unclear which to run: `calibrate.java`, `calibrate.py`: keep one of them".into(),
            ),
            (
                &["a/homework.py", "b/Homework.py"],
                "several directories contain a program: `a`, `b`: name one of them, or keep one".into(),
            ),
            (&["homework.py -> /etc/passwd"], link.into()),
            (&["homework.py/"], "`homework.py` is a folder, not a file: replace it with the program's source".into()),
            (&["a/homework.py -> ../x"], link.into()),
            (&["ada -> /usr"], format!("no program found in `ada`: rename the program to {names}")),
        ];
        for (names, message) in faults {
            assert_eq!(find(names), Err(message), "{names:?}");
        }
    }

    #[test]
    fn a_file_alone_is_called_like_the_program_that_it_is() {
        let files = [
            ("ada.py", Ok(Some("homework.py"))),
            ("bob 11.cpp", Ok(Some("homework.cpp"))),
            ("homework11.cpp", Ok(Some("homework11.cpp"))),
            ("homework2.py", Ok(Some("homework2.py"))),
            ("cyd.java", Ok(Some("homework.java"))),
            ("dan.zip", Ok(None)),
            ("eve", Ok(None)),
            ("Homework.py", Err("wrong-letter-case")),
            ("homework.java.txt", Err("wrong-name")),
            ("homework - Copy.cpp", Err("wrong-name")),
        ];
        for (file, expected) in files {
            let found = single_file(file, &FileNames::default());
            let name = found.as_ref().map(|source| source.as_ref().map(|source| source.file.as_str()));
            assert_eq!(name.map_err(SubmissionFault::code), expected, "{file}");
        }
        let old = single_file("ada.py", &in_python_2(&["hw1cs561s2018.py"])).unwrap().unwrap();
        assert_eq!(old.language, Language::Python(PythonVersion::Two));
    }

    #[test]
    fn an_assignments_own_names_take_the_place_of_the_usual_ones() {
        let folder = folder(&["hw1cs561s2018.py"]);
        let names = in_python_2(&["hw1cs561s2018.py", "homework.py"]);
        let found = Submission::find(folder.path(), &names).unwrap();
        assert_eq!(found.homework.language, Language::Python(PythonVersion::Two));
        let unknown = Submission::find(folder.path(), &FileNames::default()).unwrap_err();
        assert_eq!(unknown.finding().unwrap().code, "no-program");
        fs::write(folder.path().join("homework.py"), "x").unwrap();
        let fault = Submission::find(folder.path(), &names).unwrap_err();
        assert_eq!(fault.finding().unwrap().code, "several-programs");
    }

    #[test]
    fn a_calibrate_in_the_wrong_case_is_remarked_on() {
        let folder = folder(&["homework.py", "Calibrate.PY"]);
        let found = Submission::find(folder.path(), &in_python_2(&["homework.py"])).unwrap();
        assert_eq!(found.homework.language, Language::Python(PythonVersion::Two));
        assert_eq!(found.remarks, ["`Calibrate.PY` is ignored: rename it to `calibrate.py` to run it"]);
    }
}
