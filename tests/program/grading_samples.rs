//! The sample submissions earn what their page says they do.
//!
//! Of each assignment a part is graded: some questions, the first game. With `REFEREE_WHOLE_SAMPLES` in the environment
//! all of it is, and compared with the numbers in `tournaments/samples/README.md`; that takes some 50 s of CPU time.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::command;
use crate::toolbox::{CPP, PYTHON3, has};

const ASSIGNMENTS: [&str; 4] = ["checkers-2021", "halma-2019", "duo-othello-2024", "star-circle-2018"];

/// How many questions of a part are graded.
const QUESTIONS: usize = 8;

fn tournaments() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments")
}

/// Grades both samples of `assignment` by the file `by`: each student's points, and the whole gradebook.
fn graded(assignment: &str, by: &Path) -> (Vec<(String, u64)>, Value) {
    let run = TempDir::new().unwrap();
    let mut grading = command(&["grade"]);
    grading.arg(by).arg("--out").arg(run.path());
    grading.arg("--class").arg(tournaments().join("samples").join(assignment));
    grading.args(["--jobs", "2", "--isolation", "bare"]);
    let output = grading.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let gradebook: Value = serde_json::from_slice(&fs::read(run.path().join("gradebook.json")).unwrap()).unwrap();
    let students = gradebook["students"].as_array().unwrap().iter();
    let points = students
        .map(|student| {
            let name = student["name"].as_str().unwrap().to_owned();
            (name, student["points"].as_u64().unwrap())
        })
        .collect();
    (points, gradebook)
}

/// The assignment with its first questions and the first game of each kind alone, in `folder`.
fn part_of(assignment: &str, folder: &Path) -> PathBuf {
    let text = fs::read_to_string(tournaments().join(format!("{assignment}.toml"))).unwrap();
    let lines = text.lines().map(|line| {
        let key = line.split_whitespace().next().unwrap_or_default();
        match key {
            "games" | "first_move" => format!("{key} = 1"),
            "play_time" if line.contains('[') => "play_time = 100".to_owned(),
            "positions" | "cases" => {
                let from = tournaments().join(line.split('"').nth(1).unwrap());
                copy_some(&from, &folder.join("questions"));
                format!("{key} = \"questions\"")
            }
            _ => line.to_owned(),
        }
    });
    let path = folder.join("assignment.toml");
    fs::write(&path, lines.collect::<Vec<_>>().join("\n")).unwrap();
    path
}

/// Copies the files of the first questions, of which each has as many as there are files of its number.
fn copy_some(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    let number = |name: &str| -> Option<usize> {
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if number(&name).is_some_and(|number| number <= QUESTIONS) {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

fn expect_part(assignment: &str, good: u64, hopeless: u64) -> Option<Value> {
    if !has(CPP) || !has(PYTHON3) {
        return None;
    }
    let folder = TempDir::new().unwrap();
    let (points, gradebook) = graded(assignment, &part_of(assignment, folder.path()));
    let expected = [("good".to_owned(), good), ("hopeless".to_owned(), hopeless)];
    assert_eq!(points, expected, "{assignment}");
    Some(gradebook)
}

#[test]
#[ignore = "long: grades classes"]
fn checkers_is_won_and_the_other_does_not_capture() {
    let Some(gradebook) = expect_part("checkers-2021", 8 + 10, 3) else {
        return;
    };
    let fault = &gradebook["students"][1]["criteria"][1][0]["verdict"]["fault"];
    assert_eq!(fault["finding"]["code"], "jump-compulsory", "{fault}");
}

#[test]
#[ignore = "long: grades classes"]
fn halma_is_won_and_the_other_is_rejected() {
    let Some(gradebook) = expect_part("halma-2019", 8 + 10, 0) else {
        return;
    };
    assert_eq!(gradebook["students"][1]["state"]["fault"]["code"], "build-error");
}

#[test]
#[ignore = "long: grades classes"]
fn duo_othello_is_won_and_the_other_crashes() {
    let Some(gradebook) = expect_part("duo-othello-2024", 5 + 5, 0) else {
        return;
    };
    let fault = &gradebook["students"][1]["criteria"][0][0]["verdict"]["fault"];
    assert_eq!(fault["kind"], "no-output", "{fault}");
}

#[test]
fn star_and_circle_is_answered_and_the_other_passes() {
    let Some(gradebook) = expect_part("star-circle-2018", 16, 0) else {
        return;
    };
    let verdict = &gradebook["students"][1]["criteria"][0][0]["verdict"];
    assert_eq!(verdict["answer"], "different", "{verdict}");
}

/// The numbers in the row of `assignment` on the samples' page.
fn promised(assignment: &str) -> Vec<u64> {
    let page = fs::read_to_string(tournaments().join("samples/README.md")).unwrap();
    let row = page.lines().find(|line| line.starts_with(&format!("| [{assignment}]"))).unwrap();
    let before = row.split(" of 100").map(|text| text.rsplit(' ').next().unwrap().parse().ok());
    before.flatten().collect()
}

#[test]
fn the_page_promises_two_numbers_for_each_assignment() {
    let whole = std::env::var_os("REFEREE_WHOLE_SAMPLES").is_some();
    for assignment in ASSIGNMENTS {
        let promised = promised(assignment);
        assert_eq!(promised.len(), 2, "{assignment}");
        if whole {
            let (points, _) = graded(assignment, &tournaments().join(format!("{assignment}.toml")));
            let points: Vec<u64> = points.into_iter().map(|(_, points)| points).collect();
            assert_eq!(points, promised, "{assignment}");
        }
    }
}
