//! `referee slurm submit`: submits the missing games of a run.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;

use super::slurm_run::{JobChain, SlurmRun, Submitter};
use crate::cli::output::{note, print};
use crate::cli::plan::{PlanState, plan_next};
use crate::cli::{CommandOutcome, Failure};
use crate::slurm::{Cluster, Queue, ScriptWord, Slurm, SlurmError, SlurmRequest, TimeLimit, array, next};

/// Submits what is missing of a run as a job array, each task a `referee shard`; where the rounds that are planned are
/// finished, it plans the next one first. Behind the array waits a small job that submits what is still missing when
/// the array is over, or the next round, until the competition is over.
///
/// May be given again at any time when nothing of the run is in the queue: nothing is played twice. The scripts are
/// kept in RUN/slurm/.
#[derive(Debug, Args)]
pub(super) struct SubmitCommand {
    /// The folder of a run that `referee plan` has made; every node has to see it under this path
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// How many tasks the array has [default: one for each CPU of the partition, divided by --cpus, at most 1000, and
    /// no more than there are pairs of games to play]
    #[arg(long, value_name = "N")]
    shards: Option<NonZeroU32>,
    /// The partition [default: the cluster's]
    #[arg(long, value_name = "P")]
    partition: Option<ScriptWord>,
    /// The time limit of each task, as Slurm writes it: 90, 4:00:00, 2-0; at least 5 minutes [default: the partition's]
    #[arg(long, value_name = "T", value_parser = task_time)]
    time: Option<TimeLimit>,
    /// At most so many tasks at a time
    #[arg(long, value_name = "K")]
    throttle: Option<NonZeroU32>,
    /// CPUs of each task, and games that it plays at a time
    #[arg(long, value_name = "C", default_value = "1")]
    cpus: NonZeroU32,
    /// Memory of each task, as Slurm writes it: 4G [default: the partition's]
    #[arg(long, value_name = "M")]
    mem: Option<ScriptWord>,
    /// The account that is charged [default: yours]
    #[arg(long, value_name = "A")]
    account: Option<ScriptWord>,
    /// One more option for `sbatch`, such as `--sbatch-option=--qos=low`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, value_parser = sbatch_option)]
    sbatch_option: Vec<String>,
    /// How often a round with missing games is submitted again by itself; two times in a row without a finished game
    /// are enough in any case
    #[arg(long, value_name = "R", default_value_t = 10)]
    retries: u32,
    /// Submit the array alone, and no job behind it
    #[arg(long)]
    once: bool,
    /// Submit although something of this run is in the queue: more shards beside it
    #[arg(long)]
    beside: bool,
    /// Print the scripts and the commands, and do nothing; works without Slurm
    #[arg(long)]
    dry_run: bool,
}

/// Slurm may send its notice a minute early, and time to play must remain.
fn task_time(text: &str) -> Result<TimeLimit, String> {
    let limit: TimeLimit = text.parse()?;
    if limit.seconds() < 300 {
        return Err("a task needs at least 5 minutes: Slurm gives notice of the end up to a minute early".to_owned());
    }
    Ok(limit)
}

fn sbatch_option(text: &str) -> Result<String, String> {
    if text.starts_with('-') && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err("expected one option of `sbatch` with its value, such as `--qos=low`".to_owned())
    }
}

impl SubmitCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let slurm_run = SlurmRun::open(&self.run)?;
        let request = self.request();
        if self.dry_run {
            return self.show(&slurm_run, &request).map(|()| CommandOutcome::Yes);
        }
        if let PlanState::Over { .. } = plan_next(slurm_run.run())?.state {
            let run = slurm_run.location.run_word();
            print(&format!(
                "nothing to submit: the competition is over (`referee standings {run}`)\n"
            ))?;
            return Ok(CommandOutcome::Yes);
        }
        let cluster = Slurm.cluster(&request)?;
        self.fits(&cluster)?;
        let queue = Slurm.queue(&slurm_run.location)?;
        self.is_alone(&queue)?;
        let chain = if self.once || queue.live_next().count() > 0 {
            JobChain::Open
        } else {
            JobChain::Linked
        };
        let submitted = slurm_run.submit(&request, &cluster, Submitter::Hand, chain)?;
        let jobs: Vec<String> = submitted
            .next
            .iter()
            .chain([&submitted.array])
            .map(ToString::to_string)
            .collect();
        let mut told = submitted.told;
        told.push(format!(
            "watch it: referee slurm status {}",
            slurm_run.location.run_word()
        ));
        told.push(format!("stop it: scancel {}", jobs.join(" ")));
        print(&(told.join("\n") + "\n"))?;
        Ok(CommandOutcome::Yes)
    }

    fn request(&self) -> SlurmRequest {
        SlurmRequest {
            shards: self.shards,
            throttle: self.throttle,
            cpus: self.cpus,
            partition: self.partition.clone(),
            account: self.account.clone(),
            mem: self.mem.clone(),
            time: self.time,
            retries: self.retries,
            options: self.sbatch_option.clone(),
        }
    }

    fn show(&self, slurm_run: &SlurmRun, request: &SlurmRequest) -> Result<(), Failure> {
        let cluster = match Slurm.cluster(request) {
            Ok(cluster) => cluster,
            Err(SlurmError::Missing(_)) => {
                note("there is no Slurm here: a cluster with Slurm's defaults is assumed");
                Cluster::default()
            }
            Err(error) => {
                note(&format!("{error}; a cluster with Slurm's defaults is assumed"));
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
            format!(
                "# {}\n{}",
                slurm_run.location.below(submission.script).to_string_lossy(),
                submission.text
            )
        });
        print(&parts.collect::<Vec<_>>().join("\n"))
    }

    /// Refuses what the cluster would refuse with less explanation.
    fn fits(&self, cluster: &Cluster) -> Result<(), Failure> {
        let most = cluster.max_array_size;
        if most == 0 {
            return Err(Failure::Machine(
                "this cluster allows no job arrays (`MaxArraySize` is 0)".to_owned(),
            ));
        }
        match self.shards {
            Some(shards) if shards.get() > most => Err(Failure::Usage(format!(
                "this cluster allows at most {most} tasks in an array (`MaxArraySize`), not {shards}: give each more \
                 CPUs with \
                 `--cpus`"
            ))),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses a second submission that would find nothing to do.
    fn is_alone(&self, queue: &Queue) -> Result<(), Failure> {
        let mut jobs: Vec<u64> = queue.live().chain(queue.live_next()).map(|task| task.job).collect();
        jobs.sort_unstable();
        jobs.dedup();
        if jobs.is_empty() || self.beside {
            return Ok(());
        }
        let jobs: Vec<String> = jobs.iter().map(ToString::to_string).collect();
        Err(Failure::Usage(format!(
            "this run is in the queue already, as job {}: let it go on, cancel it with `scancel {}`, or add tasks with \
             `--beside`",
            jobs.join(" and "),
            jobs.join(" ")
        )))
    }
}
