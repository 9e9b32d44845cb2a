//! Events as JSON Lines.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::competition::arena::{Arena, assignment, done, said, small_agents};

/// How often each event is told of each game.
fn counted(lines: &str) -> BTreeMap<(String, String), usize> {
    let mut counted = BTreeMap::new();
    for line in lines.lines() {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let word = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        *counted.entry((word("event"), word("id"))).or_default() += 1;
    }
    counted
}

#[test]
#[ignore = "long: plays competitions"]
fn every_event_is_written_once_as_json() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(4)));
    let to_stdout = said(arena.compete("first", &["--events", "-"]));
    assert_eq!(to_stdout.status, Some(0), "{to_stdout:#?}");
    done(arena.compete("second", &["--events", "events.jsonl"]));
    let to_file = std::fs::read_to_string(arena.path("events.jsonl")).unwrap();

    let ids = arena.manifest("first").games.into_iter().map(|game| game.id);
    let of_games = ids.flat_map(|id| ["game-began", "game-finished"].map(|event| ((event.to_owned(), id.clone()), 1)));
    let round = (("round-planned".to_owned(), String::new()), 3);
    let expected: BTreeMap<_, _> = of_games.chain([round]).collect();
    for lines in [&to_stdout.out, &to_file] {
        assert_eq!(counted(lines), expected);
    }
    // What people read is where it is not in the way.
    assert!(to_stdout.err.contains("winner"), "{}", to_stdout.err);
}

#[test]
fn the_event_of_a_finished_game_has_its_players_and_outcome() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(2)));
    let events = done(arena.compete("run", &["--events", "-"]));
    let finished: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|event: &Value| event["event"] == "game-finished")
        .collect();
    assert_eq!(finished.len(), 2);
    for game in finished {
        let players = ["black", "white"].map(|side| game["players"][side].as_str().unwrap());
        assert!(players == ["a00", "a01"] || players == ["a01", "a00"], "{game}");
        assert_eq!((&game["how"], game["winner"].is_string()), (&"board".into(), true), "{game}");
    }
}

#[test]
#[ignore = "long: plays competitions"]
fn beside_one_job_at_most_the_game_before_is_still_being_kept() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(5)));
    let told = done(arena.compete("run", &["--events", "-", "--pin", "--jobs", "1"]));
    // A game is finished when its record is on disk, which the next game does not wait for.
    let mut unfinished = 0;
    for line in told.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        match event["event"].as_str() {
            Some("game-began") => unfinished += 1,
            Some("game-finished") => unfinished -= 1,
            _ => {}
        }
        assert!((0..=2).contains(&unfinished), "{told}");
    }
}

#[test]
fn events_that_cannot_be_written_are_reported_before_the_first_game() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(2)));
    let refused = said(arena.compete("run", &["--events", "nowhere/events.jsonl"]));
    assert_eq!(refused.status, Some(5));
    assert_eq!(refused.err, "referee: cannot write `nowhere/events.jsonl`: No such file or directory (os error 2)\n");
    assert!(!arena.path("run").exists());
}
