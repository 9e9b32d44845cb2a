//! Parses the output of `squeue` about the jobs of a run. It calls nothing; `commands` does.
//!
//! `--json` is not used: in 22.05 it needs a plugin that some clusters lack, and it ignores the selection of jobs. The
//! separator is safe: of the requested values only a job's name can contain it, and we choose the names.

use serde::Serialize;

use super::RunLocation;

/// The values of a line, in order: array, task, state, start, nodes, reason, name (squeue(1)).
pub(super) const FORMAT: &str = "%F|%K|%T|%S|%N|%r|%j";

/// The jobs of a run that Slurm knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Tasks of arrays.
    pub tasks: Vec<QueuedTask>,
    /// Jobs that plan the next round; their `index` is meaningless.
    pub next: Vec<QueuedTask>,
    /// Unintelligible lines, unchanged.
    pub strange: Vec<String>,
}

/// A task, according to Slurm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedTask {
    /// The job number of the whole array.
    pub job: u64,
    /// The index within the array.
    pub index: u32,
    /// Its stage.
    pub stage: TaskStage,
    /// Its nodes.
    pub nodes: Option<String>,
    /// Its start, past or expected: local time.
    pub start: Option<String>,
    /// Why it waits, as Slurm's keyword.
    pub reason: Option<String>,
}

/// The stage of a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case", tag = "stage", content = "state")]
pub enum TaskStage {
    /// Waiting.
    Pending,
    /// Running, or about to.
    Running,
    /// Ended, with Slurm's keyword.
    Ended(String),
    /// An unknown keyword; counts as not ended.
    Unknown(String),
}

impl TaskStage {
    /// The stage of a state (squeue(1), "job state codes").
    pub fn of(state: &str) -> Self {
        match state {
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "RESV_DEL_HOLD" | "SPECIAL_EXIT" => Self::Pending,
            "RUNNING" | "CONFIGURING" | "SUSPENDED" | "STOPPED" | "SIGNALING" | "RESIZING" | "STAGE_OUT" => {
                Self::Running
            }
            // Slurm still waits for the last processes, perhaps forever on a lost node; they will finish no game.
            "COMPLETING" | "COMPLETED" | "CANCELLED" | "FAILED" | "TIMEOUT" | "NODE_FAIL" | "PREEMPTED"
            | "BOOT_FAIL" | "DEADLINE" | "OUT_OF_MEMORY" | "REVOKED" => Self::Ended(state.to_owned()),
            other => Self::Unknown(other.to_owned()),
        }
    }

    /// Whether the task may still finish a game.
    pub const fn is_live(&self) -> bool {
        match self {
            Self::Pending | Self::Running | Self::Unknown(_) => true,
            Self::Ended(_) => false,
        }
    }
}

impl Queue {
    /// Parses the output of `squeue` in the format of this module, for the jobs of `location`.
    pub fn read(text: &str, location: &RunLocation) -> Self {
        let (array, next) = (location.array_name(), location.next_name());
        let mut queue = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match task(line) {
                Some((task, name)) if name == array => queue.tasks.push(task),
                Some((task, name)) if name == next => queue.next.push(task),
                // A job with another name, let through by a careless wrapper of squeue, does not belong to this run.
                Some(_) => {}
                None => queue.strange.push(line.to_owned()),
            }
        }
        queue.tasks.sort_by_key(|task| (task.job, task.index));
        queue
    }

    /// The live tasks of arrays.
    pub fn live(&self) -> impl Iterator<Item = &QueuedTask> {
        self.tasks.iter().filter(|task| task.stage.is_live())
    }

    /// The live jobs that plan the next round.
    pub fn live_next(&self) -> impl Iterator<Item = &QueuedTask> {
        self.next.iter().filter(|job| job.stage.is_live())
    }
}

fn task(line: &str) -> Option<(QueuedTask, &str)> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [job, index, state, start, nodes, reason, name] = fields.try_into().ok()?;
    let said = |text: &str| (!["", "N/A", "None", "(null)"].contains(&text)).then(|| text.to_owned());
    let task = QueuedTask {
        job: job.parse().ok()?,
        index: match index {
            "N/A" => 0,
            index => index.parse().ok()?,
        },
        stage: TaskStage::of(state),
        nodes: said(nodes),
        start: said(start),
        reason: said(reason),
    };
    Some((task, name))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    fn location() -> RunLocation {
        RunLocation::new(Path::new("/data/run"), Path::new("/bin/referee")).unwrap()
    }

    fn read(lines: &str) -> Queue {
        Queue::read(&lines.replace("NAME", &location().array_name()), &location())
    }

    /// As printed by Slurm 22.05.
    const SEEN: &str = "1|2|PENDING|N/A||JobArrayTaskLimit|NAME\n1|0|RUNNING|2026-11-21T21:03:39|n1|None|NAME\n\
                        1|1|CANCELLED|2026-11-21T21:03:39|n1|None|NAME\n2|N/A|PENDING|N/A||Dependency|NAME-next\n";

    #[test]
    fn what_slurm_says_is_read() {
        let queue = read(SEEN);
        let indices: Vec<_> = queue.tasks.iter().map(|task| task.index).collect();
        assert_eq!(indices, [0, 1, 2]);
        assert_eq!(queue.live().count(), 2);
        assert_eq!(queue.live_next().count(), 1);
        assert_eq!(
            queue.tasks[0],
            QueuedTask {
                job: 1,
                index: 0,
                stage: TaskStage::Running,
                nodes: Some("n1".to_owned()),
                start: Some("2026-11-21T21:03:39".to_owned()),
                reason: None,
            }
        );
        assert_eq!(queue.tasks[2].reason.as_deref(), Some("JobArrayTaskLimit"));
        assert_eq!(queue.strange, [""; 0]);
    }

    #[test]
    fn a_state_of_a_newer_slurm_counts_as_alive() {
        let queue = read("7|3|HIBERNATING|N/A|n1|None|NAME\n");
        assert_eq!(queue.tasks[0].stage, TaskStage::Unknown("HIBERNATING".to_owned()));
        assert_eq!(queue.live().count(), 1);
    }

    #[test]
    fn lines_that_make_no_sense_are_kept_and_told() {
        let lines = [
            "slurm_load_jobs error: Unable to contact slurm controller",
            "1|2|RUNNING|N/A|n1|None|NAME|more",
            "x|2|RUNNING|N/A|n1|None|NAME",
            "1|-2|RUNNING|N/A|n1|None|NAME",
            "99999999999999999999|2|RUNNING|N/A|n1|None|NAME",
        ];
        let queue = read(&lines.join("\n"));
        assert_eq!(queue.strange.len(), lines.len());
        assert_eq!(queue.tasks, []);
    }

    #[test]
    fn jobs_of_others_are_left_out() {
        assert_eq!(read("1|2|RUNNING|N/A|n1|None|NAME2\n\n"), Queue::default());
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_harm(text in "([0-9NA/|A-Z]{0,12}\\|){0,8}.{0,20}\n?") {
            let _ = Queue::read(&text, &location());
        }

        #[test]
        fn every_known_task_is_live_or_over(state in "[A-Z_]{0,12}") {
            prop_assert_eq!(TaskStage::of(&state).is_live(), !matches!(TaskStage::of(&state), TaskStage::Ended(_)));
        }
    }
}
