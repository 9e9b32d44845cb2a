//! Makes the agents of a run: one builder and one kind of seat for all of them, and the runner that plays them. It
//! plays nothing itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::{Remedy, RunFailure};
use super::progress::{OnProgress, Progress};
use referee_course::assignment::Assignment;
use referee_games::{GameRef, KnownGames};
use referee_matches::tournament::{Runner, SelfTest, Slots};
use referee_records::{Conditions, Manifest, RunFolder, SeatingOptions};
use referee_seat::{Isolation, IsolationRange, Meter, SeatError, SeatOptions, isolation_available};
use referee_submissions::agents::{AgentBuilder, AgentSpec, Participant, Python2};

/// What a request for the run of an assignment leaves open besides its agents.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The folder of the run.
    pub out: PathBuf,
    /// The games that assignments and runs may be of.
    pub known_games: KnownGames,
    /// The slots for games. So many agents are also built and calibrated at a time.
    pub slots: Slots,
    /// The minimum isolation, if it overrides the assignment.
    pub isolation: Option<Isolation>,
    /// How CPU time is measured; `None` for the best meter of this machine.
    pub meter: Option<Meter>,
    /// What runs Python 2 programs.
    pub python2: Python2,
    /// The path of `referee`, for programs other than `referee`.
    pub referee: Option<PathBuf>,
}

/// How the games of a match are played, with or without a person, and where their records are kept.
#[derive(Clone, Debug)]
pub struct MatchTerms {
    /// The assignment that names the programs and gives provided files; without it, programs have the usual names.
    pub assignment: Option<Assignment>,
    /// The options of all agents' seats; with a keeper, built-in agents are its own, too.
    pub seats: SeatOptions,
    /// What runs Python 2 programs.
    pub python2: Python2,
    /// The conditions of all games.
    pub conditions: Conditions,
    /// The folder of the run; `None` for a new one in `results/`.
    pub out: Option<PathBuf>,
    /// The games that the run in that folder may be of.
    pub known_games: KnownGames,
}

impl RunOptions {
    /// How the agents of `assignment` are built and seated, as a run records it.
    pub(super) fn seating(&self, assignment: &Assignment) -> SeatingOptions {
        SeatingOptions {
            at_least: self.isolation.unwrap_or(assignment.minimum_isolation),
            meter: self.meter,
            python2_by_python3: self.python2 == Python2::ByPython3,
        }
    }

    /// How the agents of `assignment` are made.
    pub(super) fn setup(&self, assignment: &Assignment) -> Result<AgentSetup, RunFailure> {
        let setup = AgentSetup::of_assignment(assignment, self.seating(assignment), self.out.join("built"))?;
        Ok(setup.by(self.referee.as_deref()))
    }
}

/// How the agents of a run are made.
#[derive(Debug)]
pub(super) struct AgentSetup {
    /// Builds them.
    pub builder: AgentBuilder,
    /// The options of their seats.
    pub seats: SeatOptions,
}

impl AgentSetup {
    /// Agents of `game` in such `seats`.
    pub(super) fn new(game: GameRef, seats: SeatOptions) -> Result<Self, RunFailure> {
        let builder = AgentBuilder::for_game(game)
            .map_err(|error| RunFailure::machine(format!("cannot find the path of `referee` itself: {error}")))?;
        let referee = seats.keeper.clone();
        Ok(Self { builder, seats }.by(referee.as_deref()))
    }

    /// Agents of a match: by the file names of its assignment, if there is one, else by those of `game`.
    pub(super) fn for_match(game: GameRef, terms: &MatchTerms) -> Result<Self, RunFailure> {
        let mut setup = Self::new(game, terms.seats.clone())?;
        setup.builder.python2 = terms.python2;
        if let Some(assignment) = &terms.assignment {
            setup.builder = assignment.builder_from(setup.builder);
        }
        Ok(setup)
    }

    /// Agents of an assignment; the folder `built` caches builds.
    ///
    /// # Errors
    ///
    /// [`RunFailure::Machine`], if the system does not report this process's executable.
    pub(super) fn of_assignment(
        assignment: &Assignment,
        seating: SeatingOptions,
        built: PathBuf,
    ) -> Result<Self, RunFailure> {
        let seats = SeatOptions {
            meter: seating.meter,
            isolation: IsolationRange::at_least(seating.at_least),
            ..assignment.seats()
        };
        let mut setup = Self::new(assignment.game, seats)?;
        setup.builder = assignment.builder_from(setup.builder);
        setup.builder.python2 = Python2::or_python3(seating.python2_by_python3);
        setup.builder.cache = Some(built);
        Ok(setup)
    }

    /// The same with the keepers and built-in agents of this `referee`.
    fn by(mut self, referee: Option<&Path>) -> Self {
        if let Some(referee) = referee {
            referee.clone_into(&mut self.builder.referee);
            self.seats.keeper = Some(referee.to_owned());
        }
        self.builder.seats = self.seats.clone();
        self
    }

    /// The agent of `spec`, built in the folder `build`. Tells its remarks.
    pub(super) fn participant(
        &self,
        spec: &AgentSpec,
        build: &Path,
        on_progress: &OnProgress,
    ) -> Result<Participant, RunFailure> {
        let agent = self.builder.prepare(spec, build)?;
        for remark in &agent.remarks {
            let agent = agent.name.as_str();
            on_progress(Progress::Remark { agent, remark });
        }
        Ok(Participant::new(agent))
    }

    /// Checks that this machine can seat `participant`, before a run is begun. Returns the level of isolation in force.
    pub(super) fn expect_seat(&self, game: GameRef, participant: &Participant) -> Result<Isolation, RunFailure> {
        let seat = participant.take_seat(game, 0, &self.seats);
        seat.map(|seat| seat.isolation()).map_err(|error| {
            let failure = RunFailure::machine(&error);
            if let SeatError::TooWeak { available, .. } = error {
                failure.with(Remedy::AcceptIsolation(available))
            } else {
                failure
            }
        })
    }

    /// Tells that programs of other people play at this `level`, if it lets them do anything.
    pub(super) fn note_unconfined(&self, level: Isolation, on_progress: &OnProgress) -> Result<(), RunFailure> {
        if level < Isolation::Confined {
            let protections = isolation_available(self.seats.keeper.as_deref()).map_err(RunFailure::machine)?;
            on_progress(Progress::Unconfined(&protections));
        }
        Ok(())
    }

    /// The runner of these agents.
    pub(super) fn runner(
        self,
        folder: RunFolder,
        manifest: Manifest,
        participants: BTreeMap<String, Participant>,
    ) -> Result<Runner, RunFailure> {
        Ok(Runner {
            self_test: SelfTest::new(&manifest, &self.builder)?,
            manifest,
            folder,
            seats: self.seats,
            participants,
        })
    }
}
