//! How a run ends, what is told of it, and what it is charged.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use nix::sys::signal::Signal;
use referee_seat::{Charge, Isolation, Limits, OutputFile, Seat, SeatOptions, Termination};
use referee_time::{CpuTime, WallTime};

use crate::fixture_seat::{ANSWER, FixtureSeat, charged, content, exited, job, options, program};
use crate::levels::levels;

#[test]
fn an_honest_program_is_run_and_its_answer_comes_back() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["move"]) else {
        return;
    };
    let run = fixture_seat.run();
    assert_eq!(run.ended, exited(0));
    assert_eq!(content(&run), ANSWER);
    assert_eq!((run.removed.as_slice(), run.survivors, run.stderr.as_str()), ([].as_slice(), 0, ""));
    assert!(charged(&run) > 0.0, "{run:?}");
    assert!(run.usage.wall > WallTime::ZERO && run.usage.peak_rss_bytes > 0, "{run:?}");
    fixture_seat.end();
}

#[test]
fn a_program_finds_a_clean_place_around_it() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["look"]) else {
        return;
    };
    let run = fixture_seat.run();
    let found = String::from_utf8(content(&run).to_vec()).unwrap();
    let work = fixture_seat.seat.directory().join("work").display().to_string();
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
        "limit core 1 1",
        "umask 022",
        "NoNewPrivs:\t1",
        "SigBlk:\t0000000000000000",
        "SigIgn:\t0000000000000000",
        "SigCgt:\t0000000000000000",
    ] {
        assert!(rest.contains(&expected), "expected `{expected}` in\n{found}");
    }
    fixture_seat.end();
}

/// Set where this program runs itself.
const IN_SHELL: &str = "REFEREE_TEST_BELOW_A_SHELL";

/// A keeper prepares signals and limits once, and its programs inherit them.
#[test]
fn what_the_referee_has_inherited_is_not_passed_on() {
    if std::env::var_os(IN_SHELL).is_none() {
        // Only root can give itself rights of priority.
        let ignoring = "trap '' HUP INT USR1 PIPE TERM RTMAX; ulimit -Sn 200; ulimit -e 30 -r 9 2>/dev/null; \
                        exec \"$0\" \"$@\"";
        let again = std::process::Command::new("/bin/bash")
            .args(["-c", ignoring])
            .arg(std::env::current_exe().unwrap())
            .args(["--include-ignored", "--exact", "runs::what_the_referee_has_inherited_is_not_passed_on"])
            .env(IN_SHELL, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success() && said.contains("1 passed"), "{again:?}");
        return;
    }
    let limits = Limits::default();
    for level in levels() {
        let Some(mut fixture_seat) = FixtureSeat::at(*level, &["look"]) else {
            return;
        };
        // The launcher of the second run is another process than that of the first.
        for _ in 0..2 {
            let run = fixture_seat.run();
            let found = String::from_utf8(content(&run).to_vec()).unwrap();
            let has = |line: &str| found.lines().any(|found| found == line);
            for name in ["SigBlk", "SigIgn", "SigCgt"] {
                assert!(has(&format!("{name}:\t0000000000000000")), "{level}: {name} in\n{found}");
            }
            let both = |name: &str, limit: u64| format!("limit {name} {limit} {limit}");
            assert!(has(&both("fsize", limits.file_bytes)), "{level}: {found}");
            assert!(has(&both("nofile", limits.open_files.into())), "{level}: {found}");
            assert!(has(&both("data", 4 * limits.memory_bytes)), "{level}: {found}");
            // At 0 a pattern that begins with a pipe would start a program of the system for each crash (core(5)).
            assert!(has(&both("core", 1)), "{level}: {found}");
            assert!(has(&both("rtprio", 0)) && has(&both("nice", 0)), "{level}: {found}");
            let processes = found.lines().find_map(|line| line.strip_prefix("limit nproc ")).unwrap();
            let processes: Vec<u64> = processes.split(' ').map(|limit| limit.parse().unwrap()).collect();
            let expected = match level {
                Isolation::Sealed => 320..=320,
                Isolation::Bare | Isolation::Confined => 321..=1 << 22,
            };
            assert!(processes.iter().all(|limit| expected.contains(limit)), "{level}: {processes:?}");
            assert_eq!(processes[0], processes[1], "{level}");
        }
        fixture_seat.end();
    }
}

/// Whatever trick burns it, what was burned is charged; `tests/meter` has more of them, for every meter.
#[test]
fn time_burned_anywhere_in_the_tree_is_charged() {
    let tricks: [&[&str]; 5] =
        [&["spin", "0.2"], &["threads", "4", "0.2"], &["fork", "0.2"], &["double-fork", "0.2"], &["unwaited", "0.2"]];
    for trick in tricks {
        let Some(mut fixture_seat) = FixtureSeat::new(trick) else {
            return;
        };
        let run = fixture_seat.run();
        assert_eq!((&run.ended, content(&run)), (&exited(0), ANSWER), "{trick:?}");
        assert!((0.19..0.3).contains(&charged(&run)), "{trick:?}: {:?}", run.usage);
        assert_eq!(run.survivors, 0, "{trick:?}");
        fixture_seat.end();
    }
}

#[test]
fn the_split_adds_up_and_user_time_alone_can_be_charged() {
    let charge_user = SeatOptions { charge: Charge::User, ..options() };
    let Some(mut fixture_seat) = FixtureSeat::with(&["spin"], &charge_user) else {
        return;
    };
    let run = fixture_seat.run_within(CpuTime::from_millis(200), WallTime::from_secs(600));
    assert_eq!(run.ended, Termination::OutOfCpu);
    assert!(run.usage.user >= CpuTime::from_millis(200), "{:?}", run.usage);
    assert_eq!(run.usage.charged(Charge::User), run.usage.user);
    assert_eq!(run.usage.charged(Charge::Cpu), run.usage.user + run.usage.system);
    fixture_seat.end();
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
        let Some(mut fixture_seat) = FixtureSeat::new(trick) else {
            return;
        };
        let run = fixture_seat.run_within(CpuTime::from_millis(150), WallTime::from_secs(600));
        assert_eq!(run.ended, Termination::OutOfCpu, "{trick:?}");
        // Never less than the budget; above it, how late is a matter of when the keeper gets a processor. The kernel's
        // own limit would have come at 3 s.
        assert!((0.15..2.9).contains(&charged(&run)), "{trick:?}: {:?}", run.usage);
        fixture_seat.end();
    }
}

#[test]
fn a_program_that_sleeps_or_stops_is_ended_at_the_wall_clock_limit() {
    for verb in ["sleep", "stop"] {
        let Some(mut fixture_seat) = FixtureSeat::new(&[verb]) else {
            return;
        };
        let mut guarded_after = |seconds| {
            let run = fixture_seat.run_within(CpuTime::from_secs(60), WallTime::from_secs(seconds));
            assert_eq!(run.ended, Termination::Guarded, "{verb}");
            assert!(run.usage.wall >= WallTime::from_secs(seconds), "{verb}: {:?}", run.usage);
            assert!(charged(&run) < 0.1, "{verb}: {:?}", run.usage);
            run.output
        };
        // It writes its answer first, for which some machines need longer than others.
        let answered = (0..10)
            .map(|doubled| guarded_after(1 << doubled))
            .find(|output| matches!(output, OutputFile::Content { bytes } if bytes.0 == ANSWER));
        assert!(answered.is_some(), "{verb}: its answer is lost");
        fixture_seat.end();
    }
}

#[test]
fn what_a_program_leaves_computing_is_killed_counted_and_charged() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["daemon", "3"]) else {
        return;
    };
    let run = fixture_seat.run();
    assert_eq!((&run.ended, run.survivors), (&exited(0), 3));
    assert_eq!(run.removed, ["daemon.started"]);
    fixture_seat.end();
}

#[test]
fn a_chain_of_processes_that_runs_away_is_caught() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["runner"]) else {
        return;
    };
    assert_eq!(fixture_seat.run().ended, exited(0));
    fixture_seat.end();
}

#[test]
fn every_kind_of_end_is_reported_as_such() {
    let signalled = |signal: Signal| Termination::Signalled { signal: signal as i32, name: signal.as_str().to_owned() };
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
        let Some(mut fixture_seat) = FixtureSeat::new(&verb) else {
            return;
        };
        let run = fixture_seat.run();
        assert_eq!((&run.ended, content(&run)), (&expected, ANSWER), "{verb:?}");
        fixture_seat.end();
    }
}

#[test]
fn a_program_that_cannot_be_started_is_not_our_own_failure() {
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
        (file("closed", "#!/bin/sh\n", 0o644), "it is not executable: run `chmod +x`"),
        (
            file("orphan", "#!/no/such/interpreter\n", 0o755),
            "the interpreter in its first line, or its loader, does not exist",
        ),
        (
            file("text", "print('hello')\n", 0o755),
            "it is neither an executable for this system nor a script that begins with `#!`",
        ),
    ];
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    for (executable, error) in cases {
        let mut seat = Seat::open(&program(vec![executable.into()]), &options()).unwrap();
        let run = seat.run(&job(CpuTime::from_secs(60), WallTime::from_secs(600))).unwrap();
        let expected = Termination::NotStarted { error: error.to_owned() };
        assert_eq!(run.ended, expected);
        assert_eq!(run.output, OutputFile::Missing { lookalike: None });
    }
}

/// A child of another thread of the referee may hold it open for a moment.
#[test]
fn a_program_that_is_still_being_written_is_waited_for_but_not_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let path = folder.path().join("agent");
    std::fs::write(&path, "#!/bin/sh\necho done > output.txt\n").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let open = || std::fs::File::options().append(true).open(&path).unwrap();
    let mut seat = Seat::open(&program(vec![path.clone().into()]), &options()).unwrap();
    let job = job(CpuTime::from_secs(60), WallTime::from_secs(600));
    let error = "it is still open for writing".to_owned();
    let refused = Termination::NotStarted { error };

    let file = open();
    assert_eq!(seat.run(&job).unwrap().ended, refused);
    drop(file);

    // How long it is waited for is bounded, so that a writer who gets no processor for that long is too late.
    let mut in_time = || {
        let file = open();
        let writer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            drop(file);
        });
        let run = seat.run(&job).unwrap();
        writer.join().unwrap();
        (run.ended != refused).then_some(run)
    };
    let run = (0..100).find_map(|_| in_time()).expect("it is waited for");
    assert_eq!(run.ended, exited(0));
    assert_eq!(content(&run), b"done\n");
}
