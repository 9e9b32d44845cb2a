//! Whole games of the sample agents, each move a process of its own, as a newcomer would play them.

use std::path::Path;
use std::process::Output;

use referee_games::KnownGames;
use referee_records::{RunFolder, Verdict};
use referee_submissions::agents::Language;
use tempfile::TempDir;

use crate::invocation::{command, stderr};
use crate::toolbox::{CPP, JAVA, PYTHON3, has};

fn referee(arguments: &[&str]) -> Output {
    let mut command = command(arguments);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("it runs")
}

/// Plays two games, both colours each, and expects that nobody forfeits, that both clocks were charged, and that the
/// records verify.
fn play_both_colours(a: &str, b: &str, game: &str, languages: &[Language]) {
    if !languages.iter().all(|&language| has(language)) {
        return;
    }
    let folder = TempDir::new().expect("there is room for a run");
    let out = folder.path().join("run");
    let path = out.to_str().expect("a temporary folder has a plain name");
    let played = referee(&["play", a, b, "--game", game, "--games", "2", "--exact", "--out", path]);
    let said = stderr(&played);
    let begins = format!("playing 2 games with 1 job; results go to `{path}`\n");
    assert!(played.status.success() && said == begins, "{a} against {b}: {said}");
    expect_clean_games(&out);
    let verified = referee(&["verify", path]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

fn expect_clean_games(out: &Path) {
    let run = RunFolder::open(out, &KnownGames::builtin()).expect("the run has a manifest");
    let games = run.finished(&run.manifest().expect("the manifest can be read"));
    assert_eq!(games.len(), 2);
    for id in games {
        let record = run.game(&id).expect("a finished game has a record");
        let is_played_out = !matches!(record.verdict, Verdict::Forfeit { .. });
        assert!(is_played_out, "{id}: {:?}", record.verdict);
        let charged = record.turns.iter().filter(|turn| turn.charged().micros() > 0).count();
        let passes = record.turns.iter().filter(|turn| turn.is_pass()).count();
        assert_eq!(charged + passes, record.turns.len(), "{id}: a run was not charged");
    }
}

#[test]
#[ignore = "long: plays whole games"]
fn checkers_in_python_against_the_minimax_agent() {
    play_both_colours("agents/checkers-python", "builtin:minimax", "checkers", &[PYTHON3]);
}

#[test]
#[ignore = "long: plays whole games"]
fn checkers_in_cpp_against_java() {
    play_both_colours("agents/checkers-cpp", "agents/checkers-java", "checkers", &[CPP, JAVA]);
}

#[test]
#[ignore = "long: plays whole games"]
fn halma_in_python_against_the_random_agent() {
    play_both_colours("agents/halma-python", "builtin:random", "halma", &[PYTHON3]);
}

#[test]
#[ignore = "long: plays whole games"]
fn heirs_in_python_against_the_minimax_agent() {
    play_both_colours("agents/heirs-python", "builtin:minimax,depth=1", "heirs", &[PYTHON3]);
}

#[test]
#[ignore = "long: plays whole games"]
fn little_go_in_python_against_the_greedy_agent() {
    play_both_colours("agents/little-go-python", "builtin:greedy", "little-go", &[PYTHON3]);
}

#[test]
#[ignore = "long: plays whole games"]
fn duo_othello_in_python_against_the_minimax_agent() {
    play_both_colours("agents/duo-othello-python", "builtin:minimax,depth=1", "duo-othello", &[PYTHON3]);
}
