//! Questions that are put to one agent alone: a single move, or a case with one right answer.

use serde::{Deserialize, Serialize};

use super::{CloseCall, Conditions, Fault, PlayerRecord};
use crate::games::GameId;
use crate::protocol::Finding;
use crate::seat::Run;
use crate::time::CpuTime;

/// One question of a run. Every agent that is asked gets the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its name, unique within the run and fit for a file name.
    pub name: String,
    /// The whole `input.txt`.
    pub input: String,
    /// How much CPU time there is for the answer.
    #[serde(rename = "time_cpu_us")]
    pub time: CpuTime,
    /// What a right answer is.
    pub expects: Expected,
}

/// What a right answer is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// Any legal move of the position in the input.
    LegalMove,
    /// This text, however the rest of `output.txt` may be spelled as the tolerance allows.
    Text(String),
}

/// One question put to one agent: what is to be done for one answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The name of the answer within the run; also the name of its file.
    pub id: String,
    /// The agent's name within the run.
    pub agent: String,
    /// The name of the question.
    pub question: String,
}

/// One answer: everything that is needed to judge it again without the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The answer's name within its run; also the name of its file.
    pub id: String,
    /// The game and its rule set.
    #[serde(flatten)]
    pub game: GameId,
    /// Who answered.
    pub agent: PlayerRecord,
    /// What was asked.
    pub question: Question,
    /// What the clock and the reader went by; the play time is the question's.
    pub conditions: Conditions,
    /// Seconds since 1970 at which the run began.
    pub began_unix_s: u64,
    /// What was charged.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// Whether the answer is right.
    pub verdict: AnswerVerdict,
    /// What was odd about the run without costing the point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Finding>,
    /// Why the verdict deserves a second look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub close_calls: Vec<CloseCall>,
    /// Everything that the seat reported.
    pub run: Box<Run>,
}

/// Whether an answer is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum AnswerVerdict {
    /// A legal move, well formed and in time.
    Legal {
        /// The move as it would be written exactly, jumps joined by LF.
        #[serde(rename = "move")]
        mv: String,
    },
    /// The text that was expected, in time.
    Equal,
    /// A text in time, but another one.
    Different {
        /// The lines that differ, from 1.
        lines: Vec<u32>,
    },
    /// No answer that counts.
    Fault {
        /// What the agent did.
        fault: Fault,
    },
}

impl AnswerVerdict {
    /// Whether the point is earned.
    pub const fn is_right(&self) -> bool {
        match self {
            Self::Legal { .. } | Self::Equal => true,
            Self::Different { .. } | Self::Fault { .. } => false,
        }
    }
}
