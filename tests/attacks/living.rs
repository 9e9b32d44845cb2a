//! Attacks by programs that live for a whole game: each comes as far as it does when it is started for a move, and the
//! opponent plays meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use referee_seat::{
    Exceeded, Isolation, IsolationRange, Limits, Program, Protocol, Run, Seat, SeatOptions, Termination,
};
use tempfile::TempDir;

use crate::attack_game::{
    AttackGame, MachineShare, alone, among_others, attacker, by_name, content, job, marked, options, own_folder, unique,
};
use crate::files::{foreign_folder, state};
use crate::levels::levels;
use crate::processes::Bystander;

const MIB: u64 = 1 << 20;

/// The attacker, tried once a question by the same process, and an opponent that is started for each move.
struct LivingGame {
    seat: Seat,
    opponent: Seat,
    mark: String,
    folder: TempDir,
    _machine: Option<MachineShare>,
}

impl LivingGame {
    /// `None`, with a printed message, without a C compiler.
    fn new(level: Isolation, limits: Limits, words: &[&str]) -> Option<Self> {
        let machine = among_others();
        let folder = own_folder(attacker()?);
        let mark = format!("mark-{}-{}", std::process::id(), unique());
        let own = folder.path().display().to_string();
        let words = words.iter().map(|word| word.replace("FOLDER", &own));
        let options = SeatOptions { isolation: IsolationRange::exactly(level), limits, ..options() };
        let open = |words: Vec<String>, protocol| {
            let mut command = vec![OsString::from(folder.path().join("attacks"))];
            command.extend(words.into_iter().map(OsString::from));
            let program = Program { command, folder: Some(folder.path().to_owned()), ..Program::default() };
            Seat::open(&program, &SeatOptions { protocol, ..options.clone() }).unwrap()
        };
        let opponent = open(vec!["who".to_owned()], Protocol::Files);
        let seat = open(["live".to_owned()].into_iter().chain(words).chain([mark.clone()]).collect(), Protocol::Stdio);
        Some(Self { seat, opponent, mark, folder, _machine: machine })
    }

    /// A move of the attacker, and one of the opponent.
    fn turn(&mut self) -> Run {
        let run = self.seat.run(&job("GAME\n")).unwrap();
        let answer = self.opponent.run(&job("GAME\n")).unwrap();
        assert_eq!((&answer.ended, content(&answer).as_str()), (&Termination::Exited { status: 0 }, "changed 0\n"));
        run
    }

    /// The attempts of a turn that succeeded.
    fn successful(&mut self) -> BTreeSet<String> {
        let run = self.turn();
        assert_eq!(run.ended, Termination::Answered, "{}", run.stderr);
        done(&attempts(&run))
    }

    /// Ends the game; nothing of it may be left.
    fn end(self) {
        let Self { seat, opponent, mark, folder, _machine } = self;
        let directories = [&seat, &opponent].map(|seat| seat.directory().to_owned());
        seat.end_game().unwrap();
        drop(opponent);
        for directory in directories {
            assert!(!directory.exists(), "{} is left", directory.display());
        }
        assert_eq!(marked(&mark), [0; 0]);
        folder.close().unwrap();
    }
}

fn attempts(run: &Run) -> BTreeMap<String, String> {
    let digits = content(run);
    let bytes = digits.trim().as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16));
    by_name(&String::from_utf8(bytes.collect::<Result<_, _>>().unwrap()).unwrap())
}

fn done(attempts: &BTreeMap<String, String>) -> BTreeSet<String> {
    assert!(!attempts.is_empty());
    attempts.iter().filter(|(_, came)| *came == "done").map(|(name, _)| name.clone()).collect()
}

/// In its first turn it comes exactly as far, and in a later one no further.
fn comes_no_further(level: Isolation, words: &[&str]) {
    let (Some(mut once), Some(mut living)) =
        (AttackGame::new(level, words), LivingGame::new(level, Limits::default(), words))
    else {
        return;
    };
    let named = |names: BTreeSet<String>, folder: &Path| -> BTreeSet<String> {
        names.into_iter().map(|name| name.replace(folder.to_str().unwrap(), "FOLDER")).collect()
    };
    let expected = named(done(&once.attempts()), once.folder());
    once.end();
    assert_eq!(named(living.successful(), living.folder.path()), expected, "{level}, {words:?}");
    for _ in 0..2 {
        let later = named(living.successful(), living.folder.path());
        assert!(later.is_subset(&expected), "{level}, {words:?}: {later:?} instead of {expected:?}");
    }
    living.end();
}

/// It ends as one does that is started for a move, and what has ended stays so.
fn ends_alike(level: Isolation, limits: Limits, words: &[&str]) {
    let (Some(mut once), Some(mut living)) =
        (AttackGame::with(level, limits, words), LivingGame::new(level, limits, words))
    else {
        return;
    };
    let kind = |ended: &Termination| match ended {
        Termination::Exceeded { limit } => format!("{:?}", std::mem::discriminant(limit)),
        other => format!("{:?}", std::mem::discriminant(other)),
    };
    let expected = once.run().ended;
    once.end();
    assert!(!matches!(expected, Termination::Exited { .. }), "{level}, {words:?}: {expected:?}");
    for _ in 0..2 {
        let ended = living.turn().ended;
        assert_eq!(kind(&ended), kind(&expected), "{level}, {words:?}: {ended:?} instead of {expected:?}");
    }
    living.end();
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
        let Some(mut game) = LivingGame::new(level, Limits::default(), words) else {
            return;
        };
        for _ in 0..2 {
            let run = game.turn();
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
