//! Why a command failed, with its exit code. Every command returns it; only the user's and the machine's faults and our
//! bugs are here, never an agent's.

use std::fmt::Display;
use std::path::Path;

use crate::messages::plain;
use crate::runs::RunFailure;
use crate::shards::{AgentPoolError, ShardError};

/// Why a command could not be carried out.
#[derive(Debug)]
pub(super) enum Failure {
    /// Everything was done except repeated voids: 1.
    SetAside(String),
    /// The command line is invalid: 2.
    Usage(String),
    /// A file named by the user is invalid: 3.
    Input(String),
    /// This machine cannot do it: 4.
    Machine(String),
    /// Results could not be written: 5.
    Write(String),
    /// This program has a bug: 70.
    Bug(String),
    /// The reader of standard output is gone: no error message.
    ReaderGone,
    /// A shard was told to stop, as batch systems do, with games left: 75, `EX_TEMPFAIL` of sysexits(3).
    Stopped(String),
    /// The user interrupted; the message says how to resume: 130.
    Interrupted(String),
}

impl Failure {
    /// An unreadable or invalid file.
    pub(super) fn input(path: &Path, reason: impl Display) -> Self {
        Self::Input(format!("`{}`: {reason}", path.display()))
    }

    /// The message for the user.
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
            Self::ReaderGone => "stdout was closed",
        }
    }
}

impl<E: Into<RunFailure>> From<E> for Failure {
    fn from(error: E) -> Self {
        match error.into() {
            RunFailure::Request(message) => Self::Usage(message),
            RunFailure::Input(message) => Self::Input(message),
            RunFailure::Machine(message) => Self::Machine(message),
            RunFailure::Write(message) => Self::Write(message),
            RunFailure::Bug(message) => Self::Bug(message),
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
