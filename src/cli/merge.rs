//! `referee merge`: merges copies of a run through [`crate::shards`].

use std::path::PathBuf;

use clap::Args;

use super::output::{note, print};
use super::{CommandOutcome, Failure};
use crate::messages::{counted, plain};
use crate::records::RunFolder;
use crate::shards::{MergeError, MergeReport, merge};

/// Joins copies of a run that were played on machines without a common disk: games of the copies are added to the first
/// run, and nothing is taken away.
///
/// Copies are made with rsync or the like after `referee plan`, each is played in part with `referee shard`, and they
/// are brought back side by side. Runs of other agents, rules, seeds or pairings are refused as a whole. Where one game
/// has two results, the one of the first run stays, then that of the copy that is named first.
#[derive(Debug, Args)]
pub(super) struct MergeCommand {
    /// The run that games are added to
    #[arg(value_name = "INTO")]
    into: PathBuf,
    /// The copies
    #[arg(required = true, value_name = "FROM")]
    from: Vec<PathBuf>,
    /// Say what would be done, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl MergeCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let into = RunFolder::open(&self.into)?;
        let from: Result<Vec<RunFolder>, _> = self.from.iter().map(|path| RunFolder::open(path)).collect();
        let merge = merge(&into, &from?)?;
        let report = if self.dry_run {
            merge.report().clone()
        } else {
            merge.carry_out()?
        };
        for (id, path) in &report.different {
            let path = plain(&path.display().to_string());
            note(&format!(
                "{}  has another result in `{path}`, which is left out",
                plain(id)
            ));
        }
        let text = if self.json {
            serde_json::to_string(&report).map_err(|error| Failure::Bug(error.to_string()))?
        } else {
            self.line(&report)
        };
        print(&(text + "\n"))?;
        Ok(CommandOutcome::Yes)
    }

    fn line(&self, report: &MergeReport) -> String {
        let planned = match report.planned {
            0 => String::new(),
            games => format!(", {} more planned", counted(games, "game")),
        };
        format!(
            "{}{}: {} added, {} there already, {} with another result{planned}, {} missing",
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
