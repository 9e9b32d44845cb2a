//! The built-in agents: the random and minimax agents for grading, and the alpha-beta agent, which plays as well as it
//! can.
//!
//! They run as ordinary agent programs, in a seat, on a clock (`referee agent random`), and the referee treats them
//! like any other. This room chooses a move ([`answer`], a pure function) and reads and writes its files ([`run_in`]);
//! it keeps no clock and judges nothing.
//!
//! The same agent, seed, input and play data must give the same answer on every machine, and for the random and minimax
//! agents in every version. The only exception is the alpha-beta agent on its clock (without `nodes=`), whose depth
//! depends on the machine. The answer must be a legal move in the exact format, and a turn cheap enough that no game is
//! lost on time.
//!
//! `playdata.txt` counts the turns: without it, an agent that meets a position again would repeat its move, and two of
//! them might run in a circle. The alpha-beta agent also stores recent positions in it.

mod alphabeta;
mod chance;
mod evaluate;
mod files;
mod minimax;
mod pace;
mod playdata;
mod plays;
mod random;
mod spec;

pub use alphabeta::{SearchLimit, Searched, alphabeta, mixed};
pub use chance::TurnRng;
pub use evaluate::{Evaluate, WIN_VALUE};
pub use files::run_in;
pub use minimax::{best_moves, minimax, value};
pub use pace::depth_for;
pub use playdata::RecentPositions;
pub use plays::{OwnAgent, Plays};
pub use random::choose_random;
pub use spec::{BuiltinAgent, BuiltinSpecError, Depth};

use playdata::PlayData;

use crate::games::GameRef;
use crate::protocol::InputError;

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
    #[error("line 1: expected an input of {}", known_inputs())]
    UnknownGame,
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

/// A description of the first lines and lengths of all games' inputs.
fn known_inputs() -> String {
    let games = GameRef::all().map(|game| {
        let (title, form) = (game.profile().title, game.profile().input);
        let first: Vec<String> = form.first_line.iter().map(|word| format!("`{word}`")).collect();
        format!("{title} ({}, {} lines)", first.join(" or "), form.lines)
    });
    games.collect::<Vec<_>>().join(", ")
}

/// Plays one turn: the answer of `agent` to the text of an `input.txt`.
///
/// - `seed` determines the choices, unless the agent has its own seed;
/// - `game` is the game of the input; if not given, it is detected (Halma then with its default rules);
/// - `playdata` is the `playdata.txt` that the agent wrote on its last turn of this game, if any; an invalid text
///   counts as none.
///
/// ```
/// use referee::agents::builtin::{BuiltinAgent, answer};
/// use referee::games::{Position, othello::DuoOthello};
/// use referee::protocol::{InputPurpose, Texts, TimeLeft, Tolerance};
/// use referee::time::CpuTime;
///
/// let position = DuoOthello::start(());
/// let time = TimeLeft { own: CpuTime::from_secs(300), opponent: CpuTime::from_secs(300) };
/// let input = position.write_input(InputPurpose::Game, time);
///
/// let reply = answer(&"minimax".parse()?, 7, input.as_bytes(), None, None)?;
/// assert!(position.read_output(reply.output.as_bytes(), Tolerance::Exact).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`BuiltinAnswerError`] if the text is not an input in which the side to move has a legal move.
pub fn answer(
    agent: &BuiltinAgent,
    seed: u64,
    input: &[u8],
    game: Option<GameRef>,
    playdata: Option<&str>,
) -> Result<BuiltinReply, BuiltinAnswerError> {
    let game = game.or_else(|| GameRef::detect(input)).ok_or(BuiltinAnswerError::UnknownGame)?;
    game.answer(agent, seed, input, playdata)
}

/// Plays one turn of the game `P` by `rules`; see [`answer`].
///
/// # Errors
///
/// Those of [`answer`].
pub fn reply<P: Plays>(
    agent: &BuiltinAgent,
    seed: u64,
    input: &[u8],
    rules: P::Rules,
    playdata: Option<&str>,
) -> Result<BuiltinReply, BuiltinAnswerError> {
    let PlayData { turn, past } = playdata.and_then(PlayData::read).unwrap_or_default();
    let mut chance = TurnRng::new(agent.seed().unwrap_or(seed), turn);
    let (output, past) = P::output(agent, &mut chance, input, rules, turn, &past)?;
    let turn = turn.wrapping_add(1);
    Ok(BuiltinReply { output, playdata: PlayData { turn, past }.to_string() })
}
