//! Shards that are told to stop.

use nix::sys::signal::{Signal, kill};

use super::stage::{claims, ended, ended_awake, quiet, send, shard, slow_pair, told, until, until_taken};
use crate::competition::arena::{KEEPER, below};

#[test]
fn a_stopped_shard_drops_and_releases_games_that_do_not_end_in_time() {
    for signal in [Signal::SIGUSR1, Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
        let arena = slow_pair();
        let child = quiet(shard(&arena, "run", [0, 1], "events", &["--grace", "0"]));
        until(|| !told(&arena, "events", "game-began").is_empty());
        send(&child, signal);
        let (status, err) = ended(child);
        assert_eq!(status, Some(75), "{signal}: {err}");
        let end =
            "running games were dropped after 0 s; 2 games are missing in `run`: rerun the same command to resume\n";
        assert!(err.ends_with(end), "{signal}: {err}");
        assert_eq!((arena.recorded("run"), claims(&arena, "run")), (0, vec![]), "{signal}");
    }
}

#[test]
fn a_stopped_shard_finishes_its_running_game_where_there_is_time() {
    let arena = slow_pair();
    let child = quiet(shard(&arena, "run", [0, 1], "events", &["--grace", "600"]));
    until(|| !told(&arena, "events", "game-began").is_empty());
    send(&child, Signal::SIGUSR1);
    until_taken(&child);
    let (status, err) = ended_awake(child);
    assert_eq!(status, Some(75), "{err}");
    let end = "told to stop, 1 game played, 1 game is missing in `run`: rerun the same command to resume\n";
    assert!(err.ends_with(end), "{err}");
    assert_eq!((arena.recorded("run"), claims(&arena, "run")), (1, vec![]));
    let (status, err) = ended_awake(quiet(shard(&arena, "run", [0, 1], "events", &[])));
    assert_eq!((status, arena.games("run").len()), (Some(0), 2), "{err}");
}

#[test]
fn a_game_whose_keepers_are_ended_together_with_the_shard_is_not_void() {
    let arena = slow_pair();
    let child = quiet(shard(&arena, "run", [0, 1], "events", &["--grace", "600"]));
    until(|| !below(&child, "sleep").is_empty());
    // A signal to all processes of a task reaches them one after the other.
    send(&child, Signal::SIGSTOP);
    for keeper in below(&child, KEEPER) {
        // The other may have ended with the first one.
        let _ = kill(keeper, Signal::SIGKILL);
    }
    for signal in [Signal::SIGTERM, Signal::SIGCONT] {
        send(&child, signal);
    }
    let (status, err) = ended(child);
    assert_eq!(status, Some(75), "{err}");
    let end = "terminated, 0 games played, 2 games are missing in `run`: rerun the same command to resume\n";
    assert!(err.ends_with(end), "{err}");
    assert_eq!((arena.recorded("run"), claims(&arena, "run")), (0, vec![]));
    assert_eq!(arena.run("run").voids(&arena.manifest("run")).unwrap(), []);
    assert_eq!(told(&arena, "events", "voided"), [""; 0]);
}
