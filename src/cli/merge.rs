//! `referee merge`: merges copies of a run through [`referee_matches::shards`].

use std::path::PathBuf;

use clap::Args;

use super::output::{note, print, print_json};
use super::{CommandOutcome, Failure};
use crate::runs::open_run;
use referee_games::KnownGames;
use referee_matches::shards::{MergeError, MergeReport, merge};
use referee_messages::{counted, plain};
use referee_records::RunFolder;

/// Merge copies of a run that were played on machines without a shared disk
///
/// Copy the planned run to each machine, play a part of it there with `referee shard --only-own`, and copy it back
/// under another name. The games of the copies are added to INTO; nothing is removed. A copy with other agents, rules,
/// seeds or pairings is refused. If a game has several results, the one in INTO is kept, or else that of the first
/// FROM.
#[derive(Debug, Args)]
pub(super) struct MergeCommand {
    /// Run directory to add games to
    #[arg(value_name = "INTO")]
    into: PathBuf,
    /// Copies of the run directory
    #[arg(required = true, value_name = "FROM")]
    from: Vec<PathBuf>,
    /// Report what would be merged and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

impl MergeCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let into = open_run(&self.into, games)?.0;
        let from: Result<Vec<RunFolder>, Failure> = self.from.iter().map(|path| Ok(open_run(path, games)?.0)).collect();
        let merge = merge(&into, &from?)?;
        let report = if self.dry_run { merge.report().clone() } else { merge.execute()? };
        for (id, path) in &report.different {
            let path = plain(&path.display().to_string());
            note(&format!("{}  has another result in `{path}`, ignored", plain(id)));
        }
        if self.json {
            print_json(&report)?;
        } else {
            print(&(self.line(&report) + "\n"))?;
        }
        Ok(CommandOutcome::Yes)
    }

    fn line(&self, report: &MergeReport) -> String {
        let planned = match report.planned {
            0 => String::new(),
            games => format!(", {} more planned", counted(games, "game")),
        };
        format!(
            "{}{}: {} added, {} already there, {} with another result{planned}, {} missing",
            if self.dry_run { "nothing written; " } else { "" },
            plain(&self.into.display().to_string()),
            counted(report.added, "game"),
            report.same,
            report.different.len(),
            report.missing
        )
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Record(error) => error.into(),
            MergeError::Different { .. } => Self::Usage(plain(&error.to_string())),
            MergeError::Foreign { .. } => Self::Input(plain(&error.to_string())),
        }
    }
}
