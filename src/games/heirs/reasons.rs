//! The reasons for refusing a move of Heirs, and the rules behind them. `judge` returns the reasons, and explanations
//! cite the rules.

use std::fmt;

use super::{Piece, Square};
use crate::games::{Goal, RuleText, Section};
use crate::protocol::rules::{LEGALITY, OWN_PIECE};

/// The fault of a claimed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A Prince was already captured.
    GameOver,
    /// There is no piece to move.
    EmptyOrigin(Square),
    /// The piece to move is the opponent's.
    OpponentsPiece(Square),
    /// The piece stays where it is.
    Motionless(Square),
    /// A Baby or a Scout does not move forward.
    NotForward(Piece),
    /// A Baby leaves its column, or a Scout moves by more than one column.
    Sideways(Piece),
    /// Not along a line of the piece.
    WrongDirection(Piece),
    /// Along its line, but too far.
    TooFar(Piece),
    /// Another piece is in the way.
    Blocked {
        /// The moving piece.
        piece: Piece,
        /// The square of the piece in the way.
        by: Square,
    },
    /// The end of the move has a piece of the same side.
    OwnPieceThere(Square),
    /// No other piece of its side is beside the Sibling's destination.
    WithoutCompany(Square),
}

impl Reason {
    /// A stable name for programs, in kebab case.
    pub const fn code(self) -> &'static str {
        match self {
            Self::GameOver => "game-over",
            Self::EmptyOrigin(_) => "empty-origin",
            Self::OpponentsPiece(_) => "opponents-piece",
            Self::Motionless(_) => "motionless",
            Self::NotForward(_) => "not-forward",
            Self::Sideways(_) => "sideways",
            Self::WrongDirection(_) => "wrong-direction",
            Self::TooFar(_) => "too-far",
            Self::Blocked { .. } => "blocked",
            Self::OwnPieceThere(_) => "own-piece",
            Self::WithoutCompany(_) => "without-company",
        }
    }

    /// The broken rule.
    pub const fn rule(self) -> &'static RuleText {
        match self {
            Self::GameOver => &LEGALITY,
            Self::EmptyOrigin(_) | Self::OpponentsPiece(_) => &OWN_PIECE,
            Self::Motionless(_)
            | Self::NotForward(_)
            | Self::Sideways(_)
            | Self::WrongDirection(_)
            | Self::TooFar(_) => &PIECE_MOVES,
            Self::Blocked { .. } => &NO_JUMPING,
            Self::OwnPieceThere(_) => &CAPTURE_ENEMIES,
            Self::WithoutCompany(_) => &SIBLINGS_TOGETHER,
        }
    }
}

/// A sentence, lower case, without a full stop.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = |piece: &Piece| format!("a {} {}", piece.name(), piece.rule());
        match self {
            Self::GameOver => f.write_str("the game is over: a Prince is captured"),
            Self::EmptyOrigin(square) => write!(f, "`{square}` is empty"),
            Self::OpponentsPiece(square) => write!(f, "the piece on `{square}` is the opponent's"),
            Self::Motionless(square) => write!(f, "the piece on `{square}` must leave it"),
            Self::NotForward(piece) => write!(f, "that is not forward: {}", rule(piece)),
            Self::Sideways(piece) => write!(f, "that is too far to the side: {}", rule(piece)),
            Self::WrongDirection(piece) => write!(f, "that is the wrong direction: {}", rule(piece)),
            Self::TooFar(piece) => write!(f, "that is too far: {}", rule(piece)),
            Self::Blocked { piece, by } => {
                write!(
                    f,
                    "the piece on `{by}` is in the way, and a {} does not jump",
                    piece.name()
                )
            }
            Self::OwnPieceThere(square) => write!(f, "the piece on `{square}` is of the same side"),
            Self::WithoutCompany(square) => write!(
                f,
                "no other piece of its side is beside `{square}`: a Sibling must end beside one"
            ),
        }
    }
}

/// The goal of Heirs.
pub(super) const CAPTURED_PRINCE: Goal = Goal {
    code: "prince-captured",
    sentence: "it captures the Prince",
    rule: &PRINCE_CAPTURED,
};

pub(super) const SQUARE_NAMES: RuleText = RuleText {
    code: "square-names",
    name: "names of squares",
    sentence: "a square is its column, one of `a b c d e f g h j k m n` from the left (there is no `i` and no `l`), \
               and its row, \
               `1` at the bottom to `12` at the top, such as `c2`",
    section: Section::Formats,
};

pub(super) const TWO_SQUARES: RuleText = RuleText {
    code: "two-squares",
    name: "two squares",
    sentence: "an answer is one line: the start square, a blank, and the end square of the piece, such as `c2 c4`",
    section: Section::Formats,
};

const PRINCE_CAPTURED: RuleText = RuleText {
    code: "prince-captured",
    name: "the Prince is captured",
    sentence: "a side whose Prince is captured loses",
    section: Section::Play,
};

pub(super) const NO_LEGAL_MOVE: RuleText = RuleText {
    code: "no-legal-move",
    name: "no legal move",
    sentence: "the game is a draw when the side to move has no legal move",
    section: Section::Endings,
};

const PIECE_MOVES: RuleText = RuleText {
    code: "piece-moves",
    name: "how pieces move",
    sentence: "a Baby moves 1 or 2 squares straight forward, a Prince or a Sibling 1 square in any direction, a \
               Princess 1 to 3 in \
               any direction, a Pony 1 diagonally, a Guard 1 or 2 along a row or a column, a Tutor 1 or 2 diagonally, \
               and a Scout \
               1 to 3 rows forward in its column or one beside it",
    section: Section::Play,
};

const NO_JUMPING: RuleText = RuleText {
    code: "no-jumping",
    name: "no jumping",
    sentence: "a piece that moves more than one square needs empty squares on its way; only a Scout jumps over pieces",
    section: Section::Play,
};

const CAPTURE_ENEMIES: RuleText = RuleText {
    code: "capture-enemies",
    name: "capturing",
    sentence: "a piece captures by moving onto an enemy piece, and cannot move onto one of its own side",
    section: Section::Play,
};

const SIBLINGS_TOGETHER: RuleText = RuleText {
    code: "siblings-together",
    name: "Siblings stay in company",
    sentence: "a Sibling must end beside another piece of its side, in any direction",
    section: Section::Play,
};
