//! Which pair of games a shard tries to claim next.
//!
//! The folders of games and of claims are listed once, and again only when everything has been tried that was missing
//! then: listing 250,000 names costs a network file system seconds. What is left at the end is in the hands of others.
//! Those are watched, without listing anything, until each of them has touched its claim, or has not for so long that
//! it is abandoned.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, SystemTime};

use super::ShardWorker;
use crate::records::{HostKind, RecordError};
use crate::tournament::Pass;

/// How many pairs in the hands of others one shard watches at a time; when it has seen so many others alive, it goes
/// home. The rest are watched by other shards, each of which begins with another, and whoever is the last to have
/// something to do finds nobody alive and watches all that is left. If each shard watched everything, the file system
/// would be asked more in the last minutes of 4,096 shards than in all the hours before
/// (`benches/slurm_simulation.rs`).
const WATCHED_AT_MOST: usize = 8;

/// The most and the least that is waited between two looks at the claims of others.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const SHORTEST_WAIT: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub(super) struct PairQueue {
    /// All pairs, in the order of the share.
    order: Vec<usize>,
    /// Those that can be claimed, as far as is known.
    queue: VecDeque<usize>,
    /// Those that others have claimed, with the time at which the claim was found to have been touched.
    watched: BTreeMap<usize, SystemTime>,
    /// Those that others were seen to be at.
    others: HashSet<usize>,
    /// How many of these since there was something to do.
    seen_alive: usize,
    /// Those that this process knows to be finished, whatever a cached listing says.
    done: HashSet<usize>,
    /// Those of which a game was void: dealt once more when everything else was tried, and then left to a later shard.
    set_aside: HashMap<usize, Pass>,
}

/// What is to be done next.
pub(super) enum NextPair {
    /// Claim this pair.
    Pair(usize),
    /// Look again after this time.
    Wait(Duration),
    /// Go home.
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

    /// Both games of the pair have a result.
    pub(super) fn is_done(&mut self, pair: usize) {
        self.done.insert(pair);
    }

    /// A game of the pair was void again and again.
    pub(super) fn is_set_aside(&mut self, pair: usize) {
        let pass = self.pass_of(pair);
        self.set_aside.insert(pair, pass);
    }

    /// Which attempt at the pair comes next.
    pub(super) fn pass_of(&self, pair: usize) -> Pass {
        if self.set_aside.contains_key(&pair) {
            Pass::Last
        } else {
            Pass::First
        }
    }

    pub(super) fn deal(&mut self, worker: &ShardWorker) -> Result<NextPair, RecordError> {
        if self.queue.is_empty() {
            self.look_at_watched(worker)?;
        }
        if self.queue.is_empty() && self.watched.is_empty() && self.seen_alive < WATCHED_AT_MOST {
            self.look_around(worker)?;
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

    /// Lists what is missing and what is claimed.
    fn look_around(&mut self, worker: &ShardWorker) -> Result<(), RecordError> {
        let finished: HashSet<String> = worker.folder.finished(&worker.manifest).into_iter().collect();
        let claimed: HashSet<String> = worker.claims.names()?.into_iter().collect();
        let own: HashSet<String> = worker.held().iter().map(|claim| claim.name().to_owned()).collect();
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
                if self.watched.len() < WATCHED_AT_MOST {
                    self.watched.insert(pair, SystemTime::UNIX_EPOCH);
                }
            } else if missing < games.len() && !begun_on(&worker.agent_pool.host().kind(), worker, pair) {
                half_done_elsewhere.push(pair);
            } else {
                self.queue.push_back(pair);
            }
        }
        // Whoever is of the right kind has until then to come by. To leave half a pair unplayed for ever would be worse
        // than to play it on another kind of machine and to say so, which `referee status` does.
        self.queue.extend(half_done_elsewhere);
        Ok(())
    }

    /// Looks at the claims of others that were there the last time.
    fn look_at_watched(&mut self, worker: &ShardWorker) -> Result<(), RecordError> {
        for (pair, seen) in std::mem::take(&mut self.watched) {
            match worker.claims.taken(worker.name(pair))? {
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

/// Whether what is finished of a pair was played on a machine of this kind, as far as can be told.
fn begun_on(kind: &HostKind, worker: &ShardWorker, pair: usize) -> bool {
    let games = worker.games(pair).iter();
    let hosts = games.filter_map(|game| worker.folder.survey(&game.id).ok()?.played_on.host);
    hosts.into_iter().all(|host| host.kind() == *kind)
}
