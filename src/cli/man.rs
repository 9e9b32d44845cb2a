//! `referee man`: manual pages from the descriptions of the commands. It writes only where the user asks.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::{Man, generate_to};

use super::output::print;
use super::{CommandOutcome, Failure};

/// Print the manual page, or write the pages of all commands
#[derive(Debug, Args)]
pub(super) struct ManCommand {
    /// Write the page of each command to this existing directory, such as `~/.local/share/man/man1`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ManCommand {
    pub(super) fn run(&self, commands: Command) -> Result<CommandOutcome, Failure> {
        if let Some(folder) = &self.out {
            let written = generate_to(commands, folder);
            written.map_err(|error| Failure::Write(format!("cannot write to `{}`: {error}", folder.display())))?;
            return Ok(CommandOutcome::Yes);
        }
        let mut page = Vec::new();
        Man::new(commands).render(&mut page).map_err(|error| Failure::Bug(error.to_string()))?;
        print(&String::from_utf8_lossy(&page))?;
        Ok(CommandOutcome::Yes)
    }
}
