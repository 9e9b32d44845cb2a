//! Runs the `calibrate` programs of a run's agents, several at a time, before the first game. It plays no game;
//! matches, competitions and gradings call it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::error::RunFailure;
use super::progress::{OnProgress, Progress, StepKind};
use referee_matches::tournament::Runner;
use referee_messages::plain;
use referee_seat::SeatError;
use referee_submissions::agents::Participant;

/// What is odd about `calibrate` programs, by agent: each is the end of a sentence about the program.
pub(super) type CalibrationOddities = BTreeMap<String, String>;

/// Calibrates the agents of `runner` that are `chosen` by name, `jobs` at a time: as many as play concurrently later,
/// so that the load is the same.
///
/// # Errors
///
/// [`RunFailure::Machine`] if the runner's self-test shows that nothing can be run on this machine.
pub(super) fn calibrate(
    runner: &mut Runner,
    chosen: impl Fn(&str) -> bool,
    jobs: usize,
    on_progress: &OnProgress,
) -> Result<CalibrationOddities, RunFailure> {
    let (seats, self_test) = (&runner.seats, &runner.self_test);
    let participants = runner.participants.values_mut();
    let waiting: Vec<&mut Participant> =
        participants.filter(|one| one.agent().calibrate.is_some() && chosen(one.name())).collect();
    let all = waiting.len();
    if all == 0 {
        return Ok(CalibrationOddities::new());
    }
    on_progress(Progress::StepsBegan(StepKind::Calibrating, all));
    let waiting = Mutex::new(waiting.into_iter());
    let done = Mutex::new(Ok(CalibrationOddities::new()));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(participant) = next() {
            let calibration = self_test.calibrate(participant, seats);
            add(&mut done.lock().unwrap_or_else(PoisonError::into_inner), participant.name(), calibration);
            on_progress(Progress::StepDone);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, all) {
            scope.spawn(work);
        }
    });
    on_progress(Progress::StepsEnded);
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn add(done: &mut Result<CalibrationOddities, RunFailure>, name: &str, calibrated: Result<Option<String>, SeatError>) {
    let Ok(oddities) = done else { return };
    match calibrated {
        Ok(oddity) => oddities.extend(oddity.map(|oddity| (name.to_owned(), oddity))),
        Err(error) => *done = Err(cannot_calibrate(name, &error)),
    }
}

/// The failure of a machine that cannot calibrate the agent `name`.
pub(super) fn cannot_calibrate(name: &str, error: &SeatError) -> RunFailure {
    RunFailure::machine(format!("{}: calibrate: {error}", plain(name)))
}

/// Tells of the agents that play although their `calibrate` programs failed.
pub(super) fn report_oddities(oddities: &CalibrationOddities, on_progress: &OnProgress) {
    for (agent, oddity) in oddities {
        on_progress(Progress::Uncalibrated { agent, oddity });
    }
}
