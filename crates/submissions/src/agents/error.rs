//! Why an agent cannot be made, and whose fault it is: the submission's, the user's or this machine's. Plain errors;
//! [`super::AgentBuilder`] returns them, and commands and gradebooks show them.

use std::io;
use std::path::{Path, PathBuf};

use super::fault::SubmissionFault;
use super::shown;
use super::toolchain::{BrokenTool, MissingTool};
use referee_games::builtin::BuiltinSpecError;
use referee_games::protocol::Finding;

/// Why an argument is not a runnable agent. The text says what failed, on which file, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The path does not exist.
    #[error(
        "no such file or directory: {}; name a submission's directory, a source file, an executable or \
         `builtin:random`",
        shown::path(.path)
    )]
    NotFound {
        /// The path.
        path: PathBuf,
    },
    /// A built-in agent that does not play the game.
    #[error(transparent)]
    Builtin(#[from] BuiltinSpecError),
    /// A file that is neither a source nor executable.
    #[error(
        "{0} is neither a `.py`, `.cpp` or `.java` source nor executable: if it is a program, run `chmod +x {1}`",
        shown::path(.path), .path.display().to_string().escape_debug()
    )]
    NotExecutable {
        /// The path.
        path: PathBuf,
    },
    /// A device, a socket or a FIFO.
    #[error("{} is {found}: name a directory or a regular file", shown::path(.path))]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// A description of it.
        found: &'static str,
    },
    /// This machine lacks a compiler or an interpreter.
    #[error("cannot build {}: {tool}", shown::path(.path))]
    MissingTool {
        /// The source that needs the tool.
        path: PathBuf,
        /// The tool, and how to install it.
        tool: MissingTool,
    },
    /// A compiler or an interpreter fails on this machine for every program.
    #[error("cannot build {}: {broken}; run `referee doctor`", shown::path(.path))]
    BrokenTool {
        /// The source that needs the tool.
        path: PathBuf,
        /// The tool, and how it fails.
        broken: BrokenTool,
    },
    /// The submission is at fault.
    #[error("{}: {fault}", shown::path(.path))]
    Submission {
        /// The folder or the file of the submission.
        path: PathBuf,
        /// The fault.
        fault: SubmissionFault,
    },
    /// The files that the course provides are unusable.
    #[error("cannot use the course's files in {}: {problem}", shown::path(.path))]
    Provided {
        /// Their folder.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The stored sources of an agent were changed.
    #[error("{} differs from the files the agent was built from: {}", shown::path(.path), .difference)]
    Changed {
        /// Their path.
        path: PathBuf,
        /// The difference, and what to do.
        difference: &'static str,
    },
    /// A system error that says nothing about the submission.
    #[error("cannot {action} {}: {error}", shown::path(.path))]
    System {
        /// The failed action: `read`, `create`, `run`.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

impl AgentError {
    /// The submission's fault, which its author must fix, for a gradebook; `None` if the user or the administrator of
    /// this machine must act.
    pub fn finding(&self) -> Option<Finding> {
        if let Self::Submission { fault, .. } = self { Some(fault.finding()) } else { None }
    }

    /// A fault of the submission at `path`.
    pub(super) fn of_submission(path: &Path, fault: SubmissionFault) -> Self {
        Self::Submission { path: path.to_owned(), fault }
    }

    /// The same error, with the path that the user knows instead of that of a copy.
    pub(super) fn with_original_path(self, folder: &Path) -> Self {
        let path = folder.to_owned();
        match self {
            Self::Submission { fault, .. } => Self::Submission { path, fault },
            Self::MissingTool { tool, .. } => Self::MissingTool { path, tool },
            Self::BrokenTool { broken, .. } => Self::BrokenTool { path, broken },
            Self::NotFound { .. }
            | Self::NotExecutable { .. }
            | Self::Builtin(_)
            | Self::NotAFile { .. }
            | Self::Provided { .. }
            | Self::Changed { .. }
            | Self::System { .. } => self,
        }
    }
}

/// A system error of `action` on `path`.
pub(super) fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> AgentError {
    move |error| AgentError::System { action, path: path.to_owned(), error }
}
