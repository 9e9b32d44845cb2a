//! A run that is killed at any moment and started again ends like one that was left alone.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use referee::records::RunFolder;
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
