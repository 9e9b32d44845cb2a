//! A run that is killed at any moment and started again ends like one that was left alone.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use referee::records::{RunFolder, TurnRecord};
use referee::seat::Termination;
use tempfile::TempDir;

const GAMES: usize = 6;

fn play(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args([
        "play",
        "builtin:random",
        "builtin:minimax,depth=1",
        "--game",
        "duo-othello",
        "--jobs",
        "2",
    ]);
    command
        .args(["--games", &GAMES.to_string(), "--seed", "5", "--out"])
        .arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The moves of every game, and who won it: what a seed determines. Times differ from run to run.
fn games(out: &Path) -> Vec<(String, Vec<String>, String)> {
    let run = RunFolder::open(out).expect("the run has a manifest");
    let ids = run
        .finished(&run.manifest().expect("the manifest can be read"))
        .into_iter();
    let game = |id: String| {
        let record = run.game(&id).expect("a finished game has a whole record");
        let moves = record.turns.iter().map(|turn| format!("{:?}", turn.mv())).collect();
        (id, moves, format!("{:?}", record.verdict.winner()))
    };
    ids.map(game).collect()
}

#[test]
fn a_run_that_is_killed_and_resumed_equals_one_that_was_left_alone() {
    let folder = TempDir::new().expect("there is room for a run");
    let (disturbed, undisturbed) = (folder.path().join("disturbed"), folder.path().join("undisturbed"));
    for milliseconds in [20, 250, 400] {
        let mut running = play(&disturbed).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        running.kill().expect("it can be killed");
        running.wait().expect("it ends");
    }
    for out in [&disturbed, &undisturbed] {
        assert!(play(out).status().expect("it runs").success());
    }
    let games = [games(&disturbed), games(&undisturbed)];
    assert_eq!(games[0].len(), GAMES);
    assert_eq!(games[0], games[1]);
}

/// An agent that a signal ends in each run, until there is the file `peace`; then it gives up.
fn killed_before(path: &Path, peace: &Path) {
    let text = format!("#!/bin/sh\n[ -e '{}' ] && exit 3\nkill -TERM $$\n", peace.display());
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_agent_that_is_ended_together_with_the_run_has_not_lost() {
    let folder = TempDir::new().unwrap();
    // The agent may be another user.
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let [agent, peace, out] = ["agent", "peace", "run"].map(|name| folder.path().join(name));
    killed_before(&agent, &peace);
    let play = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command
            .arg("play")
            .arg(&agent)
            .args(["builtin:random", "--game", "star-circle"]);
        command.args(["--isolation", "bare", "--out"]).arg(&out);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    // Whoever ends a whole session may reach the agent first.
    let mut running = play().spawn().unwrap();
    let began = Instant::now();
    while !out.join("live/g0001.json").exists() {
        assert!(began.elapsed() < Duration::from_mins(10), "no game begins");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    kill(Pid::from_raw(i32::try_from(running.id()).unwrap()), Signal::SIGTERM).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert_eq!(games(&out), []);
    std::fs::write(&peace, "").unwrap();
    assert!(play().status().unwrap().success());
    assert_eq!(ends(&out), [Termination::Exited { status: 3 }]);
    // Where nobody has ended anything, it has lost, as whoever ends itself has.
    std::fs::remove_dir_all(&out).unwrap();
    std::fs::remove_file(&peace).unwrap();
    assert!(play().status().unwrap().success());
    assert!(matches!(*ends(&out), [Termination::Signalled { signal: 15, .. }]));
}

/// How the last run of each game ended.
fn ends(out: &Path) -> Vec<Termination> {
    let run = RunFolder::open(out).unwrap();
    let ids = run.finished(&run.manifest().unwrap()).into_iter();
    let last = |id: String| match run.game(&id).unwrap().turns.pop() {
        Some(TurnRecord::Run { run, .. }) => run.ended,
        turn => panic!("{turn:?}"),
    };
    ids.map(last).collect()
}
