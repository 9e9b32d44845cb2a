//! An assignment that changes after grading: what follows from the records is computed again, and only what was played
//! otherwise is played again. No record is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::classroom::{Classroom, honest};
use crate::invocation::{assert_contains, command, stderr};
use crate::toolbox::{PYTHON3, has};

/// One student, graded.
fn graded() -> Option<Classroom> {
    if !has(PYTHON3) {
        return None;
    }
    let room = Classroom::changed("games = 1\npoints_each = 2.5", "games = 2\npoints_each = 2.5");
    room.submit("ada", "homework.py", honest());
    room.graded("run", &[]);
    Some(room)
}

/// Replaces texts in the assignment.
fn edit(room: &Classroom, changes: &[(&str, &str)]) {
    let mut text = fs::read_to_string(room.path("assignment.toml")).unwrap();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    room.write("assignment.toml", text);
}

/// Every record of a folder, by its name.
fn records(folder: &Path) -> BTreeMap<String, String> {
    let entries = ["games", "answers"].map(|part| fs::read_dir(folder.join(part)).into_iter().flatten().flatten());
    let files = entries.into_iter().flatten().map(|entry| entry.path());
    files
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
        .collect()
}

fn recomputed(room: &Classroom) -> Output {
    let assignment = room.path("assignment.toml");
    command(&["gradebook"]).arg(room.path("run")).arg("--assignment").arg(assignment).output().unwrap()
}

/// Points of the student, and of everything.
fn points(room: &Classroom) -> (String, String) {
    let gradebook = room.gradebook("run");
    let student = &gradebook["students"][0];
    (student["points"].to_string(), student["of"].to_string())
}

fn verdicts(room: &Classroom, criterion: usize) -> Vec<Value> {
    let gradebook = room.gradebook("run");
    let items = gradebook["students"][0]["criteria"][criterion].as_array().unwrap();
    items.iter().map(|item| item["verdict"].clone()).collect()
}

#[test]
fn points_titles_order_and_penalties_follow_from_the_records() {
    let Some(room) = graded() else { return };
    let before = records(&room.path("run"));
    assert_eq!((before.len(), points(&room).1), (5, "12".to_owned()));
    edit(
        &room,
        &[
            ("Homework of the tests", "Another title"),
            ("points_each = 2.5", "points_each = 3\ndrawn = \"half\"\ntitle = \"By chance\""),
            ("points_each = 5", "points_each = 7"),
        ],
    );
    let output = recomputed(&room);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(points(&room).1, "15");
    assert_eq!(room.gradebook("run")["title"], "Another title");
    // Another order, a band instead of points, a late penalty; by `grade` this time.
    let text = fs::read_to_string(room.path("assignment.toml")).unwrap();
    let (head, grades) = text.split_once("[[grade]]").unwrap();
    let parts: Vec<&str> = grades.split("[[grade]]").collect();
    let [moves, random, walkover] = parts.as_slice() else { panic!("{text}") };
    let random = random.replace("points_each = 3", "points_by_win_rate = [{ from = 0, points_times_rate = 4 }]");
    let late = "[late]\ndeadline = 2026-11-20T23:59:00Z\npenalty_percent = 10\n";
    room.write("assignment.toml", format!("{head}{late}[[grade]]{walkover}\n[[grade]]{random}\n[[grade]]{moves}"));
    let said = stderr(&room.graded("run", &["--received-at", "files"]));
    assert_eq!(points(&room).1, "13");
    assert!(!said.contains("to play again"), "{said}");
    edit(&room, &[("games = 2", "games = 5")]);
    let refused = recomputed(&room);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert_contains(stderr(&refused), "3 items are not in this run, the first in the criterion `random`; rerun ");
    assert_eq!(records(&room.path("run")), before);
    assert!(!room.path("run/set-aside").exists());
}

#[test]
fn what_is_missing_is_said_and_a_change_that_needs_more_changes_nothing() {
    if !has(PYTHON3) {
        return;
    }
    let room = Classroom::of_single_moves();
    room.submit("ada", "homework.py", honest());
    room.graded("run", &[]);
    let answer = fs::read_dir(room.path("run/answers")).unwrap().flatten().next().unwrap().path();
    let [status, verify] = ["status", "verify"].map(|word| {
        move |path: &Path| {
            let output = command(&[word]).arg(path).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        }
    });
    assert_eq!(verify(&answer), (Some(0), "0 games, 0 turns, 1 answer, 0 different\n".to_owned()));
    let (code, said) = status(&room.path("run"));
    assert!(code == Some(0) && said.contains("2 of 2 answers finished"), "{said}");
    let (text, manifest) =
        (fs::read_to_string(&answer).unwrap(), fs::read_to_string(room.path("run/manifest.json")).unwrap());
    fs::remove_file(&answer).unwrap();
    let (code, said) = status(&room.path("run"));
    assert!(code == Some(1) && said.contains("1 of 2 answers finished"), "{said}");
    assert_contains(&said, "1 answer is missing; if nothing plays it now, resume with ");
    // What was missing before is no reason to refuse other points.
    edit(&room, &[("points_each = 1", "points_each = 2")]);
    assert!(recomputed(&room).status.success());
    edit(&room, &[("points_each = 2", "points_each = 1")]);
    assert!(recomputed(&room).status.success());
    fs::write(&answer, text).unwrap();
    let position = fs::read_to_string(room.path("positions/01-opening.txt")).unwrap();
    room.write("positions/03-again.txt", position.replacen("300", "200", 1) + "\n");
    let refused = recomputed(&room);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert_contains(stderr(&refused), "1 item is not in this run, the first in the criterion `single-moves`; rerun ");
    assert_eq!(fs::read_to_string(room.path("run/manifest.json")).unwrap(), manifest);
}

#[test]
#[ignore = "long: grades classes"]
fn only_games_of_another_time_are_played_again_and_the_old_ones_are_found_again() {
    let Some(room) = graded() else { return };
    let before = records(&room.path("run"));
    let text = fs::read_to_string(room.path("assignment.toml")).unwrap();
    edit(&room, &[("games = 2", "games = 2\nplay_time = 3")]);
    let refused = recomputed(&room);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    let said = stderr(&refused);
    assert_contains(&said, "2 of its games and answers have to be played again");
    assert_contains(&said, "`random`, for another play time");
    assert_eq!(records(&room.path("run")), before);
    let said = stderr(&room.graded("run", &[]));
    assert_contains(&said, "`random`: 2 items to play again, for another play time");
    assert_contains(&said, "3 items on record still count");
    let is_random = |id: &String| id.contains(".random.");
    let after = records(&room.path("run"));
    assert!(after.iter().all(|(id, text)| (before[id] == *text) != is_random(id)));
    let aside = records(&room.path("run/set-aside/records"));
    assert!(aside.len() == 2 && aside.iter().all(|(id, text)| is_random(id) && before[id] == *text));
    let verified = command(&["verify"]).arg(room.path("run")).output().unwrap();
    assert!(verified.status.success(), "{}", stderr(&verified));
    // What was set aside is a run of its own, and comes back with its assignment, without a game.
    let opened = command(&["gradebook"]).arg(room.path("run/set-aside/records")).arg("--json").output().unwrap();
    assert!(opened.status.success(), "{}", stderr(&opened));
    room.write("assignment.toml", text);
    let output = recomputed(&room);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(records(&room.path("run")), before);
}

#[test]
#[ignore = "long: grades classes"]
fn criteria_come_and_go_and_games_keep_their_records_under_any_name() {
    let Some(room) = graded() else { return };
    let before = records(&room.path("run"));
    // Fewer games, a criterion gone, and another name.
    let walkover =
        "[[grade]]\nkind = \"games\"\nname = \"walkover\"\nopponent = \"loser=loser\"\ngames = 1\npoints_each = 5\n";
    edit(&room, &[(walkover, ""), ("games = 2", "games = 1"), ("name = \"random\"", "name = \"chance\"")]);
    let output = recomputed(&room);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(points(&room).1, "4.5");
    let fewer = records(&room.path("run"));
    let names: Vec<&str> = fewer.keys().map(String::as_str).collect();
    assert_eq!(names, ["ada.chance.01", "ada.single-moves.01", "ada.single-moves.02"]);
    let same = |id: &str| fewer["ada.chance.01"].replace("ada.chance.01", id) == before[id];
    assert!(same("ada.random.01") || same("ada.random.02"));
    // More games than ever: the two that were played count, whatever they are called, and one is played.
    edit(&room, &[("games = 1", "games = 3")]);
    let said = stderr(&room.graded("run", &[]));
    assert!(!said.contains("to play again"), "{said}");
    let more = records(&room.path("run"));
    let turns = |text: &String| serde_json::from_str::<Value>(text).unwrap()["turns"].clone();
    let counted = more.values().filter(|text| before.values().any(|old| turns(old) == turns(text))).count();
    assert_eq!((more.len(), counted), (5, 4));
}

#[test]
#[ignore = "long: grades classes"]
fn answers_are_judged_again_where_the_runs_tell_how() {
    let Some(room) = graded() else { return };
    room.submit("bob", "homework.py", "open('output.txt', 'w').write('e B6  a5 \\n')\n");
    room.graded("run", &[]);
    let random = verdicts(&room, 1);
    let of_bob = |room: &Classroom| room.gradebook("run")["students"][1]["criteria"][0][0]["points"].to_string();
    assert_eq!(of_bob(&room), "1");
    let before = records(&room.path("run"));
    edit(&room, &[("minimum_isolation", "tolerance = \"exact\"\nminimum_isolation")]);
    let output = recomputed(&room);
    assert!(output.status.success(), "{}", stderr(&output));
    // Ada writes as the rules want it: the same verdicts, of the same runs.
    assert_eq!(verdicts(&room, 1), random);
    assert_eq!(of_bob(&room), "0");
    let gradebook = room.gradebook("run");
    assert_eq!(gradebook["conditions"]["tolerance"], "exact");
    assert_eq!(records(&room.path("run/set-aside/records")), before);
    let verified = command(&["verify"]).arg(room.path("run")).output().unwrap();
    assert!(verified.status.success(), "{}", stderr(&verified));
}
