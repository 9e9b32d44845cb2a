//! `referee slurm advance`: the step between two rounds of a run on a cluster.

use std::path::PathBuf;

use clap::Args;

use super::slurm_run::{JobChain, SlurmRun, Submitter};
use crate::cli::output::{note, print};
use crate::cli::plan::{PlanState, plan_next};
use crate::cli::{CommandOutcome, Failure};
use crate::messages::{counted, plain};
use crate::slurm::{Queue, RoundRetry, Slurm, SlurmRequest};

/// Does what the job between two rounds does: plans the next round and submits it, or the same round again where games
/// are missing, with the options of the submission before. Submits nothing (exit status 1) when a round has been
/// submitted too often, or when two submissions in a row have finished no game. May be given by hand, and twice: what
/// is in the queue already is not submitted again.
#[derive(Debug, Args)]
pub(super) struct AdvanceCommand {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

impl AdvanceCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let slurm_run = SlurmRun::open(&self.run)?;
        let jobs = slurm_run.jobs();
        let Some(request) = jobs.last_array().map(|job| job.request.clone()) else {
            let run = slurm_run.location.run_word();
            return Err(Failure::Usage(format!(
                "nothing was submitted for this run before: `referee slurm submit {run}`"
            )));
        };
        let (told, answer) = match still_at_it(&slurm_run, &request)? {
            Some(told) => (vec![told], CommandOutcome::Yes),
            None => proceed(&slurm_run, &request)?,
        };
        print(&(told.join("\n") + "\n"))?;
        Ok(answer)
    }
}

/// The message if other jobs must end first: this job may have been started twice (a node was lost), or somebody has
/// submitted more by hand.
fn still_at_it(slurm_run: &SlurmRun, request: &SlurmRequest) -> Result<Option<String>, Failure> {
    let queue = Slurm.queue(&slurm_run.location).unwrap_or_else(|error| {
        note(&format!("referee: the queue is not known: {error}"));
        Queue::default()
    });
    let this: Option<u64> = std::env::var("SLURM_JOB_ID").ok().and_then(|id| id.parse().ok());
    if let Some(other) = queue.live_next().find(|job| Some(job.job) != this) {
        return Ok(Some(format!("job {} submits what follows", other.job)));
    }
    let mut arrays: Vec<u64> = queue.live().map(|task| task.job).collect();
    arrays.dedup();
    if arrays.is_empty() {
        return Ok(None);
    }
    let next = slurm_run.submit_next(request, slurm_run.results()?.round, &arrays)?;
    Ok(Some(format!(
        "tasks of this run are in the queue: submitted job {next}, which waits for them"
    )))
}

fn proceed(slurm_run: &SlurmRun, request: &SlurmRequest) -> Result<(Vec<String>, CommandOutcome), Failure> {
    match plan_next(slurm_run.run())?.state {
        PlanState::Over { winners } => {
            let winners: Vec<String> = winners.iter().map(|winner| plain(winner)).collect();
            let won = match winners.as_slice() {
                [] => "over".to_owned(),
                [winner] => format!("over: the winner is {winner}"),
                several => format!("over: the winners are {}", several.join(", ")),
            };
            Ok((vec![won], CommandOutcome::Yes))
        }
        PlanState::Planned { .. } => again(slurm_run, request),
        PlanState::Waiting { .. } => {
            let results = slurm_run.results()?;
            match RoundRetry::decide(&slurm_run.jobs(), results.round, results.finished, request.retries) {
                RoundRetry::Again => again(slurm_run, request),
                RoundRetry::TooOften(times) => Ok(given_up(
                    slurm_run,
                    results.missing(),
                    &format!(
                        "round {} has been submitted again {}",
                        results.round,
                        counted(times, "time")
                    ),
                )),
                RoundRetry::Barren(times) => Ok(given_up(
                    slurm_run,
                    results.missing(),
                    &format!("the last {} have finished no game", counted(times, "submission")),
                )),
            }
        }
    }
}

fn again(slurm_run: &SlurmRun, request: &SlurmRequest) -> Result<(Vec<String>, CommandOutcome), Failure> {
    let cluster = Slurm.cluster(request)?;
    let submitted = slurm_run.submit(request, &cluster, Submitter::Itself, JobChain::Linked)?;
    Ok((submitted.told, CommandOutcome::Yes))
}

fn given_up(slurm_run: &SlurmRun, missing: usize, why: &str) -> (Vec<String>, CommandOutcome) {
    let run = slurm_run.location.run_word();
    let told = vec![
        format!(
            "{} missing, and {why}: nothing is submitted any more",
            counted(missing, "game")
        ),
        format!(
            "what the tasks said is in `{}/slurm/logs/`; when it is mended: referee slurm submit {run}",
            plain(slurm_run.location.run())
        ),
    ];
    (told, CommandOutcome::No)
}
