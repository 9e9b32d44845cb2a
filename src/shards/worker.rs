//! A shard at work: claims a pair of games, plays the missing ones, and continues with the next. `cli/shard` runs it;
//! `tournament` plays each game.
//!
//! Several threads play, each one game at a time; another one renews the claims. Losing a claim does not stop a running
//! game: whether a result counts is decided when it is kept.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::share::pairs;
use super::{AgentPool, AgentPoolError, Share};
use crate::games::Side;
use crate::records::{Claim, ClaimHolder, Claims, Manifest, Pairing, PerSide, RecordError, RunFolder};
use crate::seat::{Concurrency, SeatOptions};
use crate::tournament::{Attempted, Attempts, OneGame, Pass, RunError, RunEvent, Settled};

mod pair_queue;

use pair_queue::{NextPair, PairQueue};

/// A shard of a run.
#[derive(Debug)]
pub struct ShardWorker {
    folder: RunFolder,
    manifest: Manifest,
    claims: Claims,
    agent_pool: AgentPool,
    pairs: Vec<Range<usize>>,
    pair_queue: Mutex<PairQueue>,
    held: Mutex<Vec<Arc<Claim>>>,
    attempts: Attempts,
    played: AtomicUsize,
}

/// How much of a run a shard plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Only its own share: for a copy of the run, which does not show the others' progress.
    OwnPart,
    /// Its own share, then everything that is left.
    Whole,
}

/// An event of a shard.
#[derive(Clone, Debug)]
pub enum ShardEvent {
    /// An event of a game.
    Game(RunEvent),
    /// Took over a stale claim on a pair.
    TookOver {
        /// The first game of the pair.
        game: String,
        /// The previous holder, if known.
        from: Option<ClaimHolder>,
    },
    /// Another process considered this one dead and claimed its pair.
    LostClaim {
        /// The first game of the pair.
        game: String,
    },
    /// A `calibrate` program behaved oddly.
    Calibrated {
        /// The agent's name.
        agent: String,
        /// The oddity, as the end of a sentence.
        oddity: String,
    },
}

/// The result of a shard's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardEnd {
    /// The number of games it finished.
    pub played: usize,
    /// The number of games still without a result.
    pub missing: usize,
    /// Whether it ended because it was told to stop.
    pub stopped: bool,
}

/// Why a shard cannot continue. Finished games are kept.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// Nothing can be played here, or a record could not be written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An agent cannot play here.
    #[error(transparent)]
    Agent(#[from] AgentPoolError),
}

impl From<RecordError> for ShardError {
    fn from(error: RecordError) -> Self {
        Self::Run(error.into())
    }
}

impl ShardWorker {
    /// The share `share` of the run of `manifest` in `folder`, played by the agents of `agent_pool`, with these claims.
    pub fn new(
        folder: RunFolder,
        manifest: Manifest,
        (share, extent): (Share, Extent),
        claims: Claims,
        agent_pool: AgentPool,
    ) -> Self {
        let pairs = pairs(&manifest);
        let order = match extent {
            Extent::OwnPart => share.own(pairs.len()),
            Extent::Whole => share.order(pairs.len()),
        };
        Self {
            attempts: Attempts::new(folder.clone(), agent_pool.self_test().clone()),
            folder,
            manifest,
            claims,
            agent_pool,
            pair_queue: Mutex::new(PairQueue::new(order)),
            pairs,
            held: Mutex::default(),
            played: AtomicUsize::new(0),
        }
    }

    /// The plan of the run at the start.
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The number of games without a result: one listing of the folder.
    pub fn missing(&self) -> usize {
        self.manifest.games.len() - self.folder.finished(&self.manifest).len()
    }

    /// Plays until nothing is left for this shard, or until it is told to [stop](Self::stop): one game at a time on
    /// each of `processors`, where `None` is any processor.
    ///
    /// Nothing is left if every game is finished, or claimed by others who have been seen alive.
    ///
    /// # Errors
    ///
    /// The first [`ShardError`]; then no more games begin.
    pub fn play(
        &self,
        processors: &[Option<usize>],
        on_event: &(impl Fn(ShardEvent) + Sync),
    ) -> Result<ShardEnd, ShardError> {
        let (over, until_over) = channel::<()>();
        let worked: Vec<Result<(), ShardError>> = std::thread::scope(|scope| {
            scope.spawn(move || self.keep_claims(&until_over, on_event));
            let work = |&processor| {
                let seats = SeatOptions {
                    processor,
                    concurrency: Concurrency::of(processors.len()),
                    ..self.agent_pool.seats().clone()
                };
                scope.spawn(move || self.work(&seats, on_event).inspect_err(|_| self.stop()))
            };
            let workers: Vec<_> = processors.iter().map(work).collect();
            let worked = workers.into_iter().map(|worker| worker.join().expect("a panic ends the process")).collect();
            drop(over);
            worked
        });
        let stopped = self.is_stopping();
        worked.into_iter().collect::<Result<(), _>>()?;
        Ok(ShardEnd { played: self.played.load(Ordering::SeqCst), missing: self.missing(), stopped })
    }

    /// Begins no more games. Running games continue to their end.
    pub fn stop(&self) {
        self.attempts.stop();
    }

    /// Releases all claims, also of running games, and keeps no more results: for a process that is about to end. From
    /// now on the agents may be removed.
    pub fn abandon(&self) {
        self.attempts.abandon();
        let held: Vec<Arc<Claim>> = self.held().drain(..).collect();
        for claim in held {
            // A claim that stays becomes stale.
            drop(self.claims.release(&claim));
        }
    }

    fn is_stopping(&self) -> bool {
        self.attempts.is_stopping()
    }

    /// Renews the claims until the sender of `over` is dropped.
    fn keep_claims(&self, over: &Receiver<()>, on_event: &impl Fn(ShardEvent)) {
        let mut lost: HashSet<String> = HashSet::new();
        while over.recv_timeout(self.claims.stale().heartbeat()) == Err(RecvTimeoutError::Timeout) {
            let held: Vec<Arc<Claim>> = self.held().clone();
            for claim in held {
                // A claim that cannot be renewed now may be renewable later.
                let is_lost = self.claims.touch(&claim).is_ok_and(|ours| !ours);
                let is_held = || self.held().iter().any(|held| Arc::ptr_eq(held, &claim));
                if is_lost && is_held() && lost.insert(claim.name().to_owned()) {
                    let game = claim.name().to_owned();
                    on_event(ShardEvent::LostClaim { game });
                }
            }
        }
    }

    fn work(&self, seats: &SeatOptions, on_event: &impl Fn(ShardEvent)) -> Result<(), ShardError> {
        while let Some((pair, claim)) = self.next_pair(on_event)? {
            let played = self.play_pair(pair, &claim, seats, on_event);
            self.release_claim(&claim)?;
            played?;
        }
        Ok(())
    }

    /// The next pair for this shard; waits while others seem to be playing the last ones.
    fn next_pair(&self, on_event: &impl Fn(ShardEvent)) -> Result<Option<(usize, Arc<Claim>)>, ShardError> {
        while !self.is_stopping() {
            let dealt = self.pair_queue().next_pair(self)?;
            let pair = match dealt {
                NextPair::Pair(pair) => pair,
                NextPair::Wait(time) => {
                    std::thread::sleep(time);
                    continue;
                }
                NextPair::Nothing => break,
            };
            if let Some(claim) = self.claim(pair)? {
                if let Some(before) = claim.before() {
                    on_event(ShardEvent::TookOver { game: claim.name().to_owned(), from: before.holder.clone() });
                }
                return Ok(Some((pair, claim)));
            }
        }
        Ok(None)
    }

    fn claim(&self, pair: usize) -> Result<Option<Arc<Claim>>, RecordError> {
        // Locked meanwhile, so that abandoning all claims includes this one.
        let mut held = self.held();
        if self.is_stopping() {
            return Ok(None);
        }
        let claim = self.claims.claim(self.name(pair))?.map(Arc::new);
        held.extend(claim.clone());
        Ok(claim)
    }

    fn release_claim(&self, claim: &Arc<Claim>) -> Result<(), RecordError> {
        self.held().retain(|held| !Arc::ptr_eq(held, claim));
        self.claims.release(claim).map(drop)
    }

    fn play_pair(
        &self,
        pair: usize,
        claim: &Claim,
        seats: &SeatOptions,
        on_event: &impl Fn(ShardEvent),
    ) -> Result<(), ShardError> {
        let pass = self.pair_queue().pass_of(pair);
        let mut set_aside = false;
        for pairing in self.games(pair) {
            if self.folder.path_of(&pairing.id).exists() {
                continue;
            }
            // A process frozen between two games notices before it plays in vain.
            let is_lost = self.claims.touch(claim).is_ok_and(|ours| !ours);
            if self.is_stopping() || is_lost {
                return Ok(());
            }
            set_aside |= self.play_game(pairing, pass, seats, on_event)? == Settled::SetAside;
        }
        if set_aside {
            self.pair_queue().is_set_aside(pair);
        } else {
            self.pair_queue().is_done(pair);
        }
        Ok(())
    }

    fn play_game(
        &self,
        pairing: &Pairing,
        pass: Pass,
        seats: &SeatOptions,
        on_event: &impl Fn(ShardEvent),
    ) -> Result<Settled, ShardError> {
        let participant = |side: Side| {
            let agent = pairing.name(side).to_owned();
            self.agent_pool.participant(&agent, &|oddity: &str| {
                on_event(ShardEvent::Calibrated { agent: agent.clone(), oddity: oddity.to_owned() });
            })
        };
        let (black, white) = (participant(Side::Black)?, participant(Side::White)?);
        let game = OneGame {
            manifest: &self.manifest,
            pairing,
            players: PerSide { black: &black, white: &white },
            seats,
            host: self.agent_pool.host(),
        };
        let attempted =
            Attempted { id: &pairing.id, agents: &[pairing.black.clone(), pairing.white.clone()], seats, pass };
        let on_event = |event: RunEvent| {
            let is_finished = matches!(event, RunEvent::GameFinished(_));
            self.played.fetch_add(usize::from(is_finished), Ordering::SeqCst);
            on_event(ShardEvent::Game(event));
        };
        let play = || game.play(None, &on_event);
        let keep = |(record, _seats)| self.attempts.keep_game(record, &on_event);
        Ok(self.attempts.settle(attempted, &on_event, play, keep)?)
    }

    /// The games of a pair.
    fn games(&self, pair: usize) -> &[Pairing] {
        &self.manifest.games[self.pairs[pair].clone()]
    }

    /// The name of a pair's claim: that of its first game.
    fn name(&self, pair: usize) -> &str {
        &self.manifest.games[self.pairs[pair].start].id
    }

    fn held(&self) -> MutexGuard<'_, Vec<Arc<Claim>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pair_queue(&self) -> MutexGuard<'_, PairQueue> {
        self.pair_queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
