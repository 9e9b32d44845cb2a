//! What a person is asked: a position of any game, to be looked at, picked in and answered.

use std::fmt;
use std::sync::Arc;

use super::notation::{self, Typed};
use super::picking::{self, Picking};
use crate::games::{GameId, Position, Side};
use crate::protocol::{Game, GameVisitor, InputFault};

/// A position in which a person is to move.
///
/// ```
/// use referee::games::{GameId, Position, checkers::Checkers};
/// use referee::human::{Asked, Typed};
///
/// let asked = Asked::of(&Checkers::start(()));
/// let picking = asked.picking(&["c".to_owned()]);
/// assert_eq!(picking, None);
/// let answer = Typed::Answer("E b6 a5".to_owned());
/// assert_eq!([asked.read("E b6 a5"), asked.read("b6 a5")], [answer.clone(), answer]);
/// assert_eq!(asked.moves().len(), 7);
/// ```
#[derive(Clone)]
pub struct Asked {
    game: GameId,
    side: Side,
    rows: Vec<String>,
    position: Arc<dyn Pickable>,
}

impl Asked {
    /// What the input of a turn asks.
    ///
    /// # Errors
    ///
    /// [`InputFault`] where the text is no input of the game.
    pub fn by_input(game: GameId, input: &str) -> Result<Self, InputFault> {
        game.visit(Reading(input.as_bytes()))
    }

    /// What `position` asks.
    pub fn of<P: Game>(position: &P) -> Self {
        Self {
            game: P::id(position.rules()),
            side: position.side_to_move(),
            rows: position.rows(),
            position: Arc::new(position.clone()),
        }
    }

    /// The game and its rule set.
    pub const fn game(&self) -> GameId {
        self.game
    }

    /// Who is to move.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The board, top row first.
    pub fn rows(&self) -> &[String] {
        &self.rows
    }

    /// Where a person stands who has picked these squares; `None` where they begin no legal move.
    pub fn picking(&self, picked: &[String]) -> Option<Picking> {
        self.position.picking(picked)
    }

    /// Reads a line that a person has typed.
    pub fn read(&self, line: &str) -> Typed {
        self.position.read(line)
    }

    /// Every legal move by its squares, as it can be typed.
    pub fn moves(&self) -> Vec<String> {
        self.position.moves()
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, side, rows, .. } = self;
        f.debug_struct("Asked")
            .field("game", game)
            .field("side", side)
            .field("rows", rows)
            .finish_non_exhaustive()
    }
}

/// A position, whatever its game.
trait Pickable: Send + Sync {
    fn picking(&self, picked: &[String]) -> Option<Picking>;
    fn read(&self, line: &str) -> Typed;
    fn moves(&self) -> Vec<String>;
}

impl<P: Game> Pickable for P {
    fn picking(&self, picked: &[String]) -> Option<Picking> {
        picking::picking(self, picked)
    }

    fn read(&self, line: &str) -> Typed {
        notation::read(self, line)
    }

    fn moves(&self) -> Vec<String> {
        let squares = |mv| notation::squares_of(&self.write_move(mv)).join(" ");
        Position::moves(self).into_iter().map(squares).collect()
    }
}

struct Reading<'a>(&'a [u8]);

impl GameVisitor for Reading<'_> {
    type Output = Result<Asked, InputFault>;

    fn visit<P: Game>(self, rules: P::Rules) -> Self::Output {
        Ok(Asked::of(&P::read_input(self.0, rules)?.position))
    }
}
