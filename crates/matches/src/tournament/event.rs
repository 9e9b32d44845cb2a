//! What happens in a run, and why one cannot go on. Runner and shards report it; the command line shows it.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use crate::referee::GameSnapshot;
use referee_records::{AnswerRecord, AnswerRequest, GameRecord, Pairing, RecordError};

/// An event of a run.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// A game has begun.
    GameBegan(Pairing),
    /// The position of the game of this name is now this one: when it begins, and after each turn.
    PositionChanged(Arc<str>, Arc<GameSnapshot>),
    /// A game is finished and on disk.
    GameFinished(Box<GameRecord>),
    /// The game of this name is finished, but another process finished it first: that result stays.
    Superseded {
        /// The name.
        id: String,
    },
    /// An agent was asked a question.
    Asked(AnswerRequest),
    /// A question was answered, and the answer is on disk.
    Answered(Box<AnswerRecord>),
    /// The game or answer of this name was void: it failed through nobody's fault.
    Voided {
        /// The name.
        id: String,
        /// What failed.
        reason: String,
        /// When it is retried.
        retry: VoidRetry,
    },
}

/// When a void is retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VoidRetry {
    /// Immediately.
    Now,
    /// After everything else was tried.
    Later,
    /// When the run is resumed.
    WhenResumed,
    /// Not at all: the rules of the run fail at the moves of this game.
    Never,
}

/// Why a run could not be finished. Finished games are kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game or an answer was void twice, and so is a game between built-in agents.
    #[error(
        "cannot play games on this machine: `{id}` was void twice ({reason}), and so was a test game between built-in \
         agents ({self_test}); run `referee doctor`"
    )]
    Machine {
        /// The game or the answer.
        id: String,
        /// The failure.
        reason: String,
        /// The failure of the test game.
        self_test: String,
    },
    /// The rules program of the game fails, also in a game between built-in agents.
    #[error(
        "cannot play this game: its rules failed {at} in `{id}`, and in a test game between built-in agents: {reason}"
    )]
    Rules {
        /// The game or the answer.
        id: String,
        /// How often it failed there, or at what.
        at: &'static str,
        /// The failure in the test game, with its remedy.
        reason: String,
    },
    /// Another program removed files of an agent while it played.
    #[error(
        "cannot continue: files of an agent were removed from `{folder}`, perhaps by a program that cleans up \
         temporary files; set `TMPDIR` to another directory and rerun the same command to resume"
    )]
    CopyRemoved {
        /// The folder.
        folder: PathBuf,
    },
    /// A record could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A program error of ours.
    #[error("game task failed: {0}")]
    Task(String),
}
