//! The reasons why a claimed play of checkers is illegal, and the rules behind them. `judge` returns the reasons, and
//! explanations cite the rules. The sentences follow RULES.md, which is normative.

use super::Square;
use crate::games::{RuleText, Section};
use crate::protocol::Finding;
use crate::protocol::rules::{CAPTURING_JUMP, EMPTY_LANDING, OWN_PIECE, STEP_AND_JUMP_LETTERS, UNBROKEN_CHAIN};

/// The fault of a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A chain of jumps without a jump.
    #[error("a chain has at least one jump")]
    NoJumps,
    /// A square that no piece can occupy.
    #[error("`{0}` is a light square: pieces stand on dark squares only")]
    LightSquare(Square),
    /// There is no piece to move.
    #[error("`{0}` is empty")]
    EmptyOrigin(Square),
    /// The piece to move is the opponent's.
    #[error("the piece on `{0}` is the opponent's")]
    OpponentsPiece(Square),
    /// A hop to its own start.
    #[error("the piece on `{0}` must leave it")]
    Motionless(Square),
    /// The two squares are on no common diagonal.
    #[error("`{from}` and `{to}` are not on one diagonal")]
    NotDiagonal {
        /// The beginning of the hop.
        from: Square,
        /// Its end.
        to: Square,
    },
    /// The two squares are on one diagonal, but too far apart.
    #[error("`{to}` is too far from `{from}`: a step goes one square, a jump two")]
    TooFar {
        /// The beginning of the hop.
        from: Square,
        /// Its end.
        to: Square,
    },
    /// A jump that is written as a step.
    #[error("`E` is for a step, `{from}` to `{to}` is a jump")]
    JumpAsStep {
        /// The beginning of the jump.
        from: Square,
        /// Its end.
        to: Square,
    },
    /// A step that is written as a jump.
    #[error("`J` is for a jump, `{from}` to `{to}` is a step")]
    StepAsJump {
        /// The beginning of the step.
        from: Square,
        /// Its end.
        to: Square,
    },
    /// A man goes backward.
    #[error("a man cannot go backward, from `{man}` to `{to}`")]
    Backward {
        /// Where the man stands.
        man: Square,
        /// Where it would go.
        to: Square,
    },
    /// The end of the hop is occupied.
    #[error("`{0}` is occupied")]
    Occupied(Square),
    /// There is no piece to jump over.
    #[error("there is no piece on `{0}` to jump over")]
    NothingToJump(Square),
    /// The piece to jump over is the player's own.
    #[error("the piece on `{0}` is your own and cannot be jumped over")]
    OwnPieceJumped(Square),
    /// The piece to jump over was captured earlier in the chain.
    #[error("the piece on `{0}` was captured earlier in this chain")]
    AlreadyCaptured(Square),
    /// A step while a jump is possible.
    #[error("`{from}` can jump over `{over}`: jumps are compulsory")]
    JumpCompulsory {
        /// A piece that can jump, preferably the one that was to step.
        from: Square,
        /// A piece that it can capture.
        over: Square,
    },
    /// The chain ends although the piece can jump on.
    #[error("the chain can continue from `{at}` to `{to}`: it must be completed")]
    Incomplete {
        /// The end of the chain.
        at: Square,
        /// A possible next square.
        to: Square,
    },
    /// A hop does not begin at the end of the previous one.
    #[error("the chain continues from `{at}`, not from `{from}`")]
    BrokenChain {
        /// The end of the previous hop.
        at: Square,
        /// The start of this hop.
        from: Square,
    },
    /// The chain continues after the man was crowned.
    #[error("the man is crowned on `{0}`, and its play ends there")]
    AfterCrowning(Square),
}

impl Reason {
    /// The finding that says so: a stable code, the sentence, and the broken rule.
    pub fn finding(self) -> Finding {
        let (code, rule) = match self {
            Self::NoJumps => ("no-jumps", &CAPTURING_JUMP),
            Self::LightSquare(_) => ("light-square", &DARK_SQUARES),
            Self::EmptyOrigin(_) => ("empty-origin", &OWN_PIECE),
            Self::OpponentsPiece(_) => ("opponents-piece", &OWN_PIECE),
            Self::Motionless(_) => ("motionless", &DIAGONAL_MOVES),
            Self::NotDiagonal { .. } => ("not-diagonal", &DIAGONAL_MOVES),
            Self::TooFar { .. } => ("too-far", &DIAGONAL_MOVES),
            Self::JumpAsStep { .. } => ("jump-as-step", &STEP_AND_JUMP_LETTERS),
            Self::StepAsJump { .. } => ("step-as-jump", &STEP_AND_JUMP_LETTERS),
            Self::Backward { .. } => ("backward", &MEN_FORWARD),
            Self::Occupied(_) => ("occupied", &EMPTY_LANDING),
            Self::NothingToJump(_) => ("nothing-to-jump", &CAPTURING_JUMP),
            Self::OwnPieceJumped(_) => ("own-piece-jumped", &CAPTURING_JUMP),
            Self::AlreadyCaptured(_) => ("already-captured", &CAPTURING_JUMP),
            Self::JumpCompulsory { .. } => ("jump-compulsory", &COMPULSORY_JUMP),
            Self::Incomplete { .. } => ("incomplete", &WHOLE_CHAIN),
            Self::BrokenChain { .. } => ("broken-chain", &UNBROKEN_CHAIN),
            Self::AfterCrowning(_) => ("after-crowning", &CROWNING_ENDS_PLAY),
        };
        Finding::new(code, self.to_string()).under(rule)
    }
}

pub(super) const SQUARE_NAMES: RuleText = Section::Formats.rule(
    "square-names",
    "names of squares",
    "a square is its column, `a` to `h` from the left, and its row, `1` at the bottom to `8` at the top, such as `c3`",
);

const DARK_SQUARES: RuleText = Section::Elsewhere("handout, \"Setup of the game\"").rule(
    "dark-squares",
    "dark squares",
    "pieces stand and land on dark squares only: `a1` is dark, and so is every square on a diagonal with a dark one",
);

const DIAGONAL_MOVES: RuleText = Section::Play.rule(
    "diagonal-moves",
    "steps and jumps",
    "a step goes one square diagonally, a jump two, over an enemy piece; that holds for kings, too",
);

const MEN_FORWARD: RuleText = Section::Play.rule(
    "men-forward",
    "men go forward",
    "a man steps and jumps forward only, black down the board and white up; a king goes both ways",
);

const COMPULSORY_JUMP: RuleText = Section::Play.rule(
    "compulsory-jump",
    "jumps are compulsory",
    "a side that can jump must jump; it may choose which jump",
);

const WHOLE_CHAIN: RuleText = Section::Play.rule(
    "whole-chain",
    "complete the chain",
    "a piece that has jumped must continue to jump in the same turn as long as it can",
);

const CROWNING_ENDS_PLAY: RuleText = Section::Play.rule(
    "crowning-ends-play",
    "crowning ends the play",
    "a man that reaches the far row becomes a king there, and moves as a king from its next turn on",
);

pub(super) const NO_PIECE_OR_MOVE: RuleText = Section::Play.rule(
    "no-piece-or-move",
    "no piece or no move",
    "a side without pieces, or without a legal move on its turn, loses",
);
