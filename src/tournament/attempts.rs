//! A game or an answer brought to its end: kept, or set aside where it is void again and again.
//!
//! For: what a local run and a shard have in common. Deliberately not here: in which order games are played and by
//! which threads ([`Runner`](super::Runner), `shards`), and what is told to people at the end
//! ([`Voids`](super::Voids)).
//!
//! What must always hold: a void is nobody's loss. What is void is done again at once; void again, it is set aside and
//! the others go on, so that no agent can stop a run. A machine on which nothing works any more is told from an agent
//! that breaks its own games by a [`SelfTest`], the second time with nothing else going on: what stops the run is never
//! what an agent does to the machine for a while.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use super::external_signals::{was_answer_ended_from_outside, was_ended_from_outside};
use super::runner::{RunError, RunEvent, VoidRetry};
use super::{OneGame, encounter};
use crate::agents::{AgentBuilder, AgentError, AgentSpec, Calibration, Participant};
use crate::records::{AnswerRecord, GameRecord, Host, Kept, Manifest, PerSide, RecordError, RunFolder};
use crate::referee::Void;
use crate::seat::{SeatError, SeatOptions};

/// The attempts of one process at the games and answers of a run.
#[derive(Debug)]
pub struct Attempts {
    folder: RunFolder,
    self_test: SelfTest,
    /// Held for reading by whatever is played, for writing by what has to be alone on the machine.
    floor: RwLock<()>,
    kept: AtomicUsize,
    /// Set as soon as no more games are begun.
    stopping: AtomicBool,
    /// Set as soon as nothing is kept any more: agents may have been taken away, and have done nothing wrong then.
    abandoned: AtomicBool,
}

/// What is attempted.
#[derive(Clone, Copy, Debug)]
pub struct Attempted<'a> {
    /// The name of the game or the answer.
    pub id: &'a str,
    /// The names of the agents in it.
    pub agents: &'a [String],
    /// How the seats are opened.
    pub seats: &'a SeatOptions,
    /// Which attempt it is.
    pub pass: Pass,
}

/// When something is attempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// When its turn comes, beside others; twice if need be.
    First,
    /// Once more when everything else was tried, with nothing else going on, so that it suffers from nobody else.
    Last,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It has a record.
    Kept,
    /// It was void, and nothing is kept.
    SetAside,
    /// Nothing is kept, because the run is being stopped.
    Dropped,
}

impl Attempts {
    /// Attempts at what is played in `folder`, whose agents work on machines for which `self_test` speaks.
    pub fn new(folder: RunFolder, self_test: SelfTest) -> Self {
        Self {
            folder,
            self_test,
            floor: RwLock::default(),
            kept: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
        }
    }

    /// No more games are to be begun: agents that a signal ends from now on may have been ended together with this
    /// process.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    /// Whether no more games are to be begun.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Nothing is to be kept any more, of whatever is still in hand. From now on the agents may be taken away.
    pub fn abandon(&self) {
        self.stop();
        self.abandoned.store(true, Ordering::SeqCst);
    }

    /// Whether nothing is kept any more.
    pub fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::SeqCst)
    }

    /// Does `once` what is to be done, again if it is void, and gives the result to `keep`. `on_event` is told of
    /// voids.
    ///
    /// # Errors
    ///
    /// [`RunError`] where nothing can be kept, or nothing works on this machine.
    pub fn settle<T>(
        &self,
        attempted: Attempted<'_>,
        on_event: &impl Fn(RunEvent),
        once: impl Fn() -> Result<T, Void>,
        keep: impl FnOnce(T) -> Result<Settled, RecordError>,
    ) -> Result<Settled, RunError> {
        let kept_before = self.kept.load(Ordering::SeqCst);
        let voided = |void: &Void, retry: VoidRetry| {
            self.folder
                .count_void(attempted.id, attempted.agents, &void.reason)
                .map(|()| {
                    on_event(RunEvent::Voided {
                        id: attempted.id.to_owned(),
                        reason: void.reason.clone(),
                        retry,
                    });
                })
        };
        let done = match attempted.pass {
            Pass::First => {
                let _beside_others = self.floor.read().unwrap_or_else(PoisonError::into_inner);
                match once() {
                    Err(void) if !self.is_abandoned() => {
                        voided(&void, VoidRetry::Now)?;
                        once()
                    }
                    done => done,
                }
            }
            Pass::Last => {
                let _alone = self.floor.write().unwrap_or_else(PoisonError::into_inner);
                once()
            }
        };
        match done {
            _ if self.is_abandoned() => Ok(Settled::Dropped),
            Ok(result) => {
                let settled = keep(result)?;
                self.kept
                    .fetch_add(usize::from(settled == Settled::Kept), Ordering::SeqCst);
                Ok(settled)
            }
            Err(void) => {
                // Whatever was finished meanwhile proves that the machine works.
                if self.kept.load(Ordering::SeqCst) == kept_before {
                    self.expect_sound_machine(attempted, &void)?;
                }
                voided(
                    &void,
                    match attempted.pass {
                        Pass::First => VoidRetry::Later,
                        Pass::Last => VoidRetry::WhenResumed,
                    },
                )?;
                Ok(Settled::SetAside)
            }
        }
    }

    /// Keeps the record of a game, unless somebody outside ended its agents together with the run.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep_game(&self, record: GameRecord, on_event: &impl Fn(RunEvent)) -> Result<Settled, RecordError> {
        if was_ended_from_outside(&record, &self.stopping) {
            return Ok(Settled::Dropped);
        }
        match self.folder.keep(&record)? {
            Kept::First | Kept::Again => on_event(RunEvent::Finished(Box::new(record))),
            // It has a record as well.
            Kept::Superseded => on_event(RunEvent::Superseded { id: record.id }),
        }
        Ok(Settled::Kept)
    }

    /// Keeps the record of an answer, likewise.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep_answer(&self, record: AnswerRecord, on_event: &impl Fn(RunEvent)) -> Result<Settled, RecordError> {
        if was_answer_ended_from_outside(&record, &self.stopping) {
            return Ok(Settled::Dropped);
        }
        self.folder.keep_answer(&record)?;
        on_event(RunEvent::Answered(Box::new(record)));
        Ok(Settled::Kept)
    }

    fn expect_sound_machine(&self, attempted: Attempted<'_>, void: &Void) -> Result<(), RunError> {
        let beside_others = {
            let _beside_others = self.floor.read().unwrap_or_else(PoisonError::into_inner);
            self.self_test.passes(attempted.seats)
        };
        if beside_others.is_ok() || self.is_abandoned() {
            return Ok(());
        }
        // Perhaps through another agent that is at work just now.
        let _alone = self.floor.write().unwrap_or_else(PoisonError::into_inner);
        match self.self_test.passes(attempted.seats) {
            Err(failed) if !self.is_abandoned() => Err(RunError::Machine {
                id: attempted.id.to_owned(),
                reason: void.reason.clone(),
                self_test: failed.reason,
            }),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// A few turns of a game between two built-in agents, which have nothing to do with anybody's submission: what is void
/// there is the machine's fault.
#[derive(Clone, Debug)]
pub struct SelfTest {
    manifest: Manifest,
    player: Participant,
    host: Host,
}

impl SelfTest {
    /// How many turns.
    const TURNS: u32 = 8;

    /// One under the conditions of the run of `manifest`; the agents are made in `builder`.
    ///
    /// # Errors
    ///
    /// [`AgentError`] where they cannot be made.
    pub fn new(manifest: &Manifest, builder: &AgentBuilder, host: Host) -> Result<Self, AgentError> {
        let spec: AgentSpec = "builtin:random".parse().expect("it is the name of a built-in agent");
        let player = Participant::new(builder.prepare(&spec, Path::new(""))?);
        let mut conditions = manifest.conditions.clone();
        conditions.draws.turn_limit = Some(Self::TURNS);
        Ok(Self {
            manifest: Manifest::new(manifest.game, conditions, manifest.seed),
            player,
            host,
        })
    }

    /// Runs the `calibrate` program of `participant`, once more if that breaks. Where it breaks again on a machine that
    /// works, that is odd of the program and no reason to stop anybody: the agent plays without its `calibration.txt`.
    ///
    /// # Errors
    ///
    /// [`SeatError`] where nothing can be run on this machine.
    pub fn calibrate(&self, participant: &mut Participant, seats: &SeatOptions) -> Result<Calibration, SeatError> {
        let calibration = participant.calibrate(seats).or_else(|_| participant.calibrate(seats));
        match calibration {
            Err(error) if self.passes(seats).is_ok() => Ok(Calibration::Odd(format!("could not be run: {error}"))),
            calibration => calibration,
        }
    }

    fn passes(&self, seats: &SeatOptions) -> Result<(), Void> {
        let name = self.player.name();
        let games = encounter(self.manifest.game, name, name, 1);
        let game = OneGame {
            manifest: &self.manifest,
            pairing: games.first().expect("one game was asked for"),
            players: PerSide {
                black: &self.player,
                white: &self.player,
            },
            seats,
            host: &self.host,
        };
        game.play(&|_| ()).map(drop)
    }
}
