//! Why an agent cannot be made ready, and whose fault it is.

use std::io;
use std::path::{Path, PathBuf};

use super::language::HOMEWORK_NAMES;
use super::shown;
use super::toolchain::MissingTool;
use crate::time::WallTime;

/// Why what a user named is not a runnable agent. The text says what was tried, on which file, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The user named something that does not exist.
    #[error(
        "there is no file and no folder {}: name the folder of a submission, a source file, an executable or `builtin:random`",
        shown::path(.path)
    )]
    NotFound {
        /// What was named.
        path: PathBuf,
    },
    /// The user named a file that is neither a source nor executable.
    #[error(
        "{0} is neither a `.py`, `.cpp` or `.java` source nor executable: if it is a program, allow it to run with `chmod +x {1}`",
        shown::path(.path), .path.display().to_string().escape_debug()
    )]
    NotExecutable {
        /// What was named.
        path: PathBuf,
    },
    /// The user named a device, a socket or a FIFO.
    #[error("{} is {found}: name a folder or a regular file", shown::path(.path))]
    NotAFile {
        /// What was named.
        path: PathBuf,
        /// What it is, in words.
        found: &'static str,
    },
    /// This machine lacks a compiler or an interpreter.
    #[error("{} cannot be made ready: {tool}", shown::path(.path))]
    MissingTool {
        /// The source that needs the tool.
        path: PathBuf,
        /// The tool, and how to come by it.
        tool: MissingTool,
    },
    /// The submission is at fault.
    #[error("{}: {fault}", shown::path(.path))]
    Submission {
        /// The folder or the file of the submission.
        path: PathBuf,
        /// What is wrong with it.
        fault: SubmissionFault,
    },
    /// The system refused something that says nothing of the submission.
    #[error("cannot {action} {}: {error}", shown::path(.path))]
    System {
        /// What was tried: `read`, `create`, `run`.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl AgentError {
    /// Whether whoever handed in the submission has to mend it; otherwise it is for the user who named it, or for the
    /// keeper of this machine.
    pub fn is_the_submissions_fault(&self) -> bool {
        match self {
            Self::Submission { .. } => true,
            Self::NotFound { .. }
            | Self::NotExecutable { .. }
            | Self::NotAFile { .. }
            | Self::MissingTool { .. }
            | Self::System { .. } => false,
        }
    }

    /// The same error with the place that the user knows instead of that of a copy.
    pub(super) fn said_of(self, folder: &Path) -> Self {
        let path = folder.to_owned();
        match self {
            Self::Submission { fault, .. } => Self::Submission { path, fault },
            Self::MissingTool { tool, .. } => Self::MissingTool { path, tool },
            Self::NotFound { .. } | Self::NotExecutable { .. } | Self::NotAFile { .. } | Self::System { .. } => self,
        }
    }
}

/// What is wrong with a submission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmissionFault {
    /// There is nothing in the folder.
    #[error("the folder is empty: put {HOMEWORK_NAMES} into it")]
    EmptyFolder,
    /// Files, but none with the name of a program.
    #[error("no program found: expected {HOMEWORK_NAMES}, found {}", shown::names(.found))]
    NoProgram {
        /// What the folder holds, at most ten names.
        found: Vec<String>,
    },
    /// The name of a program but for its letter case.
    #[error("{} has the wrong letter case: rename it to `{expected}`", shown::name(.found))]
    WrongCase {
        /// The file's name.
        found: String,
        /// What it should be called.
        expected: String,
    },
    /// More than one program for the same purpose.
    #[error("which one is to be run: {}? keep one of them", shown::names(.found))]
    SeveralPrograms {
        /// Their names.
        found: Vec<String>,
    },
    /// More than one subfolder that holds a program, and none beside them.
    #[error("several folders hold a program: {}; name one of them, or keep one", shown::names(.found))]
    SeveralFolders {
        /// Their names.
        found: Vec<String>,
    },
    /// A link in the place of a program: what it points to may differ from machine to machine.
    #[error("{} is a link: put the file itself into the folder", shown::name(.file))]
    Link {
        /// The file's name.
        file: String,
    },
    /// Something else than a file in the place of a program.
    #[error("{} is {found}, not a file: put the program's source there", shown::name(.file))]
    NotAFile {
        /// The file's name.
        file: String,
        /// What it is, in words.
        found: &'static str,
    },
    /// More files, more bytes or deeper folders than any homework has.
    #[error("the submission has more than {limit}: hand in the sources and their data alone")]
    TooLarge {
        /// The limit that was passed, in words.
        limit: String,
    },
    /// A file that may not be read.
    #[error("{} cannot be read: {error}", shown::name(.file))]
    Unreadable {
        /// Its name within the submission.
        file: String,
        /// What the system said.
        error: String,
    },
    /// A program that cannot be built.
    #[error("{} cannot be built: {fault}", shown::name(.file))]
    Build {
        /// The program's source.
        file: String,
        /// Why.
        fault: BuildFault,
    },
}

/// Why a program cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildFault {
    /// The compiler refused it.
    #[error("`{compiler}` refused it, and said:\n{output}")]
    Refused {
        /// The compiler's name without its folder.
        compiler: String,
        /// The beginning of what it said, at most 4 KiB, escaped.
        output: String,
    },
    /// The compiler did not end in time.
    #[error("`{compiler}` had not finished after {limit} s and was stopped: simplify the source, or allow more time")]
    TooSlow {
        /// The compiler's name without its folder.
        compiler: String,
        /// The limit.
        limit: WallTime,
    },
    /// The compiler wrote messages or products without end.
    #[error("`{compiler}` wrote more than {limit_mib} MiB of messages and was stopped: mend the first error")]
    TooLoud {
        /// The compiler's name without its folder.
        compiler: String,
        /// The limit in MiB.
        limit_mib: u64,
    },
    /// A Java class that is not where `java` looks for it.
    #[error("it holds no class `{class}`: call the class with `main` exactly like the file")]
    NoSuchClass {
        /// The class that is run.
        class: String,
    },
    /// A Java class in a package.
    #[error("its class is in the package `{package}`: remove the line `package {package};`")]
    InPackage {
        /// The package, with dots.
        package: String,
    },
}
