//! What a position asks for, and how the board ends a game.

use super::{RuleText, Score, Side};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Win {
    /// The loser has no piece left.
    NoPieces,
    /// The loser has pieces but no legal move on its turn.
    NoMoves,
    /// The winner has reached what only this game is won by.
    Goal(&'static Goal),
    /// The winner has the higher score when neither side can move.
    HigherScore {
        /// The winner's score, with its bonus where it has one.
        winner: Score,
        /// The loser's score, with its bonus where it has one.
        loser: Score,
    },
}

/// What a level board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Neither side has a legal move.
    Blocked,
    /// The side to move has no legal move, in a game where that is no loss.
    NoMoves,
    /// Neither side can move and the scores are equal.
    EqualScores {
        /// The score of either side, with its bonus where it has one.
        each: Score,
    },
}

/// What one game is won by, and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// A stable name for records, in kebab case.
    pub code: &'static str,
    /// What the winner has done, as the end of a sentence: `it fills the opposing camp`.
    pub sentence: &'static str,
    /// The rule that makes it a win.
    pub rule: &'static RuleText,
}
