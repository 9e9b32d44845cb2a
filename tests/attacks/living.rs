//! Attacks by programs that live for a whole game: each comes as far as it does when it is started for a move, and the
//! opponent plays meanwhile.

use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};

use referee_seat::{Exceeded, Isolation, Limits, Protocol, Termination};

use crate::attack_game::{AttackGame, alone};
use crate::files::{foreign_folder, state};
use crate::levels::levels;
use crate::processes::Bystander;

const MIB: u64 = 1 << 20;

/// In its first turn it comes exactly as far, and in a later one no further.
fn comes_no_further(level: Isolation, words: &[&str]) {
    let limits = Limits::default();
    let games = [Protocol::Files, Protocol::Stdio].map(|protocol| AttackGame::by(protocol, level, limits, words));
    let [Some(mut once), Some(mut living)] = games else {
        return;
    };
    let expected = successful(&mut once);
    assert_eq!(successful(&mut living), expected, "{level}, {words:?}");
    for _ in 0..2 {
        let later = successful(&mut living);
        assert!(later.is_subset(&expected), "{level}, {words:?}: {later:?} instead of {expected:?}");
    }
    once.end();
    living.end();
}

/// The attempts of a turn that succeed, with the same name for each game's own folder.
fn successful(game: &mut AttackGame) -> BTreeSet<String> {
    let own = game.folder().display().to_string();
    game.successful().into_iter().map(|name| name.replace(&own, "FOLDER")).collect()
}

/// It ends as one does that is started for a move, and what has ended stays so.
fn ends_alike(level: Isolation, limits: Limits, words: &[&str]) {
    let games = [Protocol::Files, Protocol::Stdio].map(|protocol| AttackGame::by(protocol, level, limits, words));
    let [Some(mut once), Some(mut living)] = games else {
        return;
    };
    let expected = once.run().ended;
    assert!(!matches!(expected, Termination::Exited { .. }), "{level}, {words:?}: {expected:?}");
    for _ in 0..2 {
        let ended = living.run().ended;
        assert_eq!(kind(&ended), kind(&expected), "{level}, {words:?}: {ended:?} instead of {expected:?}");
    }
    once.end();
    living.end();
}

/// How it ended, and at which limit.
fn kind(ended: &Termination) -> (Discriminant<Termination>, Option<Discriminant<Exceeded>>) {
    let limit = match ended {
        Termination::Exceeded { limit } => Some(discriminant(limit)),
        _ => None,
    };
    (discriminant(ended), limit)
}

#[test]
fn a_living_program_gets_no_forbidden_call_that_a_short_one_does_not() {
    for level in levels() {
        comes_no_further(*level, &["forbidden"]);
    }
}

#[test]
#[ignore = "long: more of its family"]
fn a_living_program_comes_no_further_than_a_short_one() {
    let file_bytes = Limits::default().file_bytes.to_string();
    let foreign = foreign_folder();
    let foreign = foreign.path().to_str().unwrap();
    let attacks: [&[&str]; 21] = [
        &["machine-files"],
        &["sockets"],
        &["reach-keeper"],
        &["runtime"],
        &["masks"],
        &["groups", foreign],
        &["read", "/", "/tmp", "/root", "/etc/shadow", "/proc/1/environ", "/proc/1/fd", "/proc/kcore", foreign],
        &["read", "FOLDER", "FOLDER/victim", "/etc/passwd", "/proc/self/status", "/proc/cpuinfo", ".", "input.txt"],
        &["metadata", foreign],
        &["write", "FOLDER"],
        &["write", ".."],
        &["load-written"],
        &["privileges"],
        &["locks", "FOLDER/victim"],
        &["watch-files"],
        &["cache", "FOLDER/victim"],
        &["pass-descriptors"],
        &["own-descriptors"],
        &["newer", &file_bytes],
        &["room"],
        &["unlinked", "1", "1", "sent"],
    ];
    for (level, words) in levels().iter().flat_map(|level| attacks.map(|words| (*level, words))) {
        comes_no_further(level, words);
    }
    // At `bare` they would end this test or the keeper, or find what the other one has changed.
    for level in levels().iter().filter(|level| **level >= Isolation::Confined) {
        let bystander = Bystander::new();
        let [victim, referee] = [bystander.id(), std::process::id()].map(|id| id.to_string());
        comes_no_further(*level, &["kill-others", &victim, &referee]);
        comes_no_further(*level, &["stop-keeper"]);
        comes_no_further(*level, &["write", foreign]);
        comes_no_further(*level, &["count-others"]);
    }
}

#[test]
#[ignore = "long: more of its family"]
fn a_living_program_is_held_to_the_same_limits() {
    let (large, small, held) = ((96 * MIB).to_string(), (24 * MIB).to_string(), (3 * MIB).to_string());
    let few_processes = Limits { processes: 40, ..Limits::default() };
    let little_memory = Limits { memory_bytes: 64 * MIB, ..Limits::default() };
    let little_room =
        Limits { file_bytes: 4 * MIB, directory_bytes: 8 * MIB, directory_files: 100, ..Limits::default() };
    let attacks: [(Limits, &[&str]); 19] = [
        (few_processes, &["bomb"]),
        (few_processes, &["bomb", "sessions"]),
        (few_processes, &["bomb", "phoenix"]),
        (few_processes, &["threads"]),
        (little_memory, &["hog", &large, "1"]),
        (little_memory, &["hog", &small, "4"]),
        (little_memory, &["hog-behind", &small, "4"]),
        (little_memory, &["share", &large, "0"]),
        (little_memory, &["hide-memory", &large]),
        (little_memory, &["hide-pages", &large]),
        (little_memory, &["unmap-shared", &large, "last"]),
        (little_memory, &["page-tables", &large]),
        (little_memory, &["sockets-full", "6"]),
        (little_memory, &["pipes-full", "20"]),
        (little_room, &["unlinked", "4", &held, "open"]),
        (little_room, &["unlinked", "4", &held, "mapped"]),
        (little_room, &["files", "8", "2048", "wait"]),
        (little_room, &["files", "150", "0"]),
        (little_room, &["files", "1", "5000"]),
    ];
    let _alone = alone();
    for (level, (limits, words)) in levels().iter().flat_map(|level| attacks.map(|attack| (*level, attack))) {
        ends_alike(level, limits, words);
    }
    if cfg!(target_arch = "x86_64") {
        for (level, verb) in levels().iter().flat_map(|level| ["old-call", "x32-call"].map(|verb| (*level, verb))) {
            ends_alike(level, Limits::default(), &[verb]);
        }
    }
}

/// Links, trees and races in the working directory, by a process that has a whole game for them. Nobody reads an
/// output.txt of it.
#[test]
#[ignore = "long: more of its family"]
fn what_a_living_program_leaves_leads_nobody_astray() {
    let foreign = foreign_folder();
    let (before, place) = (state(foreign.path()), foreign.path().to_str().unwrap());
    let attacks: [&[&str]; 5] = [
        &["plant-links", place],
        &["plant-links", place, "swap"],
        &["race-directory", place],
        &["deep", "5000"],
        &["attributes", ".", "300"],
    ];
    for (level, words) in levels().iter().flat_map(|level| attacks.map(|words| (*level, words))) {
        let Some(mut game) = AttackGame::by(Protocol::Stdio, level, Limits::default(), words) else {
            return;
        };
        for _ in 0..2 {
            let run = game.run();
            // A tree too deep to be counted exceeds the limit of files.
            let is_expected = match run.ended {
                Termination::Answered => true,
                Termination::Exceeded { limit: Exceeded::DirectoryFiles { .. } } => words[0] == "deep",
                _ => false,
            };
            assert!(is_expected, "{level}, {words:?}: {run:?}");
        }
        game.end();
        assert_eq!(state(foreign.path()), before, "{level}, {words:?}");
    }
}
