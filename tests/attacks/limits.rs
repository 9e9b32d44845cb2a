//! Exceeding resource limits.

use std::fs;

use nix::unistd::geteuid;
use referee_seat::{Exceeded, Isolation, Limits, OutputFile, Termination};

use crate::attack_game::{AttackGame, alone, content};
use crate::levels::levels;
use crate::skips::{UNPRIVILEGED, skip};

const MIB: u64 = 1 << 20;

const LITTLE_MEMORY: Limits = Limits {
    memory_bytes: 64 * MIB,
    processes: 256,
    file_bytes: 64 * MIB,
    directory_bytes: 128 * MIB,
    directory_files: 8192,
    open_files: 2048,
    output_bytes: 64 << 10,
};

/// Runs `words` at every level from `lowest` on; returns how each run ended.
fn ends(lowest: Isolation, limits: Limits, words: &[&str]) -> Vec<(Isolation, Termination)> {
    let mut ends = Vec::new();
    for level in levels().iter().filter(|level| **level >= lowest) {
        let Some(mut game) = AttackGame::with(*level, limits, words) else {
            break;
        };
        let first = game.run().ended;
        // A normal run after it: limits apply to each run separately.
        assert_eq!(std::mem::discriminant(&game.run().ended), std::mem::discriminant(&first), "{level}");
        ends.push((*level, first));
        game.end();
    }
    ends
}

fn exceeded(ended: &Termination) -> Exceeded {
    match ended {
        Termination::Exceeded { limit } => *limit,
        other => panic!("expected a limit, found {other:?}"),
    }
}

/// The bombs make at most 500 processes or threads, so that they harm nobody where something fails.
#[test]
#[ignore = "long: more of its family"]
fn a_bomb_of_processes_or_threads_is_contained() {
    // What the kernel allows: 64 beyond the limit. A namespace of root gives its first 300 numbers as well, once.
    let at_most = |level| match (level, geteuid().is_root()) {
        (Isolation::Sealed, true) => 404,
        _ => 104,
    };
    let bombs: [&[&str]; 3] = [&["bomb"], &["bomb", "sessions"], &["threads"]];
    for words in bombs {
        for (level, by_kernel, made) in made_by(words, 40) {
            assert!(!by_kernel || made <= at_most(level), "{level}: {words:?}: {made}");
        }
    }
}

/// At most 300 of these live at a time, and as soon as one is reaped, another one takes its place. Ten times as many
/// are made if they are killed one after the other, and half as many again if the group of the first one is reaped
/// before the others are stopped. If all are stopped first, there are hardly more than 300.
#[test]
#[ignore = "long: more of its family"]
fn a_bomb_that_replaces_its_dead_dies_at_once() {
    for (level, _, made) in made_by(&["bomb", "phoenix"], 200) {
        assert!(made <= 320, "{level}: {made}");
    }
}

/// Sets off a bomb twice at each level, where `max` processes are allowed; returns how many processes or threads each
/// has made, and whether the kernel limited them.
fn made_by(words: &[&str], max: u32) -> Vec<(Isolation, bool, usize)> {
    let limits = Limits { processes: max, ..Limits::default() };
    let _alone = alone();
    let mut bombs = Vec::new();
    for level in levels() {
        let Some(mut game) = AttackGame::with(*level, limits, words) else {
            break;
        };
        let by_kernel = game.processes_limited_by_kernel();
        // Twice: what was forbidden at the end of a run is allowed again in the next one.
        for _ in 0..2 {
            let run = game.run();
            let limit = exceeded(&run.ended);
            let is_reached = matches!(limit, Exceeded::Processes { used, limit } if limit == max && used > max);
            assert!(is_reached, "{level}: {words:?}: {limit:?}");
            let made = content(&run).len();
            println!("{level}: {words:?}: {made} made, limited by the kernel: {by_kernel}");
            bombs.push((*level, by_kernel, made));
        }
        game.end();
    }
    bombs
}

#[test]
#[ignore = "long: more of its family"]
fn memory_counts_wherever_it_is() {
    let limits = Limits { memory_bytes: 64 * MIB, ..Limits::default() };
    let (large, small) = ((96 * MIB).to_string(), (24 * MIB).to_string());
    let hogs: [&[&str]; 12] = [
        // In one process, in many small ones, behind first threads that have ended, freed at once, and in none.
        &["hog", &large, "1"],
        &["hog", &small, "4"],
        &["hog-behind", &small, "4"],
        &["share", &large, "0"],
        &["hide-memory", &large],
        &["hide-pages", &large],
        // Of which only the last page stays mapped, under the kernel's name for it and under another one.
        &["unmap-shared", &large, "last"],
        &["unmap-shared", &large, "last", "named"],
        // And held by the kernel for a program that is almost empty itself.
        &["page-tables", &large],
        &["sockets-full", "6"],
        // By processes that nobody may look into.
        &["sockets-full", "6", "hidden"],
        &["hide-memory", &large, "hidden"],
    ];
    for words in hogs {
        for (level, ended) in ends(Isolation::Bare, limits, words) {
            let limit = exceeded(&ended);
            let fits = matches!(limit, Exceeded::Memory { used_bytes, limit_bytes }
                if limit_bytes == 64 * MIB && used_bytes > limit_bytes);
            // Files that may not be counted are above their limit, too, which may be looked at first.
            let fits_too = words.contains(&"hidden") && matches!(limit, Exceeded::DirectorySize { .. });
            assert!(fits || fits_too, "{level}: {words:?}: {limit:?}");
        }
    }
}

/// They take all that the pipes of one user may hold together, so that a pipe of a game beside this one could not grow.
#[test]
#[ignore = "long: more of its family"]
fn full_pipes_count_as_memory() {
    let limits = Limits { memory_bytes: 64 * MIB, ..Limits::default() };
    let _alone = alone();
    let words = ["pipes-full", "20"];
    for (level, ended) in ends(Isolation::Bare, limits, &words) {
        assert_memory_exceeded(level, &words, limits, &ended);
    }
}

/// The kernel's records: 65,000 mappings take 8 MiB or more without any page, and 420,000 pairs of descriptors, of
/// which one watches the other, 35 MiB or more. Samples from outside do not see them; a control group counts them.
#[test]
#[ignore = "long: more of its family"]
fn memory_in_records_of_the_kernel_counts_in_a_control_group_only() {
    let limits = Limits { memory_bytes: 24 * MIB, ..LITTLE_MEMORY };
    for words in [["mappings", "5"], ["watches", "650"]] {
        for level in levels() {
            let Some(mut game) = AttackGame::with(*level, limits, &words) else {
                return;
            };
            let counted = game.memory_limited_by_kernel();
            for _ in 0..2 {
                let ended = game.run().ended;
                if counted {
                    assert_memory_exceeded(*level, &words, limits, &ended);
                } else {
                    assert_eq!(ended, Termination::Exited { status: 0 }, "{level}: {words:?}");
                }
            }
            game.end();
        }
    }
}

/// Without a group a piece of shared memory counts up to its last page that a sample has seen mapped, so there it is a
/// matter of luck how much of each is seen.
#[test]
#[ignore = "long: more of its family"]
fn shared_memory_unmapped_but_for_its_first_page_counts_in_a_control_group() {
    let words = ["unmap-shared", &(96 * MIB).to_string(), "first"];
    for level in levels() {
        let Some(mut game) = AttackGame::with(*level, LITTLE_MEMORY, &words) else {
            return;
        };
        if !game.memory_limited_by_kernel() {
            return;
        }
        for _ in 0..2 {
            assert_memory_exceeded(*level, &words, LITTLE_MEMORY, &game.run().ended);
        }
        game.end();
    }
}

fn assert_memory_exceeded(level: Isolation, words: &[&str], limits: Limits, ended: &Termination) {
    let limit = exceeded(ended);
    let fits = matches!(limit, Exceeded::Memory { used_bytes, limit_bytes }
        if limit_bytes == limits.memory_bytes && used_bytes > limit_bytes);
    assert!(fits, "{level}: {words:?}: {limit:?}");
}

/// The kernel counts the pages that all pipes of an ordinary user could hold together; beyond 64 MiB it makes small
/// ones. No level keeps an agent from using them up.
#[test]
fn pipes_take_room_from_those_of_other_programs_of_the_user() {
    let soft = fs::read_to_string("/proc/sys/fs/pipe-user-pages-soft").unwrap_or_default();
    if geteuid().is_root() || soft.trim() != "16384" {
        skip(&UNPRIVILEGED, "the kernel does not count the pipes of this user");
        return;
    }
    let _alone = alone();
    for (count, room) in [("100", "65536"), ("1100", "8192")] {
        for level in levels() {
            let Some(mut game) = AttackGame::new(*level, &["many-pipes", count]) else {
                return;
            };
            assert_eq!(game.attempts()["room"], room, "{level}: {count}");
            game.end();
        }
    }
}

/// Each could hold 200 KiB; having a few must not cost a program the game.
#[test]
#[ignore = "long: more of its family"]
fn some_sockets_and_pipes_are_no_memory_to_speak_of() {
    let limits = Limits { memory_bytes: 64 * MIB, open_files: 60, ..Limits::default() };
    for (level, ended) in ends(Isolation::Bare, limits, &["a-few-sockets"]) {
        assert_eq!(ended, Termination::Exited { status: 0 }, "{level}");
    }
}

#[test]
fn files_in_memory_count_as_memory() {
    if !levels().contains(&Isolation::Sealed) {
        return;
    }
    let limits = Limits { memory_bytes: 24 * MIB, ..Limits::default() };
    let Some(mut game) = AttackGame::with(Isolation::Sealed, limits, &["files", "4", "8192", "wait"]) else {
        return;
    };
    let limit = exceeded(&game.run().ended);
    assert!(matches!(limit, Exceeded::Memory { .. }), "{limit:?}");
    game.end();
}

#[test]
#[ignore = "long: more of its family"]
fn memory_that_is_only_reserved_or_is_shared_is_not_counted_twice() {
    let limits = Limits { memory_bytes: 64 * MIB, ..Limits::default() };
    let (reserved, shared) = ((8192 * MIB).to_string(), (40 * MIB).to_string());
    for words in [["reserve", &reserved, ""], ["share", &shared, "3"]] {
        for (level, ended) in ends(Isolation::Bare, limits, &words) {
            assert_eq!(ended, Termination::Exited { status: 0 }, "{level}: {words:?}");
        }
    }
}

#[test]
#[ignore = "long: more of its family"]
fn a_flood_of_files_is_stopped() {
    let limits = Limits { file_bytes: MIB, directory_bytes: 2 * MIB, directory_files: 100, ..Limits::default() };
    // Detected during the run, and after it.
    for wait in ["wait", ""] {
        for (level, ended) in ends(Isolation::Bare, limits, &["files", "8", "512", wait]) {
            let limit = exceeded(&ended);
            let fits = matches!(limit, Exceeded::DirectorySize { used_bytes, limit_bytes }
                if limit_bytes == 2 * MIB && used_bytes > limit_bytes);
            assert!(fits, "{level}: {limit:?}");
        }
        for (level, ended) in ends(Isolation::Bare, limits, &["files", "150", "0", wait]) {
            let limit = exceeded(&ended);
            assert!(matches!(limit, Exceeded::DirectoryFiles { used: 101.., limit: 100 }), "{level}: {limit:?}");
        }
    }
    for (level, ended) in ends(Isolation::Bare, limits, &["files", "1", "1500"]) {
        assert_eq!(exceeded(&ended), Exceeded::FileSize { limit_bytes: MIB }, "{level}");
    }
    // Up to the limits everything is allowed.
    for (level, ended) in ends(Isolation::Bare, limits, &["files", "2", "900"]) {
        assert_eq!(ended, Termination::Exited { status: 0 }, "{level}");
    }
}

#[test]
fn files_can_be_open_up_to_the_limit() {
    for level in levels() {
        let limits = Limits { open_files: 50, ..Limits::default() };
        let Some(mut game) = AttackGame::with(*level, limits, &["open-files"]) else {
            return;
        };
        assert_eq!(content(&game.run()), "open 50 EMFILE\n", "{level}");
        game.end();
    }
}

#[test]
fn an_output_is_read_up_to_the_limit() {
    for level in levels() {
        for (output_bytes, is_read) in [(16, true), (15, false)] {
            let limits = Limits { output_bytes, ..Limits::default() };
            let Some(mut game) = AttackGame::with(*level, limits, &["open-files"]) else {
                return;
            };
            let run = game.run_on("GAME\n");
            let read = matches!(run.output, OutputFile::Content { .. });
            assert_eq!(read, is_read, "{level}: {:?}", run.output);
            game.end();
        }
    }
}
