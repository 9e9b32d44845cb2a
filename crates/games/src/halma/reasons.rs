//! The rules of Halma that plays and answers may violate, and its goal. `judge` and `texts` refer to them, and
//! explanations cite them. The sentences follow RULES.md, which is normative.

use crate::{Goal, RuleText, Section};

/// A camp is filled.
pub(super) const FILLED_CAMP: Goal =
    Goal { code: "camp-filled", sentence: "it fills the opposing camp", rule: &CAMP_FILLED };

pub(super) const SQUARE_NAMES: RuleText = Section::Formats.rule(
    "square-names",
    "names of squares",
    "a square is `x,y`, two numbers from 0 to 15 without a blank: `0,0` is at the top left, x goes to the right, y \
     goes down",
);

pub(super) const STEPS_AND_JUMPS: RuleText = Section::Play.rule(
    "steps-and-jumps",
    "steps and jumps",
    "a step goes to one of the eight adjacent squares; a jump goes two squares in a straight line, over one piece",
);

pub(super) const JUMP_OVER_PIECE: RuleText = Section::Play.rule(
    "jump-over-piece",
    "jumping over a piece",
    "a jump goes over a piece, of either colour, on an adjacent square, to the square right behind it",
);

pub(super) const STAY_IN_OPPOSING_CAMP: RuleText = Section::Play.rule(
    "stay-in-opposing-camp",
    "no way out of the opposing camp",
    "a piece in the opposing camp may not leave it",
);

pub(super) const ADDENDUM_A: RuleText = Section::Elsewhere(ADDENDUM).rule(
    "addendum-a",
    "addendum a): no way back into the camp",
    "a piece outside its own camp may not return to it",
);

pub(super) const ADDENDUM_B: RuleText = Section::Elsewhere(ADDENDUM).rule(
    "addendum-b",
    "addendum b): the camp first",
    "a side with a piece in its own camp must move one out of the camp; if none can leave, it must move one within the \
     camp, further from the corner; if that is impossible, too, it moves any piece outside the camp",
);

const CAMP_FILLED: RuleText = Section::Play.rule(
    "camp-filled",
    "the opposing camp is filled",
    "a side wins when every square of the opposing camp is occupied, at least one of them by its own piece",
);

const ADDENDUM: &str = "addendum of the handout, \"1. Moving pieces\"";
