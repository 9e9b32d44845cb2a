//! What can go wrong with records on disk. Plain errors; this crate returns them, and commands show them.

use std::io;
use std::path::PathBuf;

use super::SCHEMA;
use referee_games::RulesUnavailable;
use referee_games::protocol::plain;

/// Whether a disk is full, or what its user may write on it.
fn is_full_disk(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Why something was not written, and what helps where the disk is full. Nothing else does, not another path.
fn unwritten(error: &io::Error) -> String {
    if is_full_disk(error) {
        "the disk is full: free some space and rerun the same command".to_owned()
    } else {
        error.to_string()
    }
}

/// An error with records on disk.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Something could not be written.
    #[error("cannot write `{}`: {} (finished games are kept)", path.display(), unwritten(source))]
    Write {
        /// The path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Something could not be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not a record.
    #[error(
        "`{}` is not a record of this program: {reason} (remove the file to play its game again)",
        path.display()
    )]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// The reason, with line and column where helpful.
        reason: String,
    },
    /// The rules of the file's game cannot be used. Nothing is wrong with the file.
    #[error(
        "cannot read `{}` without the rules of its game: {}; nothing is wrong with the records: keep them",
        path.display(),
        plain(&unavailable.to_string())
    )]
    Rules {
        /// The file.
        path: PathBuf,
        /// Why the rules cannot be used.
        unavailable: RulesUnavailable,
    },
    /// A file is from a newer version of this program.
    #[error("`{}` has schema {found}, this program reads up to schema {SCHEMA}: use a newer `referee`", path.display())]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u64,
    },
    /// The folder contains another run.
    #[error("`{}` contains another run: {difference}", path.display())]
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// The difference, in words.
        difference: String,
    },
}

impl RecordError {
    /// What could not be written, and why; `None` where another place would not help, such as on a full disk.
    pub fn unwritable_place(&self) -> Option<String> {
        let Self::Write { path, source } = self else { return None };
        let path = plain(&path.display().to_string());
        (!is_full_disk(source)).then(|| format!("cannot write `{path}`: {source}"))
    }
}
