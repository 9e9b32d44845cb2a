//! Questions for a single agent: one move, or a case with one right answer; and the records of their answers. Plain
//! data: `referee` judges it, `grading` and `check` read it.

use serde::{Deserialize, Serialize};

use super::{CloseCall, Conditions, Fault, PlayerRecord};
use referee_games::GameRef;
use referee_games::protocol::Finding;
use referee_seat::Run;
use referee_time::CpuTime;

/// A question of a run. Every agent that is asked gets the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its name, unique in the run and valid as a file name.
    pub name: String,
    /// The whole `input.txt`.
    pub input: String,
    /// The CPU time for the answer.
    #[serde(rename = "time_cpu_us")]
    pub time: CpuTime,
    /// The right answers.
    pub expects: ExpectedAnswer,
}

/// The right answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExpectedAnswer {
    /// Any legal move of the position in the input.
    LegalMove,
    /// This text, within the tolerance for the spelling of `output.txt`.
    Text(String),
}

/// A question for one agent: one answer to obtain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRequest {
    /// The name of the answer in the run, and of its file.
    pub id: String,
    /// The agent's name in the run.
    pub agent: String,
    /// The name of the question.
    pub question: String,
}

/// An answer, with everything needed to judge it again without the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecord<G = GameRef> {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The answer's name in its run, and of its file.
    pub id: String,
    /// The game and its rule set; in a file, the [`GameId`](referee_games::GameId) of it.
    #[serde(flatten)]
    pub game: G,
    /// Who answered.
    pub agent: PlayerRecord,
    /// The question.
    pub question: Question,
    /// The conditions; the play time is the question's.
    pub conditions: Conditions,
    /// When the run began, in seconds since 1970.
    pub began_unix_s: u64,
    /// The charge.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// Whether the answer is right.
    pub verdict: AnswerVerdict,
    /// Oddities of the run that cost no point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Finding>,
    /// Reasons to review the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub close_calls: Vec<CloseCall>,
    /// The seat's report.
    pub run: Box<Run>,
}

impl<G> AnswerRecord<G> {
    /// The same record of `game`, which its file names.
    pub fn with_game(self, game: GameRef) -> AnswerRecord {
        AnswerRecord {
            game,
            schema: self.schema,
            id: self.id,
            agent: self.agent,
            question: self.question,
            conditions: self.conditions,
            began_unix_s: self.began_unix_s,
            charged: self.charged,
            verdict: self.verdict,
            warnings: self.warnings,
            close_calls: self.close_calls,
            run: self.run,
        }
    }
}

/// Whether an answer is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum AnswerVerdict {
    /// A legal move, well formed and in time.
    Legal {
        /// The move in exact notation, jumps joined by LF.
        #[serde(rename = "move")]
        mv: String,
    },
    /// The text that was expected, in time.
    Equal,
    /// Another text, in time.
    Different {
        /// The differing lines, from 1.
        lines: Vec<u32>,
    },
    /// No valid answer.
    Fault {
        /// The fault.
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
