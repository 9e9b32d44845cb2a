//! Submits jobs for one run. The subcommands of `referee slurm` call it.

use std::path::Path;

use crate::cli::Failure;
use crate::cli::output::note;
use crate::runs::{competition_of, next_step};
use crate::slurm::{
    Cluster, JobKind, JobSubmission, RunLocation, Slurm, SlurmJob, SlurmJobs, SlurmRequest, array, next as next_job,
};
use referee_games::KnownGames;
use referee_matches::tournament::NextStep;
use referee_messages::{counted, plain};
use referee_records::{Manifest, RunFolder, unix_s, write_files};

/// The readme in the folder of logs, which must exist before a task can write to it.
const ABOUT_LOGS: &str =
    "Logs of the array tasks (JOB_TASK.txt) and of the jobs that plan the next round (next-JOB.txt).\n";

/// A run, with everything needed to submit jobs for it.
#[derive(Debug)]
pub(super) struct SlurmRun {
    pub(super) folder: RunFolder,
    pub(super) location: RunLocation,
}

/// The progress of a run, from its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunResults {
    /// The number of planned games, without those that were called off.
    pub(super) games: usize,
    /// The number of finished games.
    pub(super) finished: usize,
    /// The number of unreadable records; checked only if no game is missing.
    pub(super) unreadable: usize,
    /// The last planned round.
    pub(super) round: u32,
}

impl RunResults {
    /// The number of missing games.
    pub(super) const fn missing(&self) -> usize {
        self.games.saturating_sub(self.finished)
    }
}

/// The submitted jobs.
#[derive(Debug)]
pub(super) struct SubmittedJobs {
    /// The array.
    pub(super) array: u64,
    /// The job that follows it.
    pub(super) next: Option<u64>,
    /// The round of its games.
    round: u32,
    /// Messages.
    pub(super) lines: Vec<String>,
}

/// The submitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Submitter {
    /// A person.
    Hand,
    /// The job that followed the previous array.
    Itself,
}

impl SlurmRun {
    pub(super) fn open(run: &Path, games: &KnownGames) -> Result<Self, Failure> {
        if !RunFolder::is_begun(run) {
            return Err(Failure::input(
                run,
                "it is not a run directory: make one with `referee plan ASSIGNMENT AGENT... --out RUN`",
            ));
        }
        let folder = RunFolder::open(run, games)?;
        let path = run.canonicalize().map_err(|error| Failure::input(run, error))?;
        Ok(Self { folder, location: RunLocation::new(&path, &program()?)? })
    }

    pub(super) fn run(&self) -> &Path {
        Path::new(self.location.run())
    }

    /// The submitted jobs; those that cannot be read are named on standard error.
    pub(super) fn jobs(&self) -> SlurmJobs {
        let jobs = SlurmJobs::of(self.run());
        jobs.unreadable.iter().for_each(|job| note(&format!("ignoring the record of a submitted job: {job}")));
        jobs
    }

    /// The progress of the run. Records are checked for readability only if none is missing, because it takes long.
    pub(super) fn results(&self) -> Result<RunResults, Failure> {
        let manifest = self.folder.manifest()?;
        let mut results = RunResults {
            games: self.folder.games_in_all(&manifest),
            finished: self.folder.finished(&manifest).len(),
            unreadable: 0,
            round: round(&manifest),
        };
        if results.missing() == 0
            && let Some(competition) = competition_of(&self.folder, &manifest)?
            && next_step(&manifest, &competition, &self.folder) == NextStep::Waiting
        {
            results.unreadable = self.folder.summaries(&manifest).filter(Result::is_err).count();
            results.finished -= results.unreadable;
        }
        Ok(results)
    }

    /// Submits an array for the missing games.
    pub(super) fn submit(
        &self,
        request: &SlurmRequest,
        cluster: &Cluster,
        by: Submitter,
    ) -> Result<SubmittedJobs, Failure> {
        let results = self.results()?;
        // Shards consider an unreadable record finished, so no array would play its game.
        if results.unreadable > 0 {
            let records = counted(results.unreadable, "record");
            let remedy = "`referee status` lists them; remove them to play their games again";
            return Err(Failure::input(self.run(), format!("{records} cannot be read: {remedy}")));
        }
        let shards = request.shards_for(results.missing(), cluster);
        let kind = JobKind::Shards { shards, finished_before: results.finished, by_itself: by == Submitter::Itself };
        let job = self.hand_in(&array(&self.location, request, cluster, shards), kind, results.round, request)?;
        let line = format!(
            "submitted job {job}: {} for {} of round {}",
            counted(shards as usize, "shard"),
            counted(results.missing(), "missing game"),
            results.round,
        );
        Ok(SubmittedJobs { array: job, next: None, round: results.round, lines: vec![line] })
    }

    /// Submits the job after an array. The array is already in the queue, so a failure is only reported.
    pub(super) fn link(&self, submitted: &mut SubmittedJobs, request: &SlurmRequest) {
        let array = submitted.array;
        submitted.lines.push(match self.submit_next(request, submitted.round, &[array]) {
            Ok(next) => {
                submitted.next = Some(next);
                format!("submitted job {next}: runs after job {array} and submits missing games or the next round")
            }
            Err(failure) => {
                format!("no follow-up job was submitted; rerun this command after job {array}: {}", failure.message())
            }
        });
    }

    /// Submits the job that waits for these arrays.
    pub(super) fn submit_next(&self, request: &SlurmRequest, round: u32, after: &[u64]) -> Result<u64, Failure> {
        self.hand_in(&next_job(&self.location, request, after), JobKind::Next, round, request)
    }

    fn hand_in(
        &self,
        submission: &JobSubmission,
        kind: JobKind,
        round: u32,
        request: &SlurmRequest,
    ) -> Result<u64, Failure> {
        let script = format!("slurm/{}", submission.script);
        let files = [("slurm/logs/README.txt", ABOUT_LOGS), (&script, &submission.text)];
        write_files(self.run(), files)?;
        let number = Slurm.submit(submission)?;
        SlurmJob::new(number, kind, round, unix_s(), request.clone()).record(self.run())?;
        Ok(number)
    }
}

/// The last planned round.
fn round(manifest: &Manifest) -> u32 {
    manifest.rounds.last().map_or(0, |round| round.number)
}

/// The path of this program, as the nodes see it.
fn program() -> Result<std::path::PathBuf, Failure> {
    let missing = |error: std::io::Error| Failure::Machine(format!("cannot find the executable of `referee`: {error}"));
    let path = std::env::current_exe().map_err(missing)?;
    path.canonicalize().map_err(|error| {
        Failure::Machine(format!(
            "the executable `{}` was removed, rerun the command: {error}",
            plain(&path.to_string_lossy())
        ))
    })
}
