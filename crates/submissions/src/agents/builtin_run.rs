//! Runs a built-in agent like any agent program: three files in one directory. It chooses no move; [`answer`]
//! does. `referee agent` calls it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use referee_games::GameRef;
use referee_games::builtin::{BuiltinAgent, BuiltinAnswerError, BuiltinReply, answer};

/// Why a built-in agent did not answer.
#[derive(Debug, thiserror::Error)]
pub enum BuiltinRunError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// The input has no answer.
    #[error("`{}`: {fault}", path.display())]
    NoAnswer {
        /// The input file.
        path: PathBuf,
        /// The fault of the input.
        #[source]
        fault: BuiltinAnswerError,
    },
}

/// Plays one turn in `directory`: reads `input.txt` and, if it is there, `playdata.txt`; writes `output.txt` and
/// `playdata.txt`. The parameters are those of [`answer`].
///
/// # Errors
///
/// `BuiltinRunError` with the file that cannot be read, parsed or written.
pub fn run_builtin(
    directory: &Path,
    agent: &BuiltinAgent,
    seed: u64,
    game: Option<GameRef>,
) -> Result<(), BuiltinRunError> {
    let path = directory.join("input.txt");
    let input = match fs::read(&path) {
        Ok(input) => input,
        Err(error) => return Err(BuiltinRunError::Read { path, error }),
    };
    // If it cannot be read, the game continues from turn 0: there is always a legal move.
    let playdata = fs::read_to_string(directory.join("playdata.txt")).ok();
    let BuiltinReply { output, playdata } = answer(agent, seed, &input, game, playdata.as_deref())
        .map_err(|fault| BuiltinRunError::NoAnswer { path, fault })?;
    write(directory.join("playdata.txt"), &playdata)?;
    write(directory.join("output.txt"), &output)
}

fn write(path: PathBuf, text: &str) -> Result<(), BuiltinRunError> {
    fs::write(&path, text).map_err(|error| BuiltinRunError::Write { path, error })
}
