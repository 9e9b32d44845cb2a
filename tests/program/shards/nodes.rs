//! Machines that are not alike.

use std::fs;

use super::stage::{planned_round_robin, shard};
use crate::competition::arena::{done, said};

/// Makes the record of a game say that it was played on another kind of machine.
fn elsewhere(arena: &crate::competition::arena::Arena, id: &str) {
    let path = arena.run("run").path_of(id);
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    record["host"]["cpu_model"] = "Slow \u{1b}[31mCPU".into();
    record["host"]["name"] = "n7".into();
    fs::write(&path, record.to_string()).unwrap();
}

#[test]
#[ignore = "long: plays in several processes"]
fn every_game_records_its_machine_and_different_machines_are_reported() {
    let arena = planned_round_robin(3);
    let mut command = shard(&arena, "run", [0, 1], "events", &[]);
    command.env("SLURMD_NODENAME", "n1");
    done(command);
    let even = done(arena.referee(&["status", "run", "--nodes"]));
    assert!(even.contains("\nnode n1: 6 games ("), "{even}");
    assert!(!even.contains("uneven"), "{even}");

    let games = arena.manifest("run").games;
    elsewhere(&arena, &games[0].id);
    let uneven = done(arena.referee(&["status", "run"]));
    assert!(uneven.contains("\nuneven: 1 game on Slow "), "{uneven}");
    assert!(!uneven.contains('\u{1b}'), "{uneven}");
    let split = format!("\nwarning: 1 pair of games were split between different kinds of machines: {}\n", games[0].id);
    assert!(uneven.contains(&split), "{uneven}");

    elsewhere(&arena, &games[1].id);
    let status = said(arena.referee(&["status", "run", "--json"])).out;
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["nodes"]["split_pairs"], serde_json::json!([]));
    assert_eq!(status["nodes"]["nodes"].as_array().unwrap().len(), 2);
}

#[test]
#[ignore = "long: plays in several processes"]
fn half_a_pair_that_was_begun_elsewhere_is_left_to_the_last() {
    let arena = planned_round_robin(4);
    done(shard(&arena, "run", [0, 1], "first", &[]));
    let games = arena.manifest("run").games;
    elsewhere(&arena, &games[0].id);
    for game in games.iter().skip(1).filter(|game| game.id != games[3].id) {
        fs::remove_file(arena.run("run").path_of(&game.id)).unwrap();
    }
    done(shard(&arena, "run", [0, 1], "second", &[]));
    let began = super::stage::told(&arena, "second", "game-began");
    assert_eq!(began.len(), 10);
    // The half of the second pair, which was begun here, has its turn; that of the first has to wait.
    assert_eq!((&began[0], began.last().unwrap()), (&games[2].id, &games[1].id), "{began:?}");
}
