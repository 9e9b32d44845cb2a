//! The runner: plays all unfinished games and asks all unanswered questions of a run, several at a time.
//!
//! `runs` calls it; `shards` has its own worker. It does not plan games or present results. Each game or answer is a
//! blocking task; there are as many at once as there are [`Slots`]. To keep processors busy, the next game's seats are
//! opened while others play, and a record is written after its slot went to the next game. Everything must be on disk
//! before it is reported. A void is retried under its own name; void twice, it waits until everything else is finished
//! ([`Attempts`]); void again, it is left for a resumed run.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use tokio::task::JoinSet;

use super::attempts::{Attempted, Attempts, Pass, SelfTest, Settled};
use super::derive_seed;
use super::event::{RunError, RunEvent};
use super::one_game::{OneGame, player};
use super::slots::{Slot, Slots};
use crate::agents::Participant;
use crate::games::Side;
use crate::records::{AnswerRecord, AnswerRequest, Host, Manifest, Pairing, PerSide, RunFolder, unix_s};
use crate::referee::{UnjudgedAnswer, Void, ask};
use crate::seat::{Concurrency, Meter, Seat, SeatOptions};

/// A run that is ready to be played.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The plan and conditions.
    pub manifest: Manifest,
    /// The folder of the run.
    pub folder: RunFolder,
    /// The options of all seats.
    pub seats: SeatOptions,
    /// The agents by their names in the manifest.
    pub participants: BTreeMap<String, Participant>,
    /// This machine.
    pub host: Host,
    /// The test of this machine.
    pub self_test: SelfTest,
}

/// A task of a run.
#[derive(Clone, Debug)]
pub enum PendingTask {
    /// A game is to be played.
    Game(Pairing),
    /// A question for an agent.
    Answer(AnswerRequest),
}

impl PendingTask {
    /// The name of the game or the answer.
    pub fn id(&self) -> &str {
        match self {
            Self::Game(pairing) => &pairing.id,
            Self::Answer(asked) => &asked.id,
        }
    }

    /// The names of its agents.
    pub fn agents(&self) -> Vec<String> {
        match self {
            Self::Game(pairing) => vec![pairing.black.clone(), pairing.white.clone()],
            Self::Answer(asked) => vec![asked.agent.clone()],
        }
    }

    /// Whether the agent `name` takes part in it.
    pub fn concerns(&self, name: &str) -> bool {
        self.agents().iter().any(|agent| agent == name)
    }
}

/// The tasks of a run, in this order.
pub struct TaskList {
    tasks: std::vec::IntoIter<PendingTask>,
    wanted: Option<StillNeeded>,
}

/// Whether a task is still needed, given all results so far.
type StillNeeded = Box<dyn FnMut(&PendingTask) -> bool + Send>;

impl From<Vec<PendingTask>> for TaskList {
    fn from(tasks: Vec<PendingTask>) -> Self {
        Self { tasks: tasks.into_iter(), wanted: None }
    }
}

impl TaskList {
    /// Those of `tasks` that are still `wanted` when their turn comes, after all earlier results in their slots were
    /// kept.
    pub fn while_wanted(tasks: Vec<PendingTask>, wanted: impl FnMut(&PendingTask) -> bool + Send + 'static) -> Self {
        Self { tasks: tasks.into_iter(), wanted: Some(Box::new(wanted)) }
    }

    /// The next needed task, as far as is known now.
    fn next(&mut self) -> Option<PendingTask> {
        loop {
            let task = self.tasks.next()?;
            if self.wants(&task) {
                return Some(task);
            }
        }
    }

    fn wants(&mut self, task: &PendingTask) -> bool {
        self.wanted.as_mut().is_none_or(|wanted| wanted(task))
    }

    fn release(&self) -> Release {
        match self.wanted {
            None => Release::WhenPlayed,
            Some(_) => Release::WhenKept,
        }
    }
}

/// When a task gives its slot to the next one.
#[derive(Clone, Copy)]
enum Release {
    /// When its computing ends: its result is kept beside the next task.
    WhenPlayed,
    /// When its result is kept: the next task depends on it.
    WhenKept,
}

impl Runner {
    /// Everything without a record: the answers, then the games, in the order of the manifest.
    pub fn pending(&self) -> Vec<PendingTask> {
        let missing = |ids: Vec<String>| {
            let done: BTreeSet<String> = ids.into_iter().collect();
            move |id: &String| !done.contains(id)
        };
        let no_answer = missing(self.folder.answered(&self.manifest));
        let no_game = missing(self.folder.finished(&self.manifest));
        let answers = self.manifest.answers.iter().filter(|asked| no_answer(&asked.id));
        let games = self.manifest.games.iter().filter(|pairing| no_game(&pairing.id));
        let answers = answers.cloned().map(PendingTask::Answer);
        answers.chain(games.cloned().map(PendingTask::Game)).collect()
    }

    /// Whether all agents of `task` are available.
    pub fn can_do(&self, task: &PendingTask) -> bool {
        match task {
            PendingTask::Game(pairing) => {
                Side::BOTH.into_iter().all(|side| self.participants.contains_key(pairing.name(side)))
            }
            PendingTask::Answer(asked) => self.participants.contains_key(&asked.agent),
        }
    }

    /// Does every task of `task_list`, one at a time in each of `slots`. Reports all events to `on_event`, from
    /// several threads.
    ///
    /// # Errors
    ///
    /// [`RunError`]; running tasks are dropped, finished ones are kept.
    pub async fn run(
        mut self,
        task_list: impl Into<TaskList>,
        slots: Slots,
        on_event: impl Fn(RunEvent) + Clone + Send + Sync + 'static,
    ) -> Result<(), RunError> {
        self.seats.concurrency = Concurrency::of(slots.count());
        // Dropping this future also drops the running tasks, though their threads continue.
        let attempts = Attempts::new(self.folder.clone(), self.self_test.clone());
        let work = Arc::new(ActiveRun {
            seats_in_slots: 2 * slots.count() as u64,
            runner: self,
            attempts,
            meter: OnceLock::new(),
        });
        let _abandons = AbandonOnDrop(Arc::clone(&work));
        let mut tasks: JoinSet<Done> = JoinSet::new();
        let mut set_aside = Vec::new();
        let mut task_list: TaskList = task_list.into();
        // A task begins when a slot is free, so they begin in order.
        while let Some(task) = task_list.next() {
            let (slot, opened) = match slots.take_free() {
                Some(slot) => (slot, None),
                None => opened_while_waiting(&work, &task, &slots).await?,
            };
            while tasks.len() >= slots.count() * MAX_UNSETTLED {
                set_aside.extend(tasks.join_next().await.map_or(Ok(None), unwrap_task)?);
            }
            while let Some(done) = tasks.try_join_next() {
                set_aside.extend(unwrap_task(done)?);
            }
            if task_list.wants(&task) {
                let task_slot = TaskSlot::new(slot, task_list.release(), opened);
                tasks.spawn_blocking(job(&work, task, Pass::First, task_slot, on_event.clone()));
            }
        }
        while let Some(done) = tasks.join_next().await {
            set_aside.extend(unwrap_task(done)?);
        }
        for task in set_aside {
            let task_slot = TaskSlot::new(take_slot(&slots).await?, Release::WhenKept, None);
            tasks.spawn_blocking(job(&work, task, Pass::Last, task_slot, on_event.clone()));
            while let Some(done) = tasks.join_next().await {
                unwrap_task(done)?;
            }
        }
        Ok(())
    }

    fn ask(
        &self,
        asked: &AnswerRequest,
        seats: &SeatOptions,
        on_event: &impl Fn(RunEvent),
    ) -> Result<AnswerRecord, Void> {
        on_event(RunEvent::Asked(asked.clone()));
        let question = self
            .manifest
            .question(&asked.question)
            .ok_or_else(|| Void::new(format!("no question is named `{}`", asked.question)))?;
        let participant = self.participant(&asked.agent)?;
        let seed = derive_seed(self.manifest.seed, &[&asked.id]);
        let mut seat = participant.take_seat(self.manifest.game, seed, seats)?;
        let conditions = self.manifest.conditions_of_answer(question);
        let began_unix_s = unix_s();
        let run = ask(question, &conditions, &mut seat)?;
        let agent = player(participant, &seat, conditions.charge);
        let answer = UnjudgedAnswer {
            id: asked.id.clone(),
            game: self.manifest.game,
            agent,
            question: question.clone(),
            conditions,
            began_unix_s,
            run,
        };
        answer.judged().map_err(|fault| Void::new(format!("question `{}`: {fault}", question.name)))
    }

    /// The seats of a game that may run on any processor, if `spare_seats` more can be opened beside them.
    fn open_seats(&self, task: &PendingTask, spare_seats: u64) -> Option<PerSide<Seat>> {
        let seats = SeatOptions { spare_seats, ..self.seats.clone() };
        match task {
            // A failure here is retried when the game begins, and reported then.
            PendingTask::Game(pairing) => self.game(pairing, &seats).and_then(|game| game.open_seats()).ok(),
            PendingTask::Answer(_) => None,
        }
    }

    fn game<'a>(&'a self, pairing: &'a Pairing, seats: &'a SeatOptions) -> Result<OneGame<'a>, Void> {
        Ok(OneGame {
            manifest: &self.manifest,
            pairing,
            players: PerSide { black: self.participant(&pairing.black)?, white: self.participant(&pairing.white)? },
            seats,
            host: &self.host,
        })
    }

    fn participant(&self, name: &str) -> Result<&Participant, Void> {
        self.participants.get(name).ok_or_else(|| Void::new(format!("no agent is named `{name}`")))
    }
}

/// A run under way.
struct ActiveRun {
    runner: Runner,
    /// The seats of a game in each slot.
    seats_in_slots: u64,
    attempts: Attempts,
    /// The meter of the seats of this machine, known after the first game.
    meter: OnceLock<Meter>,
}

impl ActiveRun {
    /// Whether seats may be opened and closed beside a game. Beside an only game, their processes cannot be told from
    /// hidden ones of an agent, unless the meter keeps them apart ([`Concurrency::Alone`]).
    fn may_overlap(&self) -> bool {
        match self.runner.seats.concurrency {
            Concurrency::Others => true,
            Concurrency::Alone => self.meter.get().is_some_and(|meter| meter.has_witness()),
        }
    }

    fn settle(
        &self,
        task: &PendingTask,
        pass: Pass,
        task_slot: &TaskSlot,
        on_event: &impl Fn(RunEvent),
    ) -> Result<Settled, RunError> {
        let Self { runner, attempts, .. } = self;
        let seats = &SeatOptions { processor: task_slot.processor, ..runner.seats.clone() };
        let attempted = Attempted { id: task.id(), agents: &task.agents(), seats, pass };
        match task {
            PendingTask::Game(pairing) => {
                let play = || runner.game(pairing, seats)?.play(task_slot.opened.take(), on_event);
                attempts.settle(attempted, on_event, play, |(record, seated)| {
                    self.meter.get_or_init(|| seated.black.meter());
                    let may_wait = self.may_overlap() && seated.black.leaves_space_for(self.seats_in_slots);
                    let _closed_when_kept = may_wait.then_some(seated);
                    task_slot.release_if_played();
                    attempts.keep_game(record, on_event)
                })
            }
            PendingTask::Answer(asked) => {
                let ask = || runner.ask(asked, seats, on_event);
                attempts.settle(attempted, on_event, ask, |record| {
                    task_slot.release_if_played();
                    attempts.keep_answer(record, on_event)
                })
            }
        }
    }
}

/// Drops the running tasks when it is dropped.
struct AbandonOnDrop(Arc<ActiveRun>);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.attempts.abandon();
    }
}

/// A task that was set aside, if any.
type Done = Result<Option<PendingTask>, RunError>;

async fn take_slot(slots: &Slots) -> Result<Slot, RunError> {
    let slot = slots.take().await;
    slot.map_err(|closed| RunError::Task(closed.to_string()))
}

/// Waits for a slot. Meanwhile opens the seats of `task`, if they may be and do not depend on the slot.
async fn opened_while_waiting(
    work: &Arc<ActiveRun>,
    task: &PendingTask,
    slots: &Slots,
) -> Result<(Slot, Option<PerSide<Seat>>), RunError> {
    if slots.are_on_cores() || !work.may_overlap() {
        return Ok((take_slot(slots).await?, None));
    }
    let (at_work, task) = (Arc::clone(work), task.clone());
    let opening = tokio::task::spawn_blocking(move || at_work.runner.open_seats(&task, at_work.seats_in_slots));
    let slot = take_slot(slots).await?;
    let opened = opening.await.map_err(|error| RunError::Task(error.to_string()))?;
    Ok((slot, opened))
}

/// The maximum number of begun tasks per slot: one that has it, and one whose result is being kept.
const MAX_UNSETTLED: usize = 2;

/// A task in its slot.
struct TaskSlot {
    processor: Option<usize>,
    slot: Cell<Option<Slot>>,
    release: Release,
    /// The seats of its game, if already open; a retry opens new ones.
    opened: Cell<Option<PerSide<Seat>>>,
}

impl TaskSlot {
    fn new(slot: Slot, release: Release, opened: Option<PerSide<Seat>>) -> Self {
        Self { processor: slot.processor, slot: Cell::new(Some(slot)), release, opened: Cell::new(opened) }
    }

    /// Everything that needs a processor is done.
    fn release_if_played(&self) {
        match self.release {
            Release::WhenPlayed => drop(self.slot.take()),
            Release::WhenKept => {}
        }
    }
}

/// The work on one task, for its own thread.
fn job(
    work: &Arc<ActiveRun>,
    task: PendingTask,
    pass: Pass,
    task_slot: TaskSlot,
    on_event: impl Fn(RunEvent) + Send + 'static,
) -> impl FnOnce() -> Done + Send + 'static {
    let work = Arc::clone(work);
    move || {
        let settled = work.settle(&task, pass, &task_slot, &on_event)?;
        Ok((settled == Settled::SetAside).then_some(task))
    }
}

fn unwrap_task(done: Result<Done, tokio::task::JoinError>) -> Done {
    done.map_err(|error| RunError::Task(error.to_string()))?
}
