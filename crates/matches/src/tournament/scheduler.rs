//! The loop of every run: takes the next task when a slot is free, plays it, keeps its result, and goes on until
//! nothing is left.
//!
//! A [`Workload`] says which tasks are left for this process and who plays them: all of a run on one machine
//! ([`Runner`](super::Runner)), or what a shard can claim (`shards`). The loop does not plan games, decide what is
//! retried ([`Attempts`]) or present results.
//!
//! Several threads work in the same way, and one of them at a time stands at the gate: it takes a slot and the next
//! task, so tasks begin in order. To keep processors busy, it opens the next game's seats while it waits for the slot,
//! and a thread keeps its record after its slot went to the next game. Everything must be on disk before it is
//! reported.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::task::JoinSet;

use super::attempts::{Attempts, Pass, Settled, TaskAttempt};
use super::derive_seed;
use super::event::{RunError, RunEvent};
use super::one_game::{OneGame, player};
use super::pending_task::PendingTask;
use super::slots::{Slot, Slots};
use crate::referee::{UnjudgedAnswer, Void, ask};
use referee_records::{AnswerRecord, AnswerRequest, Manifest, Pairing, PerSide, unix_s};
use referee_seat::{Concurrency, Meter, Seat, SeatOptions};
use referee_submissions::agents::Participant;

/// What is left of a run for this process, and the agents that play it: all that differs between a run on one machine
/// and a shard.
pub trait Workload: Send + Sync + 'static {
    /// Why it cannot continue.
    type Error: From<RunError> + Send + 'static;
    /// What it reports.
    type Event: From<RunEvent> + 'static;

    /// The next task for a slot that is free now. Called by one thread at a time.
    ///
    /// # Errors
    ///
    /// [`Self::Error`]; then no more tasks begin.
    fn next_task(&self, on_event: &dyn Fn(Self::Event)) -> Result<NextTask, Self::Error>;

    /// The task that [`next_task`](Self::next_task) will probably return next, if its agents are ready: its seats may
    /// be opened while all slots are taken.
    fn foreseen(&self) -> Option<PendingTask>;

    /// Whether the next task depends on the results of those before it, so that they must be kept first.
    fn depends_on_results(&self) -> bool {
        false
    }

    /// The agent `name`, ready to play.
    ///
    /// # Errors
    ///
    /// [`Self::Error`]; then no more tasks begin.
    fn participant(&self, name: &str, on_event: &dyn Fn(Self::Event)) -> Result<Arc<Participant>, Self::Error>;

    /// `task` was attempted in this pass.
    ///
    /// # Errors
    ///
    /// [`Self::Error`]; then no more tasks begin.
    fn on_settled(&self, task: PendingTask, pass: Pass, settled: Settled) -> Result<(), Self::Error>;

    /// Gives back the tasks without a result, because the run ends.
    fn abandon(&self) {}
}

/// What a thread with a slot does next.
#[derive(Debug)]
pub enum NextTask {
    /// Attempts this task.
    Attempt(PendingTask, Pass),
    /// Asks again after this time.
    Wait(Duration),
    /// Ends. A task that is set aside later is retried by the thread that attempted it.
    Nothing,
}

/// The tasks of a run, as far as this process attempts them, and the conditions of all.
#[derive(Debug)]
pub struct Scheduler<W> {
    /// The plan and conditions.
    pub manifest: Arc<Manifest>,
    /// The options of all seats.
    pub seats: SeatOptions,
    /// The slots for games.
    pub slots: Slots,
    /// Completes tasks, and stops the loop.
    pub attempts: Arc<Attempts>,
    /// The tasks.
    pub workload: Arc<W>,
}

/// The maximum number of begun tasks per slot: one that has it, and one whose result is being kept.
const MAX_UNSETTLED: usize = 2;

impl<W: Workload> Scheduler<W> {
    /// Attempts tasks until nothing is left or `attempts` is told to stop, one at a time in each slot. Reports all
    /// events to `on_event`, from several threads. Dropping the future abandons the run, though its threads continue
    /// for a moment.
    ///
    /// # Errors
    ///
    /// The first error; then no more tasks begin, and running ones are finished.
    pub async fn run(mut self, on_event: impl Fn(W::Event) + Send + Sync + 'static) -> Result<(), W::Error> {
        self.seats.concurrency = Concurrency::of_games(self.slots.count());
        let run = Arc::new(ActiveRun {
            scheduler: self,
            gate: Mutex::default(),
            meter: OnceLock::new(),
            on_event: Box::new(on_event),
        });
        let attempts = &run.scheduler.attempts;
        let _abandons = AbandonOnDrop(Arc::clone(&run));
        let mut threads = JoinSet::new();
        // One more stands at the gate.
        for _ in 0..=MAX_UNSETTLED * run.scheduler.slots.count() {
            let run = Arc::clone(&run);
            threads.spawn_blocking(move || run.work().inspect_err(|_| run.scheduler.attempts.stop()));
        }
        let mut ended = Ok(());
        while let Some(worked) = threads.join_next().await {
            let worked = worked.unwrap_or_else(|panicked| {
                attempts.stop();
                Err(RunError::Task(panicked.to_string()).into())
            });
            ended = ended.and(worked);
        }
        ended
    }
}

/// A run under way.
struct ActiveRun<W: Workload> {
    scheduler: Scheduler<W>,
    /// Held by the thread that begins the next task.
    gate: Mutex<()>,
    /// The meter of the seats of this machine, known after the first game.
    meter: OnceLock<Meter>,
    on_event: Box<dyn Fn(W::Event) + Send + Sync>,
}

/// A task that a thread is to attempt.
struct BegunTask {
    task: PendingTask,
    pass: Pass,
    slot: Slot,
    /// The seats of its game, if already open; a retry opens new ones.
    opened: Option<PerSide<Seat>>,
}

impl<W: Workload> ActiveRun<W> {
    fn work(&self) -> Result<(), W::Error> {
        while let Some(begun) = self.begin()? {
            self.settle(begun)?;
        }
        Ok(())
    }

    /// Waits for a slot and begins the next task; `None` if this thread has nothing more to do.
    fn begin(&self) -> Result<Option<BegunTask>, W::Error> {
        let Scheduler { attempts, workload, slots, .. } = &self.scheduler;
        let _at_the_gate = self.gate.lock();
        let (slot, foreseen) = if let Some(slot) = slots.take_free() {
            (slot, None)
        } else {
            let foreseen = self.open_foreseen();
            (slots.take(), foreseen)
        };
        while !attempts.is_stopping() {
            match workload.next_task(&self.on_event)? {
                NextTask::Attempt(task, pass) => {
                    let opened = foreseen.filter(|(foreseen, _)| foreseen.id() == task.id());
                    let opened = opened.map(|(_, seats)| seats);
                    return Ok(Some(BegunTask { task, pass, slot, opened }));
                }
                NextTask::Wait(time) => std::thread::sleep(time),
                NextTask::Nothing => break,
            }
        }
        Ok(None)
    }

    /// Opens the seats of the next task, if they may be and do not depend on its slot.
    fn open_foreseen(&self) -> Option<(PendingTask, PerSide<Seat>)> {
        if self.scheduler.slots.on_cores || !self.may_overlap() {
            return None;
        }
        let task = self.scheduler.workload.foreseen()?;
        let seats = SeatOptions { spare_seats: self.seats_in_slots(), ..self.scheduler.seats.clone() };
        let opened = match &task {
            // A failure here is retried when the game begins, and reported then.
            PendingTask::Game(pairing) => self.game(pairing, &seats).ok()?.open_seats().ok(),
            PendingTask::Answer(_) => None,
        };
        opened.map(|opened| (task, opened))
    }

    /// Whether seats may be opened and closed beside a game. Beside an only game, their processes cannot be told from
    /// hidden ones of an agent, unless the meter keeps them apart ([`Concurrency::Alone`]).
    fn may_overlap(&self) -> bool {
        match self.scheduler.seats.concurrency {
            Concurrency::Others => true,
            Concurrency::Alone => self.meter.get().is_some_and(|meter| meter.has_witness()),
        }
    }

    /// The seats of the games in all slots.
    fn seats_in_slots(&self) -> u64 {
        2 * self.scheduler.slots.count() as u64
    }

    fn settle(&self, begun: BegunTask) -> Result<(), W::Error> {
        let BegunTask { task, pass, slot, opened } = begun;
        let Scheduler { attempts, workload, .. } = &self.scheduler;
        let seats = &SeatOptions { processor: slot.processor, ..self.scheduler.seats.clone() };
        let on_event = |event: RunEvent| (self.on_event)(event.into());
        let slot = Cell::new(Some(slot));
        // All that needs a processor is done.
        let free_slot = || {
            if !workload.depends_on_results() {
                drop(slot.take());
            }
        };
        let settled = match &task {
            PendingTask::Game(pairing) => {
                let game = self.game(pairing, seats)?;
                let opened = Cell::new(opened);
                let play = || game.play(opened.take(), &on_event);
                let participants = &[&*game.players.black, &*game.players.white];
                let attempt = TaskAttempt { task: &task, participants, seats, pass };
                attempts.settle(attempt, &on_event, play, |(record, seated)| {
                    self.meter.get_or_init(|| seated.black.meter());
                    let may_wait = self.may_overlap() && seated.black.leaves_space_for(self.seats_in_slots());
                    let _closed_when_kept = may_wait.then_some(seated);
                    attempts.keep_game(record, free_slot, &on_event)
                })?
            }
            PendingTask::Answer(asked) => {
                let participant = self.participant(&asked.agent)?;
                let ask = || self.ask(asked, &participant, seats);
                let attempt = TaskAttempt { task: &task, participants: &[&*participant], seats, pass };
                attempts.settle(attempt, &on_event, ask, |record| attempts.keep_answer(record, free_slot, &on_event))?
            }
        };
        drop(slot);
        workload.on_settled(task, pass, settled)
    }

    fn participant(&self, name: &str) -> Result<Arc<Participant>, W::Error> {
        self.scheduler.workload.participant(name, &self.on_event)
    }

    fn game<'a>(&'a self, pairing: &'a Pairing, seats: &'a SeatOptions) -> Result<OneGame<'a>, W::Error> {
        Ok(OneGame {
            manifest: &self.scheduler.manifest,
            pairing,
            players: PerSide { black: self.participant(&pairing.black)?, white: self.participant(&pairing.white)? },
            seats,
            host: &self.scheduler.attempts.self_test.host,
        })
    }

    fn ask(&self, asked: &AnswerRequest, participant: &Participant, seats: &SeatOptions) -> Result<AnswerRecord, Void> {
        (self.on_event)(RunEvent::Asked(asked.clone()).into());
        let manifest = &self.scheduler.manifest;
        let question = manifest
            .question(&asked.question)
            .ok_or_else(|| Void::new(format!("no question is named `{}`", asked.question)))?;
        let seed = derive_seed(manifest.seed, &[&asked.id]);
        let mut seat = participant.take_seat(manifest.game, seed, seats)?;
        let conditions = manifest.conditions_of_answer(question);
        let began_unix_s = unix_s();
        let run = ask(question, &conditions, &mut seat)?;
        let agent = player(participant, &seat, conditions.charge);
        let answer = UnjudgedAnswer {
            id: asked.id.clone(),
            game: manifest.game,
            agent,
            question: question.clone(),
            conditions,
            began_unix_s,
            run,
        };
        answer.judged().map_err(|fault| Void::new(format!("question `{}`: {fault}", question.name)))
    }
}

/// Keeps no more results from when it is dropped, and gives back what has none.
struct AbandonOnDrop<W: Workload>(Arc<ActiveRun<W>>);

impl<W: Workload> Drop for AbandonOnDrop<W> {
    fn drop(&mut self) {
        self.0.scheduler.attempts.abandon();
        self.0.scheduler.workload.abandon();
    }
}
