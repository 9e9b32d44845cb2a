//! `referee slurm status`

use std::path::PathBuf;

use clap::Args;

use super::desk::Desk;
use crate::cli::output::print;
use crate::cli::{Answer, Failure};
use crate::slurm::{Slurm, View};

/// Tells how far a run is by its results, what Slurm says of its jobs beside that, and what to do. The exit status is 0 where
/// nothing is missing, 1 otherwise. Works also when Slurm does not, and long after it has forgotten the jobs.
#[derive(Debug, Args)]
pub(super) struct Status {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let desk = Desk::open(&self.run)?;
        let queue = Slurm.queue(&desk.location).map_err(|error| error.to_string());
        // Looked at after the queue: what a task has finished meanwhile is seen, and cannot seem lost.
        let results = desk.results()?;
        let view = View::new(&desk.location, results, &desk.jobs(), queue.as_ref().map_err(Clone::clone));
        if self.json {
            let text = serde_json::to_string(&view).map_err(|error| Failure::Bug(error.to_string()))?;
            print(&(text + "\n"))?;
        } else {
            print(&(view.lines().join("\n") + "\n"))?;
        }
        Ok(if results.is_complete() { Answer::Yes } else { Answer::No })
    }
}
