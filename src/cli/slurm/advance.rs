//! `referee slurm advance`: the step between two rounds of a run on a cluster.

use std::path::PathBuf;

use clap::Args;

use super::slurm_run::{SlurmRun, Submitter};
use crate::cli::output::{note, print};
use crate::cli::voids::withdrawal;
use crate::cli::{CommandOutcome, Failure};
use crate::runs::{PlanState, plan_next};
use crate::slurm::{Queue, RoundRetry, Slurm, SlurmRequest};
use referee_games::KnownGames;
use referee_messages::{counted, plain};

/// Resubmit the missing games, or plan and submit the next round
///
/// `referee slurm submit` queues this as a job after each array; run it by hand at any time. It uses the options of the
/// previous submission and never submits queued games again. It submits nothing and exits with 1 if the round has no
/// retries left, or if two submissions in a row finished no game.
#[derive(Debug, Args)]
pub(in crate::cli) struct AdvanceCommand {
    /// Run directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

impl AdvanceCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let slurm_run = SlurmRun::open(&self.run, games)?;
        let jobs = slurm_run.jobs();
        let Some(request) = jobs.last_array().map(|job| job.request.clone()) else {
            let run = slurm_run.location.run_word();
            return Err(Failure::Usage(format!("this run was never submitted: use `referee slurm submit {run}`")));
        };
        let (lines, answer) = match jobs_still_running(&slurm_run, &request)? {
            Some(lines) => (vec![lines], CommandOutcome::Yes),
            None => proceed(&slurm_run, &request)?,
        };
        print(&(lines.join("\n") + "\n"))?;
        Ok(answer)
    }
}

/// The message if other jobs must end first: this job may have been started twice (a node was lost), or somebody has
/// submitted more by hand.
fn jobs_still_running(slurm_run: &SlurmRun, request: &SlurmRequest) -> Result<Option<String>, Failure> {
    let queue = Slurm.queue(&slurm_run.location).unwrap_or_else(|error| {
        note(&format!("referee: cannot read the queue: {error}"));
        Queue::default()
    });
    let this: Option<u64> = std::env::var("SLURM_JOB_ID").ok().and_then(|id| id.parse().ok());
    if let Some(other) = queue.next.iter().find(|job| Some(**job) != this) {
        return Ok(Some(format!("job {other} will submit the next round")));
    }
    if queue.arrays.is_empty() {
        return Ok(None);
    }
    let next = slurm_run.submit_next(request, slurm_run.results()?.round, &queue.arrays)?;
    Ok(Some(format!("tasks of this run are in the queue: submitted job {next}, which runs after them")))
}

fn proceed(slurm_run: &SlurmRun, request: &SlurmRequest) -> Result<(Vec<String>, CommandOutcome), Failure> {
    match plan_next(slurm_run.run(), &[], slurm_run.folder.games())?.state {
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
                    &format!("round {} was resubmitted {}", results.round, counted(times, "time")),
                )),
                RoundRetry::Fruitless(times) => Ok(given_up(
                    slurm_run,
                    results.missing(),
                    &format!("the last {} finished no game", counted(times, "submission")),
                )),
            }
        }
    }
}

fn again(slurm_run: &SlurmRun, request: &SlurmRequest) -> Result<(Vec<String>, CommandOutcome), Failure> {
    let cluster = Slurm.cluster(request)?;
    let mut submitted = slurm_run.submit(request, &cluster, Submitter::Itself)?;
    slurm_run.link(&mut submitted, request);
    Ok((submitted.lines, CommandOutcome::Yes))
}

fn given_up(slurm_run: &SlurmRun, missing: usize, why: &str) -> (Vec<String>, CommandOutcome) {
    let run = slurm_run.location.run_word();
    let lines = vec![
        format!("{} missing, and {why}: not submitted again", counted(missing, "game")),
        format!(
            "see the logs in `{}/slurm/logs/`; after fixing the cause, or after {}: referee slurm submit {run}",
            plain(slurm_run.location.run()),
            withdrawal(slurm_run.run()),
        ),
    ];
    (lines, CommandOutcome::No)
}
