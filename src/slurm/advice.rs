//! Advice on a run on a cluster. A pure function of its view; `referee slurm status` prints it.

use std::collections::BTreeSet;

use super::queue::TaskStage;
use super::quoting::shell_word;
use super::view::{SlurmView, TaskView};
use crate::messages::{counted, plain};

impl SlurmView {
    /// This view with the recommended actions.
    #[must_use]
    pub fn advised(self) -> Self {
        let advice = advice(&self);
        Self { advice, ..self }
    }
}

/// The recommended actions, the most important first; never empty.
fn advice(view: &SlurmView) -> Vec<String> {
    let submit = format!("referee slurm submit {}", plain(&shell_word(&view.run)));
    let live = view.live().count();
    if view.results.is_complete() {
        return vec![complete(view, live)];
    }
    if view.results.unreadable > 0 {
        return vec![format!(
            "{} cannot be read; remove them to play their games again: `referee status {}` lists them",
            counted(view.results.unreadable, "record"),
            plain(&shell_word(&view.run))
        )];
    }
    if view.queue_error.is_some() {
        return vec![format!("try again when Slurm answers; missing games can be submitted at any time: `{submit}`")];
    }
    let mut advice = stuck_jobs(view, &submit);
    advice.push(match (live, view.next.is_empty()) {
        (0, true) => format!(
            "no job of this run is queued: `{submit}` (logs: `{}`)",
            plain(&format!("{}/slurm/logs/", view.run))
        ),
        (0, false) => "wait: a queued job submits missing games or the next round".to_owned(),
        (live, true) => {
            format!("wait for {}, then submit missing games or the next round: `{submit}`", counted(live, "task"))
        }
        (live, false) => format!(
            "wait: {} running, and missing games or the next round are submitted automatically",
            if live == 1 { "1 task is".to_owned() } else { format!("{live} tasks are") }
        ),
    });
    advice
}

fn complete(view: &SlurmView, live: usize) -> String {
    let standings = format!("nothing is missing: `referee standings {}`", plain(&shell_word(&view.run)));
    match live {
        0 => standings,
        live => format!("{standings} ({} left will find no games and exit)", counted(live, "task")),
    }
}

/// The reasons why jobs are stuck in the queue.
fn stuck_jobs(view: &SlurmView, submit: &str) -> Vec<String> {
    let waiting = view.live().chain(&view.next).filter(|task| task.stage == Some(TaskStage::Pending));
    let sentences: BTreeSet<String> = waiting.filter_map(|task| remedy(task, submit)).collect();
    sentences.into_iter().collect()
}

/// The remedy for a reason for waiting (squeue(1), "job reason codes"); `None` if waiting is the remedy.
fn remedy(task: &TaskView, submit: &str) -> Option<String> {
    let job = task.job;
    match task.reason.as_deref()? {
        "JobHeldUser" => Some(format!("job {job} is held by its user: `scontrol release {job}`")),
        "JobHeldAdmin" => Some(format!("job {job} is held by an administrator: ask for its release")),
        "launch failed requeued held" | "(launch failed requeued held)" | "JobLaunchFailure" => Some(format!(
            "job {job} could not start on its node and is held: tell the administrator, then `scontrol release \
             {job}`"
        )),
        "DependencyNeverSatisfied" => Some(format!(
            "job {job} waits for a dependency that can never be satisfied: `scancel {job}`, then `{submit}`"
        )),
        "PartitionTimeLimit" => Some(format!(
            "job {job} requests more time than its partition allows: `scancel {job}`, then submit with a shorter \
             `--time`"
        )),
        "PartitionNodeLimit" | "BadConstraints" | "AccountNotAllowed" | "QOSNotAllowed" | "InvalidAccount"
        | "InvalidQOS" => Some(format!(
            "job {job} requests resources it cannot get: `scancel {job}`, then submit with another `--partition`, \
             `--account` or size"
        )),
        "PartitionDown" | "PartitionInactive" => Some(format!(
            "the partition of job {job} is closed: wait until it opens, or `scancel {job}` and submit with another \
             `--partition`"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::slurm::{Queue, RunLocation, RunResults, SlurmJobs};

    fn location() -> RunLocation {
        RunLocation::new(Path::new("/data/a run"), Path::new("/bin/referee")).unwrap()
    }

    fn advised(finished: usize, lines: &str) -> Vec<String> {
        let lines = lines.replace("NAME", &location().array_name());
        let results = RunResults { games: 10, finished, unreadable: 0, round: 1, more_rounds: false };
        let queue = Queue::read(&lines, &location());
        SlurmView::new(&location(), results, &SlurmJobs::default(), Ok(&queue)).advised().advice
    }

    #[test]
    fn there_is_one_thing_to_do_in_every_state() {
        let task = "5|0|RUNNING|2026-11-21T21:03:39|n1|None|NAME\n";
        let next = "6|N/A|PENDING|N/A||Dependency|NAME-next\n";
        for (finished, lines, expected) in [
            (10, String::new(), "nothing is missing: `referee standings '/data/a run'`"),
            (
                10,
                task.to_owned(),
                "nothing is missing: `referee standings '/data/a run'` (1 task left will find no games and exit)",
            ),
            (
                3,
                String::new(),
                "no job of this run is queued: `referee slurm submit '/data/a run'` (logs: `/data/a run/slurm/logs/`)",
            ),
            (
                3,
                task.to_owned(),
                "wait for 1 task, then submit missing games or the next round: `referee slurm submit '/data/a run'`",
            ),
            (
                3,
                task.to_owned() + next,
                "wait: 1 task is running, and missing games or the next round are submitted automatically",
            ),
            (3, next.to_owned(), "wait: a queued job submits missing games or the next round"),
        ] {
            assert_eq!(advised(finished, &lines), [expected]);
        }
    }

    #[test]
    fn jobs_that_waiting_does_not_help_are_told() {
        let held = "5|0|PENDING|N/A||JobHeldUser|NAME\n5|1|PENDING|N/A||JobHeldUser|NAME\n";
        let told = advised(3, held);
        assert_eq!(told.len(), 2);
        assert_eq!(told[0], "job 5 is held by its user: `scontrol release 5`");
        assert_eq!(advised(3, "5|0|PENDING|N/A||Resources|NAME\n").len(), 1);
    }

    #[test]
    fn without_slurm_there_is_still_something_to_do() {
        let results = RunResults { games: 10, finished: 3, unreadable: 0, round: 1, more_rounds: false };
        let view = SlurmView::new(&location(), results, &SlurmJobs::default(), Err("no".to_owned())).advised();
        assert_eq!(
            view.lines(),
            [
                "/data/a run: 3 of 10 games finished, 7 missing",
                "rounds planned: 1",
                "cannot read the queue: no",
                "next: try again when Slurm answers; missing games can be submitted at any time: `referee slurm \
                 submit '/data/a run'`",
            ]
        );
    }
}
