//! Runs a built-in agent like any agent program: three files in one directory, or questions and answers on two streams.
//! It chooses no move; [`answer`] does. `referee agent` calls it.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use referee_games::GameRef;
use referee_games::builtin::{BuiltinAgent, BuiltinAnswerError, BuiltinReply, answer};

/// Why a built-in agent did not answer.
#[derive(Debug, thiserror::Error)]
pub enum BuiltinRunError {
    /// A file cannot be read or written.
    #[error("cannot {action} `{}`: {error}", path.display())]
    File {
        /// What was tried: `read`, `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// Standard input or output failed.
    #[error("standard input or output: {0}")]
    Stream(#[from] io::Error),
    /// A question has no answer.
    #[error("{question}: {fault}")]
    NoAnswer {
        /// Where the question comes from.
        question: String,
        /// The fault of the question.
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
    let input = fs::read(&path).map_err(failed("read", &path))?;
    // If it cannot be read, the game continues from turn 0: there is always a legal move.
    let playdata = fs::read_to_string(directory.join("playdata.txt")).ok();
    let BuiltinReply { output, playdata } = answer(agent, seed, &input, game, playdata.as_deref())
        .map_err(|fault| BuiltinRunError::NoAnswer { question: format!("`{}`", path.display()), fault })?;
    let write = |path: PathBuf, text: &str| fs::write(&path, text).map_err(failed("write", &path));
    write(directory.join("playdata.txt"), &playdata)?;
    write(directory.join("output.txt"), &output)
}

/// Plays a whole game: answers every question of `input` on `output`, each with an empty line after it, until `input`
/// ends.
///
/// # Errors
///
/// `BuiltinRunError`, where a stream fails or a question has no answer.
pub fn run_builtin_alive(
    mut input: impl BufRead,
    mut output: impl Write,
    agent: &BuiltinAgent,
    seed: u64,
    game: Option<GameRef>,
) -> Result<(), BuiltinRunError> {
    let (mut question, mut playdata) = (Vec::new(), None);
    loop {
        let begins = question.len();
        let is_over = input.read_until(b'\n', &mut question)? == 0;
        if !question[begins..].trim_ascii().is_empty() {
            continue;
        }
        question.truncate(begins);
        if !question.is_empty() {
            let reply = answer(agent, seed, &question, game, playdata.as_deref());
            let reply =
                reply.map_err(|fault| BuiltinRunError::NoAnswer { question: "the question".to_owned(), fault })?;
            writeln!(output, "{}\n", reply.output.trim_end())?;
            output.flush()?;
            playdata = Some(reply.playdata);
            question.clear();
        }
        if is_over {
            return Ok(());
        }
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> BuiltinRunError {
    let path = path.to_owned();
    move |error| BuiltinRunError::File { action, path, error }
}
