//! A run on one machine, which has all its tasks and agents for itself. `runs` calls it; `shards` has its own
//! [`Workload`].
//!
//! A void is retried under its own name; void twice, it waits until everything else is finished
//! ([`Attempts`]); void again, it is left for a resumed run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;

use super::attempts::{Attempts, Pass, SelfTest, Settled};
use super::event::{RunError, RunEvent};
use super::pending_task::PendingTask;
use super::scheduler::{NextTask, Scheduler, Workload};
use super::slots::Slots;
use referee_records::{Manifest, RunFolder};
use referee_seat::SeatOptions;
use referee_submissions::agents::Participant;

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
    /// The test of this machine.
    pub self_test: SelfTest,
}

impl Runner {
    /// Everything that is still to be done: the answers, then the games, in the order of the manifest.
    pub fn pending(&self) -> Vec<PendingTask> {
        let answered: BTreeSet<String> = self.folder.answered(&self.manifest).into_iter().collect();
        let answers = self.manifest.answers.iter().filter(|asked| !answered.contains(&asked.id));
        let games = self.folder.missing(&self.manifest).into_iter();
        answers.cloned().map(PendingTask::Answer).chain(games.cloned().map(PendingTask::Game)).collect()
    }

    /// Whether all agents of `task` are available.
    pub fn can_do(&self, task: &PendingTask) -> bool {
        task.agents().iter().all(|name| self.participants.contains_key(name))
    }

    /// Does every task of `task_list`, one at a time in each of `slots`. Reports all events to `on_event`, from
    /// several threads.
    ///
    /// # Errors
    ///
    /// [`RunError`]; then no more tasks begin, and running ones are finished. Dropping the future drops them.
    pub async fn run(
        self,
        task_list: impl Into<TaskList>,
        slots: Slots,
        on_event: impl Fn(RunEvent) + Send + Sync + 'static,
    ) -> Result<(), RunError> {
        let participants = self.participants.into_iter().map(|(name, one)| (name, Arc::new(one)));
        let workload = WholeRun { participants: participants.collect(), task_list: Mutex::new(task_list.into()) };
        let scheduler = Scheduler {
            manifest: Arc::new(self.manifest),
            seats: self.seats,
            slots,
            attempts: Arc::new(Attempts::new(self.folder, self.self_test)),
            workload: Arc::new(workload),
        };
        scheduler.run(on_event).await
    }
}

/// The tasks of a run, in this order; then those that were set aside, one after the other.
pub struct TaskList {
    tasks: std::vec::IntoIter<PendingTask>,
    wanted: Option<StillNeeded>,
    running: usize,
    set_aside: VecDeque<PendingTask>,
}

/// Whether a task is still needed, given all results so far.
type StillNeeded = Box<dyn FnMut(&PendingTask) -> bool + Send>;

impl From<Vec<PendingTask>> for TaskList {
    fn from(tasks: Vec<PendingTask>) -> Self {
        Self { tasks: tasks.into_iter(), wanted: None, running: 0, set_aside: VecDeque::new() }
    }
}

impl TaskList {
    /// Those of `tasks` that are still `wanted` when their turn comes, after all earlier results in their slots were
    /// kept.
    pub fn while_wanted(tasks: Vec<PendingTask>, wanted: impl FnMut(&PendingTask) -> bool + Send + 'static) -> Self {
        Self { wanted: Some(Box::new(wanted)), ..Self::from(tasks) }
    }

    /// The next needed task of the first pass, as far as is known now.
    fn foreseen(&mut self) -> Option<&PendingTask> {
        if let Some(wanted) = &mut self.wanted {
            while self.tasks.as_slice().first().is_some_and(|task| !wanted(task)) {
                self.tasks.next();
            }
        }
        self.tasks.as_slice().first()
    }

    fn next(&mut self) -> NextTask {
        self.foreseen();
        let next = match self.tasks.next() {
            Some(task) => NextTask::Attempt(task, Pass::First),
            None if self.running > 0 => NextTask::Nothing,
            None => self.set_aside.pop_front().map_or(NextTask::Nothing, |task| NextTask::Attempt(task, Pass::Last)),
        };
        self.running += usize::from(matches!(next, NextTask::Attempt(..)));
        next
    }
}

/// All tasks of a run and all its agents, in this process.
struct WholeRun {
    participants: BTreeMap<String, Arc<Participant>>,
    task_list: Mutex<TaskList>,
}

impl Workload for WholeRun {
    type Error = RunError;
    type Event = RunEvent;

    fn next_task(&self, _on_event: &dyn Fn(RunEvent)) -> Result<NextTask, RunError> {
        Ok(self.task_list.lock().next())
    }

    fn foreseen(&self) -> Option<PendingTask> {
        self.task_list.lock().foreseen().cloned()
    }

    fn depends_on_results(&self) -> bool {
        self.task_list.lock().wanted.is_some()
    }

    fn participant(&self, name: &str, _on_event: &dyn Fn(RunEvent)) -> Result<Arc<Participant>, RunError> {
        let participant = self.participants.get(name).cloned();
        participant.ok_or_else(|| RunError::Task(format!("no agent is named `{name}`")))
    }

    fn on_settled(&self, task: PendingTask, pass: Pass, settled: Settled) -> Result<(), RunError> {
        let mut task_list = self.task_list.lock();
        task_list.running -= 1;
        if (pass, settled) == (Pass::First, Settled::SetAside) {
            task_list.set_aside.push_back(task);
        }
        Ok(())
    }
}
