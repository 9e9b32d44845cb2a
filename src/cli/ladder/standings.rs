//! `referee ladder standings`: computes and prints the ranks and ratings of a ladder.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::cli::Failure;
use crate::cli::output::{print_json, say};
use crate::cli::standings::{readable, report_unreadable};
use crate::console::{Stream, Terminal, ladder_text, ladder_versions_text};
use crate::runs::{OpenLadder, open_ladder};
use referee_games::KnownGames;
use referee_matches::ladder::LadderStandings;

/// Compute the standings of a ladder
///
/// All versions are rated together, from all games at once, and compared with the reference agent. `95 %` are the ranks
/// that the newest version of a participant may have.
#[derive(Debug, Args)]
pub(in crate::cli) struct LadderStandingsCommand {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Show all versions
    #[arg(long)]
    versions: bool,
    /// Count no pair of games after this one: what was known then, but with today's names and withdrawals
    #[arg(long, value_name = "PAIR")]
    until: Option<u32>,
    /// Print a JSON object instead
    #[arg(long, conflicts_with = "versions")]
    json: bool,
}

/// The output of `--json`.
#[derive(Serialize)]
struct LadderReport<'a> {
    ladder: String,
    unreadable: &'a [String],
    #[serde(flatten)]
    standings: &'a LadderStandings,
}

impl LadderStandingsCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<(), Failure> {
        let OpenLadder { folder, manifest, games, .. } = open_ladder(&self.ladder, games)?;
        let mut unreadable = vec![];
        // One at a time: half a million summaries would need 150 MB.
        let summaries = folder.ladder_summaries(&manifest, &games).map(|(_, summary)| summary);
        let standings = LadderStandings::of(&manifest, readable(summaries, &mut unreadable), self.until);
        let look = Terminal::of(Stream::Stdout).look();
        if self.json {
            let ladder = self.ladder.display().to_string();
            print_json(&LadderReport { ladder, unreadable: &unreadable, standings: &standings })?;
        } else if self.versions {
            say(&ladder_versions_text(&standings, look))?;
        } else {
            say(&ladder_text(&standings, look))?;
        }
        report_unreadable(&unreadable)
    }
}
