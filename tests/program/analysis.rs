//! What the commands say of games that were analyzed. The analyses are made up, and a search has its own tests.

use std::fs;

use referee_games::ProvedResult;
use referee_messages::loser_on_the_board;
use referee_records::{GameRecord, MoveMark};
use serde_json::{Value, json};

use crate::analyses::{Fall, keep, made_up};
use crate::invocation::{assert_contains, printed};
use crate::json_formats::{file_follows, object_follows};
use crate::report_pages::Run;

/// A run with a game that was lost on the board, which is not analyzed, and its record.
fn lost_game() -> (Run, GameRecord) {
    let run = Run::play("checkers");
    let records = ["g0001", "g0002"].map(|id| run.record(id));
    let lost = records.into_iter().find(|record| loser_on_the_board(&record.verdict).is_some());
    (run, lost.expect("the stronger agent wins a game"))
}

/// Keeps an analysis in which the loser's third turn was the mistake, and gives its turn.
fn analyze(run: &Run, record: &GameRecord) -> usize {
    let loser = loser_on_the_board(&record.verdict).unwrap();
    let mut turns = (1..).zip(&record.turns).filter(|(_, turn)| turn.side() == loser && turn.mv().is_some());
    let (turn, _) = turns.nth(2).unwrap();
    let fall = Fall { proved: [Some(ProvedResult::Win), None], ..Fall::of(turn, "E x1 x2", [1.0, 0.25]) };
    let unclear = Fall { mark: Some(MoveMark::Unclear), ..Fall::of(turn + 2, "E x3 x4", [0.25, 0.125]) };
    keep(&run.records(), made_up(record, &[fall, unclear]));
    turn
}

#[test]
fn explain_names_the_mistake_or_how_to_find_it() {
    let (run, record) = lost_game();
    let path = run.records().path_of(&record.id);
    let path = path.to_str().unwrap();
    let hint = format!("for the mistake that lost it, run `referee analyze {path}`\n");
    let plain = printed(&["explain", path], 0);
    let without = plain.strip_suffix(&hint).expect("the hint is the last line");
    let json: Value = serde_json::from_str(&printed(&["explain", path, "--json"], 0)).unwrap();
    assert_eq!(json.get("analysis"), None);

    let turn = analyze(&run, &record);
    file_follows("analysis", &run.records().path_of_analysis(&record.id));
    let told = printed(&["explain", path], 0);
    let words = told.strip_prefix(without).expect("an analysis only adds to an explanation");
    assert!(words.starts_with(&format!("analysis   turn {turn}, `")), "{words}");
    assert_contains(
        words.split_whitespace().collect::<Vec<_>>().join(" "),
        "gave up a won game: `E x1 x2` wins (proved)",
    );
    let text = printed(&["explain", path, "--json"], 0);
    object_follows("explain", &text);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["analysis"]["decisive_turn"], json!(turn));
    assert_eq!(json["analysis"]["sentences"].as_array().unwrap().len(), 1);

    // Neither a copy nor a record that has changed since has an analysis.
    let copy = run.path().join(format!("{}.json", record.id));
    fs::copy(path, &copy).unwrap();
    assert_contains(printed(&["explain", copy.to_str().unwrap()], 0), "run `referee analyze");
    fs::write(path, fs::read_to_string(path).unwrap() + "\n").unwrap();
    assert_eq!(printed(&["explain", path], 0), plain);
}
