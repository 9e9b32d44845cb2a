//! Reads the voids of a run: which games have no result, and which agents were in suspiciously many. It changes no
//! result; `cli` and `console` show it after a run.
//!
//! A void game counts against nobody. But an agent that is in all void games has probably found a way to break its own
//! seat, so the organizer should know its name. A game that is void because the rules program failed makes no agent
//! suspicious: there the author of the rules has something to fix.

use std::collections::{BTreeMap, BTreeSet};

use referee_records::{AgentRole, Manifest, RecordError, RunFolder, VoidBlame, VoidRecord};

/// The voids of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Voids {
    /// The games and answers that were void at every attempt and so have no result, by name.
    pub set_aside: Vec<VoidRecord>,
    /// How many games and answers of each agent were void at least once; reference agents are left out.
    pub by_agent: BTreeMap<String, usize>,
    /// The suspicious agents, from the voids that are not the fault of a rules program. First, every agent that was in
    /// a void alone or with only a reference agent; their voids are explained. Then, again and again, the agents that
    /// are in most of the voids not yet explained, unless all agents left are in equally many.
    pub suspects: Vec<String>,
}

impl Voids {
    /// Whether results are missing because the rules program failed, so that no retry can help.
    pub fn is_of_rules(&self) -> bool {
        self.set_aside.iter().any(VoidRecord::is_of_rules)
    }

    /// The voids counted in `folder`.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`].
    pub fn of(folder: &RunFolder, manifest: &Manifest) -> Result<Self, RecordError> {
        let mut records = folder.voids(manifest)?;
        if records.is_empty() {
            return Ok(Self::default());
        }
        let references = manifest.agents.iter().filter(|agent| agent.role == AgentRole::Reference);
        let references: BTreeSet<&str> = references.map(|agent| agent.name.as_str()).collect();
        let participants = |record: &VoidRecord| {
            let participants = record.agents.iter().filter(|agent| !references.contains(agent.as_str()));
            participants.cloned().collect::<BTreeSet<String>>()
        };
        let concerned: Vec<BTreeSet<String>> = records.iter().map(participants).collect();
        // Where the rules failed, they are to blame, not the move at which they failed.
        let blamed_on_machine = records.iter().filter(|record| record.blame == VoidBlame::Machine);
        let suspects = suspects(blamed_on_machine.map(participants).collect());
        let done = folder.finished(manifest).into_iter().chain(folder.answered(manifest));
        let done: BTreeSet<String> = done.collect();
        let is_called_off = |record: &VoidRecord| record.agents.iter().any(|agent| manifest.is_withdrawn(agent));
        records.retain(|record| !done.contains(&record.id) && !is_called_off(record));
        Ok(Self { set_aside: records, by_agent: counts(&concerned), suspects })
    }
}

fn counts(concerned: &[BTreeSet<String>]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for agent in concerned.iter().flatten() {
        *counts.entry(agent.clone()).or_default() += 1;
    }
    counts
}

/// The agents that explain the voids, of which each is given as the set of its agents; empty if nothing explains them.
fn suspects(mut concerned: Vec<BTreeSet<String>>) -> Vec<String> {
    let sole = concerned.iter().filter(|agents| agents.len() == 1);
    let mut suspects: BTreeSet<String> = sole.flatten().cloned().collect();
    loop {
        concerned.retain(|agents| agents.is_disjoint(&suspects));
        let counts = counts(&concerned);
        let most = counts.values().copied().max().unwrap_or_default();
        let in_most = |count: &usize| *count == most;
        // If all are in equally many, the machine is as likely a cause as any of them.
        if counts.values().all(in_most) {
            return suspects.into_iter().collect();
        }
        suspects.extend(counts.into_iter().filter(|(_, count)| in_most(count)).map(|(name, _)| name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suspects_of(games: &[&[&str]]) -> Vec<String> {
        let names = |agents: &&[&str]| agents.iter().map(|&name| name.to_owned()).collect();
        suspects(games.iter().map(names).collect())
    }

    #[test]
    fn whoever_is_in_all_voids_is_named_and_nobody_where_that_cannot_be_told() {
        let nobody: [&str; 0] = [];
        assert_eq!(suspects_of(&[]), nobody);
        assert_eq!(suspects_of(&[&["ada", "bob"]]), nobody);
        assert_eq!(suspects_of(&[&["ada", "mal"], &["mal", "bob"]]), ["mal"]);
        // Two of them, who also met.
        let two: &[&[&str]] = &[&["mal", "ada"], &["mal", "bob"], &["tru", "ada"], &["tru", "bob"], &["mal", "tru"]];
        assert_eq!(suspects_of(two), ["mal", "tru"]);
        // Also a game of two others.
        assert_eq!(suspects_of(&[&["ada", "mal"], &["mal", "bob"], &["eve", "sam"]]), ["mal"]);
        // A machine on which nothing works.
        assert_eq!(suspects_of(&[&["ada", "bob"], &["bob", "eve"], &["eve", "ada"]]), nobody);
        // Against a reference agent, which is never the suspect.
        assert_eq!(suspects_of(&[&["ada"], &["mal"], &["mal"]]), ["ada", "mal"]);
    }
}
