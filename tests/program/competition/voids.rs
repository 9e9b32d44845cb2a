//! Games that are void whenever they are played: set aside, told of, and nobody else's trouble.
//!
//! A game is made void by writing nonsense for its start into the manifest, which nothing that an agent does can bring
//! about.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::competition::arena::{Arena, assignment, done, said, small_agents};
use crate::invocation::assert_contains;

/// A round robin of so many agents, planned in `run`.
fn planned(agents: usize) -> Arena {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(agents)));
    done(arena.referee(&["plan", "small.toml", "--out", "run", "--jobs", "2"]));
    arena
}

/// Breaks the games of the run for which `broken` holds, by the names of their players; gives back the manifest as it
/// was.
fn break_games(arena: &Arena, broken: impl Fn(&str, &str) -> bool) -> (Value, Vec<String>) {
    let path = arena.path("run/manifest.json");
    let sound: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut changed = sound.clone();
    let mut ids = Vec::new();
    for game in changed["games"].as_array_mut().unwrap() {
        let players = ["black", "white"].map(|side| game[side].as_str().unwrap().to_owned());
        if broken(&players[0], &players[1]) {
            game["start"] = serde_json::json!(["no board"]);
            ids.push(game["id"].as_str().unwrap().to_owned());
        }
    }
    fs::write(path, changed.to_string()).unwrap();
    (sound, ids)
}

fn mend(arena: &Arena, sound: &Value) {
    fs::write(arena.path("run/manifest.json"), sound.to_string()).unwrap();
}

/// How often something was void, by its name and when it is retried.
fn voids(events: &str) -> BTreeMap<(String, String), usize> {
    let lines = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut counts = BTreeMap::new();
    for line in lines.filter(|line| line["event"] == "voided") {
        let word = |key: &str| line[key].as_str().unwrap().to_owned();
        *counts.entry((word("id"), word("retry"))).or_default() += 1;
    }
    counts
}

/// Every broken game is tried at once again, after everything else, and then when the run is resumed.
fn expected(ids: &[String]) -> BTreeMap<(String, String), usize> {
    let each = |id: &String| ["later", "now", "when-resumed"].map(|retry| ((id.clone(), retry.to_owned()), 1));
    ids.iter().flat_map(each).collect()
}

#[test]
#[ignore = "long: plays competitions"]
fn a_game_that_is_void_is_set_aside_and_the_others_are_played() {
    let arena = planned(4);
    let (sound, ids) = break_games(&arena, |black, white| [black, white].contains(&"a02"));
    assert_eq!(ids.len(), 6);
    let first = said(arena.compete("run", &["--events", "events.jsonl"]));
    assert_eq!(first.status, Some(1), "{first:#?}");
    // What is not of that agent has been played; what is counts for nobody, neither as lost nor as won.
    assert_eq!(arena.games("run").len(), 6);
    assert!(arena.games("run").keys().all(|id| !ids.contains(id)));
    let events = fs::read_to_string(arena.path("events.jsonl")).unwrap();
    assert_eq!(voids(&events), expected(&ids));
    assert_contains(&first.err, "by agent: a00 2, a01 2, a02 6, a03 2");
    assert!(first.err.contains("`a02` is suspect"), "{}", first.err);
    for id in &ids {
        assert!(first.err.contains(&format!("missing: {id} (")), "{}", first.err);
    }
    assert!(
        first.err.ends_with(
            "referee: 6 results are missing: every attempt failed; nobody gains or loses points by them; rerun the \
             same command to retry, or add `--withdraw NAME` to continue without that agent\n"
        ),
        "{}",
        first.err
    );

    mend(&arena, &sound);
    let out = done(arena.compete("run", &[]));
    assert_eq!(arena.games("run").len(), 12);
    assert!(out.contains("winner"), "{out}");
}

#[test]
#[ignore = "long: plays competitions"]
fn shards_set_a_void_game_aside_and_a_later_shard_plays_it() {
    let arena = planned(4);
    let (sound, ids) = break_games(&arena, |black, white| [black, white].contains(&"a02"));
    let first = said(arena.referee(&["shard", "run", "--jobs", "2", "--events", "events.jsonl"]));
    assert_eq!(first.status, Some(1), "{first:#?}");
    assert_eq!(arena.games("run").len(), 6);
    let events = fs::read_to_string(arena.path("events.jsonl")).unwrap();
    assert_eq!(voids(&events), expected(&ids));
    assert!(first.err.contains("`a02` is suspect"), "{}", first.err);

    mend(&arena, &sound);
    done(arena.referee(&["shard", "run", "--jobs", "2"]));
    assert_eq!(arena.games("run").len(), 12);
}

/// A bracket waits for every game of its round; who wrote the run's agents need not be there to go on.
#[test]
#[ignore = "long: plays competitions"]
fn a_bracket_that_a_void_game_holds_up_goes_on_without_an_agent() {
    let arena = Arena::new(&assignment("\"knockout\"", &small_agents(4)));
    done(arena.referee(&["plan", "small.toml", "--out", "run", "--jobs", "2"]));
    break_games(&arena, |black, white| [black, white].contains(&"a02"));
    let advice = "continue by withdrawing an agent with `referee plan --next run --withdraw NAME`";
    assert_contains(said(arena.referee(&["shard", "run", "--jobs", "2"])).err, advice);
    assert_contains(said(arena.referee(&["status", "run"])).out, advice);
    let stranger = said(arena.referee(&["plan", "--next", "run", "--withdraw", "nobody"]));
    assert_eq!(stranger.err, "referee: no agent named `nobody` in this competition\n");
    let planned = done(arena.referee(&["plan", "--next", "run", "--withdraw", "a02"]));
    assert_eq!(planned, "planned 2 games\n");
    done(arena.referee(&["shard", "run", "--jobs", "2"]));
    assert!(!done(arena.referee(&["plan", "--next", "run"])).starts_with("waiting"));
}

#[test]
#[ignore = "long: plays competitions"]
fn one_void_game_of_two_agents_accuses_neither() {
    let arena = planned(3);
    break_games(&arena, |black, white| {
        let mut players = [black, white];
        players.sort_unstable();
        players == ["a00", "a01"]
    });
    let said = said(arena.compete("run", &[]));
    assert_eq!(said.status, Some(1), "{said:#?}");
    assert!(said.err.contains("by agent: a00 2, a01 2"), "{}", said.err);
    assert!(!said.err.contains("suspect"), "{}", said.err);
}
