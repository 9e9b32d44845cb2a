//! A task of a run that has no result yet: a game, or a question for an agent.

use referee_records::{AnswerRequest, Pairing};

/// A task of a run.
#[derive(Clone, Debug)]
pub enum PendingTask {
    /// A game is to be played.
    Game(Pairing),
    /// A question for an agent.
    Answer(AnswerRequest),
}

impl PendingTask {
    /// The name of the game or the answer.
    pub fn id(&self) -> &str {
        match self {
            Self::Game(pairing) => &pairing.id,
            Self::Answer(asked) => &asked.id,
        }
    }

    /// The names of its agents.
    pub fn agents(&self) -> Vec<String> {
        match self {
            Self::Game(pairing) => vec![pairing.black.clone(), pairing.white.clone()],
            Self::Answer(asked) => vec![asked.agent.clone()],
        }
    }

    /// Whether the agent `name` takes part in it.
    pub fn concerns(&self, name: &str) -> bool {
        self.agents().iter().any(|agent| agent == name)
    }
}
