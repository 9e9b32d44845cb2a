//! The criteria of a grade. Plain data with arithmetic; `grading` plans and counts with it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Points, WinRateBands};
use referee_submissions::agents::{AgentName, AgentSpec};
use referee_time::CpuTime;

/// A `[[grade]]` section: a number of tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// Its unique name, valid in file names and CSV headers: lower-case letters, digits and single hyphens, at most 60.
    pub name: String,
    /// Its title: one line.
    pub title: String,
    /// The points.
    pub worth: CriterionPoints,
    /// The tasks.
    pub kind: CriterionKind,
}

/// The points of a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CriterionPoints {
    /// This many for each right answer or won game; more than zero.
    Each(Points),
    /// Points for all games together, by the win rate.
    ByWinRate(WinRateBands),
}

impl CriterionPoints {
    /// The maximum for this many items; `None` if it overflows.
    pub fn most(&self, items: u32) -> Option<Points> {
        match self {
            Self::Each(points) => points.checked_mul(items),
            Self::ByWinRate(bands) => Some(bands.most()),
        }
    }
}

/// In which games against a reference the agent has the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstMoves {
    /// In this many of them. [`agent_begins`] selects which.
    Count(u32),
    /// In half of them; of an odd number, each agent's lot from the run's seed decides about the extra game.
    ByLot,
}

impl FirstMoves {
    /// How many of `games` the agent begins with this `lot`.
    pub const fn count(self, games: u32, lot: u64) -> u32 {
        match self {
            Self::Count(count) => count,
            Self::ByLot if games.is_multiple_of(2) || lot.is_multiple_of(2) => games / 2,
            Self::ByLot => games / 2 + 1,
        }
    }
}

/// The tasks of a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CriterionKind {
    /// Answer questions in the right format and in time.
    Questions(QuestionFolder),
    /// Win whole games.
    Games {
        /// The opponent.
        opponent: AgentSpec,
        /// The opponent's name.
        opponent_name: AgentName,
        /// Which of the games the agent begins.
        first_move: FirstMoves,
        /// The play time of either side for each game; never empty.
        play_times: Vec<CpuTime>,
        /// The worth of a game drawn on the board.
        drawn: DrawPoints,
    },
}

/// The questions of a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionFolder {
    /// The folder of their texts.
    pub folder: PathBuf,
    /// Which answers are right, and thus what the folder contains.
    pub answers: RightAnswers,
    /// The time for each answer, regardless of the question's own file.
    pub time: CpuTime,
}

/// Which answers to the questions of a criterion are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightAnswers {
    /// Any legal move: every `*.txt` in the folder is an `input.txt` of the game.
    LegalMoves,
    /// The one in a file of the folder: [`QuestionFolder::read`] pairs inputs and answers by name.
    Files,
    /// The one that is computed: the folder has only inputs.
    Solver,
}

/// The worth of a game against a reference that is drawn on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawPoints {
    /// A win or nothing: the side with more time left wins it, as in the handouts. A reference that uses almost no time
    /// wins all of them.
    #[default]
    ByTime,
    /// Half of the points, regardless of time.
    Half,
    /// All of the points, regardless of time.
    Won,
}

/// A position or case of a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionText {
    /// Its unique name, valid in file names: letters, digits and `._-` of ASCII.
    pub name: String,
    /// The whole `input.txt`.
    pub text: String,
    /// The right `output.txt`, if a file contains it.
    pub expected: Option<String>,
}

impl CriterionKind {
    /// The number of items: the games, or the questions of the folder.
    pub fn items(&self, questions: &[QuestionText]) -> u32 {
        let items = match self {
            Self::Games { play_times, .. } => play_times.len(),
            Self::Questions(_) => questions.len(),
        };
        u32::try_from(items).expect("reading allows 9999 of them")
    }
}

/// Whether the agent begins the game at `index`, from 0, if it begins `first_move` of `games`, spread as evenly as
/// possible.
///
/// ```
/// use referee_course::assignment::agent_begins;
///
/// let begun: Vec<u32> = (0..9).filter(|&game| agent_begins(game, 5, 9)).collect();
/// assert_eq!(begun, [0, 2, 4, 6, 8]);
/// ```
pub fn agent_begins(index: u32, first_move: u32, games: u32) -> bool {
    let (first_move, games) = (u64::from(first_move), u64::from(games.max(1)));
    let begun_before = |index: u64| (index * first_move + games / 2) / games;
    begun_before(u64::from(index) + 1) > begun_before(index.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn games_that_the_agent_begins_are_centred() {
        let begun = |first_move, games| -> Vec<u32> {
            (0..games).filter(|&game| agent_begins(game, first_move, games)).collect()
        };
        assert_eq!(begun(1, 3), [1]);
        assert_eq!(begun(2, 9), [2, 6]);
    }

    proptest! {
        #[test]
        fn the_agent_begins_as_many_games_as_it_should_and_evenly(games in 1_u32..200, part in 0_u32..=100) {
            let first_move = games * part / 100;
            let mut begun = 0;
            for game in 0..games {
                begun += u32::from(agent_begins(game, first_move, games));
                // Always within one game of its share.
                prop_assert!((begun * games).abs_diff((game + 1) * first_move) < games);
            }
            prop_assert_eq!(begun, first_move);
        }

        #[test]
        fn a_lot_decides_about_the_odd_game_and_about_no_other(games in 0_u32..10_000, lot: u64) {
            let [drawn, other] = [lot, lot ^ 1].map(|lot| FirstMoves::ByLot.count(games, lot));
            prop_assert_eq!(drawn.abs_diff(other), games % 2);
            prop_assert_eq!(drawn + other, games);
        }
    }
}
