//! Prepares the games of `referee play`: builds and calibrates agents, and begins or resumes the run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::PlayCommand;
use super::games::GamePlan;
use super::match_tests::MatchTests;
use crate::agents::{AgentBuilder, AgentSpec, Calibration, Participant};
use crate::cli::Failure;
use crate::cli::output::note;
use crate::cli::resume::note_resumed;
use crate::cli::run_path::{ANOTHER_OUT, expect_place_for_run, or_write_elsewhere};
use crate::games::GameId;
use crate::messages::plain;
use crate::records::{AgentRole, Host, Manifest, Pairing, RecordError, RunFolder, new_folder};
use crate::seat::SeatOptions;
use crate::tournament::{Runner, SelfTest, agent_record};

/// A run that is ready to play.
pub(super) struct Ready {
    /// The runner.
    pub(super) runner: Runner,
    /// Decides when to stop.
    pub(super) question: MatchTests,
}

impl PlayCommand {
    /// Builds the agents below `builds`, which must stay, and begins or resumes the run.
    pub(super) fn prepare(&self, agents: &[AgentSpec], plan: &GamePlan, builds: &Path) -> Result<Ready, Failure> {
        let game = plan.game;
        let seats = self.seats();
        let mut builder = AgentBuilder::for_game(game)
            .map_err(|error| Failure::Machine(format!("cannot find the path of `referee` itself: {error}")))?;
        builder.seats = seats.clone();
        let participants = participants(&builder, agents, builds)?;
        for participant in &participants {
            // Check that this machine can do it before a run is begun.
            participant
                .take_seat(game, 0, &seats)
                .map_err(|error| Failure::Machine(error.to_string()))?;
        }
        let manifest = self.manifest(plan, &participants)?;
        let path = self.out.clone().map_or_else(|| default_folder(game), Ok)?;
        expect_place_for_run(&path)?;
        let folder = self
            .begin(&path, &manifest)
            .map_err(|error| or_write_elsewhere(error, ANOTHER_OUT))?;
        note_resumed(&folder, &manifest);
        let mut question = MatchTests::new(self.sprt, &manifest);
        question.look(&folder)?;
        let participants = calibrated(participants, &seats)?;
        let runner = Runner {
            self_test: SelfTest::new(&manifest, &builder, Host::this())?,
            manifest,
            folder,
            seats,
            participants,
            host: Host::this(),
        };
        Ok(Ready { runner, question })
    }

    fn manifest(&self, plan: &GamePlan, participants: &[Participant]) -> Result<Manifest, Failure> {
        let record = |participant| agent_record(participant, AgentRole::Participant);
        let names: Vec<&str> = participants.iter().map(Participant::name).collect();
        let games = match names.as_slice() {
            [a, opponents @ ..] => plan.pairings(a, opponents)?,
            [] => vec![],
        };
        Ok(Manifest {
            agents: participants.iter().map(record).collect(),
            games,
            ..Manifest::new(plan.game, self.conditions(plan.game), self.seed)
        })
    }

    /// Begins or resumes the run.
    ///
    /// A finished sequential test reduces the plan to the played games. So a run that lacks games of `manifest` is the
    /// same run, and gets them back until its plan is reduced again.
    fn begin(&self, path: &Path, manifest: &Manifest) -> Result<RunFolder, RecordError> {
        if self.sprt.is_none() || !RunFolder::is_begun(path) {
            return RunFolder::begin(path, manifest);
        }
        let before = RunFolder::open(path)?.manifest()?;
        if before.games == manifest.games || !leaves_out(&before.games, &manifest.games) {
            return RunFolder::begin(path, manifest);
        }
        let games = before.games.clone();
        let folder = RunFolder::begin(
            path,
            &Manifest {
                games,
                ..manifest.clone()
            },
        )?;
        let games = manifest.games.clone();
        folder.revise(&Manifest { games, ..before })?;
        Ok(folder)
    }
}

/// All agents, built and with distinct names, not yet calibrated.
fn participants(builder: &AgentBuilder, agents: &[AgentSpec], builds: &Path) -> Result<Vec<Participant>, Failure> {
    let ready = |(number, spec): (usize, &AgentSpec)| {
        let agent = builder.prepare(spec, &builds.join(number.to_string()))?;
        for remark in &agent.remarks {
            note(&format!("{}: {remark}", agent.name));
        }
        Ok(Participant::new(agent))
    };
    let ready: Result<Vec<Participant>, Failure> = agents.iter().enumerate().map(ready).collect();
    ready.map(told_apart)
}

/// Whether `some` is a subsequence of `all`.
fn leaves_out(some: &[Pairing], all: &[Pairing]) -> bool {
    let mut all = all.iter();
    some.iter().all(|pairing| all.any(|one| one == pairing))
}

/// The same agents, numbered where names are equal.
fn told_apart(participants: Vec<Participant>) -> Vec<Participant> {
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

/// The participants by name, after running their calibrate programs.
fn calibrated(participants: Vec<Participant>, seats: &SeatOptions) -> Result<BTreeMap<String, Participant>, Failure> {
    let mut ready = BTreeMap::new();
    for mut participant in participants {
        let name = participant.name().to_owned();
        match participant
            .calibrate(seats)
            .map_err(|error| Failure::Machine(format!("{name}: calibrate: {error}")))?
        {
            Calibration::None | Calibration::Done => {}
            Calibration::Odd(oddity) => {
                note(&format!("{name}: calibrate {}; it plays anyway", plain(&oddity)));
            }
        }
        ready.insert(name, participant);
    }
    Ok(ready)
}

/// A new folder under `results`, named after the game and time, and numbered if that is taken.
pub(in crate::cli) fn default_folder(game: GameId) -> Result<PathBuf, Failure> {
    let results = Path::new("results");
    let failed = |error| Failure::Write(format!("cannot create a directory in `results`: {error}"));
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let name = format!("{}-{}", game.name(), now.map_or(0, |since| since.as_secs()));
    new_folder(results, &name).map_err(failed)
}
