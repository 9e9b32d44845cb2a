//! `referee slurm status`: prints results, queue and advice.

use std::path::PathBuf;

use clap::Args;

use super::slurm_run::SlurmRun;
use crate::cli::output::{print, print_json};
use crate::cli::{CommandOutcome, Failure};
use crate::slurm::{Slurm, SlurmView};

/// Show the progress of a run, its jobs in the queue, and what to do next
///
/// Works without Slurm, too, and after Slurm has forgotten the jobs. Exits with 0 if no game is missing, 1 otherwise.
#[derive(Debug, Args)]
pub(super) struct SlurmStatusCommand {
    /// Run directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

impl SlurmStatusCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let slurm_run = SlurmRun::open(&self.run)?;
        let queue = Slurm.queue(&slurm_run.location).map_err(|error| error.to_string());
        // Read after the queue: games that a task finishes meanwhile are seen, and cannot seem lost.
        let results = slurm_run.results()?;
        let view =
            SlurmView::new(&slurm_run.location, results, &slurm_run.jobs(), queue.as_ref().map_err(Clone::clone))
                .advised();
        if self.json {
            print_json(&view)?;
        } else {
            print(&(view.lines().join("\n") + "\n"))?;
        }
        Ok(results.is_complete().into())
    }
}
