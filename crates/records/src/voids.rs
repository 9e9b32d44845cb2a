//! Counts the void attempts at games and answers, over any number of resumed runs and shards. A void is nobody's fault
//! in the rules, and nothing here decides a result; but `tournament/voids` finds the agents that are in many of them.

use std::collections::HashSet;
use std::fs;

use serde::{Deserialize, Serialize};

use super::files::{UNFINISHED, entries_of, write_whole};
use super::reading::read;
use super::{LadderGame, Manifest, RecordError, RunFolder, RunKind, SCHEMA};

pub(super) const VOIDS: &str = "voids";

/// What failed in a void.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VoidBlame {
    /// A machine, or this program.
    #[default]
    Machine,
    /// The rules program of the game.
    Rules,
}

impl VoidBlame {
    /// Whether it is the usual one, which records leave out.
    pub const fn is_machine(&self) -> bool {
        matches!(self, Self::Machine)
    }
}

/// The void attempts at one game or answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidRecord {
    /// The version of this format, [`SCHEMA`].
    pub schema: u32,
    /// The name of the game or the answer.
    pub id: String,
    /// The names of its agents.
    pub agents: Vec<String>,
    /// The number of void attempts.
    pub times: u32,
    /// The reason of the last one.
    pub reason: String,
    /// What failed at the last one.
    #[serde(default, skip_serializing_if = "VoidBlame::is_machine")]
    pub blame: VoidBlame,
}

impl VoidRecord {
    /// Whether the rules program failed, so that no retry can help.
    pub fn is_of_rules(&self) -> bool {
        self.blame == VoidBlame::Rules
    }
}

impl RunFolder {
    /// Counts a void attempt at the game or answer `id`.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn count_void(&self, id: &str, agents: &[String], reason: &str, blame: VoidBlame) -> Result<(), RecordError> {
        let folder = self.path().join(VOIDS);
        fs::create_dir_all(&folder).map_err(|source| RecordError::Write { path: folder.clone(), source })?;
        let name = format!("{id}.json");
        // An unreadable file is replaced: only a count is lost.
        let before = read::<VoidRecord>(&folder.join(&name)).map_or(0, |before| before.times);
        let record = VoidRecord {
            schema: SCHEMA,
            id: id.to_owned(),
            agents: agents.to_vec(),
            times: before.saturating_add(1),
            reason: reason.to_owned(),
            blame,
        };
        write_whole(&folder, &name, &record)
    }

    /// Every game and answer of `manifest` that was void at least once, by name, without unreadable files.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`] if the folder cannot be listed.
    pub fn voids(&self, manifest: &Manifest) -> Result<Vec<VoidRecord>, RecordError> {
        let entries = entries_of(&self.path().join(VOIDS))?;
        let games = manifest.games.iter().map(|pairing| pairing.id.as_str());
        let answers = manifest.answers.iter().map(|asked| asked.id.as_str());
        let known: HashSet<&str> = games.chain(answers).collect();
        let whole = entries.iter().filter(|entry| !entry.file_name().to_string_lossy().starts_with(UNFINISHED));
        let records = whole.filter_map(|entry| read::<VoidRecord>(&entry.path()).ok());
        // A ladder does not list the games that it has planned.
        let is_of_ladder = |id: &str| manifest.kind == RunKind::Ladder && id.parse::<LadderGame>().is_ok();
        let is_known = |record: &VoidRecord| known.contains(record.id.as_str()) || is_of_ladder(&record.id);
        let mut records: Vec<VoidRecord> = records.filter(is_known).collect();
        records.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(records)
    }
}
