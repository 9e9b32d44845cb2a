//! Completes a game or an answer: keeps its record, or sets it aside if it is repeatedly void.
//!
//! It does not decide the order or the threads of games ([`Scheduler`](super::Scheduler)) or report to people
//! ([`Voids`](super::Voids)). A void must cost nobody a game. A void is retried at once; void again, it is set aside
//! while others continue, so that no agent can stop a run. A [`SelfTest`] distinguishes a failing machine from an agent
//! that breaks its own games; its second attempt runs alone, so that an agent's temporary load on the machine cannot
//! stop the run. Where rules fail at legal moves, nothing is retried: a run keeps its rules.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use parking_lot::RwLock;

use super::encounter;
use super::event::{RunError, RunEvent, VoidRetry};
use super::external_signals::{was_answer_ended_externally, was_ended_externally, was_void_ended_externally};
use super::one_game::OneGame;
use super::pending_task::PendingTask;
use crate::referee::{Void, VoidCause};
use referee_records::{AnswerRecord, GameRecord, Host, Kept, Manifest, PerSide, RecordError, RunFolder};
use referee_seat::{SeatError, SeatOptions};
use referee_submissions::agents::{AgentBuilder, AgentError, AgentSpec, Participant};

/// One process's attempts at the games and answers of a run.
#[derive(Debug)]
pub struct Attempts {
    folder: RunFolder,
    pub(super) self_test: SelfTest,
    /// Games hold it for reading; an attempt that must run alone holds it for writing.
    game_lock: RwLock<()>,
    kept: AtomicUsize,
    /// Set once no more games may start.
    stopping: AtomicBool,
    /// Set once nothing may be kept: agents may have been removed through no fault of their own.
    abandoned: AtomicBool,
}

/// A task to attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskAttempt<'a> {
    pub task: &'a PendingTask,
    /// Who plays it.
    pub participants: &'a [&'a Participant],
    /// The options of its seats.
    pub seats: &'a SeatOptions,
    pub pass: Pass,
}

/// The passes over a run's tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// In order, beside others; retried once.
    First,
    /// After everything else, alone, so that no other game disturbs it.
    Last,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Recorded.
    Kept,
    /// Void; nothing is kept yet.
    SetAside,
    /// Void at every attempt to come; nothing is kept.
    GivenUp,
    /// Nothing is kept, because the run is stopping.
    Dropped,
}

impl Attempts {
    /// Attempts for the run in `folder`; `self_test` tests its machine.
    pub fn new(folder: RunFolder, self_test: SelfTest) -> Self {
        Self {
            folder,
            self_test,
            game_lock: RwLock::default(),
            kept: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
        }
    }

    /// Starts no more games: from now on, a signal that ends an agent may be part of ending this process.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    /// Whether no more games may start.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Keeps no further results, even of running games. The agents may now be removed.
    pub fn abandon(&self) {
        self.stop();
        self.abandoned.store(true, Ordering::SeqCst);
    }

    /// Runs `once`, retries it if it is void, and passes the result to `keep`. Reports voids to `on_event`.
    ///
    /// # Errors
    ///
    /// [`RunError`] if nothing can be kept, or nothing works on this machine.
    pub(super) fn settle<T>(
        &self,
        attempt: TaskAttempt<'_>,
        on_event: &impl Fn(RunEvent),
        once: impl Fn() -> Result<T, Void>,
        keep: impl FnOnce(T) -> Result<Settled, RecordError>,
    ) -> Result<Settled, RunError> {
        let kept_before = self.kept.load(Ordering::SeqCst);
        let count = |void: &Void| {
            let blame = void.cause.blame();
            self.folder.count_void(attempt.task.id(), &attempt.task.agents(), &void.reason, blame)
        };
        let voided = |void: &Void, retry: VoidRetry| {
            count(void)?;
            on_event(RunEvent::Voided { id: attempt.task.id().to_owned(), reason: void.reason.clone(), retry });
            Ok::<(), RecordError>(())
        };
        let done = match attempt.pass {
            Pass::First => {
                let _beside_others = self.game_lock.read();
                match once() {
                    Err(void) if self.is_ended_with(&void) => return Ok(Settled::Dropped),
                    Err(void) if void.cause.may_pass() => {
                        voided(&void, VoidRetry::Now)?;
                        once()
                    }
                    done => done,
                }
            }
            Pass::Last => {
                let _alone = self.game_lock.write();
                once()
            }
        };
        // Before the next line: the agents of an abandoned run may be removed at any time.
        let incomplete = attempt.participants.iter().find_map(|participant| participant.agent().incomplete_folder());
        if self.abandoned.load(Ordering::SeqCst) {
            return Ok(Settled::Dropped);
        }
        if let Some(folder) = incomplete {
            return Err(RunError::CopyRemoved { folder: folder.to_owned() });
        }
        match done {
            Ok(result) => {
                let settled = keep(result)?;
                self.kept.fetch_add(usize::from(settled == Settled::Kept), Ordering::SeqCst);
                Ok(settled)
            }
            Err(void) if self.is_ended_with(&void) => Ok(Settled::Dropped),
            Err(void) => {
                let kept = self.kept.load(Ordering::SeqCst);
                // A game finished meanwhile proves that the machine works; any finished game, that the rules can.
                let is_proven = match void.cause {
                    VoidCause::Host | VoidCause::Seat => kept > kept_before,
                    VoidCause::Rules | VoidCause::RulesAtLegalMoves => kept > 0,
                };
                if !is_proven && let Err(stopped) = self.expect_sound_machine(attempt, &void) {
                    count(&void)?;
                    return Err(stopped);
                }
                // The self-test takes a moment.
                if self.is_stopping() {
                    return Ok(Settled::Dropped);
                }
                let (retry, settled) = match attempt.pass {
                    _ if !void.cause.may_pass() => (VoidRetry::Never, Settled::GivenUp),
                    Pass::First => (VoidRetry::Later, Settled::SetAside),
                    Pass::Last => (VoidRetry::WhenResumed, Settled::SetAside),
                };
                voided(&void, retry)?;
                Ok(settled)
            }
        }
    }

    /// Keeps the record of a game, unless an external signal ended its agents together with the run. Calls `free_slot`
    /// when that is certain: meanwhile no other game may begin.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub(super) fn keep_game(
        &self,
        record: GameRecord,
        free_slot: impl FnOnce(),
        on_event: &impl Fn(RunEvent),
    ) -> Result<Settled, RecordError> {
        if was_ended_externally(&record, &self.stopping) {
            return Ok(Settled::Dropped);
        }
        free_slot();
        match self.folder.keep(&record)? {
            Kept::First | Kept::Again => on_event(RunEvent::GameFinished(Box::new(record))),
            // It has a record too.
            Kept::Superseded => on_event(RunEvent::Superseded { id: record.id }),
        }
        Ok(Settled::Kept)
    }

    /// Keeps the record of an answer, in the same way.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub(super) fn keep_answer(
        &self,
        record: AnswerRecord,
        free_slot: impl FnOnce(),
        on_event: &impl Fn(RunEvent),
    ) -> Result<Settled, RecordError> {
        if was_answer_ended_externally(&record, &self.stopping) {
            return Ok(Settled::Dropped);
        }
        free_slot();
        self.folder.keep_answer(&record)?;
        on_event(RunEvent::Answered(Box::new(record)));
        Ok(Settled::Kept)
    }

    /// Whether `void` may come from what ends this process, for which this waits a moment. If so, it says nothing about
    /// the game, and nothing may be retried.
    fn is_ended_with(&self, void: &Void) -> bool {
        was_void_ended_externally(void, &self.stopping)
    }

    fn expect_sound_machine(&self, attempt: TaskAttempt<'_>, void: &Void) -> Result<(), RunError> {
        let beside_others = {
            let _beside_others = self.game_lock.read();
            self.self_test.passes(attempt.seats)
        };
        if beside_others.is_ok() || self.is_stopping() {
            return Ok(());
        }
        // Another running agent may be the cause.
        let _alone = self.game_lock.write();
        match self.self_test.passes(attempt.seats) {
            Err(failed) if !self.is_ended_with(&failed) => Err(match failed.cause {
                VoidCause::Rules | VoidCause::RulesAtLegalMoves => RunError::Rules {
                    id: attempt.task.id().to_owned(),
                    at: if void.cause.may_pass() { "twice" } else { "at legal moves" },
                    reason: failed.reason,
                },
                VoidCause::Host | VoidCause::Seat => RunError::Machine {
                    id: attempt.task.id().to_owned(),
                    reason: void.reason.clone(),
                    self_test: failed.reason,
                },
            }),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// A few turns of a game between two built-in agents, without any submission: if it is void, the machine is at fault,
/// or the rules program of the game.
#[derive(Clone, Debug)]
pub struct SelfTest {
    manifest: Manifest,
    player: Arc<Participant>,
    /// This machine.
    pub host: Host,
}

impl SelfTest {
    /// The number of turns.
    const TURNS: u32 = 8;

    /// The same of a game whose rules are a program: long enough for the usual end of a game.
    const TURNS_BY_RULES_PROGRAM: u32 = 100;

    /// A test under the conditions of `manifest`; `builder` makes its agents.
    ///
    /// # Errors
    ///
    /// [`AgentError`] if the agents cannot be made.
    pub fn new(manifest: &Manifest, builder: &AgentBuilder) -> Result<Self, AgentError> {
        let spec: AgentSpec = "builtin:random".parse().expect("it is the name of a built-in agent");
        let player = Arc::new(Participant::new(builder.prepare(&spec, Path::new(""))?));
        let mut conditions = manifest.conditions.clone();
        conditions.draws.turn_limit = Some(match manifest.game.rules_program() {
            Some(_) => Self::TURNS_BY_RULES_PROGRAM,
            None => Self::TURNS,
        });
        Ok(Self { manifest: Manifest::new(manifest.game, conditions, manifest.seed), player, host: Host::this() })
    }

    /// Runs the `calibrate` program of `participant`, with one retry. If it fails again on a working machine, the
    /// program is at fault and the agent plays without what it wrote. Never so on a machine that was too busy. Returns
    /// what was odd, like [`Participant::calibrate`].
    ///
    /// # Errors
    ///
    /// [`SeatError`] if nothing can be run on this machine.
    pub fn calibrate(&self, participant: &mut Participant, seats: &SeatOptions) -> Result<Option<String>, SeatError> {
        let calibration = participant.calibrate(seats).or_else(|_| participant.calibrate(seats));
        match calibration {
            Err(SeatError::Starved(_)) => calibration,
            Err(error) if self.passes(seats).is_ok() => Ok(Some(format!("could not be run: {error}"))),
            calibration => calibration,
        }
    }

    fn passes(&self, seats: &SeatOptions) -> Result<(), Void> {
        let name = self.player.name();
        let games = encounter(self.manifest.game, name, name, 1);
        let game = OneGame {
            manifest: &self.manifest,
            pairing: games.first().expect("one game was asked for"),
            players: PerSide::from_fn(|_| Arc::clone(&self.player)),
            seats,
            host: &self.host,
        };
        game.play(None, &|_| ()).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::referee::VoidCause;
    use referee_games::{KnownGames, checkers};
    use referee_records::{Conditions, Pairing};
    use referee_time::CpuTime;

    /// A run with one game, without a keeper: a self-test here would fail.
    struct Run {
        _place: tempfile::TempDir,
        manifest: Manifest,
        attempts: Attempts,
    }

    impl Run {
        fn new() -> Self {
            let place = tempfile::tempdir().unwrap();
            let conditions = Conditions::usual(checkers::ID, CpuTime::from_secs(300));
            let games = encounter(checkers::ID, "ada", "bob", 1);
            let manifest = Manifest { games, ..Manifest::new(checkers::ID, conditions, 1) };
            let folder = RunFolder::begin(&place.path().join("run"), &manifest, &KnownGames::builtin()).unwrap();
            let self_test = SelfTest::new(&manifest, &AgentBuilder::new().unwrap()).unwrap();
            Self { _place: place, manifest, attempts: Attempts::new(folder, self_test) }
        }

        /// How many times the game was played and counted as void, if it is void by `cause` and `during` happens then.
        fn settle(&self, cause: VoidCause, pass: Pass, during: impl Fn()) -> (Settled, usize, u32) {
            let played = AtomicUsize::new(0);
            let pairing: &Pairing = &self.manifest.games[0];
            let (task, seats) = (PendingTask::Game(pairing.clone()), SeatOptions::default());
            let once = || -> Result<(), Void> {
                played.fetch_add(1, Ordering::SeqCst);
                during();
                Err(Void { reason: "it is gone".to_owned(), cause })
            };
            let attempt = TaskAttempt { task: &task, participants: &[], seats: &seats, pass };
            let settled = self.attempts.settle(attempt, &|_| (), once, |()| Ok(Settled::Kept)).unwrap();
            let voids = self.attempts.folder.voids(&self.manifest).unwrap();
            (settled, played.into_inner(), voids.iter().map(|void| void.times).sum())
        }
    }

    #[test]
    fn a_void_of_a_run_that_is_stopping_is_neither_counted_nor_retried() {
        for cause in [VoidCause::Host, VoidCause::Seat, VoidCause::Rules, VoidCause::RulesAtLegalMoves] {
            for pass in [Pass::First, Pass::Last] {
                let run = Run::new();
                assert_eq!(run.settle(cause, pass, || run.attempts.stop()), (Settled::Dropped, 1, 0), "{cause:?}");
            }
        }
    }

    #[test]
    fn a_signal_may_reach_the_processes_of_a_game_before_the_run() {
        for cause in [VoidCause::Seat, VoidCause::Rules] {
            let run = Run::new();
            let stop_later = |attempts: &Attempts| {
                thread::sleep(Duration::from_millis(50));
                attempts.stop();
            };
            thread::scope(|scope| {
                let during = || drop(scope.spawn(|| stop_later(&run.attempts)));
                assert_eq!(run.settle(cause, Pass::First, during), (Settled::Dropped, 1, 0), "{cause:?}");
            });
        }
    }

    #[test]
    fn a_void_of_a_run_that_goes_on_is_retried_and_counted() {
        let run = Run::new();
        // Another game is finished meanwhile, so nothing is tested.
        let proven = || run.attempts.kept.store(1, Ordering::SeqCst);
        assert_eq!(run.settle(VoidCause::Host, Pass::First, proven), (Settled::SetAside, 2, 2));
    }
}
