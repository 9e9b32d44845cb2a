//! What is known of the pairs of a ladder: which were planned, and how their games ended. Plain data with lookups;
//! [`super::LadderPairs`] fills it from the records, and the planner reads it.

use std::collections::{BTreeMap, BTreeSet};

use super::pair_score::{PairScore, index_of};
use super::strengths::{Strengths, fitted};
use referee_records::LadderPair;

/// The pairs of a ladder.
#[derive(Clone, Debug, Default)]
pub struct LadderHistory {
    pairs: BTreeMap<LadderPair, PairScore>,
    /// The pairs with a game to play again: there are few, and they are looked for before every pair.
    unfinished: BTreeSet<LadderPair>,
    last_sequence: u32,
    /// What is known of each agent, by its index.
    agents: Vec<AgentHistory>,
    /// The last fit: up to which sequence number, and its result.
    fit: Option<(u32, Strengths)>,
}

#[derive(Clone, Debug, Default)]
struct AgentHistory {
    /// Its last rated pair.
    last: Option<LadderPair>,
    /// The opponents in all its rated pairs.
    met: Vec<u32>,
}

impl LadderHistory {
    /// Adds a pair that was planned, whether it has a result or not.
    pub fn know(&mut self, pair: LadderPair) {
        if self.pairs.contains_key(&pair) {
            return;
        }
        self.pairs.insert(pair, PairScore::default());
        if !pair.rated {
            // Games that were asked for have numbers of their own, and change nobody's turn.
            return;
        }
        self.last_sequence = self.last_sequence.max(pair.sequence);
        for agent in pair.agents {
            let index = index_of(agent);
            if self.agents.len() <= index {
                self.agents.resize_with(index + 1, AgentHistory::default);
            }
            let history = &mut self.agents[index];
            history.last = history.last.max(Some(pair));
            history.met.extend(pair.opponent_of(agent));
        }
    }

    /// Adds a pair whose games were void; it is played again if it `can` be.
    pub(super) fn know_void(&mut self, pair: LadderPair, can: bool) {
        if can && self.score(pair).is_none() {
            self.unfinished.insert(pair);
        }
        self.know(pair);
    }

    /// Adds what is known of the games of a pair.
    pub fn add_score(&mut self, pair: LadderPair, score: PairScore) {
        self.know(pair);
        let before = self.pairs.insert(pair, score);
        if score.with_record() == 1 {
            self.unfinished.insert(pair);
        } else {
            self.unfinished.remove(&pair);
        }
        if before != Some(score) && self.fit.as_ref().is_some_and(|(until, _)| pair.sequence <= *until) {
            self.fit = None;
        }
    }

    /// The score of `pair`; `None` if it is not known.
    pub fn score(&self, pair: LadderPair) -> Option<PairScore> {
        self.pairs.get(&pair).copied()
    }

    /// The highest number of a rated pair; 0 without one.
    pub const fn last_sequence(&self) -> u32 {
        self.last_sequence
    }

    /// The pairs of which one game has a record and the other has none, or both were void.
    pub fn unfinished(&self) -> impl Iterator<Item = LadderPair> {
        self.unfinished.iter().copied()
    }

    /// The last rated pair of `agent`.
    pub(super) fn last_pair_of(&self, agent: u32) -> Option<LadderPair> {
        self.agents.get(index_of(agent))?.last
    }

    /// The number of rated pairs of `agent`.
    pub(super) fn rated_pairs_of(&self, agent: u32) -> u32 {
        self.agents.get(index_of(agent)).map_or(0, |history| u32::try_from(history.met.len()).unwrap_or(u32::MAX))
    }

    /// Whether these two have met in a rated pair.
    pub(super) fn have_met(&self, agent: u32, other: u32) -> bool {
        self.agents.get(index_of(agent)).is_some_and(|history| history.met.contains(&other))
    }

    /// The strengths of the agents by the rated pairs up to the sequence number `until`.
    pub(super) fn strengths(&mut self, until: u32) -> &Strengths {
        if self.fit.as_ref().is_none_or(|(fitted_until, _)| *fitted_until != until) {
            let pairs = self.pairs.iter().filter(|(pair, _)| pair.rated && pair.sequence <= until);
            let strengths = fitted(pairs.map(|(pair, score)| (*pair, *score)));
            self.fit = Some((until, strengths));
        }
        &self.fit.as_ref().expect("it was made").1
    }
}
