//! A classroom for tests: an assignment of its own, an honest agent to start from, and the program at work.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses another part of it, so that it is dead code in the others"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::invocation::{command, stderr};

/// Two single moves, a short game against the random agent, and a game against an agent that loses on its first turn.
/// Draws are lost on time by whoever needs more of it, which is everybody who has an interpreter to start.
const ASSIGNMENT: &str = r#"
title = "Homework of the tests"
game = "checkers"
minimum_isolation = "bare"

[clock]
play_time = 2
wall_limit_factor = 1
wall_limit_extra = 600

[limits]
memory_mib = 512
processes = 32

[draws]
turn_limit = 6

[[grade]]
kind = "single-moves"
positions = "positions"
time = 2
points_each = 1

[[grade]]
kind = "games"
name = "random"
opponent = "builtin:random"
games = 1
points_each = 2.5

[[grade]]
kind = "games"
name = "walkover"
opponent = "loser=loser"
games = 1
points_each = 5
"#;

/// The part of [`ASSIGNMENT`] that is graded in an instant.
const MOVES_ALONE: &str = "[[grade]]\nkind = \"games\"";

/// Gives up.
const LOSER: &str = "#!/bin/sh\n: > output.txt\n";

const POSITIONS: [&str; 2] = ["01-opening.txt", "02-forced-jump.txt"];

/// A folder with an assignment, submissions and runs.
pub(crate) struct Classroom(TempDir);

impl Classroom {
    /// With the whole assignment.
    pub(crate) fn new() -> Self {
        Self::with(ASSIGNMENT)
    }

    /// With single moves alone.
    pub(crate) fn of_single_moves() -> Self {
        Self::with(ASSIGNMENT.split(MOVES_ALONE).next().unwrap())
    }

    /// The whole assignment, with `new` in the place of `old`.
    pub(crate) fn changed(old: &str, new: &str) -> Self {
        assert!(ASSIGNMENT.contains(old), "{old}");
        Self::with(&ASSIGNMENT.replace(old, new))
    }

    /// With this assignment.
    pub(crate) fn with(assignment: &str) -> Self {
        let room = Self(TempDir::new().unwrap());
        room.write("assignment.toml", assignment);
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/checkers-2021/positions");
        for position in POSITIONS {
            room.write(&format!("positions/{position}"), fs::read_to_string(shipped.join(position)).unwrap());
        }
        let loser = room.write("loser", LOSER);
        fs::set_permissions(loser, fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(room.path("class")).unwrap();
        room
    }

    /// A path in the classroom.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file, with the folders that it is in.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a file of a submission.
    pub(crate) fn submit(&self, student: &str, file: &str, text: impl AsRef<[u8]>) {
        self.write(&format!("class/{student}/{file}"), text);
    }

    /// `referee grade` on the whole class, two at a time.
    pub(crate) fn grade(&self, run: &str, more: &[&str]) -> Command {
        let mut command = command(&["grade"]);
        command.arg(self.path("assignment.toml"));
        command.arg("--class").arg(self.path("class"));
        command.arg("--out").arg(self.path(run));
        command.args(["--jobs", "2"]).args(more);
        command
    }

    /// The same, to its end, which has to be a good one.
    pub(crate) fn graded(&self, run: &str, more: &[&str]) -> Output {
        let output = self.grade(run, more).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        output
    }

    /// What `referee gradebook RUN --json` prints.
    pub(crate) fn gradebook(&self, run: &str) -> Value {
        let output = command(&["gradebook"]).arg(self.path(run)).arg("--json").output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// How many records a run has.
    pub(crate) fn records(&self, run: &str) -> usize {
        let files = |folder: &str| {
            let entries = fs::read_dir(self.path(run).join(folder)).into_iter().flatten().flatten();
            entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).count()
        };
        files("games") + files("answers")
    }
}

/// An agent that plays legal moves and looks one ply ahead.
pub(crate) fn honest() -> String {
    let sample = include_str!("../../../agents/checkers-python/homework.py");
    let quick = sample.replace("MOST_SECONDS_A_MOVE = 0.03", "MOST_SECONDS_A_MOVE = 0.0");
    assert_ne!(quick, sample);
    quick
}

/// The honest agent with `more` behind it.
pub(crate) fn honest_and(more: &str) -> String {
    format!("{}\n{more}\n", honest())
}

/// What is the same in every grading of a class whose agents are deterministic: points, states, and the verdicts
/// without their times and without what was found in the program's last words.
pub(crate) fn essence(gradebook: &Value) -> Value {
    let students = gradebook["students"].as_array().unwrap().iter();
    students
        .map(|student| {
            let items = student["criteria"].as_array().unwrap().iter();
            let items = items.flat_map(|criterion| criterion.as_array().unwrap());
            json!({
                "name": student["name"],
                "points": student["points"],
                "of": student["of"],
                "state": student["state"]["state"],
                "fault": student["state"]["fault"]["code"],
                "remarks": student["remarks"],
                "items": items.map(essence_of_item).collect::<Value>(),
            })
        })
        .collect()
}

fn essence_of_item(item: &Value) -> Value {
    let verdict = &item["verdict"];
    json!({
        "id": item["id"],
        "title": item["title"],
        "points": item["points"],
        "item": item["item"],
        "answer": verdict["answer"],
        "move": verdict["move"],
        "result": verdict["result"],
        "winner": verdict["winner"],
        "loser": verdict["loser"],
        "by": verdict["by"],
        "decided": verdict["decided"]["winner"],
        "fault": verdict["fault"]["kind"],
        "finding": verdict["fault"]["finding"]["code"],
    })
}
