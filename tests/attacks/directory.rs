//! Attacks on a program's own working directory cost only its files or its `playdata.txt`, never a void game.

use std::path::Path;
use std::process::Command;

use referee_seat::{Exceeded, Isolation, Limits, Termination};

use crate::attack_game::{AttackGame, without_isolation};
use crate::levels::levels;
use crate::skips::{MOUNTS, skip};

const MIB: u64 = 1 << 20;

/// Set where a test runs itself with a file system in memory in `TMPDIR`.
const INSIDE: &str = "REFEREE_TEST_OF_ATTRIBUTES";

/// So many of the attacker's attributes have names of more than 64 KiB together.
const TOO_MANY: usize = 270;

/// The attack, followed by a normal run in the same game.
fn lives_on(words: &[&str], limits: Limits) {
    for level in levels() {
        let Some(mut game) = AttackGame::with(*level, limits, words) else {
            return;
        };
        for _ in 0..2 {
            let run = game.run();
            assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {words:?}: {}", run.stderr);
        }
        game.end();
    }
}

/// `flistxattr` fails if the list is longer than 64 KiB, which broke the cleanup. Not every file system has room for as
/// many, so this test runs itself with one in memory as `TMPDIR`.
#[test]
fn attributes_beyond_counting_do_not_void_a_game() {
    if std::env::var_os(INSIDE).is_some() {
        return with_attributes_in_memory();
    }
    let disk = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs none \"$TMPDIR\" || exit 99; exec \"$@\"";
    let mut inside = Command::new("unshare");
    inside.args(["-rm", "/bin/sh", "-c", script, "sh"]);
    inside.arg(std::env::current_exe().unwrap());
    inside.args(["--include-ignored", "--exact", "directory::attributes_beyond_counting_do_not_void_a_game"]);
    let ended = inside.env("TMPDIR", disk.path()).env(INSIDE, "1").output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    if ended.status.code() == Some(99) || said.starts_with("unshare:") {
        skip(&MOUNTS, format!("a file system cannot be mounted here: {said}"));
        return;
    }
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
}

fn with_attributes_in_memory() {
    let here = tempfile::tempdir().unwrap();
    if plain_attributes(here.path()).is_none_or(|set| set < TOO_MANY) {
        skip(&MOUNTS, "file systems in memory have no such attributes (before Linux 6.6)");
        return;
    }
    for folder in ["..", "."] {
        for level in levels() {
            let Some(mut game) = AttackGame::new(*level, &["attributes", folder, "300"]) else {
                return;
            };
            for _ in 0..2 {
                let set: usize = game.attempts()["set"].parse().unwrap();
                match (level, folder) {
                    (Isolation::Bare, _) => assert!(set >= TOO_MANY, "{folder}: {set}"),
                    (Isolation::Confined, _) | (Isolation::Sealed, "..") => assert_eq!(set, 0, "{level}: {folder}"),
                    (Isolation::Sealed, _) => {}
                }
            }
            game.end();
        }
    }
}

/// How many of 300 attributes a program can set there without a seat.
fn plain_attributes(folder: &Path) -> Option<usize> {
    without_isolation(folder, &["attributes", ".", "300"])?["set"].parse().ok()
}

/// No process that could be killed holds files inside a socket on its way to itself.
#[test]
#[ignore = "long: more of its family"]
fn files_that_nobody_holds_do_not_void_a_game() {
    let limits = Limits { directory_bytes: 34 * MIB, ..Limits::default() };
    lives_on(&["unlinked", "2", &(15 * MIB).to_string(), "sent"], limits);
}

#[test]
fn no_file_is_put_into_a_socket() {
    for level in levels().iter().filter(|level| **level >= Isolation::Confined) {
        let Some(mut game) = AttackGame::new(*level, &["unlinked", "1", "1", "sent"]) else {
            return;
        };
        assert_eq!(game.attempts()["send"], "EPERM", "{level}");
        game.end();
    }
}

/// The program does not end by itself: uncounted files would end at the wall-clock limit.
#[test]
#[ignore = "long: more of its family"]
fn deleted_files_count_as_long_as_they_are_held() {
    let limits = Limits { directory_bytes: 8 * MIB, ..Limits::default() };
    let ways = [["open", ""], ["mapped", ""], ["page", ""], ["open", "hidden"]];
    for how in ways {
        for level in levels() {
            let bytes = (3 * MIB).to_string();
            let words = ["unlinked", "4", &bytes, how[0], how[1]];
            let Some(mut game) = AttackGame::with(*level, limits, &words) else {
                return;
            };
            let ended = game.run().ended;
            let counted = matches!(ended, Termination::Exceeded {
                limit: Exceeded::DirectorySize { used_bytes, limit_bytes }
            } if limit_bytes == 8 * MIB && used_bytes > limit_bytes);
            assert!(counted, "{level}: {how:?}: {ended:?}");
            game.end();
        }
    }
}

/// Between two moves little is removed, because that can take long on a disk; the rest counts until the game ends.
#[test]
#[ignore = "long: more of its family"]
fn what_a_program_leaves_is_removed_after_the_game_and_counts_until_then() {
    const LIMIT: u64 = 2000;
    let limits = Limits { directory_files: LIMIT, ..Limits::default() };
    for level in levels() {
        let Some(mut game) = AttackGame::with(*level, limits, &["folders", "1500"]) else {
            return;
        };
        assert_eq!(game.run().ended, Termination::Exited { status: 0 }, "{level}");
        let aside = game.directory().join("aside");
        let is_on_disk = *level < Isolation::Sealed;
        for turn in 0..9 {
            let ended = game.run().ended;
            let is_exceeded =
                matches!(ended, Termination::Exceeded { limit: Exceeded::DirectoryFiles { limit: LIMIT, .. } });
            assert_eq!(is_exceeded, is_on_disk, "{level}: {ended:?}");
            // What the run before left was dealt with before this one began.
            assert!(turn > 0 || (count_below(&aside) > 900) == is_on_disk, "{level}");
        }
        assert!(count_below(&aside) < 3000, "{level}: what is to be removed has no bound");
        game.end();
    }
}

fn count_below(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| 1 + count_below(&entry.path())).sum()
}

#[test]
#[ignore = "long: more of its family"]
fn a_few_files_at_every_move_never_add_up() {
    let limits = Limits { directory_files: 500, ..Limits::default() };
    for level in levels() {
        let Some(mut game) = AttackGame::with(*level, limits, &["folders", "400"]) else {
            return;
        };
        for _ in 0..4 {
            assert_eq!(game.run().ended, Termination::Exited { status: 0 }, "{level}");
        }
        game.end();
    }
}

#[test]
#[ignore = "long: more of its family"]
fn a_tree_of_any_depth_is_cleaned_up() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["deep", "5000"]) else {
            return;
        };
        for _ in 0..2 {
            game.run();
        }
        game.end();
    }
}
