//! `referee slurm`: its subcommands. [`crate::slurm`] talks to the cluster.

mod advance;
mod slurm_run;
mod status;
mod submit;

use clap::{Args, Subcommand};

use super::{CommandOutcome, Failure};
use crate::slurm::{LocationError, SlurmError};

/// Plays a planned run on a Slurm cluster: begin with `referee plan ASSIGNMENT AGENT... --out RUN`, in a folder that
/// every node sees under the same path.
///
/// Slurm may cancel, requeue or lose any task at any time: what is finished is a file in the folder of the run, and
/// what is missing is played when it is submitted again.
#[derive(Debug, Args)]
pub(super) struct SlurmCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Submit what is missing of a run as a job array, and behind it the job that submits what follows
    Submit(Box<submit::SubmitCommand>),
    /// Tell how far a run is, what is in the queue, and what to do
    Status(status::SlurmStatusCommand),
    /// Submit what follows: what the job does that waits behind an array
    Advance(advance::AdvanceCommand),
}

impl SlurmCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        match self.what {
            What::Submit(command) => command.run(),
            What::Status(command) => command.run(),
            What::Advance(command) => command.run(),
        }
    }
}

impl From<SlurmError> for Failure {
    fn from(error: SlurmError) -> Self {
        Self::Machine(error.to_string())
    }
}

impl From<LocationError> for Failure {
    fn from(error: LocationError) -> Self {
        Self::Usage(error.to_string())
    }
}
