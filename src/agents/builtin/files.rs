//! A built-in agent as an agent program sees the world: three files in one directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{BuiltinAgent, BuiltinAnswerError, BuiltinReply, answer};
use crate::games::GameId;

/// Why a built-in agent has not answered.
#[derive(Debug, thiserror::Error)]
pub enum BuiltinRunError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`: {error}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// There is no answer to the input.
    #[error("`{}`: {fault}", path.display())]
    NoAnswer {
        /// The input file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        fault: BuiltinAnswerError,
    },
}

/// Plays one turn in `directory`: reads `input.txt` and, if it is there, `playdata.txt`; writes `output.txt` and
/// `playdata.txt`. The parameters are those of [`answer`].
///
/// # Errors
///
/// [`BuiltinRunError`] with the file that cannot be read, understood or written.
pub fn run_in(directory: &Path, agent: &BuiltinAgent, seed: u64, game: Option<GameId>) -> Result<(), BuiltinRunError> {
    let path = directory.join("input.txt");
    let input = match fs::read(&path) {
        Ok(input) => input,
        Err(error) => return Err(BuiltinRunError::Read { path, error }),
    };
    // Whatever keeps it from being read, the game goes on from turn 0: there is always a legal move to answer with.
    let playdata = fs::read_to_string(directory.join("playdata.txt")).ok();
    let BuiltinReply { output, playdata } = answer(agent, seed, &input, game, playdata.as_deref())
        .map_err(|fault| BuiltinRunError::NoAnswer { path, fault })?;
    write(directory.join("playdata.txt"), &playdata)?;
    write(directory.join("output.txt"), &output)
}

fn write(path: PathBuf, text: &str) -> Result<(), BuiltinRunError> {
    fs::write(&path, text).map_err(|error| BuiltinRunError::Write { path, error })
}
