//! Prepares a match of a person against an agent, for a terminal or a page. It plays nothing: the
//! interface that asks the person does.

use std::path::Path;

use super::{GamePlan, match_folder};
use crate::runs::agent_setup::{AgentSetup, MatchTerms};
use crate::runs::calibration::cannot_calibrate;
use crate::runs::error::RunFailure;
use crate::runs::progress::{OnProgress, Progress};
use referee_games::GameRef;
use referee_matches::human::PersonMatch;
use referee_matches::tournament::agent_record;
use referee_records::{AgentRecord, AgentRole, Manifest, Pairing, PersonClock, RunFolder};
use referee_submissions::agents::{AgentName, AgentSpec, Participant};

/// The word for a person where an agent could be named. An agent in a file of that name has a folder: `./human`.
pub const PERSON: &str = "human";

/// A match of a person against an agent.
#[derive(Clone, Debug)]
pub struct PersonMatchRequest {
    /// The game.
    pub game: GameRef,
    /// The games to play.
    pub games: PersonGames,
    /// The name of the person.
    pub person: AgentName,
    /// The person's clock.
    pub clock: PersonClock,
    /// The agent.
    pub agent: AgentSpec,
    /// How the games are played.
    pub terms: MatchTerms,
    /// The seed of the run.
    pub seed: u64,
}

/// The games of a match of a person against an agent.
#[derive(Clone, Copy, Debug)]
pub enum PersonGames {
    /// These; the person has the first turn in the first one.
    PersonFirst(GamePlan),
    /// These; the agent has the first turn in the first one.
    AgentFirst(GamePlan),
    /// Those of the earlier run in the folder, if any; others are added as they are played.
    AddedLater,
}

impl PersonMatchRequest {
    /// Builds the agent below `builds`, which must stay, and begins or resumes the run.
    ///
    /// # Errors
    ///
    /// [`RunFailure`].
    pub fn prepare(self, builds: &Path, on_progress: &OnProgress) -> Result<(PersonMatch, RunFolder), RunFailure> {
        let setup = AgentSetup::for_match(self.game, &self.terms)?;
        let mut participant = setup.participant(&self.agent, builds, on_progress)?;
        if participant.name() == self.person.as_str() {
            let other = format!("{}-2", participant.name());
            participant = participant.renamed(other);
        }
        setup.expect_seat(self.game, &participant)?;
        let games = self.pairings(participant.name(), on_progress)?;
        let manifest = self.manifest(&participant, games);
        let folder =
            RunFolder::begin(&match_folder(self.terms.out.as_deref(), self.game)?, &manifest, &self.terms.known_games)?;
        let oddity = participant.calibrate(&self.terms.seats);
        if let Some(oddity) = oddity.map_err(|error| cannot_calibrate(participant.name(), &error))? {
            on_progress(Progress::Uncalibrated { agent: participant.name(), oddity: &oddity });
        }
        let person_match = PersonMatch {
            manifest,
            participant,
            person: self.person.to_string(),
            clock: self.clock,
            seats: self.terms.seats,
        };
        Ok((person_match, folder))
    }

    fn pairings(&self, agent: &str, on_progress: &OnProgress) -> Result<Vec<Pairing>, RunFailure> {
        let person = self.person.as_str();
        match (&self.games, &self.terms.out) {
            (PersonGames::PersonFirst(plan), _) => plan.pairings(person, &[agent], on_progress),
            (PersonGames::AgentFirst(plan), _) => plan.pairings(agent, &[person], on_progress),
            (PersonGames::AddedLater, Some(out)) if RunFolder::is_begun(out) => {
                Ok(RunFolder::open(out, &self.terms.known_games)?.manifest()?.games)
            }
            (PersonGames::AddedLater, _) => Ok(vec![]),
        }
    }

    fn manifest(&self, participant: &Participant, games: Vec<Pairing>) -> Manifest {
        let person = AgentRecord {
            person: Some(self.clock),
            ..AgentRecord::participant(self.person.to_string(), PERSON.to_owned(), String::new())
        };
        Manifest {
            agents: vec![person, agent_record(participant, AgentRole::Participant)],
            games,
            ..Manifest::new(self.game, self.terms.conditions.clone(), self.seed)
        }
    }
}
