//! Shards that are killed at any moment, and shards of one part at once.

use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::stage::{claims, planned_round_robin, quiet, shard, told};
use crate::competition::arena::{Arena, LOOK, conclusion, done};

/// The games of a round robin of six.
const GAMES: usize = 30;

/// Every game of the events was finished once, and there are so many.
fn once_each(arena: &Arena, events: &[&str], games: usize, kills: usize) {
    let mut finished: Vec<String> = events.iter().flat_map(|events| told(arena, events, "game-finished")).collect();
    let count = finished.len();
    finished.sort_unstable();
    finished.dedup();
    assert_eq!(count, finished.len(), "a game was finished twice");
    // A kill may come between a record and the word of it.
    assert!(count + kills >= games && count <= games, "{count} of {games}");
}

#[test]
#[ignore = "long: plays in several processes"]
fn two_shards_of_one_part_at_once_play_no_game_twice_and_lose_none() {
    let arena = planned_round_robin(4);
    let shards = ["one", "other"].map(|events| quiet(shard(&arena, "run", [0, 1], events, &[])));
    for shard in shards {
        assert!(shard.wait_with_output().unwrap().status.success());
    }
    once_each(&arena, &["one", "other"], 12, 0);
    assert_eq!(arena.games("run").len(), 12);
    assert_eq!(claims(&arena, "run"), [""; 0]);
}

#[test]
#[ignore = "long: plays in several processes"]
fn shards_that_are_killed_and_started_again_end_like_a_run_that_was_left_alone() {
    // Games that are too quick for the looks at them are played again.
    while killed_and_started_again() < 2 {}
}

/// How many shards were killed at their work.
fn killed_and_started_again() -> usize {
    let arena = planned_round_robin(6);
    let mut chance = ChaCha8Rng::seed_from_u64(11);
    let events = ["events-0", "events-1", "events-2"];
    let begin = |index: usize| {
        let part = [u32::try_from(index).unwrap(), 3];
        quiet(shard(&arena, "run", part, events[index], &[]))
    };
    let mut shards: Vec<_> = (0..3).map(begin).collect();
    let mut kills = 0;
    while arena.recorded("run") < GAMES {
        let goal = arena.recorded("run") + chance.random_range(0..4);
        let has_ended = |shard: &mut Child| shard.try_wait().unwrap().is_some();
        while arena.recorded("run") < goal.min(GAMES) && !shards.iter_mut().all(has_ended) {
            sleep(LOOK);
        }
        // In the middle of a game, or of anything else.
        sleep(Duration::from_micros(chance.random_range(0..20_000)));
        let index = chance.random_range(0..3);
        kills += usize::from(!has_ended(&mut shards[index]));
        shards[index].kill().unwrap();
        shards[index].wait().unwrap();
        shards[index] = begin(index);
    }
    for mut shard in shards {
        shard.wait().unwrap();
    }
    // Whoever was killed last has left a claim perhaps, and whoever comes last finds nothing to do.
    done(shard(&arena, "run", [0, 1], "events-0", &[]));
    once_each(&arena, &events, GAMES, kills);
    let shared = done(arena.compete("run", &[]));
    let alone = done(arena.compete("alone", &[]));
    assert_eq!(conclusion(&shared), conclusion(&alone));
    assert_eq!(arena.games("run"), arena.games("alone"));
    assert_eq!(arena.recorded("run"), GAMES);
    done(arena.referee(&["verify", "run"]));
    kills
}
