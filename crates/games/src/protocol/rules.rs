//! The rules about the form of an answer that games share. Constants; findings refer to them, and explanations cite
//! them.

use crate::{RuleText, Section};

/// Plain text.
pub const PLAIN_TEXT: RuleText =
    Section::Formats.rule("plain-text", "plain text", "an answer is plain ASCII text without a byte order mark");

/// White space, lines and letter case.
pub const EXACT_FORMAT: RuleText = Section::Formats.rule(
    "exact-format",
    "the exact format",
    "no extra blanks, no empty lines, lines that end in LF, and letters in the case that is asked for",
);

/// The form of a line with a letter and two squares.
pub(crate) const ONE_MOVE_A_LINE: RuleText = Section::Formats.rule(
    "one-move-a-line",
    "one move per line",
    "a line is a letter, the start square and the end square of the piece, separated by one blank",
);

/// One step, or one chain of jumps.
pub(crate) const ONE_PLAY_A_TURN: RuleText = Section::Formats.rule(
    "one-play-a-turn",
    "one play a turn",
    "a play is either one step, on one line, or a chain of jumps of one piece, one jump per line",
);

/// The format as a whole.
pub const FORMAT: RuleText = Section::Formats.rule(
    "format",
    "the format of answers",
    "an answer must have exactly the format that is asked for",
);
