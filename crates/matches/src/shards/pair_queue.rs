//! The pairs of a planned run that a shard tries to claim: its own share first. It claims nothing itself; `runs/shard`
//! makes it for a [`ShardWorker`](super::ShardWorker).
//!
//! It lists the folders of games and claims once, and again only after everything that was missing then has been tried:
//! listing 250,000 names takes seconds on a network file system. The pairs left at the end are claimed by others. It
//! watches those, without listing, until each claim was renewed or is stale.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::Share;
use super::share::pairs;
use super::worker::{NextPair, PairOfGames, PairSource, ShardPlace};
use crate::tournament::{Pass, Settled};
use referee_records::{HostKind, Manifest, Pairing, RecordError};

/// How many foreign pairs a shard watches at a time; once it has seen this many others alive, it ends. Other shards
/// watch the rest, each starting with a different one, and the last working shard finds nobody alive and watches all
/// the rest. If every shard watched everything, the last minutes of 4,096 shards would cost the file system more
/// requests than all the hours before (`benches/slurm_simulation.rs`).
const MAX_WATCHED: usize = 8;

/// The maximum and minimum wait between two checks of foreign claims.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const SHORTEST_WAIT: Duration = Duration::from_millis(20);

/// How much of a run a shard plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Only its own share: for a copy of the run, which does not show the others' progress.
    OwnPart,
    /// Its own share, then everything that is left.
    Whole,
}

/// The queue of pairs.
#[derive(Debug)]
pub struct PairQueue {
    manifest: Arc<Manifest>,
    /// The games of each pair, by their indices in the manifest.
    pairs: Vec<Range<usize>>,
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

impl PairQueue {
    /// The pairs of the run of `manifest`, as far as a shard with this share plays them.
    pub fn new(manifest: Arc<Manifest>, share: Share, extent: Extent) -> Self {
        let pairs = pairs(&manifest);
        let order = match extent {
            Extent::OwnPart => share.own(pairs.len()),
            Extent::Whole => share.order(pairs.len()),
        };
        Self {
            manifest,
            pairs,
            order,
            queue: VecDeque::new(),
            watched: BTreeMap::new(),
            others: HashSet::new(),
            seen_alive: 0,
            done: HashSet::new(),
            set_aside: HashMap::new(),
        }
    }

    /// The games of a pair.
    fn games(&self, pair: usize) -> &[Pairing] {
        &self.manifest.games[self.pairs[pair].clone()]
    }

    /// The name of a pair's claim.
    fn name(&self, pair: usize) -> &str {
        &self.manifest.games[self.pairs[pair].start].id
    }

    /// Lists missing and claimed games.
    fn refresh(&mut self, place: &ShardPlace, own: &HashSet<String>) -> Result<(), RecordError> {
        let unplayed: HashSet<&str> =
            place.folder.missing(&self.manifest).into_iter().map(|game| game.id.as_str()).collect();
        let claimed: HashSet<String> = place.claims.names()?.into_iter().collect();
        let mut half_done_elsewhere = Vec::new();
        for &pair in &self.order {
            let games = &self.manifest.games[self.pairs[pair].clone()];
            let missing = games.iter().filter(|game| unplayed.contains(game.id.as_str())).count();
            let name = &games[0].id;
            let is_given_up = self.set_aside.get(&pair) == Some(&Pass::Last);
            let is_ours = self.done.contains(&pair) || own.contains(name);
            if missing == 0 || is_given_up || is_ours || self.others.contains(&pair) {
                continue;
            }
            if claimed.contains(name) {
                if self.watched.len() < MAX_WATCHED {
                    self.watched.insert(pair, SystemTime::UNIX_EPOCH);
                }
            } else if missing < games.len() && !begun_on(&place.agent_pool.self_test.host.kind(), place, games) {
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
    fn look_at_watched(&mut self, place: &ShardPlace) -> Result<(), RecordError> {
        for (pair, seen) in std::mem::take(&mut self.watched) {
            match place.claims.current(self.name(pair))? {
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

impl PairSource for PairQueue {
    fn next_pair(&mut self, place: &ShardPlace, own: &HashSet<String>) -> Result<NextPair, RecordError> {
        if self.queue.is_empty() {
            self.look_at_watched(place)?;
        }
        if self.queue.is_empty() && self.watched.is_empty() && self.seen_alive < MAX_WATCHED {
            self.refresh(place, own)?;
        }
        Ok(match self.queue.pop_front() {
            Some(key) => {
                self.seen_alive = 0;
                NextPair::Pair(PairOfGames { key, games: self.games(key).into() })
            }
            None if self.watched.is_empty() => NextPair::Nothing,
            None => {
                let often = place.claims.stale().0 / 12;
                NextPair::Wait(often.clamp(SHORTEST_WAIT, LONGEST_WAIT))
            }
        })
    }

    /// Remembers results, whatever a cached listing says, and pairs with a void game.
    fn on_ended(&mut self, key: usize, _place: &ShardPlace, outcome: Settled) -> Result<(), RecordError> {
        match outcome {
            Settled::Kept | Settled::GivenUp => {
                self.done.insert(key);
            }
            Settled::SetAside => {
                let pass = self.pass_of(key);
                self.set_aside.insert(key, pass);
            }
            Settled::Dropped => {}
        }
        Ok(())
    }

    fn pass_of(&self, key: usize) -> Pass {
        if self.set_aside.contains_key(&key) { Pass::Last } else { Pass::First }
    }
}

/// Whether the finished part of a pair was played on this kind of machine, as far as known.
fn begun_on(kind: &HostKind, place: &ShardPlace, games: &[Pairing]) -> bool {
    let hosts = games.iter().filter_map(|game| place.folder.game_on_machine(&game.id).ok()?.played_on.host);
    hosts.into_iter().all(|host| host.kind() == *kind)
}
