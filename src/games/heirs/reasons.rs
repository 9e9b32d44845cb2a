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

pub(super) const SQUARE_NAMES: RuleText = Section::Formats.rule(
    "square-names",
    "names of squares",
    "a square is its column, one of `a b c d e f g h j k m n` from the left (there is no `i` and no `l`), and its row, \
     `1` at the bottom to `12` at the top, such as `c2`",
);

pub(super) const TWO_SQUARES: RuleText = Section::Formats.rule(
    "two-squares",
    "two squares",
    "an answer is one line: the start square, a blank, and the end square of the piece, such as `c2 c4`",
);

const PRINCE_CAPTURED: RuleText = Section::Play.rule(
    "prince-captured",
    "the Prince is captured",
    "a side whose Prince is captured loses",
);

pub(super) const NO_LEGAL_MOVE: RuleText = Section::Endings.rule(
    "no-legal-move",
    "no legal move",
    "the game is a draw when the side to move has no legal move",
);

const PIECE_MOVES: RuleText = Section::Play.rule(
    "piece-moves",
    "how pieces move",
    "a Baby moves 1 or 2 squares straight forward, a Prince or a Sibling 1 square in any direction, a Princess 1 to 3 \
     in any direction, a Pony 1 diagonally, a Guard 1 or 2 along a row or a column, a Tutor 1 or 2 diagonally, and a \
     Scout 1 to 3 rows forward in its column or one beside it",
);

const NO_JUMPING: RuleText = Section::Play.rule(
    "no-jumping",
    "no jumping",
    "a piece that moves more than one square needs empty squares on its way; only a Scout jumps over pieces",
);

const CAPTURE_ENEMIES: RuleText = Section::Play.rule(
    "capture-enemies",
    "capturing",
    "a piece captures by moving onto an enemy piece, and cannot move onto one of its own side",
);

const SIBLINGS_TOGETHER: RuleText = Section::Play.rule(
    "siblings-together",
    "Siblings stay in company",
    "a Sibling must end beside another piece of its side, in any direction",
);
