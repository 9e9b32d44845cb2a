//! The gradebook: what every student has earned, point by point, and why not the rest.
//!
//! It holds facts, not sentences: those who show it find the words ([`crate::messages`]).

use std::fmt;

use serde::Serialize;

use crate::assignment::{Band, DrawWorth, Points, WinRateBands, Wins};
use crate::games::{GameId, Side};
use crate::protocol::Finding;
use crate::records::{AnswerVerdict, CloseCall, Conditions, Host, Verdict};
use crate::referee::Explanation;
use crate::seat::{Bytes, Isolation, Meter};
use crate::time::CpuTime;

/// The grades of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gradebook {
    /// The assignment's title.
    pub title: String,
    /// Its game and rule set.
    #[serde(flatten)]
    pub game: GameId,
    /// What clocks, readers and draw rules went by.
    pub conditions: Conditions,
    /// The machine that began the run.
    pub host: Host,
    /// Every isolation that was in force in some run, the weakest first.
    pub isolation: Vec<Isolation>,
    /// Every meter that was in force in some run.
    pub meters: Vec<Meter>,
    /// The parts of the grade, in the order of the assignment.
    pub criteria: Vec<CriterionHead>,
    /// Every student, by name.
    pub students: Vec<StudentGrade>,
    /// Results that decided a point and deserve a second look.
    pub review: Vec<Review>,
}

/// One part of the grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CriterionHead {
    /// Its name in the assignment file, fit for the heading of a column.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// What it is worth.
    pub of: Points,
    /// How many items it has.
    pub items: u32,
    /// What its games are worth together, where they are not worth points one by one. Each game is then an item of no
    /// points, and one more item has the points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_win_rate: Option<WinRateBands>,
    /// What a game is worth that is drawn on the board, where the items are games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<DrawWorth>,
}

/// What one student has earned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudentGrade {
    /// The student's name in the run.
    pub name: String,
    /// What the grader named on the command line.
    pub origin: String,
    /// How far the grading has come.
    pub state: GradingState,
    /// The sum of all parts.
    pub points: Points,
    /// What the assignment is worth.
    pub of: Points,
    /// The parts, in the order of [`Gradebook::criteria`].
    pub criteria: Vec<Vec<Item>>,
    /// What was odd about the submission without costing a point.
    pub remarks: Vec<String>,
}

/// How far the grading of a submission has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum GradingState {
    /// Every item has been played or asked.
    Graded,
    /// Some have not.
    Unfinished {
        /// How many.
        missing: u32,
    },
    /// It could not take part, by its own fault, and has no points.
    Rejected {
        /// What is wrong, and what can be done.
        fault: Finding,
        /// What the compiler said, where one was run.
        compiler_output: Option<String>,
    },
}

/// One thing that points are given for: a move, a case, a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// The name of its record.
    pub id: String,
    /// What it was, for people: `02-forced-jump`, `game 3 of 9, minimax, first move, 100 s`.
    pub title: String,
    /// What it is worth.
    pub of: Points,
    /// What was earned.
    pub points: Points,
    /// What came of it.
    #[serde(flatten)]
    pub state: ItemState,
}

/// What came of an item.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "item")]
pub enum ItemState {
    /// Not yet played or asked; or never, where the submission is rejected.
    Missing,
    /// A single move or a case.
    Answer(Box<AnswerItem>),
    /// A game.
    Game(Box<GameItem>),
    /// What all games of a part earn together.
    WinRate(WinRateItem),
}

/// The points of a part that go by its win rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WinRateItem {
    /// The games won, and all of them.
    #[serde(flatten)]
    pub wins: Wins,
    /// How many of the games have not been played yet.
    pub missing: u32,
    /// The band that the win rate is in; `None` below the lowest.
    pub band: Option<Band>,
}

/// A single move or a case that was answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerItem {
    /// Whether it is right.
    pub verdict: AnswerVerdict,
    /// What was asked.
    pub input: String,
    /// The only right answer, where there is only one.
    pub expected: Option<String>,
    /// The bytes of `output.txt`, where there was one.
    pub got: Option<Bytes>,
    /// What was charged.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// The last lines of what the program wrote to its standard error, fit for a terminal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// Why a single move was lost.
    pub explanation: Option<Box<Explanation>>,
    /// What was odd without costing the point.
    pub warnings: Vec<Finding>,
    /// Why the verdict deserves a second look.
    pub close_calls: Vec<CloseCall>,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameItem {
    /// The student's side.
    pub side: Side,
    /// Who had the first turn.
    pub first: Side,
    /// The opponent's name.
    pub opponent: String,
    /// How it ended.
    pub verdict: Verdict,
    /// What it is worth for having been drawn on the board; `None` where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<DrawWorth>,
    /// How many turns were taken.
    pub turns: u32,
    /// What the student's clock began with.
    #[serde(rename = "play_time_cpu_us")]
    pub play_time: CpuTime,
    /// What the student's agent was charged in all.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// The last turns, at most six.
    pub last_turns: Vec<FinalTurn>,
    /// How it ended in detail, where the student did not win.
    pub explanation: Option<Box<Explanation>>,
    /// How many warnings there were to the student's runs, by their codes.
    pub warnings: Vec<(String, u32)>,
    /// Why the result deserves a second look.
    pub close_calls: Vec<CloseCall>,
}

/// One of the last turns of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FinalTurn {
    /// The turn, from 1.
    pub turn: u32,
    /// Whose.
    pub side: Side,
    /// The move as written, jumps joined by LF; `None` for a pass and for an answer that was no move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// What was charged.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
}

/// A result that decided a point and deserves a second look.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// The student.
    pub student: String,
    /// The name of the record.
    pub id: String,
    /// What the item is worth.
    pub of: Points,
    /// Whether it was earned.
    pub earned: bool,
    /// Why it deserves a second look.
    pub close_calls: Vec<CloseCall>,
    /// When it was done again: how often, and how often the point was earned then.
    pub again: (u32, u32),
    /// Why there is no result: it was void whenever it was played or asked, so its points are missing and not lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<VoidItem>,
}

/// Why an item has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VoidItem {
    /// How often it was tried.
    pub times: u32,
    /// What failed the last time, for the grader.
    pub reason: String,
}

/// Games that were drawn on the board, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawnGames {
    /// How many there are.
    pub games: u32,
    /// How many of them have earned all of their points.
    pub won: u32,
}

impl DrawnGames {
    /// Those among `items`.
    pub fn among<'a>(items: impl IntoIterator<Item = &'a Item>) -> Self {
        let mut drawn = Self::default();
        for item in items {
            if matches!(&item.state, ItemState::Game(game) if game.drawn.is_some()) {
                drawn.games += 1;
                drawn.won += u32::from(item.is_earned());
            }
        }
        drawn
    }
}

impl StudentGrade {
    /// The games that were drawn on the board.
    pub fn drawn(&self) -> DrawnGames {
        DrawnGames::among(self.criteria.iter().flatten())
    }
}

impl Gradebook {
    /// Whether games are a part of the grade.
    pub fn has_games(&self) -> bool {
        self.criteria.iter().any(|criterion| criterion.drawn.is_some())
    }
}

impl Item {
    /// Whether the points are earned; of a game that only counts for a win rate, whether it is won.
    pub fn is_earned(&self) -> bool {
        match self.half_wins() {
            Some(halves) => halves == 2,
            None => self.points == self.of,
        }
    }

    /// For a game that only counts for a win rate, twice the part of a win that it is; `None` for anything else.
    pub fn half_wins(&self) -> Option<u32> {
        match &self.state {
            ItemState::Game(game) if self.of == Points::ZERO => Some(game.half_wins()),
            ItemState::Missing if self.of == Points::ZERO => Some(0),
            ItemState::Game(_) | ItemState::Missing | ItemState::Answer(_) | ItemState::WinRate(_) => None,
        }
    }

    /// What was earned, in words: `2.5 of 5`, or `half a win`.
    pub fn score(&self) -> String {
        match self.half_wins() {
            None => format!("{} of {}", self.points, self.of),
            Some(0) => "no win".to_owned(),
            Some(1) => "half a win".to_owned(),
            Some(_) => "win".to_owned(),
        }
    }
}

/// `73.5 of 100 games won, 73.5 %: 15 points x win rate from 70 % on; 2 not played yet`
impl fmt::Display for WinRateItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} won, {} %: ", self.wins, self.wins.per_cent())?;
        match &self.band {
            Some(band) => write!(f, "{band}")?,
            None => f.write_str("no points")?,
        }
        match self.missing {
            0 => Ok(()),
            missing => write!(f, "; {missing} not played yet"),
        }
    }
}

impl GameItem {
    /// Twice the part of a win that it is for the student.
    pub fn half_wins(&self) -> u32 {
        half_wins(&self.verdict, self.side, self.drawn)
    }
}

/// Twice the part of a win that a game is for the `side`, `drawn` being what it is worth if it was drawn on the board.
pub(super) fn half_wins(verdict: &Verdict, side: Side, drawn: Option<DrawWorth>) -> u32 {
    match drawn {
        Some(DrawWorth::Won) => 2,
        Some(DrawWorth::Half) => 1,
        Some(DrawWorth::ByTime) | None if verdict.winner() == Some(side) => 2,
        Some(DrawWorth::ByTime) | None => 0,
    }
}
