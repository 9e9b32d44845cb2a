//! Decides how a run ended, from all the evidence about its end. A pure function, called by the keeper; it judges no
//! game.

use nix::sys::signal::Signal;

use super::report::{Exceeded, Termination};
use super::system::ChildStatus;
use super::watch::WatchEnd;

/// A program that exited just before it would have been killed counts as having exited.
pub(super) fn verdict(outcome: WatchEnd, status: ChildStatus, over: bool, passed: Option<Exceeded>) -> Termination {
    let signal = match (status, passed) {
        (ChildStatus::Exited(status), None) => return Termination::Exited { status },
        (ChildStatus::Exited(_), Some(limit)) => return Termination::Exceeded { limit },
        (ChildStatus::Signalled(signal), _) => signal,
    };
    let killed = signal == Signal::SIGKILL as i32;
    match outcome {
        WatchEnd::OutOfCpu if killed => Termination::OutOfCpu,
        WatchEnd::Guarded if killed => Termination::Guarded,
        WatchEnd::Closed if killed => Termination::Answered,
        WatchEnd::Exceeded(limit) if killed => Termination::Exceeded { limit },
        // The kernel's own limit fired first.
        _ if over && (killed || signal == Signal::SIGXCPU as i32) => Termination::OutOfCpu,
        WatchEnd::Ended
        | WatchEnd::Answered
        | WatchEnd::Closed
        | WatchEnd::Rested
        | WatchEnd::OutOfCpu
        | WatchEnd::Guarded
        | WatchEnd::Starved
        | WatchEnd::Exceeded(_)
        | WatchEnd::Abandoned => passed.map_or_else(|| signalled(signal), |limit| Termination::Exceeded { limit }),
    }
}

fn signalled(signal: i32) -> Termination {
    Termination::Signalled { signal, name: name_of(signal) }
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
        use ChildStatus::{Exited, Signalled};
        use WatchEnd::{Closed, Ended as Over, Exceeded as Limit, Guarded, OutOfCpu};
        let exited = |status| Termination::Exited { status };
        let signalled = |signal, name: &str| Termination::Signalled { signal, name: name.to_owned() };
        let memory = |used_bytes| Exceeded::Memory { used_bytes, limit_bytes: 5 };
        let exceeded = |used| Termination::Exceeded { limit: memory(used) };
        let cases = [
            (Over, Exited(3), false, None, exited(3)),
            (Over, Exited(0), true, None, exited(0)),
            (OutOfCpu, Exited(0), true, None, exited(0)),
            (OutOfCpu, Signalled(KILL), true, None, Termination::OutOfCpu),
            (OutOfCpu, Signalled(SEGV), true, None, signalled(SEGV, "SIGSEGV")),
            (Guarded, Signalled(KILL), false, None, Termination::Guarded),
            (Closed, Signalled(KILL), false, None, Termination::Answered),
            (Closed, Exited(1), false, None, exited(1)),
            (Over, Signalled(KILL), false, None, signalled(KILL, "SIGKILL")),
            (Over, Signalled(KILL), true, None, Termination::OutOfCpu),
            (Over, Signalled(XCPU), true, None, Termination::OutOfCpu),
            (Over, Signalled(40), false, None, signalled(40, "signal 40")),
            // A limit: found during the run, found after a suicide, found after the exit.
            (Limit(memory(7)), Signalled(KILL), false, Some(memory(9)), exceeded(7)),
            (Limit(memory(7)), Exited(0), false, None, exited(0)),
            (Limit(memory(7)), Exited(0), false, Some(memory(9)), exceeded(9)),
            (Over, Signalled(SEGV), false, Some(memory(9)), exceeded(9)),
            (Over, Exited(0), false, Some(memory(9)), exceeded(9)),
            (OutOfCpu, Signalled(KILL), true, Some(memory(9)), Termination::OutOfCpu),
        ];
        for (outcome, status, over, passed, expected) in cases {
            assert_eq!(verdict(outcome, status, over, passed), expected, "{outcome:?} {status:?} {over} {passed:?}");
        }
    }
}
