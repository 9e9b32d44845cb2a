//! Runs one match: games between named agents, or with a person. It prints nothing; `cli/play` and `cli/serve_play`
//! call it.

mod person;
mod plan;
mod sequential;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::agent_setup::{AgentSetup, MatchTerms};
use super::calibration::{calibrate, report_oddities};
use super::error::{Remedy, RunFailure};
use super::playing::{blocking, do_tasks};
use super::progress::{OnProgress, Progress};
use super::run_path::expect_place_for_run;
use super::scratch::scratch_dir;
pub use person::{PERSON, PersonGames, PersonMatchRequest};
pub use plan::GamePlan;
use referee_games::GameRef;
use referee_matches::tournament::{Runner, SequentialTest, Slots, Sprt, TaskList, agent_record};
use referee_records::{AgentRole, Manifest, Pairing, RecordError, RunFolder, new_folder, unix_s};
use referee_seat::Scratch;
use referee_submissions::agents::{AgentSpec, Participant};
use sequential::{finish, look, match_tests, wants};

/// A match to play.
#[derive(Clone, Debug)]
pub struct MatchRequest {
    /// The agents: the first one plays each of the others.
    pub agents: Vec<AgentSpec>,
    /// The games.
    pub plan: GamePlan,
    /// The test that ends the games against an opponent as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// How the games are played.
    pub terms: MatchTerms,
    /// The slots for games.
    pub slots: Slots,
}

/// A match that was played.
#[derive(Debug)]
pub struct PlayedMatch {
    /// The folder of its run.
    pub folder: RunFolder,
    /// Its games: of one with tests, those that were played.
    pub manifest: Manifest,
    /// Its tests, in the order of the opponents.
    pub tests: Vec<SequentialTest>,
}

/// Plays every game that `request` asks for and its folder lacks.
///
/// # Errors
///
/// [`RunFailure`]; finished games are kept.
pub async fn play_match(request: MatchRequest, on_progress: OnProgress) -> Result<PlayedMatch, RunFailure> {
    let builds = scratch_dir(Scratch::Builds)?;
    let slots = request.slots.clone();
    let (runner, tests) = {
        let (builds, on_progress) = (builds.path().to_owned(), Arc::clone(&on_progress));
        blocking(move || request.prepare(&builds, &on_progress)).await?
    };
    let folder = runner.folder.clone();
    let pending = runner.pending();
    on_progress(Progress::PlayBegan { runner: &runner, tasks: &pending, slots: slots.count(), competition: None });
    let is_tested = !tests.is_empty();
    let tests = Arc::new(Mutex::new(tests));
    let task_list = if is_tested {
        let (tests, folder, on_progress) = (Arc::clone(&tests), folder.clone(), Arc::clone(&on_progress));
        TaskList::while_wanted(pending, move |task| {
            let mut tests = tests.lock();
            wants(&mut tests, task, &folder, &on_progress)
        })
    } else {
        TaskList::from(pending)
    };
    do_tasks(&runner, task_list, &slots, &on_progress).await?;
    let mut manifest = runner.manifest;
    let mut tests = tests.lock().clone();
    finish(&mut tests, &folder, &mut manifest)?;
    Ok(PlayedMatch { folder, manifest, tests })
}

impl MatchRequest {
    /// Builds the agents below `builds`, which must stay, and begins or resumes the run.
    fn prepare(&self, builds: &Path, on_progress: &OnProgress) -> Result<(Runner, Vec<SequentialTest>), RunFailure> {
        let game = self.plan.game;
        let setup = AgentSetup::for_match(game, &self.terms)?;
        let agents = self.agents.iter().enumerate();
        let participants: Result<Vec<Participant>, RunFailure> = agents
            .map(|(number, spec)| setup.participant(spec, &builds.join(number.to_string()), on_progress))
            .collect();
        let participants = with_distinct_names(participants?);
        for participant in &participants {
            setup.expect_seat(game, participant)?;
        }
        let manifest = self.manifest(&participants, on_progress)?;
        let path = match_folder(self.terms.out.as_deref(), game)?;
        let folder = self.begin(&path, &manifest).map_err(RunFailure::of_folder)?;
        on_progress(Progress::Opened { folder: &folder, manifest: &manifest, slots: self.slots.count() });
        let mut tests = match_tests(self.sprt, &manifest);
        look(&mut tests, &folder)?;
        let participants = participants.into_iter().map(|one| (one.name().to_owned(), one));
        let mut runner = setup.runner(folder, manifest, participants.collect())?;
        let oddities = calibrate(&mut runner, |_| true, self.slots.count(), on_progress)?;
        report_oddities(&oddities, on_progress);
        Ok((runner, tests))
    }

    fn manifest(&self, participants: &[Participant], on_progress: &OnProgress) -> Result<Manifest, RunFailure> {
        let record = |participant| agent_record(participant, AgentRole::Participant);
        let names: Vec<&str> = participants.iter().map(Participant::name).collect();
        let games = match names.as_slice() {
            [a, opponents @ ..] => self.plan.pairings(a, opponents, on_progress)?,
            [] => vec![],
        };
        Ok(Manifest {
            agents: participants.iter().map(record).collect(),
            games,
            ..Manifest::new(self.plan.game, self.terms.conditions.clone(), self.plan.seed)
        })
    }

    /// Begins or resumes the run.
    ///
    /// A finished sequential test reduces the plan to the played games. So a run that lacks games of `manifest` is the
    /// same run, and gets them back until its plan is reduced again.
    fn begin(&self, path: &Path, manifest: &Manifest) -> Result<RunFolder, RecordError> {
        let games = &self.terms.known_games;
        if self.sprt.is_none() || !RunFolder::is_begun(path) {
            return RunFolder::begin(path, manifest, games);
        }
        let before = RunFolder::open(path, games)?.manifest()?;
        if before.games == manifest.games || !leaves_out(&before.games, &manifest.games) {
            return RunFolder::begin(path, manifest, games);
        }
        let reduced = Manifest { games: before.games.clone(), ..manifest.clone() };
        let folder = RunFolder::begin(path, &reduced, games)?;
        folder.revise(&Manifest { games: manifest.games.clone(), ..before })?;
        Ok(folder)
    }
}

/// Whether `some` is a subsequence of `all`.
fn leaves_out(some: &[Pairing], all: &[Pairing]) -> bool {
    let mut all = all.iter();
    some.iter().all(|pairing| all.any(|one| one == pairing))
}

/// The same agents, numbered where names are equal.
fn with_distinct_names(participants: Vec<Participant>) -> Vec<Participant> {
    let names: Vec<String> = participants.iter().map(|one| one.name().to_owned()).collect();
    let is_single = |name: &str| names.iter().filter(|other| *other == name).count() == 1;
    let mut taken: BTreeSet<String> = names.iter().filter(|name| is_single(name)).cloned().collect();
    let numbered = |participant: Participant| {
        let name = participant.name().to_owned();
        if is_single(&name) {
            return participant;
        }
        let mut numbered = (1..).map(|number: u32| format!("{name}-{number}"));
        let free = numbered.find(|name| taken.insert(name.clone()));
        participant.renamed(free.unwrap_or(name))
    };
    participants.into_iter().map(numbered).collect()
}

/// The folder of a match: `out`, or a new one under `results`, named after the game and time, and numbered if that is
/// taken.
fn match_folder(out: Option<&Path>, game: GameRef) -> Result<PathBuf, RunFailure> {
    if let Some(out) = out {
        expect_place_for_run(out)?;
        return Ok(out.to_owned());
    }
    let failed = |error| {
        RunFailure::write(format!("cannot create a directory in `results`: {error}"))
            .with(Remedy::OtherFolderOrWritable)
    };
    let name = format!("{}-{}", game.name(), unix_s());
    new_folder(Path::new("results"), &name).map_err(failed)
}
