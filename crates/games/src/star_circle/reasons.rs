//! The rules of Star and Circle that moves and answers may violate. `judge` and the texts refer to them, and
//! explanations cite them. The sentences follow RULES.md, which is normative.

use crate::{RuleText, Section};

pub(super) const MOVE_LINE: RuleText = Section::Formats.rule(
    "move-line",
    "the line of the move",
    "the first line is the start square, `-`, and the end square of the piece, such as `F4-H2`; the three numbers of \
     the assignment may follow, one per line",
);

pub(super) const PASS_ONLY_WHEN_STUCK: RuleText = Section::Play.rule(
    "pass-only-when-stuck",
    "no pass while there is a move",
    "a side passes if and only if none of its pieces can move; the referee then passes for it",
);

pub(super) const NO_PIECE: RuleText = Section::Referee.rule(
    "no-piece-or-move",
    "no piece",
    "the game ends when only one side has pieces, and that side has won",
);

pub(super) const HIGHER_SCORE: RuleText = Section::Referee.rule(
    "higher-score",
    "the higher score",
    "when neither side can move, each piece counts 10 points on the row where its side begins, 10 more for each row in \
     front of it, and more points win",
);

pub(super) const DARK_SQUARES: RuleText = Section::Play.rule(
    "dark-squares",
    "dark squares",
    "pieces stand and land on dark squares only: `A1` is dark, and so is every square on a diagonal with a dark one",
);

pub(super) const FORWARD_ONLY: RuleText = Section::Play.rule(
    "forward-only",
    "forward only",
    "Star goes up, towards row `H`, and Circle down, towards row `A`; a piece on its last row stays there",
);

pub(super) const DIAGONAL_MOVES: RuleText = Section::Play.rule(
    "diagonal-moves",
    "steps and jumps",
    "a step goes one square diagonally, a jump two, over an enemy piece",
);

pub(super) const EMPTY_LANDING: RuleText = Section::Play.rule(
    "empty-landing",
    "an empty square",
    "a piece can only land on an empty square or, on its last row, on pieces of its own side",
);
