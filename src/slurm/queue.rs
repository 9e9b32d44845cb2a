//! Parses the output of `squeue` about the jobs of a run. It calls nothing; `commands` does.
//!
//! `--json` is not used: in 22.05 it needs a plugin that some clusters lack, and it ignores the selection of jobs. The
//! separator is safe: of the requested values only a job's name can contain it, and we choose the names.

use super::RunLocation;

/// The values of a line, in order: job (of the whole array), state, name (squeue(1)).
pub(super) const FORMAT: &str = "%F|%T|%j";

/// States in which a job finishes no more games (squeue(1), "job state codes"). In `COMPLETING` Slurm still waits for
/// the last processes, perhaps forever on a lost node. Every other state, also one of a newer Slurm, counts as live.
const ENDED: [&str; 11] = [
    "COMPLETING",
    "COMPLETED",
    "CANCELLED",
    "FAILED",
    "TIMEOUT",
    "NODE_FAIL",
    "PREEMPTED",
    "BOOT_FAIL",
    "DEADLINE",
    "OUT_OF_MEMORY",
    "REVOKED",
];

/// The live jobs of a run, each once, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Arrays of shards with a live task.
    pub arrays: Vec<u64>,
    /// Jobs that plan the next round.
    pub next: Vec<u64>,
}

impl Queue {
    /// Parses the output of `squeue` in the format of this module, for the jobs of `location`. Other lines, such as
    /// remarks of a site's wrapper, are skipped.
    pub fn read(text: &str, location: &RunLocation) -> Self {
        let jobs = |name: &str| {
            let mut jobs: Vec<u64> = text.lines().filter_map(|line| live_job(line, name)).collect();
            jobs.sort_unstable();
            jobs.dedup();
            jobs
        };
        Self { arrays: jobs(&location.array_name()), next: jobs(&location.next_name()) }
    }

    /// All jobs, in ascending order.
    pub fn jobs(&self) -> Vec<u64> {
        let mut jobs = [&self.arrays[..], &self.next].concat();
        jobs.sort_unstable();
        jobs
    }
}

/// The job of a line, if it is live and has this name.
fn live_job(line: &str, name: &str) -> Option<u64> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [job, state, its_name] = fields.try_into().ok()?;
    if its_name == name && !ENDED.contains(&state) { job.parse().ok() } else { None }
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
    const SEEN: &str = "9|PENDING|NAME\n9|RUNNING|NAME\n9|CANCELLED|NAME\n2|FAILED|NAME\n3|RUNNING|NAME\n\
                        10|PENDING|NAME-next\n";

    #[test]
    fn the_output_of_squeue_is_read() {
        let queue = read(SEEN);
        assert_eq!(queue, Queue { arrays: vec![3, 9], next: vec![10] });
        assert_eq!(queue.jobs(), [3, 9, 10]);
        // A state of a newer Slurm counts as live.
        assert_eq!(read("7|HIBERNATING|NAME\n").arrays, [7]);
    }

    #[test]
    fn other_lines_and_jobs_of_others_are_skipped() {
        let lines = [
            "slurm_load_jobs error: Unable to contact slurm controller",
            "1|RUNNING|NAME|more",
            "x|RUNNING|NAME",
            "99999999999999999999|RUNNING|NAME",
            "1|RUNNING|NAME2",
            "",
        ];
        assert_eq!(read(&lines.join("\n")), Queue::default());
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_harm(text in "([0-9NA/|A-Z]{0,12}\\|){0,8}.{0,20}\n?") {
            let _ = Queue::read(&text, &location());
        }
    }
}
