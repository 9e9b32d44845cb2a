//! What points are given for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Points, QuestionText, WinRateBands};
use crate::agents::{AgentName, AgentSpec};
use crate::time::CpuTime;

/// One `[[grade]]` of an assignment: a number of things to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// Its name, unique within the assignment, fit for file names and the headings of a CSV file: small letters, digits
    /// and single hyphens, 60 at most.
    pub name: String,
    /// Its name for people: one line.
    pub title: String,
    /// What they are worth.
    pub worth: Worth,
    /// What there is to do.
    pub kind: CriterionKind,
}

/// What the things of a criterion are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// So much for each question answered or game won; more than zero.
    Each(Points),
    /// So much for all games together, by how many of them are won.
    ByWinRate(WinRateBands),
}

impl Worth {
    /// The most that so many items can yield, if it can be written down.
    pub fn most(&self, items: u32) -> Option<Points> {
        match self {
            Self::Each(points) => points.checked_mul(items),
            Self::ByWinRate(bands) => Some(bands.most()),
        }
    }
}

/// Which games against a reference the agent begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstMoves {
    /// So many of them, at most all. [`agent_begins`] says which.
    Count(u32),
    /// Half of them; of an odd number, the lot gives one game more to the agent or to the reference, for each agent by
    /// the run's seed.
    ByLot,
}

impl FirstMoves {
    /// How many of `games` the agent begins that drew `lot`.
    pub const fn count(self, games: u32, lot: u64) -> u32 {
        match self {
            Self::Count(count) => count,
            Self::ByLot if games.is_multiple_of(2) || lot.is_multiple_of(2) => games / 2,
            Self::ByLot => games / 2 + 1,
        }
    }
}

/// What an agent has to do for its points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CriterionKind {
    /// Answer single positions with any legal move, well formed and in time.
    SingleMoves {
        /// The folder: every `*.txt` in it is an `input.txt` of the game.
        positions: PathBuf,
        /// How much time there is for each move, whatever the position's own file says.
        time: CpuTime,
    },
    /// Win whole games.
    Games {
        /// Whom to beat.
        opponent: AgentSpec,
        /// What the opponent is called.
        opponent_name: AgentName,
        /// Which of the games the agent begins.
        first_move: FirstMoves,
        /// The play time of either side, one for each game; never empty.
        play_times: Vec<CpuTime>,
        /// What a game is worth that is drawn on the board.
        drawn: DrawWorth,
    },
    /// Give the one right answer to each of many inputs.
    Cases {
        /// Where the inputs and the answers come from.
        cases: CaseSource,
        /// How much time there is for each answer.
        time: CpuTime,
    },
}

/// What a game against a reference is worth that is drawn on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawWorth {
    /// A win or nothing: the side with more time left wins it, as the handouts have it. A reference that hardly uses
    /// any time wins all of them.
    #[default]
    ByTime,
    /// Half of the points, whoever has more time left.
    Half,
    /// All of the points, whoever has more time left.
    Won,
}

/// Where the cases of a criterion come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseSource {
    /// A folder of inputs and their answers; [`read_questions`](CriterionKind::read_questions) tells which names pair.
    Folder(PathBuf),
    /// A folder of inputs, to which the answers are computed on the spot.
    Solved(PathBuf),
}

impl Criterion {
    /// The most that it can yield; `questions` are those of its folder, and count for nothing where it has games.
    pub fn max_points(&self, questions: &[QuestionText]) -> Points {
        let most = self.worth.most(self.kind.items(questions));
        most.expect("an assignment of more than a million points is refused")
    }
}

impl CriterionKind {
    /// How many things there are to do: the games, or the questions of the folder.
    pub fn items(&self, questions: &[QuestionText]) -> u32 {
        let items = match self {
            Self::Games { play_times, .. } => play_times.len(),
            Self::SingleMoves { .. } | Self::Cases { .. } => questions.len(),
        };
        u32::try_from(items).expect("reading allows 9999 of them")
    }
}

/// Whether the agent begins the game at `index`, from 0, where it begins `first_move` of `games`: they are spread as
/// evenly as can be.
///
/// ```
/// use referee::assignment::agent_begins;
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

    proptest! {
        #[test]
        fn the_agent_begins_as_many_games_as_it_should_and_evenly(games in 1_u32..200, part in 0_u32..=100) {
            let first_move = games * part / 100;
            let mut begun = 0;
            for game in 0..games {
                begun += u32::from(agent_begins(game, first_move, games));
                // Never off by a whole game from the share that is due.
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
