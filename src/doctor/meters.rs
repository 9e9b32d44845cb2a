//! Tests the accuracy of the meter: burns a known amount of CPU time in every way in which an agent could hide it.
//! `cli/doctor` calls it; `probe` burns.

use std::path::Path;

use serde::Serialize;

use super::probe::PROBE_COMMAND;
use crate::seat::{Charge, Meter, Program, Run, RunRequest, Seat, SeatError, SeatOptions, Task, Termination};
use crate::time::{CpuTime, WallTime};

/// The burned amount: long compared with rounding, short to wait for.
const BURNED: CpuTime = CpuTime::from_millis(100);

/// The name of the trial without a trick.
const HONEST: &str = "computes in one process";

/// The tolerated error: 2 per cent, ...
const EXACT_SHARE: u64 = 50;

/// ... or this.
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
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TrickTrial {
    /// How it was burned.
    pub name: &'static str,
    /// The burned amount.
    #[serde(rename = "burned_cpu_us")]
    pub burned: CpuTime,
    /// The charge, without the cost of starting the program.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
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
    /// Whether the charge equals the burned amount, within 2 % or 5 ms.
    pub fn is_exact(&self) -> bool {
        let error = self.charged.micros().abs_diff(self.burned.micros());
        error <= EXACT_TIME.micros().max(self.burned.micros() / EXACT_SHARE)
    }
}

/// Tries every trick against the meter in force.
///
/// # Errors
///
/// [`SeatError`] if the probe cannot be run at all.
pub fn try_meter(options: &SeatOptions) -> Result<MeterTrial, SeatError> {
    let millis = (BURNED.micros() / 1_000).to_string();
    let fifth = (BURNED.micros() / 5_000).to_string();
    let start = charged(&probe(&["nothing"])?, options)?.1;
    let tricks = [
        Trick {
            name: HONEST,
            program: probe(&["burn", &millis])?,
            starts: 1,
        },
        Trick {
            name: "computes in two threads",
            program: probe(&["threads", &millis])?,
            starts: 1,
        },
        Trick {
            name: "lets a child compute and waits for it",
            program: probe(&["child", &millis])?,
            starts: 2,
        },
        Trick {
            name: "lets a child compute and never waits for it",
            program: probe(&["unwaited", &millis, "1"])?,
            starts: 2,
        },
        Trick {
            name: "lets a grandchild compute after its parent exited",
            program: probe(&["orphan", &millis])?,
            starts: 3,
        },
        Trick {
            // Several, because one is alive long enough to be sampled.
            name: "lets five children compute and ignores SIGCHLD",
            program: ignoring_children(&["unwaited", &fifth, "5"])?,
            starts: 7,
        },
    ];
    let (meter, _) = charged(&tricks[0].program, options)?;
    let tricks = tricks.into_iter().map(|Trick { name, program, starts }| {
        let charged = charged(&program, options)?
            .1
            .saturating_sub(start.saturating_mul(starts));
        Ok(TrickTrial {
            name,
            burned: BURNED,
            charged,
        })
    });
    Ok(MeterTrial {
        meter,
        tricks: tricks.collect::<Result<_, SeatError>>()?,
    })
}

/// A way to burn CPU time.
struct Trick {
    name: &'static str,
    program: Program,
    /// The number of programs it starts. Each start costs time that is not part of the burned amount.
    starts: u64,
}

/// The meter, and its charge for one run of `program`: the median of three, since machines are noisy.
fn charged(program: &Program, options: &SeatOptions) -> Result<(Meter, CpuTime), SeatError> {
    let mut seat = Seat::open(program, options)?;
    let mut charges = Vec::new();
    for _ in 0..3 {
        let run = run(&mut seat)?;
        if run.ended != (Termination::Exited { status: 0 }) {
            return Err(SeatError::Failed(format!(
                "a test of the meter did not run: {:?}",
                run.ended
            )));
        }
        charges.push(run.usage.charged(Charge::Cpu));
    }
    charges.sort();
    Ok((seat.meter(), charges[1]))
}

/// One run with enough time for any probe.
pub(super) fn run(seat: &mut Seat) -> Result<Run, SeatError> {
    seat.run(&RunRequest {
        task: Task::Move { input: String::new() },
        kill_after: CpuTime::from_secs(10),
        wall_limit: WallTime::from_secs(20),
    })
}

/// This executable as a probe.
pub(super) fn probe(words: &[&str]) -> Result<Program, SeatError> {
    let executable = std::env::current_exe().map_err(|error| SeatError::Failed(error.to_string()))?;
    let mut command = vec![executable.into_os_string(), PROBE_COMMAND.into()];
    command.extend(words.iter().map(Into::into));
    Ok(Program {
        command,
        ..Program::default()
    })
}

/// The same, started by a shell that makes it ignore SIGCHLD: then the kernel does not account for its children.
fn ignoring_children(words: &[&str]) -> Result<Program, SeatError> {
    let probe = probe(words)?;
    let folder = probe
        .command
        .first()
        .and_then(|executable| Some(Path::new(executable).parent()?.to_owned()));
    let shell = ["/bin/sh", "-c", "trap '' CHLD; exec \"$0\" \"$@\""];
    let command = shell.iter().map(Into::into).chain(probe.command).collect();
    Ok(Program {
        command,
        folder,
        ..Program::default()
    })
}
