//! `referee slurm advance`

use std::path::PathBuf;

use clap::Args;

use super::desk::{By, Chain, Desk};
use crate::cli::output::{note, print};
use crate::cli::plan::{State, plan_next};
use crate::cli::{Answer, Failure};
use crate::slurm::{Queue, Request, Retry, Slurm};
use crate::wording::{counted, plain};

/// Does what the job between two rounds does: plans the next round and submits it, or the same round again where games are
/// missing, with the options of the submission before. Submits nothing (exit status 1) when a round has been submitted too
/// often, or when two submissions in a row have finished no game. May be given by hand, and twice: what is in the queue
/// already is not submitted again.
#[derive(Debug, Args)]
pub(super) struct Advance {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

impl Advance {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let desk = Desk::open(&self.run)?;
        let jobs = desk.jobs();
        let Some(request) = jobs.last_array().map(|job| job.request.clone()) else {
            let run = desk.location.run_word();
            return Err(Failure::Usage(format!(
                "nothing was submitted for this run before: `referee slurm submit {run}`"
            )));
        };
        let (told, answer) = match self.still_at_it(&desk, &request)? {
            Some(told) => (vec![told], Answer::Yes),
            None => proceed(&desk, &request)?,
        };
        print(&(told.join("\n") + "\n"))?;
        Ok(answer)
    }

    /// What there is to say where others in the queue have to be waited for: this job may have been started twice (a node
    /// was lost in the middle of it), or somebody has submitted more by hand.
    fn still_at_it(&self, desk: &Desk, request: &Request) -> Result<Option<String>, Failure> {
        let queue = Slurm.queue(&desk.location).unwrap_or_else(|error| {
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
        let next = desk.submit_next(request, desk.results()?.round, &arrays)?;
        Ok(Some(format!("tasks of this run are in the queue: submitted job {next}, which waits for them")))
    }
}

fn proceed(desk: &Desk, request: &Request) -> Result<(Vec<String>, Answer), Failure> {
    match plan_next(desk.run())?.state {
        State::Over { winners } => {
            let winners: Vec<String> = winners.iter().map(|winner| plain(winner)).collect();
            let won = match winners.as_slice() {
                [] => "over".to_owned(),
                [winner] => format!("over: the winner is {winner}"),
                several => format!("over: the winners are {}", several.join(", ")),
            };
            Ok((vec![won], Answer::Yes))
        }
        State::Planned { .. } => again(desk, request),
        State::Waiting { .. } => {
            let results = desk.results()?;
            match Retry::decide(&desk.jobs(), results.round, results.finished, request.retries) {
                Retry::Again => again(desk, request),
                Retry::TooOften(times) => Ok(given_up(
                    desk,
                    results.missing(),
                    &format!("round {} has been submitted again {}", results.round, counted(times, "time")),
                )),
                Retry::Barren(times) => Ok(given_up(
                    desk,
                    results.missing(),
                    &format!("the last {} have finished no game", counted(times, "submission")),
                )),
            }
        }
    }
}

fn again(desk: &Desk, request: &Request) -> Result<(Vec<String>, Answer), Failure> {
    let cluster = Slurm.cluster(request)?;
    let submitted = desk.submit(request, &cluster, By::Itself, Chain::Linked)?;
    Ok((submitted.told, Answer::Yes))
}

fn given_up(desk: &Desk, missing: usize, why: &str) -> (Vec<String>, Answer) {
    let run = desk.location.run_word();
    let told = vec![
        format!("{} missing, and {why}: nothing is submitted any more", counted(missing, "game")),
        format!(
            "what the tasks said is in `{}/slurm/logs/`; when it is mended: referee slurm submit {run}",
            plain(desk.location.run())
        ),
    ];
    (told, Answer::No)
}
