//! `referee analyze` on real games: the same bytes everywhere, only what is missing, and what it refuses.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use nix::sys::signal::Signal;
use referee_games::builtin::NodeLimit;
use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::{assert_contains, listen_to_signals, printed, referee, status, stderr};
use crate::json_formats::{file_follows, object_follows};
use crate::pseudo_terminal::{PseudoTerminal, Size};
use crate::report_pages::Run;

/// The analyses of a run, by the names of their files.
fn analyses(run: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(run.join("analysis")).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())).collect()
}

fn analyze(run: &Path, more: &[&str]) -> String {
    printed(&[&["analyze", run.to_str().unwrap(), "--nodes", "500"], more].concat(), 0)
}

/// Changes the record of the first game, so that it does not follow the rules.
fn break_rules(run: &Run) {
    let record = run.path().join("games/g0001.json");
    let text = fs::read_to_string(&record).unwrap();
    let broken = text.replacen("\"charged_cpu_us\":", "\"charged_cpu_us\":1", 1);
    assert_ne!(broken, text);
    fs::write(&record, broken).unwrap();
}

#[test]
#[ignore = "long: analyzes many games"]
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
#[ignore = "long: analyzes many games"]
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
#[ignore = "long: analyzes many games"]
fn a_record_that_breaks_the_rules_is_named_and_the_others_are_analyzed() {
    let run = Run::play("star-circle");
    break_rules(&run);
    let output = referee(&["analyze", run.path().to_str().unwrap(), "--nodes", "300"]);
    assert_eq!(status(&output), 3, "{}", stderr(&output));
    assert_contains(stderr(&output), "1 game cannot be analyzed");
    assert_eq!(analyses(run.path()).len(), 1);
}

#[test]
#[ignore = "long: analyzes many games"]
fn commands_that_show_games_first_analyze_what_is_missing_if_asked() {
    let run = Run::play("star-circle");
    let [first, second] = ["g0001", "g0002"].map(|id| run.path().join("games").join(format!("{id}.json")));
    let [first, second] = [&first, &second].map(|path| path.to_str().unwrap());
    printed(&["explain", first], 0);
    assert!(!run.path().join("analysis").exists(), "nobody has asked");
    // Another number of nodes is no reason to do it again.
    printed(&["analyze", first, "--nodes", "300"], 0);
    let earlier = analyses(run.path());

    let explained: Value = serde_json::from_str(&printed(&["explain", second, "--analyze", "--json"], 0)).unwrap();
    assert!(explained["analysis"]["sentences"].is_array(), "{explained}");
    let both = analyses(run.path());
    assert_eq!((&both["g0001.json"], both.len()), (&earlier["g0001.json"], 2));
    printed(&["analyze", second], 0);
    assert_eq!(analyses(run.path()), both, "as `analyze` makes it");

    fs::remove_file(run.path().join("analysis/g0002.json")).unwrap();
    let view = run.view(&["--analyze"]);
    let analyzed = view["replays"].as_array().unwrap().iter().filter(|replay| replay["analysis"].is_object());
    assert_eq!(analyzed.count(), 2);
    assert_eq!(analyses(run.path()), both);

    // A record without a run has no place for an analysis, and is analyzed all the same.
    let elsewhere = TempDir::new().unwrap();
    let copy = elsewhere.path().join("game.json");
    fs::copy(second, &copy).unwrap();
    assert_contains(printed(&["replay", copy.to_str().unwrap(), "--turn", "1", "--analyze"], 0), "(expected score)");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[test]
#[ignore = "long: analyzes many games"]
fn a_page_is_made_although_a_game_cannot_be_analyzed() {
    let run = Run::play("star-circle");
    break_rules(&run);
    let output = referee(&["report", run.path().to_str().unwrap(), "--analyze"]);
    assert_eq!(status(&output), 3, "{}", stderr(&output));
    let refused = "1 game cannot be analyzed; the first: g0001: the record does not follow the rules: turn 1: ";
    assert_contains(stderr(&output), refused);
    assert_contains(stderr(&output), "referee: 1 record cannot be read; the others are counted");
    assert_eq!(analyses(run.path()).keys().collect::<Vec<_>>(), ["g0002.json"]);
    assert!(run.path().join("report.html").exists());
}

/// The second game would take days.
#[test]
#[ignore = "long: analyzes many games"]
fn an_interrupted_analysis_says_what_is_done_and_how_to_resume() {
    let run = Run::play("checkers");
    let record = run.path().join("games/g0001.json");
    printed(&["analyze", record.to_str().unwrap(), "--nodes", "100"], 0);
    let path = run.path().join("analysis/g0001.json");
    let nodes = NodeLimit::MAX.to_string();
    let text = fs::read_to_string(&path).unwrap().replacen("\"nodes\":100", &format!("\"nodes\":{nodes}"), 1);
    fs::write(&path, text).unwrap();
    let arguments = ["analyze", run.path().to_str().unwrap(), "--nodes", &nodes, "--jobs", "1"];
    let program = Path::new(env!("CARGO_BIN_EXE_referee"));
    listen_to_signals();
    let mut terminal = PseudoTerminal::start(program, &arguments, Size { rows: 24, columns: 80 }, &[]);
    terminal.until(|lines| lines.iter().any(|line| line.contains("1/2 games analyzed")));
    terminal.signal(Signal::SIGINT);
    terminal.until(|lines| {
        let words: Vec<String> = lines.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect();
        words.join(" ").ends_with("interrupted after 1 of 2 games; rerun the same command to analyze the others")
    });
    assert_eq!(terminal.end().code(), Some(130));
    assert!(!terminal.lines().iter().any(|line| line.contains("games analyzed")), "the bar is removed");
    let kept = fs::read_dir(run.path().join("analysis")).unwrap();
    assert_eq!(kept.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>(), ["g0001.json"]);
}

#[test]
#[ignore = "long: analyzes many games"]
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
