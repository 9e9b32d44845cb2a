//! A shard at work: claims a pair of games, plays the missing ones, and continues with the next. `cli/shard` runs it;
//! the loop of `tournament` plays the games.
//!
//! A thread of its own renews the claims. Losing a claim does not stop a running game: whether a result counts is
//! decided when it is kept.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::share::pairs;
use super::{AgentPool, AgentPoolError, Share};
use crate::tournament::{
    Attempts, NextTask, Pass, PendingTask, RunError, RunEvent, Scheduler, Settled, Slots, Workload,
};
use referee_records::{Claim, ClaimHolder, Claims, Manifest, Pairing, RecordError, RunFolder};
use referee_submissions::agents::Participant;

mod pair_queue;

use pair_queue::{NextPair, PairQueue};

/// A shard of a run.
#[derive(Debug)]
pub struct ShardWorker {
    folder: RunFolder,
    manifest: Arc<Manifest>,
    claims: Claims,
    agent_pool: AgentPool,
    pairs: Vec<Range<usize>>,
    pair_queue: Mutex<PairQueue>,
    held: Mutex<Vec<HeldPair>>,
    attempts: Arc<Attempts>,
}

/// A claimed pair.
#[derive(Debug)]
struct HeldPair {
    pair: usize,
    claim: Arc<Claim>,
    /// Its games that have not begun, by their indices in the manifest.
    waiting: Range<usize>,
    running: usize,
    /// Set aside if one of its games was, dropped if another process has claimed it.
    outcome: Settled,
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

impl From<RunEvent> for ShardEvent {
    fn from(event: RunEvent) -> Self {
        Self::Game(event)
    }
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
        manifest: Arc<Manifest>,
        share: Share,
        extent: Extent,
        claims: Claims,
        agent_pool: AgentPool,
    ) -> Self {
        let pairs = pairs(&manifest);
        let order = match extent {
            Extent::OwnPart => share.own(pairs.len()),
            Extent::Whole => share.order(pairs.len()),
        };
        Self {
            attempts: Arc::new(Attempts::new(folder.clone(), agent_pool.self_test().clone())),
            folder,
            manifest,
            claims,
            agent_pool,
            pair_queue: Mutex::new(PairQueue::new(order)),
            pairs,
            held: Mutex::default(),
        }
    }

    /// Plays until nothing is left for this shard, or until it is told to [stop](Self::stop): one game at a time in
    /// each of `slots`. Dropping the future releases all claims, also of running games, and keeps no more results; then
    /// the agents may be removed.
    ///
    /// Nothing is left if every game is finished, or claimed by others who have been seen alive.
    ///
    /// # Errors
    ///
    /// The first [`ShardError`]; then no more games begin.
    pub async fn run(
        self: Arc<Self>,
        slots: Slots,
        on_event: impl Fn(ShardEvent) + Send + Sync + 'static,
    ) -> Result<(), ShardError> {
        let on_event = Arc::new(on_event);
        let (over, until_over) = channel::<()>();
        let (worker, told) = (Arc::clone(&self), Arc::clone(&on_event));
        let keeper = tokio::task::spawn_blocking(move || worker.keep_claims(&until_over, &*told));
        let scheduler = Scheduler {
            manifest: Arc::clone(&self.manifest),
            seats: self.agent_pool.seats().clone(),
            host: self.agent_pool.host().clone(),
            slots,
            attempts: Arc::clone(&self.attempts),
            workload: Arc::clone(&self),
        };
        scheduler.run(move |event| on_event(event)).await?;
        drop(over);
        Ok(keeper.await.map_err(|panicked| RunError::Task(panicked.to_string()))?)
    }

    /// Begins no more games. Running games continue to their end.
    pub fn stop(&self) {
        self.attempts.stop();
    }

    /// Renews the claims until the sender of `over` is dropped.
    fn keep_claims(&self, over: &Receiver<()>, on_event: &dyn Fn(ShardEvent)) {
        let mut lost: HashSet<String> = HashSet::new();
        while over.recv_timeout(self.claims.stale().heartbeat()) == Err(RecvTimeoutError::Timeout) {
            let claims: Vec<Arc<Claim>> = self.held().iter().map(|held| Arc::clone(&held.claim)).collect();
            for claim in claims {
                let is_held = || self.held().iter().any(|held| Arc::ptr_eq(&held.claim, &claim));
                if self.is_lost(&claim) && is_held() && lost.insert(claim.name().to_owned()) {
                    let game = claim.name().to_owned();
                    on_event(ShardEvent::LostClaim { game });
                }
            }
        }
    }

    /// Renews `claim`; returns whether another process has it. One that cannot be renewed now may be renewable later.
    fn is_lost(&self, claim: &Claim) -> bool {
        self.claims.touch(claim).is_ok_and(|ours| !ours)
    }

    /// Claims a pair, unless another process has it.
    fn claim(&self, pair: usize, on_event: &dyn Fn(ShardEvent)) -> Result<(), RecordError> {
        // Locked meanwhile, so that abandoning all claims includes this one.
        let mut held = self.held();
        if self.attempts.is_stopping() {
            return Ok(());
        }
        let Some(claim) = self.claims.claim(self.name(pair))? else { return Ok(()) };
        let taken_over = claim
            .before()
            .map(|before| ShardEvent::TookOver { game: claim.name().to_owned(), from: before.holder.clone() });
        held.push(HeldPair {
            pair,
            claim: Arc::new(claim),
            waiting: self.pairs[pair].clone(),
            running: 0,
            outcome: Settled::Kept,
        });
        drop(held);
        if let Some(taken_over) = taken_over {
            on_event(taken_over);
        }
        Ok(())
    }

    /// Begins a missing game of a pair that is ours; returns it with its pair.
    fn begin_held(&self) -> Result<Option<(usize, usize)>, RecordError> {
        let is_missing = |game: &usize| !self.folder.path_of(&self.manifest.games[*game].id).exists();
        for held in self.held().iter_mut() {
            let Some(game) = held.waiting.find(is_missing) else { continue };
            // A process frozen between two games notices before it plays in vain.
            if self.is_lost(&held.claim) {
                held.waiting = 0..0;
                held.outcome = Settled::Dropped;
            } else {
                held.running += 1;
                return Ok(Some((held.pair, game)));
            }
        }
        self.release_ended().map(|()| None)
    }

    /// Releases the pairs of which nothing is left.
    fn release_ended(&self) -> Result<(), RecordError> {
        let mut ended = Vec::new();
        for held in self.held().iter_mut().filter(|held| held.running == 0 && held.waiting.is_empty()) {
            // From now on it is over for this thread alone.
            held.running += 1;
            ended.push((held.pair, held.outcome, Arc::clone(&held.claim)));
        }
        for (pair, outcome, claim) in ended {
            // The queue knows how it ended before it seems free.
            match outcome {
                Settled::Kept | Settled::GivenUp => self.pair_queue().is_done(pair),
                Settled::SetAside => self.pair_queue().is_set_aside(pair),
                Settled::Dropped => {}
            }
            self.held().retain(|held| !Arc::ptr_eq(&held.claim, &claim));
            self.claims.release(&claim)?;
        }
        Ok(())
    }

    /// The games of a pair.
    fn games(&self, pair: usize) -> &[Pairing] {
        &self.manifest.games[self.pairs[pair].clone()]
    }

    /// The name of a pair's claim: that of its first game.
    fn name(&self, pair: usize) -> &str {
        &self.manifest.games[self.pairs[pair].start].id
    }

    fn held(&self) -> MutexGuard<'_, Vec<HeldPair>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pair_queue(&self) -> MutexGuard<'_, PairQueue> {
        self.pair_queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workload for ShardWorker {
    type Error = ShardError;
    type Event = ShardEvent;

    /// Waits while others seem to be playing the last pairs.
    fn next_task(&self, on_event: &dyn Fn(ShardEvent)) -> Result<NextTask, ShardError> {
        while !self.attempts.is_stopping() {
            if let Some((pair, game)) = self.begin_held()? {
                let pass = self.pair_queue().pass_of(pair);
                return Ok(NextTask::Attempt(PendingTask::Game(self.manifest.games[game].clone()), pass));
            }
            let next = self.pair_queue().next_pair(self)?;
            match next {
                NextPair::Pair(pair) => self.claim(pair, on_event)?,
                NextPair::Wait(time) => return Ok(NextTask::Wait(time)),
                NextPair::Nothing => break,
            }
        }
        Ok(NextTask::Nothing)
    }

    /// The other game of a pair that is ours: pairs are claimed only to be played at once.
    fn foreseen(&self) -> Option<PendingTask> {
        let next = self.held().iter().find_map(|held| held.waiting.clone().next())?;
        let task = PendingTask::Game(self.manifest.games[next].clone());
        task.agents().iter().all(|name| self.agent_pool.is_ready(name)).then_some(task)
    }

    fn participant(&self, name: &str, on_event: &dyn Fn(ShardEvent)) -> Result<Arc<Participant>, ShardError> {
        let on_oddity =
            |oddity: &str| on_event(ShardEvent::Calibrated { agent: name.to_owned(), oddity: oddity.to_owned() });
        Ok(self.agent_pool.participant(name, &on_oddity)?)
    }

    fn on_settled(&self, task: PendingTask, _pass: Pass, settled: Settled) -> Result<(), ShardError> {
        let is_of = |held: &&mut HeldPair| self.games(held.pair).iter().any(|game| game.id == task.id());
        if let Some(held) = self.held().iter_mut().find(is_of) {
            held.running -= 1;
            if (settled, held.outcome) == (Settled::SetAside, Settled::Kept) {
                held.outcome = settled;
            }
        }
        Ok(self.release_ended()?)
    }

    /// Releases all claims.
    fn abandon(&self) {
        for held in self.held().drain(..) {
            // A claim that stays becomes stale.
            drop(self.claims.release(&held.claim));
        }
    }
}
