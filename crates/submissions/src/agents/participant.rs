//! An agent in a run: with a unique name, calibrated once, able to take a seat in any number of games. It schedules
//! nothing; the runner and `shards` seat it.

use super::agent::Agent;
use referee_games::{GameRef, Memory};
use referee_seat::{
    Limits, OutputFile, Persistence, PreparationLimit, Protocol, Run, RunRequest, Seat, SeatError, SeatOptions, Task,
    Termination,
};

/// An agent in a run.
#[derive(Clone, Debug)]
pub struct Participant {
    name: String,
    agent: Agent,
    calibration: Option<Vec<u8>>,
}

impl Participant {
    /// The agent under its own name, not yet calibrated.
    pub fn new(agent: Agent) -> Self {
        Self { name: agent.name.to_string(), agent, calibration: None }
    }

    /// The same agent under another name.
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

    /// The digest of the agent's files.
    pub fn digest(&self) -> String {
        self.agent.digest.to_string()
    }

    /// The same agent with the `calibration.txt` from another machine of the same kind.
    #[must_use]
    pub fn with_calibration(self, calibration: Option<Vec<u8>>) -> Self {
        Self { calibration, ..self }
    }

    /// Its `calibration.txt` in every game.
    pub fn calibration(&self) -> Option<&[u8]> {
        self.calibration.as_deref()
    }

    /// Runs the agent's `calibrate` program, if any, in a seat with `options`, and keeps its `calibration.txt` for all
    /// later games. Returns what was odd about it, as the end of a sentence about the program; the agent plays anyway.
    ///
    /// A program that overruns is killed and its output so far is kept. Its CPU time is charged to no clock.
    ///
    /// Must be called once per run of the referee, before the first game. A resumed run calibrates again, because it
    /// may be on another or busier machine, and the file describes the machine's speed. Only if several processes share
    /// a run is the file stored, per kind of machine.
    ///
    /// # Errors
    ///
    /// [`SeatError`] if it could not run through no fault of its own.
    pub fn calibrate(&mut self, options: &SeatOptions) -> Result<Option<String>, SeatError> {
        let run = self.run_calibrate(options)?;
        let odd = run.into_iter().flat_map(|run| calibration_oddities(&run, self.agent.calibrate_limit));
        let odd: Vec<String> = odd.flatten().collect();
        Ok((!odd.is_empty()).then(|| odd.join(" and ")))
    }

    /// The same, but returns its run; `None` without such a program.
    ///
    /// # Errors
    ///
    /// Those of [`Self::calibrate`].
    pub fn run_calibrate(&mut self, options: &SeatOptions) -> Result<Option<Run>, SeatError> {
        let Some(program) = &self.agent.calibrate else {
            return Ok(None);
        };
        let PreparationLimit { cpu: kill_after, waiting: wall_limit } = self.agent.calibrate_limit;
        let options = SeatOptions { protocol: Protocol::Files, ..options.clone() };
        let mut seat = Seat::open(program, &options)?;
        let run = seat.run(&RunRequest { task: Task::Calibrate, kill_after, wall_limit })?;
        self.calibration = run.output.content().map(<[u8]>::to_vec);
        Ok(Some(run))
    }

    /// Opens a seat for one game of `game`, with `options` and the game's needs; `seed` seeds a built-in agent's
    /// choices.
    ///
    /// # Errors
    ///
    /// [`SeatError`]: the game is then void.
    pub fn take_seat(&self, game: GameRef, seed: u64, options: &SeatOptions) -> Result<Seat, SeatError> {
        let (limits, usual) = (options.limits, Limits::default());
        let options = SeatOptions {
            // The limits are for students' programs: one of ours starts the rules of a custom game beside itself.
            limits: if self.agent.is_builtin() {
                Limits {
                    memory_bytes: limits.memory_bytes.max(usual.memory_bytes),
                    processes: limits.processes.max(usual.processes),
                    ..limits
                }
            } else {
                limits
            },
            calibration: self.calibration.clone(),
            protocol: self.agent.spec.protocol(options.protocol),
            persistence: match game.profile().memory {
                Memory::Playdata => Persistence::Playdata,
                Memory::WorkingDirectory => Persistence::Everything,
            },
            ..options.clone()
        };
        Seat::open(&self.agent.program_for(game, seed), &options)
    }
}

/// What is odd about the end of a run of `calibrate`, and about its `calibration.txt`, each as the end of a sentence
/// about the program.
pub fn calibration_oddities(run: &Run, limit: PreparationLimit) -> [Option<String>; 2] {
    let ending = match &run.ended {
        Termination::Answered | Termination::Exited { status: 0 } => None,
        Termination::Exited { status } => Some(format!("exited with status {status}")),
        Termination::Signalled { name, .. } => Some(format!("was terminated by {name}")),
        Termination::OutOfCpu => Some(format!("was killed after {} s of CPU time (`calibrate_time`)", limit.cpu)),
        Termination::Guarded => Some(format!("was killed after waiting for {} s", limit.waiting)),
        Termination::Exceeded { .. } => Some("was killed for exceeding a limit".to_owned()),
        Termination::NotStarted { error } => Some(format!("could not be started: {error}")),
    };
    let file = match &run.output {
        OutputFile::Content { .. } => None,
        OutputFile::Missing { .. } | OutputFile::Unfinished { .. } | OutputFile::Unasked { .. } => {
            Some(match run.misspelled("calibration.txt") {
                Some(name) => format!("wrote {} instead of `calibration.txt`", super::shown::name(name)),
                None => "wrote no `calibration.txt`".to_owned(),
            })
        }
        OutputFile::NotAFile { found } => Some(format!("wrote {found} as `calibration.txt`")),
        OutputFile::TooLarge { bytes } => {
            Some(format!("wrote a `calibration.txt` of {bytes} bytes, which is too large"))
        }
        OutputFile::Unreadable { error } => Some(format!("wrote an unreadable `calibration.txt`: {error}")),
    };
    [ending, file]
}
