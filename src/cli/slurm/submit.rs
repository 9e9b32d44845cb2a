//! `referee slurm submit`: submits the missing games of a run.

use std::path::PathBuf;

use clap::Args;

use super::slurm_run::{SlurmRun, Submitter};
use crate::cli::output::{note, print};
use crate::cli::{CommandOutcome, Failure};
use crate::runs::{PlanState, plan_next};
use crate::slurm::{Cluster, Queue, Slurm, SlurmError, SlurmRequest, array, next};
use referee_games::KnownGames;

/// Submit the missing games as a job array, and a job that submits the next round
///
/// Each task of the array runs `referee shard`. If the planned rounds are finished, the next round is planned first. A
/// small job runs after the array and submits the games that are still missing, or the next round, until the
/// competition is over.
///
/// Rerun it whenever no job of the run is queued: no game is played twice. The scripts are written to RUN/slurm/.
#[derive(Debug, Args)]
pub(in crate::cli) struct SubmitCommand {
    /// Run directory, made by `referee plan`; every node must see it under this path
    #[arg(value_name = "RUN")]
    run: PathBuf,
    #[command(flatten)]
    request: SlurmRequest,
    /// Submit only the array, without the job that follows it
    #[arg(long)]
    once: bool,
    /// Add tasks although jobs of this run are in the queue
    #[arg(long)]
    beside: bool,
    /// Print the scripts and submit nothing; works without Slurm
    #[arg(long)]
    dry_run: bool,
}

impl SubmitCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let slurm_run = SlurmRun::open(&self.run, games)?;
        let request = &self.request;
        if self.dry_run {
            return self.show(&slurm_run).map(|()| CommandOutcome::Yes);
        }
        if let PlanState::Over { .. } = plan_next(slurm_run.run(), &[], slurm_run.folder.games())?.state {
            let run = slurm_run.location.run_word();
            print(&format!("nothing to submit: the competition is over (`referee standings {run}`)\n"))?;
            return Ok(CommandOutcome::Yes);
        }
        let cluster = Slurm.cluster(request)?;
        self.fits(&cluster)?;
        let queue = Slurm.queue(&slurm_run.location)?;
        self.is_alone(&queue)?;
        let mut submitted = slurm_run.submit(request, &cluster, Submitter::Hand)?;
        if !self.once && queue.next.is_empty() {
            slurm_run.link(&mut submitted, request);
        }
        let jobs: Vec<String> = submitted.next.iter().chain([&submitted.array]).map(ToString::to_string).collect();
        let mut lines = submitted.lines;
        let jobs_in = |separator: &str| jobs.join(separator);
        lines.push(format!("results: referee status {}", slurm_run.location.run_word()));
        lines.push(format!("queue: squeue --jobs {}", jobs_in(",")));
        lines.push(format!("stop it: scancel {}", jobs_in(" ")));
        print(&(lines.join("\n") + "\n"))?;
        Ok(CommandOutcome::Yes)
    }

    fn show(&self, slurm_run: &SlurmRun) -> Result<(), Failure> {
        let request = &self.request;
        let cluster = match Slurm.cluster(request) {
            Ok(cluster) => cluster,
            Err(SlurmError::Missing(_)) => {
                note("Slurm is not installed here: assuming a cluster with Slurm's defaults");
                Cluster::default()
            }
            Err(error) => {
                note(&format!("{error}; assuming a cluster with Slurm's defaults"));
                Cluster::default()
            }
        };
        self.fits(&cluster)?;
        let shards = request.shards_for(slurm_run.results()?.missing(), &cluster);
        let mut shown = vec![array(&slurm_run.location, request, &cluster, shards)];
        if !self.once {
            // Its number is unknown before submission.
            shown.push(next(&slurm_run.location, request, &["ARRAY"]));
        }
        let parts = shown.iter().map(|submission| {
            format!("# {}\n{}", slurm_run.location.below(submission.script).to_string_lossy(), submission.text)
        });
        print(&parts.collect::<Vec<_>>().join("\n"))
    }

    /// Refuses what the cluster would refuse with less explanation.
    fn fits(&self, cluster: &Cluster) -> Result<(), Failure> {
        let most = cluster.max_array_size;
        if most == 0 {
            return Err(Failure::Machine("this cluster allows no job arrays (`MaxArraySize` is 0)".to_owned()));
        }
        match self.request.shards {
            Some(shards) if shards.get() > most => Err(Failure::Usage(format!(
                "this cluster allows at most {most} tasks in an array (`MaxArraySize`), not {shards}: use fewer \
                 `--shards` with more `--cpus`"
            ))),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses a second submission that would find nothing to do.
    fn is_alone(&self, queue: &Queue) -> Result<(), Failure> {
        let jobs: Vec<String> = queue.jobs().iter().map(ToString::to_string).collect();
        if jobs.is_empty() || self.beside {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "this run is already in the queue, as job {}: wait for it, cancel it with `scancel {}`, or add tasks with \
             `--beside`",
            jobs.join(" and "),
            jobs.join(" ")
        )))
    }
}
