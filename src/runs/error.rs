//! Why a run could not be opened, prepared or played, and by whose fault. An agent's fault is never among them: it is
//! in the records.

use std::fmt::Display;
use std::path::Path;

use crate::agents::AgentError;
use crate::assignment::AssignmentErrors;
use crate::intake::IntakeError;
use crate::messages::plain;
use crate::records::RecordError;
use crate::tournament::RunError;

/// Why a run could not be opened, prepared or played. Each has a text for the user, with a remedy; remedies name the
/// options of the command line.
#[derive(Debug, thiserror::Error)]
pub enum RunFailure {
    /// The user's: the request contradicts itself, or the run in its folder.
    #[error("{0}")]
    Request(String),
    /// The user's: a named file is invalid.
    #[error("{0}")]
    Input(String),
    /// The machine cannot do it.
    #[error("{0}")]
    Machine(String),
    /// The machine cannot write the results.
    #[error("{0}")]
    Write(String),
    /// Ours.
    #[error("{0}")]
    Bug(String),
}

impl RunFailure {
    /// An unreadable or invalid file.
    pub(super) fn input(path: &Path, reason: impl Display) -> Self {
        Self::Input(format!("`{}`: {reason}", path.display()))
    }

    /// The folder `out` contains a different run.
    pub(super) fn other_run(out: &Path, difference: impl Into<String>) -> Self {
        let (path, difference) = (out.to_owned(), difference.into());
        RecordError::OtherRun { path, difference }.into()
    }
}

impl From<AssignmentErrors> for RunFailure {
    fn from(errors: AssignmentErrors) -> Self {
        Self::Input(errors.to_string())
    }
}

impl From<IntakeError> for RunFailure {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::System { .. } => Self::Machine(error.to_string()),
            IntakeError::Class(_) | IntakeError::Archive { .. } | IntakeError::Roster { .. } => {
                Self::Input(error.to_string())
            }
        }
    }
}

impl From<RecordError> for RunFailure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Write { .. } => Self::Write(error.to_string()),
            RecordError::Read { .. } | RecordError::NotARecord { .. } | RecordError::NewerSchema { .. } => {
                Self::Input(error.to_string())
            }
            RecordError::OtherRun { .. } => Self::Request(error.to_string()),
        }
    }
}

impl From<AgentError> for RunFailure {
    fn from(error: AgentError) -> Self {
        let message = error.to_string();
        match error {
            AgentError::MissingTool { .. } | AgentError::System { .. } => Self::Machine(message),
            AgentError::Builtin(_) => Self::Request(message),
            AgentError::NotFound { .. }
            | AgentError::NotExecutable { .. }
            | AgentError::NotAFile { .. }
            | AgentError::Provided { .. }
            | AgentError::Changed { .. }
            | AgentError::Submission { .. } => Self::Input(message),
        }
    }
}

impl From<RunError> for RunFailure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Record(error) => error.into(),
            RunError::Machine { .. } => Self::Machine(plain(&error.to_string())),
            RunError::Rules { .. } => Self::Input(plain(&error.to_string())),
            RunError::Task(_) => Self::Bug(error.to_string()),
        }
    }
}
