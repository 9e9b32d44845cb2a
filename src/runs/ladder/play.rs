//! Plays a ladder: a shard whose pairs are planned one by one. [`referee_matches::ladder`] plans them.

use std::path::PathBuf;
use std::sync::Arc;

use super::{OpenLadder, agent_setup, open_ladder};
use crate::runs::agent_setup::AgentSetup;
use crate::runs::error::RunFailure;
use crate::runs::shard::PreparedShard;
use referee_games::KnownGames;
use referee_matches::ladder::{LadderPairs, PlanRules};
use referee_matches::shards::{AgentPool, ShardPlace, ShardWorker};
use referee_records::{Claims, StaleClaim};
use referee_submissions::agents::{AgentBuilder, SourceStore};

/// A ladder to play.
#[derive(Debug)]
pub struct LadderPlayRequest {
    /// Its folder.
    pub ladder: PathBuf,
    /// How many pairs to play at most.
    pub pairs: Option<usize>,
    /// When claims of other processes are stale.
    pub stale: StaleClaim,
    /// The games that the ladder may be of.
    pub known_games: KnownGames,
}

impl LadderPlayRequest {
    /// Prepares to play. Versions are built below `builds`, which must stay, when they are first needed.
    ///
    /// # Errors
    ///
    /// [`RunFailure`]. A record that cannot be read is reported when it plays.
    pub fn prepare(self, builds: PathBuf) -> Result<PreparedShard, RunFailure> {
        let OpenLadder { folder, manifest, games, assignment, rules } = open_ladder(&self.ladder, &self.known_games)?;
        let AgentSetup { builder, seats } = agent_setup(&folder, &manifest, &assignment)?;
        // Provided files are stored with the versions.
        let builder = AgentBuilder { provide: None, ..builder };
        let claims = Claims::in_folder(folder.claims(), None, self.stale)?;
        let sources = SourceStore::of_ladder(folder.path().to_owned());
        let agent_pool = AgentPool::new((folder.clone(), sources), &manifest, builder, seats, builds)?;
        let manifest = Arc::new(manifest);
        let plan_rules =
            PlanRules { seed: manifest.seed, minimum_pairs: rules.minimum_pairs, random_percent: rules.random_percent };
        let plan_rules = (plan_rules, rules.opening_plies);
        let pairs = LadderPairs::new(&folder, Arc::clone(&manifest), &games, plan_rules, self.pairs)?;
        let place = ShardPlace { folder: folder.clone(), claims, agent_pool };
        let worker = ShardWorker::new(Arc::clone(&manifest), place, Box::new(pairs));
        Ok(PreparedShard { folder, manifest, worker: Arc::new(worker) })
    }
}
