//! Plans a competition step by step from the plan and the records in the run's folder. It plays nothing; `cli/plan`
//! and `cli/slurm` call it.

use std::path::Path;

use serde::Serialize;

use super::preparation::withdraw;
use crate::runs::assignment_file::{competition_of, next_step};
use crate::runs::error::{Remedy, RunFailure};
use crate::runs::run_path::open_run;
use referee_games::KnownGames;
use referee_matches::tournament::{NextStep, plan};
use referee_records::{Claims, RunFolder, StaleClaim};

/// The state of a planned competition.
#[derive(Debug, Serialize)]
pub struct PlanStatus {
    /// The folder of its run.
    pub run: String,
    /// The state.
    #[serde(flatten)]
    pub state: PlanState,
}

/// What was planned.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum PlanState {
    /// This command planned this many games, up to this round.
    Planned {
        /// The number of games.
        games: usize,
        /// The last planned round.
        round: u32,
    },
    /// This many games must be played before the next step.
    Waiting {
        /// The number of games.
        games: usize,
    },
    /// Nothing is left to play.
    Over {
        /// The names of the winners.
        winners: Vec<String>,
    },
}

/// Withdraws the agents of these names, and plans the next step from the results in the folder `run`, if there is one.
///
/// # Errors
///
/// [`RunFailure`], also if the folder has no run of a competition.
pub fn plan_next(run: &Path, withdrawn: &[String], games: &KnownGames) -> Result<PlanStatus, RunFailure> {
    let (folder, _) = open_run(run, games)?;
    let claims = Claims::in_folder(folder.claims(), None, StaleClaim::default())?;
    let claim = claims.wait_for(PLANNER)?;
    let state = planned_now(&folder, withdrawn);
    claims.release(&claim)?;
    Ok(PlanStatus { run: run.display().to_string(), state: state? })
}

/// The claim on planning. Only one process may plan at a time, or a plan read before a game ended could overwrite the
/// plan that followed from it. It is no game, and not counted among claims.
const PLANNER: &str = ".plan";

fn planned_now(folder: &RunFolder, withdrawn: &[String]) -> Result<PlanState, RunFailure> {
    let mut manifest = folder.manifest()?;
    let Some(competition) = competition_of(folder, &manifest)? else {
        let problem = RunFailure::input(folder.path(), "it is not the run of a competition");
        return Err(problem.with(Remedy::PlanCompetition));
    };
    if !withdrawn.is_empty() {
        withdraw(&mut manifest, withdrawn)?;
        folder.revise(&manifest)?;
    }
    Ok(match next_step(&manifest, &competition, folder) {
        NextStep::Play(rounds) => {
            let before = manifest.games.len();
            let round = rounds.last().map_or(0, |round| round.number);
            plan(&mut manifest, rounds, competition.opening_plies, &|| ())?;
            folder.revise(&manifest)?;
            PlanState::Planned { games: manifest.games.len() - before, round }
        }
        NextStep::Waiting => PlanState::Waiting { games: folder.missing(&manifest).len() },
        NextStep::Over(conclusion) => PlanState::Over { winners: conclusion.winners().map(str::to_owned).collect() },
    })
}
