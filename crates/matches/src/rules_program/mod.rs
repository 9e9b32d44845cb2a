//! Games whose rules are a separate program in any language, asked by JSON Lines over standard input and output.
//!
//! It has the protocol, the program's client, and the outer interface of a game ([`referee_games::Game`]).
//! `docs/custom-games.md` and `examples/rules/` are for authors. Rooms above reach it only through the
//! [`KnownGames`](referee_games::KnownGames) that [`known_games`] makes, and `cli`.
//!
//! The program is written by staff but reads agents' bytes, so it must run in a seat of its own. Its answers must be
//! checked and escaped before use. Its faults must make a game void and cost nobody a loss. Every question must contain
//! everything needed: a program that has died is restarted during a game, and nothing is lost.
//!
//! Files: `protocol` (messages), `program_files` (what belongs to one), `launch` (making a program), `build_cache`
//! (where builds are kept), `client` (the running one), `fault` (its failures), `python_error` (places in them),
//! `profile` (its description of the game), `game`, `state`, `status` and `interface` (the game for other modules),
//! `search` (built-in agents), `playouts` (positions), `replay` (whether rules fail at legal moves), `check` (laws),
//! `message_log` (all messages in a file), `new_game` (an example), `registry` (loaded programs).

mod build_cache;
mod check;
mod client;
mod fault;
mod game;
mod interface;
mod launch;
mod message_log;
mod new_game;
mod playouts;
mod profile;
mod program_files;
mod protocol;
mod python_error;
mod registry;
mod replay;
mod search;
mod state;
mod status;

pub use check::{GameCheck, LawResult, LawViolation, MetEnding, QuestionSpeed, check};
pub use fault::RulesFault;
pub use launch::likely_program;
pub use new_game::{NewGameError, NewGameLanguage, write_new_game};
pub use program_files::ProgramFiles;
pub use registry::known_games;

use referee_games::State;
use state::CustomState;

/// The position as one of a custom game, if it is one.
fn as_custom(state: &State) -> Option<&CustomState> {
    state.downcast()
}
