//! Detects games and answers that an external signal may have ended. `attempts` asks before it keeps a loss or counts a
//! void.
//!
//! When a batch system or service manager cancels a task, it sends SIGTERM and later SIGKILL to all its processes,
//! including agents. An agent killed this way has left no `output.txt`, which looks like its own fault. So a loss
//! through such a signal is only believed after a moment in which this process would have received the signal too: then
//! it stops (SIGTERM) or is gone (SIGKILL), and another process plays the game again.
//!
//! An agent that sends itself such a signal still loses, only a moment later. In the same way a void is only counted
//! after such a moment, if a process of ours may have been killed: a keeper, or a rules program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::referee::Void;
use referee_records::{AnswerRecord, GameRecord, TurnRecord, Verdict};
use referee_seat::Termination;

/// Far longer than a batch system takes from a task's first process to its last.
const SIGNAL_WAIT: Duration = Duration::from_secs(2);

/// The signals that batch systems send.
const BATCH_SIGNALS: [Signal; 7] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGKILL,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGTERM,
];

/// The interval of checking for the signal.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Whether an external signal ended the run that lost the game: it may have, and `stopping` is set within a moment, for
/// which this waits.
pub(super) fn was_ended_externally(record: &GameRecord, stopping: &AtomicBool) -> bool {
    is_suspect(record) && is_set_within(SIGNAL_WAIT, stopping)
}

/// The same for an unanswered question.
pub(super) fn was_answer_ended_externally(record: &AnswerRecord, stopping: &AtomicBool) -> bool {
    !record.verdict.is_right() && may_be_sent(&record.run.ended) && is_set_within(SIGNAL_WAIT, stopping)
}

/// The same for a void. While a run is stopping, every void may come from that.
pub(super) fn was_void_ended_externally(void: &Void, stopping: &AtomicBool) -> bool {
    let wait = if void.cause.may_be_sent() { SIGNAL_WAIT } else { Duration::ZERO };
    is_set_within(wait, stopping)
}

fn is_set_within(time: Duration, flag: &AtomicBool) -> bool {
    let begin = Instant::now();
    while !flag.load(Ordering::SeqCst) && begin.elapsed() < time {
        std::thread::sleep(POLL_INTERVAL);
    }
    flag.load(Ordering::SeqCst)
}

/// Whether a signal may have ended the run that lost the game.
fn is_suspect(record: &GameRecord) -> bool {
    let last = (&record.verdict, record.turns.last());
    let (Verdict::Forfeit { .. }, Some(TurnRecord::Run { run, .. })) = last else { return false };
    may_be_sent(&run.ended)
}

/// If a signal kills its program, a shell exits with 128 plus the signal's number, and so does the Java machine.
fn may_be_sent(ended: &Termination) -> bool {
    let is_sent = |number: i32| BATCH_SIGNALS.iter().any(|signal| *signal as i32 == number);
    match ended {
        Termination::Signalled { signal, .. } => is_sent(*signal),
        Termination::Exited { status } => is_sent(i32::from(*status) - 128),
        Termination::Answered
        | Termination::OutOfCpu
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
        let signalled =
            |signal: Signal| Termination::Signalled { signal: signal as i32, name: signal.as_str().to_owned() };
        for signal in BATCH_SIGNALS {
            assert!(may_be_sent(&signalled(signal)), "{signal}");
        }
        for signal in [Signal::SIGSEGV, Signal::SIGABRT, Signal::SIGFPE, Signal::SIGXFSZ] {
            assert!(!may_be_sent(&signalled(signal)), "{signal}");
        }
        for (status, expected) in [(0, false), (1, false), (128, false), (143, true), (137, true), (139, false)] {
            assert_eq!(may_be_sent(&Termination::Exited { status }), expected, "{status}");
        }
        assert!(!may_be_sent(&Termination::OutOfCpu));
    }
}
