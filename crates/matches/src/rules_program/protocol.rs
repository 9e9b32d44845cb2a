//! The messages between the referee and a rules program: JSON Lines, version 1. Plain data; `client` exchanges it.
//! `docs/custom-games.md` describes them for authors, `docs/schemas/rules-program.schema.json` for programs.
//!
//! A program must not need to remember anything between two questions. Bytes of agents are sent as text with one
//! character per byte (ISO 8859-1), so that any bytes can be sent.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use referee_games::{BoardSurface, DrawDecision, Shape, SideColour, SquareName};

/// The version of the protocol.
pub(super) const PROTOCOL: u32 = 1;

/// One line to the program.
#[derive(Debug, Serialize)]
pub(super) struct QuestionLine<'a> {
    pub(super) id: u64,
    #[serde(flatten)]
    pub(super) ask: RulesQuestion<'a>,
    /// Only while laws are tried: the seconds until an answer is expected. The Python module then says where it hangs,
    /// and which method changes a state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) check: Option<f64>,
}

/// What a program is asked.
#[derive(Debug, Serialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(super) enum RulesQuestion<'a> {
    /// What the game is like.
    Game { protocol: u32 },
    /// The position that a game begins with.
    Start { to_move: &'a str },
    /// Whether a whole `output.txt` is a legal move, and what follows.
    Judge { state: &'a RawValue, output: String, exact: bool },
    /// All legal moves.
    Moves { state: &'a RawValue },
    /// The positions after some legal moves.
    Next { state: &'a RawValue, moves: &'a [String] },
    /// The position after a pass that the rules ask for.
    Pass { state: &'a RawValue },
    /// The whole `input.txt`.
    Input { state: &'a RawValue, single: bool, own: String, opponent: String },
    /// What an `input.txt` says.
    ReadInput { input: String },
    /// What positions are worth to `side`.
    Evaluate { states: Vec<&'a RawValue>, side: &'a str },
}

/// One line from the program.
#[derive(Debug, Deserialize)]
pub(super) struct ReplyLine<'a> {
    pub(super) id: u64,
    #[serde(borrow)]
    pub(super) answer: Option<&'a RawValue>,
    /// What has gone wrong within the program.
    pub(super) error: Option<String>,
    /// The last place in a file of the author's.
    pub(super) place: Option<LocationAnswer>,
    /// Whether the program was too slow to answer.
    #[serde(default)]
    pub(super) hangs: bool,
}

/// Where a program has failed.
#[derive(Debug, Deserialize)]
pub(super) struct LocationAnswer {
    /// In the folder of the program.
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) function: String,
}

/// What a game is like.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    pub(super) protocol: u32,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) sides: Vec<SideAnswer>,
    pub(super) first: Option<String>,
    pub(super) board: BoardAnswer,
    pub(super) pieces: Vec<PieceAnswer>,
    #[serde(default = "blank")]
    pub(super) separator: String,
    #[serde(default)]
    pub(super) input: InputAnswer,
    pub(super) play_time: Option<f64>,
    pub(super) move_time: Option<f64>,
    #[serde(default)]
    pub(super) draws: DrawsAnswer,
    pub(super) progress: Option<String>,
    pub(super) draw_decisions: Option<Vec<DrawDecision>>,
    pub(super) typical_moves: Option<u32>,
    #[serde(default)]
    pub(super) goals: Vec<GoalAnswer>,
    #[serde(default)]
    pub(super) draw_reasons: Vec<GoalAnswer>,
    #[serde(default)]
    pub(super) rules: Vec<RuleAnswer>,
    #[serde(default)]
    pub(super) keeps_directory: bool,
    #[serde(default)]
    pub(super) reads_input: bool,
    #[serde(default)]
    pub(super) evaluates: bool,
}

fn blank() -> String {
    " ".to_owned()
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SideAnswer {
    pub(super) word: String,
    pub(super) name: Option<String>,
    pub(super) letter: Option<char>,
    pub(super) colour: Option<SideColour>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardAnswer {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<String>,
    #[serde(default)]
    pub(super) square: SquareName,
    #[serde(default)]
    pub(super) surface: BoardSurface,
    #[serde(default = "a_dot")]
    pub(super) empty: char,
}

const fn a_dot() -> char {
    '.'
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PieceAnswer {
    pub(super) letter: char,
    pub(super) side: Option<String>,
    pub(super) word: Option<String>,
    pub(super) shown: Option<char>,
    #[serde(default)]
    pub(super) shape: Shape,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputAnswer {
    pub(super) time_line: Option<u32>,
    #[serde(default)]
    pub(super) lines: usize,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawsAnswer {
    pub(super) idle_turns: Option<u32>,
    pub(super) repetitions: Option<u32>,
    pub(super) turn_limit: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalAnswer {
    pub(super) code: String,
    pub(super) sentence: String,
    pub(super) rule: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleAnswer {
    pub(super) code: String,
    pub(super) name: String,
    pub(super) sentence: String,
}

/// A position as the program tells it, and as records do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionAnswer {
    pub(super) to_move: String,
    pub(super) status: StatusAnswer,
    pub(super) board: Vec<String>,
    /// What tells the placement from others, where the board does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<String>,
    /// What people see beside the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<NoteAnswer>,
    pub(super) state: Box<RawValue>,
}

/// A few words beside the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteAnswer {
    pub(super) label: String,
    pub(super) text: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatusAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<String>,
    pub(super) kind: StatusKind,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) scores: BTreeMap<String, Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) winner: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum StatusKind {
    #[default]
    ToMove,
    MustPass,
    Won,
    Drawn,
}

/// A move, or a refusal: one of the two.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JudgeAnswer {
    #[serde(rename = "move")]
    pub(super) mv: Option<String>,
    #[serde(default)]
    pub(super) progress: bool,
    #[serde(default)]
    pub(super) warnings: Vec<FindingAnswer>,
    pub(super) next: Option<PositionAnswer>,
    pub(super) refusal: Option<RefusalAnswer>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RefusalAnswer {
    pub(super) kind: RefusalKind,
    #[serde(flatten)]
    pub(super) finding: Option<FindingAnswer>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RefusalKind {
    Empty,
    Format,
    Illegal,
}

/// Something said of an answer.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FindingAnswer {
    pub(super) code: String,
    pub(super) message: String,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
    pub(super) length: Option<u32>,
    pub(super) hint: Option<String>,
    /// How many more of the same code there are.
    #[serde(default)]
    pub(super) more: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovesAnswer {
    pub(super) moves: Vec<String>,
    pub(super) changed: Option<ChangedAnswer>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NextAnswer {
    pub(super) next: Vec<PositionAnswer>,
    pub(super) changed: Option<ChangedAnswer>,
}

/// A method that changed the state that it was given; only while laws are tried.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangedAnswer {
    pub(super) by: String,
    #[serde(rename = "move")]
    pub(super) mv: Option<String>,
    /// The state afterwards.
    pub(super) state: serde_json::Value,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextAnswer {
    pub(super) text: String,
}

/// What an `input.txt` says, or why it cannot be read: one of the two.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadInputAnswer {
    pub(super) position: Option<PositionAnswer>,
    #[serde(default)]
    pub(super) single: bool,
    pub(super) own: Option<String>,
    pub(super) opponent: Option<String>,
    pub(super) fault: Option<InputFaultAnswer>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputFaultAnswer {
    pub(super) line: usize,
    pub(super) column: Option<usize>,
    pub(super) message: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValuesAnswer {
    pub(super) values: Vec<i32>,
}

/// JSON of printable ASCII. Any other character can only stand within a text, and becomes an escape, except tabs and
/// ends of lines, which can only stand between two values, and become blanks.
pub(super) fn in_ascii(json: &str) -> Cow<'_, str> {
    if json.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(json);
    }
    let mut ascii = String::with_capacity(json.len());
    let mut units = [0; 2];
    for character in json.chars() {
        if character.is_ascii_whitespace() {
            ascii.push(' ');
        } else if character.is_ascii() && character != '\u{7f}' {
            ascii.push(character);
        } else {
            for unit in character.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    Cow::Owned(ascii)
}
