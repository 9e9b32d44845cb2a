//! The queue of pairs that a shard tries to claim. Only [`super::ShardWorker`] uses it; it claims nothing itself.
//!
//! It lists the folders of games and claims once, and again only after everything that was missing then has been tried:
//! listing 250,000 names takes seconds on a network file system. The pairs left at the end are claimed by others. It
//! watches those, without listing, until each claim was renewed or is stale.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, SystemTime};

use super::ShardWorker;
use crate::tournament::Pass;
use referee_records::{HostKind, RecordError};

/// How many foreign pairs a shard watches at a time; once it has seen this many others alive, it ends. Other shards
/// watch the rest, each starting with a different one, and the last working shard finds nobody alive and watches all
/// the rest. If every shard watched everything, the last minutes of 4,096 shards would cost the file system more
/// requests than all the hours before (`benches/slurm_simulation.rs`).
const MAX_WATCHED: usize = 8;

/// The maximum and minimum wait between two checks of foreign claims.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const SHORTEST_WAIT: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub(super) struct PairQueue {
    /// All pairs, in the order of the share.
    order: Vec<usize>,
    /// The pairs that seem free.
    queue: VecDeque<usize>,
    /// The pairs claimed by others, with the last known time of each claim.
    watched: BTreeMap<usize, SystemTime>,
    /// The pairs at which others were seen.
    others: HashSet<usize>,
    /// How many of these since there was last something to do.
    seen_alive: usize,
    /// The pairs known to be finished, whatever a cached listing says.
    done: HashSet<usize>,
    /// Pairs with a void game: retried once after everything else, then left to a later shard.
    set_aside: HashMap<usize, Pass>,
}

/// The next action.
pub(super) enum NextPair {
    /// Claim this pair.
    Pair(usize),
    /// Check again after this time.
    Wait(Duration),
    /// End.
    Nothing,
}

impl PairQueue {
    pub(super) fn new(order: Vec<usize>) -> Self {
        Self {
            order,
            queue: VecDeque::new(),
            watched: BTreeMap::new(),
            others: HashSet::new(),
            seen_alive: 0,
            done: HashSet::new(),
            set_aside: HashMap::new(),
        }
    }

    /// Records that both games of the pair have a result.
    pub(super) fn is_done(&mut self, pair: usize) {
        self.done.insert(pair);
    }

    /// Records that a game of the pair was repeatedly void.
    pub(super) fn is_set_aside(&mut self, pair: usize) {
        let pass = self.pass_of(pair);
        self.set_aside.insert(pair, pass);
    }

    /// The next pass of the pair.
    pub(super) fn pass_of(&self, pair: usize) -> Pass {
        if self.set_aside.contains_key(&pair) { Pass::Last } else { Pass::First }
    }

    pub(super) fn next_pair(&mut self, worker: &ShardWorker) -> Result<NextPair, RecordError> {
        if self.queue.is_empty() {
            self.look_at_watched(worker)?;
        }
        if self.queue.is_empty() && self.watched.is_empty() && self.seen_alive < MAX_WATCHED {
            self.refresh(worker)?;
        }
        Ok(match self.queue.pop_front() {
            Some(pair) => {
                self.seen_alive = 0;
                NextPair::Pair(pair)
            }
            None if self.watched.is_empty() => NextPair::Nothing,
            None => {
                let often = worker.claims.stale().0 / 12;
                NextPair::Wait(often.clamp(SHORTEST_WAIT, LONGEST_WAIT))
            }
        })
    }

    /// Lists missing and claimed games.
    fn refresh(&mut self, worker: &ShardWorker) -> Result<(), RecordError> {
        let finished: HashSet<String> = worker.folder.finished(&worker.manifest).into_iter().collect();
        let claimed: HashSet<String> = worker.claims.names()?.into_iter().collect();
        let own: HashSet<String> = worker.held().iter().map(|held| held.claim.name().to_owned()).collect();
        let mut half_done_elsewhere = Vec::new();
        for &pair in &self.order {
            let games = worker.games(pair);
            let missing = games.iter().filter(|game| !finished.contains(&game.id)).count();
            let name = worker.name(pair);
            let is_given_up = self.set_aside.get(&pair) == Some(&Pass::Last);
            let is_ours = self.done.contains(&pair) || own.contains(name);
            if missing == 0 || is_given_up || is_ours || self.others.contains(&pair) {
                continue;
            }
            if claimed.contains(name) {
                if self.watched.len() < MAX_WATCHED {
                    self.watched.insert(pair, SystemTime::UNIX_EPOCH);
                }
            } else if missing < games.len() && !begun_on(&worker.agent_pool.host().kind(), worker, pair) {
                half_done_elsewhere.push(pair);
            } else {
                self.queue.push_back(pair);
            }
        }
        // A machine of the right kind had until now to take it. Playing half a pair on another kind of machine, which
        // `referee status` reports, is better than never playing it.
        self.queue.extend(half_done_elsewhere);
        Ok(())
    }

    /// Checks the foreign claims seen last time.
    fn look_at_watched(&mut self, worker: &ShardWorker) -> Result<(), RecordError> {
        for (pair, seen) in std::mem::take(&mut self.watched) {
            match worker.claims.current(worker.name(pair))? {
                None => self.queue.push_back(pair),
                Some(taken) if taken.abandoned => self.queue.push_back(pair),
                Some(taken) if seen == SystemTime::UNIX_EPOCH || seen == taken.touched => {
                    self.watched.insert(pair, taken.touched);
                }
                Some(_) => {
                    self.others.insert(pair);
                    self.seen_alive += 1;
                }
            }
        }
        Ok(())
    }
}

/// Whether the finished part of a pair was played on this kind of machine, as far as known.
fn begun_on(kind: &HostKind, worker: &ShardWorker, pair: usize) -> bool {
    let games = worker.games(pair).iter();
    let hosts = games.filter_map(|game| worker.folder.game_on_machine(&game.id).ok()?.played_on.host);
    hosts.into_iter().all(|host| host.kind() == *kind)
}
