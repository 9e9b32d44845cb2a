//! `referee slurm`: its subcommands. [`crate::slurm`] talks to the cluster.

mod advance;
mod slurm_run;
mod submit;

use clap::Subcommand;

use super::{CommandOutcome, Failure};
use crate::slurm::{LocationError, SlurmError};
use referee_games::KnownGames;

#[derive(Debug, Subcommand)]
pub(super) enum SlurmCommand {
    Submit(Box<submit::SubmitCommand>),
    Advance(advance::AdvanceCommand),
}

impl SlurmCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        match self {
            Self::Submit(command) => command.run(games),
            Self::Advance(command) => command.run(games),
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
