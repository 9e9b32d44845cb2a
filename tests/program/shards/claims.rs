//! Claims that are found: of the living, of the dead, and things that are no claims.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use nix::sys::signal::Signal;
use nix::sys::stat::Mode;

use super::stage::{claims, ended_awake, planned_round_robin, quiet, send, shard, slow_pair, told, until};
use crate::competition::arena::{Arena, LOOK, done, said};
use crate::invocation::assert_contains;

const ELSEWHERE: &str =
    r#"{"host":"elsewhere","pid":1,"since_unix_s":0,"started_ticks":1,"boot_id":"x","pid_namespace":"y"}"#;

/// Where the claim on the first pair of `run` is.
fn first_claim(arena: &Arena) -> PathBuf {
    let first = arena.manifest("run").games[0].id.clone();
    arena.path("run/claims").join(first)
}

/// Makes `path` look as if it had been touched then.
fn touched(path: &PathBuf, time: SystemTime) {
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
#[ignore = "long: plays in several processes"]
fn the_claim_of_a_process_that_was_killed_is_taken_over_at_once() {
    let arena = slow_pair();
    let mut killed = quiet(shard(&arena, "run", [0, 1], "killed", &[]));
    until(|| !told(&arena, "killed", "game-began").is_empty());
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(claims(&arena, "run").len(), 1);
    // A day would be too long for a test.
    let (status, err) = ended_awake(quiet(shard(&arena, "run", [0, 1], "next", &["--stale", "86400"])));
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("  taken over from process "), "{err}");
    assert!(err.contains(", which is silent\n"), "{err}");
    assert_eq!(arena.games("run").len(), 2);
    assert_eq!(claims(&arena, "run"), [""; 0]);
}

#[test]
#[ignore = "long: plays in several processes"]
fn the_claim_of_another_machine_is_taken_over_when_it_is_old() {
    let arena = planned_round_robin(2);
    let claim = first_claim(&arena);
    fs::write(&claim, ELSEWHERE).unwrap();
    touched(&claim, SystemTime::now() - Duration::from_mins(2));
    let said = said(shard(&arena, "run", [0, 1], "events", &[]));
    assert_eq!(said.status, Some(0), "{said:#?}");
    assert!(said.err.contains("taken over from process 1 on elsewhere"), "{said:#?}");
    assert_eq!(arena.games("run").len(), 2);
}

#[test]
#[ignore = "long: plays in several processes"]
fn a_claim_without_a_sign_of_life_is_taken_over_in_the_end() {
    let arena = planned_round_robin(2);
    fs::write(first_claim(&arena), ELSEWHERE).unwrap();
    done(shard(&arena, "run", [0, 1], "events", &["--stale", "0.5"]));
    assert_eq!(arena.games("run").len(), 2);
}

/// The other shard would wait a day for the claim to be stale, and ends when it has seen it renewed: by its owner,
/// which renews it each second, and by this test, which does not wait for a slow machine.
#[test]
#[ignore = "long: plays in several processes"]
fn a_claim_that_is_touched_is_left_to_its_owner() {
    let arena = slow_pair();
    let busy = quiet(shard(&arena, "run", [0, 1], "busy", &["--stale", "6", "--grace", "0"]));
    until(|| !told(&arena, "busy", "game-began").is_empty());
    let claim = first_claim(&arena);
    let renewed = || fs::metadata(&claim).unwrap().modified().unwrap();
    let first = renewed();
    until(|| renewed() > first);

    let idle = shard(&arena, "run", [0, 1], "idle", &["--stale", "86400"]);
    let idle = touching(&claim, || said(idle));
    assert_eq!((idle.status, told(&arena, "idle", "game-began").len()), (Some(0), 0), "{idle:#?}");
    let status = said(arena.referee(&["status", "run"]));
    assert_contains(&status.out, "\n1 pair of games claimed by running or dead shards");
    send(&busy, Signal::SIGTERM);
    assert_eq!(busy.wait_with_output().unwrap().status.code(), Some(75));
}

/// The result of `work`, during which `path` is touched again and again.
fn touching<T>(path: &PathBuf, work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::SeqCst) {
                touched(path, SystemTime::now());
                thread::sleep(LOOK);
            }
        });
        let result = work();
        is_done.store(true, Ordering::SeqCst);
        result
    })
}

#[test]
#[ignore = "long: plays in several processes"]
fn what_is_no_claim_stops_nobody_and_is_never_followed() {
    let arena = planned_round_robin(4);
    let folder = arena.path("run/claims");
    let names: Vec<String> = arena.manifest("run").games.chunks(2).map(|pair| pair[0].id.clone()).collect();
    fs::write(arena.path("precious"), "keep me").unwrap();
    fs::create_dir_all(folder.join(&names[0]).join("full")).unwrap();
    symlink(arena.path("precious"), folder.join(&names[1])).unwrap();
    symlink("nowhere", folder.join(&names[2])).unwrap();
    nix::unistd::mkfifo(&folder.join(&names[3]), Mode::S_IRWXU).unwrap();
    fs::write(folder.join(&names[4]), [0xff; 10_000]).unwrap();
    touched(&folder.join(&names[4]), SystemTime::UNIX_EPOCH);
    // One from the future would live for ever.
    fs::write(folder.join(&names[5]), ELSEWHERE).unwrap();
    touched(&folder.join(&names[5]), SystemTime::now() + Duration::from_hours(1));
    fs::write(folder.join("stranger"), "").unwrap();
    done(shard(&arena, "run", [0, 1], "events", &[]));
    assert_eq!(arena.games("run").len(), 12);
    assert_eq!(fs::read_to_string(arena.path("precious")).unwrap(), "keep me");
    let left = claims(&arena, "run");
    let is_aside = |name: &&String| name.starts_with(".aside-");
    assert_eq!(left.iter().filter(is_aside).count(), 1, "{left:?}");
    assert_eq!(left.len(), 2, "{left:?}");
}
