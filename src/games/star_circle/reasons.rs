//! The rules behind the reasons of Star and Circle, with their texts. Explanations cite them. The sentences follow
//! RULES.md, which is normative.

use super::Reason;
use crate::games::{RuleText, Section};
use crate::protocol::Finding;
use crate::protocol::rules::OWN_PIECE;

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

pub(super) const MOVE_LINE: RuleText = RuleText {
    code: "move-line",
    name: "the line of the move",
    sentence: "the first line is the start square, `-`, and the end square of the piece, such as `F4-H2`; the three \
               numbers of the assignment may follow, one per line",
    section: Section::Formats,
};

pub(super) const PASS_ONLY_WHEN_STUCK: RuleText = RuleText {
    code: "pass-only-when-stuck",
    name: "no pass while there is a move",
    sentence: "a side passes if and only if none of its pieces can move; the referee then passes for it",
    section: Section::Play,
};

pub(super) const NO_PIECE: RuleText = RuleText {
    code: "no-piece-or-move",
    name: "no piece",
    sentence: "the game ends when only one side has pieces, and that side has won",
    section: Section::Referee,
};

pub(super) const HIGHER_SCORE: RuleText = RuleText {
    code: "higher-score",
    name: "the higher score",
    sentence: "when neither side can move, each piece counts 10 points on the row where its side begins, 10 \
               more for each row in front of it, and more points win",
    section: Section::Referee,
};

const DARK_SQUARES: RuleText = RuleText {
    code: "dark-squares",
    name: "dark squares",
    sentence: "pieces stand and land on dark squares only: `A1` is dark, and so is every square on a diagonal \
               with a dark one",
    section: Section::Play,
};

const FORWARD_ONLY: RuleText = RuleText {
    code: "forward-only",
    name: "forward only",
    sentence: "Star goes up, towards row `H`, and Circle down, towards row `A`; a piece on its last row stays \
               there",
    section: Section::Play,
};

const DIAGONAL_MOVES: RuleText = RuleText {
    code: "diagonal-moves",
    name: "steps and jumps",
    sentence: "a step goes one square diagonally, a jump two, over an enemy piece",
    section: Section::Play,
};

const EMPTY_LANDING: RuleText = RuleText {
    code: "empty-landing",
    name: "an empty square",
    sentence: "a piece can only land on an empty square or, on its last row, on pieces of its own side",
    section: Section::Play,
};

const CAPTURING_JUMP: RuleText = RuleText {
    code: "capturing-jump",
    name: "jumping captures",
    sentence: "a jump goes over one enemy piece on an adjacent square, which leaves the board at once",
    section: Section::Play,
};
