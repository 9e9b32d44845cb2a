//! A competition that is killed again and again ends like one that was left alone.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::competition::arena::{Arena, LOOK, assignment, conclusion, done, small_agents};
use referee_games::Side;
use referee_records::Outcome;

/// Kills `running`, as `kill -9` does, once so many games are recorded; says whether it was in time.
fn kill_after(arena: &Arena, games: usize, mut running: Child) -> bool {
    loop {
        if running.try_wait().unwrap().is_some() {
            return false;
        }
        if arena.recorded("disturbed") >= games {
            running.kill().unwrap();
            running.wait().unwrap();
            return true;
        }
        sleep(LOOK);
    }
}

#[test]
#[ignore = "long: killed at random moments"]
fn killed_at_random_moments_it_ends_like_one_that_was_left_alone() {
    let agents = if std::env::var_os("REFEREE_FULL").is_some() { 40 } else { 8 };
    let games = agents * (agents - 1);
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(agents)));
    let mut chance = ChaCha8Rng::seed_from_u64(5);
    let mut kills = 0;
    loop {
        let mut command = arena.compete("disturbed", &["--events", "disturbed.jsonl"]);
        let running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The first is killed while it is getting ready, the others after any number of games, in the middle of others.
        let goal = match kills {
            0 => 0,
            _ => arena.recorded("disturbed") + chance.random_range(1..=games / 6),
        };
        sleep(Duration::from_micros(u64::from(chance.next_u32() % 40_000)));
        if kill_after(&arena, goal, running) {
            kills += 1;
        } else if kills >= 6 {
            break;
        } else {
            // The games were too quick for the looks at them: all of them again.
            fs::remove_dir_all(arena.path("disturbed")).unwrap();
            fs::remove_file(arena.path("disturbed.jsonl")).unwrap();
            kills = 0;
        }
    }
    let first = done(arena.compete("disturbed", &[]));
    let second = done(arena.compete("undisturbed", &[]));
    println!("{games} games, killed {kills} times");

    let pairings = |out: &str| serde_json::to_value(arena.manifest(out).games).unwrap();
    assert_eq!(pairings("disturbed"), pairings("undisturbed"));
    let played = arena.games("disturbed");
    assert_eq!((played.len(), arena.recorded("disturbed")), (games, games));
    assert!(played == arena.games("undisturbed"), "games differ");
    assert_eq!(conclusion(&first), conclusion(&second));
    let level = |outcome| Side::BOTH.map(|winner| Outcome::DrawnByTime { winner }).contains(outcome);
    assert!(!played.values().any(|(_, outcome)| level(outcome)), "a clock decided");

    // A game that was finished is never played again.
    let events = fs::read_to_string(arena.path("disturbed.jsonl")).unwrap();
    let events: Vec<serde_json::Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut finished: Vec<_> = events
        .iter()
        .filter(|event| event["event"] == "game-finished")
        .map(|event| event["id"].as_str().unwrap())
        .collect();
    let told = finished.len();
    finished.sort_unstable();
    finished.dedup();
    // A kill may come between a record and the word of it.
    assert!(told == finished.len() && told + kills * 2 >= games, "{told} of {games}");
}
