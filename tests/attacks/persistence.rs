//! Storing data between moves or seats, elsewhere than in `playdata.txt`.

use std::collections::BTreeSet;
use std::fs;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use referee_seat::{Isolation, Termination};

use crate::attack_game::{AttackGame, content, marked, unique, without_isolation};
use crate::levels::levels;

/// Places outside the seat where `bare` lets a program of this user write.
const BARE: [&str; 14] = [
    "/tmp",
    "/var/tmp",
    "/run",
    "/dev/shm",
    "own folder",
    "times of own folder",
    "mode of own folder",
    "attribute of own folder",
    "hint on own folder",
    "shared memory",
    "message queue",
    "semaphore",
    "POSIX message queue",
    "keyring",
];

/// What is found again, except what `bare` allows.
fn found(level: Isolation, game: &mut AttackGame) -> Vec<String> {
    let run = game.run_on("recall\n");
    assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {}", run.stderr);
    let allowed = |place: &str| level == Isolation::Bare && BARE.contains(&place);
    content(&run).lines().filter(|place| !allowed(place)).map(str::to_owned).collect()
}

#[test]
fn nothing_but_playdata_lives_from_move_to_move() {
    for level in levels() {
        let token = format!("referee-test-{}-{}", std::process::id(), unique());
        let Some(mut game) = AttackGame::new(*level, &["smuggle", "FOLDER", &token]) else {
            return;
        };
        let run = game.run_on("stash\n");
        assert_eq!((run.ended, run.survivors), (Termination::Exited { status: 0 }, 1), "{level}: {}", run.stderr);
        assert_eq!(found(*level, &mut game), [""; 0], "{level}");
        game.end();
    }
}

#[test]
fn nothing_lives_from_seat_to_seat() {
    for level in levels() {
        let token = format!("referee-test-{}-{}", std::process::id(), unique());
        let words = ["smuggle", "FOLDER", &token];
        let (Some(mut one), Some(mut other)) = (AttackGame::new(*level, &words), AttackGame::new(*level, &words))
        else {
            return;
        };
        let run = one.run_on("stash\n");
        assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {}", run.stderr);
        assert_eq!(found(*level, &mut other), [""; 0], "{level}");
        one.run_on("recall\n");
        one.end();
        other.end();
    }
}

/// The tests above would pass if nothing was ever stored or found: without a seat all is found that could be stored.
#[test]
fn whatever_is_kept_is_found_by_a_program_without_a_seat() {
    let place = tempfile::tempdir().unwrap();
    let [own, outer] = ["own", "outer"].map(|name| place.path().join(name));
    let here = outer.join("work");
    fs::create_dir(&own).unwrap();
    fs::create_dir_all(&here).unwrap();
    fs::write(own.join("victim"), "").unwrap();
    let token = format!("referee-test-{}-{}", std::process::id(), unique());
    let told = |input: &str| {
        fs::write(here.join("input.txt"), input).unwrap();
        without_isolation(&here, &["smuggle", own.to_str().unwrap(), &token])?;
        let told = fs::read_to_string(here.join("output.txt")).unwrap();
        Some(told.lines().map(str::to_owned).collect::<BTreeSet<_>>())
    };
    let Some(kept) = told("stash\n") else { return };
    // The process that holds the word in memory.
    for pid in marked(&token) {
        kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
    }
    assert_eq!(told("recall\n"), Some(kept.clone()));
    // What works everywhere.
    let surely = [
        "/tmp",
        "own folder",
        "outer directory",
        "working directory",
        "times of playdata",
        "mode of playdata",
        "times of working directory",
        "mode of working directory",
        "times of outer directory",
        "mode of outer directory",
    ];
    assert!(surely.iter().all(|place| kept.contains(*place)), "{kept:?}");
}
