//! A game as the rest of the program sees it.

use super::{BoardError, Profile, Puzzles, RulesProgram, Side, State};
use crate::agents::builtin::{BuiltinAgent, BuiltinAnswerError, BuiltinReply};
use crate::positions::{ListedKind, MadePosition, PositionsError, PositionsRequest};
use crate::protocol::{Input, InputError};

/// A game by one variant of its rules.
///
/// Nothing in it asks for a Rust type of the game, so that rules which are a program of their own can be one, too.
pub trait Game: Send + Sync {
    /// What the game is like.
    fn profile(&self) -> &'static Profile;

    /// The name of the variant; `None` where there is one set of rules.
    fn rules(&self) -> Option<&'static str>;

    /// The position that a game begins with, the side with the first move to move.
    fn start(&self) -> State;

    /// The position that is drawn in `rows`, top row first, as [`GameState::setup`](super::GameState::setup) draws it,
    /// with `side` to move.
    ///
    /// # Errors
    ///
    /// [`BoardError`] where the drawing has another size, a foreign letter, or pieces that cannot stand so.
    fn read_board(&self, rows: &[&[u8]], side: Side) -> Result<State, BoardError>;

    /// Reads a whole `input.txt`.
    ///
    /// # Errors
    ///
    /// [`InputError`] with the line at fault and what was expected there.
    fn read_input(&self, text: &[u8]) -> Result<Input<State>, InputError>;

    /// The answer of a built-in agent to the text of an `input.txt`; see [`answer`](crate::agents::builtin::answer()).
    ///
    /// # Errors
    ///
    /// [`BuiltinAnswerError`] where the text is not an input in which the side to move has a legal move.
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

    /// What the game has where its assignment asks questions that have one right answer each.
    fn puzzles(&self) -> Option<&'static Puzzles> {
        None
    }

    /// The reference agents that this game has of its own.
    fn own_agents(&self) -> Vec<ListedKind> {
        Vec::new()
    }

    /// The kinds of positions worth asking for.
    fn kinds(&self) -> Vec<ListedKind>;

    /// Positions as `request` asks for them.
    ///
    /// # Errors
    ///
    /// [`PositionsError`] where a kind is not known or not met.
    fn positions(&self, request: &PositionsRequest) -> Result<Vec<MadePosition>, PositionsError>;
}
