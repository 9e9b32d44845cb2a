//! Ten good and ten hostile submissions in one class, graded and played as a competition, two games at a time: the good
//! ones get exactly what they get without the hostile ones, no game is lost or missing, and both runs end well.
//!
//! The good ones are deterministic and decided by themselves: of two, the one that gives up first has lost. So nothing
//! here depends on the speed of the machine. They are played at the strongest isolation that can be had, as a grader
//! would.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Output};

use referee::games::Side;
use referee::records::RunFolder;
use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::command;
use crate::toolbox::{CPP, PYTHON3, has};

/// The reference gives up in the middle of the good ones, so that some of them win and some lose.
const ASSIGNMENT: &str = r#"
title = "A class with enemies"
game = "duo-othello"
seed = 5

[clock]
play_time = 20
wall_limit_factor = 1
wall_limit_extra = 20

[limits]
memory_mib = 512
processes = 64

[[grade]]
kind = "games"
name = "reference"
opponent = "reference=reference"
games = 2
points_each = 1

[competition]
format = "round-robin"
games_per_pairing = GAMES
"#;

const GOOD: usize = 10;

/// Each does one thing; what it is can be read in `hostile.py`. The tenth plays well and floods its answers.
const HOSTILE: [&str; 9] = [
    "attributes",
    "unlinked",
    "kill",
    "stop",
    "fork",
    "memory",
    "deep",
    "outputs",
    "flood",
];

/// A good agent that gives up when so many disks are on the board, with `tail` behind each of its answers.
fn good(gives_up: usize, tail: &str) -> String {
    format!(
        "#define GIVES_UP {gives_up}\n#define TAIL {tail}\n{}",
        include_str!("hostile_class/good.cpp")
    )
}

fn good_name(number: usize) -> String {
    format!("good-{number:02}")
}

struct Class(TempDir);

impl Class {
    /// The good ones, who meet in so many games each.
    fn new(games: usize) -> Self {
        let class = Self(TempDir::new().unwrap());
        class.write("assignment.toml", &ASSIGNMENT.replace("GAMES", &games.to_string()));
        class.write("reference/homework.cpp", &good(18, "\"\""));
        for number in 0..GOOD {
            // From the first turn of all to the twentieth; each at its own.
            class.write(
                &format!("class/{}/homework.cpp", good_name(number)),
                &good(9 + 2 * number, "\"\""),
            );
        }
        class
    }

    fn with_enemies(self) -> Self {
        for verb in HOSTILE {
            let text = format!("VERB = \"{verb}\"\n{}", include_str!("hostile_class/hostile.py"));
            self.write(&format!("class/bad-{verb}/homework.py"), &text);
        }
        // One more, which changes priorities and then floods every answer with 65,000 empty lines.
        let flood = "#include <sys/resource.h>\n#include <unistd.h>\n#include <string>\n\
                     static std::string lines() { setpriority(PRIO_PROCESS, getppid(), 19);\n\
                     return std::string(65000, '\\n'); }\n";
        self.write(
            "class/bad-lines/homework.cpp",
            &(flood.to_owned() + &good(15, "lines().c_str()")),
        );
        self
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Carries out `command` on the whole class, which has to end well.
    fn done(&self, command: &str) -> Output {
        let mut referee = self.referee(&[command, "assignment.toml", "--class", "class", "--out", command]);
        referee.args(["--jobs", "2"]);
        let output = referee.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.expect_nothing_void(command);
        output
    }

    /// That every game of the run has a result, and none was ever void.
    fn expect_nothing_void(&self, run: &str) {
        let run = RunFolder::open(&self.0.path().join(run)).unwrap();
        let manifest = run.manifest().unwrap();
        assert_eq!(run.voids(&manifest).unwrap(), []);
        let finished = run.finished(&manifest);
        let missing = manifest.games.iter().filter(|game| !finished.contains(&game.id));
        assert_eq!(missing.count(), 0);
    }

    fn referee(&self, words: &[&str]) -> Command {
        let mut command = command(words);
        command.current_dir(self.0.path());
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
        let path = self.0.path().join("compete");
        let run = RunFolder::open(&path).unwrap();
        let manifest = run.manifest().unwrap();
        let mut results = BTreeMap::new();
        for summary in run.summaries(&manifest).map(Result::unwrap) {
            let players = [Side::Black, Side::White].map(|side| summary.name(side).to_owned());
            let winner = summary.winner().map(|side| summary.name(side).to_owned()).unwrap();
            if players.iter().all(|name| name.starts_with("good")) {
                results.insert(players, (winner, format!("{:?}", summary.outcome)));
            }
        }
        results
    }
}

#[test]
fn a_class_with_as_many_enemies_gives_the_good_ones_what_is_theirs() {
    if !has(CPP) || !has(PYTHON3) {
        return;
    }
    // Who has which colour in the one game of two agents depends on how many others there are, so alone they play with
    // both.
    let alone = Class::new(2);
    let (grades, results) = (alone.grades(), alone.results());
    assert_eq!((grades.len(), results.len()), (GOOD, GOOD * (GOOD - 1)));
    let points = |points: &str| grades.values().flatten().filter(|item| item.contains(points)).count();
    assert!(
        points(" 1 ") > 0 && points(" 0 ") > 0,
        "some win and some lose: {grades:#?}"
    );
    let winners: BTreeSet<&String> = results.values().map(|(winner, _)| winner).collect();
    assert!(winners.len() > GOOD / 2, "{results:#?}");
    let class = Class::new(1).with_enemies();
    assert_eq!(class.grades(), grades);
    let among_enemies = class.results();
    assert_eq!(among_enemies.len(), GOOD * (GOOD - 1) / 2);
    for (players, result) in among_enemies {
        assert_eq!(Some(&result), results.get(&players), "{players:?}");
    }
}
