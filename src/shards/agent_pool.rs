//! The agents of a run, made ready when they are first needed.
//!
//! A shard of a large run meets a part of the agents only, and a shard that has just begun should be playing: so
//! nothing is built before somebody has to play. What one machine has built, another of its kind finds in the run's
//! folder.
//!
//! `calibrate` programs write down how fast a machine is. One runs once for each kind of machine, on whichever plays
//! its agent first; the file is kept with the run, and every game on machines of that kind has the same one. Where
//! several shards are at it at once, the first one's file is everybody's.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::agents::{AgentBuilder, AgentError, Calibration, Participant, SourceStore};
use crate::records::{AgentRecord, CalibrationRecord, Host, Manifest, RecordError, RunFolder, SCHEMA};
use crate::seat::{Bytes, SeatError, SeatOptions};
use crate::tournament::SelfTest;

/// The agents of a run.
#[derive(Debug)]
pub struct AgentPool {
    folder: RunFolder,
    source_store: SourceStore,
    builder: AgentBuilder,
    seats: SeatOptions,
    host: Host,
    builds: PathBuf,
    self_test: SelfTest,
    agents: BTreeMap<String, PoolEntry>,
}

#[derive(Debug)]
struct PoolEntry {
    record: AgentRecord,
    /// Of its folder among the builds.
    number: usize,
    ready: Mutex<Option<Arc<Participant>>>,
}

/// Why an agent cannot play here. It is not its fault: it could where the run was planned.
#[derive(Debug, thiserror::Error)]
pub enum AgentPoolError {
    /// It cannot be made on this machine.
    #[error("agent `{name}` cannot be made ready on this machine: {error}")]
    Agent {
        /// Its name.
        name: String,
        /// Why not.
        error: Box<AgentError>,
    },
    /// Its `calibrate` program could not be run.
    #[error("agent `{name}`: calibrate: {error}")]
    Seat {
        /// Its name.
        name: String,
        /// Why not.
        error: Box<SeatError>,
    },
    /// The run knows no such agent.
    #[error("the run has no agent `{0}`")]
    Unknown(String),
    /// Its calibration could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl AgentPool {
    /// The agents of the run of `manifest` in `folder`, to be made in `builder`, in folders below `builds`, for seats
    /// as `seats` say.
    ///
    /// # Errors
    ///
    /// [`AgentPoolError::Agent`] where not even the built-in agents can be made.
    pub fn new(
        folder: RunFolder,
        manifest: &Manifest,
        builder: AgentBuilder,
        seats: SeatOptions,
        host: Host,
        builds: PathBuf,
    ) -> Result<Self, AgentPoolError> {
        let self_test = SelfTest::new(manifest, &builder, host.clone());
        let self_test = self_test.map_err(|error| AgentPoolError::Agent {
            name: "builtin:random".to_owned(),
            error: Box::new(error),
        })?;
        let place = |(number, record): (usize, &AgentRecord)| {
            let place = PoolEntry {
                record: record.clone(),
                number,
                ready: Mutex::default(),
            };
            (record.name.clone(), place)
        };
        Ok(Self {
            source_store: SourceStore::in_folder(folder.agents()),
            folder,
            builder,
            seats,
            host,
            builds,
            self_test,
            agents: manifest.agents.iter().enumerate().map(place).collect(),
        })
    }

    /// How the seats of its agents are opened.
    pub const fn seats(&self) -> &SeatOptions {
        &self.seats
    }

    /// The machine that this is.
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// What tells whether this machine works.
    pub const fn self_test(&self) -> &SelfTest {
        &self.self_test
    }

    /// The agent `name`, ready to play; `on_event` is told what is odd about its `calibrate`, as the end of a sentence.
    ///
    /// # Errors
    ///
    /// [`AgentPoolError`].
    pub fn participant(&self, name: &str, on_event: &impl Fn(&str)) -> Result<Arc<Participant>, AgentPoolError> {
        let unknown = || AgentPoolError::Unknown(name.to_owned());
        let place = self.agents.get(name).ok_or_else(unknown)?;
        // Whoever else needs it waits here, and nobody who needs another.
        let mut ready = place.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(participant) = ready.as_ref() {
            return Ok(Arc::clone(participant));
        }
        let participant = Arc::new(self.calibrated(self.made(place)?, on_event)?);
        *ready = Some(Arc::clone(&participant));
        Ok(participant)
    }

    fn made(&self, place: &PoolEntry) -> Result<Participant, AgentPoolError> {
        let AgentRecord {
            name, origin, digest, ..
        } = &place.record;
        let build = self.builds.join(place.number.to_string());
        let agent = self.source_store.make(&self.builder, origin, digest, &build);
        let agent = agent.map_err(|error| AgentPoolError::Agent {
            name: name.clone(),
            error: Box::new(error),
        })?;
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
        let (digest, kind) = (participant.digest(), self.host.kind());
        if let Some(kept) = self.folder.calibration(&digest, &kind)? {
            return Ok(participant.with_calibration(kept.file.map(|Bytes(file)| file)));
        }
        let calibration = self.self_test.calibrate(&mut participant, &self.seats);
        let calibration = calibration.map_err(|error| AgentPoolError::Seat {
            name: participant.name().to_owned(),
            error: Box::new(error),
        })?;
        let remark = match calibration {
            Calibration::None | Calibration::Done => None,
            Calibration::Odd(oddity) => Some(oddity),
        };
        if let Some(oddity) = &remark {
            on_event(oddity);
        }
        self.folder.keep_calibration(&CalibrationRecord {
            schema: SCHEMA,
            agent: participant.name().to_owned(),
            digest: digest.clone(),
            host: self.host.clone(),
            remark,
            file: participant.calibration().map(|file| Bytes(file.to_vec())),
        })?;
        match self.folder.calibration(&digest, &kind)? {
            Some(kept) => Ok(participant.with_calibration(kept.file.map(|Bytes(file)| file))),
            None => Ok(participant),
        }
    }
}
