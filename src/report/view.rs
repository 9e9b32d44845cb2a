//! What a report shows: plain data, in the form in which the page holds it.
//!
//! Agents are named once and known by their index. The games are told of in a line each; their turns are a
//! [`ReplayView`] each, apart from the [`PageView`], since there may be thousands of which a reader looks at three.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::games::{self, Shape, Side, Surface};
use crate::records::{FaultKind, PerSide};

/// The version of the view model.
pub const VIEW_SCHEMA: u32 = 2;

/// Everything that a page shows at once.
#[derive(Clone, Debug, Serialize)]
pub struct PageView {
    /// The version of this format, [`VIEW_SCHEMA`].
    pub schema: u32,
    /// What was played: the title of the assignment, or the game.
    pub title: String,
    /// The name of the run's folder; only where everything is told.
    pub run: Option<String>,
    /// Whose page it is, where it is one agent's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The conditions and the machine.
    pub facts: Vec<Fact>,
    /// How many games the run has in all; those that are finished are in [`Self::games`].
    pub planned: usize,
    /// How the board of the game looks.
    pub board: Board,
    /// All agents, by their rank. On an agent's own page: that one, and the names of those whom it has met.
    pub agents: Vec<AgentView>,
    /// Who has won the competition, by their indices: one, several together, or nobody yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub winners: Vec<usize>,
    /// What the ranks go by and what the first move was worth, in sentences.
    pub remarks: Vec<String>,
    /// The rounds of a competition; empty where there are none.
    pub rounds: Vec<RoundView>,
    /// How the rounds are drawn where who loses is out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brackets: Vec<BracketView>,
    /// The points of a grading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grades: Option<Grades>,
    /// Submissions that could not take part.
    pub rejected: Vec<Rejected>,
    /// All finished games, and those that go on where a page is shown while they are played.
    pub games: Vec<GameView>,
}

/// One condition of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is: `clock`, `host`.
    pub name: &'static str,
    /// How it was, in words.
    pub value: String,
}

/// How the board of a game is drawn.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// The game's name without its variant.
    pub game: &'static str,
    /// How many squares a row has, and how many rows there are.
    pub size: usize,
    /// Whether a jump captures what it goes over.
    pub captures: bool,
    /// What the pieces stand on.
    pub surface: Surface,
    /// The labels below the columns, from the left.
    pub columns: &'static [&'static str],
    /// The labels beside the rows, from the top.
    pub rows: &'static [&'static str],
    /// The names of the squares as moves write them, row by row from the top.
    pub squares: Vec<String>,
    /// The squares of the camps, where the game has such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camps: Option<Camps>,
    /// What the letters of a board stand for.
    pub pieces: BTreeMap<char, PieceView>,
    /// The game's words for the sides.
    pub sides: SideWords,
}

/// The indices of the squares of each side's own camp.
pub type Camps = PerSide<Vec<usize>>;

/// The game's words for its two sides, within a sentence: `black`, `X`.
pub type SideWords = PerSide<&'static str>;

/// How a piece looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// Whose it is.
    pub side: Side,
    /// The letter that people know it by.
    pub letter: char,
    /// What it is called, where a side has several kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<&'static str>,
    /// What is drawn.
    pub shape: Shape,
}

impl From<&games::PieceLook> for PieceView {
    fn from(look: &games::PieceLook) -> Self {
        Self {
            side: look.side,
            letter: look.shown,
            word: look.word,
            shape: look.shape,
        }
    }
}

/// One agent.
#[derive(Clone, Debug, Serialize)]
pub struct AgentView {
    /// What it is called here, fit to be shown.
    pub name: String,
    /// What it is there for, where it does not simply take part: `reference`, `withdrawn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// What it has done, where the reader may know.
    #[serde(flatten)]
    pub record: Option<Showing>,
}

/// What an agent has done: where it stands, what it won and lost, where its time went.
#[derive(Clone, Debug, Serialize)]
pub struct Showing {
    /// Its rank, with `=` where others share it.
    pub rank: String,
    /// Its points.
    pub points: f64,
    /// Its games.
    pub games: u32,
    /// Games won.
    pub won: u32,
    /// True draws.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// What it lost by its own fault, by the kind of fault.
    pub forfeits: BTreeMap<FaultKind, u32>,
    /// Games whose result hangs on the way in which time is measured.
    pub close_calls: u32,
    /// Its strength on the Elo scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Why it has no rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unrated: Option<&'static str>,
    /// Its results against those whom it has met.
    pub against: Vec<OpponentView>,
    /// What was charged for its moves; `None` where it made none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<Spread>,
    /// How many moves were charged how much, from the quickest to the slowest, without gaps.
    pub cpu_us_bins: Vec<Bin>,
    /// What was charged for its first move, its second, and so on, on average over its games.
    pub cpu_us_by_move: Vec<u64>,
    /// What was odd about the submission.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A strength in Elo points, with the interval that covers it with a probability of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The likeliest value.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The results against one other agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OpponentView {
    /// The index of the other.
    pub agent: usize,
    /// Games won.
    pub won: u32,
    /// True draws.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

/// How numbers are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// The least.
    pub least: u64,
    /// A quarter is at most this.
    pub quarter: u64,
    /// Half is at most this.
    pub median: u64,
    /// Three quarters are at most this.
    pub three_quarters: u64,
    /// 19 of 20 are at most this.
    pub most_but_5_percent: u64,
    /// The most.
    pub most: u64,
}

/// How many of some numbers lie between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// They are at least this.
    pub from: u64,
    /// They are less than this.
    pub below: u64,
    /// How many there are.
    pub count: usize,
}

/// A round of a competition.
#[derive(Clone, Debug, Serialize)]
pub struct RoundView {
    /// Counted from 1.
    pub number: u32,
    /// Who meets whom.
    pub meetings: Vec<MeetingView>,
    /// The indices of those who meet nobody.
    pub byes: Vec<usize>,
}

/// Two agents that meet in a round.
#[derive(Clone, Debug, Serialize)]
pub struct MeetingView {
    /// The indices of the two.
    pub agents: [usize; 2],
    /// Their points from the games that are finished.
    pub points: [f64; 2],
    /// Which of the two has won, 0 or 1, once all their games are finished; `None` before, and where nothing tells.
    pub winner: Option<usize>,
    /// The names of their games, finished or not.
    pub games: Vec<String>,
}

/// Rounds as a drawing: matches in columns, joined by the ways of their players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BracketView {
    /// What it is called beside others: `winners`, `losers`, `final`; empty where there is one.
    pub title: &'static str,
    /// The number of the round of each column.
    pub columns: Vec<u32>,
    /// How many rows are needed.
    pub rows: usize,
    /// The matches, by their columns.
    pub matches: Vec<BracketMatchView>,
}

/// A place in a bracket.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BracketMatchView {
    /// The index of its column.
    pub column: usize,
    /// Its middle, in rows from the top.
    pub row: f64,
    /// What is there.
    #[serde(flatten)]
    pub slot: BracketSlot,
    /// The indices, among the matches of this bracket, of those that its players come from.
    pub from: Vec<usize>,
}

/// What a place in a bracket is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BracketSlot {
    /// The index of the round in [`PageView::rounds`], and of the meeting in it.
    Meeting([usize; 2]),
    /// The index of the agent that goes on without a game.
    Bye(usize),
}

/// A submission that could not take part.
#[derive(Clone, Debug, Serialize)]
pub struct Rejected {
    /// What it is called here.
    pub name: String,
    /// What is wrong with it.
    pub fault: String,
    /// What the compiler said, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compiler: Vec<String>,
}

/// One game in a line.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// Its name within the run.
    pub id: String,
    /// The index of the agent that plays black.
    pub black: usize,
    /// The index of the agent that plays white.
    pub white: usize,
    /// `1-0` where black won, `0-1`, `½-½`; [`GOES_ON`] where it is not finished.
    pub score: &'static str,
    /// How it ended, in a sentence.
    pub verdict: String,
    /// How many turns were taken.
    pub turns: usize,
    /// Whether it was lost by somebody's own fault.
    pub forfeit: bool,
    /// Whether the result deserves a second look.
    pub close_call: bool,
}

/// The score of a game that is not finished.
pub const GOES_ON: &str = "*";

/// The turns of one game, packed: a few strings and lists of numbers, unpacked when it is looked at.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayView {
    /// The game's name, as in [`GameView::id`].
    pub id: String,
    /// What each clock began with; `None` where the reader may not know it.
    pub play_time_us: PerSide<Option<u64>>,
    /// A letter a turn: whose it was, `b` or `w`.
    pub sides: String,
    /// The moves as they are written, a chain's jumps joined by `; `, turns joined by `|`: `-` is a pass, and nothing
    /// is an answer that was no legal move.
    pub moves: String,
    /// What was charged for each turn; 0 where the reader may not know it.
    pub charged_us: Vec<u64>,
    /// The boards, joined by `|`: the first by its difference from an empty board, each further one by its difference
    /// from the one before. A difference is a list of `PIECE:SQUARES`, joined by blanks; a piece is its letter and the
    /// height of its stack, `.` for none; a square is two digits of base 36, the index of [`Board::squares`].
    pub boards: String,
    /// Why it ended so, where that takes more than a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingView>,
    /// Why the result deserves a second look.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub close_calls: Vec<String>,
    /// What the agent whose page it is left behind, by turns from 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_behind: BTreeMap<usize, LeftBehind>,
}

/// What a program left behind on one turn, in lines.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LeftBehind {
    /// Its `output.txt`.
    pub output: Vec<String>,
    /// The end of its standard error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// What was odd without costing the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Everything about a loss by the agent's own fault.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EndingView {
    /// What happened, sentence by sentence.
    pub happened: Vec<String>,
    /// The rules by which it was lost.
    pub rules: Vec<String>,
    /// What may have been the cause.
    pub hints: Vec<String>,
    /// Some of the legal moves, and how many there were.
    pub legal: Vec<String>,
    /// How many legal moves there were.
    pub legal_count: usize,
    /// The `output.txt`, every byte visible, with carets below the place at fault: a line each.
    pub output: Vec<String>,
    /// How the program ended.
    pub program: String,
    /// The end of its standard error.
    pub stderr: Vec<String>,
}

/// The points of a class.
#[derive(Clone, Debug, Serialize)]
pub struct Grades {
    /// The parts of the grade.
    pub criteria: Vec<CriterionView>,
    /// Every student.
    pub students: Vec<Student>,
    /// Results that deserve a second look, a sentence each.
    pub review: Vec<String>,
}

/// A part of the grade.
#[derive(Clone, Debug, Serialize)]
pub struct CriterionView {
    /// Its title.
    pub title: String,
    /// What it is worth.
    pub of: String,
}

/// What one student has earned.
#[derive(Clone, Debug, Serialize)]
pub struct Student {
    /// What the student is called here.
    pub name: String,
    /// All points.
    pub points: String,
    /// What the assignment is worth.
    pub of: String,
    /// What there is to say of the submission as a whole; empty where there is nothing.
    pub state: String,
    /// The points of each part, in the order of [`Grades::criteria`].
    pub earned: Vec<String>,
    /// Every item.
    pub items: Vec<GradedItem>,
}

/// Something that points are given for.
#[derive(Clone, Debug, Serialize)]
pub struct GradedItem {
    /// What it was.
    pub title: String,
    /// What was earned of what it is worth: `2.5 of 5`, `no win`.
    pub score: String,
    /// Whether all of it was.
    pub is_earned: bool,
    /// Why.
    pub reason: String,
    /// The name of the game, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}
