//! `referee ladder`, with the real binary and agents in Python: versions, refusals, requests, and processes that are
//! killed. The planning itself is tested by a simulated semester in `crates/matches`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use referee_records::{LadderGame, LadderPair};
use serde_json::Value;

use crate::competition::arena::{Arena, done, said};
use crate::invocation::{assert_contains, assert_starts};
use crate::toolbox::{PYTHON3, require};

/// A ladder of Duo-Othello whose games end soon.
const SETTINGS: &str = "\
title = \"A test\"
game = \"duo-othello\"
seed = 3
minimum_isolation = \"bare\"

[draws]
turn_limit = 10

[ladder]
reference = \"builtin:random\"
opening_plies = 3
minimum_pairs = 2
versions_per_day = 3
";

/// The ladder `lad`, and a class of `students` who hand in the sample agent, each with another comment.
pub(crate) fn ladder(students: &[&str]) -> Arena {
    let arena = Arena::new(SETTINGS);
    done(arena.referee(&["ladder", "new", "lad", "--assignment", "small.toml"]));
    for student in students {
        hand_in(&arena, student, student);
    }
    arena
}

pub(crate) fn hand_in(arena: &Arena, student: &str, comment: &str) {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/duo-othello-python/homework.py");
    hand_in_program(arena, student, &(fs::read_to_string(sample).unwrap() + "\n# " + comment + "\n"));
}

pub(crate) fn hand_in_program(arena: &Arena, student: &str, program: &str) {
    let folder = arena.path("class").join(student);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("homework.py"), program).unwrap();
}

pub(crate) fn update(arena: &Arena) -> String {
    done(arena.referee(&["ladder", "update", "lad", "class", "--jobs", "2"]))
}

pub(super) fn play(arena: &Arena, pairs: &str, jobs: &str) -> String {
    done(arena.referee(&["ladder", "play", "lad", "--pairs", pairs, "--jobs", jobs]))
}

pub(crate) fn standings(arena: &Arena, more: &[&str]) -> Value {
    let words: Vec<&str> = ["ladder", "standings", "lad", "--json"].iter().chain(more).copied().collect();
    serde_json::from_str(&done(arena.referee(&words))).unwrap()
}

/// The games that have a record of their own, oldest first.
pub(crate) fn games(arena: &Arena) -> Vec<LadderGame> {
    let names = fs::read_dir(arena.path("lad/games")).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap()).filter(|name| !name.starts_with('.'));
    let games = names.filter_map(|name| name.strip_suffix(".json").map(|id| id.parse().unwrap()));
    let mut games: Vec<LadderGame> = games.collect();
    games.sort_unstable();
    games
}

/// How many games of each pair have a record.
pub(crate) fn pairs(arena: &Arena) -> BTreeMap<LadderPair, usize> {
    let mut pairs = BTreeMap::new();
    for game in games(arena) {
        *pairs.entry(game.pair).or_default() += 1;
    }
    pairs
}

/// The index of the version of that name.
pub(crate) fn agent(arena: &Arena, name: &str) -> u32 {
    let index = arena.manifest("lad").agents.iter().position(|agent| agent.name == name);
    index.and_then(|index| index.try_into().ok()).unwrap_or_else(|| panic!("no version `{name}`"))
}

/// What `command` says when it fails with this exit code.
pub(super) fn failed(command: Command, code: i32) -> String {
    let said = said(command);
    assert_eq!(said.status, Some(code), "{said:#?}");
    said.err
}

#[test]
fn versions_are_taken_in_tried_played_and_ranked() {
    require!(PYTHON3);
    let arena = ladder(&["ada", "bob"]);
    let eve = arena.path("class/eve");
    fs::create_dir_all(&eve).unwrap();
    fs::write(eve.join("homework.py"), "print('no move')\n").unwrap();
    let said = update(&arena);
    assert_contains(&said, "ada  version 1 plays\nbob  version 1 plays\n");
    assert_contains(
        &said,
        "eve  version 1 refused: in its test game against itself, turn 1: no `output.txt`; see the game in \
         `lad/trials/trial/games/g0005.json`",
    );
    assert!(!said.contains("unchanged"), "{said}");
    assert_starts(update(&arena), "3 submissions unchanged");

    let said = play(&arena, "3", "2");
    assert_contains(&said, "6 games played\nnext: referee ladder standings lad");
    let first = standings(&arena, &[]);
    assert_eq!((&first["games"], &first["last_pair"]), (&6.into(), &3.into()));
    let text = done(arena.referee(&["ladder", "standings", "lad"]));
    assert_contains(
        &text,
        "eve: no version plays; 1 refused\n6 rated games up to pair 3; rating 0 is the reference agent `random`\n",
    );

    // A new version is the first to play, and what was known before stays what it was.
    hand_in(&arena, "ada", "version 2");
    assert_eq!(update(&arena), "ada  version 2 plays\n2 submissions unchanged\n");
    play(&arena, "2", "1");
    let newest = agent(&arena, "ada v2");
    assert!(games(&arena).iter().rev().take(4).all(|game| game.pair.has(newest)), "{:?}", games(&arena));
    let until = standings(&arena, &["--until", "3"]);
    assert_eq!((&until["games"], &until["participants"][0]["rank"]), (&6.into(), &first["participants"][0]["rank"]));
    assert_eq!(standings(&arena, &[])["games"], 10);

    // A request is played first and counts for no rating; who has withdrawn is not paired.
    done(arena.referee(&["ladder", "rename", "lad", "bob", "Bob B."]));
    assert_contains(done(arena.referee(&["ladder", "request", "lad", "ada", "Bob B."])), "requested: x000001-");
    done(arena.referee(&["ladder", "withdraw", "lad", "ada"]));
    play(&arena, "2", "1");
    assert_eq!(standings(&arena, &[])["games"], 12);
    assert!(games(&arena).iter().any(|game| !game.pair.rated));
    let last = *games(&arena).iter().filter(|game| game.pair.rated).max().unwrap();
    assert!(!last.pair.has(newest), "{last:?}");
    assert_contains(done(arena.referee(&["verify", "lad"])), "0 different");

    // A record that cannot be read is missing everywhere, and there is a way on.
    let path = arena.path("lad/games").join(format!("{last}.json"));
    let record = fs::read(&path).unwrap();
    fs::write(&path, "no record").unwrap();
    let counted = arena.referee(&["verify", "lad"]).output().unwrap();
    assert_contains(String::from_utf8(counted.stdout).unwrap(), "13 of 14 games finished");
    let status = String::from_utf8(arena.referee(&["status", "lad"]).output().unwrap().stdout).unwrap();
    assert_contains(&status, "13 of 14 games finished");
    assert_contains(&status, "remove these files, then use `referee ladder play lad`");
    fs::write(&path, record).unwrap();

    // The end: a competition of those who are left, from the copies in the ladder.
    let (common, _) = SETTINGS.split_once("[ladder]").unwrap();
    arena.write("end.toml", &format!("{common}[competition]\nformat = \"round-robin\"\n"));
    fs::rename(arena.path("class/bob"), arena.path("class/Bob B.")).unwrap();
    hand_in(&arena, "cyd", "the third");
    assert_contains(update(&arena), "cyd  version 1 plays");
    fs::remove_dir_all(arena.path("class")).unwrap();
    let frozen = done(arena.referee(&["ladder", "freeze", "lad", "--assignment", "end.toml", "--out", "end"]));
    assert_eq!(frozen, "made the competition `end`\nnext: referee plan --next end\n");
    let names: Vec<String> = arena.run("end").manifest().unwrap().agents.into_iter().map(|agent| agent.name).collect();
    assert_eq!(names, ["Bob B.", "cyd"], "cyd has no game yet");
    done(arena.referee(&["plan", "--next", "end"]));
    done(arena.referee(&["shard", "end", "--jobs", "2"]));
    assert_contains(done(arena.referee(&["verify", "end"])), "end: 2 of 2 games finished");
}

#[test]
fn settings_can_be_changed_before_the_first_version() {
    require!(PYTHON3);
    let arena = ladder(&["ada"]);
    let settings = fs::read_to_string(arena.path("lad/ladder.toml")).unwrap();
    let shorter = settings.replace("turn_limit = 10", "turn_limit = 9").replace("builtin:random", "builtin:minimax");
    assert_ne!(shorter, settings);
    arena.write("lad/ladder.toml", &shorter);
    update(&arena);
    let manifest = arena.run("lad").roster().unwrap();
    assert_eq!(manifest.conditions.draws.turn_limit, Some(9));
    let trial = arena.run("lad/trials/trial").manifest().unwrap();
    assert!(trial.games.len() == 2 && trial.games.iter().all(|game| game.start.is_some()), "they have no opening");
    assert_eq!(manifest.agents[0].origin, "builtin:minimax");
    arena.write("lad/ladder.toml", &shorter.replace("builtin:minimax", "builtin:random"));
    assert_contains(failed(arena.referee(&["ladder", "play", "lad", "--pairs", "1"]), 3), "undo the change");
}

#[test]
#[ignore = "long: a ladder with real games"]
fn what_is_wrong_is_said_and_nothing_is_lost() {
    require!(PYTHON3);
    let arena = ladder(&["ada"]);
    update(&arena);
    for version in ["2", "3"] {
        hand_in(&arena, "ada", version);
        update(&arena);
    }
    hand_in(&arena, "ada", "too many");
    assert_starts(update(&arena), "ada  not taken in: 3 versions within 24 hours; a later update takes it");
    hand_in(&arena, "ADA", "another one");
    assert_contains(update(&arena), "ADA  version 1 plays");
    assert!(arena.path("lad/entries/ADA-2").is_dir(), "two folders that differ only by case");

    let settings = fs::read_to_string(arena.path("lad/ladder.toml")).unwrap();
    arena.write("lad/ladder.toml", &settings.replace("minimum_pairs", "minimum_pars"));
    let complaint = failed(arena.referee(&["ladder", "play", "lad", "--pairs", "1"]), 3);
    assert_contains(&complaint, "ladder.toml:");
    assert_contains(&complaint, "write `minimum_pairs`");
    arena.write("lad/ladder.toml", &settings.replace("turn_limit = 10", "turn_limit = 9"));
    assert_contains(failed(arena.referee(&["ladder", "play", "lad", "--pairs", "1"]), 3), "undo the change");
    arena.write("lad/ladder.toml", &settings);

    let nobody = failed(arena.referee(&["ladder", "withdraw", "lad", "nobody"]), 2);
    assert_contains(nobody, "no participant `nobody` in this ladder");
    let nobody = failed(arena.referee(&["report", "lad", "--student", "nobody"]), 2);
    assert_eq!(nobody, "referee: the ladder has no participant `nobody`: choose one of `ada`, `ADA`\n");
    let taken = failed(arena.referee(&["ladder", "rename", "lad", "ada", "ADA"]), 2);
    assert_contains(taken, "another participant is named `ADA`");
    let no_name = failed(arena.referee(&["ladder", "rename", "lad", "ada", "x/y"]), 2);
    assert_contains(&no_name, "`x/y` is not a valid agent name: use 1 to 60 visible characters without `/`");
    assert!(!no_name.contains("path"), "{no_name}");
    let again = failed(arena.referee(&["ladder", "new", "lad", "--game", "checkers"]), 2);
    assert_contains(again, "`lad` is a ladder already");
    let no_ladder = failed(arena.referee(&["ladder", "play", "class"]), 3);
    assert_contains(no_ladder, "run directory");

    play(&arena, "1", "1");
    arena.write("lad/ladder.toml", &settings.replace("opening_plies = 3", "opening_plies = 0"));
    assert_contains(failed(arena.referee(&["ladder", "play", "lad", "--pairs", "1"]), 3), "openings");
    arena.write("lad/ladder.toml", &settings);

    // A record that the ladder would not have made.
    let game = games(&arena)[0];
    let path = arena.path("lad/games").join(format!("{game}.json"));
    let twin = LadderGame { pair: LadderPair { sequence: 99, ..game.pair }, ..game };
    let record = fs::read_to_string(&path).unwrap().replace(&game.to_string(), &twin.to_string());
    fs::write(arena.path("lad/games").join(format!("{twin}.json")), record).unwrap();
    let said = arena.referee(&["verify", "lad"]).output().unwrap();
    assert_contains(String::from_utf8_lossy(&said.stdout), "another opening than the ladder draws");
}

#[test]
#[ignore = "long: a ladder with real games"]
fn an_unreadable_record_is_reported_and_the_ladder_goes_on() {
    require!(PYTHON3);
    let arena = ladder(&["ada", "bob"]);
    update(&arena);
    play(&arena, "2", "1");
    let broken = games(&arena)[0];
    let path = arena.path("lad/games").join(format!("{broken}.json"));
    fs::write(&path, "{").unwrap();
    // As in any run, a game with a record is finished, whatever is in it: its pair is not played again.
    let said = said(arena.referee(&["ladder", "play", "lad", "--pairs", "1", "--jobs", "1"]));
    assert_eq!(said.status, Some(0), "{said:#?}");
    assert_contains(&said.err, &format!("games/{broken}.json` is not a record of this program: "));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{");
    assert_eq!(games(&arena).len(), 6);
    let complaint = failed(arena.referee(&["ladder", "standings", "lad"]), 3);
    assert_contains(complaint, "1 record cannot be read; the others are counted");
    // What the message says: without the file the game is played, before any other.
    fs::remove_file(&path).unwrap();
    play(&arena, "1", "1");
    assert_eq!((games(&arena)[0], games(&arena).len()), (broken, 6));
    assert_eq!(standings(&arena, &[])["games"], 6);
}

/// The rules fail in each game that ada begins against bob. Such pairs are not played for ever in place of others.
#[test]
#[ignore = "long: a ladder with real games"]
fn a_game_that_stays_void_keeps_no_other_from_being_played() {
    require!(PYTHON3);
    let arena = Arena::new("");
    done(arena.referee(&["new-game", "tic-tac-toe"]));
    let rules = fs::read_to_string(arena.path("tic-tac-toe/rules/tic_tac_toe.py")).unwrap();
    let status = "    def status(self, state):\n";
    let fault = format!(
        "{status}        if state[\"board\"] == [\"XX.\", \"...\", \"O.O\"]:\n\
         \x20           raise ValueError(\"broken here\")\n"
    );
    assert!(rules.contains(status));
    arena.write("tic-tac-toe/rules/tic_tac_toe.py", &rules.replace(status, &fault));
    done(arena.referee(&["ladder", "new", "lad", "--game", "tic-tac-toe/rules/tic_tac_toe.py"]));
    let settings = fs::read_to_string(arena.path("lad/ladder.toml")).unwrap();
    // Both begin with the empty board.
    arena.write("lad/ladder.toml", &(settings + "opening_plies = 0\n"));
    for (student, order) in [("ada", "b3 a3 c3"), ("bob", "c1 a1 b1")] {
        let program = format!(
            "board = ''.join(open('input.txt').read().split()[2:])\n\
             squares = 'a3 b3 c3 a2 b2 c2 a1 b1 c1'.split()\n\
             order = '{order}'.split() + squares\n\
             open('output.txt', 'w').write(next(one for one in order if board[squares.index(one)] == '.') + '\\n')\n"
        );
        hand_in_program(&arena, student, &program);
    }
    update(&arena);
    for command in 1..=3 {
        let before = games(&arena).len();
        let said = said(arena.referee(&["ladder", "play", "lad", "--pairs", "4", "--jobs", "2"]));
        assert_eq!(said.status, Some(1), "{said:#?}");
        assert_contains(&said.err, "missing: g000003-1-2a (ada v1 - bob v1), void ");
        assert_contains(&said.err, "fix the rules, then begin a new ladder with `referee ladder new`");
        // Each void game is tried once, and at least one game of four more pairs is played.
        assert_eq!(said.err.matches("g000003-1-2a  void").count(), 1, "{said:#?}");
        assert!(games(&arena).len() >= before + 4, "{command}: {said:#?}");
    }
    let status = said(arena.referee(&["status", "lad"]));
    assert_eq!(status.status, Some(1), "{status:#?}");
    assert_contains(&status.out, "missing, and the rules failed: fix the rules, then begin a new ladder with");
}
