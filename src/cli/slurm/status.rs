//! `referee slurm status`: prints results, queue and advice.

use std::path::PathBuf;

use clap::Args;

use super::slurm_run::SlurmRun;
use crate::cli::output::print;
use crate::cli::{CommandOutcome, Failure};
use crate::slurm::{Slurm, SlurmView};

/// Tells how far a run is by its results, what Slurm says of its jobs beside that, and what to do. The exit status is 0
/// where nothing is missing, 1 otherwise. Works also when Slurm does not, and long after it has forgotten the jobs.
#[derive(Debug, Args)]
pub(super) struct SlurmStatusCommand {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl SlurmStatusCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let slurm_run = SlurmRun::open(&self.run)?;
        let queue = Slurm.queue(&slurm_run.location).map_err(|error| error.to_string());
        // Read after the queue: games that a task finishes meanwhile are seen, and cannot seem lost.
        let results = slurm_run.results()?;
        let view = SlurmView::new(
            &slurm_run.location,
            results,
            &slurm_run.jobs(),
            queue.as_ref().map_err(Clone::clone),
        );
        if self.json {
            let text = serde_json::to_string(&view).map_err(|error| Failure::Bug(error.to_string()))?;
            print(&(text + "\n"))?;
        } else {
            print(&(view.lines().join("\n") + "\n"))?;
        }
        Ok(if results.is_complete() {
            CommandOutcome::Yes
        } else {
            CommandOutcome::No
        })
    }
}
