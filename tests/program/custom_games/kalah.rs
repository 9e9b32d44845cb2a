//! The example whose game has extra turns, scores and numbers on its board.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::{ROOT, succeeds};
use crate::invocation::assert_contains;

#[test]
#[ignore = "long: plays by rules in another process"]
fn kalah_sows_captures_and_gives_extra_turns() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let rules = format!("{ROOT}/examples/rules/kalah.py");
    let checked = succeeds(within, &["game", "check", &rules, "--positions", "60"]);
    assert!(checked.ends_with("ready to referee\n"), "{checked}");
    assert!(!checked.contains("warning"), "{checked}");
    // The seeds of the side to move, its store last, and of the other side; the board and the stores afterwards.
    let table = [
        ("4 4 4 4 4 4 0", "4 4 4 4 4 4 0", "c1", ".444444.\n.44.5551", "SOUTH: 1", "NORTH: 0"),
        ("0 1 0 0 0 0 20", "0 0 0 5 0 0 22", "b1", "M.......\n.......Q", "SOUTH: 26", "NORTH: 22"),
        ("13 0 0 0 0 0 10", "0 0 0 0 0 0 25", "a1", "P.11111.\n..11111D", "SOUTH: 13", "NORTH: 25"),
    ];
    for (own, others, mv, board, south, north) in table {
        fs::write(within.join("input.txt"), format!("SOUTH\n9\n{own}\n{others}\n")).expect("written");
        fs::write(within.join("output.txt"), mv).expect("written");
        let judge = ["judge", "--game", &rules, "--input", "input.txt", "--output", "output.txt", "--json"];
        let judged: Value = serde_json::from_str(&succeeds(within, &judge)).expect("JSON");
        assert_eq!(judged["next"], board, "{judged}");
        assert_eq!(judged["notes"], format!("{south} in the store; {north} in the store"));
    }
    let play = ["play", "--game", &rules, "builtin:random,seed=1", "builtin:random,seed=2", "--out", "run"];
    succeeds(within, &play);
    assert_contains(succeeds(within, &["replay", "run/games/g0001.json"]), " passes\n");
    assert_contains(succeeds(within, &["verify", "run"]), ", 0 different");
}
