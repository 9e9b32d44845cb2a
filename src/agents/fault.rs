//! What can be wrong with a submission: each fault with a name for programs, a sentence and a remedy.
//!
//! For: whoever handed it in, by way of an error, a gradebook or a check. Deliberately not here: faults of the user, of
//! the machine or of ours, which are in [`AgentError`](super::AgentError).
//! What must always hold: the names ([`SubmissionFault::code`]) never change; nothing of a student's making is shown
//! unescaped.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::shown;
use crate::protocol::Finding;
use crate::time::WallTime;

/// What is wrong with a submission. Its text is the sentence and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmissionFault {
    /// There is nothing in the folder.
    EmptyFolder {
        /// The names that are expected in it, in words.
        expected: String,
    },
    /// There is nothing in the file.
    EmptyFile,
    /// Files, but none with the name of a program.
    NoProgram {
        /// What the folder holds, at most ten names.
        found: Vec<String>,
        /// The names that are expected in it, in words.
        expected: String,
    },
    /// The name of a program but for its letter case.
    WrongCase {
        /// The file's name.
        found: String,
        /// What it should be called.
        expected: String,
    },
    /// A name that was meant to be that of a program: `homework.py.txt`, `homework (1).py`, `homework.cc`.
    WrongName {
        /// The file's name.
        found: String,
        /// What it should be called.
        expected: String,
    },
    /// More than one program for the same purpose.
    SeveralPrograms {
        /// Their names.
        found: Vec<String>,
    },
    /// More than one subfolder that holds a program, and none beside them.
    SeveralFolders {
        /// Their names.
        found: Vec<String>,
    },
    /// A link in the place of a program or of the whole submission: what it points to may be anything, of anybody.
    Link {
        /// The file's name.
        file: String,
    },
    /// Something else than a file or a folder in the place of one.
    NotAFile {
        /// The file's name.
        file: String,
        /// What it is, in words.
        found: &'static str,
    },
    /// A file alone that is neither a source nor a program.
    NotASource {
        /// The file's name.
        file: String,
    },
    /// More files, more bytes or deeper folders than any homework has.
    TooLarge {
        /// The limit that was passed, in words.
        limit: String,
    },
    /// A file or a folder that may not be read.
    Unreadable {
        /// Its name within the submission.
        file: String,
        /// What the system said.
        error: String,
    },
    /// A submission with a name that its student cannot go by.
    UnfitName {
        /// The name, lossy.
        found: String,
    },
    /// Another submission of the same class has the same name, and nothing says which of them counts.
    SameStudent {
        /// The other ones.
        others: Vec<String>,
    },
    /// A program that cannot be built.
    Build {
        /// The program's source.
        file: String,
        /// Why.
        fault: BuildFault,
    },
}

impl SubmissionFault {
    /// A stable name for programs, in kebab case.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmptyFolder { .. } => "empty-folder",
            Self::EmptyFile => "empty-file",
            Self::NoProgram { .. } => "no-program",
            Self::WrongCase { .. } => "wrong-letter-case",
            Self::WrongName { .. } => "wrong-name",
            Self::SeveralPrograms { .. } => "several-programs",
            Self::SeveralFolders { .. } => "several-folders",
            Self::Link { .. } => "link",
            Self::NotAFile { .. } => "not-a-file",
            Self::NotASource { .. } => "not-a-source",
            Self::TooLarge { .. } => "submission-too-large",
            Self::Unreadable { .. } => "unreadable",
            Self::UnfitName { .. } => "unfit-name",
            Self::SameStudent { .. } => "same-student",
            Self::Build { fault, .. } => fault.code(),
        }
    }

    /// What is wrong, in a sentence without a full stop.
    pub fn message(&self) -> String {
        use shown::{name, names};
        match self {
            Self::EmptyFolder { .. } => "the folder is empty".to_owned(),
            Self::EmptyFile => "the file is empty".to_owned(),
            Self::NoProgram { found, .. } => format!("no program found among {}", names(found)),
            Self::WrongCase { found, .. } => format!("{} has the wrong letter case", name(found)),
            Self::WrongName { found, .. } => format!("{} has the wrong name", name(found)),
            Self::SeveralPrograms { found } => format!("which one is to be run is unclear: {}", names(found)),
            Self::SeveralFolders { found } => format!("several folders hold a program: {}", names(found)),
            Self::Link { file } => format!("{} is a link", name(file)),
            Self::NotAFile { file, found } => format!("{} is {found}, not a file", name(file)),
            Self::NotASource { file } => format!("{} is neither a source nor a program", name(file)),
            Self::TooLarge { limit } => format!("the submission has more than {limit}"),
            Self::Unreadable { file, error } => format!("{} cannot be read: {error}", name(file)),
            Self::UnfitName { found } => format!("{} is no name for a student", name(found)),
            Self::SameStudent { others } => format!("the same student seems to have handed in {}, too", names(others)),
            Self::Build { file, fault } => format!("{} cannot be built: {}", name(file), fault.message()),
        }
    }

    /// What to do about it, as a command without a full stop.
    pub fn hint(&self) -> String {
        match self {
            Self::EmptyFolder { expected } => format!("put {expected} into it"),
            Self::EmptyFile => "hand in the program".to_owned(),
            Self::NoProgram { expected, .. } => format!("call the program {expected}"),
            Self::WrongCase { expected, .. } | Self::WrongName { expected, .. } => {
                format!("rename it to {}", shown::name(expected))
            }
            Self::SeveralPrograms { .. } => "keep one of them".to_owned(),
            Self::SeveralFolders { .. } => "name one of them, or keep one".to_owned(),
            Self::Link { .. } => "hand in the file or folder itself".to_owned(),
            Self::NotAFile { .. } => "put the program's source there".to_owned(),
            Self::NotASource { .. } => {
                "hand in a folder, a `.py`, `.cpp` or `.java` source, or an executable; unpack an archive".to_owned()
            }
            Self::TooLarge { .. } => "hand in the sources and their data alone".to_owned(),
            Self::Unreadable { .. } => "allow everybody to read it".to_owned(),
            Self::UnfitName { .. } => format!("rename it to {}", super::spec::NAME_RULE),
            Self::SameStudent { .. } => "keep the one that counts, or rename one".to_owned(),
            Self::Build { fault, .. } => fault.hint(),
        }
    }

    /// What the compiler said, where the fault is that it refused the program.
    pub fn compiler_output(&self) -> Option<&str> {
        match self {
            Self::Build { fault, .. } => fault.compiler_output(),
            Self::EmptyFolder { .. }
            | Self::EmptyFile
            | Self::NoProgram { .. }
            | Self::WrongCase { .. }
            | Self::WrongName { .. }
            | Self::SeveralPrograms { .. }
            | Self::SeveralFolders { .. }
            | Self::Link { .. }
            | Self::NotAFile { .. }
            | Self::NotASource { .. }
            | Self::TooLarge { .. }
            | Self::Unreadable { .. }
            | Self::UnfitName { .. }
            | Self::SameStudent { .. } => None,
        }
    }

    /// For a record or a gradebook.
    ///
    /// ```
    /// use referee::agents::SubmissionFault;
    ///
    /// let fault = SubmissionFault::Link { file: "homework.py".into() };
    /// let finding = fault.finding();
    /// assert_eq!(finding.code, "link");
    /// assert_eq!(finding.to_string(), "`homework.py` is a link (hand in the file or folder itself)");
    /// ```
    pub fn finding(&self) -> Finding {
        Finding::new(self.code(), self.message()).hint(self.hint())
    }
}

impl fmt::Display for SubmissionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.message(), self.hint())?;
        match self.compiler_output() {
            Some(output) => write!(f, "\n{}", shown::beginning(output)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SubmissionFault {}

/// Why a program cannot be built. All but [`Self::TooSlow`] and [`Self::TooMuch`] come out the same each time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fault")]
pub enum BuildFault {
    /// The compiler refused it.
    Refused {
        /// The compiler's name without its folder.
        compiler: String,
        /// The beginning of what it said, at most 64 KiB, escaped.
        output: String,
    },
    /// The compiler refused it because it is not in the encoding that it has to be in.
    NotUtf8 {
        /// The compiler's name without its folder.
        compiler: String,
        /// The line of the first byte that is not UTF-8, from 1.
        line: u32,
        /// The beginning of what it said, at most 64 KiB, escaped.
        output: String,
    },
    /// The compiler did not end in time.
    TooSlow {
        /// The compiler's name without its folder.
        compiler: String,
        /// The limit.
        limit: WallTime,
    },
    /// The compiler passed another limit and was stopped.
    TooMuch {
        /// The compiler's name without its folder.
        compiler: String,
        /// What it had more of, in words: `2048 MiB of memory`.
        limit: String,
    },
    /// The compiler was content, but there is no program.
    NoProduct {
        /// The compiler's name without its folder.
        compiler: String,
    },
    /// A Java class that is not where `java` looks for it.
    NoSuchClass {
        /// The class that is run.
        class: String,
    },
    /// A Java class in a package.
    InPackage {
        /// The package, with dots.
        package: String,
    },
}

impl BuildFault {
    /// A stable name for programs, in kebab case.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused { .. } => "build-error",
            Self::NotUtf8 { .. } => "not-utf-8",
            Self::TooSlow { .. } => "build-too-slow",
            Self::TooMuch { .. } => "build-too-large",
            Self::NoProduct { .. } => "build-without-program",
            Self::NoSuchClass { .. } => "no-main-class",
            Self::InPackage { .. } => "class-in-package",
        }
    }

    /// What is wrong, in a sentence without a full stop.
    pub fn message(&self) -> String {
        match self {
            Self::Refused { compiler, .. } => format!("{} refused it", shown::name(compiler)),
            Self::NotUtf8 { line, .. } => format!("line {line} is not in UTF-8"),
            Self::TooSlow { compiler, limit } => format!(
                "{} had not finished after {limit} s and was stopped",
                shown::name(compiler)
            ),
            Self::TooMuch { compiler, limit } => {
                format!("{} took more than {limit} and was stopped", shown::name(compiler))
            }
            Self::NoProduct { compiler } => format!("{} made no program of it", shown::name(compiler)),
            Self::NoSuchClass { class } => format!("it holds no class {}", shown::name(class)),
            Self::InPackage { package } => format!("its class is in the package {}", shown::name(package)),
        }
    }

    /// What to do about it, as a command without a full stop.
    pub fn hint(&self) -> String {
        match self {
            Self::Refused { .. } => "mend the first error that it names".to_owned(),
            Self::NotUtf8 { .. } => {
                "save the file in UTF-8; a Python source may instead name its encoding in the first line".to_owned()
            }
            Self::TooSlow { .. } => "simplify the source, or allow more time".to_owned(),
            Self::TooMuch { .. } => "simplify the source".to_owned(),
            Self::NoProduct { .. } => "write a program that the compiler can make an executable of".to_owned(),
            Self::NoSuchClass { .. } => "call the class with `main` exactly like the file".to_owned(),
            Self::InPackage { package } => format!("remove the line {}", shown::name(&format!("package {package};"))),
        }
    }

    /// What the compiler said, where it refused the program.
    pub fn compiler_output(&self) -> Option<&str> {
        match self {
            Self::Refused { output, .. } | Self::NotUtf8 { output, .. } => Some(output),
            Self::TooSlow { .. }
            | Self::TooMuch { .. }
            | Self::NoProduct { .. }
            | Self::NoSuchClass { .. }
            | Self::InPackage { .. } => None,
        }
    }

    /// Whether the same sources would come to the same end on another day, when the machine is less busy.
    pub(super) const fn is_lasting(&self) -> bool {
        match self {
            Self::TooSlow { .. } | Self::TooMuch { .. } => false,
            Self::Refused { .. }
            | Self::NotUtf8 { .. }
            | Self::NoProduct { .. }
            | Self::NoSuchClass { .. }
            | Self::InPackage { .. } => true,
        }
    }
}

impl fmt::Display for BuildFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.message(), self.hint())
    }
}
