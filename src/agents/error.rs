//! Why an agent cannot be made ready, and whose fault it is.

use std::io;
use std::path::{Path, PathBuf};

use super::builtin::BuiltinSpecError;
use super::fault::SubmissionFault;
use super::shown;
use super::toolchain::MissingTool;
use crate::protocol::Finding;

/// Why what a user named is not a runnable agent. The text says what was tried, on which file, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The user named something that does not exist.
    #[error(
        "there is no file and no folder {}: name the folder of a submission, a source file, an executable or \
         `builtin:random`",
        shown::path(.path)
    )]
    NotFound {
        /// What was named.
        path: PathBuf,
    },
    /// The user named a built-in agent that does not play the game.
    #[error(transparent)]
    Builtin(#[from] BuiltinSpecError),
    /// The user named a file that is neither a source nor executable.
    #[error(
        "{0} is neither a `.py`, `.cpp` or `.java` source nor executable: if it is a program, allow it to run with \
         `chmod +x {1}`",
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
    /// The files that the course provides cannot be used.
    #[error("the files that the course provides in {} cannot be used: {problem}", shown::path(.path))]
    Provided {
        /// The folder that they should be in.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// What was kept of an agent is not what it was made of.
    #[error("{} is not what the agent was made of when it was entered: {}", shown::path(.path), .difference)]
    Changed {
        /// Where it is kept.
        path: PathBuf,
        /// What is wrong, and what to do.
        difference: &'static str,
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
            | Self::Builtin(_)
            | Self::NotAFile { .. }
            | Self::MissingTool { .. }
            | Self::Provided { .. }
            | Self::Changed { .. }
            | Self::System { .. } => false,
        }
    }

    /// What is wrong with the submission, for a gradebook; `None` where it is not the submission's fault.
    pub fn finding(&self) -> Option<Finding> {
        match self {
            Self::Submission { fault, .. } => Some(fault.finding()),
            Self::NotFound { .. }
            | Self::NotExecutable { .. }
            | Self::Builtin(_)
            | Self::NotAFile { .. }
            | Self::MissingTool { .. }
            | Self::Provided { .. }
            | Self::Changed { .. }
            | Self::System { .. } => None,
        }
    }

    /// A fault of the submission at `path`.
    pub(super) fn of_submission(path: &Path, fault: SubmissionFault) -> Self {
        Self::Submission {
            path: path.to_owned(),
            fault,
        }
    }

    /// The same error with the place that the user knows instead of that of a copy.
    pub(super) fn said_of(self, folder: &Path) -> Self {
        let path = folder.to_owned();
        match self {
            Self::Submission { fault, .. } => Self::Submission { path, fault },
            Self::MissingTool { tool, .. } => Self::MissingTool { path, tool },
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

/// A system's refusal to do `action` on `path`.
pub(super) fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> AgentError {
    move |error| AgentError::System {
        action,
        path: path.to_owned(),
        error,
    }
}
