//! What stops a command, and the exit status that says so.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use super::output::note;
use crate::agents::AgentError;
use crate::messages::plain;
use crate::records::RecordError;
use crate::shards::{AgentPoolError, ShardError};
use crate::tournament::RunError;

/// Why a command could not be carried out.
#[derive(Debug)]
pub(super) enum Failure {
    /// Everything was done but for what was void again and again: 1.
    SetAside(String),
    /// The command line asks for something impossible: 2.
    Usage(String),
    /// A file that the user named is not what it should be: 3.
    Input(String),
    /// This machine cannot do what was asked: 4.
    Machine(String),
    /// Results could not be written: 5.
    Write(String),
    /// This program has a bug: 70.
    Bug(String),
    /// Whoever reads standard output has gone away: nothing to complain of.
    ReaderGone,
    /// A part of a run was told to stop, as batch systems do, and games are left: 75, `EX_TEMPFAIL` of sysexits(3).
    Stopped(String),
    /// The user interrupted, and is told how to go on: 130.
    Interrupted(String),
}

impl Failure {
    /// A file that cannot be read, or cannot be understood.
    pub(super) fn input(path: &Path, reason: impl Display) -> Self {
        Self::Input(format!("`{}`: {reason}", path.display()))
    }

    /// What there is to tell the user.
    pub(super) fn message(&self) -> &str {
        match self {
            Self::SetAside(message)
            | Self::Usage(message)
            | Self::Input(message)
            | Self::Machine(message)
            | Self::Write(message)
            | Self::Bug(message)
            | Self::Stopped(message)
            | Self::Interrupted(message) => message,
            Self::ReaderGone => "nobody reads standard output any more",
        }
    }

    /// Tells the user and gives the exit status.
    pub(super) fn report(self) -> ExitCode {
        let (status, message) = match self {
            Self::SetAside(message) => (1, message),
            Self::Usage(message) => (2, message),
            Self::Input(message) => (3, message),
            Self::Machine(message) => (4, message),
            Self::Write(message) => (5, message),
            Self::Bug(message) => (70, message),
            Self::ReaderGone => return ExitCode::SUCCESS,
            Self::Stopped(message) => (75, message),
            Self::Interrupted(message) => (130, message),
        };
        note(&format!("referee: {message}"));
        ExitCode::from(status)
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Write { .. } => Self::Write(error.to_string()),
            RecordError::Read { .. } | RecordError::NotARecord { .. } | RecordError::NewerSchema { .. } => {
                Self::Input(error.to_string())
            }
            RecordError::OtherRun { .. } => Self::Usage(error.to_string()),
        }
    }
}

impl From<AgentError> for Failure {
    fn from(error: AgentError) -> Self {
        let message = error.to_string();
        match error {
            AgentError::MissingTool { .. } | AgentError::System { .. } => Self::Machine(message),
            AgentError::Builtin(_) => Self::Usage(message),
            AgentError::NotFound { .. }
            | AgentError::NotExecutable { .. }
            | AgentError::NotAFile { .. }
            | AgentError::Provided { .. }
            | AgentError::Changed { .. }
            | AgentError::Submission { .. } => Self::Input(message),
        }
    }
}

impl From<ShardError> for Failure {
    fn from(error: ShardError) -> Self {
        match error {
            ShardError::Run(error) => error.into(),
            ShardError::Roster(AgentPoolError::Record(error)) => error.into(),
            ShardError::Roster(AgentPoolError::Unknown(_)) => Self::Input(plain(&error.to_string())),
            ShardError::Roster(AgentPoolError::Agent { .. } | AgentPoolError::Seat { .. }) => {
                Self::Machine(plain(&error.to_string()))
            }
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Record(error) => error.into(),
            RunError::Machine { .. } => Self::Machine(plain(&error.to_string())),
            RunError::Task(_) => Self::Bug(error.to_string()),
        }
    }
}
