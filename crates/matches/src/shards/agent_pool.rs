//! The agents of a run, made when they are first needed. [`super::ShardWorker`] takes agents from it; it plays nothing.
//!
//! A shard of a large run meets only some of the agents, and should start playing quickly, so nothing is built before
//! it is needed. A build by one machine is reused by others of its kind through the run's folder.
//!
//! `calibrate` programs record how fast a machine is. One runs once per kind of machine, on the machine that plays its
//! agent first; its file is stored with the run, and every game on machines of that kind uses it. If several shards run
//! it at once, the first file stays.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::{Mutex, RwLock};

use crate::tournament::SelfTest;
use referee_records::{AgentRecord, CalibrationRecord, Manifest, RecordError, RunFolder, SCHEMA};
use referee_seat::{Bytes, SeatError, SeatOptions};
use referee_submissions::agents::{AgentBuilder, AgentError, Participant, SourceStore};

/// The agents of a run.
#[derive(Debug)]
pub struct AgentPool {
    folder: RunFolder,
    source_store: SourceStore,
    builder: AgentBuilder,
    /// The options of the agents' seats.
    pub seats: SeatOptions,
    builds: PathBuf,
    /// The test of this machine.
    pub self_test: SelfTest,
    agents: RwLock<BTreeMap<String, Arc<PoolEntry>>>,
}

#[derive(Debug)]
struct PoolEntry {
    record: AgentRecord,
    /// The number of its folders among the builds.
    number: usize,
    /// How often it was tried to make it, each time in a new folder: what a failure leaves would hide its reason.
    attempts: AtomicU32,
    ready: Mutex<Option<Arc<Participant>>>,
}

/// Why an agent cannot play here. This is not its fault: it worked where the run was planned.
#[derive(Debug, thiserror::Error)]
pub enum AgentPoolError {
    /// It cannot be built on this machine.
    #[error("cannot build agent `{name}` on this machine: {error}")]
    Agent {
        /// Its name.
        name: String,
        /// The reason.
        error: Box<AgentError>,
    },
    /// Its `calibrate` program could not be run.
    #[error("agent `{name}`: calibrate: {error}")]
    Seat {
        /// Its name.
        name: String,
        /// The reason.
        error: Box<SeatError>,
    },
    /// The run has no such agent.
    #[error("the run has no agent `{0}`")]
    Unknown(String),
    /// Its calibration could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl AgentPool {
    /// The agents of the run of `manifest` in `folder`, to be made by `builder` from `source_store` in folders below
    /// `builds`, with `seats` as options of their seats.
    ///
    /// # Errors
    ///
    /// [`AgentPoolError::Agent`] if not even the built-in agents can be made.
    pub fn new(
        (folder, source_store): (RunFolder, SourceStore),
        manifest: &Manifest,
        builder: AgentBuilder,
        seats: SeatOptions,
        builds: PathBuf,
    ) -> Result<Self, AgentPoolError> {
        let self_test = SelfTest::new(manifest, &builder);
        let self_test = self_test
            .map_err(|error| AgentPoolError::Agent { name: "builtin:random".to_owned(), error: Box::new(error) })?;
        let pool = Self { source_store, folder, builder, seats, builds, self_test, agents: RwLock::default() };
        pool.add(&manifest.agents);
        Ok(pool)
    }

    /// Adds the agents of a run to which some were added since; those that it knows stay.
    pub fn add(&self, agents: &[AgentRecord]) {
        let mut known = self.agents.write();
        for (number, record) in agents.iter().enumerate() {
            let entry = || {
                Arc::new(PoolEntry {
                    record: record.clone(),
                    number,
                    attempts: AtomicU32::new(0),
                    ready: Mutex::default(),
                })
            };
            known.entry(record.name.clone()).or_insert_with(entry);
        }
    }

    fn entry(&self, name: &str) -> Option<Arc<PoolEntry>> {
        self.agents.read().get(name).cloned()
    }

    /// The agent `name`, ready to play; reports oddities of its `calibrate` to `on_event`, as the end of a sentence.
    ///
    /// # Errors
    ///
    /// [`AgentPoolError`].
    pub fn participant(&self, name: &str, on_event: &impl Fn(&str)) -> Result<Arc<Participant>, AgentPoolError> {
        let unknown = || AgentPoolError::Unknown(name.to_owned());
        let place = self.entry(name).ok_or_else(unknown)?;
        // Only threads that need the same agent wait here.
        let mut ready = place.ready.lock();
        if let Some(participant) = ready.as_ref() {
            return Ok(Arc::clone(participant));
        }
        let participant = Arc::new(self.calibrated(self.made(&place)?, on_event)?);
        *ready = Some(Arc::clone(&participant));
        Ok(participant)
    }

    /// Whether the agent `name` was made, so that nobody has to wait for it.
    pub fn is_ready(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|place| place.ready.try_lock().is_some_and(|ready| ready.is_some()))
    }

    fn made(&self, place: &PoolEntry) -> Result<Participant, AgentPoolError> {
        let AgentRecord { name, origin, digest, .. } = &place.record;
        let attempt = place.attempts.fetch_add(1, Ordering::Relaxed);
        let build = self.builds.join(format!("{}-{attempt}", place.number));
        let agent = self.source_store.make(&self.builder, origin, digest, &build);
        let agent = agent.map_err(|error| AgentPoolError::Agent { name: name.clone(), error: Box::new(error) })?;
        Ok(Participant::new(agent).renamed(name.clone()))
    }

    fn calibrated(
        &self,
        mut participant: Participant,
        on_event: &impl Fn(&str),
    ) -> Result<Participant, AgentPoolError> {
        if participant.agent().calibrate.is_none() {
            return Ok(participant);
        }
        let (digest, kind) = (participant.digest(), self.self_test.host.kind());
        if let Some(kept) = self.folder.calibration(&digest, &kind)? {
            return Ok(participant.with_calibration(kept.file.map(|Bytes(file)| file)));
        }
        let remark = self
            .self_test
            .calibrate(&mut participant, &self.seats)
            .map_err(|error| AgentPoolError::Seat { name: participant.name().to_owned(), error: Box::new(error) })?;
        if let Some(oddity) = &remark {
            on_event(oddity);
        }
        self.folder.keep_calibration(&CalibrationRecord {
            schema: SCHEMA,
            agent: participant.name().to_owned(),
            digest: digest.clone(),
            host: self.self_test.host.clone(),
            remark,
            file: participant.calibration().map(|file| Bytes(file.to_vec())),
        })?;
        match self.folder.calibration(&digest, &kind)? {
            Some(kept) => Ok(participant.with_calibration(kept.file.map(|Bytes(file)| file))),
            None => Ok(participant),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use referee_games::{GameRef, KnownGames};
    use referee_records::Conditions;
    use referee_time::CpuTime;

    use super::*;

    #[test]
    fn an_agent_that_cannot_be_made_says_the_same_reason_each_time() {
        let place = tempfile::tempdir().unwrap();
        let (run, digest) = (place.path().join("run"), "0".repeat(64));
        let game = GameRef::all().next().unwrap();
        let agent = AgentRecord::participant("named".to_owned(), "named".to_owned(), digest.clone());
        let mut manifest = Manifest::new(game, Conditions::usual(game, CpuTime::from_secs(30)), 7);
        manifest.agents.push(agent);
        let folder = RunFolder::begin(&run, &manifest, &KnownGames::builtin()).unwrap();
        let file = folder.agents().join(digest).join("file/named");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
        let source = (folder.clone(), SourceStore::in_folder(folder.agents()));
        let builder = AgentBuilder::for_game(game).unwrap();
        let builds = place.path().join("builds");
        let pool = AgentPool::new(source, &manifest, builder, SeatOptions::default(), builds).unwrap();
        let reason = || pool.participant("named", &|_| ()).unwrap_err().to_string();
        let first = reason();
        assert!(first.contains("differs from the files the agent was built from"), "{first}");
        assert_eq!(reason(), first);
    }
}
