//! A shard that is frozen for longer than a claim lives: it finds the world changed, and changes nothing.

use std::fs;

use nix::sys::signal::Signal;

use super::stage::{ended_awake, quiet, send, shard, slow_pair, told, until};

#[test]
fn the_late_result_of_a_frozen_shard_changes_nothing() {
    let arena = slow_pair();
    let frozen = quiet(shard(&arena, "run", [0, 1], "frozen", &["--stale", "0.5"]));
    until(|| !told(&arena, "frozen", "game-began").is_empty());
    send(&frozen, Signal::SIGSTOP);
    let (status, err) = ended_awake(quiet(shard(&arena, "run", [0, 1], "other", &["--stale", "0.5"])));
    assert_eq!(status, Some(0), "{err}");
    let records = || {
        let ids = arena.manifest("run").games.into_iter().map(|game| game.id);
        ids.map(|id| fs::read(arena.run("run").path_of(&id)).unwrap()).collect::<Vec<_>>()
    };
    let before = records();
    send(&frozen, Signal::SIGCONT);
    let (status, err) = ended_awake(frozen);
    assert_eq!(status, Some(0), "{err}");
    let id = &arena.manifest("run").games[0].id;
    let superseded = format!("{id}  already finished by another process: this result is dropped\n");
    assert!(err.contains(&superseded), "{err}");
    assert_eq!(told(&arena, "frozen", "superseded"), [id.as_str()]);
    assert_eq!(told(&arena, "frozen", "game-finished"), [""; 0]);
    assert_eq!(records(), before);
}
