//! The rules behind the reasons of Halma, with their texts. Explanations cite them. The sentences follow RULES.md,
//! which is normative.

use super::Reason;
use crate::games::{Goal, RuleText, Section};
use crate::protocol::Finding;
use crate::protocol::rules::{OWN_PIECE, STEP_AND_JUMP_LETTERS};

impl Reason {
    /// The finding that says so: a stable code, the sentence, and the broken rule.
    pub fn finding(&self) -> Finding {
        let (code, rule) = match self {
            Self::NoJump => ("no-jump", &JUMP_OVER_PIECE),
            Self::EmptyStart { .. } => ("empty-start", &OWN_PIECE),
            Self::OpponentsPiece { .. } => ("opponents-piece", &OWN_PIECE),
            Self::BrokenChain { .. } => ("broken-chain", &UNBROKEN_CHAIN),
            Self::StandsStill { .. } => ("stands-still", &STEPS_AND_JUMPS),
            Self::StepIsJump => ("step-is-jump", &STEP_AND_JUMP_LETTERS),
            Self::JumpIsStep => ("jump-is-step", &STEP_AND_JUMP_LETTERS),
            Self::NotInLine { .. } => ("not-in-line", &STEPS_AND_JUMPS),
            Self::TooFar { .. } => ("too-far", &STEPS_AND_JUMPS),
            Self::Occupied { .. } => ("occupied", &EMPTY_LANDING),
            Self::NothingToJump { .. } => ("nothing-to-jump", &JUMP_OVER_PIECE),
            Self::LeavesOpposingCamp { .. } => ("leaves-opposing-camp", &STAY_IN_OPPOSING_CAMP),
            Self::ReturnsToCamp { .. } => ("returns-to-camp", &ADDENDUM_A),
            Self::MustLeaveCamp { .. } => ("must-leave-camp", &ADDENDUM_B),
            Self::MustMoveFurther { .. } => ("must-move-further", &ADDENDUM_B),
            Self::StaysInCamp { .. } => ("stays-in-camp", &ADDENDUM_B),
        };
        Finding::new(code, self.to_string()).under(rule)
    }
}

/// A camp is filled.
pub(super) const FILLED_CAMP: Goal = Goal {
    code: "camp-filled",
    sentence: "it fills the opposing camp",
    rule: &CAMP_FILLED,
};

pub(super) const SQUARE_NAMES: RuleText = RuleText {
    code: "square-names",
    name: "names of squares",
    sentence: "a square is `x,y`, two numbers from 0 to 15 without a blank: `0,0` is at the top left, x goes \
               to the right, y goes down",
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

const STEPS_AND_JUMPS: RuleText = RuleText {
    code: "steps-and-jumps",
    name: "steps and jumps",
    sentence: "a step goes to one of the eight adjacent squares; a jump goes two squares in a straight line, \
               over one piece",
    section: Section::Play,
};

const JUMP_OVER_PIECE: RuleText = RuleText {
    code: "jump-over-piece",
    name: "jumping over a piece",
    sentence: "a jump goes over a piece, of either colour, on an adjacent square, to the square right behind \
               it",
    section: Section::Play,
};

const STAY_IN_OPPOSING_CAMP: RuleText = RuleText {
    code: "stay-in-opposing-camp",
    name: "no way out of the opposing camp",
    sentence: "a piece in the opposing camp may not leave it",
    section: Section::Play,
};

const ADDENDUM_A: RuleText = RuleText {
    code: "addendum-a",
    name: "addendum a): no way back into the camp",
    sentence: "a piece outside its own camp may not return to it",
    section: Section::Elsewhere(ADDENDUM),
};

const ADDENDUM_B: RuleText = RuleText {
    code: "addendum-b",
    name: "addendum b): the camp first",
    sentence: "a side with a piece in its own camp must move one out of the camp; if none can leave, it must move one \
               within the camp, further from the corner; if that is impossible, too, it moves any piece outside the \
               camp",
    section: Section::Elsewhere(ADDENDUM),
};

const CAMP_FILLED: RuleText = RuleText {
    code: "camp-filled",
    name: "the opposing camp is filled",
    sentence: "a side wins when every square of the opposing camp is occupied, at least one of them by its own piece",
    section: Section::Play,
};

const ADDENDUM: &str = "addendum of the handout, \"1. Moving pieces\"";
