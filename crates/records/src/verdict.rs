//! The verdict of a game, as one value that cannot contradict itself. Plain data; only `referee` makes it, and
//! everything else reads it.

use serde::{Deserialize, Serialize};

use referee_games::protocol::{Finding, Refusal, deserialize_plain};
use referee_games::{self as games, BoardDraw, HistoryDraw, Score, Side};
use referee_seat::Exceeded;
use referee_time::{CpuTime, WallTime};

/// The result of a game, with its reason.
///
/// A game that failed through our own fault has no verdict: it is void and leaves no record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "result")]
pub enum Verdict {
    /// Won on the board.
    Won {
        /// The winner.
        winner: Side,
        /// The reason.
        by: WinReason,
    },
    /// A draw on the board; the rules of the game may still award it to a side.
    Drawn {
        /// The reason.
        by: Draw,
        /// The side that it is awarded to.
        decided: DrawAward,
    },
    /// Lost by a fault.
    Forfeit {
        /// The loser.
        loser: Side,
        /// The fault.
        fault: Fault,
    },
}

impl Verdict {
    /// The winner; `None` for a true draw.
    pub const fn winner(&self) -> Option<Side> {
        match self {
            Self::Won { winner, .. } => Some(*winner),
            Self::Drawn { decided, .. } => decided.winner(),
            Self::Forfeit { loser, .. } => Some(loser.other()),
        }
    }

    /// The side that lost on the board; `None` for a draw, whoever it was awarded to, and for a fault.
    pub const fn loser_on_board(&self) -> Option<Side> {
        match self {
            Self::Won { winner, .. } => Some(winner.other()),
            Self::Drawn { .. } | Self::Forfeit { .. } => None,
        }
    }

    /// Whether a person resigned, so that the last turn has no move.
    pub const fn is_resigned(&self) -> bool {
        matches!(self, Self::Forfeit { fault: Fault::Resigned, .. })
    }
}

/// Why a game is won on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum WinReason {
    /// The loser has no piece left.
    NoPieces,
    /// The loser has pieces but no legal move on its turn.
    NoMoves,
    /// The winner has reached a goal particular to this game.
    Goal {
        /// The name of the goal.
        goal: String,
    },
    /// The winner has the higher score.
    HigherScore {
        /// The winner's score, including any bonus.
        winner: Score,
        /// The loser's score, including any bonus.
        loser: Score,
    },
}

impl From<games::BoardWin> for WinReason {
    fn from(win: games::BoardWin) -> Self {
        match win {
            games::BoardWin::NoPieces => Self::NoPieces,
            games::BoardWin::NoMoves => Self::NoMoves,
            games::BoardWin::Goal(goal) => Self::Goal { goal: goal.code.to_owned() },
            games::BoardWin::HigherScore { winner, loser } => Self::HigherScore { winner, loser },
        }
    }
}

/// Why a game is a draw on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[strum(serialize_all = "kebab-case")]
pub enum Draw {
    /// Neither side can move.
    Blocked,
    /// The side to move cannot move.
    NoMoves,
    /// Neither side can move and the scores are equal.
    EqualScores {
        /// The score of each side.
        each: Score,
    },
    /// A reason particular to this game.
    Reason {
        /// The name of the reason.
        reason: String,
    },
    /// This many consecutive turns without progress.
    IdleTurns {
        /// The number.
        turns: u32,
    },
    /// The same placement of all pieces occurred this often.
    Repetition {
        /// The number.
        times: u32,
    },
    /// The game reached the turn limit.
    TurnLimit {
        /// The limit.
        turns: u32,
    },
}

impl Draw {
    /// The name in records, or the game's own reason: `blocked`, `no-moves`, ...
    pub fn word(&self) -> &str {
        match self {
            Self::Reason { reason } => reason,
            Self::Blocked
            | Self::NoMoves
            | Self::EqualScores { .. }
            | Self::IdleTurns { .. }
            | Self::Repetition { .. }
            | Self::TurnLimit { .. } => self.into(),
        }
    }
}

impl From<HistoryDraw> for Draw {
    fn from(draw: HistoryDraw) -> Self {
        match draw {
            HistoryDraw::IdleTurns { turns } => Self::IdleTurns { turns },
            HistoryDraw::Repetition { times } => Self::Repetition { times },
            HistoryDraw::TurnLimit { turns } => Self::TurnLimit { turns },
        }
    }
}

impl From<BoardDraw> for Draw {
    fn from(draw: BoardDraw) -> Self {
        match draw {
            BoardDraw::Blocked => Self::Blocked,
            BoardDraw::NoMoves => Self::NoMoves,
            BoardDraw::EqualScores { each } => Self::EqualScores { each },
            BoardDraw::Reason(reason) => Self::Reason { reason: reason.code.to_owned() },
        }
    }
}

/// The side to which a draw on the board is awarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum DrawAward {
    /// The side with more remaining play time wins.
    Time {
        /// The side.
        winner: Side,
        /// The difference.
        #[serde(rename = "margin_cpu_us")]
        margin: CpuTime,
    },
    /// The remaining times are equal, and the rules prefer the side that moved second.
    SecondMove {
        /// The side.
        winner: Side,
    },
    /// The remaining times are equal, and the side with more pieces wins.
    Pieces {
        /// The side.
        winner: Side,
        /// The number of its pieces.
        pieces: u32,
        /// The number of the other side's pieces.
        against: u32,
    },
    /// Nobody: a true draw.
    Nobody,
    /// Nobody, because a person played without a clock: there are no times to compare.
    NoClock,
}

impl DrawAward {
    /// The winner of the draw, if any.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Time { winner, .. } | Self::SecondMove { winner } | Self::Pieces { winner, .. } => Some(winner),
            Self::Nobody | Self::NoClock => None,
        }
    }
}

/// The faults by which an agent loses (RULES.md, section 1), in the order of judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::EnumDiscriminants)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[strum_discriminants(
    name(FaultKind),
    doc = "The kind of a [`Fault`], without details. Its name is that in records: `out-of-time`, ...",
    derive(PartialOrd, Ord, Hash, Serialize, Deserialize),
    derive(strum::Display, strum::IntoStaticStr, strum::VariantArray),
    serde(rename_all = "kebab-case"),
    strum(serialize_all = "kebab-case")
)]
pub enum Fault {
    /// Its remaining play time reached zero.
    OutOfTime {
        /// The clock before the run.
        #[serde(rename = "left_cpu_us")]
        left: CpuTime,
        /// The charge of the run.
        #[serde(rename = "charged_cpu_us")]
        charged: CpuTime,
        /// Whether it was still computing, and was killed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        still_computing: bool,
    },
    /// A move took longer than the limit for a single move.
    OutOfMoveTime {
        /// The limit.
        #[serde(rename = "limit_cpu_us")]
        limit: CpuTime,
        /// The charge of the run.
        #[serde(rename = "charged_cpu_us")]
        charged: CpuTime,
        /// Whether it was still computing, and was killed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        still_computing: bool,
    },
    /// It did not return within the wall-clock limit.
    NeverReturned {
        /// The limit.
        #[serde(rename = "wall_limit_us")]
        wall_limit: WallTime,
    },
    /// It exceeded a limit and left no valid answer.
    LimitExceeded {
        /// The limit and the excess.
        limit: Exceeded,
    },
    /// The system could not start it.
    NotStarted {
        /// The system's error.
        #[serde(deserialize_with = "deserialize_plain")]
        error: String,
    },
    /// It left no `output.txt`.
    NoOutput {
        /// A file whose name differs only in letter case.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_plain")]
        lookalike: Option<String>,
    },
    /// It ended, or closed its standard output, without an answer there ([`Protocol::Stdio`](referee_seat::Protocol)).
    NoAnswer,
    /// It wrote to standard output before it was asked.
    Unasked {
        /// The beginning of what it wrote, quoted.
        #[serde(deserialize_with = "deserialize_plain")]
        found: String,
    },
    /// Its `output.txt` is not a readable text.
    UnusableOutput {
        /// A description of it.
        #[serde(deserialize_with = "deserialize_plain")]
        found: String,
    },
    /// Its `output.txt` is empty.
    EmptyOutput,
    /// Its `output.txt` is not in the format of the handout.
    WrongFormat {
        /// The place and the fault.
        finding: Finding,
    },
    /// Its move is well formed but illegal.
    IllegalMove {
        /// The place and the reason.
        finding: Finding,
    },
    /// It resigned, which only people may.
    Resigned,
}

impl Fault {
    /// The kind of this fault.
    pub fn kind(&self) -> FaultKind {
        self.into()
    }

    /// What is wrong with the answer, if that was read.
    pub const fn finding(&self) -> Option<&Finding> {
        if let Self::WrongFormat { finding } | Self::IllegalMove { finding } = self { Some(finding) } else { None }
    }
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
