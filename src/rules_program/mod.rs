//! Games whose rules are a program of their own, in any language: asked by JSON Lines over its standard input and
//! output.
//!
//! For: the protocol, the program that is started once and asked, and the outer face of a game ([`crate::games::Game`])
//! that is made of its answers. Deliberately not here: what a rules program has to look like for its author
//! (`docs/custom-games.md`, `python/`).
//!
//! What must always hold: the program is the staff's, but it reads agents' bytes, so it runs in a seat of its own; what
//! it says is checked before it is used, and made printable; what it does wrong makes a game void and is nobody's loss.
//! Every question carries all that is to be known: a program that has died is started anew in mid-game, and nothing is
//! lost.
//!
//! Which file has what: `protocol` the messages, `launch` the making of a program, `client` the running one, `fault`
//! what it does wrong, `profile` what it says of its game, `game` and `state` the faces, `search` the built-in agents,
//! `playouts` positions, `check` the laws, `new_game` an
//! example, `registry` what is loaded.

mod check;
mod client;
mod fault;
mod game;
mod launch;
mod new_game;
mod playouts;
mod profile;
mod protocol;
mod registry;
mod search;
mod state;

pub use check::{Contradiction, GameCheck, LawResult, QuestionSpeed, check};
pub use client::QUESTION_LIMIT;
pub use fault::RulesFault;
pub use launch::use_keeper;
pub use new_game::{NewGameError, NewGameLanguage, write_new_game};
pub use protocol::PROTOCOL;
pub use registry::{first_fault, load};

use crate::games::State;
use state::CustomState;

/// The position as one of a custom game, if it is one.
fn as_custom(state: &State) -> Option<&CustomState> {
    state.downcast()
}

/// Whether the rules have answered all that they were asked about this position.
fn unbroken(state: &State) -> Result<(), String> {
    state.breakdown().map_or(Ok(()), Err)
}
