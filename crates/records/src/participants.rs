//! The participants of a ladder with their versions. Plain data; the manifest of a ladder contains it, and
//! `runs/ladder` changes it.

use serde::{Deserialize, Serialize};

use referee_games::protocol::Finding;

/// A participant of a ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParticipantRecord {
    /// Its name in the class, unique in the ladder.
    pub name: String,
    /// Its folder below `entries`, and the beginning of its versions' names. Stays when it is renamed.
    pub key: String,
    /// Whether it has withdrawn: it plays no more games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// Why its latest submission is no version yet, through no fault of its own: a later update takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_taken_in: Option<String>,
    /// What it has handed in, oldest first.
    pub versions: Vec<VersionRecord>,
}

/// A version of a participant's agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionRecord {
    /// Counted from 1 for each participant.
    pub number: u32,
    /// The digest of its files; `None` if they could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// When the ladder received it, in seconds since 1970.
    pub received_unix_s: u64,
    /// What became of it.
    #[serde(flatten)]
    pub admission: AdmissionRecord,
}

/// What became of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "admission")]
pub enum AdmissionRecord {
    /// It plays, unless a newer version was admitted or its participant has withdrawn.
    Admitted {
        /// Its index among the agents of the manifest.
        agent: u32,
        /// The number of pairs that the ladder had begun.
        since_pair: u32,
    },
    /// It never plays; the version before it stays.
    Refused {
        /// The fault, with a remedy for its author.
        fault: Finding,
        /// The compiler's output, if any: bounded, lossy, not escaped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        compiler_output: Option<String>,
        /// The record of the test game that it failed, below the ladder's folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trial: Option<String>,
    },
}

impl ParticipantRecord {
    /// The newest admitted version, as the index of its agent; `None` if it has withdrawn, or none was admitted.
    pub fn active(&self) -> Option<u32> {
        self.agents().last().filter(|_| !self.withdrawn)
    }

    /// The agents of its admitted versions, oldest first, as their indices in the manifest.
    pub fn agents(&self) -> impl Iterator<Item = u32> {
        self.versions.iter().filter_map(VersionRecord::agent)
    }

    /// The name of the agent of its version `number`.
    pub fn agent_name(&self, number: u32) -> String {
        format!("{} v{number}", self.key)
    }
}

impl VersionRecord {
    /// The index of its agent in the manifest, if it was admitted.
    pub const fn agent(&self) -> Option<u32> {
        match self.admission {
            AdmissionRecord::Admitted { agent, .. } => Some(agent),
            AdmissionRecord::Refused { .. } => None,
        }
    }
}
