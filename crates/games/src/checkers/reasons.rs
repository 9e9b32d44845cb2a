//! The rules of checkers that plays and answers may violate. `judge` and `texts` refer to them, and explanations cite
//! them. The sentences follow RULES.md, which is normative.

use crate::{RuleText, Section};

pub(super) const SQUARE_NAMES: RuleText = Section::Formats.rule(
    "square-names",
    "names of squares",
    "a square is its column, `a` to `h` from the left, and its row, `1` at the bottom to `8` at the top, such as `c3`",
);

pub(super) const DARK_SQUARES: RuleText = Section::Elsewhere("handout, \"Setup of the game\"").rule(
    "dark-squares",
    "dark squares",
    "pieces stand and land on dark squares only: `a1` is dark, and so is every square on a diagonal with a dark one",
);

pub(super) const DIAGONAL_MOVES: RuleText = Section::Play.rule(
    "diagonal-moves",
    "steps and jumps",
    "a step goes one square diagonally, a jump two, over an enemy piece; that holds for kings, too",
);

pub(super) const MEN_FORWARD: RuleText = Section::Play.rule(
    "men-forward",
    "men go forward",
    "a man steps and jumps forward only, black down the board and white up; a king goes both ways",
);

pub(super) const COMPULSORY_JUMP: RuleText = Section::Play.rule(
    "compulsory-jump",
    "jumps are compulsory",
    "a side that can jump must jump; it may choose which jump",
);

pub(super) const WHOLE_CHAIN: RuleText = Section::Play.rule(
    "whole-chain",
    "complete the chain",
    "a piece that has jumped must continue to jump in the same turn as long as it can",
);

pub(super) const CROWNING_ENDS_PLAY: RuleText = Section::Play.rule(
    "crowning-ends-play",
    "crowning ends the play",
    "a man that reaches the far row becomes a king there, and moves as a king from its next turn on",
);

pub(super) const NO_PIECE_OR_MOVE: RuleText = Section::Play.rule(
    "no-piece-or-move",
    "no piece or no move",
    "a side without pieces, or without a legal move on its turn, loses",
);
