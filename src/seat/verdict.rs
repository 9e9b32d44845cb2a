//! How a run ended, in one word, of all that is known of its end.

use nix::sys::signal::Signal;

use super::report::{Ended, Exceeded};
use super::system::Status;
use super::watch::Outcome;

/// A program that was about to be killed and ended by itself ended by itself.
pub(super) fn verdict(outcome: Outcome, status: Status, over: bool, passed: Option<Exceeded>) -> Ended {
    let signal = match (status, passed) {
        (Status::Exited(status), None) => return Ended::Exited { status },
        (Status::Exited(_), Some(limit)) => return Ended::Exceeded { limit },
        (Status::Signalled(signal), _) => signal,
    };
    let killed = signal == Signal::SIGKILL as i32;
    match outcome {
        Outcome::OutOfCpu if killed => Ended::OutOfCpu,
        Outcome::Guarded if killed => Ended::Guarded,
        Outcome::Exceeded(limit) if killed => Ended::Exceeded { limit },
        // The kernel's own limit came first.
        _ if over && (killed || signal == Signal::SIGXCPU as i32) => Ended::OutOfCpu,
        _ => passed.map_or_else(|| signalled(signal), |limit| Ended::Exceeded { limit }),
    }
}

fn signalled(signal: i32) -> Ended {
    Ended::Signalled {
        signal,
        name: name_of(signal),
    }
}

fn name_of(signal: i32) -> String {
    Signal::try_from(signal).map_or_else(|_| format!("signal {signal}"), |signal| signal.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KILL: i32 = Signal::SIGKILL as i32;
    const SEGV: i32 = Signal::SIGSEGV as i32;
    const XCPU: i32 = Signal::SIGXCPU as i32;

    #[test]
    fn a_verdict_names_what_came_first() {
        use Outcome::{Ended as Over, Exceeded as Limit, Guarded, OutOfCpu};
        use Status::{Exited, Signalled};
        let exited = |status| Ended::Exited { status };
        let signalled = |signal, name: &str| Ended::Signalled {
            signal,
            name: name.to_owned(),
        };
        let memory = |used_bytes| Exceeded::Memory {
            used_bytes,
            limit_bytes: 5,
        };
        let exceeded = |used| Ended::Exceeded { limit: memory(used) };
        let cases = [
            (Over, Exited(3), false, None, exited(3)),
            (Over, Exited(0), true, None, exited(0)),
            (OutOfCpu, Exited(0), true, None, exited(0)),
            (OutOfCpu, Signalled(KILL), true, None, Ended::OutOfCpu),
            (OutOfCpu, Signalled(SEGV), true, None, signalled(SEGV, "SIGSEGV")),
            (Guarded, Signalled(KILL), false, None, Ended::Guarded),
            (Over, Signalled(KILL), false, None, signalled(KILL, "SIGKILL")),
            (Over, Signalled(KILL), true, None, Ended::OutOfCpu),
            (Over, Signalled(XCPU), true, None, Ended::OutOfCpu),
            (Over, Signalled(40), false, None, signalled(40, "signal 40")),
            // A limit: found in the middle, found after its death by its own hand, found after its end.
            (Limit(memory(7)), Signalled(KILL), false, Some(memory(9)), exceeded(7)),
            (Limit(memory(7)), Exited(0), false, None, exited(0)),
            (Limit(memory(7)), Exited(0), false, Some(memory(9)), exceeded(9)),
            (Over, Signalled(SEGV), false, Some(memory(9)), exceeded(9)),
            (Over, Exited(0), false, Some(memory(9)), exceeded(9)),
            (OutOfCpu, Signalled(KILL), true, Some(memory(9)), Ended::OutOfCpu),
        ];
        for (outcome, status, over, passed, expected) in cases {
            assert_eq!(
                verdict(outcome, status, over, passed),
                expected,
                "{outcome:?} {status:?} {over} {passed:?}"
            );
        }
    }
}
