//! What stops a command, and the exit status that says so.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use crate::records::RecordError;
use crate::tournament::RunError;

/// Why a command could not be carried out.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line asks for something impossible: 2.
    Usage(String),
    /// A file that the user named is not what it should be: 3.
    Input(String),
    /// This machine cannot do what was asked: 4.
    Machine(String),
    /// Results could not be written: 5.
    Write(String),
    /// The user interrupted, and is told how to go on: 130.
    Interrupted(String),
}

impl Failure {
    /// A file that cannot be read, or cannot be understood.
    pub(super) fn input(path: &Path, reason: impl Display) -> Self {
        Self::Input(format!("`{}`: {reason}", path.display()))
    }

    /// Tells the user and gives the exit status.
    pub(super) fn report(self) -> ExitCode {
        let (status, message) = match self {
            Self::Usage(message) => (2, message),
            Self::Input(message) => (3, message),
            Self::Machine(message) => (4, message),
            Self::Write(message) => (5, message),
            Self::Interrupted(message) => (130, message),
        };
        eprintln!("referee: {message}");
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

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Record(error) => error.into(),
            RunError::VoidTwice { .. } | RunError::Task(_) => Self::Machine(error.to_string()),
        }
    }
}
