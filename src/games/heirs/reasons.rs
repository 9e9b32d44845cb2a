//! Judges a claimed move of Heirs, with the reason of a refusal and its rule. The texts of Heirs call it.
//!
//! It must accept exactly the generated moves, although it shares only the board with the generator.

use std::fmt;

use super::{Heirs, Move, Piece, Square};
use crate::games::{Position, RuleText, Section, Side};
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

impl Heirs {
    /// Judges a claimed move of the side to move.
    ///
    /// # Errors
    ///
    /// The first applicable [`Reason`] if the move is illegal.
    pub fn judge(&self, mv: Move) -> Result<(), Reason> {
        if Side::BOTH
            .into_iter()
            .any(|side| self.pieces_of(Piece::Prince, side).is_empty())
        {
            return Err(Reason::GameOver);
        }
        let own = self.side_to_move();
        let piece = match self.at(mv.from) {
            None => return Err(Reason::EmptyOrigin(mv.from)),
            Some((side, _)) if side != own => return Err(Reason::OpponentsPiece(mv.from)),
            Some((_, piece)) => piece,
        };
        if mv.from == mv.to {
            return Err(Reason::Motionless(mv.from));
        }
        let path = Path::of(mv, own);
        path.judge(piece)?;
        if piece != Piece::Scout
            && let Some(by) = path.between(mv.from).find(|&square| self.at(square).is_some())
        {
            return Err(Reason::Blocked { piece, by });
        }
        if self.pieces(own).contains(mv.to) {
            return Err(Reason::OwnPieceThere(mv.to));
        }
        if piece == Piece::Sibling && !self.company(own).contains(mv.to) {
            return Err(Reason::WithoutCompany(mv.to));
        }
        Ok(())
    }
}

/// The path of a move.
struct Path {
    /// Rows, from the view of the moving side.
    forward: i8,
    /// Rows down the board.
    down: i8,
    /// Columns to the right.
    right: i8,
}

impl Path {
    fn of(mv: Move, side: Side) -> Self {
        let difference = |to: u8, from: u8| to.cast_signed() - from.cast_signed();
        let down = difference(mv.to.row(), mv.from.row());
        let forward = match side {
            Side::White => -down,
            Side::Black => down,
        };
        let right = difference(mv.to.column(), mv.from.column());
        Self { forward, down, right }
    }

    fn distance(&self) -> i8 {
        self.down.abs().max(self.right.abs())
    }

    /// Whether `piece` may move this way on an empty board.
    fn judge(&self, piece: Piece) -> Result<(), Reason> {
        let straight = self.down == 0 || self.right == 0;
        let diagonal = self.down.abs() == self.right.abs();
        let (goes_there, reach) = match piece {
            Piece::Baby | Piece::Scout if self.forward < 1 => return Err(Reason::NotForward(piece)),
            Piece::Baby if self.right != 0 => return Err(Reason::Sideways(piece)),
            Piece::Scout if self.right.abs() > 1 => return Err(Reason::Sideways(piece)),
            Piece::Baby => (true, 2),
            Piece::Scout => (true, 3),
            Piece::Prince | Piece::Sibling => (straight || diagonal, 1),
            Piece::Princess => (straight || diagonal, 3),
            Piece::Pony => (diagonal, 1),
            Piece::Guard => (straight, 2),
            Piece::Tutor => (diagonal, 2),
        };
        if !goes_there {
            Err(Reason::WrongDirection(piece))
        } else if self.distance() > reach {
            Err(Reason::TooFar(piece))
        } else {
            Ok(())
        }
    }

    /// The squares between the two ends of a straight or diagonal path.
    fn between(&self, from: Square) -> impl Iterator<Item = Square> {
        let step = 16 * self.down.signum() + self.right.signum();
        (1..self.distance()).map(move |steps| from.moved(step * steps))
    }
}

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

pub(super) const PRINCE_CAPTURED: RuleText = RuleText {
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
