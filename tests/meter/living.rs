//! Every trick again, each turn, in programs that live for a whole game.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use referee_seat::{
    Exceeded, Isolation, IsolationRange, Meter, OutputFile, Program, Protocol, Run, RunRequest, Seat, SeatOptions,
    Task, Termination,
};
use referee_time::{CpuTime, WallTime};

use crate::compile::compiled;
use crate::{BURNED_MILLISECONDS, Fools, TRICKS, charged, hold, meters, options, tolerance, tricks, undisturbed};

/// The turns of a game.
pub(crate) const TURNS: u32 = 2;

/// The program that runs a trick for each question, and what its own part of that is: it starts a process and waits.
fn living() -> Option<&'static PathBuf> {
    static LIVING: OnceLock<Option<PathBuf>> = OnceLock::new();
    LIVING.get_or_init(|| compiled(&["living.c", "living.h"])).as_ref()
}

pub(crate) fn seat(trick: &str, options: &SeatOptions) -> Option<Seat> {
    let milliseconds = BURNED_MILLISECONDS.to_string();
    let words = [living()?.as_os_str(), tricks()?.as_os_str(), trick.as_ref(), milliseconds.as_ref()];
    let tools = vec![tricks()?.to_owned()];
    let program = Program { command: words.map(OsString::from).into(), tools, ..Program::default() };
    let options = SeatOptions { protocol: Protocol::Stdio, ..options.clone() };
    Some(Seat::open(&program, &options).expect("the seat opens"))
}

/// What the fixture says that it burned in a turn, in seconds.
pub(crate) fn burned(run: &Run) -> f64 {
    let OutputFile::Content { bytes } = &run.output else {
        panic!("expected a note of what was burned: {run:?}");
    };
    let digits = str::from_utf8(&bytes.0).expect("hexadecimal digits").trim();
    let value = u64::from_str_radix(digits, 16).expect("eight bytes");
    std::time::Duration::from_nanos(value.swap_bytes()).as_secs_f64()
}

/// One game with this trick in each turn.
fn game(meter: Meter, trick: &str, processes: u32, fools: Fools, options: &SeatOptions) -> Result<(), String> {
    let Some(mut seat) = seat(trick, options) else {
        return Ok(());
    };
    assert_eq!(seat.meter(), meter);
    for turn in 1..=TURNS {
        let run = run_turn(&mut seat);
        // One that hides its files from this user is ended when they are counted, which ends the game.
        if matches!(run.ended, Termination::Exceeded { limit: Exceeded::DirectorySize { .. } }) {
            assert!(trick.contains("unreadable") || trick == "not-dumpable", "{meter}, {trick}: {run:?}");
            return Ok(());
        }
        assert_eq!(run.ended, Termination::Answered, "{meter}, {trick}: {run:?}");
        let (burned, charged) = (burned(&run), charged(&run));
        println!("{meter:10} {trick:24} {turn} {burned:.4} s burned, {:+.4} s charged", charged - burned);
        let may_be_in_doubt = meter == Meter::Perf && fools != Fools::Nobody;
        // Where no counter sees them, what the kernel tells in ticks of children that are waited for comes a turn
        // later.
        let is_told_in_ticks = meter == Meter::Rusage || meter == Meter::Perf && trick.contains("unreadable");
        let ticks = if is_told_in_ticks { 0.02 } else { 0.0 };
        let error = (burned * 0.02).max(0.005) + ticks;
        let told = charged >= burned - error || fools.fools(meter) || may_be_in_doubt;
        // The program that waits for the trick is a process, too.
        let most = burned + tolerance(burned, processes + 1) + ticks;
        hold(told && charged <= most, || format!("{meter}, {trick}, turn {turn}: {burned} burned: {run:?}"))?;
    }
    Ok(())
}

pub(crate) fn run_turn(seat: &mut Seat) -> Run {
    let task = Task::Move { input: "go\n".to_owned() };
    let job = RunRequest { task, kill_after: CpuTime::from_secs(60), wall_limit: WallTime::from_secs(120) };
    seat.run(&job).expect("the keeper keeps")
}

fn charges_every_turn(meter: Meter, possible: impl Fn(&str) -> bool) {
    if !meters().contains(&meter) {
        return;
    }
    let bare = options(Some(meter));
    let best = SeatOptions { isolation: IsolationRange::default(), ..bare.clone() };
    for (trick, processes, fools) in TRICKS.into_iter().filter(|(trick, ..)| possible(trick)) {
        for options in [&bare, &best] {
            let is_bare = options.isolation == IsolationRange::exactly(Isolation::Bare);
            // Where a program is kept apart, it can execute none that it may not read.
            if is_bare || !trick.contains("unreadable") {
                undisturbed(|| game(meter, trick, processes, fools, options));
            }
        }
    }
}

#[test]
fn a_turn_of_a_living_program_is_charged_what_is_burned_in_it() {
    for meter in meters() {
        charges_every_turn(meter, |trick| ["spin", "threads", "double-fork"].contains(&trick));
    }
}

#[test]
#[ignore = "long: every trick"]
fn perf_charges_what_every_trick_burns_in_each_turn() {
    charges_every_turn(Meter::Perf, |_| true);
}

#[test]
#[ignore = "long: every trick"]
fn cgroup_v2_charges_what_every_trick_burns_in_each_turn() {
    charges_every_turn(Meter::CgroupV2, |_| true);
}

#[test]
#[ignore = "long: every trick"]
fn cgroup_v1_charges_what_every_trick_burns_in_each_turn() {
    charges_every_turn(Meter::CgroupV1, |_| true);
}

#[test]
#[ignore = "long: every trick"]
fn rusage_charges_what_every_trick_burns_in_each_turn_but_for_those_that_fool_it() {
    charges_every_turn(Meter::Rusage, |_| true);
}
