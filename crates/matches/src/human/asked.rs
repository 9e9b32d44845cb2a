//! The question to a person: a position of any game, to show, pick in and answer. It judges nothing; terminals and
//! pages show it.

use super::notation::{self, TypedMove};
use referee_games::protocol::InputError;
use referee_games::{GameRef, Picking, Side, State, moved_squares};

/// A position in which a person is to move.
///
/// ```
/// use referee_games::{Position, checkers::Checkers};
/// use referee_matches::human::{PersonTurn, TypedMove};
///
/// let asked = PersonTurn::of(Checkers::start(()));
/// let picking = asked.picking(&["c".to_owned()]);
/// assert_eq!(picking, None);
/// let answer = TypedMove::Answer("E b6 a5".to_owned());
/// assert_eq!([asked.read("E b6 a5"), asked.read("b6 a5")], [answer.clone(), answer]);
/// assert_eq!(asked.moves().len(), 7);
/// ```
#[derive(Clone, Debug)]
pub struct PersonTurn(State);

impl PersonTurn {
    /// The question in the input of a turn.
    ///
    /// # Errors
    ///
    /// [`InputError`] if the text is no input of the game.
    pub fn by_input(game: GameRef, input: &str) -> Result<Self, InputError> {
        Ok(Self(game.read_input(input.as_bytes())?.position))
    }

    /// The question in `position`.
    pub fn of(position: impl Into<State>) -> Self {
        Self(position.into())
    }

    /// The game and its rule set.
    pub fn game(&self) -> GameRef {
        self.0.game()
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.0.side_to_move()
    }

    /// The board, top row first.
    pub fn rows(&self) -> Vec<String> {
        self.0.rows()
    }

    /// What stands beside the board.
    pub fn notes(&self) -> String {
        self.0.notes()
    }

    /// The state after picking these squares; `None` if no legal move begins with them.
    pub fn picking(&self, picked: &[String]) -> Option<Picking> {
        self.0.picking(picked)
    }

    /// Parses a typed line.
    pub fn read(&self, line: &str) -> TypedMove {
        notation::read(&self.0, line)
    }

    /// Every legal move by its squares, as it can be typed.
    pub fn moves(&self) -> Vec<String> {
        let moves = self.0.moves().into_iter();
        moves.map(|mv| moved_squares(&mv).join(" ")).collect()
    }
}
