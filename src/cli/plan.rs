//! `referee plan`: plans a competition without playing it.

use std::path::Path;

use clap::Args;

use super::compete::CompetitionArguments;
use super::events::EventLog;
use super::output::{note, print, print_json};
use super::run_display::{Detail, RunDisplay};
use super::session::{on_threads, prepared};
use super::{CommandOutcome, Failure};
use crate::runs::{PlanState, PlanStatus, plan_next, prepare_competition, scratch_dir};
use referee_games::KnownGames;
use referee_matches::tournament::Slots;
use referee_messages::{counted, plain};
use referee_records::Host;
use referee_seat::Scratch;
use referee_submissions::agents::AgentSource;

/// Plan a competition without playing it, for `shard` and `slurm`
///
/// Builds and checks the agents, stores them in the run directory, and plans the games known so far: all games of a
/// round robin, or the first round of an elimination.
///
/// Play the games with `referee shard RUN --index I --of N` on any machine that shares the directory, then plan the
/// next round with `referee plan --next RUN`. The last line on stdout is `planned N games`, `waiting for N games` or
/// `over`; the exit code is 0 in each case. `referee compete` can resume the run, too.
#[derive(Debug, Args)]
pub(super) struct PlanCommand {
    /// Plan the next round of an existing run; ASSIGNMENT is the run directory
    #[arg(long, conflicts_with_all = ["agents", "class", "out", "isolation", "meter", "python2_by_python3"])]
    next: bool,
    /// Print the state as a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    entry: CompetitionArguments,
}

impl PlanCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let json = self.json;
        let builds = scratch_dir(Scratch::Builds)?;
        let (path, games) = (builds.path().to_owned(), games.clone());
        let standing = on_threads(prepared(move || self.standing(&path, &games)))?;
        if json {
            print_json(&standing)?;
        } else {
            print(&(line(&standing.state) + "\n"))?;
        }
        Ok(CommandOutcome::Yes)
    }

    fn standing(&self, builds: &Path, games: &KnownGames) -> Result<PlanStatus, Failure> {
        if self.next {
            return Ok(plan_next(&self.entry.assignment, &self.entry.withdraw, games)?);
        }
        let jobs = self.entry.run.jobs.map_or_else(|| Host::this().cores, usize::from);
        let request = self.entry.request(Slots::anywhere(jobs), games)?;
        let display = RunDisplay::new(Detail::Quiet, EventLog::default());
        let runner = prepare_competition(&request, builds, &display.on_progress())?;
        let run = runner.folder.path();
        note(&format!(
            "{} built and stored in `{}`",
            counted(runner.participants.len(), "agent"),
            plain(&run.display().to_string())
        ));
        for participant in runner.participants.values() {
            match participant.agent().spec.source() {
                AgentSource::Path(path) if path.is_file() => note(&format!(
                    "{}: only this file is stored; name its directory if it needs other files",
                    plain(participant.name())
                )),
                AgentSource::Path(_) | AgentSource::Builtin(_) | AgentSource::Submission(_) => {}
            }
        }
        Ok(plan_next(run, &[], games)?)
    }
}

/// The last line of the output.
fn line(state: &PlanState) -> String {
    match state {
        PlanState::Planned { games, .. } => format!("planned {}", counted(*games, "game")),
        PlanState::Waiting { games } => format!("waiting for {}", counted(*games, "game")),
        PlanState::Over { .. } => "over".to_owned(),
    }
}
