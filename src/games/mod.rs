//! The rules: positions, legal moves, and the end of a game as the board shows it.
//!
//! For: everything that can be said of a position without knowing who plays, how long it took or what was
//! played before. Deliberately not here: texts and notations ([`crate::protocol`]), clocks, repetition,
//! the count of idle turns and the turn limit ([`crate::referee`]), and any I/O or randomness.
//!
//! What must always hold: a move is legal exactly if [`Position::for_each_move`] visits it; `play_unchecked` of a
//! legal move and `pass` of a side that must pass keep every invariant of the position.
//!
//! One folder a game. Each implements [`Position`], statically, for speed; a choice of the game at run time
//! ([`GameId`]) becomes a type in one place, [`GameId::visit`].

mod diagram;
mod id;
mod perft;
mod play;

pub mod checkers;
pub mod halma;
pub mod othello;
pub mod star_circle;

use std::fmt::Debug;
use std::hash::Hash;

pub use diagram::BoardFault;
pub use id::{GameId, UnknownGame};
pub use perft::{GREATEST_PERFT_DEPTH, divide, perft};
pub use play::{Hop, IllegalPlay, Play};
use serde::{Deserialize, Serialize};

/// One of the two players, by the colour of the pieces.
///
/// Every game has its own words for the colours (`X` and `O`, `BLACK` and `WHITE`, `Star` and `Circle`);
/// the words belong to [`crate::protocol`]. In Duo-Othello `X` is black and `O` is white; in Star and Circle,
/// Circle, which starts on top like black in checkers, is black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The dark pieces.
    Black,
    /// The light pieces.
    White,
}

impl Side {
    /// Both sides, black first.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// The other player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// 0 for black, 1 for white: the place in a pair that is kept per side.
    pub const fn index(self) -> usize {
        match self {
            Self::Black => 0,
            Self::White => 1,
        }
    }
}

/// What a position asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The side to move has at least one legal move.
    ToMove,
    /// The side to move has no legal move and the game goes on: it must pass.
    MustPass,
    /// The board has ended the game.
    Over(Ending),
}

/// How the board alone ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One side has won by the rules.
    Won {
        /// Who has won.
        winner: Side,
        /// What the board shows.
        by: Win,
    },
    /// Neither side has won; what decides then is the referee's business.
    Level(Level),
}

/// What a won board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Win {
    /// The loser has no piece left.
    NoPieces,
    /// The loser has pieces but no legal move on its turn.
    NoMoves,
    /// The winner fills the opposing camp.
    CampFilled,
    /// The winner has the higher score when neither side can move.
    HigherScore {
        /// The winner's score, with its bonus where it has one.
        winner: u32,
        /// The loser's score, with its bonus where it has one.
        loser: u32,
    },
}

/// What a level board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Level {
    /// Neither side has a legal move.
    Blocked,
    /// Neither side can move and the scores are equal.
    EqualScores {
        /// The score of either side, with its bonus where it has one.
        each: u32,
    },
}

/// A position of one game together with the side to move: the rules, in the form of a value.
///
/// Positions are cheap to copy and know nothing of the past, except where a rule of the game itself asks for it.
pub trait Position: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// Which variant of the rules is played; `()` where there is only one.
    type Rules: Copy + Debug + Default + Eq + Send + Sync + 'static;

    /// One whole move of one side: a chain of jumps is one move.
    type Move: Copy + Debug + Eq + Hash + Send + Sync + 'static;

    /// The position that a game begins with, the side with the first move to move.
    fn start(rules: Self::Rules) -> Self;

    /// The position that is drawn in `rows`, top row first, with `side` to move.
    ///
    /// # Errors
    ///
    /// [`BoardFault`] where the drawing has another size, a foreign letter, or pieces that cannot stand so.
    fn from_rows(rows: &[&[u8]], side: Side, rules: Self::Rules) -> Result<Self, BoardFault>;

    /// The board drawn as in `input.txt`, top row first, each row ended by a LF: a letter a square, but in Star and Circle cells
    /// with commas between them.
    fn board(&self) -> String;

    /// The rows of [`Self::board`].
    fn rows(&self) -> Vec<String> {
        self.board().lines().map(str::to_owned).collect()
    }

    /// The rules by which this position is played.
    fn rules(&self) -> Self::Rules;

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;

    /// The same board with `side` to move.
    #[must_use]
    fn with_side_to_move(self, side: Side) -> Self;

    /// Whether the side to move can move, must pass, or finds the game over.
    fn status(&self) -> Status;

    /// Calls `visit` with each legal move of the side to move, each once, in an order that depends on the position
    /// alone. Visits none where the side must pass or has lost for want of a move.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));

    /// Plays a move that is known to be legal, and gives the turn to the other side.
    ///
    /// An illegal move leaves a position that means nothing; it never panics and never breaks memory safety.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Gives the turn to the other side without a move. Only legal where [`Self::status`] is [`Status::MustPass`].
    fn pass(&mut self);

    /// Whether `mv` captures, crowns, or otherwise can never be undone: such a move starts the count of idle turns anew,
    /// and no position before it can occur again.
    fn makes_progress(&self, mv: Self::Move) -> bool;

    /// Whether all pieces of both sides stand on the same squares, whosever turn it is.
    fn same_placement(&self, other: &Self) -> bool;

    /// All legal moves, in the order of [`Self::for_each_move`].
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// The number of legal moves. A game overrides it where counting is cheaper than listing.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// Whether `mv` is one of the legal moves.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut found = false;
        self.for_each_move(|legal| found |= legal == mv);
        found
    }

    /// The position after `mv`.
    ///
    /// # Errors
    ///
    /// [`NotLegal`] where `mv` is not a legal move here.
    fn play(&self, mv: Self::Move) -> Result<Self, NotLegal> {
        if !self.is_legal(mv) {
            return Err(NotLegal);
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }
}

/// A move that the rules do not allow in this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is not a legal move here")]
pub struct NotLegal;
