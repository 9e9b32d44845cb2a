//! The interface of a game for the rest of the program. [`super::adapter`] implements it for built-in games, and rules
//! programs for others.

use super::{BoardError, Profile, Puzzles, RulesProgram, Side, State};
use crate::agents::builtin::{BuiltinAgent, BuiltinAnswerError, BuiltinReply};
use crate::positions::{ListedKind, MadePosition, PositionsError, PositionsRequest};
use crate::protocol::{Input, InputError};

/// A game in one variant of its rules.
///
/// It requires no Rust type of the game, so that external rules programs can implement it.
pub trait Game: Send + Sync {
    /// The profile of the game.
    fn profile(&self) -> &'static Profile;

    /// The name of the variant; `None` if there is only one.
    fn rules(&self) -> Option<&'static str>;

    /// The start position, with the side of the first turn to move.
    fn start(&self) -> State;

    /// The position drawn in `rows`, top row first, as [`GameState::setup`](super::GameState::setup) draws it, with
    /// `side` to move.
    ///
    /// # Errors
    ///
    /// [`BoardError`] for a wrong size, an unknown letter, or an impossible arrangement of pieces.
    fn read_board(&self, rows: &[&[u8]], side: Side) -> Result<State, BoardError>;

    /// Reads a whole `input.txt`.
    ///
    /// # Errors
    ///
    /// [`InputError`] with the line at fault and the expected content.
    fn read_input(&self, text: &[u8]) -> Result<Input<State>, InputError>;

    /// The answer of a built-in agent to the text of an `input.txt`; see [`answer`](crate::agents::builtin::answer()).
    ///
    /// # Errors
    ///
    /// [`BuiltinAnswerError`] if the text is not an input in which the side to move has a legal move.
    fn answer(
        &self,
        agent: &BuiltinAgent,
        seed: u64,
        input: &[u8],
        playdata: Option<&str>,
    ) -> Result<BuiltinReply, BuiltinAnswerError>;

    /// Where the rules come from, where they are a program of their own.
    fn rules_program(&self) -> Option<&'static RulesProgram> {
        None
    }

    /// The game's questions with one right answer, if its assignment asks such.
    fn puzzles(&self) -> Option<&'static Puzzles> {
        None
    }

    /// The reference agents of this game alone.
    fn own_agents(&self) -> Vec<ListedKind> {
        Vec::new()
    }

    /// The kinds of practice positions.
    fn kinds(&self) -> Vec<ListedKind>;

    /// The positions of `request`.
    ///
    /// # Errors
    ///
    /// [`PositionsError`] if a kind is unknown or was not found.
    fn positions(&self, request: &PositionsRequest) -> Result<Vec<MadePosition>, PositionsError>;
}
