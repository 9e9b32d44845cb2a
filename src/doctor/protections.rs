//! Tests what an agent must not be able to do, each by a probe in a seat. `cli/doctor` calls it.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use super::meters::{probe, run};
use super::{CheckOutcome, DoctorCheck};
use referee_seat::{Exceeded, Limits, Protocol, Run, Scratch, ScratchDir, Seat, SeatError, SeatOptions, Termination};
use referee_time::CpuTime;

/// A system file that everybody can read at every level.
const SHARED_FILE: &str = "/bin/sh";

/// The memory limit of the test, in MiB: enough for the probe itself, and little for any machine.
const LITTLE_MEMORY_MIB: u64 = 64;

/// The limit of processes and threads of the test: few for any machine.
const FEW_PROCESSES: u32 = 20;

/// Runs all tests.
///
/// # Errors
///
/// [`SeatError`] if the probe cannot be run at all, or a test cannot be prepared.
pub fn try_protections(options: &SeatOptions) -> Result<Vec<DoctorCheck>, SeatError> {
    let prepared = |error: std::io::Error| SeatError::Failed(format!("cannot prepare a trial: {error}"));
    let folder = ScratchDir::new(Scratch::Other).map_err(prepared)?;
    let secret = folder.path().join("homework.py");
    fs::write(&secret, "another submission").map_err(prepared)?;
    let (secret, foreign) = (path(&secret), path(&folder.path().join("written")));
    let listener = TcpListener::bind("127.0.0.1:0").map_err(prepared)?;
    let address = listener.local_addr().map_err(prepared)?.to_string();
    let referee = std::process::id().to_string();
    let home = std::env::var("HOME").ok().filter(|home| is_private(Path::new(home)));
    let home = home.unwrap_or_else(|| "/root".to_owned());

    let mut checks = Vec::new();
    for (name, words) in [
        ("other files in temporary directories cannot be read", ["read", secret.as_str()]),
        ("the home directory cannot be listed", ["read-folder", home.as_str()]),
        ("nothing can be written outside the working directory", ["write", foreign.as_str()]),
        ("the network cannot be reached", ["connect", address.as_str()]),
        ("the referee cannot be sent a signal", ["signal", referee.as_str()]),
        ("shared files cannot be locked", ["lock", SHARED_FILE]),
        ("the page cache cannot be dropped", ["evict", SHARED_FILE]),
    ] {
        checks.push(refusal(name, &words, options)?);
    }
    checks.push(refusal("no control group can be created", &["make-group"], options)?);
    checks.push(memory(options)?);
    checks.push(test_process_limit(options)?);
    checks.push(survivor(options)?);
    checks.push(stopped(options)?);
    for place in ["/tmp", "/dev/shm", "/var/tmp"] {
        checks.push(persistence(place, options)?);
    }
    Ok(checks)
}

/// Whether a program must not list this home directory. That of a service may be `/` or `/usr/sbin`, which it must.
fn is_private(home: &Path) -> bool {
    home.canonicalize().is_ok_and(|home| home.parent().is_some() && !home.starts_with("/usr"))
}

fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Tests that an action is refused.
fn refusal(name: &str, words: &[&str], options: &SeatOptions) -> Result<DoctorCheck, SeatError> {
    let mut seat = Seat::open(&probe(words)?, options)?;
    let answer = answer(&run(&mut seat)?);
    Ok(protection(name, answer.starts_with("refused"), answer))
}

/// Tests that exceeding the memory limit ends the run; reports how memory is counted.
fn memory(options: &SeatOptions) -> Result<DoctorCheck, SeatError> {
    let limits = Limits { memory_bytes: LITTLE_MEMORY_MIB << 20, ..options.limits };
    let words = ["memory", &(2 * LITTLE_MEMORY_MIB).to_string()];
    let (seat, ended) = limited(&words, limits, options)?;
    let was_ended = matches!(ended, Some(Exceeded::Memory { .. }));
    let detail = match seat.memory_limited_by_kernel() {
        Ok(()) => "counted by the kernel in a control group, including kernel memory of the agent".to_owned(),
        Err(why) => {
            format!("sampled from outside, without kernel memory for mappings and watched descriptors: {why}")
        }
    };
    Ok(protection("a run that exceeds the memory limit is killed", was_ended, detail))
}

/// Tests that exceeding the limit of processes and threads ends the run; reports how they are counted.
fn test_process_limit(options: &SeatOptions) -> Result<DoctorCheck, SeatError> {
    let limits = Limits { processes: FEW_PROCESSES, ..options.limits };
    let words = ["crowd", &(2 * FEW_PROCESSES).to_string()];
    let (seat, ended) = limited(&words, limits, options)?;
    let was_ended = matches!(ended, Some(Exceeded::Processes { .. }));
    let detail = match seat.processes_limited_by_kernel() {
        Ok(()) => "limited by the kernel, too, in a control group or in namespaces".to_owned(),
        Err(why) => format!("counted from outside every few milliseconds, not limited by the kernel: {why}"),
    };
    Ok(protection("a run that exceeds the process limit is killed", was_ended, detail))
}

/// Runs a probe within `limits`; returns the limit that ended it.
fn limited(words: &[&str], limits: Limits, options: &SeatOptions) -> Result<(Seat, Option<Exceeded>), SeatError> {
    let options = SeatOptions { limits, ..options.clone() };
    let mut seat = Seat::open(&probe(words)?, &options)?;
    let ended = match run(&mut seat)?.ended {
        Termination::Exceeded { limit } => Some(limit),
        Termination::Answered
        | Termination::Exited { .. }
        | Termination::Signalled { .. }
        | Termination::OutOfCpu
        | Termination::Guarded
        | Termination::NotStarted { .. } => None,
    };
    Ok((seat, ended))
}

fn protection(name: &str, holds: bool, detail: String) -> DoctorCheck {
    let finding = if holds { CheckOutcome::Good } else { CheckOutcome::Bad };
    DoctorCheck { name: name.to_owned(), finding, detail }
}

/// Tests that a process that outlives its answer is killed.
fn survivor(options: &SeatOptions) -> Result<DoctorCheck, SeatError> {
    let mut seat = Seat::open(&probe(&["survivor", "10"])?, options)?;
    let survivors = run(&mut seat)?.survivors;
    let detail = format!("{survivors} started by the probe, found and killed");
    Ok(protection("no process survives the turn", survivors > 0, detail))
}

/// Tests that a program that stays alive does not compute between its turns.
fn stopped(options: &SeatOptions) -> Result<DoctorCheck, SeatError> {
    let options = SeatOptions { protocol: Protocol::Stdio, ..options.clone() };
    let mut seat = Seat::open(&probe(&["live-on"])?, &options)?;
    let (first, second) = (run(&mut seat)?, run(&mut seat)?);
    let between = second.between_turns;
    let has_answered = [&first, &second].iter().all(|run| run.ended == Termination::Answered);
    let holds = has_answered && between == CpuTime::ZERO;
    let how = match seat.frozen_by_kernel() {
        Ok(()) => "stopped by the freezer of a control group".to_owned(),
        Err(why) => format!("stopped by signals, one process after the other: {why}"),
    };
    let detail = format!("{how}; the probe used {between} s of CPU time between two turns");
    Ok(protection("a program that stays alive is stopped between its turns", holds, detail))
}

/// Tests that a file written at `place` in one turn is gone in the next.
fn persistence(place: &str, options: &SeatOptions) -> Result<DoctorCheck, SeatError> {
    let name = format!("no file survives in {place}");
    let left = format!("{place}/referee-probe-{}", std::process::id());
    let wrote = answer(&run(&mut Seat::open(&probe(&["write", &left])?, options)?)?);
    let found = answer(&run(&mut Seat::open(&probe(&["exists", &left])?, options)?)?);
    // If it was written where everybody can see it, remove it.
    drop(fs::remove_file(&left));
    let detail = format!("written: {wrote}; found again: {found}");
    Ok(protection(&name, found.starts_with("refused"), detail))
}

fn answer(run: &Run) -> String {
    let refused = || format!("refused: the probe ended with {:?}", run.ended);
    run.output.content().map_or_else(refused, |bytes| String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_that_every_program_sees_is_not_private() {
        let own = tempfile::tempdir().unwrap();
        let homes = [own.path(), Path::new("/"), Path::new("/usr/sbin"), Path::new("/nonexistent")];
        assert_eq!(homes.map(is_private), [true, false, false, false]);
    }
}
