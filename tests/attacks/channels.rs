//! Covert channels between programs, or from one game to the next, through the kernel's metadata of files; and memory
//! that is charged to no process.

use nix::sched::{CloneFlags, unshare};
use referee_seat::{Isolation, Limits};

use crate::attack_game::AttackGame;
use crate::kernels::in_container;
use crate::levels::levels;
use crate::skips::{ISOLATION, skip};

/// Tries `words` at every level. At `bare` all of `real` must succeed, which shows that the attacks are real; from
/// `confined` on none may. A container may stop some by itself.
fn refused_from_confined_on(words: &[&str], real: &[&str]) {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, words) else {
            return;
        };
        let told = game.attempts();
        if *level == Isolation::Bare {
            for name in real.iter().filter(|_| !in_container()) {
                assert_eq!(told.get(*name).map(String::as_str), Some("done"), "{name} is no attack");
            }
        } else {
            assert!(!told.is_empty() && !told.values().any(|came| came == "done"), "{level}: {told:?}");
        }
        game.end();
    }
}

/// Of its own folder, which another game of the same agent may read at the same time; as root also of the system's
/// files.
#[test]
fn no_file_can_be_locked_or_watched() {
    let locks = ["whole", "range", "range-waiting", "asked", "range-of-file", "asked-of-file", "lease", "notice"];
    refused_from_confined_on(&["locks", "FOLDER/victim"], &locks);
    refused_from_confined_on(&["locks", "/usr/bin/env"], &locks[..6]);
    refused_from_confined_on(&["watch-files"], &["watch"]);
}

/// The time of reading a page cannot be hidden; but nothing may report it exactly or evict the page.
#[test]
fn the_systems_cache_of_files_cannot_be_asked_or_emptied() {
    // The rest depends on the kernel and on the file system: one in memory knows no reading of what is cached only.
    let works = ["evict", "which-pages", "queue-of-reads", "hint", "merge-pages"];
    refused_from_confined_on(&["cache", "FOLDER/victim"], &works);
    // Of a foreign file, which a program of another user may read too.
    refused_from_confined_on(&["cache", "/usr/bin/env"], &["evict", "read-if-cached"]);
}

#[test]
fn nothing_is_held_where_no_process_has_it() {
    let works =
        ["pass", "pass-several", "larger-socket", "larger-pipe", "pages-into-pipe", "file-into-pipe", "pipe-into-pipe"];
    refused_from_confined_on(&["pass-descriptors"], &works);
}

/// Ways to the same ends by calls that are newer than the first list, or were missing from it.
#[test]
#[ignore = "long: more of its family"]
fn newer_interfaces_are_refused_too() {
    // Room beyond the limit depends on the file system, too.
    let works = ["file-sent-into-pipe", "out-of-band", "room-without-writing"];
    let file_bytes = Limits::default().file_bytes.to_string();
    refused_from_confined_on(&["newer", &file_bytes], &works);
}

/// The error that C libraries know: with any other, a program would fail that only wants to know early of a full disk.
#[test]
fn room_in_a_file_takes_writing_it() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["room"]) else {
            return;
        };
        let told = game.attempts();
        assert_eq!((told["room"].as_str(), told["bytes"].as_str()), ("done", "1048576"), "{level}");
        if *level >= Isolation::Confined {
            assert!(["EOPNOTSUPP", "ENOTSUP"].contains(&told["without-writing"].as_str()), "{level}: {told:?}");
        }
        game.end();
    }
}

/// What a program needs neither for playing nor for its own safety, and could hide behind or take from others.
#[test]
fn no_thread_has_descriptors_of_its_own_and_no_program_rules() {
    let works: Vec<&str> = ["thread", "unshare", "filter", "filter-by-call"]
        .into_iter()
        .filter(|name| *name != "unshare" || may_unshare())
        .collect();
    refused_from_confined_on(&["own-descriptors"], &works);
}

/// Whether a thread may have descriptors of its own here; says so if not.
fn may_unshare() -> bool {
    let tried = std::thread::spawn(|| unshare(CloneFlags::CLONE_FILES)).join();
    let tried = tried.expect("it does not panic");
    if let Err(error) = tried {
        skip(&ISOLATION, format!("`unshare` cannot be shown to be an attack: {error}"));
    }
    tried.is_ok()
}
