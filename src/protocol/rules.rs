//! The rules about the form of an answer that games share. Constants; findings refer to them, and explanations cite
//! them.

use crate::games::{RuleText, Section};

/// Plain text.
pub const PLAIN_TEXT: RuleText = Section::Formats.rule(
    "plain-text",
    "plain text",
    "`output.txt` is plain ASCII text without a byte order mark",
);

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

/// The letters of steps and jumps.
pub(crate) const STEP_AND_JUMP_LETTERS: RuleText = Section::Formats.rule(
    "step-and-jump-letters",
    "`E` and `J`",
    "a line begins with `E` for a step to an adjacent square, or with `J` for a jump over a piece",
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
    "the format of `output.txt`",
    "an answer must have exactly the format that is asked for",
);

/// One's own piece, in games of moving pieces.
pub const OWN_PIECE: RuleText = Section::Play.rule(
    "own-piece",
    "your own piece",
    "a play must start with one of your own pieces",
);

/// The end of a hop, in games of moving pieces.
pub const EMPTY_LANDING: RuleText = Section::Play.rule(
    "empty-landing",
    "an empty square",
    "a piece can only land on an empty square",
);

/// A chain of jumps.
pub const UNBROKEN_CHAIN: RuleText = Section::Play.rule(
    "unbroken-chain",
    "one piece, one chain",
    "every jump of a chain starts on the square where the previous jump ended",
);

/// A jump that captures.
pub const CAPTURING_JUMP: RuleText = Section::Play.rule(
    "capturing-jump",
    "jumping captures",
    "a jump goes over one enemy piece on an adjacent square, which leaves the board at once",
);

/// The rules as a whole.
pub const LEGALITY: RuleText = Section::Play.rule(
    "legality",
    "a legal move",
    "a move must be legal by the rules of the game",
);
