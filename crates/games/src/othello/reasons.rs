//! The rules behind the reasons of Duo-Othello, with their texts. Explanations cite them. The sentences follow
//! RULES.md, which is normative.

use crate::{RuleText, Section};
pub(super) const SQUARE_NAMES: RuleText = Section::Formats.rule(
    "square-names",
    "names of squares",
    "a square is its column, `a` to `l` from the left, and its row, `1` at the top to `12` at the bottom, such as `c2`",
);

pub(super) const ONE_SQUARE: RuleText = Section::Formats.rule(
    "one-square",
    "one square",
    "an answer is one line with one square on it, column and row together, such as `c2`",
);

pub(super) const EMPTY_SQUARE: RuleText =
    Section::Play.rule("empty-square", "an empty square", "a disk is placed on an empty square");

pub(super) const FLIP_SOMETHING: RuleText = Section::Play.rule(
    "flip-something",
    "a disk must flip another",
    "a disk must enclose a straight line of at least one enemy disk between itself and another disk of its side",
);

pub(super) const HIGHER_SCORE: RuleText = Section::Endings.rule(
    "higher-score",
    "the higher score",
    "when neither side can move, each disk counts one point, `X` has one more for moving second, and more points win",
);

pub(super) const SECOND_MOVE_WINS: RuleText = Section::Endings.rule(
    "second-move-wins",
    "`X` wins ties",
    "with equal scores and equal remaining times, the side that moved second wins",
);
