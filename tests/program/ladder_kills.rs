//! A ladder that two processes play at once, while they are killed at random moments, versions come, some of them
//! refused, and participants leave and return.
//!
//! `REFEREE_FULL` in the environment makes it as large as a small course: 12 participants with 60 versions, 1,500 games
//! and 100 kills, which takes ten minutes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee_games::Side;
use referee_matches::ladder::LadderStandings;
use referee_records::{AdmissionRecord, GameSummary, LadderPair, Manifest};
use serde_json::Value;

use crate::competition::arena::{Arena, LOOK, done};
use crate::invocation::assert_contains;
use crate::ladder::{games, hand_in_program, ladder, pairs, play, standings, update};
use crate::toolbox::{PYTHON3, require};

const NAMES: [&str; 12] = ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "lee"];

/// How the sample agent chooses in the version of a participant: programs of different strength.
const CHOICES: [&str; 4] = [
    "max(moves, key=lambda move: worth_after(play(board, move, side), side))",
    "max(moves, key=lambda move: WORTHS[move[0]])",
    "max(moves, key=lambda move: len(move[1]))",
    "moves[0]",
];

/// How much happens.
struct Size {
    participants: usize,
    /// Those that are admitted.
    versions: usize,
    games: usize,
    kills: usize,
}

fn size() -> Size {
    if std::env::var_os("REFEREE_FULL").is_some() {
        Size { participants: 12, versions: 60, games: 1_500, kills: 100 }
    } else {
        Size { participants: 4, versions: 6, games: 48, kills: 24 }
    }
}

/// Hands in the version with this number, counted over all participants. Returns whose it is.
fn hand_in_next(arena: &Arena, number: usize, participants: usize) -> &'static str {
    let name = NAMES[number % participants];
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/duo-othello-python/homework.py");
    let sample = fs::read_to_string(sample).unwrap();
    let (before, main) = sample.split_once("def main():").unwrap();
    let choice = CHOICES[(number + number / participants) % CHOICES.len()];
    let choose = format!(
        "def choose(board, side, seconds_left):  # version {number}\n    moves = legal_moves(board, side)\n    return \
         {choice}\n\n\n"
    );
    hand_in_program(arena, name, &format!("{before}{choose}def main():{main}"));
    name
}

fn spawn(arena: &Arena) -> Child {
    let mut command = arena.referee(&["ladder", "play", "lad", "--jobs", "1"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn kill(running: &mut Child) {
    running.kill().unwrap();
    running.wait().unwrap();
}

/// What comes between two kills: new versions at equal distances, two refusals, and the last participant leaves and
/// returns.
fn disturb(arena: &Arena, size: &Size, round: usize, handed_in: &mut usize) {
    let mut names = BTreeSet::new();
    while (*handed_in - size.participants) * size.kills < (size.versions - size.participants) * round {
        names.insert(hand_in_next(arena, *handed_in, size.participants));
        *handed_in += 1;
    }
    let said = if names.is_empty() { String::new() } else { update(arena) };
    for name in names {
        assert_contains(&said, &format!("{name}  version "));
    }
    if [size.kills / 4, size.kills / 2].contains(&round) {
        hand_in_program(arena, NAMES[1], &format!("# {round}\nprint('no move')\n"));
        assert_contains(update(arena), "refused: in its test game against itself, turn 1: no `output.txt`");
    }
    let leaver = NAMES[size.participants - 1];
    match round % 8 {
        3 => drop(done(arena.referee(&["ladder", "withdraw", "lad", leaver]))),
        6 => drop(done(arena.referee(&["ladder", "readmit", "lad", leaver]))),
        _ => {}
    }
}

#[test]
#[ignore = "long: killed at random moments"]
fn two_processes_that_are_killed_again_and_again_lose_and_double_no_game() {
    require!(PYTHON3);
    let size = size();
    let arena = ladder(&[]);
    let settings = fs::read_to_string(arena.path("lad/ladder.toml")).unwrap();
    arena.write("lad/ladder.toml", &settings.replace("versions_per_day = 3", "versions_per_day = 20"));
    let mut handed_in = 0;
    while handed_in < size.participants {
        hand_in_next(&arena, handed_in, size.participants);
        handed_in += 1;
    }
    update(&arena);
    let mut chance = ChaCha8Rng::seed_from_u64(8);
    let mut running = [spawn(&arena), spawn(&arena)];
    for round in 1..=size.kills {
        let goal = games(&arena).len() + chance.random_range(0..=2 * size.games / size.kills);
        while games(&arena).len() < goal {
            sleep(5 * LOOK);
        }
        sleep(LOOK * chance.random_range(0..40));
        let one = &mut running[round % 2];
        kill(one);
        *one = spawn(&arena);
        disturb(&arena, &size, round, &mut handed_in);
    }
    while games(&arena).len() < size.games {
        sleep(5 * LOOK);
    }
    running.iter_mut().for_each(kill);
    assert_nothing_was_lost(&arena, &size);
}

fn assert_nothing_was_lost(arena: &Arena, size: &Size) {
    let known: BTreeSet<LadderPair> = pairs(arena).into_keys().collect();
    // What they left half played is played first.
    let left = fs::read_dir(arena.path("lad/claims")).unwrap().count();
    play(arena, &(left + 4).to_string(), "2");
    let pairs = pairs(arena);
    assert!(pairs.values().all(|games| *games == 2), "{pairs:?}");
    assert!(2 * pairs.len() >= size.games, "{}", pairs.len());
    assert!(known.iter().all(|pair| pairs.contains_key(pair)), "no game is lost");
    assert_contains(done(arena.referee(&["verify", "lad"])), "0 different");
    let manifest = arena.manifest("lad");
    let versions = manifest.participants.iter().flat_map(|one| &one.versions);
    let (admitted, refused): (Vec<_>, Vec<_>) = versions.partition(|version| version.agent().is_some());
    assert_eq!((admitted.len(), refused.len()), (size.versions, 2));
    assert_each_version_played_itself(arena, &manifest);
    assert_ratings_are_those_from_scratch(arena, &manifest);
    println!("{} games, {} versions, {} kills", 2 * pairs.len(), size.versions, size.kills);
}

/// Every game was played by the programs of the versions in its name, and none before its version was there.
fn assert_each_version_played_itself(arena: &Arena, manifest: &Manifest) {
    let mut since = BTreeMap::new();
    for version in manifest.participants.iter().flat_map(|one| &one.versions) {
        if let AdmissionRecord::Admitted { agent, since_pair } = version.admission {
            assert_eq!(manifest.agents[agent as usize].digest, version.digest.clone().unwrap());
            since.insert(agent, since_pair);
        }
    }
    for game in games(arena) {
        let record = arena.run("lad").game(&game.to_string()).unwrap();
        let pairing = game.pairing(manifest).unwrap();
        for side in Side::BOTH {
            let player = record.players.of(side);
            let agent = manifest.agents.iter().find(|agent| agent.name == player.name).unwrap();
            assert_eq!((player.name.as_str(), &player.digest), (pairing.name(side), &agent.digest), "{game}");
        }
        let begun = game.pair.agents.iter().filter_map(|agent| since.get(agent));
        assert!(begun.copied().all(|since| since < game.pair.sequence), "{game}");
    }
}

/// The standings do not depend on who has read which record when.
fn assert_ratings_are_those_from_scratch(arena: &Arena, manifest: &Manifest) {
    let run = arena.run("lad");
    let records = games(arena).into_iter().map(|game| run.game(&game.to_string()).unwrap());
    let mut summaries: Vec<GameSummary> = records.map(|record| GameSummary::of(&record)).collect();
    summaries.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    let scratch = serde_json::to_string(&LadderStandings::of(manifest, &summaries, None)).unwrap();
    let scratch: Value = serde_json::from_str(&scratch).unwrap();
    let shown = standings(arena, &[]);
    for (key, value) in scratch.as_object().unwrap() {
        assert_eq!(&shown[key], value, "{key}");
    }
    assert_eq!(shown["games"], summaries.len());
}
