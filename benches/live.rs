//! What it costs to let others look on: what a turn pays, and what the thread that writes pays. What was told is
//! asserted before anything is timed.
//!
//! `cargo bench --bench live`; with `-- --test` everything is checked once and nothing is timed.

use std::sync::Arc;

use divan::{Bencher, black_box};
use referee_games::halma::{Halma, Rules};
use referee_games::{KnownGames, Position, Side};
use referee_matches::referee::GameSnapshot;
use referee_matches::tournament::{LiveFeed, RunEvent};
use referee_records::{Conditions, LiveGame, Manifest, PerSide, RunFolder};
use referee_time::CpuTime;
use serde_json::json;
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// The largest board that there is.
fn rows() -> Vec<String> {
    Halma::start(Rules::default()).rows()
}

fn folder(place: &TempDir) -> RunFolder {
    let game = referee_games::halma::ID;
    let manifest = Manifest::new(game, Conditions::usual(game, CpuTime::from_secs(300)), 0);
    RunFolder::begin(place.path(), &manifest, &KnownGames::builtin()).expect("there is room")
}

/// A run with the live state of one game.
fn with_live_game() -> (TempDir, RunFolder, LiveGame) {
    let place = TempDir::new().expect("there is a place for temporary files");
    let folder = folder(&place);
    let game: LiveGame = serde_json::from_value(json!({
        "schema": 1, "id": "g0001", "turns": 3, "rows": rows(), "before": rows(), "at_work": "black",
        "since_unix_ms": 1, "written_unix_ms": 1, "left_cpu_us": {"black": 1, "white": 2},
        "last": {"side": "white", "move": "E 1,1 2,2"},
    }))
    .expect("it is written as the program does");
    folder.publish(&game).expect("there is room");
    assert_eq!(folder.live_game("g0001").as_ref(), Some(&game));
    (place, folder, game)
}

#[divan::bench]
fn a_file_is_written(bencher: Bencher<'_, '_>) {
    let (_place, folder, game) = with_live_game();
    bencher.bench_local(|| folder.publish(black_box(&game)));
}

#[divan::bench]
fn files_are_looked_at(bencher: Bencher<'_, '_>) {
    let (_place, folder, _) = with_live_game();
    bencher.bench_local(|| folder.live_files());
}

#[divan::bench]
fn a_file_is_read(bencher: Bencher<'_, '_>) {
    let (_place, folder, _) = with_live_game();
    bencher.bench_local(|| folder.live_game("g0001"));
}

#[divan::bench]
fn a_turn_is_heard_of(bencher: Bencher<'_, '_>) {
    let (_place, folder, _) = with_live_game();
    let live_feed = LiveFeed::new(folder);
    let id: Arc<str> = "g0002".into();
    let snapshot = |turns| GameSnapshot {
        notes: String::new(),
        turns,
        board: Halma::start(Rules::default()).board(),
        at_work: Some(Side::Black),
        clocks: PerSide::from_fn(|_| CpuTime::from_secs(300)),
        last: Some((Side::White, Some("E 1,1 2,2".to_owned()))),
    };
    let events: Vec<RunEvent> =
        (0..100).map(|turns| RunEvent::PositionChanged(Arc::clone(&id), Arc::new(snapshot(turns)))).collect();
    let mut turn = 0;
    bencher.bench_local(|| {
        turn = (turn + 1) % events.len();
        live_feed.on_event(&events[turn]);
    });
    live_feed.close();
}
