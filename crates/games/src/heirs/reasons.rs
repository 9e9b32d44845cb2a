//! The rules of Heirs that moves and answers may violate, and its goal. `judge` and `texts` refer to them, and
//! explanations cite them.

use crate::{Goal, RuleText, Section};

/// The goal of Heirs.
pub(super) const CAPTURED_PRINCE: Goal =
    Goal { code: "prince-captured", sentence: "it captures the Prince", rule: &PRINCE_CAPTURED };

pub(super) const SQUARE_NAMES: RuleText = Section::Formats.rule(
    "square-names",
    "names of squares",
    "a square is its column, one of `a b c d e f g h j k m n` from the left (there is no `i` and no `l`), and its row, \
     `1` at the bottom to `12` at the top, such as `c2`",
);

pub(super) const TWO_SQUARES: RuleText = Section::Formats.rule(
    "two-squares",
    "two squares",
    "an answer is one line: the start square, a blank, and the end square of the piece, such as `c2 c4`",
);

const PRINCE_CAPTURED: RuleText =
    Section::Play.rule("prince-captured", "the Prince is captured", "a side whose Prince is captured loses");

pub(super) const NO_LEGAL_MOVE: RuleText = Section::Endings.rule(
    "no-legal-move",
    "no legal move",
    "the game is a draw when the side to move has no legal move",
);

pub(super) const PIECE_MOVES: RuleText = Section::Play.rule(
    "piece-moves",
    "how pieces move",
    "a Baby moves 1 or 2 squares straight forward, a Prince or a Sibling 1 square in any direction, a Princess 1 to 3 \
     in any direction, a Pony 1 diagonally, a Guard 1 or 2 along a row or a column, a Tutor 1 or 2 diagonally, and a \
     Scout 1 to 3 rows forward in its column or one beside it",
);

pub(super) const NO_JUMPING: RuleText = Section::Play.rule(
    "no-jumping",
    "no jumping",
    "a piece that moves more than one square needs empty squares on its way; only a Scout jumps over pieces",
);

pub(super) const CAPTURE_ENEMIES: RuleText = Section::Play.rule(
    "capture-enemies",
    "capturing",
    "a piece captures by moving onto an enemy piece, and cannot move onto one of its own side",
);

pub(super) const SIBLINGS_TOGETHER: RuleText = Section::Play.rule(
    "siblings-together",
    "Siblings stay in company",
    "a Sibling must end beside another piece of its side, in any direction",
);
