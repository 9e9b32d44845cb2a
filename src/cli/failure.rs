//! Why a command failed, with its exit code. Every command returns it; only the user's and the machine's faults and our
//! bugs are here, never an agent's.

use std::fmt::Display;
use std::path::Path;

use super::remedy::with_remedy;
use crate::runs::RunFailure;
use referee_records::RecordError;

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
    /// The reader of an export is gone: no error message.
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

    /// A file or directory that cannot be written.
    pub(super) fn unwritable(path: &Path, reason: impl Display) -> Self {
        Self::Write(format!("cannot write `{}`: {reason}", path.display()))
    }

    /// Files other than a run that cannot be written, with a remedy; other errors as they are.
    pub(super) fn or_write_elsewhere(error: RecordError, remedy: &str) -> Self {
        match error.unwritable_place() {
            Some(problem) => Self::Write(format!("{problem}; {remedy}")),
            None => error.into(),
        }
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
            RunFailure::Request(problem) => Self::Usage(with_remedy(problem)),
            RunFailure::Input(problem) => Self::Input(with_remedy(problem)),
            RunFailure::Machine(problem) => Self::Machine(with_remedy(problem)),
            RunFailure::Write(problem) => Self::Write(with_remedy(problem)),
            RunFailure::Bug(message) => Self::Bug(message),
        }
    }
}
