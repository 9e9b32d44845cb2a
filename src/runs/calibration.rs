//! Runs the `calibrate` programs of a run's agents, several at a time, before the first game. It plays no game;
//! matches, competitions and gradings call it.

use std::collections::BTreeMap;

use rayon::prelude::*;

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
    if waiting.is_empty() {
        return Ok(CalibrationOddities::new());
    }
    on_progress(Progress::StepsBegan(StepKind::Calibrating, waiting.len()));
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.clamp(1, waiting.len())).build();
    let threads = threads.map_err(|error| RunFailure::machine(format!("cannot start threads: {error}")))?;
    let calibrated = |participant: &mut Participant| {
        let calibrated = self_test.calibrate(participant, seats);
        on_progress(Progress::StepDone);
        let name = participant.name();
        calibrated.map(|oddity| Some((name.to_owned(), oddity?))).map_err(|error| cannot_calibrate(name, &error))
    };
    // With a chunk of one, each thread takes the next agent when it is ready.
    let all = || waiting.into_par_iter().with_max_len(1).map(calibrated).collect::<Vec<_>>();
    let oddities = threads.install(all).into_iter().filter_map(Result::transpose).collect();
    on_progress(Progress::StepsEnded);
    oddities
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
