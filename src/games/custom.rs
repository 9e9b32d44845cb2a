//! The hook for games with a rules program. Names and records of games call it.
//!
//! This room does no I/O: the registered [`RulesLoader`] finds and asks such programs. Without one, only the built-in
//! games exist.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::GameRef;

/// A requested rules program.
#[derive(Clone, Debug)]
pub enum RulesWanted<'a> {
    /// The one at this path.
    At(&'a Path),
    /// The one that judged a recorded game.
    Recorded {
        /// The name of its game.
        game: String,
        /// The digest of its files.
        digest: String,
    },
    /// The one that a run keeps in this folder.
    Kept(&'a Path),
    /// The one of a game of this name that this process has loaded.
    Loaded(&'a str),
    /// The one that [`RulesProgram::attachment`](super::RulesProgram::attachment) describes.
    Attached(&'a str),
}

/// Why a rules program cannot be used, with the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesUnavailable {
    /// This machine cannot run it: a tool is missing, or the system fails.
    #[error("{0}")]
    Machine(String),
    /// Its files are missing or faulty.
    #[error("{0}")]
    Program(String),
}

/// Finds a rules program, starts it and makes a game of it that lives as long as this process.
pub type RulesLoader = fn(&RulesWanted<'_>) -> Result<GameRef, RulesUnavailable>;

static LOADER: OnceLock<RulesLoader> = OnceLock::new();

/// Folders of runs that have been opened, the last one first.
static RUN_FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The most folders that are remembered.
const MAX_FOLDERS: usize = 100;

/// The name of the folder in which a run keeps the rules program of its game, within a folder named by its digest.
pub const RULES_FOLDER: &str = "rules";

/// Makes rules programs known to this process. Only the first call counts.
pub fn register_rules_loader(loader: RulesLoader) {
    let _ = LOADER.set(loader);
}

/// The game of a rules program.
///
/// # Errors
///
/// [`RulesUnavailable`] with what is wrong and what to do.
pub fn load_rules(wanted: &RulesWanted<'_>) -> Result<GameRef, RulesUnavailable> {
    let loader =
        LOADER.get().ok_or_else(|| RulesUnavailable::Program("rules programs cannot be used here".to_owned()))?;
    loader(wanted)
}

/// Remembers that records in `run` are about to be read, whose rules are kept there.
pub fn remember_run_folder(run: &Path) {
    let mut folders = RUN_FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if folders.first().is_none_or(|first| first != run) {
        folders.retain(|folder| folder != run);
        folders.insert(0, run.to_owned());
        folders.truncate(MAX_FOLDERS);
    }
}

/// The folders that were remembered, the last one first.
pub fn run_folders() -> Vec<PathBuf> {
    RUN_FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
