//! The rules about the form of an answer that games share. Constants; findings refer to them, and explanations cite
//! them.

use crate::games::{RuleText, Section};

/// Plain text.
pub const PLAIN_TEXT: RuleText = RuleText {
    code: "plain-text",
    name: "plain text",
    sentence: "`output.txt` is plain ASCII text without a byte order mark",
    section: Section::Formats,
};

/// White space, lines and letter case.
pub const EXACT_FORMAT: RuleText = RuleText {
    code: "exact-format",
    name: "the exact format",
    sentence: "no extra blanks, no empty lines, lines that end in LF, and letters in the case of the handout",
    section: Section::Formats,
};

/// The form of a line with a letter and two squares.
pub(crate) const ONE_MOVE_A_LINE: RuleText = RuleText {
    code: "one-move-a-line",
    name: "one move per line",
    sentence: "a line is a letter, the start square and the end square of the piece, separated by one blank",
    section: Section::Formats,
};

/// The letters of steps and jumps.
pub(crate) const STEP_AND_JUMP_LETTERS: RuleText = RuleText {
    code: "step-and-jump-letters",
    name: "`E` and `J`",
    sentence: "a line begins with `E` for a step to an adjacent square, or with `J` for a jump over a piece",
    section: Section::Formats,
};

/// One step, or one chain of jumps.
pub(crate) const ONE_PLAY_A_TURN: RuleText = RuleText {
    code: "one-play-a-turn",
    name: "one play a turn",
    sentence: "a play is either one step, on one line, or a chain of jumps of one piece, one jump per line",
    section: Section::Formats,
};

/// The format as a whole.
pub const FORMAT: RuleText = RuleText {
    code: "format",
    name: "the format of `output.txt`",
    sentence: "an answer must have the exact format of the handout",
    section: Section::Formats,
};

/// One's own piece, in games of moving pieces.
pub const OWN_PIECE: RuleText = RuleText {
    code: "own-piece",
    name: "your own piece",
    sentence: "a play must start with one of your own pieces",
    section: Section::Play,
};

/// The rules as a whole.
pub const LEGALITY: RuleText = RuleText {
    code: "legality",
    name: "a legal move",
    sentence: "a move must be legal by the rules of the game",
    section: Section::Play,
};
