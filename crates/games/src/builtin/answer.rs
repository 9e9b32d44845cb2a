//! The answer of a built-in agent to a text of any game.

use super::{BuiltinAgent, BuiltinAnswerError, BuiltinReply, BuiltinTurn};
use crate::GameRef;
use crate::protocol::input::Alternatives;

/// Plays one turn: the answer of `agent` to the text of an `input.txt`.
///
/// - `seed` determines the choices, unless the agent has its own seed;
/// - `game` is the game of the input; if not given, it is detected (Halma then with its default rules);
/// - `playdata` is the `playdata.txt` that the agent wrote on its last turn of this game, if any; an invalid text
///   counts as none.
///
/// ```
/// use referee_games::builtin::{BuiltinAgent, answer};
/// use referee_games::{Position, othello::DuoOthello};
/// use referee_games::protocol::{InputPurpose, Texts, TimeLeft, Tolerance};
/// use referee_time::CpuTime;
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
    let game = game
        .or_else(|| GameRef::detect(input))
        .ok_or_else(|| BuiltinAnswerError::UnknownGame { known: known_inputs() })?;
    game.answer(BuiltinTurn { agent, seed, input, playdata })
}

/// A description of the first lines and lengths of all games' inputs.
fn known_inputs() -> String {
    let games = GameRef::all().map(|game| {
        let (title, form) = (game.profile().title, game.profile().input);
        format!("{title} ({}, {} lines)", Alternatives(form.first_line), form.lines)
    });
    games.collect::<Vec<_>>().join(", ")
}
