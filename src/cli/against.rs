//! A person against an agent: what has to be ready before they meet, at a terminal or on a page.

use std::path::{Path, PathBuf};

use super::Failure;
use super::output::note;
use super::play::default_folder;
use crate::agents::{AgentName, AgentSpec, Calibration, Contestant, Workshop};
use crate::games::GameId;
use crate::human::Match;
use crate::records::{AgentRecord, Conditions, Manifest, Pairing, PersonClock, Role, RunFolder};
use crate::seat::SeatOptions;
use crate::time::CpuTime;
use crate::tournament::agent_record;
use crate::wording::plain;

/// The time of either side for a whole game, where none is named.
pub(super) const USUAL_TIME: CpuTime = CpuTime::from_secs(300);

/// The time on the clocks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayTime {
    /// So much for either side.
    Seconds(CpuTime),
    /// None for the person, and the usual time for the agent.
    NoClock,
}

impl PlayTime {
    /// Reads `--time`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self::NoClock);
        }
        match text.parse() {
            Ok(CpuTime::ZERO) => Err("an agent needs more than 0 seconds to play".to_owned()),
            Ok(time) => Ok(Self::Seconds(time)),
            Err(error) => Err(format!("{error}, or `none` where a person plays")),
        }
    }

    /// What an agent has.
    pub(super) const fn of_agent(self) -> CpuTime {
        match self {
            Self::Seconds(time) => time,
            Self::NoClock => USUAL_TIME,
        }
    }

    /// The clock of a person.
    pub(super) const fn of_person(self) -> PersonClock {
        match self {
            Self::Seconds(_) => PersonClock::WallTime,
            Self::NoClock => PersonClock::NoClock,
        }
    }
}

/// A person against an agent, as it was asked for.
#[derive(Clone, Debug)]
pub(super) struct Against {
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

impl Against {
    /// Builds the agent below `builds`, which has to stay, and begins the run or finds it again; `pairings` are the games of
    /// the person and the agent of these names.
    pub(super) fn prepare(
        self,
        builds: &Path,
        pairings: impl FnOnce(&str, &str) -> Result<Vec<Pairing>, Failure>,
    ) -> Result<(Match, RunFolder), Failure> {
        let mut contestant = self.contestant(builds)?;
        // Whether this machine can do what was asked is better known before a run is begun.
        contestant
            .take_seat(self.game, 0, &self.seats)
            .map_err(|error| Failure::Machine(error.to_string()))?;
        let games = pairings(self.person.as_str(), contestant.name())?;
        let manifest = self.manifest(&contestant, games);
        let path = self.out.clone().map_or_else(|| default_folder(self.game), Ok)?;
        let folder = RunFolder::begin(&path, &manifest)?;
        calibrate(&mut contestant, &self.seats)?;
        let against = Match {
            manifest,
            contestant,
            person: self.person.to_string(),
            clock: self.clock,
            seats: self.seats,
        };
        Ok((against, folder))
    }

    /// The agent, by a name that is not the person's.
    fn contestant(&self, builds: &Path) -> Result<Contestant, Failure> {
        let mut workshop = Workshop::for_game(self.game)
            .map_err(|error| Failure::Machine(format!("cannot tell where `referee` itself is: {error}")))?;
        workshop.seats = self.seats.clone();
        let agent = workshop.prepare(&self.agent, builds)?;
        for remark in &agent.remarks {
            note(&format!("{}: {remark}", agent.name));
        }
        let contestant = Contestant::new(agent);
        if contestant.name() == self.person.as_str() {
            let other = format!("{}-2", contestant.name());
            return Ok(contestant.renamed(other));
        }
        Ok(contestant)
    }

    fn manifest(&self, contestant: &Contestant, games: Vec<Pairing>) -> Manifest {
        let person = AgentRecord {
            person: Some(self.clock),
            ..AgentRecord::entrant(
                self.person.to_string(),
                super::contender::PERSON.to_owned(),
                String::new(),
            )
        };
        Manifest {
            agents: vec![person, agent_record(contestant, Role::Entrant)],
            games,
            ..Manifest::new(self.game, self.conditions.clone(), self.seed)
        }
    }
}

fn calibrate(contestant: &mut Contestant, seats: &SeatOptions) -> Result<(), Failure> {
    let name = contestant.name().to_owned();
    match contestant
        .calibrate(seats)
        .map_err(|error| Failure::Machine(format!("{name}: calibrate: {error}")))?
    {
        Calibration::None | Calibration::Done => {}
        Calibration::Odd(oddity) => note(&format!("{name}: calibrate {}; it plays all the same", plain(&oddity))),
    }
    Ok(())
}
