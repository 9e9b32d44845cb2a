//! Runs one shard: prepares a part of a competition from the folder of its run, and plays it until nothing is left or
//! it is told to stop. [`referee_matches::shards`] claims and plays the games.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::timeout;

use super::agent_setup::AgentSetup;
use super::assignment_file::assignment_of;
use super::error::{Remedy, RunFailure};
use super::playing::publishing;
use super::run_path::open_run;
use referee_games::KnownGames;
use referee_matches::shards::{AgentPool, Extent, PairQueue, ShardEvent, ShardPlace, ShardWorker, Share};
use referee_matches::tournament::{RunEvent, Slots};
use referee_records::{Claims, Manifest, RunFolder, StaleClaim};
use referee_submissions::agents::{AgentBuilder, SourceStore};

/// A shard to run.
#[derive(Debug)]
pub struct ShardRequest {
    /// The folder of the planned run.
    pub run: PathBuf,
    /// Its number in claims.
    pub index: u32,
    /// Its share of the run.
    pub share: Share,
    /// How much of the run it plays.
    pub extent: Extent,
    /// When claims of other shards are stale.
    pub stale: StaleClaim,
    /// The games that the run may be of.
    pub known_games: KnownGames,
}

/// A shard that is ready to play.
#[derive(Debug)]
pub struct PreparedShard {
    /// The folder of the run.
    pub folder: RunFolder,
    /// The plan of the run at the start.
    pub manifest: Arc<Manifest>,
    pub(super) worker: Arc<ShardWorker>,
}

/// How a shard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayedShard {
    /// No game of it is running.
    Ended {
        /// The number of games it finished.
        played: usize,
        /// The number of games still without a result.
        missing: usize,
        /// Whether it was told to stop.
        stopped: bool,
    },
    /// Running games did not end within the grace period, and were dropped.
    Dropped {
        /// The number of games still without a result.
        missing: usize,
    },
}

impl ShardRequest {
    /// Prepares the shard from the folder, which contains everything needed. Agents are built below `builds`, which
    /// must stay, when they are first needed.
    ///
    /// # Errors
    ///
    /// [`RunFailure`], also if shards cannot play the run.
    pub fn prepare(self, builds: PathBuf) -> Result<PreparedShard, RunFailure> {
        let (folder, manifest) = open_run(&self.run, &self.known_games)?;
        // Only a competition records how its agents are built and seated.
        let (Some(assignment), Some(seating)) = (assignment_of(&folder)?, manifest.seating) else {
            let problem = "shards cannot play it, because its agents are not stored in it";
            return Err(RunFailure::input(folder.path(), problem).with(Remedy::PlanForShards));
        };
        let AgentSetup { builder, seats } = AgentSetup::of_assignment(&assignment, seating, folder.built())?;
        // Provided files are stored with the agents.
        let builder = AgentBuilder { provide: None, ..builder };
        let claims = Claims::in_folder(folder.claims(), Some(self.index), self.stale)?;
        let sources = SourceStore::in_folder(folder.agents());
        let agent_pool = AgentPool::new((folder.clone(), sources), &manifest, builder, seats, builds)?;
        let manifest = Arc::new(manifest);
        let pair_queue = PairQueue::new(Arc::clone(&manifest), self.share, self.extent);
        let place = ShardPlace { folder: folder.clone(), claims, agent_pool };
        let worker = ShardWorker::new(Arc::clone(&manifest), place, Box::new(pair_queue));
        Ok(PreparedShard { folder, manifest, worker: Arc::new(worker) })
    }
}

impl PreparedShard {
    /// The number of games that are still to be played: one listing of the folder.
    pub fn missing(&self) -> usize {
        self.folder.missing(&self.manifest).len()
    }

    /// Plays until nothing is left. Once `stop` is ready, no more games begin, and running ones have `grace` to end;
    /// unfinished ones are released for other shards.
    ///
    /// # Errors
    ///
    /// [`RunFailure`]; finished games are kept.
    pub async fn play(
        &self,
        slots: &Slots,
        stop: impl Future<Output = ()>,
        grace: Duration,
        on_event: impl Fn(ShardEvent) + Send + Sync + 'static,
    ) -> Result<PlayedShard, RunFailure> {
        let (live_feed, closes_feed) = publishing(&self.folder);
        let played = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&played);
        let mut work = Box::pin(Arc::clone(&self.worker).run(slots.clone(), move |event| {
            if let ShardEvent::Game(event) = &event {
                live_feed.on_event(event);
                counter.fetch_add(usize::from(matches!(event, RunEvent::GameFinished(_))), Ordering::SeqCst);
            }
            on_event(event);
        }));
        let (ended, stopped) = tokio::select! {
            ended = &mut work => (Some(ended), false),
            () = stop => {
                self.worker.stop();
                (timeout(grace, &mut work).await.ok(), true)
            }
        };
        drop((closes_feed, work));
        let Some(ended) = ended else { return Ok(PlayedShard::Dropped { missing: self.missing() }) };
        ended.map_err(|error| RunFailure::from(error).in_run(self.manifest.kind))?;
        Ok(PlayedShard::Ended { played: played.load(Ordering::SeqCst), missing: self.missing(), stopped })
    }
}
