//! Tries new versions: one game against itself and one against the random agent, under the conditions of the ladder. A
//! version that forfeits one is refused; one that loses on the board is not.
//!
//! The budget of a version is what the assignment allows its compiler, and three times the play time: twice in the game
//! against itself, once in the other. The games are a run of their own below `trials`, which every command can read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::runs::agent_setup::AgentSetup;
use crate::runs::calibration::calibrate;
use crate::runs::error::RunFailure;
use crate::runs::playing::do_tasks;
use crate::runs::progress::{OnProgress, Progress};
use referee_games::KnownGames;
use referee_games::protocol::Finding;
use referee_matches::tournament::{Runner, Slots, agent_record, encounter, opened};
use referee_messages::fault_sentence;
use referee_records::{AgentRole, Manifest, Pairing, RecordError, RunFolder, RunKind, Verdict};
use referee_submissions::agents::{AgentSpec, Participant};

/// The opponent that every version can be expected to survive.
const RANDOM: &str = "random";

/// Games that try new versions.
pub(super) struct AdmissionTrial {
    runner: Runner,
    versions: Vec<String>,
}

/// What a trial shows of a version.
pub(super) enum TrialResult {
    /// It plays.
    Admitted,
    /// It forfeits.
    Refused {
        fault: Finding,
        /// The record of the game, below the folder of the trial.
        record: String,
    },
    /// A game has no result through no fault of the version.
    Unknown,
}

impl AdmissionTrial {
    /// The games of these versions, each under its name, in the folder `out`, from openings as long as those of the
    /// ladder: an agent with a board of its own may play only from the start. They are calibrated.
    pub(super) fn prepare(
        (setup, manifest): (AgentSetup, &Manifest),
        opening_plies: u32,
        versions: &[Participant],
        (out, games): (PathBuf, &KnownGames),
        jobs: usize,
        on_progress: &OnProgress,
    ) -> Result<Self, RunFailure> {
        let spec: AgentSpec = "builtin:random".parse().map_err(RunFailure::request)?;
        let random =
            Participant::new(setup.builder.prepare(&spec, std::path::Path::new(""))?).renamed(RANDOM.to_owned());
        let mut all: BTreeMap<String, Participant> = BTreeMap::new();
        let mut pairings = vec![];
        for (number, version) in versions.iter().enumerate() {
            let (own, twin) = (version.name().to_owned(), twin_of(version.name()));
            for opponent in [twin.as_str(), RANDOM] {
                let id = format!("g{:04}", pairings.len() + 1);
                let game = encounter(manifest.game, &own, opponent, 2).into_iter().nth(number % 2);
                let game: Vec<Pairing> =
                    game.into_iter().map(|pairing| Pairing { id: id.clone(), ..pairing }).collect();
                pairings.extend(opened(manifest.game, manifest.seed, &game, opening_plies)?);
            }
            all.insert(twin.clone(), version.clone().renamed(twin));
            all.insert(own, version.clone());
        }
        all.insert(RANDOM.to_owned(), random);
        let trial = Manifest {
            agents: all.values().map(|one| agent_record(one, AgentRole::Participant)).collect(),
            games: pairings,
            ..Manifest::new(manifest.game, manifest.conditions.clone(), manifest.seed)
        };
        let folder = RunFolder::begin(&out, &trial, games).map_err(RunFailure::of_folder)?;
        let mut runner = setup.runner(folder, trial, all)?;
        calibrate(&mut runner, |_| true, jobs, on_progress)?;
        Ok(Self { runner, versions: versions.iter().map(|version| version.name().to_owned()).collect() })
    }

    /// Plays the games, and says of each version what they show.
    pub(super) async fn play(
        self,
        slots: &Slots,
        on_progress: &OnProgress,
    ) -> Result<BTreeMap<String, TrialResult>, RunFailure> {
        let tasks = self.runner.pending();
        on_progress(Progress::PlayBegan {
            runner: &self.runner,
            tasks: &tasks,
            slots: slots.count(),
            competition: None,
        });
        let played = do_tasks(&self.runner, tasks, slots, on_progress).await;
        played.map_err(|failure| failure.in_run(RunKind::Ladder))?;
        let result = |name: &String| Ok((name.clone(), self.result_of(name)?));
        self.versions.iter().map(result).collect()
    }

    fn result_of(&self, name: &str) -> Result<TrialResult, RunFailure> {
        let Runner { folder, manifest, .. } = &self.runner;
        let own = [name.to_owned(), twin_of(name)];
        let games = manifest.games.iter().filter(|game| own.contains(&game.black) || own.contains(&game.white));
        let mut result = TrialResult::Admitted;
        for game in games {
            let record = match folder.game(&game.id) {
                Ok(record) => record,
                Err(RecordError::Read { .. }) => {
                    result = TrialResult::Unknown;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            if let Verdict::Forfeit { loser, fault } = &record.verdict
                && own.iter().any(|name| name == game.name(*loser))
            {
                let opponent = if game.name(loser.other()) == RANDOM { "the random agent" } else { "itself" };
                let turn = record.turns.len();
                let said = format!("in its test game against {opponent}, turn {turn}: {}", fault_sentence(fault));
                let record = format!("games/{}.json", game.id);
                return Ok(TrialResult::Refused { fault: Finding::new("failed-trial", said), record });
            }
        }
        Ok(result)
    }
}

/// The name of a version as its own opponent.
fn twin_of(name: &str) -> String {
    format!("{name} (itself)")
}
