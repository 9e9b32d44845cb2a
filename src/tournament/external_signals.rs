//! Games and answers that may have been ended by somebody outside.
//!
//! When a batch system cancels or requeues a task it sends SIGTERM, and later SIGKILL, to every process of it, agents
//! included; so does a service manager. An agent that dies of that has left no `output.txt`, which looks like its own
//! fault and would be a loss. So a game that was lost by a run which such a signal may have ended is believed only
//! after a moment, in which this process would have got the signal, too: of SIGTERM it stops, of SIGKILL it is gone,
//! and the game is played again by somebody else.
//!
//! An agent that sends itself such a signal loses as it should, only a moment later.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::records::{AnswerRecord, GameRecord, TurnRecord, Verdict};
use crate::seat::Termination;

/// Far longer than a batch system needs from the first process of a task to the last.
const MOMENT: Duration = Duration::from_secs(2);

/// What batch systems send.
const SENT: [Signal; 7] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGKILL,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGTERM,
];

/// How often to look whether the signal is here.
const LOOK: Duration = Duration::from_millis(20);

/// Whether the game was lost by a run that a signal from outside has ended: one may have, and `stopping` is set within
/// a moment, which is waited for.
pub(super) fn was_ended_from_outside(record: &GameRecord, stopping: &AtomicBool) -> bool {
    is_suspect(record) && is_set_within(MOMENT, stopping)
}

/// The same of a question that was not answered.
pub(super) fn was_answer_ended_from_outside(record: &AnswerRecord, stopping: &AtomicBool) -> bool {
    !record.verdict.is_right() && may_be_sent(&record.run.ended) && is_set_within(MOMENT, stopping)
}

fn is_set_within(time: Duration, flag: &AtomicBool) -> bool {
    let begin = Instant::now();
    while !flag.load(Ordering::SeqCst) && begin.elapsed() < time {
        std::thread::sleep(LOOK);
    }
    flag.load(Ordering::SeqCst)
}

/// Whether the game was lost by a run that a signal may have ended.
fn is_suspect(record: &GameRecord) -> bool {
    match (&record.verdict, record.turns.last()) {
        (Verdict::Forfeit { .. }, Some(TurnRecord::Run { run, .. })) => may_be_sent(&run.ended),
        (Verdict::Forfeit { .. }, Some(TurnRecord::Pass { .. }) | None)
        | (Verdict::Won { .. } | Verdict::Drawn { .. }, _) => false,
    }
}

/// A shell whose program was killed by a signal ends with 128 and the signal's number, and so does Java's machine.
fn may_be_sent(ended: &Termination) -> bool {
    let is_sent = |number: i32| SENT.iter().any(|signal| *signal as i32 == number);
    match ended {
        Termination::Signalled { signal, .. } => is_sent(*signal),
        Termination::Exited { status } => is_sent(i32::from(*status) - 128),
        Termination::OutOfCpu
        | Termination::Guarded
        | Termination::Exceeded { .. }
        | Termination::NotStarted { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_of_its_own_is_no_signal_from_outside() {
        let signalled = |signal: Signal| Termination::Signalled {
            signal: signal as i32,
            name: signal.as_str().to_owned(),
        };
        for signal in SENT {
            assert!(may_be_sent(&signalled(signal)), "{signal}");
        }
        for signal in [Signal::SIGSEGV, Signal::SIGABRT, Signal::SIGFPE, Signal::SIGXFSZ] {
            assert!(!may_be_sent(&signalled(signal)), "{signal}");
        }
        for (status, expected) in [
            (0, false),
            (1, false),
            (128, false),
            (143, true),
            (137, true),
            (139, false),
        ] {
            assert_eq!(may_be_sent(&Termination::Exited { status }), expected, "{status}");
        }
        assert!(!may_be_sent(&Termination::OutOfCpu));
    }
}
