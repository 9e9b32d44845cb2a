//! The view model of a report: plain data, as the page contains it. `assemble` makes it, and `assets/view.d.ts`
//! declares the same types.
//!
//! Agents are named once and referred to by index. Each game has one line here; its turns are a separate
//! [`ReplayView`], since there may be thousands, of which a reader opens three.

use std::collections::BTreeMap;

use serde::Serialize;

use super::analysis::AnalysisView;
use super::losses::LossesView;
use referee_games::{self as games, BoardSurface, Shape, Side, SideColour};
use referee_matches::tournament::HeadToHead;
use referee_records::PerSide;

/// The version of the view model.
pub const VIEW_SCHEMA: u32 = 2;

/// The data of a page, except the turns.
#[derive(Clone, Debug, Serialize)]
pub struct PageView {
    /// The version of this format, [`VIEW_SCHEMA`].
    pub schema: u32,
    /// The title of the assignment, or the game.
    pub title: String,
    /// The name of the run's folder; only with real names.
    pub run: Option<String>,
    /// The agent whose own page it is, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The conditions and the machine.
    pub facts: Vec<Fact>,
    /// The total number of games; the finished ones are in [`Self::games`].
    pub planned: usize,
    /// The look of the board.
    pub board: Board,
    /// All agents by rank. On an agent's own page: this agent, and the names of its opponents.
    pub agents: Vec<AgentView>,
    /// The winners of the competition, by index: one, several, or none yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub winners: Vec<usize>,
    /// The columns of the standings.
    pub columns: Vec<ColumnView>,
    /// The criteria of the ranks, the value of the first move, and how certain ranks and ratings are, in sentences.
    pub remarks: Vec<String>,
    /// The rounds of a competition; empty where there are none.
    pub rounds: Vec<RoundView>,
    /// The drawings of an elimination.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brackets: Vec<BracketView>,
    /// The points of a grading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grades: Option<Grades>,
    /// The standings of a ladder, whose agents are versions of its participants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ladder: Option<LadderView>,
    /// Rejected submissions.
    pub rejected: Vec<RejectedView>,
    /// What the analyzed games that were lost have in common; only on a page for the staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub losses: Option<LossesView>,
    /// All finished games, and running ones on a live page; of a ladder the latest ones, newest first.
    pub games: Vec<GameView>,
    /// Which games have no result, or a record that cannot be shown, and why: one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A column of the standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnView {
    /// Its heading.
    pub title: &'static str,
    /// Whether it is left out while it is 0 for all agents.
    pub rare: bool,
}

/// A condition of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Its name: `clock`, `host`.
    pub name: &'static str,
    /// Its value, in words.
    pub value: String,
}

/// The look of a game's board.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// The game's name without its variant.
    pub game: &'static str,
    /// Whether jumps capture.
    pub captures: bool,
    /// The text between the squares of a move.
    pub separator: &'static str,
    /// The side at the bottom, if the sides start opposite each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<Side>,
    /// The surface.
    pub surface: BoardSurface,
    /// The labels below the columns, from the left.
    pub columns: &'static [&'static str],
    /// The labels beside the rows, from the top.
    pub rows: &'static [&'static str],
    /// The names of the squares in moves, row by row from the top.
    pub squares: Vec<String>,
    /// The squares of the camps, if the game has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camps: Option<Camps>,
    /// The meaning of the letters on a board.
    pub pieces: BTreeMap<char, PieceView>,
    /// The game's words for the sides.
    pub sides: SideWords,
    /// Their colours, if other than dark and light.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colours: Option<PerSide<SideColour>>,
}

/// The indices of the squares of each side's own camp.
pub(super) type Camps = PerSide<Vec<usize>>;

/// The game's words for its two sides, within a sentence: `black`, `X`.
pub(super) type SideWords = PerSide<&'static str>;

/// The look of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// Its side; a sign of neither side is drawn as its letter alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Its usual letter.
    pub letter: char,
    /// Its name, if a side has several kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<&'static str>,
    /// Its shape.
    pub shape: Shape,
}

impl From<&games::PieceLook> for PieceView {
    fn from(look: &games::PieceLook) -> Self {
        Self { side: look.side, letter: look.shown, word: look.word, shape: look.shape }
    }
}

/// One agent.
#[derive(Clone, Debug, Serialize)]
pub struct AgentView {
    /// The shown name, escaped.
    pub name: String,
    /// Its role, unless it simply takes part: `reference`, `withdrawn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// Its results, if the reader may know them.
    #[serde(flatten)]
    pub record: Option<AgentResults>,
}

/// The results of an agent: its rank, its wins and losses, its use of time.
#[derive(Clone, Debug, Serialize)]
pub struct AgentResults {
    /// Its rank, with `=` if shared; of a version of a ladder by rating among all versions, `–` without one.
    pub rank: String,
    /// The ranks that its strength may have, at 95 %: `3`, `3–9`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plausible_ranks: Option<String>,
    /// Its points.
    pub points: f64,
    /// Its cell in each of [`PageView::columns`], `–` where there is nothing.
    pub cells: Vec<String>,
    /// Its games.
    pub games: u32,
    /// Games won.
    pub won: u32,
    /// True draws.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Its close calls.
    pub close_calls: u32,
    /// Its rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Why it has no rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unrated: Option<&'static str>,
    /// Its results against its opponents.
    pub against: Vec<OpponentView>,
    /// The distribution of its charges per move; `None` without moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<Distribution>,
    /// The number of moves by charge, from fast to slow, without gaps.
    pub cpu_us_bins: Vec<Bin>,
    /// The mean charge of its first move, its second, and so on.
    pub cpu_us_by_move: Vec<u64>,
    /// Oddities of the submission.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A strength in Elo points, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The most likely value.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of the agents that it can be compared with, from 1.
    pub group: u32,
}

/// The results against one other agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OpponentView {
    /// The index of the other agent.
    pub agent: usize,
    /// The games won, drawn and lost.
    #[serde(flatten)]
    pub results: HeadToHead,
}

/// The distribution of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Distribution {
    /// The count.
    pub count: usize,
    /// The minimum.
    pub least: u64,
    /// The first quartile.
    pub quarter: u64,
    /// The median.
    pub median: u64,
    /// The third quartile.
    pub three_quarters: u64,
    /// The 95th percentile.
    pub most_but_5_percent: u64,
    /// The maximum.
    pub most: u64,
}

/// The number of values between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The inclusive lower bound.
    pub from: u64,
    /// The exclusive upper bound.
    pub below: u64,
    /// The number.
    pub count: usize,
}

/// A round of a competition.
#[derive(Clone, Debug, Serialize)]
pub struct RoundView {
    /// Counted from 1.
    pub number: u32,
    /// The meetings.
    pub meetings: Vec<MeetingView>,
    /// The indices of the agents with a bye.
    pub byes: Vec<usize>,
}

/// Two agents that meet in a round.
#[derive(Clone, Debug, Serialize)]
pub struct MeetingView {
    /// Their indices.
    pub agents: [usize; 2],
    /// Their points from finished games.
    pub points: [f64; 2],
    /// The winner, 0 or 1, once all their games are finished; `None` before, or if undecided.
    pub winner: Option<usize>,
    /// Why the winner of a tied meeting advanced, or that both did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie_break: Option<&'static str>,
    /// The names of their games, finished or not.
    pub games: Vec<String>,
}

/// A drawing of rounds: matches in columns, joined by the paths of their players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BracketView {
    /// Its name among several: `winners`, `losers`, `final`; empty for a single one.
    pub title: &'static str,
    /// The number of the round of each column.
    pub columns: Vec<u32>,
    /// The number of rows.
    pub rows: usize,
    /// The matches, by column.
    pub matches: Vec<BracketMatchView>,
}

/// A slot in a bracket.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BracketMatchView {
    /// The index of its column.
    pub column: usize,
    /// Its centre, in rows from the top.
    pub row: f64,
    /// Its content.
    #[serde(flatten)]
    pub slot: BracketSlot,
    /// The indices, in this bracket, of the matches that its players come from.
    pub from: Vec<usize>,
}

/// The content of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BracketSlot {
    /// The index of the round in [`PageView::rounds`], and of the meeting in it.
    Meeting([usize; 2]),
    /// The index of the agent with a bye.
    Bye(usize),
}

/// The standings of a ladder.
#[derive(Clone, Debug, Serialize)]
pub struct LadderView {
    /// The number of the last pair that counts.
    pub pairs: u32,
    /// The number of the pair after which [`ParticipantView::rank_before`] was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared_with: Option<u32>,
    /// The shown name of the agent whose rating is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// How many participants are left out, because nobody names them to this reader.
    pub unnamed: usize,
    /// Those who play, best first; then those who do not.
    pub participants: Vec<ParticipantView>,
}

/// A participant of a ladder.
#[derive(Clone, Debug, Serialize)]
pub struct ParticipantView {
    /// The shown name, escaped.
    pub name: String,
    /// Whether it is its own page.
    pub is_own: bool,
    /// Its rank, from 1, if it plays and has a rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Its rank after the pair [`LadderView::compared_with`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank_before: Option<u32>,
    /// The ranks that its newest version may have, at 95 %: `3`, `3–9`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plausible_ranks: Option<String>,
    /// The number of the version that plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// Whether it has withdrawn.
    pub withdrawn: bool,
    /// How many versions were refused.
    pub refused: u32,
    /// Its versions, oldest first; only the one that plays if the reader may not know the others.
    pub versions: Vec<VersionView>,
    /// Its results against each other participant and the reference, all versions together; empty if the reader may
    /// not know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<ParticipantResults>,
    /// What it waits for, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<String>,
}

/// The results of a participant against another one.
#[derive(Clone, Debug, Serialize)]
pub struct ParticipantResults {
    /// The shown name of the other one.
    pub name: String,
    /// The games won, drawn and lost.
    #[serde(flatten)]
    pub results: HeadToHead,
}

/// A version of a participant's agent.
#[derive(Clone, Debug, Default, Serialize)]
pub struct VersionView {
    /// Counted from 1.
    pub number: u32,
    /// When it was handed in, in seconds since 1970.
    pub received_unix_s: u64,
    /// The index of its agent, if it has played games against agents on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<usize>,
    /// Its rating, compared with the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Its rated games.
    pub games: u32,
    /// Games won.
    pub won: u32,
    /// True draws.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Why it was refused, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The compiler's output, by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compiler: Vec<String>,
}

/// A rejected submission.
#[derive(Clone, Debug, Serialize)]
pub struct RejectedView {
    /// Its shown name.
    pub name: String,
    /// Its fault.
    pub fault: String,
    /// The compiler's output, by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compiler: Vec<String>,
}

/// One game in a line.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// Its shown name.
    pub id: String,
    /// The index of the agent that plays black.
    pub black: usize,
    /// The index of the agent that plays white.
    pub white: usize,
    /// `1-0` if black won, `0-1`, `½-½`; `*` if unfinished.
    pub score: &'static str,
    /// The verdict, in one sentence.
    pub verdict: String,
    /// How it ended, in a word or two: `illegal move`, `no pieces`, `draw: repetition`; empty if unfinished.
    pub ending: String,
    /// The number of turns.
    pub turns: usize,
    /// Whether it was lost by a fault.
    pub forfeit: bool,
    /// Whether the result is a close call.
    pub close_call: bool,
}

/// The turns of one game, packed into a few strings and lists, unpacked when opened.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReplayView {
    /// The game's name, as in [`GameView::id`].
    pub id: String,
    /// The clocks at the start; `None` if the reader may not know.
    pub play_time_cpu_us: PerSide<Option<u64>>,
    /// The limit for a move, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_time_cpu_us: Option<u64>,
    /// The side of each turn, `b` or `w`.
    pub sides: String,
    /// The moves as written, a chain's jumps joined by `; `, turns joined by LF: `-` is a pass, empty is an illegal
    /// answer.
    pub moves: String,
    /// The charge of each turn; 0 if the reader may not know.
    pub charged_cpu_us: Vec<u64>,
    /// The boards, joined by LF: the first as the difference from an empty board, each other one as the difference
    /// from the previous. A difference is a list of `PIECE:SQUARES`, joined by blanks; a piece is its letter and stack
    /// height, `.` for none; a square is two digits in base 36, an index in [`Board::squares`].
    pub boards: String,
    /// What stands beside each board; empty if nothing ever does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The details of the end, if a sentence is not enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingView>,
    /// What an analysis says of it, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisView>,
    /// What time had to do with it, as far as the reader may know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub time: Vec<String>,
    /// Reasons to review the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub close_calls: Vec<String>,
    /// On an agent's own page, what it left after each turn, from 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_behind: BTreeMap<usize, TurnOutput>,
}

/// What a program left after one turn, in lines.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TurnOutput {
    /// Its `output.txt`.
    pub output: Vec<String>,
    /// The end of its standard error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// Oddities that did not cost the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The details of a loss by the agent's own fault.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EndingView {
    /// What happened, one sentence each.
    pub happened: Vec<String>,
    /// The broken rules.
    pub rules: Vec<String>,
    /// Possible causes.
    pub hints: Vec<String>,
    /// Some of the legal moves.
    pub legal: Vec<String>,
    /// The number of legal moves.
    pub legal_count: usize,
    /// The line of its `output.txt` with the place at fault, escaped and cut; empty if there is none.
    pub written: String,
    /// The `output.txt`, escaped, with carets below the place at fault, by line.
    pub output: Vec<String>,
    /// How the program ended.
    pub program: String,
    /// The end of its standard error.
    pub stderr: Vec<String>,
}

/// The points of a class.
#[derive(Clone, Debug, Serialize)]
pub struct Grades {
    /// The criteria.
    pub criteria: Vec<CriterionView>,
    /// Every student.
    pub students: Vec<Student>,
    /// Results to review, one sentence each.
    pub review: Vec<String>,
}

/// A criterion of the grade.
#[derive(Clone, Debug, Serialize)]
pub struct CriterionView {
    /// Its title.
    pub title: String,
    /// Its maximum points.
    pub of: String,
}

/// The points of one student.
#[derive(Clone, Debug, Serialize)]
pub struct Student {
    /// The shown name.
    pub name: String,
    /// The total.
    pub points: String,
    /// The maximum points of the assignment.
    pub of: String,
    /// Why points are missing, in half a sentence; empty with all points.
    pub remark: String,
    /// The points of each criterion, in the order of [`Grades::criteria`].
    pub earned: Vec<String>,
    /// Every item.
    pub items: Vec<GradedItem>,
}

/// Something that earns points.
#[derive(Clone, Debug, Serialize)]
pub struct GradedItem {
    /// Its title.
    pub title: String,
    /// The earned and maximum points: `2.5 of 5`, `no win`.
    pub score: String,
    /// Whether all points were earned.
    pub is_earned: bool,
    /// The reason.
    pub reason: String,
    /// The name of the game, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The position, if it is a single move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionView>,
}

/// The position of a single move, and what was answered.
#[derive(Clone, Debug, Serialize)]
pub struct PositionView {
    /// The side to move.
    pub side: Side,
    /// The board before the answer, and after it if it is a legal move, packed as in [`ReplayView::boards`].
    pub boards: String,
    /// What stands beside the last of them.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// The legal move, as in [`ReplayView::moves`].
    #[serde(rename = "move")]
    pub mv: String,
}
