//! Runs the `calibrate` programs of a class, several at a time. It stores nothing; grading and competitions call it
//! before the first game.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::agents::{Calibration, Participant};
use crate::seat::{SeatError, SeatOptions};
use crate::tournament::SelfTest;

/// Calibrates `participants`, `jobs` at a time: as many as play concurrently later, so that the load is the same. Calls
/// `on_event` after each, from several threads. Returns remarks by participant, each the end of a sentence about the
/// program.
///
/// # Errors
///
/// The first participant whose program could not be run, if `self_test` shows that nothing can be run on this machine.
pub fn calibrate(
    participants: Vec<&mut Participant>,
    (seats, self_test): (&SeatOptions, &SelfTest),
    jobs: usize,
    on_event: impl Fn() + Sync,
) -> Result<BTreeMap<String, String>, (String, SeatError)> {
    let jobs = jobs.clamp(1, participants.len().max(1));
    let waiting = Mutex::new(participants.into_iter());
    let done = Mutex::new(Ok(BTreeMap::new()));
    let work = || {
        while let Some(participant) = next(&waiting) {
            let calibration = self_test.calibrate(participant, seats);
            note(&done, participant.name(), calibration);
            on_event();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
    done.into_inner().expect("nobody panics with the lock held")
}

fn next<'a>(waiting: &Mutex<impl Iterator<Item = &'a mut Participant>>) -> Option<&'a mut Participant> {
    waiting.lock().expect("nobody panics with the lock held").next()
}

type Calibrated = Result<BTreeMap<String, String>, (String, SeatError)>;

fn note(done: &Mutex<Calibrated>, name: &str, calibration: Result<Calibration, SeatError>) {
    let mut done = done.lock().expect("nobody panics with the lock held");
    let Ok(odd) = done.as_mut() else { return };
    match calibration {
        Ok(Calibration::None | Calibration::Done) => {}
        Ok(Calibration::Odd(oddity)) => drop(odd.insert(name.to_owned(), oddity)),
        Err(error) => *done = Err((name.to_owned(), error)),
    }
}
