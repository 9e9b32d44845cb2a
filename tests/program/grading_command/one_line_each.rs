//! Everybody has one line in the gradebook, whatever a submission is called.

use std::fs;

use super::{line, points, refused, small_class};
use crate::classroom::honest;
use crate::invocation::assert_contains;

#[test]
#[ignore = "long: grades classes"]
fn nobody_has_two_lines_in_the_gradebook() {
    let Some(room) = small_class() else { return };
    room.write("roster.csv", "name,id\nada,1\nbob,2\ncyd,3\n");
    let roster = room.path("roster.csv");
    let roster = ["--roster", roster.to_str().unwrap()];
    room.graded("run", &roster);
    fs::rename(room.path("class/bob"), room.path("class/robert")).unwrap();
    room.write("roster.csv", "name,id\nada,1\nrobert,2\ncyd,3\n");
    assert_contains(
        refused(&room, &roster, 2),
        "referee: `robert` has the same ID, login or e-mail as `bob`, which was graded before, and would have two \
         lines in the gradebook: take out the earlier one with `--without bob`, or give the submission its earlier \
         name\n",
    );
    room.graded("run", &[&roster[..], &["--without", "bob"]].concat());
    let names = [line("ada", "graded", "2"), line("cyd", "graded", "2"), line("robert", "graded", "0")];
    assert_eq!(points(&room), names);
}

/// Submissions and lines of the roster have different names, and one of a group has no login.
#[test]
#[ignore = "long: grades classes"]
fn a_later_download_with_the_same_roster_takes_no_grade_away() {
    let Some(room) = small_class() else { return };
    room.write("roster.csv", "name,login,group\nAda Roe,ada,team\nDee Doe,,team\nBob Roe,bob,\nCyd Roe,cyd,\n");
    let roster = room.path("roster.csv");
    let roster = ["--roster", roster.to_str().unwrap()];
    fs::rename(room.path("class/cyd"), room.path("cyd")).unwrap();
    room.graded("run", &roster);
    let team = ["ada", "Dee Doe"].map(|name| line(name, "graded", "2")).to_vec();
    let bob = vec![line("bob", "graded", "0")];
    let [none, cyd] = [line("Cyd Roe", "rejected", "0"), line("cyd", "graded", "2")];
    let sorted = |lines: [Vec<(String, String, String)>; 3]| {
        let mut lines = lines.concat();
        lines.sort();
        lines
    };
    assert_eq!(points(&room), sorted([team.clone(), bob.clone(), vec![none]]));
    for name in ["ada", "bob"] {
        fs::remove_dir_all(room.path(&format!("class/{name}"))).unwrap();
    }
    fs::rename(room.path("cyd"), room.path("class/cyd")).unwrap();
    room.graded("run", &roster);
    assert_eq!(points(&room), sorted([team, bob, vec![cyd]]));
}

/// Each of two accounts of one person, for example.
#[test]
fn two_submissions_of_one_person_are_refused() {
    let Some(room) = small_class() else { return };
    room.submit("1", "homework.py", honest());
    room.write("roster.csv", "name,id\nada,1\nbob,2\ncyd,3\n");
    let roster = room.path("roster.csv");
    let roster = ["--roster", roster.to_str().unwrap()];
    let refusal = "referee: `1` and `ada` are both submissions of `1`: leave one out, for example by `--without 1`\n";
    assert_eq!(refused(&room, &roster, 2), refusal);
    assert_eq!(refused(&room, &[&roster[..], &["--dry-run"]].concat(), 2), refusal);
    room.graded("run", &[&roster[..], &["--without", "1"]].concat());
}
