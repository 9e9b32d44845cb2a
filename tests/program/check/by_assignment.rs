//! Checks by an assignment: its format, its files, its clock.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{Checked, check, sample, submission, words};
use crate::invocation::{assert_contains, assert_starts};
use crate::toolbox::{PYTHON3, require};

/// A quick check of one position by an assignment.
fn quick_by(assignment: &Path, submission: &Path) -> Checked {
    let assignment = assignment.to_str().unwrap();
    check(submission, &["--assignment", assignment, "--quick", "--positions", "1"])
}

/// An assignment of one game of checkers with these keys under `[clock]`.
fn with_clock(keys: &str) -> TempDir {
    submission(&[(
        "clock.toml",
        &format!(
            "title = \"Clock\"\ngame = \"checkers\"\n[clock]\n{keys}\n[[grade]]\nkind = \"games\"\n\
             opponent = \"builtin:random\"\ngames = 1\npoints_each = 1\n"
        ),
    )])
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn an_assignment_that_reads_exactly_makes_a_sloppy_format_a_fault() {
    require!(PYTHON3);
    let blanks = "text = open('output.txt').read()\nopen('output.txt', 'w').write(text.replace('\\n', '  \\n'))";
    let folder = submission(&[("homework.py", &sample("checkers", "", blanks))]);
    let course = submission(&[(
        "exact.toml",
        "title = \"Exact\"\ngame = \"checkers\"\ntolerance = \"exact\"\n[[grade]]\nkind = \"single-moves\"\n\
         positions = \"not-handed-out\"\ntime = 30\npoints_each = 1\n",
    )]);
    let assignment = course.path().join("exact.toml");
    let checked = quick_by(&assignment, folder.path());
    let remedy = "fix the first one, then check again; `--keep DIR` writes the input and output of each";
    assert_eq!(checked.said("answers"), words("red", "1 of 1 answer wrong", remedy));
    let details = checked.details("answers");
    assert_starts(&details[0], "01-opening: wrong format: line 1, column 8: ");
}

#[test]
fn provided_files_are_there_or_reported_as_missing() {
    require!(PYTHON3);
    let folder = submission(&[("homework.py", &sample("checkers", "import kit", ""))]);
    let course = with_clock("[submission]\nprovide = \"kit\"");
    let assignment = course.path().join("clock.toml");
    let checked = quick_by(&assignment, folder.path());
    let (light, found, _) = checked.said("provided");
    assert_eq!((light.as_str(), checked.status), ("yellow", 1), "{found}");
    fs::create_dir(course.path().join("kit")).unwrap();
    fs::write(course.path().join("kit/kit.py"), "").unwrap();
    let checked = quick_by(&assignment, folder.path());
    assert!(checked.items("provided").is_empty());
    assert_eq!(checked.said("answers").0, "green", "{}", checked.json);
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_run_ended_by_the_wall_clock_limit_says_so() {
    require!(PYTHON3);
    let asleep = "import time\nif float(open('input.txt').read().split()[2]) == 0.01:\n    time.sleep(1000)";
    let folder = submission(&[("homework.py", &sample("checkers", asleep, ""))]);
    let course = with_clock("wall_limit_factor = 1\nwall_limit_extra = 5");
    let assignment = course.path().join("clock.toml");
    let checked = quick_by(&assignment, folder.path());
    let (light, found, remedy) = checked.said("0.01 s left");
    assert_eq!(light, "yellow");
    assert_contains(&found, " s of wall-clock time, with N s of CPU time used");
    assert!(remedy.starts_with("do not sleep"), "{remedy}");
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn too_little_time_is_reported_with_what_the_language_takes() {
    require!(PYTHON3);
    let folder = submission(&[("homework.py", &sample("checkers", "", ""))]);
    let course = with_clock("play_time = 0.05");
    let assignment = course.path().join("clock.toml");
    let checked = check(folder.path(), &["--assignment", assignment.to_str().unwrap(), "--positions", "1"]);
    let (light, found, remedy) = checked.said("time");
    assert_ne!(light, "green");
    assert!(
        found.contains(
            "the shortest game allows N s; an empty program in Python 3 takes N s, which leaves N s per move to your \
             code"
        ),
        "{found}"
    );
    assert!(!remedy.contains("start faster"), "{remedy}");
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn positions_that_the_course_shows_are_tried_first() {
    require!(PYTHON3);
    // It knows every board but the one of the assignment.
    let blind = "if open('input.txt').read().count('w') == 1:\n    sys.exit()";
    let folder = submission(&[("homework.py", &sample("checkers", &format!("import sys\n{blind}"), ""))]);
    let course = submission(&[(
        "shown.toml",
        "title = \"Shown\"\ngame = \"checkers\"\n[[grade]]\nkind = \"single-moves\"\npositions = \"shown\"\ntime = 9\n\
         points_each = 1\n",
    )]);
    let assignment = course.path().join("shown.toml");
    assert_eq!(quick_by(&assignment, folder.path()).said("answers").1, "all 1 right");
    fs::create_dir(course.path().join("shown")).unwrap();
    let position = "SINGLE\nBLACK\n9\n........\n..b.....\n........\n........\n........\n........\n.w......\n........\n";
    fs::write(course.path().join("shown/lonely.txt"), position).unwrap();
    let checked = quick_by(&assignment, folder.path());
    assert_eq!(checked.said("answers").1, "1 of 2 answers wrong");
    assert_starts(&checked.details("answers")[0], "lonely: ");
    let sighted = submission(&[("homework.py", &sample("checkers", "", ""))]);
    let checked = quick_by(&assignment, sighted.path());
    assert_eq!(checked.said("answers").1, "all 2 right, 1 of them the assignment's own");
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn both_colours_are_played_even_if_the_first_game_is_lost_by_a_fault() {
    require!(PYTHON3);
    let silent = "import sys\nif 'GAME' in open('input.txt').read():\n    sys.exit()";
    let folder = submission(&[("homework.py", &sample("checkers", silent, ""))]);
    let course = with_clock("");
    let assignment = course.path().join("clock.toml");
    let checked = check(folder.path(), &["--assignment", assignment.to_str().unwrap(), "--positions", "1"]);
    let games: Vec<&str> = checked.items("game").iter().map(|item| item["found"].as_str().unwrap()).collect();
    assert_eq!(games.len(), 2, "{games:?}");
    assert_starts(games[0], "against random as black, to move first: on turn 1,");
    assert_starts(games[1], "against random as white, to move second: on turn 2,");
}

/// An agent that keeps a board of its own may know no other beginning.
#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_game_begins_as_those_of_the_competition_do() {
    require!(PYTHON3);
    let knows_the_start_alone = "import os, sys\nboard = open('input.txt').read()\n\
        if not os.path.exists('playdata.txt') and board.count('X') + board.count('O') > 10:\n    sys.exit()\n\
        open('playdata.txt', 'w').close()";
    let folder = submission(&[("homework.py", &sample("duo-othello", knows_the_start_alone, ""))]);
    let course = submission(&[(
        "openings.toml",
        "title = \"Openings\"\ngame = \"duo-othello\"\n[competition]\nformat = \"round-robin\"\nopening_plies = 4\n",
    )]);
    let assignment = course.path().join("openings.toml");
    let checked = check(folder.path(), &["--assignment", assignment.to_str().unwrap(), "--positions", "1"]);
    let games: Vec<&str> = checked.items("game").iter().map(|item| item["found"].as_str().unwrap()).collect();
    assert_starts(games[0], "against random as O, to move first: ");
    assert!(!games[0].contains("no `output.txt`"), "{games:?}");
    assert_starts(
        games[1],
        "against random as X, to move second, from an opening of 4 random moves: on turn 2, no `output.txt`",
    );
}
