//! The texts that the referee and an agent exchange.
//!
//! For: writing and reading `input.txt`, reading `output.txt` into a legal move or into a refusal that says where and
//! why. Deliberately not here: files, clocks, processes; every function takes and gives values.
//!
//! What must always hold: any bytes whatever are read into an answer or a refusal, never into a panic; reading what
//! was written is the identity; nothing of an agent's text enters a message unescaped.
//!
//! [`Game`] is a [`Position`] that can also be written and read. It is implemented once per game,
//! in the file that has the game's name.

mod checkers;
mod exact;
mod excerpt;
mod finding;
mod halma;
mod input;
mod lines;
mod othello;
mod plain;
mod plays;
mod respell;
mod star_circle;

pub use exact::compare;
pub use excerpt::{Excerpt, ExcerptLine};
pub use finding::{Finding, Place, Refusal, Tolerance, quote};
pub use input::{Input, InputFault, Purpose, TimeLeft, detect};
pub use lines::is_blank_text;
pub use plain::plain;
pub use star_circle::{ComparedLine, Comparison, compare_solution, read_question, write_question};

use crate::games::{GameId, Position, Side};
use crate::games::{checkers::Checkers, halma::Halma, othello::DuoOthello, star_circle::StarCircle};

/// What an agent answered, read and found legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move that the answer stands for.
    pub mv: M,
    /// The play as it was written, in the exact format and without a final LF. Where several plays make one move, as
    /// chains of Halma do, [`Game::write_move`] may write another.
    pub written: String,
    /// Each kind of tolerance used in reading it, with what an exact reading would have said, and every remark on the
    /// move. There is one warning of a kind, at the first place.
    pub warnings: Vec<Finding>,
}

/// A game that agents can play over files: its rules and its texts.
pub trait Game: Position {
    /// The game's name together with `rules`.
    fn id(rules: Self::Rules) -> GameId;

    /// The game's word for a side, as it stands in `input.txt`: `BLACK`, `X`, ...
    fn side_name(side: Side) -> &'static str;

    /// The whole `input.txt` for the side to move, with a LF after every line.
    fn write_input(&self, purpose: Purpose, time: TimeLeft) -> String;

    /// Reads a whole `input.txt`.
    ///
    /// # Errors
    ///
    /// [`InputFault`] with the line at fault and what was expected there.
    fn read_input(text: &[u8], rules: Self::Rules) -> Result<Input<Self>, InputFault>;

    /// The text of `output.txt` that stands for a legal move of this position, without a final LF; the jumps of a chain
    /// are on one line each.
    fn write_move(&self, mv: Self::Move) -> String;

    /// Reads `output.txt` as an answer in this position.
    ///
    /// # Errors
    ///
    /// [`Refusal`] that tells an empty text, a wrong format and an illegal move apart.
    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Self::Move>, Refusal>;
}

/// Something to be done with a game that is chosen at run time.
pub trait GameVisitor {
    /// What comes of it.
    type Output;

    /// Does it with the game `P` played by `rules`.
    fn visit<P: Game>(self, rules: P::Rules) -> Self::Output;
}

impl GameId {
    /// The one place where a name becomes a type: calls `visitor` with the game that `self` names.
    pub fn visit<V: GameVisitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Checkers => visitor.visit::<Checkers>(()),
            Self::Halma(rules) => visitor.visit::<Halma>(rules),
            Self::DuoOthello => visitor.visit::<DuoOthello>(()),
            Self::StarCircle => visitor.visit::<StarCircle>(()),
        }
    }
}
