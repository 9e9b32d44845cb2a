//! `referee slurm`: its subcommands. [`crate::slurm`] talks to the cluster.

mod advance;
mod slurm_run;
mod submit;

use clap::{Args, Subcommand};

use super::{CommandOutcome, Failure};
use crate::slurm::{LocationError, SlurmError};
use referee_games::KnownGames;

/// Play a planned competition on a Slurm cluster
///
/// First plan it: `referee plan ASSIGNMENT AGENT... --out RUN`, in a directory that every node sees under the same
/// path. Slurm may cancel, requeue or lose any task at any time: finished games are kept, and missing games are played
/// after the next submission.
#[derive(Debug, Args)]
pub(super) struct SlurmCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Submit(Box<submit::SubmitCommand>),
    Advance(advance::AdvanceCommand),
}

impl SlurmCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        match self.what {
            What::Submit(command) => command.run(games),
            What::Advance(command) => command.run(games),
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
