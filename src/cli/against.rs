//! Prepares a game of a person against an agent, for a terminal or a page. It plays nothing; `play` and `serve --play`
//! call it.

use std::path::{Path, PathBuf};

use super::Failure;
use super::output::note;
use super::play::default_folder;
use super::run_path::expect_place_for_run;
use crate::agents::{AgentBuilder, AgentName, AgentSpec, Calibration, Participant};
use crate::games::GameId;
use crate::human::PersonMatch;
use crate::messages::plain;
use crate::records::{AgentRecord, AgentRole, Conditions, Manifest, Pairing, PersonClock, RunFolder};
use crate::seat::SeatOptions;
use crate::time::CpuTime;
use crate::tournament::agent_record;

/// The clocks of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PlayTime {
    /// The time of the game for either side.
    #[default]
    OfGame,
    /// This much for either side.
    Seconds(CpuTime),
    /// None for the person, and the time of the game for the agent.
    NoClock,
}

impl PlayTime {
    /// Parses `--time`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self::NoClock);
        }
        match text.parse() {
            Ok(CpuTime::ZERO) => Err("the play time must be more than 0 seconds".to_owned()),
            Ok(time) => Ok(Self::Seconds(time)),
            Err(_) => {
                Err("expected a number of seconds above 0 such as `300` or `0.25`, or `none` for a person".to_owned())
            }
        }
    }

    /// The usual conditions of `game` with this time.
    pub(super) fn conditions(self, game: GameId) -> Conditions {
        let time = match self {
            Self::Seconds(time) => time,
            Self::OfGame | Self::NoClock => game.profile().play_time,
        };
        Conditions::usual(game, time)
    }

    /// The person's clock.
    pub(super) const fn of_person(self) -> PersonClock {
        match self {
            Self::OfGame | Self::Seconds(_) => PersonClock::WallTime,
            Self::NoClock => PersonClock::NoClock,
        }
    }
}

/// A requested game of a person against an agent.
#[derive(Clone, Debug)]
pub(super) struct AgainstPerson {
    pub(super) game: GameId,
    pub(super) person: AgentName,
    pub(super) clock: PersonClock,
    pub(super) agent: AgentSpec,
    pub(super) seats: SeatOptions,
    pub(super) conditions: Conditions,
    pub(super) seed: u64,
    /// The folder of the records; `None` for a new one.
    pub(super) out: Option<PathBuf>,
}

impl AgainstPerson {
    /// Builds the agent below `builds`, which must stay, and begins or resumes the run; `pairings` gives the games for
    /// the names of the person and the agent.
    pub(super) fn prepare(
        self,
        builds: &Path,
        pairings: impl FnOnce(&str, &str) -> Result<Vec<Pairing>, Failure>,
    ) -> Result<(PersonMatch, RunFolder), Failure> {
        let mut participant = self.participant(builds)?;
        // Check that this machine can do it before a run is begun.
        participant
            .take_seat(self.game, 0, &self.seats)
            .map_err(|error| Failure::Machine(error.to_string()))?;
        let games = pairings(self.person.as_str(), participant.name())?;
        let manifest = self.manifest(&participant, games);
        let path = self.out.clone().map_or_else(|| default_folder(self.game), Ok)?;
        expect_place_for_run(&path)?;
        let folder = RunFolder::begin(&path, &manifest)?;
        calibrate(&mut participant, &self.seats)?;
        let against = PersonMatch {
            manifest,
            participant,
            person: self.person.to_string(),
            clock: self.clock,
            seats: self.seats,
        };
        Ok((against, folder))
    }

    /// The agent, under another name than the person's.
    fn participant(&self, builds: &Path) -> Result<Participant, Failure> {
        let mut builder = AgentBuilder::for_game(self.game)
            .map_err(|error| Failure::Machine(format!("cannot find the path of `referee` itself: {error}")))?;
        builder.seats = self.seats.clone();
        let agent = builder.prepare(&self.agent, builds)?;
        for remark in &agent.remarks {
            note(&format!("{}: {remark}", agent.name));
        }
        let participant = Participant::new(agent);
        if participant.name() == self.person.as_str() {
            let other = format!("{}-2", participant.name());
            return Ok(participant.renamed(other));
        }
        Ok(participant)
    }

    fn manifest(&self, participant: &Participant, games: Vec<Pairing>) -> Manifest {
        let person = AgentRecord {
            person: Some(self.clock),
            ..AgentRecord::participant(self.person.to_string(), super::player::PERSON.to_owned(), String::new())
        };
        Manifest {
            agents: vec![person, agent_record(participant, AgentRole::Participant)],
            games,
            ..Manifest::new(self.game, self.conditions.clone(), self.seed)
        }
    }
}

fn calibrate(participant: &mut Participant, seats: &SeatOptions) -> Result<(), Failure> {
    let name = participant.name().to_owned();
    match participant
        .calibrate(seats)
        .map_err(|error| Failure::Machine(format!("{name}: calibrate: {error}")))?
    {
        Calibration::None | Calibration::Done => {}
        Calibration::Odd(oddity) => note(&format!("{name}: calibrate {}; it plays anyway", plain(&oddity))),
    }
    Ok(())
}
