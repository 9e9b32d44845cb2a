//! Tests the accuracy of the meter: burns a known amount of CPU time in every way in which an agent could hide it.
//! `cli/doctor` calls it; `probe` burns.

use serde::Serialize;

use super::probe::PROBE_COMMAND;
use referee_seat::{
    Charge, Meter, Program, Protocol, Run, RunRequest, Seat, SeatError, SeatOptions, Task, Termination,
};
use referee_time::{CpuTime, WallTime};

/// The burned amount: long compared with rounding, short to wait for.
const BURNED: CpuTime = CpuTime::from_millis(100);

/// The name of the trial without a trick.
const HONEST: &str = "computes in one process";

/// The tolerated error: 2 per cent, ...
const EXACT_SHARE: u64 = 50;

/// ... or this for each process: its start and end are part of the charge.
const EXACT_TIME: CpuTime = CpuTime::from_millis(5);

/// The results of all trials of one meter.
#[derive(Clone, Debug, Serialize)]
pub struct MeterTrial {
    /// The meter.
    pub meter: Meter,
    /// The trials, the honest one first.
    pub tricks: Vec<TrickTrial>,
}

/// The charge for a known amount of CPU time.
#[derive(Clone, Debug, Serialize)]
pub struct TrickTrial {
    /// How it was burned.
    pub name: String,
    /// The burned amount.
    #[serde(rename = "burned_cpu_us")]
    pub burned: CpuTime,
    /// The charge, without the cost of starting the programs.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// The time that the meter has seen beyond it, but does not charge.
    #[serde(rename = "in_doubt_cpu_us")]
    pub in_doubt: CpuTime,
    /// How many processes burned it, one after the other.
    pub processes: u64,
}

impl MeterTrial {
    /// Whether a program without tricks is measured correctly.
    pub fn honest_is_exact(&self) -> bool {
        self.tricks.first().is_some_and(TrickTrial::is_exact)
    }

    /// Whether no trick helps.
    pub fn all_exact(&self) -> bool {
        self.tricks.iter().all(TrickTrial::is_exact)
    }
}

impl TrickTrial {
    /// Whether the charge equals the burned amount, within 2 % or 5 ms for each process.
    pub fn is_exact(&self) -> bool {
        let error = self.charged.micros().abs_diff(self.burned.micros());
        let tolerated = EXACT_TIME.saturating_mul(self.processes).micros();
        error <= tolerated.max(self.burned.micros() / EXACT_SHARE)
    }
}

/// Tries every trick against the meter in force.
///
/// # Errors
///
/// [`SeatError`] if the probe cannot be run at all.
pub fn try_meter(options: &SeatOptions) -> Result<MeterTrial, SeatError> {
    let meter = Seat::open(&TRICKS[0].program(CpuTime::ZERO, Protocol::Files)?, options)?.meter();
    let tricks =
        [Protocol::Files, Protocol::Stdio].into_iter().flat_map(|protocol| TRICKS.map(|trick| (trick, protocol)));
    let tricks = tricks.map(|(trick, protocol)| {
        let options = SeatOptions { protocol, ..options.clone() };
        // Starting programs costs time, too, and more from a parent that has to wait for it.
        let started = measure(&trick.program(CpuTime::ZERO, protocol)?, &options, |_| false)?;
        let trial = |reading: MeterReading| TrickTrial {
            name: match protocol {
                Protocol::Files => trick.name.to_owned(),
                Protocol::Stdio => format!("stays alive and {}", trick.name),
            },
            burned: BURNED,
            charged: reading.charged.saturating_sub(started.charged),
            in_doubt: reading.in_doubt.saturating_sub(started.in_doubt),
            processes: trick.processes,
        };
        let is_clear = |reading: MeterReading| reading.in_doubt == CpuTime::ZERO && trial(reading).is_exact();
        Ok(trial(measure(&trick.program(BURNED, protocol)?, &options, is_clear)?))
    });
    Ok(MeterTrial { meter, tricks: tricks.collect::<Result<_, SeatError>>()? })
}

/// A way to burn CPU time.
#[derive(Clone, Copy)]
struct EvasionTrick {
    name: &'static str,
    /// What the probe does.
    verb: &'static str,
    /// How many processes burn, one after the other.
    processes: u64,
}

const TRICKS: [EvasionTrick; 6] = [
    EvasionTrick::new(HONEST, "burn"),
    EvasionTrick::new("computes in two threads", "threads"),
    EvasionTrick::new("lets a child compute and waits for it", "child"),
    EvasionTrick::new("lets a child compute and never waits for it", "unwaited"),
    EvasionTrick::new("lets a grandchild compute after its parent exited", "orphan"),
    EvasionTrick {
        // Several, because one is alive long enough to be sampled.
        processes: 5,
        ..EvasionTrick::new("lets five children compute and ignores SIGCHLD", "forgotten")
    },
];

impl EvasionTrick {
    const fn new(name: &'static str, verb: &'static str) -> Self {
        Self { name, verb, processes: 1 }
    }

    /// The program that burns so much in all, in each run or turn.
    fn program(&self, burned: CpuTime, protocol: Protocol) -> Result<Program, SeatError> {
        let millis = (burned.micros() / 1_000 / self.processes).to_string();
        let processes = self.processes.to_string();
        match protocol {
            Protocol::Files => probe(&[self.verb, &millis, &processes]),
            Protocol::Stdio => probe(&["live", self.verb, &millis, &processes]),
        }
    }
}

/// What the meter tells of one run.
#[derive(Clone, Copy)]
struct MeterReading {
    charged: CpuTime,
    in_doubt: CpuTime,
}

/// The first run or turn of `program` that `is_clear`, or else the middle one of three by all that the meter saw: noise
/// of the machine adds to some, and what is hidden from the meter is hidden in each.
fn measure(
    program: &Program,
    options: &SeatOptions,
    is_clear: impl Fn(MeterReading) -> bool,
) -> Result<MeterReading, SeatError> {
    let mut seat = Seat::open(program, options)?;
    let mut readings = [MeterReading { charged: CpuTime::ZERO, in_doubt: CpuTime::ZERO }; 3];
    for reading in &mut readings {
        let run = run(&mut seat)?;
        if !matches!(run.ended, Termination::Answered | Termination::Exited { status: 0 }) {
            return Err(SeatError::Failed(format!("a test of the meter did not run: {:?}", run.ended)));
        }
        *reading = MeterReading { charged: run.usage.charged(Charge::Cpu), in_doubt: run.in_doubt };
        if is_clear(*reading) {
            return Ok(*reading);
        }
    }
    readings.sort_unstable_by_key(|reading| reading.charged + reading.in_doubt);
    Ok(readings[1])
}

/// One run with enough time for any probe.
pub(super) fn run(seat: &mut Seat) -> Result<Run, SeatError> {
    seat.run(&RunRequest {
        task: Task::Move { input: "go\n".to_owned() },
        kill_after: CpuTime::from_secs(10),
        wall_limit: WallTime::from_secs(20),
    })
}

/// This executable as a probe.
pub(super) fn probe(words: &[&str]) -> Result<Program, SeatError> {
    let executable = std::env::current_exe().map_err(|error| SeatError::Failed(error.to_string()))?;
    let mut command = vec![executable.into_os_string(), PROBE_COMMAND.into()];
    command.extend(words.iter().map(Into::into));
    Ok(Program { command, ..Program::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starting a process, waiting for it and ending it are part of the charge of each.
    #[test]
    fn the_tolerated_error_is_two_per_cent_or_five_milliseconds_for_each_process() {
        for (burned, charged, processes, is_exact) in [
            (100, 105, 1, true),
            (100, 106, 1, false),
            (100, 94, 1, false),
            (100, 110, 5, true),
            (100, 125, 5, true),
            (100, 126, 5, false),
            (100, 74, 5, false),
            (1000, 1020, 1, true),
            (1000, 1021, 1, false),
            (1000, 1025, 5, true),
            (1000, 1026, 5, false),
        ] {
            let trial = TrickTrial {
                name: String::new(),
                burned: CpuTime::from_millis(burned),
                charged: CpuTime::from_millis(charged),
                // What is only in doubt was not charged.
                in_doubt: CpuTime::from_millis(burned),
                processes,
            };
            assert_eq!(trial.is_exact(), is_exact, "{charged} of {burned} ms, {processes} processes");
        }
    }
}
