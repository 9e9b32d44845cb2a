//! Finds the agents behind voids: how often each was in one, and whose submission is suspicious. It changes no result;
//! `cli` and `console` show it after a run.
//!
//! A void is nobody's fault in the rules. But an agent that is in all of them has probably found a way to break its
//! seat, and the user should know its name. Where a rules program failed, its author has to mend it first.

use std::collections::{BTreeMap, BTreeSet};

use crate::records::{AgentRole, Manifest, RecordError, RunFolder, VoidBlame, VoidRecord};

/// The voids of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Voids {
    /// The games and answers without a result, because they were void at every attempt, by name.
    pub set_aside: Vec<VoidRecord>,
    /// How many games and answers of each agent were void at least once, without reference agents.
    pub by_agent: BTreeMap<String, usize>,
    /// The suspicious agents: those in a void with only a reference agent, then those in more voids than the others,
    /// and so on among the remaining voids. Voids through a rules program make nobody suspicious.
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
            let agents = record.agents.iter();
            let participants = agents.filter(|agent| !references.contains(agent.as_str()));
            participants.cloned().collect::<BTreeSet<String>>()
        };
        let concerned: Vec<BTreeSet<String>> = records.iter().map(participants).collect();
        // Rules that fail are to blame, whatever an agent wrote.
        let of_machines = records.iter().filter(|record| record.blame == VoidBlame::Machine);
        let suspects = suspects(of_machines.map(participants).collect());
        let done = folder.finished(manifest).into_iter().chain(folder.answered(manifest));
        let done: BTreeSet<String> = done.collect();
        records.retain(|record| !done.contains(&record.id));
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

/// The agents that explain the voids, each of which concerns some agents; none if nothing explains them.
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
