//! `referee analyze` on real games: the same bytes everywhere, only what is missing, and what it refuses.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::{assert_contains, printed, referee, status, stderr};
use crate::json_formats::{file_follows, object_follows};
use crate::report_pages::Run;

/// The analyses of a run, by the names of their files.
fn analyses(run: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(run.join("analysis")).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())).collect()
}

fn analyze(run: &Path, more: &[&str]) -> String {
    printed(&[&["analyze", run.to_str().unwrap(), "--nodes", "500"], more].concat(), 0)
}

#[test]
fn the_number_of_threads_changes_no_byte_and_nothing_is_analyzed_twice() {
    let run = Run::play("checkers");
    assert_contains(analyze(run.path(), &["--jobs", "1", "--confirm", "2"]), "analyzed 2 games, in ");
    let alone = analyses(run.path());
    assert_eq!(alone.len(), 2);
    for name in alone.keys() {
        file_follows("analysis", &run.path().join("analysis").join(name));
    }
    assert_contains(analyze(run.path(), &["--confirm", "2"]), "analyzed 2 games (2 already analyzed), in ");
    fs::remove_dir_all(run.path().join("analysis")).unwrap();
    analyze(run.path(), &["--jobs", "2", "--confirm", "2"]);
    assert_eq!(analyses(run.path()), alone);

    // Other settings make them out of date.
    let text = analyze(run.path(), &["--json"]);
    object_follows("analyze", &text);
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&found["analyzed"], &found["current"]), (&Value::from(2), &Value::from(0)));
    assert_eq!(found["nodes"], 500);
    assert_eq!(found["lost"], 0, "games of built-in agents teach a class nothing");
    assert_ne!(analyses(run.path()), alone);
}

#[test]
fn a_built_in_agent_under_another_name_is_no_participant() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    let play = ["play", "first=builtin:random", "second=builtin:minimax,depth=1", "--game", "star-circle"];
    let more = ["--games", "2", "--time", "20", "--seed", "1", "--out", run.to_str().unwrap()];
    printed(&[&play[..], &more].concat(), 0);
    assert!(!analyze(&run, &[]).contains("what lost"), "games of built-in agents teach a class nothing");
}

/// An analysis that somebody has cut short.
#[test]
fn an_analysis_that_lacks_turns_is_made_again() {
    let run = Run::play("little-go");
    analyze(run.path(), &[]);
    let whole = analyses(run.path());
    let path = run.path().join("analysis/g0001.json");
    let mut cut: Value = serde_json::from_str(&whole["g0001.json"]).unwrap();
    cut["turns"].as_array_mut().unwrap().pop();
    fs::write(&path, cut.to_string()).unwrap();
    assert_contains(analyze(run.path(), &[]), "(1 already analyzed)");
    assert_eq!(analyses(run.path()), whole);
}

#[test]
fn the_analysis_of_a_record_is_that_of_its_run() {
    let run = Run::play("duo-othello");
    let record = run.path().join("games/g0001.json");
    let record = record.to_str().unwrap();
    printed(&["analyze", record, "--nodes", "300"], 0);
    let one = analyses(run.path());
    assert_eq!(one.keys().collect::<Vec<_>>(), ["g0001.json"]);
    let json = printed(&["analyze", record, "--nodes", "300", "--json"], 0);
    assert_eq!(json, one["g0001.json"]);
    // A copy elsewhere is analyzed and leaves nothing.
    let elsewhere = TempDir::new().unwrap();
    let copy = elsewhere.path().join("game.json");
    fs::copy(record, &copy).unwrap();
    assert_eq!(printed(&["analyze", copy.to_str().unwrap(), "--nodes", "300", "--json"], 0), json);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[test]
fn a_record_that_breaks_the_rules_is_named_and_the_others_are_analyzed() {
    let run = Run::play("star-circle");
    let record = run.path().join("games/g0001.json");
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replacen("\"white\"", "\"black\"", 1)).unwrap();
    let output = referee(&["analyze", run.path().to_str().unwrap(), "--nodes", "300"]);
    assert_eq!(status(&output), 3, "{}", stderr(&output));
    assert_contains(stderr(&output), "1 game cannot be analyzed");
    assert_eq!(analyses(run.path()).len(), 1);
}

#[test]
fn curves_are_fitted_and_must_fit() {
    let folder = TempDir::new().unwrap();
    let curve = folder.path().join("curve.json");
    let curve = curve.to_str().unwrap();
    let fit = ["analyze", "--fit", "--game", "little-go", "--fit-games", "12", "--nodes", "50", "--curve", curve];
    printed(&fit, 0);
    let first = fs::read_to_string(curve).unwrap();
    printed(&[&fit[..], &["--jobs", "1"]].concat(), 0);
    assert_eq!(fs::read_to_string(curve).unwrap(), first, "the same seed gives the same curve");
    let run = Run::play("little-go");
    let nodes = |more: &[&str]| {
        let found = printed(&[&["analyze", run.path().to_str().unwrap(), "--json"], more].concat(), 0);
        serde_json::from_str::<Value>(&found).unwrap()["nodes"].as_u64()
    };
    assert_eq!(nodes(&["--curve", curve]), Some(50), "a search is as long as for the curve");
    assert_eq!(nodes(&[]), Some(10_000));
    let run = Run::play("checkers");
    let output = referee(&["analyze", run.path().to_str().unwrap(), "--curve", curve]);
    assert_eq!(status(&output), 3);
    assert_contains(stderr(&output), "the curve is of `little-go`, not of checkers");
    let output = referee(&["analyze", "--fit"]);
    assert_eq!(status(&output), 2);
    assert_contains(stderr(&output), "`--fit` needs a run, or `--game` and `--curve`");
}
