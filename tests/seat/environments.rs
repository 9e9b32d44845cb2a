//! Older kernels, machines with fewer rights, and containers: games are played and judged everywhere, and
//! `docs/environments.md` has a row for each, which is made here and compared.
//!
//! What a machine lacks is taken away by filters (`tests/kernels`). In a container, `.ci/container` runs this with the
//! name of the environment in [`NAMED`], and only its own row is made.

use std::path::Path;

use nix::libc;
use referee_seat::Isolation;
use serde_json::Value;

use crate::invocation::{command, printed, status, stderr};
use crate::kernels::{NAMED, REFUSED_TOGETHER, Refusal, below, in_container};
use crate::levels::levels;
use crate::skips::{ISOLATION, TOOLS, skip};

/// A machine on which nothing is refused.
const EVERYTHING: &str = "Linux 6.2 or newer";

/// What is taken away from this machine, by the name of the row.
const LESS: [(&str, &[Refusal]); 7] = [
    ("without `perf_event_open`", &[Refusal::Forbidden(libc::SYS_perf_event_open)]),
    ("without user namespaces", &[Refusal::Namespaces]),
    ("without both", &[Refusal::Namespaces, Refusal::Forbidden(libc::SYS_perf_event_open)]),
    ("the first version of Landlock (Linux 5.13)", &[Refusal::LandlockVersion(1)]),
    ("without Landlock (before Linux 5.13)", &[Refusal::Unknown(libc::SYS_landlock_create_ruleset)]),
    ("Linux 4.18", &[Refusal::NewerThan4_18]),
    ("everything refused together", &REFUSED_TOGETHER),
];

/// How a row ends that no test makes.
const BY_HAND: &str = " by hand |";

const PAGE: &str = include_str!("../../docs/environments.md");

/// Agents lose nothing when the referee does without one of these.
const UNNEEDED: [(&str, libc::c_long); 13] = [
    ("statx", libc::SYS_statx),
    ("renameat2", libc::SYS_renameat2),
    ("memfd_create", libc::SYS_memfd_create),
    ("copy_file_range", libc::SYS_copy_file_range),
    ("pidfd_send_signal", libc::SYS_pidfd_send_signal),
    ("io_uring_setup", libc::SYS_io_uring_setup),
    ("open_tree", libc::SYS_open_tree),
    ("pidfd_open", libc::SYS_pidfd_open),
    ("clone3", libc::SYS_clone3),
    ("close_range", libc::SYS_close_range),
    ("openat2", libc::SYS_openat2),
    ("faccessat2", libc::SYS_faccessat2),
    ("epoll_pwait2", libc::SYS_epoll_pwait2),
];

#[test]
#[ignore = "long: every environment"]
fn each_system_call_that_is_not_needed_may_be_unknown_or_forbidden() {
    let Some(homework) = Homework::new() else { return };
    let usual = homework.played(&[]);
    for (name, call) in UNNEEDED {
        assert_eq!(homework.played(&[Refusal::Unknown(call)]), usual, "`{name}` unknown");
    }
    for (name, call) in [("pidfd_open", libc::SYS_pidfd_open), ("close_range", libc::SYS_close_range)] {
        assert_eq!(homework.played(&[Refusal::Forbidden(call)]), usual, "`{name}` forbidden");
    }
}

/// Where one of these is missing, the level is lower and the doctor says why.
#[test]
#[ignore = "long: every environment"]
fn a_system_call_that_a_level_needs_lowers_it_with_a_reason() {
    let Some(homework) = Homework::new() else { return };
    if in_container() || levels().len() < 3 {
        skip(&ISOLATION, "this machine has no level to lose");
        return;
    }
    for (call, level, lost) in [
        (libc::SYS_mount_setattr, "confined", "read-only mounts"),
        (libc::SYS_landlock_create_ruleset, "bare", "Landlock"),
    ] {
        let refusals = [Refusal::Unknown(call)];
        assert_eq!(homework.played(&refusals).isolation, level);
        let missing = examined(&refusals)["missing"].clone();
        let named = missing.as_array().is_some_and(|all| all.iter().any(|one| one["name"] == lost));
        assert!(named, "{lost}: {missing}");
    }
}

#[test]
#[ignore = "long: every environment"]
fn the_table_of_environments_is_true_for_this_user() {
    let Some(homework) = Homework::new() else { return };
    let mut rows = Vec::new();
    if let Ok(name) = std::env::var(NAMED) {
        rows.push(made(&name, &[], &homework));
    } else if levels().len() < 3 {
        skip(&ISOLATION, "this machine is none of the table");
    } else {
        // The doctor mostly waits, so all are asked at once.
        let all: Vec<(&str, &[Refusal])> = [(EVERYTHING, &[] as &[Refusal])].into_iter().chain(LESS).collect();
        std::thread::scope(|scope| {
            let homework = &homework;
            let made = |(name, refusals)| scope.spawn(move || made(name, refusals, homework));
            let threads: Vec<_> = all.into_iter().map(made).collect();
            rows.extend(threads.into_iter().map(|thread| thread.join().unwrap()));
        });
    }
    rows.sort();
    let mut documented: Vec<&str> = PAGE.lines().filter(|line| is_made_here(line)).collect();
    documented.sort_unstable();
    assert_eq!(rows, documented, "made here, and in `docs/environments.md`");
}

/// Whether a line of the page is a row that a test makes, and not in another environment or for the other user.
fn is_made_here(line: &str) -> bool {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let has_level = Isolation::ALL.iter().any(|level| cells.contains(&format!("`{level}`").as_str()));
    if !has_level || line.ends_with(BY_HAND) {
        return false;
    }
    let [_, name, whose, ..] = cells[..] else { return true };
    let elsewhere = std::env::var(NAMED).map_or_else(|_| name.starts_with("container"), |here| name != here);
    let [_, other_user] = users();
    !elsewhere && whose != other_user
}

/// The user of this test, and the other kind.
fn users() -> [&'static str; 2] {
    if nix::unistd::geteuid().is_root() { ["root", "ordinary user"] } else { ["ordinary user", "root"] }
}

/// A row of the table, where a game was played as the doctor says.
fn made(name: &str, refusals: &[Refusal], homework: &Homework) -> String {
    let examination = examined(refusals);
    let expected = Played { isolation: text(&examination["isolation"]), meter: text(&examination["meter"]["meter"]) };
    assert_eq!(homework.played(refusals), expected, "{name}");
    row(name, &examination)
}

fn row(name: &str, examination: &Value) -> String {
    let checks = examination["protections"].as_array().expect("the doctor has attacked");
    let held = checks.iter().filter(|check| check["finding"] == "good").count();
    let meter = text(&examination["meter"]["meter"]);
    let verdict = if held == checks.len() && meter != "rusage" { "fit for grading" } else { "fit for practice" };
    format!(
        "| {name} | {} | `{}` | `{meter}` | {held} of {} | {verdict} |",
        users()[0],
        text(&examination["isolation"]),
        checks.len()
    )
}

/// What the doctor finds. It also calls a machine unfit whose processors are busy, which is no matter of the
/// environment; so its verdict is checked against the rule of the table with what it found on that.
fn examined(refusals: &[Refusal]) -> Value {
    // Without languages, which are not asked for, it takes a third of the time.
    let output = below(refusals, || command(&["doctor", "--json"]).env("PATH", "/nonexistent").output());
    let output = output.expect("it runs");
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("expected one JSON object: {error}: {}", stderr(&output));
    });
    let examination = said["examination"].clone();
    if examination["meter"]["meter"] == "rusage" {
        expect_the_trick_to_hide_time(&examination["meter"]["tricks"]);
    }
    let none = |part: &Value, key: &str, value: &str| {
        let all = part.as_array().expect("a list");
        all.iter().all(|one| one[key] != value)
    };
    let holds = none(&examination["protections"], "finding", "bad") && examination["meter"]["meter"] != "rusage";
    let quiet = none(&examination["fairness"], "finding", "bad");
    let exact = examination["meter"]["tricks"].as_array().expect("tricks were played").iter().all(|trick| {
        let keys = ["burned_cpu_us", "charged_cpu_us", "processes"];
        let [burned, charged, processes] = keys.map(|key| trick[key].as_u64().expect("a number"));
        burned.abs_diff(charged) <= 5_000 * processes
    });
    assert_eq!(said["fitness"] == "fit-to-grade", holds && quiet && exact, "{said}");
    examination
}

/// Only one trick hides anything from the meter `rusage`. Alone in a container, that is in doubt, nothing else.
fn expect_the_trick_to_hide_time(tricks: &Value) {
    let tricks = tricks.as_array().expect("tricks were played");
    for trick in tricks {
        let keys = ["burned_cpu_us", "charged_cpu_us", "in_doubt_cpu_us", "processes"];
        let [burned, charged, in_doubt, processes] = keys.map(|key| trick[key].as_u64().expect("a time"));
        let hides = text(&trick["name"]).ends_with("ignores SIGCHLD");
        assert!(!hides || charged < burned / 2, "{trick}");
        if in_container() {
            assert_eq!(in_doubt > 0, hides, "{trick}");
            assert!(!hides || charged + in_doubt >= burned - 5_000 * processes, "{trick}");
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// How a seat of a game was isolated and measured.
#[derive(Debug, PartialEq, Eq)]
struct Played {
    isolation: String,
    meter: String,
}

/// An agent that answers at once, with an illegal move.
struct Homework(tempfile::TempDir);

impl Homework {
    /// `None`, with a printed message, without Python.
    fn new() -> Option<Self> {
        if std::process::Command::new("python3").arg("--version").output().is_err() {
            skip(&TOOLS, "`python3` is not installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let program = "open('output.txt', 'w').write('E c3 b4\\n')\n";
        std::fs::write(folder.path().join("homework.py"), program).unwrap();
        Some(Self(folder))
    }

    /// Plays a game, which has the expected result and is verified.
    fn played(&self, refusals: &[Refusal]) -> Played {
        let out = tempfile::tempdir().unwrap();
        let run = out.path().join("run");
        let (agent, folder) = (path(self.0.path()), path(&run));
        let play = [
            "play",
            "--game",
            "checkers",
            "--games",
            "1",
            "--time",
            "30",
            "--seed",
            "3",
            "--out",
            folder,
            agent,
            "builtin:random",
        ];
        let (output, verified) = below(refusals, || {
            let output = command(&play).output().expect("it runs");
            (output, printed(&["verify", folder], 0))
        });
        assert_eq!(status(&output), 0, "{refusals:?}: {}", stderr(&output));
        assert!(verified.contains("1 game, 1 turn, 0 different"), "{refusals:?}: {verified}");
        let record = std::fs::read(run.join("games/g0001.json")).unwrap();
        let record: Value = serde_json::from_slice(&record).unwrap();
        assert_eq!(record["verdict"]["fault"]["kind"], "illegal-move", "{refusals:?}");
        let seat = &record["players"]["black"];
        Played { isolation: text(&seat["isolation"]), meter: text(&seat["meter"]) }
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}
