//! An agent that takes part: under a name of its own, calibrated once, able to take a seat in any number of games.

use super::agent::Agent;
use crate::games::{GameId, Memory};
use crate::seat::{OutputFile, Persistence, Run, RunRequest, Seat, SeatError, SeatOptions, Task, Termination};
use crate::time::{CpuTime, WallTime};

/// How long a `calibrate` program may compute (RULES.md, section 1: "should take no more than 5 seconds").
const CALIBRATE_LIMIT: CpuTime = CpuTime::from_secs(10);

/// How long it may take by the clock on the wall: the guard of a move with as much time left.
const CALIBRATE_GUARD: WallTime = WallTime::from_secs(40);

/// An agent in a run of games.
#[derive(Clone, Debug)]
pub struct Participant {
    name: String,
    agent: Agent,
    calibration: Option<Vec<u8>>,
}

/// What came of the one run of a `calibrate` program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Calibration {
    /// The agent has no such program.
    None,
    /// It left a `calibration.txt`, and nothing is to be said of it.
    Done,
    /// Something is to be said of it, as the end of a sentence about the program. The agent plays all the same.
    Odd(String),
}

impl Participant {
    /// The agent under its own name, not calibrated yet.
    pub fn new(agent: Agent) -> Self {
        Self {
            name: agent.name.to_string(),
            agent,
            calibration: None,
        }
    }

    /// The same under another name.
    #[must_use]
    pub fn renamed(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// Its name in the run.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The agent behind it.
    pub const fn agent(&self) -> &Agent {
        &self.agent
    }

    /// The digest of everything that the agent was made of.
    pub fn digest(&self) -> String {
        self.agent.digest.to_string()
    }

    /// The same with the `calibration.txt` of a run of its `calibrate` program on another machine of the same kind.
    #[must_use]
    pub fn with_calibration(self, calibration: Option<Vec<u8>>) -> Self {
        Self { calibration, ..self }
    }

    /// The `calibration.txt` that it has in every game.
    pub fn calibration(&self) -> Option<&[u8]> {
        self.calibration.as_deref()
    }

    /// Runs the agent's `calibrate` program, if it has one, in a seat as `options` say, and keeps the `calibration.txt`
    /// for all games to come.
    ///
    /// A program that overruns is killed; what it wrote until then is kept, and its CPU time is charged to nobody: it
    /// has a seat of its own, and no game a clock yet.
    ///
    /// To be called once for each run of the referee, before the first game. A run that is gone on with calibrates
    /// anew: it may be on another machine or a busier one by now, and how fast the machine is is what the file is
    /// about. Only where many processes play one run is the file kept, for machines of the same kind.
    ///
    /// # Errors
    ///
    /// [`SeatError`] where it could not be run through no fault of its own.
    pub fn calibrate(&mut self, options: &SeatOptions) -> Result<Calibration, SeatError> {
        let run = self.run_calibrate(options)?;
        Ok(run.map_or(Calibration::None, |run| {
            oddity(&run).map_or(Calibration::Done, Calibration::Odd)
        }))
    }

    /// The same, for who wants to know what the program used and left: its run, or `None` where there is no such
    /// program.
    ///
    /// # Errors
    ///
    /// As those of [`Self::calibrate`].
    pub fn run_calibrate(&mut self, options: &SeatOptions) -> Result<Option<Run>, SeatError> {
        let Some(program) = &self.agent.calibrate else {
            return Ok(None);
        };
        let mut seat = Seat::open(program, options)?;
        let run = seat.run(&RunRequest {
            task: Task::Calibrate,
            kill_after: CALIBRATE_LIMIT,
            wall_limit: CALIBRATE_GUARD,
        })?;
        self.calibration = match &run.output {
            OutputFile::Content { bytes } => Some(bytes.0.clone()),
            OutputFile::Missing { .. }
            | OutputFile::NotAFile { .. }
            | OutputFile::TooLarge { .. }
            | OutputFile::Unreadable { .. } => None,
        };
        Ok(Some(run))
    }

    /// Opens a seat for one game of `game`, as `options` and the game say; a built-in agent draws its choices from
    /// `seed`.
    ///
    /// # Errors
    ///
    /// [`SeatError`]: the game is void then.
    pub fn take_seat(&self, game: GameId, seed: u64, options: &SeatOptions) -> Result<Seat, SeatError> {
        let options = SeatOptions {
            calibration: self.calibration.clone(),
            persistence: match game.profile().memory {
                Memory::Playdata => Persistence::Playdata,
                Memory::WorkingDirectory => Persistence::Everything,
            },
            ..options.clone()
        };
        Seat::open(&self.agent.program_for(game, seed), &options)
    }
}

fn oddity(run: &Run) -> Option<String> {
    let ending = match &run.ended {
        Termination::Exited { status: 0 } => None,
        Termination::Exited { status } => Some(format!("exited with status {status}")),
        Termination::Signalled { name, .. } => Some(format!("was ended by {name}")),
        Termination::OutOfCpu => Some(format!("was killed after {CALIBRATE_LIMIT} s of CPU time")),
        Termination::Guarded => Some(format!("was killed after {CALIBRATE_GUARD} s of wall-clock time")),
        Termination::Exceeded { .. } => Some("was killed for passing a limit".to_owned()),
        Termination::NotStarted { error } => Some(format!("could not be started: {error}")),
    };
    let file = match &run.output {
        OutputFile::Content { .. } => None,
        OutputFile::Missing { .. } => Some(match run.misspelled("calibration.txt") {
            Some(name) => format!("left {} instead of `calibration.txt`", super::shown::name(name)),
            None => "left no `calibration.txt`".to_owned(),
        }),
        OutputFile::NotAFile { found } => Some(format!("left {found} as `calibration.txt`")),
        OutputFile::TooLarge { bytes } => {
            Some(format!("left a `calibration.txt` of {bytes} bytes, which is too large"))
        }
        OutputFile::Unreadable { error } => Some(format!("left a `calibration.txt` that cannot be read: {error}")),
    };
    match (ending, file) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(one),
        (Some(ending), Some(file)) => Some(format!("{ending} and {file}")),
    }
}
