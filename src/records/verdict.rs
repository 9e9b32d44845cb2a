//! How a game ended, as one value that cannot contradict itself.

use serde::{Deserialize, Serialize};

use crate::games::{self, Score, Side};
use crate::protocol::{Finding, Refusal, deserialize_plain};
use crate::seat::Exceeded;
use crate::time::{CpuTime, WallTime};

/// How a game ended and who has won it.
///
/// There is no verdict for a game that broke through our own fault: such a game is void and leaves no record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "result")]
pub enum Verdict {
    /// Won on the board.
    Won {
        /// Who has won.
        winner: Side,
        /// What the board shows.
        by: WinReason,
    },
    /// A draw on the board; the rules of the game may still give it to one side.
    Drawn {
        /// Why it is a draw.
        by: Draw,
        /// Whom it is given to.
        decided: Decided,
    },
    /// Lost at once by something other than the board.
    Forfeit {
        /// Who has lost.
        loser: Side,
        /// What it did.
        fault: Fault,
    },
}

impl Verdict {
    /// Who has won the game; `None` for a true draw.
    pub const fn winner(&self) -> Option<Side> {
        match self {
            Self::Won { winner, .. } => Some(*winner),
            Self::Drawn { decided, .. } => decided.winner(),
            Self::Forfeit { loser, .. } => Some(loser.other()),
        }
    }
}

/// What a won board shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum WinReason {
    /// The loser has no piece left.
    NoPieces,
    /// The loser has pieces but no legal move on its turn.
    NoMoves,
    /// The winner has reached what only this game is won by.
    Goal {
        /// The name of the goal.
        goal: String,
    },
    /// The winner has the higher score.
    HigherScore {
        /// The winner's score, with its bonus where it has one.
        winner: Score,
        /// The loser's score, with its bonus where it has one.
        loser: Score,
    },
}

impl From<games::Win> for WinReason {
    fn from(win: games::Win) -> Self {
        match win {
            games::Win::NoPieces => Self::NoPieces,
            games::Win::NoMoves => Self::NoMoves,
            games::Win::Goal(goal) => Self::Goal {
                goal: goal.code.to_owned(),
            },
            games::Win::HigherScore { winner, loser } => Self::HigherScore { winner, loser },
        }
    }
}

/// Why a game is a draw on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Draw {
    /// Neither side can move.
    Blocked,
    /// The side to move cannot move.
    NoMoves,
    /// Neither side can move and the scores are equal.
    EqualScores {
        /// The score of either side.
        each: Score,
    },
    /// So many turns in a row passed without progress.
    IdleTurns {
        /// How many.
        turns: u32,
    },
    /// The same placement of all pieces has occurred so often.
    Repetition {
        /// How often.
        times: u32,
    },
    /// The game reached the turn limit.
    TurnLimit {
        /// The limit.
        turns: u32,
    },
}

/// To whom a draw on the board is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum Decided {
    /// The side with more remaining play time wins.
    Time {
        /// Who that is.
        winner: Side,
        /// By how much.
        #[serde(rename = "margin_cpu_us")]
        margin: CpuTime,
    },
    /// The remaining times are equal too, and the rules then prefer the side that moved second.
    SecondMove {
        /// Who that is.
        winner: Side,
    },
    /// The remaining times are equal too, and the side with more pieces wins.
    Pieces {
        /// Who that is.
        winner: Side,
        /// How many it has.
        pieces: u32,
        /// How many the other side has.
        against: u32,
    },
    /// Nobody: a true draw.
    Nobody,
    /// Nobody, because a person played without a clock: there are no times to compare.
    NoClock,
}

impl Decided {
    /// Who wins the draw, if anybody does.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Time { winner, .. } | Self::SecondMove { winner } | Self::Pieces { winner, .. } => Some(winner),
            Self::Nobody | Self::NoClock => None,
        }
    }
}

/// The ways to lose that are the agent's own fault (RULES.md, section 1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Fault {
    /// Its remaining play time reached zero.
    OutOfTime {
        /// What its clock had left before the run.
        #[serde(rename = "left_cpu_us")]
        left: CpuTime,
        /// What the run was charged.
        #[serde(rename = "charged_cpu_us")]
        charged: CpuTime,
    },
    /// A move took longer than a single move may.
    OutOfMoveTime {
        /// The most that a move may take.
        #[serde(rename = "limit_cpu_us")]
        limit: CpuTime,
        /// What the run was charged.
        #[serde(rename = "charged_cpu_us")]
        charged: CpuTime,
    },
    /// It did not return before the wall-clock guard ran out.
    NeverReturned {
        /// The guard.
        #[serde(rename = "guard_wall_us")]
        wall_limit: WallTime,
    },
    /// It passed a limit and left no valid answer.
    LimitExceeded {
        /// Which, and by how much.
        limit: Exceeded,
    },
    /// The system could not start it.
    NotStarted {
        /// What the system said.
        #[serde(deserialize_with = "deserialize_plain")]
        error: String,
    },
    /// It left no `output.txt`.
    NoOutput {
        /// A file whose name differs in letter case alone.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "deserialize_plain"
        )]
        lookalike: Option<String>,
    },
    /// What it left under the name `output.txt` cannot be read as a text.
    UnusableOutput {
        /// What it is, in words.
        #[serde(deserialize_with = "deserialize_plain")]
        found: String,
    },
    /// Its `output.txt` is empty.
    EmptyOutput,
    /// Its `output.txt` is not in the format of the handout.
    WrongFormat {
        /// Where and what.
        finding: Finding,
    },
    /// Its move is well formed but illegal.
    IllegalMove {
        /// Where and why.
        finding: Finding,
    },
    /// It resigned, as people may.
    Resigned,
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Empty => Self::EmptyOutput,
            Refusal::Format(finding) => Self::WrongFormat { finding },
            Refusal::Illegal(finding) => Self::IllegalMove { finding },
        }
    }
}
