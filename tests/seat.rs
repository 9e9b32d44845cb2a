//! Seats and the fixture agent: every way to behave, what is told of it, what it is charged, and that nothing is left.
//!
//! Nothing here depends on how fast the machine is: the fixture burns CPU time by its own clock, and what is charged is
//! compared with what was burned.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic, in its helpers too")]

mod fixtures;
#[path = "fixtures/levels.rs"]
mod levels;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use proptest::prelude::*;
use referee::seat::{
    Bytes, Charge, Ended, Isolation, IsolationRange, Job, Limits, OutputFile, Program, Run, Seat, SeatError,
    SeatOptions, Task,
};
use referee::time::{CpuTime, WallTime};

use fixtures::fixture;
use levels::levels;

const INPUT: &str = "GAME\nBLACK\n300\n";
const ANSWER: &[u8] = b"E c3 b4\n";

/// A seat of the fixture agent, and the mark that all of its processes carry.
struct Scene {
    seat: Seat,
    mark: String,
}

impl Scene {
    /// `None` where there is no C compiler; that has been said.
    fn new(verb: &[&str]) -> Option<Self> {
        Self::with(verb, &options())
    }

    fn at(level: Isolation, verb: &[&str]) -> Option<Self> {
        Self::with(verb, &options_at(level))
    }

    fn with(verb: &[&str], options: &SeatOptions) -> Option<Self> {
        let mark = format!("mark-{}-{}", std::process::id(), unique());
        let mut command = vec![fixture()?.as_os_str().to_owned()];
        command.extend(verb.iter().map(OsString::from));
        command.push(OsString::from(&mark));
        let seat = Seat::open(&program(command), options).unwrap();
        Some(Self { seat, mark })
    }

    fn run(&mut self) -> Run {
        self.run_within(CpuTime::from_secs(60), WallTime::from_secs(60))
    }

    fn run_within(&mut self, kill_after: CpuTime, guard: WallTime) -> Run {
        let run = self.seat.run(&job(kill_after, guard)).unwrap();
        // Not a moment later: the next run is the opponent's.
        assert_eq!(marked(&self.mark), [0; 0]);
        run
    }

    /// Ends the game; nothing may be left of it.
    fn end(self) {
        let Self { seat, mark } = self;
        let directory = seat.directory().to_owned();
        let keeper = seat.keeper_id();
        drop(seat);
        assert!(!directory.exists(), "{} is left", directory.display());
        assert!(marked(&mark).is_empty());
        assert!(!Path::new(&format!("/proc/{keeper}")).exists());
    }
}

fn unique() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn options() -> SeatOptions {
    SeatOptions {
        keeper: Some(env!("CARGO_BIN_EXE_referee").into()),
        ..SeatOptions::default()
    }
}

fn options_at(level: Isolation) -> SeatOptions {
    SeatOptions {
        isolation: IsolationRange::exactly(level),
        ..options()
    }
}

/// The process that does a keeper's work: where the seat is sealed, the other one's child.
fn worker(seat: &Seat) -> u32 {
    let id = seat.keeper_id();
    if seat.isolation() < Isolation::Sealed {
        return id;
    }
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    children.trim().parse().unwrap()
}

fn program(command: Vec<OsString>) -> Program {
    Program { command, folder: None }
}

fn job(kill_after: CpuTime, guard: WallTime) -> Job {
    Job {
        task: Task::Move {
            input: INPUT.to_owned(),
        },
        kill_after,
        guard,
    }
}

fn calibrate() -> Job {
    Job {
        task: Task::Calibrate,
        kill_after: CpuTime::from_secs(10),
        guard: WallTime::from_secs(40),
    }
}

/// The processes that have `mark` among their arguments and are alive.
fn marked(mark: &str) -> Vec<i32> {
    let alive = |pid: &i32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|word| word == mark.as_bytes())
    };
    numbers_in("/proc").into_iter().filter(alive).collect()
}

fn numbers_in(folder: &str) -> Vec<i32> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect()
}

fn content(run: &Run) -> &[u8] {
    match &run.output {
        OutputFile::Content { bytes } => &bytes.0,
        other => panic!("expected a content, found {other:?}; standard error: {}", run.stderr),
    }
}

fn exited(status: u8) -> Ended {
    Ended::Exited { status }
}

fn charged(run: &Run) -> f64 {
    (run.usage.user + run.usage.system).as_secs_f64()
}

#[test]
fn an_honest_program_is_run_and_its_answer_comes_back() {
    let Some(mut scene) = Scene::new(&["move"]) else { return };
    let run = scene.run();
    assert_eq!(run.ended, exited(0));
    assert_eq!(content(&run), ANSWER);
    assert_eq!(
        (run.removed.as_slice(), run.survivors, run.stderr.as_str()),
        ([].as_slice(), 0, "")
    );
    assert!(charged(&run) > 0.0, "{run:?}");
    assert!(
        run.usage.wall > WallTime::ZERO && run.usage.peak_rss_bytes > 0,
        "{run:?}"
    );
    scene.end();
}

#[test]
fn a_program_finds_a_clean_place_around_it() {
    let Some(mut scene) = Scene::new(&["look"]) else { return };
    let run = scene.run();
    let found = String::from_utf8(content(&run).to_vec()).unwrap();
    let work = scene.seat.directory().join("work").display().to_string();
    let (descriptors, rest): (Vec<&str>, Vec<&str>) = found.lines().partition(|line| line.starts_with("fd "));
    let environment: Vec<&str> = rest.iter().filter_map(|line| line.strip_prefix("env ")).collect();
    assert_eq!(
        environment,
        [
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "LANG=C.UTF-8",
            "LC_ALL=C.UTF-8",
            "TZ=UTC",
            "PYTHONDONTWRITEBYTECODE=1",
            "PYTHONHASHSEED=0",
            &format!("HOME={work}"),
            &format!("TMPDIR={work}"),
        ]
    );
    assert_eq!(descriptors.len(), 3, "{found}");
    assert_eq!(descriptors[..2], ["fd 0 /dev/null", "fd 1 /dev/null"]);
    assert!(descriptors[2].starts_with("fd 2 pipe:"), "{found}");
    let cwd = format!("cwd {work}");
    for expected in [
        cwd.as_str(),
        "leader 1",
        "core 0",
        "umask 022",
        "NoNewPrivs:\t1",
        "SigBlk:\t0000000000000000",
        "SigIgn:\t0000000000000000",
        "SigCgt:\t0000000000000000",
    ] {
        assert!(rest.contains(&expected), "expected `{expected}` in\n{found}");
    }
    scene.end();
}

/// Whatever trick burns it, what was burned is charged; `tests/meter.rs` has more of them, for every meter.
#[test]
fn time_burned_anywhere_in_the_tree_is_charged() {
    let tricks: [&[&str]; 5] = [
        &["spin", "0.2"],
        &["threads", "4", "0.2"],
        &["fork", "0.2"],
        &["double-fork", "0.2"],
        &["unwaited", "0.2"],
    ];
    for trick in tricks {
        let Some(mut scene) = Scene::new(trick) else { return };
        let run = scene.run();
        assert_eq!((&run.ended, content(&run)), (&exited(0), ANSWER), "{trick:?}");
        assert!((0.19..0.3).contains(&charged(&run)), "{trick:?}: {:?}", run.usage);
        assert_eq!(run.survivors, 0, "{trick:?}");
        scene.end();
    }
}

#[test]
fn the_split_adds_up_and_user_time_alone_can_be_charged() {
    let charge_user = SeatOptions {
        charge: Charge::User,
        ..options()
    };
    let Some(mut scene) = Scene::with(&["spin"], &charge_user) else {
        return;
    };
    let run = scene.run_within(CpuTime::from_millis(200), WallTime::from_secs(60));
    assert_eq!(run.ended, Ended::OutOfCpu);
    assert!(run.usage.user >= CpuTime::from_millis(200), "{:?}", run.usage);
    assert_eq!(run.usage.charged(Charge::User), run.usage.user);
    assert_eq!(run.usage.charged(Charge::Cpu), run.usage.user + run.usage.system);
    scene.end();
}

#[test]
fn a_program_that_uses_up_its_budget_is_killed_soon_after() {
    let tricks: [&[&str]; 6] = [
        &["spin"],
        &["threads", "4", "1000"],
        &["fork", "1000"],
        &["double-fork", "1000"],
        &["unwaited", "1000"],
        &["ignore-children", "1000"],
    ];
    for trick in tricks {
        let Some(mut scene) = Scene::new(trick) else { return };
        let run = scene.run_within(CpuTime::from_millis(150), WallTime::from_secs(60));
        assert_eq!(run.ended, Ended::OutOfCpu, "{trick:?}");
        // Generous above, for a busy machine looks late; but never less than the budget.
        assert!((0.15..0.6).contains(&charged(&run)), "{trick:?}: {:?}", run.usage);
        scene.end();
    }
}

#[test]
fn a_program_that_sleeps_or_stops_is_ended_by_the_wall_guard() {
    for verb in ["sleep", "stop"] {
        let Some(mut scene) = Scene::new(&[verb]) else { return };
        let run = scene.run_within(CpuTime::from_secs(60), WallTime::from_millis(150));
        assert_eq!(run.ended, Ended::Guarded, "{verb}");
        assert!(run.usage.wall >= WallTime::from_millis(150), "{verb}: {:?}", run.usage);
        assert!(charged(&run) < 0.1, "{verb}: {:?}", run.usage);
        assert_eq!(content(&run), ANSWER, "{verb}");
        scene.end();
    }
}

#[test]
fn what_a_program_leaves_computing_is_killed_counted_and_charged() {
    let Some(mut scene) = Scene::new(&["daemon", "3"]) else {
        return;
    };
    let run = scene.run();
    assert_eq!((&run.ended, run.survivors), (&exited(0), 3));
    assert_eq!(run.removed, ["daemon.started"]);
    scene.end();
}

#[test]
fn a_chain_of_processes_that_runs_away_is_caught() {
    let Some(mut scene) = Scene::new(&["runner"]) else {
        return;
    };
    assert_eq!(scene.run().ended, exited(0));
    scene.end();
}

#[test]
fn every_end_is_told_as_what_it_was() {
    let signalled = |signal: Signal| Ended::Signalled {
        signal: signal as i32,
        name: signal.as_str().to_owned(),
    };
    let cases = [
        (["exit", "0"], exited(0)),
        (["exit", "7"], exited(7)),
        (["exit", "255"], exited(255)),
        (["signal", "11"], signalled(Signal::SIGSEGV)),
        (["signal", "6"], signalled(Signal::SIGABRT)),
        (["signal", "9"], signalled(Signal::SIGKILL)),
        (["signal", "15"], signalled(Signal::SIGTERM)),
        (["signal", "13"], signalled(Signal::SIGPIPE)),
        (["kill-group", ""], signalled(Signal::SIGKILL)),
    ];
    for (verb, expected) in cases {
        let Some(mut scene) = Scene::new(&verb) else { return };
        let run = scene.run();
        assert_eq!((&run.ended, content(&run)), (&expected, ANSWER), "{verb:?}");
        scene.end();
    }
}

#[test]
fn a_program_that_cannot_be_started_is_told_apart_from_our_own_failures() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str, mode| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        path
    };
    let cases = [
        (folder.path().join("absent"), "no such file"),
        (folder.path().to_owned(), "it is a directory"),
        (
            file("closed", "#!/bin/sh\n", 0o644),
            "it is not executable; `chmod +x` makes it so",
        ),
        (
            file("orphan", "#!/no/such/interpreter\n", 0o755),
            "the interpreter that its first line names, or its loader, does not exist",
        ),
        (
            file("text", "print('hello')\n", 0o755),
            "it is neither a program of this system nor a script whose first line begins with `#!`",
        ),
    ];
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    for (executable, error) in cases {
        let mut seat = Seat::open(&program(vec![executable.into()]), &options()).unwrap();
        let run = seat.run(&job(CpuTime::from_secs(1), WallTime::from_secs(10))).unwrap();
        let expected = Ended::NotStarted {
            error: error.to_owned(),
        };
        assert_eq!(run.ended, expected);
        assert_eq!(run.output, OutputFile::Missing { lookalike: None });
    }
}

#[test]
fn a_program_without_an_absolute_path_is_refused() {
    for command in [vec!["agent".into()], Vec::new()] {
        let error = Seat::open(&program(command.clone()), &options()).unwrap_err();
        assert!(matches!(&error, SeatError::NotAbsolute(_)), "{error}");
    }
}

#[test]
fn a_keeper_that_is_none_is_our_own_failure() {
    let nobody = SeatOptions {
        keeper: Some("/no/such/keeper".into()),
        ..options()
    };
    let error = Seat::open(&program(vec!["/bin/true".into()]), &nobody).unwrap_err();
    assert_eq!(
        error.to_string(),
        "could not start the keeper process `/no/such/keeper`: No such file or directory (os error 2)"
    );
}

#[test]
fn the_keeper_command_is_not_for_people() {
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .arg("keeper")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "referee: `keeper` is for the referee itself: expected a socket as standard input\n"
    );
}

#[test]
fn whatever_stands_in_the_place_of_output_is_named_and_never_followed() {
    let named = |found: &str| OutputFile::NotAFile {
        found: found.to_owned(),
    };
    let alike = |name: &str| OutputFile::Missing {
        lookalike: Some(name.to_owned()),
    };
    let cases: [(&[&str], OutputFile); 9] = [
        (&["nothing"], OutputFile::Missing { lookalike: None }),
        (&["lookalike"], alike("OuTpUt.TxT")),
        (&["lookalike", "OUTPUT.TXT"], alike("OUTPUT.TXT")),
        (&["link", "/etc/passwd"], named("a symbolic link")),
        (&["link", "nowhere"], named("a symbolic link")),
        (&["fifo"], named("a FIFO")),
        (&["directory"], named("a directory")),
        (&["socket"], named("a socket")),
        (&["huge", "65537"], OutputFile::TooLarge { bytes: 65537 }),
    ];
    for (verb, expected) in cases {
        // At any other level there are no sockets.
        let Some(mut scene) = Scene::at(Isolation::Bare, verb) else {
            return;
        };
        let run = scene.run();
        assert_eq!((run.ended, run.output), (exited(0), expected), "{verb:?}");
        scene.end();
    }
}

#[test]
fn a_device_in_the_place_of_output_is_not_opened() {
    let Some(mut scene) = Scene::new(&["device"]) else {
        return;
    };
    let run = scene.run();
    if run.ended == exited(99) {
        println!("nobody can make a device, not even root");
    } else {
        let found = "a device".to_owned();
        assert_eq!(run.output, OutputFile::NotAFile { found });
    }
    scene.end();
}

#[test]
fn the_largest_output_comes_back_whole() {
    let Some(mut scene) = Scene::new(&["huge", "65536"]) else {
        return;
    };
    let run = scene.run();
    let mut expected = ANSWER.to_vec();
    expected.resize(65536, 0);
    assert!(content(&run) == expected);
    scene.end();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_bytes_come_back_unchanged(bytes in prop::collection::vec(any::<u8>(), 0..400), text: String) {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hex = hex.concat();
        let Some(mut scene) = Scene::new(&["bytes", &hex]) else { return Ok(()) };
        let run = scene.run();
        prop_assert_eq!(content(&run), &bytes);
        let Some(mut scene) = Scene::new(&["echo"]) else { return Ok(()) };
        let echo = Job { task: Task::Move { input: text.clone() }, ..job(CpuTime::from_secs(9), WallTime::from_secs(9)) };
        let run = scene.seat.run(&echo).unwrap();
        prop_assert_eq!(run.output, OutputFile::Content { bytes: Bytes(text.into_bytes()) });
    }
}

#[test]
fn playdata_lives_from_run_to_run_and_nothing_else_does() {
    let Some(mut scene) = Scene::new(&["remember"]) else {
        return;
    };
    for expected in ["x", "xx", "xxx"] {
        let run = scene.run();
        assert_eq!((content(&run), run.removed.len()), (expected.as_bytes(), 0));
    }
    scene.end();

    let Some(mut scene) = Scene::new(&["litter"]) else {
        return;
    };
    for _ in 0..2 {
        let mut run = scene.run();
        run.removed.sort();
        assert_eq!(run.removed, ["\u{1b}[31mred\u{fffd}", "notes.txt"]);
    }
    // The sweeping is done before the next order is read.
    let outer = std::fs::read_dir(scene.seat.directory()).unwrap();
    let names: Vec<_> = outer.map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.len() <= 3, "{names:?}");
    scene.end();
}

/// A whole story for each: what the first run does to the directory must not change what the second run finds.
#[test]
fn no_shambles_outlives_the_run() {
    let verbs: [&[&str]; 9] = [
        &["files", "3000"],
        &["deep", "300"],
        &["close-workdir"],
        &["chmod-workdir"],
        &["remove-workdir"],
        &["remove-everything"],
        &["playdata-link"],
        &["link-input", "/etc/passwd"],
        &["spoil-calibration"],
    ];
    for level in levels() {
        for verb in verbs {
            assert_no_shambles(*level, verb);
        }
    }
}

fn assert_no_shambles(level: Isolation, verb: &[&str]) {
    let marker = "look only: ";
    let Some(folder) = two_acts(verb) else { return };
    let calibrated = SeatOptions {
        calibration: Some(b"1000 nodes\n".to_vec()),
        ..options_at(level)
    };
    let mut seat = Seat::open(&two_acts_program(&folder), &calibrated).unwrap();
    let order = |input: &str| Job {
        task: Task::Move {
            input: input.to_owned(),
        },
        ..job(CpuTime::from_secs(20), WallTime::from_secs(30))
    };
    let first = seat.run(&order("act\n")).unwrap();
    // What the program may not do to the directories around it makes it give up.
    let refused = level > Isolation::Bare && first.ended == exited(99);
    assert!(refused || first.ended == exited(0), "{level}: {verb:?}: {first:?}");
    assert!(first.removed.len() <= 10, "{level}: {verb:?}");
    let second = seat.run(&order(marker)).unwrap();
    assert_eq!(
        String::from_utf8_lossy(content(&second)),
        ". .. calibration.txt input.txt 1000 nodes\nlook only: ",
        "{level}: {verb:?}"
    );
    let directory = seat.directory().to_owned();
    drop(seat);
    assert!(!directory.exists(), "{level}: {verb:?}");
}

/// A program that does a crime in a run whose input is `act`, and otherwise tells what it finds.
fn two_acts(verb: &[&str]) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let [agent, criminal] = ["agent", "criminal"].map(|name| folder.path().join(name));
    std::fs::copy(fixture()?, &criminal).unwrap();
    let script = format!(
        "#!/bin/sh\nread word rest < input.txt\n[ \"$word\" = act ] && exec '{}' {}\n\
         found=$(echo $(ls -a))\n{{ printf '%s ' \"$found\"; cat calibration.txt input.txt; }} > output.txt\n",
        criminal.display(),
        verb.join(" "),
    );
    std::fs::write(&agent, script).unwrap();
    std::fs::set_permissions(&agent, PermissionsExt::from_mode(0o755)).unwrap();
    Some(folder)
}

fn two_acts_program(folder: &tempfile::TempDir) -> Program {
    Program {
        command: vec![folder.path().join("agent").into()],
        folder: Some(folder.path().to_owned()),
    }
}

#[test]
fn playdata_survives_a_working_directory_that_was_moved_away() {
    let Some(mut scene) = Scene::new(&["rename-workdir"]) else {
        return;
    };
    for expected in ["x", "xx"] {
        assert_eq!(content(&scene.run()), expected.as_bytes());
    }
    scene.end();
}

#[test]
fn playdata_with_a_second_link_outside_does_not_live_on() {
    let outside = tempfile::tempdir_in("/tmp").unwrap();
    let second = outside.path().join("second");
    let verb = ["link-playdata", "1", second.to_str().unwrap()];
    let Some(mut scene) = Scene::at(Isolation::Bare, &verb) else {
        return;
    };
    let mut run = scene.run();
    run.removed.sort();
    assert_eq!(
        (run.ended, run.removed.as_slice()),
        (exited(0), ["playdata.txt", "second"].map(String::from).as_slice())
    );
    std::fs::remove_file(&second).unwrap();
    // The verb would fail at linking if any of its files were still there.
    assert_eq!(scene.run().ended, exited(0));
    scene.end();
}

#[test]
fn what_the_calibration_run_writes_is_its_output() {
    let Some(mut scene) = Scene::new(&["calibrate", "2500 nodes\n"]) else {
        return;
    };
    let run = scene.seat.run(&calibrate()).unwrap();
    assert_eq!(
        (run.ended.clone(), content(&run)),
        (exited(0), b"2500 nodes\n".as_slice())
    );
    assert!(run.removed.is_empty());
    scene.end();

    let Some(mut scene) = Scene::new(&["show", "input.txt"]) else {
        return;
    };
    let run = scene.seat.run(&calibrate()).unwrap();
    assert_eq!(
        (run.output, run.removed.as_slice()),
        (
            OutputFile::Missing { lookalike: None },
            ["output.txt".to_owned()].as_slice()
        )
    );
    scene.end();
}

#[test]
fn no_flood_blocks_a_program_and_the_end_of_standard_error_is_kept() {
    for verb in ["flood-stdout", "flood-stderr"] {
        let Some(mut scene) = Scene::new(&[verb, "3000000"]) else {
            return;
        };
        let run = scene.run();
        assert_eq!((&run.ended, content(&run)), (&exited(0), ANSWER), "{verb}");
        if verb == "flood-stderr" {
            assert_eq!(run.stderr, format!("{}the end\n", "x".repeat(2048 - 8)));
        }
        scene.end();
    }
}

#[test]
fn a_program_that_closes_everything_is_not_watched_in_a_busy_loop() {
    let Some(mut scene) = Scene::new(&["close-all", "0.3"]) else {
        return;
    };
    let before = cpu_ticks(worker(&scene.seat));
    let run = scene.run();
    let ticks = cpu_ticks(worker(&scene.seat)) - before;
    assert_eq!((&run.ended, content(&run)), (&exited(0), ANSWER));
    assert!(ticks < 15, "{ticks} ticks of 10 ms in 300 ms");
    scene.end();
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
        let Some(mut scene) = Scene::new(&[verb, &BLOCK.to_string()]) else {
            return;
        };
        let peak = scene.run().usage.peak_rss_bytes;
        assert!((BLOCK..BLOCK + (16 << 20)).contains(&peak), "{verb}: {peak}");
        scene.end();
    }
    let folder = two_acts(&["memory", &BLOCK.to_string()]);
    let Some(folder) = folder else { return };
    let mut seat = Seat::open(&two_acts_program(&folder), &options()).unwrap();
    let peaks = ["act\n", "rest\n"].map(|input| {
        let task = Task::Move {
            input: input.to_owned(),
        };
        let job = Job {
            task,
            ..job(CpuTime::from_secs(9), WallTime::from_secs(9))
        };
        seat.run(&job).unwrap().usage.peak_rss_bytes
    });
    assert!(peaks[0] >= BLOCK && peaks[1] < 24 << 20, "{peaks:?}");
}

#[test]
fn a_hundred_runs_leave_no_trace_in_the_keeper() {
    for level in levels() {
        let Some(mut scene) = Scene::at(*level, &["daemon", "1"]) else {
            return;
        };
        let keeper = worker(&scene.seat);
        for _ in 0..10 {
            scene.run();
        }
        let before = settled(&|| descriptors_and_kilobytes(keeper));
        for _ in 0..100 {
            assert_eq!(scene.run().ended, exited(0), "{level}");
        }
        let after = settled(&|| descriptors_and_kilobytes(keeper));
        assert_eq!(after.0, before.0, "{level}: descriptors");
        assert!(
            after.1 <= before.1 + 512,
            "{level}: resident memory: {before:?} to {after:?} kB"
        );
        let children = std::fs::read_to_string(format!("/proc/{keeper}/task/{keeper}/children")).unwrap();
        assert_eq!(children.split_whitespace().count(), 1, "{level}: only the starter");
        scene.end();
    }
}

/// Of a process that nobody but root can look into: others do not see its descriptors, and compare nothing with nothing.
fn descriptors_and_kilobytes(keeper: u32) -> (usize, u64) {
    let descriptors = std::fs::read_dir(format!("/proc/{keeper}/fd")).map_or(0, Iterator::count);
    let status = std::fs::read_to_string(format!("/proc/{keeper}/status")).unwrap();
    let resident = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    (
        descriptors,
        resident.split_whitespace().nth(1).unwrap().parse().unwrap(),
    )
}

/// What `state` comes to once it does not change any more: a keeper works on for a moment after its answer.
fn settled<S: PartialEq>(state: &impl Fn() -> S) -> S {
    let mut last = state();
    loop {
        std::thread::sleep(Duration::from_millis(30));
        let now = state();
        if now == last {
            return now;
        }
        last = now;
    }
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
                let mut scene = Scene::new(&["bytes", &hex]).unwrap();
                for _ in 0..5 {
                    assert_eq!(content(&scene.run()), [index]);
                }
                scene.end();
            });
        }
    });
}

/// Where keepers are not out of an agent's reach, it can only make the game void, and nothing is left of it.
#[test]
fn a_keeper_that_was_killed_is_our_own_failure() {
    let Some(mut scene) = Scene::at(Isolation::Bare, &["kill-keeper"]) else {
        return;
    };
    let job = job(CpuTime::from_secs(60), WallTime::from_secs(60));
    let id = scene.seat.keeper_id();
    let error = scene.seat.run(&job).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "the keeper process {id} has ended in the middle of the game; the game is void and can be played again"
        )
    );
    let again = scene.seat.run(&job).unwrap_err().to_string();
    assert_eq!(
        again,
        format!("the keeper process {id} was given up after a failure; the game is void and can be played again")
    );
    within(30, || marked(&scene.mark).is_empty());
    scene.end();
}

/// At the highest level a keeper is two processes, and either of them may be killed by whoever can.
#[test]
fn no_part_of_a_keeper_outlives_another() {
    for level in levels() {
        for whom in [Seat::keeper_id, worker] {
            let Some(scene) = Scene::at(*level, &["move"]) else {
                return;
            };
            let both = [scene.seat.keeper_id(), worker(&scene.seat)];
            kill(Pid::from_raw(whom(&scene.seat).cast_signed()), Signal::SIGKILL).unwrap();
            within(30, || both.iter().all(|id| is_over(&id.to_string())));
            scene.end();
        }
    }
}

fn within(seconds: u64, what: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !what() {
        assert!(Instant::now() < deadline, "{seconds} s later it is still not so");
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
    let scenes = levels().iter().flat_map(|level| verbs.map(|verb| (*level, verb)));
    for (level, verb) in scenes {
        let (mut referee, told) = start_victim(level, verb);
        if verb != "idle" {
            within(30, || !marked(&told["mark"]).is_empty());
        }
        kill(Pid::from_raw(referee.id().cast_signed()), Signal::SIGKILL).unwrap();
        referee.wait().unwrap();
        within(30, || marked(&told["mark"]).is_empty());
        within(30, || !PathBuf::from(&told["directory"]).exists());
        within(30, || is_over(&told["keeper"]));
    }
}

fn start_victim(level: Isolation, verb: &str) -> (std::process::Child, BTreeMap<String, String>) {
    let mut referee = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "a_kill_of_the_referee_in_mid_game_leaves_nothing_behind",
            "--nocapture",
        ])
        .env(VICTIM, format!("{level} {verb}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(referee.stdout.take().unwrap()).lines();
    let told = lines
        .map_while(Result::ok)
        .filter_map(|line| {
            line.split_once('=')
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
        })
        .take(3)
        .collect();
    (referee, told)
}

/// Opens a seat, tells where it is, and runs the program or waits for the end.
fn play_until_killed(level: Isolation, verb: &str) -> ! {
    let mut scene = Scene::at(level, &[verb, "1000"]).unwrap();
    let directory = scene.seat.directory().display();
    println!(
        "\nmark={}\ndirectory={directory}\nkeeper={}",
        scene.mark,
        scene.seat.keeper_id()
    );
    std::io::stdout().flush().unwrap();
    if verb != "idle" {
        scene.run();
    }
    std::thread::sleep(Duration::from_mins(1));
    panic!("expected to be killed")
}

/// Otherwise a full disk would be the loss of whoever writes its answer next.
#[test]
fn no_seat_is_opened_where_the_disk_has_no_room_for_what_a_program_may_write() {
    let Some(fixture) = fixture() else { return };
    let program = Program {
        command: vec![fixture.as_os_str().to_owned()],
        folder: None,
    };
    let limits = Limits {
        directory_bytes: u64::MAX,
        ..Limits::default()
    };
    let options = SeatOptions {
        limits,
        ..options_at(Isolation::Bare)
    };
    let refused = Seat::open(&program, &options).unwrap_err().to_string();
    assert!(
        refused.contains("make room, or name another folder in `TMPDIR`"),
        "{refused}"
    );
}
