//! Keepers: what they use, and what is left when they, or the referee, are killed.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use referee_seat::{Isolation, Limits, Program, RunRequest, Seat, SeatError, SeatOptions, Task};
use referee_time::{CpuTime, WallTime};

use crate::fixture_seat::{
    ANSWER, FixtureSeat, content, exited, job, marked, options, options_at, program, two_acts, two_acts_program, worker,
};
use crate::fixtures::fixture;
use crate::levels::levels;

#[test]
fn a_program_without_an_absolute_path_is_refused() {
    for command in [vec!["agent".into()], Vec::new()] {
        let error = Seat::open(&program(command.clone()), &options()).unwrap_err();
        assert!(matches!(&error, SeatError::NotAbsolute(_)), "{error}");
    }
}

#[test]
fn a_keeper_that_is_none_is_our_own_failure() {
    let nobody = SeatOptions { keeper: Some("/no/such/keeper".into()), ..options() };
    let error = Seat::open(&program(vec!["/bin/true".into()]), &nobody).unwrap_err();
    assert_eq!(
        error.to_string(),
        "could not start the keeper process `/no/such/keeper`: No such file or directory (os error 2)"
    );
}

#[test]
fn the_keeper_command_is_not_for_people() {
    let output = Command::new(env!("CARGO_BIN_EXE_referee")).arg("keeper").stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "referee: `keeper` is internal: expected a socket as stdin\n");
}

#[test]
fn a_program_that_closes_everything_is_not_watched_in_a_busy_loop() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["close-all", "0.3"]) else {
        return;
    };
    let before = cpu_ticks(worker(&fixture_seat.seat));
    let run = fixture_seat.run();
    let ticks = cpu_ticks(worker(&fixture_seat.seat)) - before;
    assert_eq!((&run.ended, content(&run)), (&exited(0), ANSWER));
    assert!(ticks < 15, "{ticks} ticks of 10 ms in 300 ms");
    fixture_seat.end();
}

/// Whether a process is gone, or is dead and only waits for whoever adopted it.
fn is_over(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat"))
        .map_or(true, |stat| stat.rsplit_once(')').unwrap().1.starts_with(" Z"))
}

/// User and system time of one process, without its children.
fn cpu_ticks(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum()
}

#[test]
fn peak_memory_is_that_of_the_largest_process_of_this_run_alone() {
    const BLOCK: u64 = 48 << 20;
    for verb in ["memory", "memory-in-child"] {
        let Some(mut fixture_seat) = FixtureSeat::new(&[verb, &BLOCK.to_string()]) else {
            return;
        };
        let peak = fixture_seat.run().usage.peak_rss_bytes;
        assert!((BLOCK..BLOCK + (16 << 20)).contains(&peak), "{verb}: {peak}");
        fixture_seat.end();
    }
    let folder = two_acts(&["memory", &BLOCK.to_string()]);
    let Some(folder) = folder else { return };
    let mut seat = Seat::open(&two_acts_program(&folder), &options()).unwrap();
    let peaks = ["act\n", "rest\n"].map(|input| {
        let task = Task::Move { input: input.to_owned() };
        let job = RunRequest { task, ..job(CpuTime::from_secs(60), WallTime::from_secs(600)) };
        seat.run(&job).unwrap().usage.peak_rss_bytes
    });
    assert!(peaks[0] >= BLOCK && peaks[1] < 24 << 20, "{peaks:?}");
}

#[test]
#[ignore = "long: many runs"]
fn a_hundred_runs_leave_no_trace_in_the_keeper() {
    for level in levels() {
        let Some(mut fixture_seat) = FixtureSeat::at(*level, &["daemon", "1"]) else {
            return;
        };
        let keeper = worker(&fixture_seat.seat);
        for _ in 0..10 {
            fixture_seat.run();
        }
        let before = descriptors_and_kilobytes(keeper);
        for _ in 0..100 {
            assert_eq!(fixture_seat.run().ended, exited(0), "{level}");
        }
        let after = descriptors_and_kilobytes(keeper);
        let children = std::fs::read_to_string(format!("/proc/{keeper}/task/{keeper}/children")).unwrap();
        // A keeper works on for a moment after its answer, with a few of each. What every run left behind would be a
        // hundred.
        assert!(after.0 < before.0 + 50, "{level}: descriptors: {before:?} to {after:?}");
        assert!(after.1 <= before.1 + 512, "{level}: memory of its own: {before:?} to {after:?} kB");
        assert!(children.split_whitespace().count() < 50, "{level}: the starter and {children}");
        fixture_seat.end();
    }
}

/// Of a process that nobody but root can look into: others do not see its descriptors, and compare nothing with
/// nothing.
///
/// Memory of its own alone: pages of the program's file come in whenever something is done for the first time, such as
/// a look at the limits, which a quick run never sees.
fn descriptors_and_kilobytes(keeper: u32) -> (usize, u64) {
    let descriptors = std::fs::read_dir(format!("/proc/{keeper}/fd")).map_or(0, Iterator::count);
    let status = std::fs::read_to_string(format!("/proc/{keeper}/status")).unwrap();
    let resident = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    (descriptors, resident.split_whitespace().nth(1).unwrap().parse().unwrap())
}

#[test]
fn many_seats_at_a_time_do_not_mix() {
    if fixture().is_none() {
        return;
    }
    std::thread::scope(|scope| {
        for index in 0..8 {
            scope.spawn(move || {
                let hex = format!("{index:02x}");
                let mut fixture_seat = FixtureSeat::new(&["bytes", &hex]).unwrap();
                for _ in 0..5 {
                    assert_eq!(content(&fixture_seat.run()), [index]);
                }
                fixture_seat.end();
            });
        }
    });
}

/// Where keepers are not out of an agent's reach, it can only make the game void, and nothing is left of it.
#[test]
fn a_keeper_that_was_killed_is_our_own_failure() {
    let Some(mut fixture_seat) = FixtureSeat::at(Isolation::Bare, &["kill-keeper"]) else {
        return;
    };
    let job = job(CpuTime::from_secs(60), WallTime::from_secs(600));
    let id = fixture_seat.seat.keeper_id();
    let error = fixture_seat.seat.run(&job).unwrap_err().to_string();
    assert_eq!(error, format!("the keeper process {id} exited during the game; the game is void and can be replayed"));
    let again = fixture_seat.seat.run(&job).unwrap_err().to_string();
    assert_eq!(
        again,
        format!("the keeper process {id} was abandoned after a failure; the game is void and can be replayed")
    );
    eventually(|| marked(&fixture_seat.mark).is_empty());
    fixture_seat.end();
}

/// A keeper is two processes, and either of them may be killed by whoever can.
#[test]
fn no_part_of_a_keeper_outlives_another() {
    for level in levels() {
        for whom in [Seat::keeper_id, worker] {
            let Some(fixture_seat) = FixtureSeat::at(*level, &["move"]) else {
                return;
            };
            let both = [fixture_seat.seat.keeper_id(), worker(&fixture_seat.seat)];
            kill(Pid::from_raw(whom(&fixture_seat.seat).cast_signed()), Signal::SIGKILL).unwrap();
            eventually(|| both.iter().all(|id| is_over(&id.to_string())));
            fixture_seat.end();
        }
    }
}

/// What a program has started has another parent than the keeper, or none that is alive.
#[test]
fn nothing_of_a_run_outlives_a_part_of_its_keeper() {
    let cases = levels().iter().flat_map(|level| ["fork", "double-fork"].map(|verb| (*level, verb)));
    for ((level, verb), whom) in
        cases.flat_map(|fixture_seat| [(fixture_seat, Seat::keeper_id as fn(&Seat) -> u32), (fixture_seat, worker)])
    {
        let Some(mut fixture_seat) = FixtureSeat::at(level, &[verb, "1000"]) else {
            return;
        };
        let (victim, mark) = (whom(&fixture_seat.seat), fixture_seat.mark.clone());
        std::thread::scope(|scope| {
            let run = scope.spawn(|| fixture_seat.seat.run(&job(CpuTime::from_secs(60), WallTime::from_secs(600))));
            // The program and what it has started.
            eventually(|| marked(&mark).len() > 1);
            kill(Pid::from_raw(victim.cast_signed()), Signal::SIGKILL).unwrap();
            assert!(run.join().unwrap().is_err(), "{level}: {verb}");
        });
        eventually(|| marked(&mark).is_empty());
        fixture_seat.end();
    }
}

/// Waits far longer than it takes on any machine.
fn eventually(what: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(10);
    while !what() {
        assert!(Instant::now() < deadline, "ten minutes later it is still not so");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Set for the process that plays the referee in the test below, and names the level and the verb of its agent.
const VICTIM: &str = "REFEREE_TEST_VICTIM";

#[test]
fn a_kill_of_the_referee_in_mid_game_leaves_nothing_behind() {
    if let Ok(victim) = std::env::var(VICTIM) {
        let (level, verb) = victim.split_once(' ').unwrap();
        play_until_killed(level.parse().unwrap(), verb);
    }
    if fixture().is_none() {
        return;
    }
    let verbs = ["spin", "fork", "double-fork", "sleep", "idle"];
    let cases = levels().iter().flat_map(|level| verbs.map(|verb| (*level, verb)));
    for (level, verb) in cases {
        let (mut referee, told) = start_victim(level, verb);
        if verb != "idle" {
            eventually(|| !marked(&told["mark"]).is_empty());
        }
        kill(Pid::from_raw(referee.id().cast_signed()), Signal::SIGKILL).unwrap();
        referee.wait().unwrap();
        eventually(|| marked(&told["mark"]).is_empty());
        eventually(|| !PathBuf::from(&told["directory"]).exists());
        eventually(|| is_over(&told["keeper"]));
    }
}

fn start_victim(level: Isolation, verb: &str) -> (std::process::Child, BTreeMap<String, String>) {
    let mut referee = Command::new(std::env::current_exe().unwrap())
        .args([
            "--include-ignored",
            "--exact",
            "keepers::a_kill_of_the_referee_in_mid_game_leaves_nothing_behind",
            "--nocapture",
        ])
        .env(VICTIM, format!("{level} {verb}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(referee.stdout.take().unwrap()).lines();
    let told = lines
        .map_while(Result::ok)
        .filter_map(|line| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())))
        .take(3)
        .collect();
    (referee, told)
}

/// Opens a seat, tells where it is, and runs the program or waits for the end.
fn play_until_killed(level: Isolation, verb: &str) -> ! {
    let mut fixture_seat = FixtureSeat::at(level, &[verb, "1000"]).unwrap();
    let directory = fixture_seat.seat.directory().display();
    println!("\nmark={}\ndirectory={directory}\nkeeper={}", fixture_seat.mark, fixture_seat.seat.keeper_id());
    std::io::stdout().flush().unwrap();
    if verb != "idle" {
        fixture_seat.run();
    }
    std::thread::sleep(Duration::from_mins(1));
    panic!("expected to be killed")
}

/// Otherwise a full disk would be the loss of whoever writes its answer next.
#[test]
fn no_seat_is_opened_where_the_disk_has_no_room_for_what_a_program_may_write() {
    let Some(fixture) = fixture() else { return };
    let program = Program { command: vec![fixture.as_os_str().to_owned()], ..Program::default() };
    let limits = Limits { directory_bytes: u64::MAX, ..Limits::default() };
    let options = SeatOptions { limits, ..options_at(Isolation::Bare) };
    let refused = Seat::open(&program, &options).unwrap_err().to_string();
    assert!(refused.contains("free some space, or set `TMPDIR` to another directory"), "{refused}");
}
