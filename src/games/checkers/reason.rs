//! The reasons why a claimed play of checkers is illegal. Plain data; `judge` returns them, and `texts` shows them.

use std::fmt;

use super::square::Square;

/// The fault of a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A chain of jumps without a jump.
    NoJumps,
    /// A square that no piece can occupy.
    LightSquare(Square),
    /// There is no piece to move.
    EmptyOrigin(Square),
    /// The piece to move is the opponent's.
    OpponentsPiece(Square),
    /// A hop to its own start.
    Motionless(Square),
    /// The two squares are on no common diagonal.
    NotDiagonal {
        /// The beginning of the hop.
        from: Square,
        /// Its end.
        to: Square,
    },
    /// The two squares are on one diagonal, but too far apart.
    TooFar {
        /// The beginning of the hop.
        from: Square,
        /// Its end.
        to: Square,
    },
    /// A jump that is written as a step.
    JumpAsStep {
        /// The beginning of the jump.
        from: Square,
        /// Its end.
        to: Square,
    },
    /// A step that is written as a jump.
    StepAsJump {
        /// The beginning of the step.
        from: Square,
        /// Its end.
        to: Square,
    },
    /// A man goes backward.
    Backward {
        /// Where the man stands.
        man: Square,
        /// Where it would go.
        to: Square,
    },
    /// The end of the hop is occupied.
    Occupied(Square),
    /// There is no piece to jump over.
    NothingToJump(Square),
    /// The piece to jump over is the player's own.
    OwnPieceJumped(Square),
    /// The piece to jump over was captured earlier in the chain.
    AlreadyCaptured(Square),
    /// A step while a jump is possible.
    JumpCompulsory {
        /// A piece that can jump, preferably the one that was to step.
        from: Square,
        /// A piece that it can capture.
        over: Square,
    },
    /// The chain ends although the piece can jump on.
    Incomplete {
        /// The end of the chain.
        at: Square,
        /// A possible next square.
        to: Square,
    },
    /// A hop does not begin at the end of the previous one.
    BrokenChain {
        /// The end of the previous hop.
        at: Square,
        /// The start of this hop.
        from: Square,
    },
    /// The chain continues after the man was crowned.
    AfterCrowning(Square),
}

impl Reason {
    /// A stable name for programs, in kebab case.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoJumps => "no-jumps",
            Self::LightSquare(_) => "light-square",
            Self::EmptyOrigin(_) => "empty-origin",
            Self::OpponentsPiece(_) => "opponents-piece",
            Self::Motionless(_) => "motionless",
            Self::NotDiagonal { .. } => "not-diagonal",
            Self::TooFar { .. } => "too-far",
            Self::JumpAsStep { .. } => "jump-as-step",
            Self::StepAsJump { .. } => "step-as-jump",
            Self::Backward { .. } => "backward",
            Self::Occupied(_) => "occupied",
            Self::NothingToJump(_) => "nothing-to-jump",
            Self::OwnPieceJumped(_) => "own-piece-jumped",
            Self::AlreadyCaptured(_) => "already-captured",
            Self::JumpCompulsory { .. } => "jump-compulsory",
            Self::Incomplete { .. } => "incomplete",
            Self::BrokenChain { .. } => "broken-chain",
            Self::AfterCrowning(_) => "after-crowning",
        }
    }
}

/// A sentence, lower case, without a full stop.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJumps => f.write_str("a chain has at least one jump"),
            Self::LightSquare(square) => write!(f, "`{square}` is a light square: pieces stand on dark squares only"),
            Self::EmptyOrigin(square) => write!(f, "`{square}` is empty"),
            Self::OpponentsPiece(square) => write!(f, "the piece on `{square}` is the opponent's"),
            Self::Motionless(square) => write!(f, "the piece on `{square}` must leave it"),
            Self::NotDiagonal { from, to } => write!(f, "`{from}` and `{to}` are not on one diagonal"),
            Self::TooFar { from, to } => {
                write!(f, "`{to}` is too far from `{from}`: a step goes one square, a jump two")
            }
            Self::JumpAsStep { from, to } => write!(f, "`E` is for a step, `{from}` to `{to}` is a jump"),
            Self::StepAsJump { from, to } => write!(f, "`J` is for a jump, `{from}` to `{to}` is a step"),
            Self::Backward { man, to } => write!(f, "a man cannot go backward, from `{man}` to `{to}`"),
            Self::Occupied(square) => write!(f, "`{square}` is occupied"),
            Self::NothingToJump(square) => write!(f, "there is no piece on `{square}` to jump over"),
            Self::OwnPieceJumped(square) => {
                write!(f, "the piece on `{square}` is your own and cannot be jumped over")
            }
            Self::AlreadyCaptured(square) => {
                write!(f, "the piece on `{square}` was captured earlier in this chain")
            }
            Self::JumpCompulsory { from, over } => {
                write!(f, "`{from}` can jump over `{over}`: jumps are compulsory")
            }
            Self::Incomplete { at, to } => {
                write!(f, "the chain can continue from `{at}` to `{to}`: it must be completed")
            }
            Self::BrokenChain { at, from } => write!(f, "the chain continues from `{at}`, not from `{from}`"),
            Self::AfterCrowning(square) => write!(f, "the man is crowned on `{square}`, and its play ends there"),
        }
    }
}
