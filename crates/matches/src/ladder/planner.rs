//! Decides which two versions play next: a pure function of the seed, the versions, the records and the claims.
//!
//! 1. A version that has waited for three quarters of a round plays first, so that nobody starves.
//! 2. Then new versions get a least number of pairs: one against the reference agent, the others against opponents from
//!    the whole range of strengths. One that is strong climbs at once, on the last day as on the first.
//! 3. Otherwise the version that has waited longest plays.
//!
//! Its opponent is the one about whom a pair tells most for the order (the chance that the order of the two is wrong
//! falls most), or in a stated share of pairs any one. Nobody gets an opponent twice in a row while others wait, so
//! leaders who are next to each other in strength meet again and again, but not only each other.
//!
//! Choosing by information is a heuristic, and no claim is made for it; pairs by lot keep it honest.

use std::collections::BTreeMap;

use super::history::LadderHistory;
use super::strengths::{PlanningStrength, expected_score};
use crate::tournament::derive_seed;
use referee_records::{AdmissionRecord, AgentRole, LadderPair, Manifest};

/// Who can play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LadderField {
    /// The agents that may be paired, by their indices in the manifest; the reference is not among them.
    active: Vec<ActiveAgent>,
    /// The reference agent.
    reference: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ActiveAgent {
    agent: u32,
    /// The number of pairs that were begun before it was admitted.
    since: u32,
}

/// How pairs are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanRules {
    /// The seed of the ladder.
    pub seed: u64,
    /// The least number of pairs of a new version before others are preferred.
    pub minimum_pairs: u32,
    /// How many of 100 opponents are drawn by lot.
    pub random_percent: u32,
}

impl LadderField {
    /// The newest admitted version of every participant of `manifest` who has not withdrawn, and the reference.
    pub fn of(manifest: &Manifest) -> Self {
        let newest = manifest.participants.iter().filter_map(|participant| {
            let agent = participant.active()?;
            let version = participant.versions.iter().find(|version| version.agent() == Some(agent))?;
            let AdmissionRecord::Admitted { agent, since_pair: since } = version.admission else { return None };
            Some(ActiveAgent { agent, since })
        });
        let reference = manifest.agents.iter().position(|agent| agent.role == AgentRole::Reference);
        Self { active: newest.collect(), reference: reference.and_then(|index| u32::try_from(index).ok()) }
    }

    /// The agents that may be paired, the reference last.
    pub fn agents(&self) -> impl Iterator<Item = u32> {
        self.active.iter().map(|one| one.agent).chain(self.reference)
    }
}

/// The next pair, after those of `history` and those that were `begun` and have no result yet; `None` if there are no
/// two agents to pair.
pub fn next_pair(
    field: &LadderField,
    history: &mut LadderHistory,
    begun: &[LadderPair],
    rules: PlanRules,
) -> Option<LadderPair> {
    let begun: Vec<LadderPair> = begun.iter().filter(|pair| pair.rated).copied().collect();
    let last = begun.iter().map(|pair| pair.sequence).fold(history.last_sequence(), u32::max);
    let strengths = {
        let until = fitted_until(last);
        let known = history.strengths(until);
        field.agents().map(|agent| (agent, known.of(agent))).collect()
    };
    let planner = Planner { field, history, begun: &begun, rules, sequence: last + 1, strengths };
    let first = planner.first()?;
    let second = planner.opponent(first)?;
    // The one with the lower index begins the first game: a pair of agents has one name.
    let agents = [first.min(second), first.max(second)];
    Some(LadderPair { sequence: last + 1, agents, rated: true })
}

/// Up to which pair strengths are fitted when `last` is the last one: about every 64th part of the pairs. Who plays
/// next still depends on nothing but the records.
fn fitted_until(last: u32) -> u32 {
    let step = (last / 64).next_power_of_two().max(4);
    last / step * step
}

struct Planner<'a> {
    field: &'a LadderField,
    history: &'a LadderHistory,
    begun: &'a [LadderPair],
    rules: PlanRules,
    /// The number of the pair that is planned.
    sequence: u32,
    strengths: BTreeMap<u32, PlanningStrength>,
}

impl Planner<'_> {
    /// Who plays next.
    fn first(&self) -> Option<u32> {
        let longest = self.field.active.iter().max_by_key(|one| (self.waits(**one), std::cmp::Reverse(one.agent)))?;
        if self.is_overdue(longest.agent) {
            return Some(longest.agent);
        }
        let pairs = |one: &ActiveAgent| self.rated_pairs(one.agent);
        let new = self.field.active.iter().filter(|one| pairs(one) < self.rules.minimum_pairs);
        let newest = new.min_by_key(|one| (pairs(one), one.agent));
        Some(newest.unwrap_or(longest).agent)
    }

    /// Whether the agent has waited for three quarters of a round, in which everybody could have been first.
    fn is_overdue(&self, agent: u32) -> bool {
        let one = self.field.active.iter().find(|one| one.agent == agent);
        let round = u32::try_from(self.field.active.len()).unwrap_or(u32::MAX);
        one.is_some_and(|one| 4 * u64::from(self.waits(*one)) > 3 * u64::from(round))
    }

    /// How many pairs were begun since its last one, or since it was admitted.
    fn waits(&self, one: ActiveAgent) -> u32 {
        let last = self.last_pair(one.agent).map_or(0, |pair| pair.sequence);
        self.sequence.saturating_sub(last.max(one.since))
    }

    fn last_pair(&self, agent: u32) -> Option<LadderPair> {
        let begun = self.begun.iter().filter(|pair| pair.has(agent)).max().copied();
        self.history.last_pair_of(agent).max(begun)
    }

    /// Those begun included, if the records do not have a part of them already.
    fn rated_pairs(&self, agent: u32) -> u32 {
        let begun = self.begun.iter().filter(|pair| pair.has(agent) && self.history.score(**pair).is_none());
        self.history.rated_pairs_of(agent) + u32::try_from(begun.count()).unwrap_or(u32::MAX)
    }

    fn has_met(&self, agent: u32, other: u32) -> bool {
        let begun = self.begun.iter().any(|pair| pair.opponent_of(agent) == Some(other));
        begun || self.history.have_met(agent, other)
    }

    /// The opponent of `first`.
    fn opponent(&self, first: u32) -> Option<u32> {
        let last_opponent = |agent: u32| self.last_pair(agent).and_then(|pair| pair.opponent_of(agent));
        let others: Vec<u32> = self.field.agents().filter(|&other| other != first).collect();
        let is_new_to = |other: &u32| last_opponent(first) != Some(*other) && last_opponent(*other) != Some(first);
        let fresh: Vec<u32> = others.iter().copied().filter(is_new_to).collect();
        let mut candidates = if fresh.is_empty() { others } else { fresh };
        // Two who wait at once: otherwise each overdue one would be served alone, while others become overdue.
        let waiting: Vec<u32> = candidates.iter().copied().filter(|&other| self.is_overdue(other)).collect();
        if self.is_overdue(first) && !waiting.is_empty() {
            candidates = waiting;
        }
        let pairs = self.rated_pairs(first);
        if pairs < self.rules.minimum_pairs {
            return self.spread_out(first, pairs, &candidates);
        }
        let lot = derive_seed(self.rules.seed, &["ladder", &self.sequence.to_string()]);
        if lot % 100 < u64::from(self.rules.random_percent) {
            let place = (lot / 100) % candidates.len().max(1) as u64;
            return candidates.get(usize::try_from(place).ok()?).copied();
        }
        let gain = |other: &u32| self.gain(first, *other);
        // Of equal ones the first, so that nothing depends on the order of comparisons.
        let best = |best: Option<u32>, other: &u32| match best {
            Some(best) if gain(&best) >= gain(other) => Some(best),
            Some(_) | None => Some(*other),
        };
        candidates.iter().fold(None, best)
    }

    /// The opponent of a new version with so many pairs: first the reference, then one from another part of the range
    /// of strengths each time, whom it has not met if there is one.
    fn spread_out(&self, first: u32, pairs: u32, candidates: &[u32]) -> Option<u32> {
        if let Some(reference) = self.field.reference.filter(|reference| candidates.contains(reference))
            && !self.has_met(first, reference)
        {
            return Some(reference);
        }
        let not_met: Vec<u32> = candidates.iter().copied().filter(|&other| !self.has_met(first, other)).collect();
        let mut ordered = if not_met.is_empty() { candidates.to_vec() } else { not_met };
        ordered.sort_by(|&one, &other| {
            self.strength(one).value.total_cmp(&self.strength(other).value).then(one.cmp(&other))
        });
        let parts = 1 << 16;
        let place = u64::from(bisecting(pairs)) * ordered.len() as u64 / parts;
        ordered.get(usize::try_from(place).ok()?).copied()
    }

    fn strength(&self, agent: u32) -> PlanningStrength {
        *self.strengths.get(&agent).expect("the strengths of all active agents were looked up")
    }

    /// By how much a pair of games lowers the chance that the order of the two is wrong, up to a factor: the density of
    /// their difference at zero times the shrinkage of its error.
    fn gain(&self, one: u32, other: u32) -> f64 {
        let (one, other) = (self.strength(one), self.strength(other));
        let difference = one.value - other.value;
        let variance = one.variance + other.variance;
        let expected = expected_score(difference);
        let after = variance / (1.0 + variance * 2.0 * expected * (1.0 - expected));
        (-difference * difference / (2.0 * variance)).exp() * (1.0 - (after / variance).sqrt())
    }
}

/// The number in the sequence 1/2, 1/4, 3/4, 1/8, 5/8, ... of van der Corput, in parts of 2^16: any first ones are
/// spread evenly.
fn bisecting(index: u32) -> u32 {
    (index + 1).reverse_bits() >> 16
}

#[cfg(test)]
mod tests;
