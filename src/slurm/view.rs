//! A run on a cluster: its results, joined with the queue and the submitted jobs. A pure function of these; `referee
//! slurm status` prints it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::jobs::{JobKind, SlurmJobs};
use super::location::RunLocation;
use super::queue::{Queue, QueuedTask, TaskStage};
use super::ranges::ranges;
use crate::messages::{counted, plain};

/// The progress of a run, from its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RunResults {
    /// The number of planned games.
    pub games: usize,
    /// The number of finished games.
    pub finished: usize,
    /// The number of unreadable records; checked only if no game is missing.
    pub unreadable: usize,
    /// The last planned round.
    pub round: u32,
    /// Whether rounds will follow that are not planned yet.
    pub more_rounds: bool,
}

/// The output of `referee slurm status`; `--json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlurmView {
    /// The folder of the run.
    pub run: String,
    /// The results, which alone decide.
    #[serde(flatten)]
    pub results: RunResults,
    /// Why the queue is unknown, if it is.
    pub queue_error: Option<String>,
    /// The last submitted array, and others that are still in the queue.
    pub arrays: Vec<ArrayView>,
    /// Jobs in the queue that plan the next round.
    pub next: Vec<TaskView>,
    /// What could not be parsed: one sentence each.
    pub remarks: Vec<String>,
    /// The recommended actions: one sentence each.
    pub advice: Vec<String>,
}

/// One array of shards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArrayView {
    /// The job.
    pub job: u64,
    /// Its round, if known.
    pub round: Option<u32>,
    /// Its tasks.
    pub tasks: Vec<TaskView>,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskView {
    /// The job.
    pub job: u64,
    /// The index within the array.
    pub index: u32,
    /// Its stage; `None` if Slurm does not know it or cannot be asked.
    #[serde(flatten)]
    pub stage: Option<TaskStage>,
    /// Its nodes.
    pub nodes: Option<String>,
    /// Its start, local time.
    pub since: Option<String>,
    /// Why it waits, as Slurm's keyword.
    pub reason: Option<String>,
}

impl RunResults {
    /// The number of missing games.
    pub const fn missing(&self) -> usize {
        self.games.saturating_sub(self.finished)
    }

    /// Whether no game is missing.
    pub const fn is_complete(&self) -> bool {
        self.missing() == 0 && !self.more_rounds
    }
}

impl SlurmView {
    /// Joins all information, without [advice](Self::advised). `queue` is from Slurm, or why it could not be asked.
    pub fn new(location: &RunLocation, results: RunResults, jobs: &SlurmJobs, queue: Result<&Queue, String>) -> Self {
        let nothing = Queue::default();
        let (queue, queue_error) = match queue {
            Ok(queue) => (queue, None),
            Err(error) => (&nothing, Some(error)),
        };
        let strange = queue.strange.iter();
        let strange = strange.map(|line| format!("unexpected output of squeue: `{}`", plain(line)));
        Self {
            run: location.run().to_owned(),
            results,
            queue_error,
            arrays: arrays(jobs, queue),
            next: queue.live_next().map(TaskView::of).collect(),
            remarks: jobs.unreadable.iter().cloned().chain(strange).collect(),
            advice: vec![],
        }
    }

    /// The tasks that may still finish a game.
    pub fn live(&self) -> impl Iterator<Item = &TaskView> {
        let tasks = self.arrays.iter().flat_map(|array| &array.tasks);
        tasks.filter(|task| task.stage.as_ref().is_some_and(TaskStage::is_live))
    }

    /// All lines for a terminal.
    pub fn lines(&self) -> Vec<String> {
        let RunResults { games, finished, .. } = self.results;
        let mut lines = vec![format!(
            "{}: {finished} of {} finished, {} missing",
            plain(&self.run),
            counted(games, "game"),
            self.results.missing()
        )];
        if self.results.round > 0 {
            let more = if self.results.more_rounds { ", more to come" } else { "" };
            lines.push(format!("rounds planned: {}{more}", self.results.round));
        }
        lines.extend(self.queue_error.iter().map(|error| format!("cannot read the queue: {error}")));
        lines.extend(self.arrays.iter().flat_map(|array| array.lines(self.queue_error.is_none())));
        lines.extend(self.next.iter().map(|job| format!("job {} plans the next round: {}", job.job, job.words())));
        lines.extend(self.remarks.iter().map(|remark| format!("note: {remark}")));
        lines.extend(self.advice.iter().map(|advice| format!("next: {advice}")));
        lines
    }
}

/// The tasks of the last array, and of all others that are still in the queue.
fn arrays(jobs: &SlurmJobs, queue: &Queue) -> Vec<ArrayView> {
    let mut of_job: BTreeMap<u64, BTreeMap<u32, TaskView>> = BTreeMap::new();
    let last = jobs.last_array().map(|job| job.job);
    for task in queue.live().chain(queue.tasks.iter().filter(|task| Some(task.job) == last)) {
        of_job.entry(task.job).or_default().insert(task.index, TaskView::of(task));
    }
    if let Some(last) = last {
        of_job.entry(last).or_default();
    }
    let array = |(job, mut tasks): (u64, BTreeMap<u32, TaskView>)| {
        let remembered = jobs.job(job);
        if let Some(JobKind::Shards { shards, .. }) = remembered.map(|job| job.kind) {
            for index in 0..shards {
                tasks.entry(index).or_insert_with(|| TaskView::gone(job, index));
            }
        }
        ArrayView { job, round: remembered.map(|job| job.round), tasks: tasks.into_values().collect() }
    };
    of_job.into_iter().map(array).collect()
}

impl ArrayView {
    fn lines(&self, is_queue_known: bool) -> Vec<String> {
        let round = self.round.map_or(String::new(), |round| format!(" of round {round}"));
        let head = format!("job {}{round}, {}:", self.job, counted(self.tasks.len(), "shard"));
        if !is_queue_known {
            return vec![head + " not known"];
        }
        let mut alike: Vec<(String, Vec<u32>)> = vec![];
        for task in &self.tasks {
            let words = task.words();
            match alike.iter_mut().find(|(known, _)| *known == words) {
                Some((_, indices)) => indices.push(task.index),
                None => alike.push((words, vec![task.index])),
            }
        }
        let lines = alike.into_iter().map(|(words, indices)| format!("  {}: {words}", ranges(&indices)));
        std::iter::once(head).chain(lines).collect()
    }
}

impl TaskView {
    fn of(task: &QueuedTask) -> Self {
        let is_running = task.stage == TaskStage::Running;
        Self {
            job: task.job,
            index: task.index,
            stage: Some(task.stage.clone()),
            nodes: task.nodes.clone(),
            since: task.start.clone().filter(|_| is_running),
            reason: task.reason.clone().filter(|_| !is_running),
        }
    }

    const fn gone(job: u64, index: u32) -> Self {
        Self { job, index, stage: None, nodes: None, since: None, reason: None }
    }

    /// Its stage in words.
    fn words(&self) -> String {
        let on = |verb: &str| {
            let nodes = self.nodes.as_ref().map_or(String::new(), |nodes| format!(" on {}", plain(nodes)));
            let since = self.since.as_ref().map_or(String::new(), |since| format!(" since {}", plain(since)));
            format!("{verb}{nodes}{since}")
        };
        let because = self.reason.as_ref().map_or(String::new(), |reason| format!(": {}", plain(reason)));
        match &self.stage {
            None => "no longer in the queue".to_owned(),
            Some(TaskStage::Pending) => format!("pending{because}"),
            Some(TaskStage::Running) => on("running"),
            Some(TaskStage::Ended(state)) => on(&format!("ended, {}", state.to_lowercase().replace('_', " "))),
            Some(TaskStage::Unknown(state)) => on(&format!("in the unknown state `{}`", plain(state))),
        }
    }
}
