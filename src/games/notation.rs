//! Formats of other programs in which a game is exchanged.

use super::Side;

/// A format of one game that other programs read: PDN of checkers, SGF of Go.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// How it is written.
    pub form: NotationForm,
}

/// The name and the text of a tag.
pub type Tag = (&'static str, String);

/// How a notation is written.
#[derive(Clone, Copy, Debug)]
pub enum NotationForm {
    /// In the manner of PGN: tags, numbered moves, the end.
    Tagged {
        /// Tags beyond those that every game has, for a game that began with this board and side.
        tags: fn(&[String], Side) -> Vec<Tag>,
        /// A move as the notation has it.
        mv: fn(&str) -> String,
        /// What ends the moves.
        end: &'static str,
    },
    /// In its own manner.
    Whole(fn(&Transcript<'_>) -> String),
}

/// A finished game, as far as other programs want to know it.
///
/// Names come from strangers: a format has to escape them.
#[derive(Clone, Debug)]
pub struct Transcript<'a> {
    /// The name of the run.
    pub event: &'a str,
    /// The name of the game within its run.
    pub id: &'a str,
    /// The day in UTC, `YYYY.MM.DD`.
    pub date: String,
    /// The players' names, by [`Side::index`].
    pub players: [&'a str; 2],
    /// Who has won; `None` for a draw.
    pub winner: Option<Side>,
    /// How it ended, in a word.
    pub how: String,
    /// The winner's lead in points, where scores decided.
    pub lead: Option<super::Score>,
    /// The board that it began with, as [`GameState::setup`](super::GameState::setup) drew it.
    pub start: &'a [String],
    /// Who had the first turn.
    pub first: Side,
    /// Every move, as `output.txt` has it; `None` for a pass by the rules and for an answer that was no move.
    pub moves: Vec<(Side, Option<&'a str>)>,
}
