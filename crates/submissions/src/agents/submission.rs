//! Finds the programs of a submission among the files of its folder. It builds nothing; [`super::AgentBuilder`] calls
//! it.
//!
//! The folder contains `homework.xxx`, and optionally `calibrate.xxx` and related files; or, as archives leave it,
//! exactly one subfolder that does. Anything ambiguous is refused: a point lost to a guess cannot be defended.
//! Leftovers of desktops and archives are ignored.

use std::collections::BTreeSet;
use std::fs::FileType;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::entries::{FolderEntry, entries_of};
use super::error::{AgentError, system};
use super::fault::{SubmissionFault, is_notebook};
use super::language::Language;
use super::names::{FileNames, ProgramRole};
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

/// The entries of a folder; one that may not be read is its author's fault.
fn list(folder: &Path) -> Result<Vec<FolderEntry>, AgentError> {
    entries_of(folder).map_err(|error| match error.kind() {
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
    use std::fs;

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

    /// Each case has the names in a folder and, behind `>`, its programs or its fault.
    #[test]
    fn programs_are_found_by_their_names_and_what_could_be_meant_otherwise_is_refused() {
        for case in include_str!("submission-cases.txt").split("\n\n") {
            let (expected, names): (Vec<&str>, Vec<&str>) = case.lines().partition(|line| line.starts_with("> "));
            let expected: Vec<&str> = expected.iter().map(|line| &line[2..]).collect();
            let folder = folder(&names);
            let found = match Submission::find(folder.path(), &FileNames::default()) {
                Ok(Submission { folder: within, homework, calibrate, .. }) => {
                    let homework = within.strip_prefix(folder.path()).unwrap().join(homework.file);
                    let calibrate = calibrate.map(|calibrate| format!(", with {}", calibrate.file));
                    homework.display().to_string() + &calibrate.unwrap_or_default()
                }
                Err(AgentError::Submission { fault, .. }) => fault.to_string(),
                Err(other) => panic!("{other}"),
            };
            assert_eq!(found, expected.join(" "), "{names:?}");
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
    fn a_calibrate_in_the_wrong_case_is_remarked_on() {
        let folder = folder(&["homework.py", "Calibrate.PY"]);
        let found = Submission::find(folder.path(), &in_python_2(&["homework.py"])).unwrap();
        assert_eq!(found.homework.language, Language::Python(PythonVersion::Two));
        assert_eq!(found.remarks, ["`Calibrate.PY` is ignored: rename it to `calibrate.py` to run it"]);
    }
}
