//! The rules of Little-Go that moves and answers may violate. The texts refer to them, and explanations cite them. The
//! sentences follow RULES.md.

use crate::{RuleText, Section};

pub(super) const POINT_NAMES: RuleText = Section::Formats.rule(
    "point-names",
    "names of points",
    "a point is its row and its column, both counted from 0 at the top left, separated by a comma without a blank, \
     such as `2,3`",
);

pub(super) const POINT_OR_PASS: RuleText = Section::Formats.rule(
    "point-or-pass",
    "a point or a pass",
    "an answer is one line: a point such as `2,3`, or `PASS` in capitals",
);

pub(super) const EMPTY_POINT: RuleText =
    Section::Play.rule("empty-point", "an empty point", "a stone is placed on an empty point");

pub(super) const NO_SUICIDE: RuleText = Section::Play.rule(
    "no-suicide",
    "no suicide",
    "after enemy stones without liberties are removed, the placed stone or its group needs a liberty",
);

pub(super) const KO: RuleText = Section::Play.rule(
    "ko",
    "ko",
    "a stone that has just captured one stone cannot be recaptured at once if that would restore the previous board",
);

pub(super) const HIGHER_SCORE: RuleText = Section::Endings.rule(
    "higher-score",
    "the higher score",
    "after two passes in a row, or 24 turns, each stone on the board counts one point, White has 2.5 more, and more \
     points win",
);
