//! Four good and ten hostile submissions in one class, graded and played as a competition, two games at a time: the
//! good ones get exactly what they get without the hostile ones, no game is lost or missing, and both runs end well. At
//! every isolation level that can be had, one after the other; below the strongest with fewer good ones, and graded
//! alone.
//!
//! The good ones are deterministic and decided by themselves: of two, the one that gives up first has lost, and a draw
//! against the reference is worth half a point, whoever has more time left. So nothing here depends on the speed of the
//! machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Output, Stdio};

use referee_games::{KnownGames, Side};
use referee_records::{FaultKind, Outcome, RunFolder};
use referee_seat::Isolation;
use serde_json::Value;
use tempfile::TempDir;

use crate::fixtures::weaker;
use crate::levels::levels;
use crate::toolbox::{CPP, PYTHON3, has};

/// The reference gives up in the middle of the good ones, so that some of them win and some lose.
const ASSIGNMENT: &str = r#"
title = "A class with enemies"
game = "duo-othello"
seed = 5
minimum_isolation = "LEVEL"

[clock]
play_time = 20
wall_limit_factor = 1
wall_limit_extra = 20

[limits]
memory_mib = 64
processes = 64
directory_size_mib = 16

[[grade]]
kind = "games"
name = "reference"
opponent = "reference=reference"
games = 2
points_each = 1
drawn = "half"

[competition]
format = "round-robin"
games_per_pairing = GAMES
"#;

/// The good ones lose both games against the reference, win one or win both.
const GOOD: [usize; 4] = [0, 4, 7, 9];

/// Those in the classes below the strongest level.
const FEW: [usize; 3] = [0, 4, 9];

/// Each does one thing, which can be read in `hostile.py`, and the lowest level that promises to stop it
/// (`crates/seat/src/isolation/mod.rs`). The tenth plays well and floods its answers.
const HOSTILE: [(&str, Isolation); 9] = [
    ("attributes", Isolation::Bare),
    // At `bare` files may be sent through sockets, and nobody counts them there.
    ("unlinked", Isolation::Confined),
    // At `bare` a program may kill and stop its keeper, and the game is void.
    ("kill", Isolation::Confined),
    ("stop", Isolation::Confined),
    ("fork", Isolation::Bare),
    ("memory", Isolation::Bare),
    ("deep", Isolation::Bare),
    ("outputs", Isolation::Bare),
    ("flood", Isolation::Bare),
];

/// A good agent that gives up when so many disks are on the board, with `tail` behind each of its answers.
fn good(gives_up: usize, tail: &str) -> String {
    format!("#define GIVES_UP {gives_up}\n#define TAIL {tail}\n{}", include_str!("hostile_class/good.cpp"))
}

fn good_name(number: usize) -> String {
    format!("good-{number:02}")
}

struct Class {
    folder: TempDir,
    level: Isolation,
}

impl Class {
    /// The good ones of these numbers, who meet in so many games each, at exactly this level.
    fn new(level: Isolation, good_ones: &[usize], games: usize) -> Self {
        let class = Self { folder: TempDir::new().unwrap(), level };
        let assignment = ASSIGNMENT.replace("GAMES", &games.to_string());
        class.write("assignment.toml", &assignment.replace("LEVEL", level.into()));
        class.write("reference/homework.cpp", &good(18, "\"\""));
        for number in good_ones {
            // From the first turn of all to the twentieth; each at its own.
            class.write(&format!("class/{}/homework.cpp", good_name(*number)), &good(9 + 2 * number, "\"\""));
        }
        class
    }

    fn with_enemy(&self, verb: &str) {
        let text = format!("VERB = \"{verb}\"\n{}", include_str!("hostile_class/hostile.py"));
        self.write(&format!("class/bad-{verb}/homework.py"), &text);
    }

    fn with_enemies(self) -> Self {
        for (verb, _) in HOSTILE.iter().filter(|(_, lowest)| *lowest <= self.level) {
            self.with_enemy(verb);
        }
        // One more, which changes priorities and then floods every answer with 65,000 empty lines.
        let flood = "#include <sys/resource.h>\n#include <unistd.h>\n#include <string>\n\
                     static std::string lines() { setpriority(PRIO_PROCESS, getppid(), 19);\n\
                     return std::string(65000, '\\n'); }\n";
        self.write("class/bad-lines/homework.cpp", &(flood.to_owned() + &good(15, "lines().c_str()")));
        self
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Carries out `command` on the whole class.
    fn run(&self, command: &str) -> Output {
        let mut referee = self.referee(&[command, "assignment.toml", "--class", "class", "--out", command]);
        referee.args(["--jobs", "2"]).output().unwrap()
    }

    /// The same, which has to end well.
    fn done(&self, command: &str) -> Output {
        let output = self.run(command);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.expect_nothing_void(command);
        output
    }

    /// That every game of the run has a result, and none was ever void.
    fn expect_nothing_void(&self, run: &str) {
        let run = RunFolder::open(&self.folder.path().join(run), &KnownGames::builtin()).unwrap();
        let manifest = run.manifest().unwrap();
        assert_eq!(run.voids(&manifest).unwrap(), [], "{}", self.level);
        let finished = run.finished(&manifest);
        let missing = manifest.games.iter().filter(|game| !finished.contains(&game.id));
        assert_eq!(missing.count(), 0);
    }

    /// The program on a machine that has this level and none above it.
    fn referee(&self, words: &[&str]) -> Command {
        let mut command = Command::new(weaker().expect("it was there before"));
        command.args([self.level.into(), env!("CARGO_BIN_EXE_referee")]).args(words);
        command.stdin(Stdio::null()).current_dir(self.folder.path());
        command
    }

    /// The points of each good student, item by item, and what came of the item.
    fn grades(&self) -> BTreeMap<String, Vec<String>> {
        self.done("grade");
        let output = self.referee(&["gradebook", "grade", "--json"]).output().unwrap();
        let book: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut grades = BTreeMap::new();
        for student in book["students"].as_array().unwrap() {
            let name = student["name"].as_str().unwrap().to_owned();
            let items = student["criteria"].as_array().unwrap().iter();
            let items = items.flat_map(|criterion| criterion.as_array().unwrap());
            let item = |item: &Value| format!("{} {} {}", item["id"], item["points"], item["verdict"]["result"]);
            if name.starts_with("good") {
                assert_eq!(student["state"]["state"], "graded", "{name}");
                grades.insert(name, items.map(item).collect());
            }
        }
        grades
    }

    /// Who has won each game between two good agents, by the names of black and white, and how.
    fn results(&self) -> BTreeMap<[String; 2], (String, String)> {
        self.done("compete");
        let path = self.folder.path().join("compete");
        let run = RunFolder::open(&path, &KnownGames::builtin()).unwrap();
        let manifest = run.manifest().unwrap();
        let mut results = BTreeMap::new();
        for summary in run.summaries(&manifest).map(Result::unwrap) {
            let players = [Side::Black, Side::White].map(|side| summary.name(side).to_owned());
            let winner = summary.winner().map(|side| summary.name(side).to_owned()).unwrap();
            let good_ones = players.iter().filter(|name| name.starts_with("good")).count();
            // Against a hostile one it loses on the board or by giving up.
            let lost_well = match summary.outcome {
                Outcome::Board { .. } => true,
                Outcome::Forfeit { fault, .. } => fault == FaultKind::EmptyOutput,
                Outcome::DrawnByTime { .. }
                | Outcome::DrawnBySecondMove { .. }
                | Outcome::DrawnByPieces { .. }
                | Outcome::Drawn => false,
            };
            assert!(good_ones != 1 || winner.starts_with("good") || lost_well, "{players:?}: {:?}", summary.outcome);
            if good_ones == players.len() {
                results.insert(players, (winner, format!("{:?}", summary.outcome)));
            }
        }
        results
    }
}

#[test]
#[ignore = "long: grades a hostile class"]
fn a_class_with_as_many_enemies_gives_the_good_ones_what_is_theirs() {
    if !has(CPP) || !has(PYTHON3) || weaker().is_none() {
        return;
    }
    let best = *levels().last().expect("there is always a level");
    // Who has which colour in the one game of two agents depends on how many others there are, so alone they play with
    // both.
    let alone = Class::new(best, &GOOD, 2);
    let (grades, results) = (alone.grades(), alone.results());
    assert_eq!((grades.len(), results.len()), (GOOD.len(), GOOD.len() * (GOOD.len() - 1)));
    let points = |points: &str| grades.values().flatten().filter(|item| item.contains(points)).count();
    assert!(points(" 1 ") > 0 && points(" 0 ") > 0, "some win and some lose: {grades:#?}");
    let winners: BTreeSet<&String> = results.values().map(|(winner, _)| winner).collect();
    assert!(winners.len() > GOOD.len() / 2, "{results:#?}");
    for level in levels() {
        let good_ones = if *level == best { &GOOD[..] } else { &FEW[..] };
        let class = Class::new(*level, good_ones, 1).with_enemies();
        let among_enemies = class.grades();
        assert_eq!(among_enemies.len(), good_ones.len());
        for (name, grade) in among_enemies {
            assert_eq!(grades.get(&name), Some(&grade), "{level}: {name}");
        }
        if *level < best {
            continue;
        }
        let among_enemies = class.results();
        assert_eq!(among_enemies.len(), good_ones.len() * (good_ones.len() - 1) / 2);
        for (players, result) in among_enemies {
            assert_eq!(results.get(&players), Some(&result), "{level}: {players:?}");
        }
    }
}

/// The table of levels says so of `bare`: a program may kill its keeper, and nobody loses by it.
#[test]
#[ignore = "long: grades a hostile class"]
fn whoever_kills_keepers_at_bare_voids_its_own_games_only_and_is_named() {
    if !has(CPP) || !has(PYTHON3) || weaker().is_none() {
        return;
    }
    let class = Class::new(Isolation::Bare, &FEW, 1);
    class.with_enemy("kill");
    let output = class.run("compete");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("`bad-kill` is suspect"), "{said}");
    let run = RunFolder::open(&class.folder.path().join("compete"), &KnownGames::builtin()).unwrap();
    let manifest = run.manifest().unwrap();
    let finished = run.finished(&manifest);
    assert_eq!(manifest.games.len(), 6);
    for game in &manifest.games {
        let is_good = [&game.black, &game.white].iter().all(|name| name.starts_with("good"));
        assert_eq!(finished.contains(&game.id), is_good, "{game:?}");
    }
}
