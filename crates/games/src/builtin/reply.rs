//! What a built-in agent reads and writes in a turn, or why it cannot.

use super::BuiltinAgent;
use crate::protocol::InputError;

/// A turn of a built-in agent; see [`answer`](super::answer()).
#[derive(Clone, Copy, Debug)]
pub struct BuiltinTurn<'a> {
    /// The agent.
    pub agent: &'a BuiltinAgent,
    /// What determines its choices, unless it has its own seed.
    pub seed: u64,
    /// The text of `input.txt`.
    pub input: &'a [u8],
    /// What it wrote on its last turn of this game.
    pub playdata: Option<&'a str>,
}

/// The output of a built-in agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltinReply {
    /// The whole `output.txt`.
    pub output: String,
    /// The whole `playdata.txt`.
    pub playdata: String,
}

/// Why an input has no answer: the fault of its author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuiltinAnswerError {
    /// No game has this input format.
    #[error("line 1: expected an input of {known}")]
    UnknownGame {
        /// The first lines and lengths of all games' inputs.
        known: String,
    },
    /// The input is not valid in its game.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The side to move has no legal move.
    #[error("the side to move has no legal move, so no agent runs")]
    NoMove,
    /// The agent belongs to another game.
    #[error("`{agent}` does not play {game}")]
    OtherGame {
        /// The agent's name.
        agent: &'static str,
        /// The game.
        game: &'static str,
    },
}
