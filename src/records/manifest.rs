//! The manifest of a run: who plays whom, under which conditions.

use serde::{Deserialize, Serialize};

use super::{Conditions, GameRecord, Host};
use crate::games::{GameId, Side};

/// What a run was started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The version of the program that began the run.
    pub referee: String,
    /// The game and its rule set.
    #[serde(flatten)]
    pub game: GameId,
    /// The conditions of every game.
    pub conditions: Conditions,
    /// The seed that all randomness of the run comes from.
    pub seed: u64,
    /// The agents, by their names.
    pub agents: Vec<AgentRecord>,
    /// Every game of the run.
    pub games: Vec<Pairing>,
    /// The machine that began the run.
    pub host: Host,
}

/// One agent of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRecord {
    /// Its name, unique within the run.
    pub name: String,
    /// What the user named on the command line.
    pub origin: String,
    /// The digest of its files.
    pub digest: String,
}

/// One game that is to be played: its name and the names of the two agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The game's name within the run.
    pub id: String,
    /// Who plays black.
    pub black: String,
    /// Who plays white.
    pub white: String,
    /// Who has the first turn.
    pub first: Side,
}

impl Pairing {
    /// The name of the agent that plays `side`.
    pub fn name(&self, side: Side) -> &str {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }
}

impl Manifest {
    /// Why a start with `other` would not be a start of the same run, in words; `None` where it is one.
    ///
    /// The machine, the version of the program and where the agents' files lie may differ: the digests tell whether an
    /// agent is the same.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.game != other.game {
            return Some(format!("its game is {}, not {}", self.game, other.game));
        }
        if self.seed != other.seed {
            return Some(format!("its seed is {}, not {}", self.seed, other.seed));
        }
        if self.conditions != other.conditions {
            return Some("its times, tolerance or draw rules are others".to_owned());
        }
        let agent = |manifest: &Self, index: usize| {
            manifest
                .agents
                .get(index)
                .map(|agent| (agent.name.clone(), agent.digest.clone()))
        };
        for index in 0..self.agents.len().max(other.agents.len()) {
            let (here, there) = (agent(self, index), agent(other, index));
            if here != there {
                let name = here.or(there).map(|(name, _)| name).unwrap_or_default();
                return Some(format!("its agent `{name}` has another name or other files"));
            }
        }
        (self.games != other.games).then(|| format!("it has {} games, not {}", self.games.len(), other.games.len()))
    }

    /// What `record` says that cannot be true of a game of this run.
    pub fn contradiction(&self, record: &GameRecord) -> Option<String> {
        let Some(pairing) = self.games.iter().find(|pairing| pairing.id == record.id) else {
            return Some(format!("the run has no game `{}`", record.id));
        };
        let same_player = |side: Side| {
            let player = record.players.of(side);
            let agent = self.agents.iter().find(|agent| agent.name == pairing.name(side));
            agent.is_some_and(|agent| agent.name == player.name && agent.digest == player.digest)
        };
        let parts = [
            (record.game == self.game, "another game"),
            (record.conditions == self.conditions, "other conditions"),
            (record.first == pairing.first, "another side to begin"),
            (Side::BOTH.into_iter().all(same_player), "other agents"),
        ];
        let (_, part) = parts.into_iter().find(|(same, _)| !same)?;
        Some(format!("the record has {part} than the run's manifest"))
    }
}
