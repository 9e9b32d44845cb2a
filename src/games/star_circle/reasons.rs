//! The rules behind the reasons of Star and Circle, with their texts. Explanations cite them. The sentences follow
//! RULES.md, which is normative.

use super::Reason;
use crate::games::{RuleText, Section};
use crate::protocol::Finding;
use crate::protocol::rules::{CAPTURING_JUMP, OWN_PIECE};

impl Reason {
    /// The finding that says so: a stable code, the sentence, and the broken rule.
    pub fn finding(self) -> Finding {
        let (code, rule) = match self {
            Self::LightSquare(_) => ("light-square", &DARK_SQUARES),
            Self::EmptyOrigin(_) => ("empty-origin", &OWN_PIECE),
            Self::OpponentsPiece(_) => ("opponents-piece", &OWN_PIECE),
            Self::Arrived(_) => ("arrived", &FORWARD_ONLY),
            Self::Motionless(_) => ("motionless", &DIAGONAL_MOVES),
            Self::Backward(_) => ("backward", &FORWARD_ONLY),
            Self::NotDiagonal(_) => ("not-diagonal", &DIAGONAL_MOVES),
            Self::TooFar(_) => ("too-far", &DIAGONAL_MOVES),
            Self::Occupied(_) => ("occupied", &EMPTY_LANDING),
            Self::NothingToJump(_) => ("nothing-to-jump", &CAPTURING_JUMP),
            Self::OwnPieceJumped(_) => ("own-piece-jumped", &CAPTURING_JUMP),
        };
        Finding::new(code, self.to_string()).under(rule)
    }
}

pub(super) const MOVE_LINE: RuleText = Section::Formats.rule(
    "move-line",
    "the line of the move",
    "the first line is the start square, `-`, and the end square of the piece, such as `F4-H2`; the three numbers of \
     the assignment may follow, one per line",
);

pub(super) const PASS_ONLY_WHEN_STUCK: RuleText = Section::Play.rule(
    "pass-only-when-stuck",
    "no pass while there is a move",
    "a side passes if and only if none of its pieces can move; the referee then passes for it",
);

pub(super) const NO_PIECE: RuleText = Section::Referee.rule(
    "no-piece-or-move",
    "no piece",
    "the game ends when only one side has pieces, and that side has won",
);

pub(super) const HIGHER_SCORE: RuleText = Section::Referee.rule(
    "higher-score",
    "the higher score",
    "when neither side can move, each piece counts 10 points on the row where its side begins, 10 more for each row in \
     front of it, and more points win",
);

const DARK_SQUARES: RuleText = Section::Play.rule(
    "dark-squares",
    "dark squares",
    "pieces stand and land on dark squares only: `A1` is dark, and so is every square on a diagonal with a dark one",
);

const FORWARD_ONLY: RuleText = Section::Play.rule(
    "forward-only",
    "forward only",
    "Star goes up, towards row `H`, and Circle down, towards row `A`; a piece on its last row stays there",
);

const DIAGONAL_MOVES: RuleText = Section::Play.rule(
    "diagonal-moves",
    "steps and jumps",
    "a step goes one square diagonally, a jump two, over an enemy piece",
);

const EMPTY_LANDING: RuleText = Section::Play.rule(
    "empty-landing",
    "an empty square",
    "a piece can only land on an empty square or, on its last row, on pieces of its own side",
);
