//! The submitted jobs, recorded beside the run. Results do not depend on them; the commands of `cli/slurm` read and
//! write them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::SlurmRequest;
use referee_messages::plain;
use referee_records::{RecordError, read_bounded, write_files};

/// The version of this format.
const SCHEMA: u32 = 1;

/// More than any of these files.
const MAX_BYTES: u64 = 1 << 20;

/// A submitted job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlurmJob {
    /// The version of this format.
    pub schema: u32,
    /// Its number.
    pub job: u64,
    /// Its purpose.
    #[serde(flatten)]
    pub kind: JobKind,
    /// The round that it plays or follows; 0 before the first.
    pub round: u32,
    /// When it was submitted, in seconds since 1970.
    pub submitted_unix_s: u64,
    /// Its options.
    pub request: SlurmRequest,
}

/// The purpose of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum JobKind {
    /// It plays games.
    Shards {
        /// The number of its tasks.
        shards: u32,
        /// How many games of the run were finished at its submission.
        finished_before: usize,
        /// Whether the previous job submitted it, not a person.
        by_itself: bool,
    },
    /// It plans the next round.
    Next,
}

/// All jobs submitted for a run, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlurmJobs {
    /// The jobs.
    pub jobs: Vec<SlurmJob>,
    /// Unreadable records: one sentence each.
    pub unreadable: Vec<String>,
}

impl SlurmJob {
    /// A job just submitted.
    pub const fn new(job: u64, kind: JobKind, round: u32, submitted_unix_s: u64, request: SlurmRequest) -> Self {
        Self { schema: SCHEMA, job, kind, round, submitted_unix_s, request }
    }

    /// Records the job beside the run `run`.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn record(&self, run: &Path) -> Result<(), RecordError> {
        let path = format!("slurm/jobs/{}.json", self.job);
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| RecordError::Write { path: run.join(&path), source: error.into() })?;
        write_files(run, [(path.as_str(), (text + "\n").as_str())])
    }
}

impl SlurmJobs {
    /// The jobs submitted for the run `run`. Unreadable records are reported, not fatal: results do not depend on them.
    pub fn of(run: &Path) -> Self {
        let mut jobs = Self::default();
        for path in files(&run.join("slurm").join("jobs")) {
            match read(&path) {
                Ok(job) => jobs.jobs.push(job),
                Err(reason) => jobs.unreadable.push(format!("`{}`: {reason}", plain(&path.to_string_lossy()))),
            }
        }
        // By time of submission; numbers restart after a reinstallation or an overflow.
        jobs.jobs.sort_by_key(|job| (job.submitted_unix_s, job.job));
        jobs
    }

    /// The last submitted array.
    pub fn last_array(&self) -> Option<&SlurmJob> {
        self.jobs.iter().rev().find(|job| matches!(job.kind, JobKind::Shards { .. }))
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    paths.sort_unstable();
    paths
}

fn read(path: &Path) -> Result<SlurmJob, String> {
    let text = read_bounded(path, MAX_BYTES).map_err(|error: io::Error| error.to_string())?;
    let job: SlurmJob = serde_json::from_slice(&text).map_err(|error| plain(&error.to_string()))?;
    if job.schema > SCHEMA {
        return Err(format!("it has schema {}, this program reads up to schema {SCHEMA}", job.schema));
    }
    Ok(job)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn job(number: u64, submitted_unix_s: u64, kind: JobKind) -> SlurmJob {
        let request = SlurmRequest {
            shards: NonZeroU32::new(8),
            partition: "main".parse().ok(),
            time: "90".parse().ok(),
            options: vec!["--qos=low".to_owned()],
            ..SlurmRequest::plain()
        };
        SlurmJob::new(number, kind, 1, submitted_unix_s, request)
    }

    #[test]
    fn what_is_remembered_is_read_as_the_same() {
        let run = tempfile::tempdir().unwrap();
        assert_eq!(SlurmJobs::of(run.path()), SlurmJobs::default());
        let array = JobKind::Shards { shards: 8, finished_before: 3, by_itself: true };
        // The numbers restarted between the two.
        let all = [job(900, 5, array), job(901, 5, JobKind::Next), job(2, 6, array)];
        for job in &all {
            job.record(run.path()).unwrap();
        }
        let jobs = SlurmJobs::of(run.path());
        assert_eq!(jobs.jobs, all);
        assert_eq!(jobs.last_array().map(|job| job.job), Some(2));
    }

    #[test]
    fn what_cannot_be_read_is_told_and_does_no_harm() {
        let run = tempfile::tempdir().unwrap();
        job(1, 5, JobKind::Next).record(run.path()).unwrap();
        fs::write(run.path().join("slurm/jobs/2.json"), "{\"schema\": 1").unwrap();
        let mut newer = job(3, 5, JobKind::Next);
        newer.schema = 99;
        newer.record(run.path()).unwrap();
        let jobs = SlurmJobs::of(run.path());
        assert_eq!(jobs.jobs.len(), 1);
        let told = jobs.unreadable.join("\n");
        assert!(told.contains("2.json`: EOF while parsing"), "{told}");
        assert!(told.ends_with("3.json`: it has schema 99, this program reads up to schema 1"), "{told}");
    }
}
