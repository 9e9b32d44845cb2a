//! The rules behind the reasons of checkers, with their texts. Explanations cite them. The sentences follow RULES.md,
//! which is normative.

use super::Reason;
use crate::games::{RuleText, Section};
use crate::protocol::rules::{OWN_PIECE, STEP_AND_JUMP_LETTERS};
impl Reason {
    /// The broken rule.
    pub const fn rule(self) -> &'static RuleText {
        match self {
            Self::EmptyOrigin(_) | Self::OpponentsPiece(_) => &OWN_PIECE,
            Self::Occupied(_) => &EMPTY_LANDING,
            Self::BrokenChain { .. } => &UNBROKEN_CHAIN,
            Self::JumpAsStep { .. } | Self::StepAsJump { .. } => &STEP_AND_JUMP_LETTERS,
            Self::LightSquare(_) => &DARK_SQUARES,
            Self::Motionless(_) | Self::NotDiagonal { .. } | Self::TooFar { .. } => &DIAGONAL_MOVES,
            Self::Backward { .. } => &MEN_FORWARD,
            Self::NoJumps | Self::NothingToJump(_) | Self::OwnPieceJumped(_) | Self::AlreadyCaptured(_) => {
                &CAPTURING_JUMP
            }
            Self::JumpCompulsory { .. } => &COMPULSORY_JUMP,
            Self::Incomplete { .. } => &WHOLE_CHAIN,
            Self::AfterCrowning(_) => &CROWNING_ENDS_PLAY,
        }
    }
}

pub(super) const SQUARE_NAMES: RuleText = RuleText {
    code: "square-names",
    name: "names of squares",
    sentence: "a square is its column, `a` to `h` from the left, and its row, `1` at the bottom to `8` at the \
               top, such as `c3`",
    section: Section::Formats,
};

const EMPTY_LANDING: RuleText = RuleText {
    code: "empty-landing",
    name: "an empty square",
    sentence: "a piece can only land on an empty square",
    section: Section::Play,
};

const UNBROKEN_CHAIN: RuleText = RuleText {
    code: "unbroken-chain",
    name: "one piece, one chain",
    sentence: "every jump of a chain starts on the square where the previous jump ended",
    section: Section::Play,
};

const DARK_SQUARES: RuleText = RuleText {
    code: "dark-squares",
    name: "dark squares",
    sentence: "pieces stand and land on dark squares only: `a1` is dark, and so is every square on a diagonal \
               with a dark one",
    section: Section::Elsewhere("handout, \"Setup of the game\""),
};

const DIAGONAL_MOVES: RuleText = RuleText {
    code: "diagonal-moves",
    name: "steps and jumps",
    sentence: "a step goes one square diagonally, a jump two, over an enemy piece; that holds for kings, too",
    section: Section::Play,
};

const MEN_FORWARD: RuleText = RuleText {
    code: "men-forward",
    name: "men go forward",
    sentence: "a man steps and jumps forward only, black down the board and white up; a king goes both ways",
    section: Section::Play,
};

const CAPTURING_JUMP: RuleText = RuleText {
    code: "capturing-jump",
    name: "jumping captures",
    sentence: "a jump goes over one enemy piece on an adjacent square, which leaves the board at once",
    section: Section::Play,
};

const COMPULSORY_JUMP: RuleText = RuleText {
    code: "compulsory-jump",
    name: "jumps are compulsory",
    sentence: "a side that can jump must jump; it may choose which jump",
    section: Section::Play,
};

const WHOLE_CHAIN: RuleText = RuleText {
    code: "whole-chain",
    name: "complete the chain",
    sentence: "a piece that has jumped must continue to jump in the same turn as long as it can",
    section: Section::Play,
};

const CROWNING_ENDS_PLAY: RuleText = RuleText {
    code: "crowning-ends-play",
    name: "crowning ends the play",
    sentence: "a man that reaches the far row becomes a king there, and moves as a king from its next turn on",
    section: Section::Play,
};

pub(super) const NO_PIECE_OR_MOVE: RuleText = RuleText {
    code: "no-piece-or-move",
    name: "no piece or no move",
    sentence: "a side without pieces, or without a legal move on its turn, loses",
    section: Section::Play,
};
