//! `referee slurm submit`: submits the missing games of a run.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;

use super::slurm_run::{JobChain, SlurmRun, Submitter};
use crate::cli::output::{note, print};
use crate::cli::{CommandOutcome, Failure};
use crate::runs::{PlanState, plan_next};
use crate::slurm::{Cluster, Queue, ScriptWord, Slurm, SlurmError, SlurmRequest, TimeLimit, array, next};
use referee_games::KnownGames;

/// Submit the missing games as a job array, and a job that submits the next round
///
/// Each task of the array runs `referee shard`. If the planned rounds are finished, the next round is planned first. A
/// small job runs after the array and submits the games that are still missing, or the next round, until the
/// competition is over.
///
/// Rerun it whenever no job of the run is queued: no game is played twice. The scripts are written to RUN/slurm/.
#[derive(Debug, Args)]
pub(super) struct SubmitCommand {
    /// Run directory, made by `referee plan`; every node must see it under this path
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Number of array tasks [default: CPUs of the partition divided by --cpus, at most 1000 and at most the number of
    /// missing pairs of games]
    #[arg(long, value_name = "N")]
    shards: Option<NonZeroU32>,
    /// Partition [default: the cluster's default]
    #[arg(long, value_name = "P")]
    partition: Option<ScriptWord>,
    /// Time limit of each task, in Slurm's format: 90, 4:00:00, 2-0; at least 5 minutes [default: the partition's]
    #[arg(long, value_name = "T", value_parser = task_time)]
    time: Option<TimeLimit>,
    /// Maximum number of tasks running at the same time [default: no maximum]
    #[arg(long, value_name = "K")]
    throttle: Option<NonZeroU32>,
    /// CPUs of each task, which is also the number of games it plays in parallel
    #[arg(long, value_name = "C", default_value = "1")]
    cpus: NonZeroU32,
    /// Memory of each task, in Slurm's format: 4G [default: the partition's]
    #[arg(long, value_name = "M")]
    mem: Option<ScriptWord>,
    /// Account to charge [default: your default account]
    #[arg(long, value_name = "A")]
    account: Option<ScriptWord>,
    /// Pass an option to `sbatch`, such as `--sbatch-option=--qos=low`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, value_parser = sbatch_option)]
    sbatch_option: Vec<String>,
    /// Number of automatic resubmissions of a round with missing games; stops earlier if two in a row finish no game
    #[arg(long, value_name = "R", default_value_t = 10)]
    retries: u32,
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

/// Slurm may send its notice a minute early, and time to play must remain.
fn task_time(text: &str) -> Result<TimeLimit, String> {
    let limit: TimeLimit = text.parse()?;
    if limit.seconds() < 300 {
        return Err("a task needs at least 5 minutes: Slurm may signal it a minute before the end".to_owned());
    }
    Ok(limit)
}

/// What a script sets itself, in its long and its short form: another value would break the run.
const SET_BY_SCRIPTS: [[&str; 2]; 8] = [
    ["--array", "-a"],
    ["--chdir", "-D"],
    ["--dependency", "-d"],
    ["--job-name", "-J"],
    ["--signal", ""],
    ["--time", "-t"],
    ["--test-only", ""],
    ["--wrap", ""],
];

fn sbatch_option(text: &str) -> Result<String, String> {
    let word = text.split(['=', ' ']).next().unwrap_or_default();
    let is_own = |[long, short]: &[&str; 2]| {
        word == *long || (!short.is_empty() && !word.starts_with("--") && word.starts_with(short))
    };
    if let Some([long, _]) = SET_BY_SCRIPTS.iter().find(|own| is_own(own)) {
        return Err(format!("`{long}` is set by the scripts of the run: use the options of `referee slurm submit`"));
    }
    if text.starts_with('-') && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err("expected one option of `sbatch` with its value, such as `--qos=low`".to_owned())
    }
}

impl SubmitCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let slurm_run = SlurmRun::open(&self.run, games)?;
        let request = self.request();
        if self.dry_run {
            return self.show(&slurm_run, &request).map(|()| CommandOutcome::Yes);
        }
        if let PlanState::Over { .. } = plan_next(slurm_run.run(), &[], slurm_run.folder.games())?.state {
            let run = slurm_run.location.run_word();
            print(&format!("nothing to submit: the competition is over (`referee standings {run}`)\n"))?;
            return Ok(CommandOutcome::Yes);
        }
        let cluster = Slurm.cluster(&request)?;
        self.fits(&cluster)?;
        let queue = Slurm.queue(&slurm_run.location)?;
        self.is_alone(&queue)?;
        let chain = if self.once || !queue.next.is_empty() { JobChain::Open } else { JobChain::Linked };
        let submitted = slurm_run.submit(&request, &cluster, Submitter::Hand, chain)?;
        let jobs: Vec<String> = submitted.next.iter().chain([&submitted.array]).map(ToString::to_string).collect();
        let mut lines = submitted.lines;
        let jobs_in = |separator: &str| jobs.join(separator);
        lines.push(format!("results: referee status {}", slurm_run.location.run_word()));
        lines.push(format!("queue: squeue --jobs {}", jobs_in(",")));
        lines.push(format!("stop it: scancel {}", jobs_in(" ")));
        print(&(lines.join("\n") + "\n"))?;
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
        match self.shards {
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
