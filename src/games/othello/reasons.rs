//! The rules behind the reasons of Duo-Othello, with their texts. Explanations cite them. The sentences follow
//! RULES.md, which is normative.

use crate::games::{RuleText, Section};
pub(super) const SQUARE_NAMES: RuleText = RuleText {
    code: "square-names",
    name: "names of squares",
    sentence: "a square is its column, `a` to `l` from the left, and its row, `1` at the top to `12` at the \
               bottom, such as `c2`",
    section: Section::Formats,
};

pub(super) const ONE_SQUARE: RuleText = RuleText {
    code: "one-square",
    name: "one square",
    sentence: "an answer is one line with one square on it, column and row together, such as `c2`",
    section: Section::Formats,
};

pub(super) const EMPTY_SQUARE: RuleText = RuleText {
    code: "empty-square",
    name: "an empty square",
    sentence: "a disk is placed on an empty square",
    section: Section::Play,
};

pub(super) const FLIP_SOMETHING: RuleText = RuleText {
    code: "flip-something",
    name: "a disk must flip another",
    sentence: "a disk must enclose a straight line of at least one enemy disk between itself and another disk of its \
               side",
    section: Section::Play,
};

pub(super) const HIGHER_SCORE: RuleText = RuleText {
    code: "higher-score",
    name: "the higher score",
    sentence: "when neither side can move, each disk counts one point, `X` has one more for moving second, and \
               more points win",
    section: Section::Endings,
};

pub(super) const SECOND_MOVE_WINS: RuleText = RuleText {
    code: "second-move-wins",
    name: "`X` wins ties",
    sentence: "with equal scores and equal remaining times, the side that moved second wins",
    section: Section::Endings,
};
