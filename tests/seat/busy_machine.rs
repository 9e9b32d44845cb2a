//! A machine that gives a program a small share of a processor: never the program's loss.

use referee_seat::{OutputFile, Termination};
use referee_time::{CpuTime, WallTime};

use crate::busy::BusyProcessors;
use crate::fixture_seat::{ANSWER, FixtureSeat, charged, content, exited};
use crate::levels::levels;

const LOOPS: usize = 8;

/// Far less than 50 ms of CPU time take beside the others.
const GUARD: WallTime = WallTime::from_millis(250);

#[test]
#[ignore = "long: beside busy loops"]
fn a_program_that_computes_is_not_guarded_for_the_time_that_others_have_the_processor() {
    let _busy = BusyProcessors::new(1, LOOPS);
    for level in levels() {
        for verb in [["spin", "0.05"].as_slice(), &["fork", "0.05"], &["threads", "3", "0.05"]] {
            let Some(mut fixture_seat) = FixtureSeat::at(*level, verb) else {
                return;
            };
            let run = fixture_seat.run_within(CpuTime::from_secs(60), GUARD);
            assert_eq!((&run.ended, content(&run)), (&exited(0), ANSWER), "{level}, {verb:?}: {run:?}");
            // How long is known only in part: a thread's last wait ends with the thread.
            assert!(run.delayed > WallTime::ZERO, "{level}, {verb:?}: {run:?}");
            fixture_seat.end();
        }
    }
}

#[test]
#[ignore = "long: beside busy loops"]
fn an_endless_loop_is_out_of_time_and_a_sleeper_never_returns_beside_others_too() {
    let _busy = BusyProcessors::new(1, LOOPS);
    for (verb, expected) in [("spin", Termination::OutOfCpu), ("sleep", Termination::Guarded)] {
        let Some(mut fixture_seat) = FixtureSeat::new(&[verb]) else {
            return;
        };
        let run = fixture_seat.run_within(CpuTime::from_millis(100), GUARD);
        assert_eq!(run.ended, expected, "{verb}: {run:?}");
        assert!(verb == "spin" || charged(&run) < 0.1, "{run:?}");
        fixture_seat.end();
    }
}

/// Threads that fight each other for a processor, on a machine without other programs on it.
#[test]
#[ignore = "long: beside busy loops"]
fn a_program_that_delays_itself_is_ended_by_its_cpu_time() {
    let _alone = BusyProcessors::new(1, 0);
    let Some(mut fixture_seat) = FixtureSeat::new(&["threads", "16", "1000"]) else {
        return;
    };
    let run = fixture_seat.run_within(CpuTime::from_secs(1), GUARD);
    assert_eq!(run.ended, Termination::OutOfCpu, "{run:?}");
    assert!(!matches!(run.output, OutputFile::Content { .. }), "{run:?}");
    fixture_seat.end();
}
