//! A shard at work: claims a pair of games, plays the missing ones, and continues with the next. A [`PairSource`] says
//! which pairs there are. `cli/shard` and `cli/ladder` run it; the loop of `tournament` plays the games.
//!
//! A thread of its own renews the claims. Losing a claim does not stop a running game: whether a result counts is
//! decided when it is kept.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use parking_lot::Mutex;

use super::{AgentPool, AgentPoolError};
use crate::tournament::{
    Attempts, NextTask, Pass, PendingTask, RunError, RunEvent, Scheduler, Settled, Slots, Workload,
};
use referee_records::{Claim, ClaimHolder, Claims, Manifest, Pairing, RecordError, RunFolder};
use referee_submissions::agents::Participant;

/// A shard of a run.
#[derive(Debug)]
pub struct ShardWorker {
    manifest: Arc<Manifest>,
    place: ShardPlace,
    pair_source: Mutex<Box<dyn PairSource>>,
    held: Mutex<Vec<HeldPair>>,
    attempts: Arc<Attempts>,
}

/// Where a shard works: its run, its claims on it, and the agents on this machine.
#[derive(Debug)]
pub struct ShardPlace {
    /// The folder of the run.
    pub folder: RunFolder,
    /// The claims of this process.
    pub claims: Claims,
    /// The agents.
    pub agent_pool: AgentPool,
}

/// Which pairs of games are left for a shard, and in which order.
pub trait PairSource: fmt::Debug + Send {
    /// The pair to claim next. `own` names the pairs that this shard has claimed.
    ///
    /// # Errors
    ///
    /// [`RecordError`], if the run cannot be read.
    fn next_pair(&mut self, place: &ShardPlace, own: &HashSet<String>) -> Result<NextPair, RecordError>;

    /// The pair with this key has ended: kept, given up, set aside, or dropped because another process has it.
    ///
    /// # Errors
    ///
    /// [`RecordError`], if the run cannot be read.
    fn on_ended(&mut self, key: usize, place: &ShardPlace, outcome: Settled) -> Result<(), RecordError>;

    /// The next pass of the pair with this key.
    fn pass_of(&self, key: usize) -> Pass;
}

/// What a shard does next.
#[derive(Debug)]
pub enum NextPair {
    /// Claim this pair.
    Pair(PairOfGames),
    /// Report this record, and ask again.
    Unreadable(RecordError),
    /// Check again after this time.
    Wait(Duration),
    /// End.
    Nothing,
}

/// Two games between the same agents, from either side, or one.
#[derive(Clone, Debug)]
pub struct PairOfGames {
    /// How its source knows it.
    pub key: usize,
    /// The games; never empty.
    pub games: Arc<[Pairing]>,
}

impl PairOfGames {
    /// The name of its claim: that of its first game.
    pub fn name(&self) -> &str {
        &self.games[0].id
    }
}

/// A claimed pair.
#[derive(Debug)]
struct HeldPair {
    pair: PairOfGames,
    claim: Arc<Claim>,
    /// Its games that have not begun, by their indices in the pair.
    waiting: Range<usize>,
    running: usize,
    /// Set aside or given up if one of its games was, dropped if another process has claimed it.
    outcome: Settled,
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
    /// A record cannot be read. Its game is not played again.
    Unreadable {
        /// The file, what is wrong with it, and what to do.
        error: String,
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
    /// The pairs of `pair_source` in the run of `manifest`, played at `place`.
    pub fn new(manifest: Arc<Manifest>, place: ShardPlace, pair_source: Box<dyn PairSource>) -> Self {
        Self {
            attempts: Arc::new(Attempts::new(place.folder.clone(), place.agent_pool.self_test.clone())),
            manifest,
            place,
            pair_source: Mutex::new(pair_source),
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
            seats: self.place.agent_pool.seats.clone(),
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
        while over.recv_timeout(self.place.claims.stale().heartbeat()) == Err(RecvTimeoutError::Timeout) {
            let claims: Vec<Arc<Claim>> = self.held.lock().iter().map(|held| Arc::clone(&held.claim)).collect();
            for claim in claims {
                let is_held = || self.held.lock().iter().any(|held| Arc::ptr_eq(&held.claim, &claim));
                if self.is_lost(&claim) && is_held() && lost.insert(claim.name().to_owned()) {
                    let game = claim.name().to_owned();
                    on_event(ShardEvent::LostClaim { game });
                }
            }
        }
    }

    /// Renews `claim`; returns whether another process has it. One that cannot be renewed now may be renewable later.
    fn is_lost(&self, claim: &Claim) -> bool {
        self.place.claims.touch(claim).is_ok_and(|ours| !ours)
    }

    /// Claims a pair, unless another process has it.
    fn claim(&self, pair: PairOfGames, on_event: &dyn Fn(ShardEvent)) -> Result<(), RecordError> {
        // Locked meanwhile, so that abandoning all claims includes this one.
        let mut held = self.held.lock();
        if self.attempts.is_stopping() {
            return Ok(());
        }
        let Some(claim) = self.place.claims.claim(pair.name())? else { return Ok(()) };
        let taken_over = claim
            .before()
            .map(|before| ShardEvent::TookOver { game: claim.name().to_owned(), from: before.holder.clone() });
        let waiting = 0..pair.games.len();
        held.push(HeldPair { pair, claim: Arc::new(claim), waiting, running: 0, outcome: Settled::Kept });
        drop(held);
        if let Some(taken_over) = taken_over {
            on_event(taken_over);
        }
        Ok(())
    }

    /// Begins a missing game of a pair that is ours; returns it with the key of its pair.
    fn begin_held(&self) -> Result<Option<(usize, Pairing)>, RecordError> {
        for held in self.held.lock().iter_mut() {
            let games = Arc::clone(&held.pair.games);
            let is_missing = |game: &usize| !self.place.folder.has_game(&games[*game].id);
            let Some(game) = held.waiting.find(is_missing) else { continue };
            // A process frozen between two games notices before it plays in vain.
            if self.is_lost(&held.claim) {
                held.waiting = 0..0;
                held.outcome = Settled::Dropped;
            } else {
                held.running += 1;
                return Ok(Some((held.pair.key, games[game].clone())));
            }
        }
        self.release_ended().map(|()| None)
    }

    /// Releases the pairs of which nothing is left.
    fn release_ended(&self) -> Result<(), RecordError> {
        let mut ended = Vec::new();
        for held in self.held.lock().iter_mut().filter(|held| held.running == 0 && held.waiting.is_empty()) {
            // From now on it is over for this thread alone.
            held.running += 1;
            ended.push((held.pair.key, held.outcome, Arc::clone(&held.claim)));
        }
        for (key, outcome, claim) in ended {
            // The source knows how it ended before it seems free.
            self.pair_source.lock().on_ended(key, &self.place, outcome)?;
            self.held.lock().retain(|held| !Arc::ptr_eq(&held.claim, &claim));
            self.place.claims.release(&claim)?;
        }
        Ok(())
    }
}

impl Workload for ShardWorker {
    type Error = ShardError;
    type Event = ShardEvent;

    /// Waits while others seem to be playing the last pairs.
    fn next_task(&self, on_event: &dyn Fn(ShardEvent)) -> Result<NextTask, ShardError> {
        while !self.attempts.is_stopping() {
            if let Some((key, game)) = self.begin_held()? {
                let pass = self.pair_source.lock().pass_of(key);
                return Ok(NextTask::Attempt(PendingTask::Game(game), pass));
            }
            let own = self.held.lock().iter().map(|held| held.claim.name().to_owned()).collect();
            let next = self.pair_source.lock().next_pair(&self.place, &own)?;
            match next {
                NextPair::Pair(pair) => self.claim(pair, on_event)?,
                NextPair::Unreadable(error) => on_event(ShardEvent::Unreadable { error: error.to_string() }),
                NextPair::Wait(time) => return Ok(NextTask::Wait(time)),
                NextPair::Nothing => break,
            }
        }
        Ok(NextTask::Nothing)
    }

    /// The other game of a pair that is ours: pairs are claimed only to be played at once.
    fn foreseen(&self) -> Option<PendingTask> {
        let next = |held: &HeldPair| held.waiting.clone().next().map(|game| held.pair.games[game].clone());
        let task = PendingTask::Game(self.held.lock().iter().find_map(next)?);
        task.agents().iter().all(|name| self.place.agent_pool.is_ready(name)).then_some(task)
    }

    fn participant(&self, name: &str, on_event: &dyn Fn(ShardEvent)) -> Result<Arc<Participant>, ShardError> {
        let on_oddity =
            |oddity: &str| on_event(ShardEvent::Calibrated { agent: name.to_owned(), oddity: oddity.to_owned() });
        Ok(self.place.agent_pool.participant(name, &on_oddity)?)
    }

    fn on_settled(&self, task: PendingTask, _pass: Pass, settled: Settled) -> Result<(), ShardError> {
        let is_of = |held: &&mut HeldPair| held.pair.games.iter().any(|game| game.id == task.id());
        if let Some(held) = self.held.lock().iter_mut().find(is_of) {
            held.running -= 1;
            held.outcome = match (held.outcome, settled) {
                (Settled::Kept, Settled::SetAside | Settled::GivenUp) | (Settled::GivenUp, Settled::SetAside) => {
                    settled
                }
                (before, _) => before,
            };
        }
        Ok(self.release_ended()?)
    }

    /// Releases all claims.
    fn abandon(&self) {
        for held in self.held.lock().drain(..) {
            // A claim that stays becomes stale.
            drop(self.place.claims.release(&held.claim));
        }
    }
}
