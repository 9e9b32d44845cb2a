//! The gradebook: each student's points, with the reason for every lost one.
//!
//! Plain data that [`super::gradebook()`] computes. It contains facts, not sentences: [`referee_messages`], feedback
//! and exports word them.

use std::fmt;

use serde::Serialize;

use super::late::LateGrade;
use crate::assignment::{DrawPoints, LateRules, Points, WinCount, WinRateBand, WinRateBands};
use referee_games::protocol::Finding;
use referee_games::{GameRef, Side};
use referee_matches::referee::Explanation;
use referee_messages::AnalysisWords;
use referee_records::{AnswerVerdict, CloseCall, Conditions, Host, StudentIdentity, Verdict, VoidBlame};
use referee_seat::{Bytes, Isolation, Meter};
use referee_time::CpuTime;

/// The grades of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gradebook {
    /// The assignment's title.
    pub title: String,
    /// The game and its rule set.
    #[serde(flatten)]
    pub game: GameRef,
    /// The conditions of clocks, reading and draws.
    pub conditions: Conditions,
    /// The machine that started the run.
    pub host: Host,
    /// Every isolation level used in some run, the weakest first.
    pub isolation: Vec<Isolation>,
    /// Every meter used in some run.
    pub meters: Vec<Meter>,
    /// When the last counted game or answer began, in seconds since 1970; 0 if there is none.
    pub last_began_unix_s: u64,
    /// The rules for late submissions, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateRules>,
    /// The criteria, in the order of the assignment.
    pub criteria: Vec<CriterionHead>,
    /// All students, by name.
    pub students: Vec<StudentGrade>,
    /// Results that decided a point and should be reviewed.
    pub review: Vec<Review>,
}

/// A criterion of the grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CriterionHead {
    /// Its name in the assignment file, valid as a column header.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// Its maximum points.
    pub of: Points,
    /// The number of its items.
    pub items: u32,
    /// The common worth of its games, if they are not counted separately. Each game is then an item of zero points, and
    /// one more item has the points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_win_rate: Option<WinRateBands>,
    /// The worth of a game drawn on the board, if the items are games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<DrawPoints>,
}

/// The grade of one student.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudentGrade {
    /// The student's name, unique in the gradebook.
    pub name: String,
    /// The name of the submission in the run, which is also the student's unless a group shares it.
    pub submission: String,
    /// Who the student is.
    #[serde(flatten)]
    pub identity: StudentIdentity,
    /// The grader's argument.
    pub origin: String,
    /// The state of the grading.
    pub state: GradingState,
    /// The sum of all criteria, less the penalty for lateness.
    pub points: Points,
    /// The lateness; `None` without rules for it, and if nothing was handed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateGrade>,
    /// The maximum points of the assignment.
    pub of: Points,
    /// The items of each criterion, in the order of [`Gradebook::criteria`].
    pub criteria: Vec<Vec<GradebookItem>>,
    /// Oddities of the submission that cost no point.
    pub remarks: Vec<String>,
}

/// The state of a submission's grading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum GradingState {
    /// Every item has been played or asked.
    Graded,
    /// Some items are missing.
    Unfinished {
        /// Their number.
        missing: u32,
    },
    /// It could not take part through its own fault, and has no points.
    Rejected {
        /// The fault and a remedy.
        fault: Finding,
        /// The compiler's output, if any.
        compiler_output: Option<String>,
    },
}

/// Something that earns points: a move, a case, a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GradebookItem {
    /// The name of its record.
    pub id: String,
    /// Its title: `02-forced-jump`, `game 3 of 9, minimax, first move, 100 s`.
    pub title: String,
    /// Its maximum points.
    pub of: Points,
    /// The earned points.
    pub points: Points,
    /// Its result.
    #[serde(flatten)]
    pub state: ItemState,
}

/// The result of an item.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "item")]
pub enum ItemState {
    /// Not yet played or asked; for a rejected submission it never will be.
    Missing,
    /// A single move or a case.
    Answer(Box<AnswerItem>),
    /// A game.
    Game(Box<GameItem>),
    /// The common points of all games of a criterion.
    WinRate(WinRateItem),
}

/// The points of a criterion with a win rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WinRateItem {
    /// The games won, of all.
    #[serde(flatten)]
    pub wins: WinCount,
    /// The number of unplayed games.
    pub missing: u32,
    /// The band of the win rate; `None` below the lowest.
    pub band: Option<WinRateBand>,
}

/// An answered single move or case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerItem {
    /// Whether the answer is right.
    pub verdict: AnswerVerdict,
    /// The input.
    pub input: String,
    /// The only right answer, if there is only one.
    pub expected: Option<String>,
    /// The bytes of `output.txt`, if it exists.
    pub got: Option<Bytes>,
    /// What `output.txt` is instead of a readable file: `a directory`, `a file of 10000000 bytes, ...`.
    #[serde(skip)]
    pub found: Option<String>,
    /// The charge.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// The last lines of the program's standard error, safe on a terminal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// The explanation of a lost single move.
    pub explanation: Option<Box<Explanation>>,
    /// Oddities that cost no point.
    pub warnings: Vec<Finding>,
    /// Reasons to review the verdict.
    pub close_calls: Vec<CloseCall>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameItem {
    /// The student's side.
    pub side: Side,
    /// The side with the first turn.
    pub first: Side,
    /// The opponent's name.
    pub opponent: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Its worth for having been drawn on the board; `None` if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<DrawPoints>,
    /// The number of turns.
    pub turns: u32,
    /// The student's clock at the start.
    #[serde(rename = "play_time_cpu_us")]
    pub play_time: CpuTime,
    /// The total charge of the student's agent.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// The last turns, at most six.
    pub last_turns: Vec<FinalTurn>,
    /// The explanation, if the student did not win.
    pub explanation: Option<Box<Explanation>>,
    /// What an analysis of the game says, if there is one and the student did not win. It names the sides by their
    /// colours: the members of a group have other names than their submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisWords>,
    /// What time had to do with the student's loss, if anything; the sides are named as in [`Self::analysis`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The number of warnings on the student's runs, by code.
    pub warnings: Vec<(String, u32)>,
    /// Reasons to review the result.
    pub close_calls: Vec<CloseCall>,
}

/// One of the last turns of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FinalTurn {
    /// The turn, from 1.
    pub turn: u32,
    /// The side.
    pub side: Side,
    /// The move as written, jumps joined by LF; `None` for a pass and for an illegal answer.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// What was written in the place of a legal move, in backticks; `None` for a legal move and where nothing was.
    #[serde(skip)]
    pub refused: Option<String>,
    /// The charge.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
}

/// A result that decided a point and should be reviewed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// The student.
    pub student: String,
    /// The name of the record.
    pub id: String,
    /// The worth of the item.
    pub of: Points,
    /// Whether it was earned.
    pub earned: bool,
    /// Reasons to review it.
    pub close_calls: Vec<CloseCall>,
    /// The number of repetitions, and how many of them earned the point.
    pub again: (u32, u32),
    /// Why there is no result: every attempt was void, so its points are missing but not lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<VoidItem>,
}

/// Why an item has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VoidItem {
    /// The number of attempts.
    pub times: u32,
    /// The last reason, for the grader.
    pub reason: String,
    /// What failed at the last one.
    #[serde(skip_serializing_if = "VoidBlame::is_machine")]
    pub blame: VoidBlame,
}

/// The games drawn on the board, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawnGames {
    /// Their number.
    pub games: u32,
    /// How many of them earned all points.
    pub won: u32,
}

impl DrawnGames {
    /// The drawn games among `items`.
    pub fn among<'a>(items: impl IntoIterator<Item = &'a GradebookItem>) -> Self {
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
    /// The same without the right answers of cases, for those who must not learn them.
    #[must_use]
    pub fn without_expected_answers(mut self) -> Self {
        let criteria = self.students.iter_mut().flat_map(|student| &mut student.criteria);
        for item in criteria.flatten() {
            if let ItemState::Answer(answer) = &mut item.state {
                answer.expected = None;
            }
        }
        self
    }

    /// Whether games are part of the grade.
    pub fn has_games(&self) -> bool {
        self.criteria.iter().any(|criterion| criterion.drawn.is_some())
    }
}

impl ItemState {
    /// Reasons to review it.
    pub fn close_calls(&self) -> &[CloseCall] {
        match self {
            Self::Missing | Self::WinRate(_) => &[],
            Self::Answer(answer) => &answer.close_calls,
            Self::Game(game) => &game.close_calls,
        }
    }
}

impl GradebookItem {
    /// Whether the points are earned; for a game that counts only for a win rate, whether it is won.
    pub fn is_earned(&self) -> bool {
        match self.half_wins() {
            Some(halves) => halves == 2,
            None => self.points == self.of,
        }
    }

    /// For a game that counts only for a win rate, its wins in halves; otherwise `None`.
    pub fn half_wins(&self) -> Option<u32> {
        match &self.state {
            ItemState::Game(game) if self.of == Points::ZERO => Some(game.half_wins()),
            ItemState::Missing if self.of == Points::ZERO => Some(0),
            ItemState::Game(_) | ItemState::Missing | ItemState::Answer(_) | ItemState::WinRate(_) => None,
        }
    }

    /// The earned points in words: `2.5 of 5`, or `half a win`.
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
    /// The student's wins from this game, in halves.
    pub fn half_wins(&self) -> u32 {
        half_wins(&self.verdict, self.side, self.drawn)
    }
}

/// The wins of `side` from a game, in halves; `drawn` is its worth if it was drawn on the board.
pub(super) fn half_wins(verdict: &Verdict, side: Side, drawn: Option<DrawPoints>) -> u32 {
    match drawn {
        Some(DrawPoints::Won) => 2,
        Some(DrawPoints::Half) => 1,
        Some(DrawPoints::ByTime) | None if verdict.winner() == Some(side) => 2,
        Some(DrawPoints::ByTime) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_records::{Draw, DrawAward};

    #[test]
    fn a_draw_that_nobody_wins_is_worth_what_the_criterion_says() {
        let drawn = Verdict::Drawn { by: Draw::Blocked, decided: DrawAward::Nobody };
        for (worth, expected) in [(DrawPoints::ByTime, 0), (DrawPoints::Half, 1), (DrawPoints::Won, 2)] {
            assert_eq!(half_wins(&drawn, Side::Black, Some(worth)), expected, "{worth:?}");
        }
    }

    #[test]
    fn half_of_the_points_is_not_all_and_a_missing_game_is_no_win() {
        let of = Points::from_hundredths(200);
        let mut item =
            GradebookItem { id: String::new(), title: String::new(), of, points: of.half(), state: ItemState::Missing };
        assert_eq!((item.is_earned(), item.score().as_str()), (false, "1 of 2"));
        (item.of, item.points) = (Points::ZERO, Points::ZERO);
        assert_eq!((item.is_earned(), item.score().as_str()), (false, "no win"));
        let rate = WinRateItem { wins: WinCount { halves: 4, games: 3 }, missing: 1, band: None };
        assert_eq!(rate.to_string(), "2 of 3 games won, 66.66 %: no points; 1 not played yet");
    }
}
