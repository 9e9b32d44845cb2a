//! A grading of one submission, for the tests of its page.

use std::fs;

use super::{Run, said};
use crate::toolbox::{PYTHON3, has};

const ASSIGNMENT: &str = r#"
title = "Homework"
game = "checkers"
minimum_isolation = "bare"
[clock]
play_time = 300
[[grade]]
kind = "single-moves"
title = "Single moves"
positions = "positions"
time = 5
points_each = 2
[[grade]]
kind = "games"
title = "Games"
opponent = "builtin:random"
games = 1
first_move = 1
play_time = 20
points_each = 10
"#;

const POSITION: &str =
    "SINGLE\nBLACK\n100.0\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";

/// A grading of one submission, which answers with its own name; `None` where there is no Python to run it with.
pub(crate) fn graded() -> Option<Run> {
    graded_with(0)
}

/// The same beside so many submissions without a program.
pub(crate) fn graded_with(rejected: usize) -> Option<Run> {
    if !has(PYTHON3) {
        return None;
    }
    let (course, run) = (tempfile::tempdir().unwrap(), Run::empty());
    let files = [
        ("homework.toml", ASSIGNMENT),
        ("positions/one.txt", POSITION),
        ("class/marian/homework.py", "open('output.txt', 'w').write('E marian')\n"),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text));
    let without = (1..=rejected).map(|number| (format!("class/student-{number:02}/notes.md"), "later"));
    for (name, text) in files.into_iter().chain(without) {
        let path = course.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let path = |name: &str| course.path().join(name).to_str().unwrap().to_owned();
    let (assignment, class) = (path("homework.toml"), path("class"));
    let out = ["--out", run.path().to_str().unwrap()];
    said(&[&["grade", &assignment, "--class", &class], &out[..]].concat());
    Some(run)
}
