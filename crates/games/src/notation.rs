//! The interface of an exchange format of one game. `export` uses it; each game's file implements it.

use super::{Score, Side};

/// A format of one game for exchange with other programs: PDN for checkers, SGF for Go.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// Its name on the command line.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The structure of the format.
    pub form: NotationForm,
}

/// The name and the text of a tag.
pub type Tag = (&'static str, String);

/// The structure of a notation.
#[derive(Clone, Copy, Debug)]
pub enum NotationForm {
    /// Like PGN: tags, numbered moves, the end.
    Tagged {
        /// The additional tags of a game that began with this board and side.
        tags: fn(&[String], Side) -> Vec<Tag>,
        /// A move in the notation.
        mv: fn(&str) -> String,
        /// The end of the moves.
        end: &'static str,
    },
    /// Any other structure.
    Whole(fn(&Transcript<'_>) -> String),
}

/// Why a game is won, as far as exchange formats distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinKind {
    /// By score, with this lead.
    Lead(Score),
    /// The loser used too much time.
    Time,
    /// The loser has resigned.
    Resignation,
    /// The loser broke a rule of the competition: an illegal move, no answer, ...
    Forfeit,
    /// By another rule of the game.
    Rule,
}

/// A finished game, as far as other programs need it.
///
/// Names come from strangers: a format must escape them.
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
    /// Who has won, and why; `None` for a draw.
    pub won: Option<(Side, WinKind)>,
    /// The start board, as drawn by [`GameState::setup`](super::GameState::setup).
    pub start: &'a [String],
    /// The side of the first turn.
    pub first: Side,
    /// Every move as in `output.txt`; `None` for a forced pass and for an illegal answer.
    pub moves: Vec<(Side, Option<&'a str>)>,
}
