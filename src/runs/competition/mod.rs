//! Runs one competition, from its agents to its end; or plans it, for processes that play it in parts.

mod planning;
mod preparation;

use std::path::PathBuf;
use std::sync::Arc;

use super::agent_setup::RunOptions;
use super::assignment_file::next_step;
use super::calibration::{calibrate, report_oddities};
use super::error::RunFailure;
use super::playing::{blocking, do_tasks};
use super::progress::{OnProgress, Progress, StepKind};
use super::scratch::scratch_dir;
pub use planning::{PlanState, PlanStatus, plan_next};
pub use preparation::prepare_competition;
use referee_course::assignment::{Assignment, Competition};
use referee_matches::tournament::{NextStep, PendingTask, Runner, plan};
use referee_records::{Manifest, RunFolder};
use referee_seat::Scratch;

/// A competition to run.
#[derive(Debug)]
pub struct CompetitionRequest {
    /// The assignment file.
    pub path: PathBuf,
    /// Its content.
    pub assignment: Assignment,
    /// The competition in it.
    pub competition: Competition,
    /// More agents than the assignment names: submissions, or named or built-in agents.
    pub agents: Vec<String>,
    /// A folder or archive of submissions.
    pub class: Option<PathBuf>,
    /// The roster of the course.
    pub roster: Option<PathBuf>,
    /// Which part of an assignment with parts the class is taken from.
    pub part: Option<String>,
    /// The names of agents that withdraw.
    pub withdraw: Vec<String>,
    /// Where and how it runs.
    pub options: RunOptions,
}

/// A competition that was played.
#[derive(Debug)]
pub struct PlayedCompetition {
    /// The folder of its run.
    pub folder: RunFolder,
    /// Its agents and games.
    pub manifest: Manifest,
    /// Whether nothing is left to play; otherwise games are void, or their agents missing.
    pub is_over: bool,
}

/// Plays every game of the competition that its folder lacks, round by round.
///
/// # Errors
///
/// [`RunFailure`]; finished games are kept.
pub async fn compete(request: CompetitionRequest, on_progress: OnProgress) -> Result<PlayedCompetition, RunFailure> {
    let builds = scratch_dir(Scratch::Builds)?;
    let (competition, slots) = (request.competition.clone(), request.options.slots.clone());
    let mut runner = {
        let (builds, on_progress) = (builds.path().to_owned(), Arc::clone(&on_progress));
        let ready = move || {
            let mut runner = prepare_competition(&request, &builds, &on_progress)?;
            let oddities = calibrate(&mut runner, |_| true, request.options.slots.count(), &on_progress)?;
            report_oddities(&oddities, &on_progress);
            Ok(runner)
        };
        blocking(ready).await?
    };
    // This makes no claims, so shards may play the same games.
    let claimed = runner.folder.claimed()?.len();
    if claimed > 0 {
        on_progress(Progress::Claimed(claimed));
    }
    loop {
        let pending: Vec<PendingTask> = runner.pending().into_iter().filter(|task| runner.can_do(task)).collect();
        if !pending.is_empty() {
            on_progress(Progress::PlayBegan {
                runner: &runner,
                tasks: &pending,
                slots: slots.count(),
                competition: Some(&competition),
            });
            do_tasks(&runner, pending, &slots, &on_progress).await?;
        }
        let next = {
            let (competition, on_progress) = (competition.clone(), Arc::clone(&on_progress));
            let advance = move || advance(&mut runner, &competition, &on_progress).map(|next| (runner, next));
            let (planned, next) = blocking(advance).await?;
            runner = planned;
            next
        };
        let is_over = match next {
            NextStep::Play(rounds) => {
                on_progress(Progress::RoundsPlanned(&rounds));
                continue;
            }
            NextStep::Waiting => false,
            NextStep::Over(_) => true,
        };
        return Ok(PlayedCompetition { folder: runner.folder, manifest: runner.manifest, is_over });
    }
}

/// Adds the next rounds to the plan, if there are some. Drawing their openings may take long where the rules are a
/// program.
fn advance(runner: &mut Runner, competition: &Competition, on_progress: &OnProgress) -> Result<NextStep, RunFailure> {
    let next = next_step(&runner.manifest, competition, &runner.folder);
    if let NextStep::Play(rounds) = &next {
        let encounters = rounds.iter().flat_map(|round| &round.encounters);
        let pairs = encounters.map(|encounter| encounter.games.len().div_ceil(2)).sum();
        let pairs = if competition.opening_plies > 0 { pairs } else { 0 };
        on_progress(Progress::StepsBegan(StepKind::Openings, pairs));
        let drawn = || on_progress(Progress::StepDone);
        plan(&mut runner.manifest, rounds.clone(), competition.opening_plies, &drawn)?;
        on_progress(Progress::StepsEnded);
        runner.folder.revise(&runner.manifest)?;
    }
    Ok(next)
}
