//! Attacks on a program's own working directory cost only its files or its `playdata.txt`, never a void game.

use referee::seat::{Exceeded, Isolation, Limits, Termination};

use crate::levels::levels;
use crate::scene::Scene;

const MIB: u64 = 1 << 20;

/// The attack, followed by a normal run in the same game.
fn lives_on(words: &[&str], limits: Limits) {
    for level in levels() {
        let Some(mut scene) = Scene::with(*level, limits, words) else {
            return;
        };
        for _ in 0..2 {
            let run = scene.run();
            assert_eq!(
                run.ended,
                Termination::Exited { status: 0 },
                "{level}: {words:?}: {}",
                run.stderr
            );
        }
        scene.end();
    }
}

/// `flistxattr` fails if the list is longer than 64 KiB, which broke the cleanup.
#[test]
fn attributes_beyond_counting_do_not_void_a_game() {
    for folder in ["..", "."] {
        lives_on(&["attributes", folder, "300"], Limits::default());
    }
}

/// No process that could be killed holds files inside a socket on its way to itself.
#[test]
fn files_that_nobody_holds_do_not_void_a_game() {
    let limits = Limits {
        directory_bytes: 34 * MIB,
        ..Limits::default()
    };
    lives_on(&["unlinked", "2", &(15 * MIB).to_string(), "sent"], limits);
}

#[test]
fn no_file_is_put_into_a_socket() {
    for level in levels().iter().filter(|level| **level >= Isolation::Confined) {
        let Some(mut scene) = Scene::new(*level, &["unlinked", "1", "1", "sent"]) else {
            return;
        };
        assert_eq!(scene.told()["send"], "EPERM", "{level}");
        scene.end();
    }
}

/// The program does not end by itself: uncounted files would end at the wall-clock limit.
#[test]
fn deleted_files_count_as_long_as_they_are_held() {
    let limits = Limits {
        directory_bytes: 8 * MIB,
        ..Limits::default()
    };
    let ways = [["open", ""], ["mapped", ""], ["page", ""], ["open", "hidden"]];
    for how in ways {
        for level in levels() {
            let bytes = (3 * MIB).to_string();
            let words = ["unlinked", "4", &bytes, how[0], how[1]];
            let Some(mut scene) = Scene::with(*level, limits, &words) else {
                return;
            };
            let ended = scene.run().ended;
            let counted = matches!(ended, Termination::Exceeded {
                limit: Exceeded::DirectorySize { used_bytes, limit_bytes }
            } if limit_bytes == 8 * MIB && used_bytes > limit_bytes);
            assert!(counted, "{level}: {how:?}: {ended:?}");
            scene.end();
        }
    }
}

#[test]
fn a_tree_of_any_depth_is_cleaned_up() {
    for level in levels() {
        let Some(mut scene) = Scene::new(*level, &["deep", "5000"]) else {
            return;
        };
        for _ in 0..2 {
            scene.run();
        }
        scene.end();
    }
}
