//! Tests every meter against every trick: compares the charge with the burned CPU time.
//!
//! Nothing depends on the machine's speed or load: the fixture, which is ours, reports by its own clocks how much CPU
//! time it burned. Unavailable meters are skipped with a message.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic, in its helpers too")]

#[path = "../fixtures/compile.rs"]
mod compile;
mod control_groups;
mod living;
mod shared_group;
#[path = "../skips/mod.rs"]
mod skips;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::unistd::geteuid;
use referee_seat::{
    Charge, Discrepancy, Exceeded, Isolation, IsolationRange, Limits, Meter, OutputFile, Program, Run, RunRequest,
    Seat, SeatError, SeatOptions, Task, Termination, meters_available,
};
use referee_time::{CpuTime, WallTime};
use skips::{ISOLATION, METER, skip};

/// What every trick burns.
const BURNED_MILLISECONDS: u32 = 60;

/// What a process uses after its last note, and before its first one after `exec`, for each process that there is.
const START_AND_END: f64 = 0.0015;

/// Whom a trick is hidden from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fools {
    Nobody,
    /// Meters that know only what somebody waits for.
    Rusage,
    /// These, and the task clock: no program of a seat has the privilege to read everything.
    RusageAndPerf,
}

impl Fools {
    fn fools(self, meter: Meter) -> bool {
        match self {
            Self::Nobody => false,
            Self::Rusage => meter == Meter::Rusage,
            Self::RusageAndPerf => meter == Meter::Rusage || meter == Meter::Perf,
        }
    }
}

/// The tricks after which nothing is left alive, and how many processes each makes.
const TRICKS: [(&str, u32, Fools); 24] = [
    ("spin", 1, Fools::Nobody),
    ("threads", 1, Fools::Nobody),
    ("first-thread-gone", 1, Fools::Nobody),
    ("exec-midway", 2, Fools::Nobody),
    ("exec-in-thread", 2, Fools::Nobody),
    ("exec-unreadable", 2, Fools::Nobody),
    ("renamed", 1, Fools::Nobody),
    ("niced", 1, Fools::Nobody),
    ("pinned", 1, Fools::Nobody),
    ("not-dumpable", 1, Fools::Nobody),
    ("counters-off", 2, Fools::Nobody),
    ("fork-and-wait", 2, Fools::Nobody),
    ("double-fork", 3, Fools::Nobody),
    ("unwaited", 2, Fools::Nobody),
    ("outlived", 3, Fools::Nobody),
    ("session", 3, Fools::Nobody),
    ("vforked", 2, Fools::Nobody),
    ("brother", 2, Fools::Nobody),
    ("silent-child", 2, Fools::Nobody),
    ("stopped", 2, Fools::Nobody),
    ("ignored", 2, Fools::Rusage),
    ("not-wanted", 2, Fools::Rusage),
    ("ignored-one-by-one", 16, Fools::Rusage),
    ("ignored-and-unreadable", 13, Fools::RusageAndPerf),
];

fn tricks() -> Option<&'static Path> {
    static TRICKS: OnceLock<Option<PathBuf>> = OnceLock::new();
    TRICKS.get_or_init(|| compile::compiled(&["tricks.c"])).as_deref()
}

fn options(meter: Option<Meter>) -> SeatOptions {
    SeatOptions {
        meter,
        keeper: Some(env!("CARGO_BIN_EXE_referee").into()),
        // Here a program can play every trick there is.
        isolation: IsolationRange::exactly(Isolation::Bare),
        ..SeatOptions::default()
    }
}

/// The meters that can be had here; of the others it is said why not.
fn meters() -> Vec<Meter> {
    let mut found = Vec::new();
    for (meter, outcome) in meters_available(&options(None)) {
        match outcome {
            Ok(()) => found.push(meter),
            Err(reason) => skip(&METER, format!("`{meter}`: {reason}")),
        }
    }
    found
}

fn seat(trick: &str, milliseconds: u32, options: &SeatOptions) -> Option<Seat> {
    let words = [trick.to_owned(), milliseconds.to_string()].map(OsString::from);
    let command = std::iter::once(tricks()?.as_os_str().to_owned()).chain(words).collect();
    let program = Program { command, ..Program::default() };
    Some(Seat::open(&program, options).expect("the seat opens"))
}

fn run(seat: &mut Seat, kill_after: CpuTime) -> Run {
    let job =
        RunRequest { task: Task::Move { input: String::new() }, kill_after, wall_limit: WallTime::from_secs(120) };
    seat.run(&job).expect("the keeper keeps")
}

fn run_freely(seat: &mut Seat) -> Run {
    run(seat, CpuTime::from_secs(60))
}

/// What the fixture says that it burned, in seconds.
fn burned(run: &Run) -> f64 {
    let OutputFile::Content { bytes } = &run.output else {
        panic!("expected a note of what was burned: {run:?}");
    };
    let nanoseconds = u64::from_ne_bytes(bytes.0.as_slice().try_into().expect("eight bytes"));
    Duration::from_nanos(nanoseconds).as_secs_f64()
}

fn charged(run: &Run) -> f64 {
    run.usage.charged(Charge::Cpu).as_secs_f64()
}

/// For how long a measurement is taken again that something else on the machine may have spoiled. It decides nothing: a
/// machine of any speed is left alone for a moment now and then, and a meter that is wrong is wrong for ever.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Passes when one attempt does. Whatever else the machine does, above all where it is a virtual one, can only add to a
/// measurement, and does so now and then: 25 ms were seen. A meter that is wrong is wrong every time.
fn undisturbed(mut attempt: impl FnMut() -> Result<(), String>) {
    let began = Instant::now();
    let mut attempts = 0_u32;
    while let Err(fault) = attempt() {
        attempts += 1;
        assert!(began.elapsed() < TIMEOUT, "each of {attempts} times anew, at last: {fault}");
    }
}

fn soon(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed() < TIMEOUT, "ten minutes later it is still not so");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn hold(holds: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(fault()) }
}

/// Within 2 % or 5 ms, and what starting and ending so many processes costs.
fn tolerance(burned: f64, processes: u32) -> f64 {
    (burned * 0.02).max(0.005) + START_AND_END * f64::from(processes)
}

fn charges_what_every_trick_burns(meter: Meter) {
    if !meters().contains(&meter) {
        return;
    }
    let bare = options(Some(meter));
    charges_what_tricks_burn(meter, &bare, |_| true);
    let best = SeatOptions { isolation: IsolationRange::default(), ..bare };
    // Where a program is kept apart, it can make no file in memory, and so execute none that it may not read.
    charges_what_tricks_burn(meter, &best, |trick| !trick.contains("unreadable"));
}

fn charges_what_tricks_burn(meter: Meter, options: &SeatOptions, possible: impl Fn(&str) -> bool) {
    for (trick, processes, fools) in TRICKS.into_iter().filter(|(trick, ..)| possible(trick)) {
        let Some(mut seat) = seat(trick, BURNED_MILLISECONDS, options) else {
            return;
        };
        assert_eq!(seat.meter(), meter);
        undisturbed(|| {
            let run = run_freely(&mut seat);
            let (burned, charged) = (burned(&run), charged(&run));
            println!("{meter:10} {trick:24} {burned:.4} s burned, {:+.4} s charged", charged - burned);
            // A program that hides its files is ended when they are counted, every 100 ms: on a busy machine while it
            // burns.
            if !matches!(run.ended, Termination::Exceeded { limit: Exceeded::DirectorySize { .. } }) {
                assert_eq!(run.ended, Termination::Exited { status: 0 }, "{meter}, {trick}: {run:?}");
                assert!(burned >= 0.06, "{trick} did not burn: {burned}");
            }
            // What is hidden and might as well have been stolen by a hypervisor, the task clock does not tell.
            let may_be_in_doubt = meter == Meter::Perf && fools != Fools::Nobody;
            let told = charged >= burned - 0.001 || fools.fools(meter);
            assert!(told || may_be_in_doubt, "{meter}, {trick}: {burned} burned: {run:?}");
            let most = burned + tolerance(burned, processes);
            hold(told && charged <= most, || format!("{meter}, {trick}: {burned} burned: {run:?}"))
        });
    }
}

#[test]
#[ignore = "long: every trick"]
fn perf_charges_what_every_trick_burns() {
    charges_what_every_trick_burns(Meter::Perf);
}

#[test]
#[ignore = "long: every trick"]
fn cgroup_v2_charges_what_every_trick_burns() {
    charges_what_every_trick_burns(Meter::CgroupV2);
}

#[test]
#[ignore = "long: every trick"]
fn cgroup_v1_charges_what_every_trick_burns() {
    charges_what_every_trick_burns(Meter::CgroupV1);
}

#[test]
#[ignore = "long: every trick"]
fn rusage_charges_what_every_trick_burns_but_for_those_that_fool_it() {
    charges_what_every_trick_burns(Meter::Rusage);
}

#[test]
fn what_a_meter_is_said_not_to_see_it_does_not_see() {
    for meter in meters() {
        for (trick, _, fools) in TRICKS {
            // A look may catch a single child at it; of many it catches one.
            if !fools.fools(meter) || ["ignored", "not-wanted"].contains(&trick) {
                continue;
            }
            let Some(mut seat) = seat(trick, BURNED_MILLISECONDS, &options(Some(meter))) else {
                return;
            };
            undisturbed(|| {
                let run = run_freely(&mut seat);
                hold(charged(&run) < burned(&run) * 0.8, || format!("{meter}, {trick}: {run:?}"))
            });
            assert!(!meter.blind_spots().is_empty(), "{meter}");
        }
    }
}

#[test]
fn what_is_hidden_from_the_account_is_reported() {
    for meter in meters().into_iter().filter(|meter| *meter != Meter::Rusage) {
        for trick in ["ignored", "ignored-one-by-one"] {
            let Some(mut seat) = seat(trick, BURNED_MILLISECONDS, &options(Some(meter))) else {
                return;
            };
            undisturbed(|| {
                let run = run_freely(&mut seat);
                let Some(Discrepancy { metered, reaped }) = run.discrepancy else {
                    return Err(format!("{meter}, {trick}: expected a discrepancy: {run:?}"));
                };
                assert_eq!(run.usage.charged(Charge::Cpu), metered, "{meter}, {trick}");
                // It is not known to have been system time.
                assert!(run.usage.user.as_secs_f64() > 0.03, "{meter}, {trick}: {run:?}");
                hold(reaped.as_secs_f64() < 0.03, || format!("{meter}, {trick}: {run:?}"))
            });
        }
    }
}

#[test]
#[ignore = "long: every trick"]
fn honest_programs_raise_no_suspicion() {
    for meter in meters() {
        for trick in ["spin", "threads", "fork-and-wait", "double-fork"] {
            let Some(mut seat) = seat(trick, 30, &options(Some(meter))) else {
                return;
            };
            undisturbed(|| {
                let runs: Vec<Run> = (0..3).map(|_| run_freely(&mut seat)).collect();
                let suspected = runs.iter().find(|run| run.discrepancy.is_some());
                hold(suspected.is_none(), || format!("{meter}, {trick}: {suspected:?}"))
            });
        }
    }
}

/// In a PID namespace it is known that a run has started nothing, and then no witness says anything against it: no
/// second attempt for a machine that was busy, and no margin. It stays known whatever others start meanwhile, and
/// after a run that has used up the numbers of the namespace.
#[test]
#[ignore = "long: every trick"]
fn a_run_that_started_nothing_is_charged_what_was_reaped_whatever_a_witness_has_seen() {
    let uses_up_numbers = "if [ ! -e playdata.txt ]; then : >playdata.txt; i=0; \
                           while [ $i -lt 400 ]; do (:); i=$((i+1)); done; fi; exec \"$@\"";
    for meter in meters() {
        let sealed = SeatOptions {
            isolation: IsolationRange::default(),
            // The kernel has few numbers for few processes.
            limits: Limits { processes: 8, ..Limits::default() },
            prelude: Some(uses_up_numbers.to_owned()),
            ..options(Some(meter))
        };
        for (trick, amount) in [("fresh-memory", 100), ("spin", 30)] {
            let Some(mut seat) = seat(trick, amount, &sealed) else {
                return;
            };
            if seat.isolation() < Isolation::Sealed {
                return skip(&ISOLATION, "no PID namespace can be had");
            }
            run_freely(&mut seat);
            let run = beside_starts(|| run_freely(&mut seat));
            assert_eq!(run.ended, Termination::Exited { status: 0 }, "{meter}, {trick}: {run:?}");
            assert_eq!(run.in_doubt, CpuTime::ZERO, "{meter}, {trick}: {run:?}");
            let hidden = run.discrepancy.filter(|found| found.metered > found.reaped);
            assert_eq!(hidden, None, "{meter}, {trick}: {run:?}");
        }
    }
}

/// Does `run` while others start processes.
fn beside_starts(run: impl FnOnce() -> Run) -> Run {
    let is_over = AtomicBool::new(false);
    let start_until_over = || {
        while !is_over.load(Ordering::Relaxed) {
            Command::new("/bin/true").status().expect("a process is started");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(start_until_over);
        }
        let found = run();
        is_over.store(true, Ordering::Relaxed);
        found
    })
}

/// A thread buys nobody the milder reckoning.
#[test]
#[ignore = "long: every trick"]
fn an_agent_with_a_thread_and_a_hidden_child_is_charged_for_both() {
    for meter in meters().into_iter().filter(|meter| *meter != Meter::Rusage) {
        let sealed = SeatOptions { isolation: IsolationRange::default(), ..options(Some(meter)) };
        let Some(mut seat) = seat("thread-and-ignored", BURNED_MILLISECONDS, &sealed) else {
            return;
        };
        undisturbed(|| {
            let run = run_freely(&mut seat);
            let burned = burned(&run);
            let told = charged(&run) + run.in_doubt.as_secs_f64();
            hold(told >= burned - 0.001, || format!("{meter}: {burned} burned: {run:?}"))
        });
    }
}

/// Nor does memory, although a hypervisor may take time for each fresh page: it excuses at most a microsecond a page
/// and a third of what is known. What is hidden here is more than that, however slow memory is on this machine, and on
/// most machines less than the pages alone would excuse.
#[test]
#[ignore = "long: every trick"]
fn an_agent_with_touched_memory_and_a_hidden_child_is_charged_for_both() {
    const PAGES_EXCUSE_SECONDS: f64 = 0.14;
    if !meters().contains(&Meter::Perf) {
        return;
    }
    let mut hidden_ms = 100;
    undisturbed(|| {
        let Some(mut seat) = seat("memory-and-ignored", hidden_ms, &options(Some(Meter::Perf))) else {
            return Ok(());
        };
        let run = run_freely(&mut seat);
        assert_eq!(run.ended, Termination::Exited { status: 0 }, "{run:?}");
        let burned = burned(&run);
        let known = (burned - f64::from(hidden_ms) / 1e3).max(0.0);
        let excused = Duration::from_secs_f64((known / 3.0).min(PAGES_EXCUSE_SECONDS));
        // For the next attempt, if this one hid too little.
        hidden_ms = u32::try_from(excused.as_millis()).expect("less than a second") + 20;
        hold(charged(&run) >= burned - 0.001, || format!("{burned} burned: {run:?}"))
    });
}

/// A task clock that was taken away from the process leaves a trace.
#[test]
fn a_misled_meter_is_reported() {
    if !meters().contains(&Meter::Perf) {
        return;
    }
    let Some(mut seat) = seat("exec-unreadable", BURNED_MILLISECONDS, &options(Some(Meter::Perf))) else {
        return;
    };
    undisturbed(|| {
        let run = run_freely(&mut seat);
        match run.discrepancy {
            None => hold(geteuid().is_root(), || format!("expected a discrepancy: {run:?}")),
            Some(Discrepancy { metered, reaped }) => {
                assert_eq!(run.usage.charged(Charge::Cpu), reaped);
                hold(metered < reaped, || format!("{run:?}"))
            }
        }
    });
}

#[test]
#[ignore = "long: every trick"]
fn what_goes_on_after_the_end_is_charged_until_it_is_killed() {
    for meter in meters() {
        for (trick, survivors) in [("daemon-goes-on", 1), ("afterwards", 20)] {
            let Some(mut seat) = seat(trick, 50, &options(Some(meter))) else {
                return;
            };
            undisturbed(|| {
                let run = run_freely(&mut seat);
                assert_eq!(
                    (&run.ended, run.survivors),
                    (&Termination::Exited { status: 0 }, survivors),
                    "{meter}, {trick}"
                );
                let (burned, charged) = (burned(&run), charged(&run));
                println!("{meter:10} {trick:24} {burned:.4} s burned, {:+.4} s charged", charged - burned);
                assert!(charged >= burned - 0.001, "{meter}, {trick}: {burned}: {run:?}");
                // The last note of a process that is killed may be some way behind.
                hold(charged < burned + tolerance(burned, survivors + 2), || {
                    format!("{meter}, {trick}: {burned}: {run:?}")
                })
            });
        }
    }
}

#[test]
fn one_run_after_another_is_charged_its_own() {
    for meter in meters() {
        let Some(mut seat) = seat("ignored-one-by-one", 20, &options(Some(meter))) else {
            return;
        };
        for _ in 0..3 {
            undisturbed(|| {
                let run = run_freely(&mut seat);
                let (burned, charged) = (burned(&run), charged(&run));
                hold(charged <= burned + tolerance(burned, 6), || format!("{meter}: {burned} burned: {run:?}"))
            });
        }
    }
}

#[test]
#[ignore = "long: every trick"]
fn hidden_children_use_up_the_budget_too() {
    const BUDGET: f64 = 0.15;
    for meter in meters().into_iter().filter(|meter| *meter != Meter::Rusage) {
        for trick in ["ignored-for-ever", "ignored-one-by-one-for-ever"] {
            let Some(mut seat) = seat(trick, 0, &options(Some(meter))) else {
                return;
            };
            undisturbed(|| {
                let run = run(&mut seat, CpuTime::from_millis(150));
                assert_eq!(run.ended, Termination::OutOfCpu, "{meter}, {trick}");
                let charged = charged(&run);
                println!("{meter:10} {trick:28} killed {:+.4} s past its budget", charged - BUDGET);
                assert!(charged >= BUDGET, "{meter}, {trick}: {run:?}");
                // How long after is a matter of when the keeper was let onto a processor.
                hold(charged < BUDGET + 0.3, || format!("{meter}, {trick}: {run:?}"))
            });
        }
    }
}

#[test]
fn user_time_alone_is_charged_with_what_is_hidden() {
    for meter in meters().into_iter().filter(|meter| *meter != Meter::Rusage) {
        let options = SeatOptions { charge: Charge::User, ..options(Some(meter)) };
        let Some(mut seat) = seat("ignored-for-ever", 0, &options) else {
            return;
        };
        let run = run(&mut seat, CpuTime::from_millis(100));
        assert_eq!(run.ended, Termination::OutOfCpu, "{meter}");
        assert!(run.usage.charged(Charge::User) >= CpuTime::from_millis(100), "{meter}: {run:?}");
    }
}

#[test]
fn the_best_meter_is_taken_where_none_is_named() {
    let Some(best) = meters().first().copied() else { panic!("`rusage` can always be had") };
    let Some(seat) = seat("spin", 1, &options(None)) else {
        return;
    };
    assert_eq!(seat.meter(), best);
    assert_eq!(seat.uncertainty(Charge::Cpu), best.uncertainty(Charge::Cpu));
}

#[test]
fn a_meter_that_cannot_be_had_is_refused_by_name_and_with_the_reason() {
    for (meter, outcome) in meters_available(&options(None)) {
        let Err(reason) = outcome else { continue };
        let program = Program { command: vec!["/bin/true".into()], ..Program::default() };
        let error = Seat::open(&program, &options(Some(meter))).unwrap_err();
        assert!(matches!(&error, SeatError::NoMeter { .. }), "{error}");
        assert_eq!(error.to_string(), format!("cannot measure CPU time with the meter `{meter}`: {reason}"));
    }
}
