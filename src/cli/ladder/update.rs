//! `referee ladder update`: takes submissions in, and prints what became of each.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::Failure;
use crate::cli::events::EventLog;
use crate::cli::output::say;
use crate::cli::run_display::{Detail, RunDisplay};
use crate::cli::session::on_threads;
use crate::cli::slots::PinArgument;
use crate::runs::{LadderUpdateRequest, VersionOutcome, update_ladder};
use referee_games::KnownGames;
use referee_messages::{counted, plain};
use referee_records::unix_s;

/// Take submissions in: what has changed since the last update becomes a new version
///
/// Builds each changed submission, and plays a game against itself and one against `builtin:random` with the ladder's
/// play time. A version that forfeits one is refused, and the version before it keeps playing. Run it as often as you
/// like, also while the ladder is played.
#[derive(Debug, Args)]
pub(in crate::cli) struct UpdateCommand {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Directory, `.zip` or `.tar.gz` of submissions, one entry for each student
    #[arg(value_name = "CLASS")]
    class: PathBuf,
    /// Roster of the course as CSV, with columns such as id, name, email and group
    #[arg(long, value_name = "CSV")]
    roster: Option<PathBuf>,
    /// Part of the assignment to take from a Vocareum download with several parts
    #[arg(long, value_name = "NAME")]
    part: Option<String>,
    /// Number of test games to play in parallel [default: the number of physical cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    #[command(flatten)]
    pin: PinArgument,
}

impl UpdateCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<(), Failure> {
        let slots = self.pin.slots(self.jobs)?;
        let request = LadderUpdateRequest {
            ladder: self.ladder.clone(),
            class: self.class,
            roster: self.roster,
            part: self.part,
            slots,
            now_unix_s: unix_s(),
            known_games: games.clone(),
        };
        let display = RunDisplay::new(Detail::Quiet, EventLog::default());
        let work = update_ladder(request, display.on_progress());
        let resume = |_: &Path| "versions that were taken in stay; rerun the same command to resume".to_owned();
        let outcomes = on_threads(display.show(work, "", resume))?;
        say(&report(&self.ladder, &outcomes))
    }
}

/// A line for each submission that is not unchanged, and one for these, if there are any.
fn report(ladder: &Path, outcomes: &[(String, VersionOutcome)]) -> String {
    let line = |(name, outcome): &(String, VersionOutcome)| {
        let name = plain(name);
        Some(match outcome {
            VersionOutcome::Unchanged => return None,
            VersionOutcome::Admitted { version } => format!("{name}  version {version} plays\n"),
            VersionOutcome::Refused { version, fault, trial } => {
                let trial = trial.as_ref().map_or_else(String::new, |trial| {
                    format!("; see the game in `{}`", plain(&ladder.join(trial).display().to_string()))
                });
                format!("{name}  version {version} refused: {}{trial}\n", plain(&fault.to_string()))
            }
            VersionOutcome::Postponed { reason } => {
                format!("{name}  not taken in: {reason}; a later update takes it\n")
            }
        })
    };
    let lines: String = outcomes.iter().filter_map(line).collect();
    let unchanged = outcomes.iter().filter(|(_, outcome)| *outcome == VersionOutcome::Unchanged).count();
    match (unchanged, outcomes.is_empty()) {
        (0, true) => "nothing has been handed in\n".to_owned(),
        (0, false) => lines,
        (_, _) => format!("{lines}{} unchanged\n", counted(unchanged, "submission")),
    }
}
