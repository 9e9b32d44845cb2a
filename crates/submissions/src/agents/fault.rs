//! The faults of submissions: each with a stable code, a sentence and a remedy.
//!
//! For the author, through errors, gradebooks or checks. Faults of the user, of the machine and of ours are in
//! [`AgentError`](super::AgentError). The codes ([`SubmissionFault::code`]) must never change. Text from a student must
//! never be shown unescaped.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::archive_fault::ArchiveFault;
use super::shown;
use referee_games::protocol::Finding;
use referee_time::{CpuTime, WallTime};

/// A fault of a submission. Its text is the sentence with the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmissionFault {
    /// The folder is empty.
    EmptyFolder {
        /// The expected names, in words.
        expected: String,
    },
    /// The file is empty.
    EmptyFile,
    /// No file has the name of a program.
    NoProgram {
        /// The files in the folder, at most ten names.
        found: Vec<String>,
        /// The expected names, in words.
        expected: String,
    },
    /// A program's name in the wrong letter case.
    WrongCase {
        /// The file's name.
        found: String,
        /// The correct name, in words; if names tell languages apart, each with its language.
        expected: String,
    },
    /// A name that was meant as a program's: `homework.py.txt`, `homework (1).py`, `homework.cc`.
    WrongName {
        /// The file's name.
        found: String,
        /// The correct name, like that of [`Self::WrongCase`].
        expected: String,
    },
    /// Several programs for the same purpose.
    SeveralPrograms {
        /// Their names.
        found: Vec<String>,
    },
    /// Several subfolders with a program, and none beside them.
    SeveralFolders {
        /// Their names.
        found: Vec<String>,
    },
    /// A link instead of a program or submission: it may point to anybody's file.
    Link {
        /// The file's name.
        file: String,
    },
    /// Neither a file nor a folder.
    NotAFile {
        /// The file's name.
        file: String,
        /// A description of it.
        found: &'static str,
    },
    /// A single file that is neither a source nor a program.
    NotASource {
        /// The file's name.
        file: String,
    },
    /// More files, bytes or nested folders than any homework has.
    TooLarge {
        /// The exceeded limit, in words.
        limit: String,
    },
    /// An unreadable file or folder.
    Unreadable {
        /// Its name within the submission.
        file: String,
        /// The system's error.
        error: String,
    },
    /// Another submission of the class has the same name, and nothing tells which one counts.
    SameStudent {
        /// The others.
        others: Vec<String>,
    },
    /// A student of the course who has handed in nothing.
    NothingHandedIn,
    /// A student of the course who may have handed in the submission of another name, as others of the course may.
    SeveralLines {
        /// The name of the submission.
        submission: String,
        /// Which one of those who handed it in, if they are several.
        member: Option<String>,
        /// How many lines of the roster match.
        lines: usize,
        /// What to change in the roster.
        remedy: &'static str,
    },
    /// An archive that is not unpacked.
    Archive {
        /// The archive's name.
        file: String,
        /// Why.
        fault: ArchiveFault,
    },
    /// A program that does not build.
    Build {
        /// The program's source.
        file: String,
        /// The reason.
        fault: BuildFault,
    },
}

impl SubmissionFault {
    /// The codes of faults of students who are on the roster alone: there is no submission to look at.
    pub const WITHOUT_SUBMISSION: [&str; 2] = ["nothing-handed-in", Self::SEVERAL_LINES];

    /// The code of a student of whom nobody can say whether a submission is theirs.
    pub const SEVERAL_LINES: &str = "several-roster-lines";

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
            Self::SameStudent { .. } => "same-student",
            Self::NothingHandedIn => "nothing-handed-in",
            Self::SeveralLines { .. } => Self::SEVERAL_LINES,
            Self::Archive { fault, .. } => fault.code(),
            Self::Build { fault, .. } => fault.code(),
        }
    }

    /// The fault, in a sentence without a full stop.
    pub fn message(&self) -> String {
        use shown::{name, names};
        match self {
            Self::EmptyFolder { .. } => "the directory is empty".to_owned(),
            Self::EmptyFile => "the file is empty".to_owned(),
            Self::NoProgram { found, .. } => format!("no program found in {}", names(found)),
            Self::WrongCase { found, .. } => format!("{} has the wrong case", name(found)),
            Self::WrongName { found, .. } => format!("{} has the wrong name", name(found)),
            Self::SeveralPrograms { found } => format!("several programs, unclear which to run: {}", names(found)),
            Self::SeveralFolders { found } => format!("several directories contain a program: {}", names(found)),
            Self::Link { file } => format!("{} is a link", name(file)),
            Self::NotAFile { file, found } => format!("{} is {found}, not a file", name(file)),
            Self::NotASource { file } => format!("{} is neither a source file nor a program", name(file)),
            Self::TooLarge { limit } => format!("the submission has more than {limit}"),
            Self::Unreadable { file, error } => format!("{} cannot be read: {error}", name(file)),
            Self::SameStudent { others } => format!("the same student also handed in {}", names(others)),
            Self::NothingHandedIn => "nothing was handed in".to_owned(),
            Self::SeveralLines { submission, member, lines, .. } => {
                let member = member.iter().map(|member| format!("{} of ", name(member)));
                let (who, submission) = (member.collect::<String>(), name(submission));
                let nobody = if *lines == 2 { "neither" } else { "none of them" };
                format!("{lines} roster lines match {who}the submission {submission}, so it belongs to {nobody}")
            }
            Self::Archive { file, fault } => fault.message(file),
            Self::Build { file, fault } => format!("{} cannot be built: {}", name(file), fault.message()),
        }
    }

    /// The remedy, as a command without a full stop.
    pub fn hint(&self) -> String {
        match self {
            Self::EmptyFolder { expected } => format!("add {expected}"),
            Self::EmptyFile | Self::NothingHandedIn => "hand in a program".to_owned(),
            Self::NoProgram { found, expected } if found.iter().any(|file| is_notebook(file)) => {
                format!("export the notebook as a script, and rename that to {expected}")
            }
            Self::NoProgram { expected, .. } => format!("rename the program to {expected}"),
            Self::WrongCase { expected, .. } | Self::WrongName { expected, .. } => format!("rename it to {expected}"),
            Self::SeveralPrograms { .. } => "keep one of them".to_owned(),
            Self::SeveralFolders { .. } => "name one of them, or keep one".to_owned(),
            Self::Link { .. } => "hand in the file or directory itself, not a link".to_owned(),
            Self::NotAFile { .. } => "replace it with the program's source".to_owned(),
            Self::NotASource { .. } => {
                "hand in a directory, a `.zip`, a `.tar.gz`, a `.py`, `.cpp` or `.java` source, or an executable"
                    .to_owned()
            }
            Self::TooLarge { .. } => "hand in only sources and their data".to_owned(),
            Self::Unreadable { .. } => "make it readable, such as with `chmod +r`".to_owned(),
            Self::SameStudent { .. } => "keep only one, or rename one".to_owned(),
            Self::SeveralLines { remedy, .. } => (*remedy).to_owned(),
            Self::Archive { fault, .. } => fault.hint(),
            Self::Build { fault, .. } => fault.hint(),
        }
    }

    /// The compiler's output, if the compiler refused the program.
    pub fn compiler_output(&self) -> Option<&str> {
        if let Self::Build { fault, .. } = self { fault.compiler_output() } else { None }
    }

    /// For a record or a gradebook.
    ///
    /// ```
    /// use referee_submissions::agents::SubmissionFault;
    ///
    /// let fault = SubmissionFault::Link { file: "homework.py".into() };
    /// let finding = fault.finding();
    /// assert_eq!(finding.code, "link");
    /// assert_eq!(finding.to_string(), "`homework.py` is a link (hand in the file or directory itself, not a link)");
    /// ```
    pub fn finding(&self) -> Finding {
        let finding = Finding::new(self.code(), self.message());
        // It says all there is, and the grader who reads it can do nothing.
        if matches!(self, Self::NothingHandedIn) { finding } else { finding.hint(self.hint()) }
    }
}

pub(super) fn is_notebook(file: &str) -> bool {
    file.to_lowercase().ends_with(".ipynb")
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

/// Why a program does not build. All except [`Self::TooSlow`], [`Self::Hung`] and [`Self::TooMuch`] are repeatable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fault")]
pub enum BuildFault {
    /// The compiler refused it.
    Refused {
        /// The compiler's name, without its folder.
        compiler: String,
        /// The start of its output, at most 64 KiB, escaped.
        output: String,
    },
    /// The compiler refused it because of its encoding.
    NotUtf8 {
        /// The compiler's name, without its folder.
        compiler: String,
        /// The line of the first byte that is not UTF-8, counted from 1.
        line: u32,
        /// The start of its output, at most 64 KiB, escaped.
        output: String,
    },
    /// The compiler exceeded its CPU time.
    TooSlow {
        /// The compiler's name, without its folder.
        compiler: String,
        /// The limit.
        limit: CpuTime,
    },
    /// The compiler waited too long for something that never came.
    Hung {
        /// The compiler's name, without its folder.
        compiler: String,
        /// The limit.
        limit: WallTime,
    },
    /// The compiler exceeded another limit and was stopped.
    TooMuch {
        /// The compiler's name, without its folder.
        compiler: String,
        /// The exceeded limit, in words: `2048 MiB of memory`.
        limit: String,
    },
    /// The compiler succeeded, but there is no program.
    NoProduct {
        /// The compiler's name, without its folder.
        compiler: String,
    },
    /// A Java class that `java` does not find.
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
            Self::TooSlow { .. } | Self::Hung { .. } => "build-too-slow",
            Self::TooMuch { .. } => "build-too-large",
            Self::NoProduct { .. } => "build-without-program",
            Self::NoSuchClass { .. } => "no-main-class",
            Self::InPackage { .. } => "class-in-package",
        }
    }

    /// The fault, in a sentence without a full stop.
    pub fn message(&self) -> String {
        match self {
            Self::Refused { compiler, .. } => format!("{} refused it", shown::name(compiler)),
            Self::NotUtf8 { line, .. } => format!("line {line} is not in UTF-8"),
            Self::TooSlow { compiler, limit } => {
                format!("{} was stopped after {limit} s of CPU time (`compile_time`)", shown::name(compiler))
            }
            Self::Hung { compiler, limit } => {
                format!("{} was stopped after waiting for {limit} s", shown::name(compiler))
            }
            Self::TooMuch { compiler, limit } => {
                format!("{} exceeded {limit} and was stopped", shown::name(compiler))
            }
            Self::NoProduct { compiler } => format!("{} produced no program", shown::name(compiler)),
            Self::NoSuchClass { class } => format!("it contains no class {}", shown::name(class)),
            Self::InPackage { package } => format!("its class is in package {}", shown::name(package)),
        }
    }

    /// The remedy, as a command without a full stop.
    pub fn hint(&self) -> String {
        match self {
            Self::Refused { .. } => "fix the first error it reports".to_owned(),
            Self::NotUtf8 { .. } => {
                "save the file as UTF-8, or declare its encoding in the first line (Python)".to_owned()
            }
            Self::TooSlow { .. } => {
                "simplify the source; staff can raise `compile_time` under `[clock]` in the assignment".to_owned()
            }
            Self::Hung { .. } => "include only regular files of the submission".to_owned(),
            Self::TooMuch { .. } => "simplify the source".to_owned(),
            Self::NoProduct { .. } => "make sure the compiler can produce an executable".to_owned(),
            Self::NoSuchClass { .. } => "name the class with `main` like the file".to_owned(),
            Self::InPackage { package } => format!("remove the line {}", shown::name(&format!("package {package};"))),
        }
    }

    /// The compiler's output, if it refused the program.
    pub fn compiler_output(&self) -> Option<&str> {
        if let Self::Refused { output, .. } | Self::NotUtf8 { output, .. } = self { Some(output) } else { None }
    }

    /// Whether the same sources would fail again on a less busy machine.
    pub(super) const fn is_lasting(&self) -> bool {
        !matches!(self, Self::TooSlow { .. } | Self::Hung { .. } | Self::TooMuch { .. })
    }
}

impl fmt::Display for BuildFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.message(), self.hint())
    }
}
