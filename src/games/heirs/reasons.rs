//! The reasons for refusing a move of Heirs, and the rules behind them. `judge` returns the reasons, and explanations
//! cite the rules.

use super::{Piece, Square};
use crate::games::{Goal, RuleText, Section};
use crate::protocol::Finding;
use crate::protocol::rules::{LEGALITY, OWN_PIECE};

/// The fault of a claimed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A Prince was already captured.
    #[error("the game is over: a Prince is captured")]
    GameOver,
    /// There is no piece to move.
    #[error("`{0}` is empty")]
    EmptyOrigin(Square),
    /// The piece to move is the opponent's.
    #[error("the piece on `{0}` is the opponent's")]
    OpponentsPiece(Square),
    /// The piece stays where it is.
    #[error("the piece on `{0}` must leave it")]
    Motionless(Square),
    /// A Baby or a Scout does not move forward.
    #[error("that is not forward: a {} {}", .0.name(), .0.rule())]
    NotForward(Piece),
    /// A Baby leaves its column, or a Scout moves by more than one column.
    #[error("that is too far to the side: a {} {}", .0.name(), .0.rule())]
    Sideways(Piece),
    /// Not along a line of the piece.
    #[error("that is the wrong direction: a {} {}", .0.name(), .0.rule())]
    WrongDirection(Piece),
    /// Along its line, but too far.
    #[error("that is too far: a {} {}", .0.name(), .0.rule())]
    TooFar(Piece),
    /// Another piece is in the way.
    #[error("the piece on `{by}` is in the way, and a {} does not jump", piece.name())]
    Blocked {
        /// The moving piece.
        piece: Piece,
        /// The square of the piece in the way.
        by: Square,
    },
    /// The end of the move has a piece of the same side.
    #[error("the piece on `{0}` is of the same side")]
    OwnPieceThere(Square),
    /// No other piece of its side is beside the Sibling's destination.
    #[error("no other piece of its side is beside `{0}`: a Sibling must end beside one")]
    WithoutCompany(Square),
}

impl Reason {
    /// The finding that says so: a stable code, the sentence, and the broken rule.
    pub fn finding(self) -> Finding {
        let (code, rule) = match self {
            Self::GameOver => ("game-over", &LEGALITY),
            Self::EmptyOrigin(_) => ("empty-origin", &OWN_PIECE),
            Self::OpponentsPiece(_) => ("opponents-piece", &OWN_PIECE),
            Self::Motionless(_) => ("motionless", &PIECE_MOVES),
            Self::NotForward(_) => ("not-forward", &PIECE_MOVES),
            Self::Sideways(_) => ("sideways", &PIECE_MOVES),
            Self::WrongDirection(_) => ("wrong-direction", &PIECE_MOVES),
            Self::TooFar(_) => ("too-far", &PIECE_MOVES),
            Self::Blocked { .. } => ("blocked", &NO_JUMPING),
            Self::OwnPieceThere(_) => ("own-piece", &CAPTURE_ENEMIES),
            Self::WithoutCompany(_) => ("without-company", &SIBLINGS_TOGETHER),
        };
        Finding::new(code, self.to_string()).under(rule)
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
