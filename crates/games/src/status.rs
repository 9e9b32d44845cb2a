//! The status of a position, and how the board ends a game. Plain data; rules return it, and the referee decides with
//! it.

use super::{RuleText, Score, Side};

/// The status of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The side to move has at least one legal move.
    ToMove,
    /// The side to move has no legal move and the game continues: it must pass.
    MustPass,
    /// The board has ended the game.
    Over(Ending),
}

impl Status {
    /// The game is over, and `winner` has won.
    pub const fn won(winner: Side, by: BoardWin) -> Self {
        Self::Over(Ending::Won { winner, by })
    }
}

/// How the board alone ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One side has won by the rules.
    Won {
        /// The winner.
        winner: Side,
        /// The reason.
        by: BoardWin,
    },
    /// Neither side has won; the referee decides.
    Drawn(BoardDraw),
}

impl Ending {
    /// What it is worth to `side`: `win` to the winner, as little to the loser, and nothing if it is drawn.
    #[inline]
    pub fn worth(self, side: Side, win: i32) -> i32 {
        match self {
            Self::Won { winner, .. } if winner == side => win,
            Self::Won { .. } => -win,
            Self::Drawn(_) => 0,
        }
    }

    /// The ending in which black's and white's scores are compared.
    pub fn by_scores([black, white]: [Score; 2]) -> Self {
        let (winner, loser) = (black.max(white), black.min(white));
        if winner == loser {
            return Self::Drawn(BoardDraw::EqualScores { each: winner });
        }
        Self::Won {
            winner: if black > white { Side::Black } else { Side::White },
            by: BoardWin::HigherScore { winner, loser },
        }
    }
}

/// Why a game is won on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardWin {
    /// The loser has no piece left.
    NoPieces,
    /// The loser has pieces but no legal move on its turn.
    NoMoves,
    /// The winner has reached a goal particular to this game.
    Goal(&'static Goal),
    /// The winner has the higher score when neither side can move.
    HigherScore {
        /// The winner's score, including any bonus.
        winner: Score,
        /// The loser's score, including any bonus.
        loser: Score,
    },
}

/// Why a game is drawn on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardDraw {
    /// Neither side has a legal move.
    Blocked,
    /// The side to move has no legal move, in a game where that does not lose.
    NoMoves,
    /// Neither side can move and the scores are equal.
    EqualScores {
        /// The score of either side, including any bonus.
        each: Score,
    },
    /// A reason particular to this game.
    Reason(&'static Goal),
}

/// A goal, or a reason for a draw, particular to one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// A stable name for records, in kebab case.
    pub code: &'static str,
    /// What the winner did, as the end of a sentence: `it fills the opposing camp`; why it is a draw: `only kings are
    /// left`.
    pub sentence: &'static str,
    /// The rule that makes it a win or a draw.
    pub rule: &'static RuleText,
}
