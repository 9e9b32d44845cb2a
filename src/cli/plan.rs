//! `referee plan`: plans a competition without playing it.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::compete::{ClassEntry, competition_of, next, prepare};
use super::output::{note, print};
use super::run_path::open_run;
use super::scratch::scratch_dir;
use super::session::{on_threads, prepared};
use super::{CommandOutcome, Failure};
use crate::agents::AgentSource;
use crate::messages::{counted, plain};
use crate::records::{Claim, Claims, RunFolder, StaleClaim};
use crate::seat::Scratch;
use crate::tournament::{NextStep, plan};

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
    #[arg(
        long,
        conflicts_with_all = ["agents", "class", "withdraw", "out", "isolation", "meter", "python2_by_python3"]
    )]
    next: bool,
    /// Print the state as a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    entry: ClassEntry,
}

/// The state of a planned competition; `--json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct PlanStatus {
    run: String,
    #[serde(flatten)]
    pub(super) state: PlanState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub(super) enum PlanState {
    /// This command planned this many games, up to this round.
    Planned { games: usize, round: u32 },
    /// This many games must be played before the next step.
    Waiting { games: usize },
    /// Nothing is left to play.
    Over { winners: Vec<String> },
}

impl PlanCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let json = self.json;
        let builds = scratch_dir(Scratch::Builds)?;
        let path = builds.path().to_owned();
        let standing = on_threads(prepared(move || self.standing(&path)))?;
        print(&if json {
            serde_json::to_string(&standing).map_err(|error| Failure::Bug(error.to_string()))? + "\n"
        } else {
            standing.state.line() + "\n"
        })?;
        Ok(CommandOutcome::Yes)
    }

    fn standing(&self, builds: &Path) -> Result<PlanStatus, Failure> {
        if self.next {
            return plan_next(self.entry.place());
        }
        let (assignment, competition) = self.entry.load()?;
        let runner = prepare(&self.entry, &assignment, &competition, builds)?;
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
        plan_next(run)
    }
}

/// Plans the next step from the results in the folder `run`, if there is one.
pub(super) fn plan_next(run: &Path) -> Result<PlanStatus, Failure> {
    let (folder, _) = open_run(run)?;
    let claims = Claims::in_folder(folder.claims(), None, StaleClaim::default())?;
    let claim = planner(&claims)?;
    let state = planned_now(&folder);
    claims.release(&claim)?;
    Ok(PlanStatus {
        run: run.display().to_string(),
        state: state?,
    })
}

/// The claim on planning. Only one process may plan at a time, or a plan read before a game ended could overwrite the
/// plan that followed from it.
fn planner(claims: &Claims) -> Result<Claim, Failure> {
    loop {
        if let Some(claim) = claims.claim(PLANNER)? {
            return Ok(claim);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// It is no game, and not counted among claims.
const PLANNER: &str = ".plan";

fn planned_now(folder: &RunFolder) -> Result<PlanState, Failure> {
    let mut manifest = folder.manifest()?;
    let Some(competition) = competition_of(folder, &manifest)? else {
        return Err(Failure::input(
            folder.path(),
            "it is not the run of a competition: start one with `referee plan ASSIGNMENT --out RUN`",
        ));
    };
    Ok(match next(&manifest, &competition, folder) {
        NextStep::Play(rounds) => {
            let before = manifest.games.len();
            let round = rounds.last().map_or(0, |round| round.number);
            plan(&mut manifest, rounds, competition.opening_plies);
            folder.revise(&manifest)?;
            PlanState::Planned {
                games: manifest.games.len() - before,
                round,
            }
        }
        NextStep::Waiting => PlanState::Waiting {
            games: manifest.games.len() - folder.finished(&manifest).len(),
        },
        NextStep::Over(conclusion) => PlanState::Over {
            winners: conclusion.winners().map(str::to_owned).collect(),
        },
    })
}

impl PlanState {
    fn line(&self) -> String {
        match self {
            Self::Planned { games, .. } => format!("planned {}", counted(*games, "game")),
            Self::Waiting { games } => format!("waiting for {}", counted(*games, "game")),
            Self::Over { .. } => "over".to_owned(),
        }
    }
}
