//! Whose submission is whose by the roster: groups that a platform names, members one by one, names in every spelling.

use std::collections::BTreeMap;

use super::packing::zip;
use super::{expected, outcomes};
use crate::classroom::{Classroom, honest};
use crate::invocation::{assert_contains, command, stderr, stdout};

/// A room with a download of an honest program at each of these places, and with this roster.
fn room(places: &[&str], roster: &str) -> Classroom {
    let room = Classroom::of_single_moves();
    download(&room, places);
    room.write("roster.csv", roster);
    room
}

/// A zip, but for a clone, which has `.git` and is a folder.
fn download(room: &Classroom, places: &[&str]) {
    let honest = honest();
    if places.iter().any(|place| place.contains(".git")) {
        for place in places {
            room.write(&format!("class/{place}"), &honest);
        }
        return;
    }
    let files: Vec<(&str, &[u8])> = places.iter().map(|place| (*place, honest.as_bytes())).collect();
    room.write("class.zip", zip(&files));
}

/// Grades the download with the roster; what is told.
fn grade(room: &Classroom, more: &[&str]) -> String {
    let class = if room.path("class.zip").exists() { "class.zip" } else { "class" };
    let mut grade = command(&["grade"]);
    grade.arg(room.path("assignment.toml")).arg("--class").arg(room.path(class));
    grade.arg("--roster").arg(room.path("roster.csv"));
    let output = grade.arg("--out").arg(room.path("run")).args(more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stderr(&output) + &stdout(&output)
}

/// The points or the fault of each student, and what was told.
fn graded(places: &[&str], roster: &str) -> (BTreeMap<String, String>, String) {
    let room = room(places, roster);
    let told = grade(&room, &[]);
    (outcomes(&room.gradebook("run")), told)
}

#[test]
#[ignore = "long: grades downloads"]
fn a_group_that_the_platform_names_has_its_members_of_the_roster() {
    let roster = "name,group\nAda Bee,Group 1\nBob Cee,Group 1\nCyd Dee,Group 2\n";
    let wanted = [("Ada Bee", "2"), ("Bob Cee", "2"), ("Cyd Dee", "nothing-handed-in")];
    for places in [
        &["Group 1_12_assignsubmission_file/homework.py"][..],
        &["group1_12_34_homework.py"],
        &["12-99 - Group 1 - Nov 20, 2026 1145 PM/homework.py"],
        &["Homework_Group 1_attempt_2026-11-20-23-45-00_homework.py"],
        &["hw-group-1/homework.py", "hw-group-1/.git/x.py", "hw-ada/homework.py", "hw-ada/.git/x.py"],
    ] {
        let (mut outcomes, told) = graded(places, roster);
        assert_contains(&told, "a download of ");
        assert_contains(&told, "`Bob Cee` gets the points of group `Group 1` (submission `");
        outcomes.remove("ada");
        assert_eq!(outcomes, expected(&wanted), "{places:?}");
    }
}

#[test]
#[ignore = "long: grades downloads"]
fn groups_of_one_name_in_two_sections_are_two() {
    let roster = "name,section,group\nAda Bee,A,1\nBob Cee,A,1\nCyd Dee,B,1\n";
    let (outcomes_of_ada, _) = graded(&["Ada Bee_12_assignsubmission_file/homework.py"], roster);
    let wanted = [("Ada Bee", "2"), ("Bob Cee", "2"), ("Cyd Dee", "nothing-handed-in")];
    assert_eq!(outcomes_of_ada, expected(&wanted));
    let (outcomes, told) = graded(&["1_12_assignsubmission_file/homework.py"], roster);
    let unclear = ["Ada Bee", "Bob Cee", "Cyd Dee"].map(|name| (name, "several-roster-lines"));
    let wanted = [("1", "2")].into_iter().chain(unclear);
    assert_eq!(outcomes, expected(&wanted.collect::<Vec<_>>()));
    assert_contains(
        &told,
        "3 roster lines match the submission `1`, so it belongs to none of them: give the groups of its sections \
         different names",
    );
}

#[test]
fn each_member_of_a_group_is_found_by_what_is_known_of_them() {
    let long = "Wolfeschlegelsteinhausenbergerdorff";
    let metadata = format!(
        "submission_1:\n  :submitters:\n  - :name: Ada A\n    :sid: '1'\n  - :name: Bob B\n  - :name: Cyd {long}\n  - \
         :name: Eve E\n  - :name: Fay F\n"
    );
    let room = Classroom::of_single_moves();
    let files = [
        ("export/submission_metadata.yml", metadata.as_bytes()),
        ("export/submission_1/homework.py", honest().as_bytes()),
    ]
    .map(|(place, text)| (place, text.to_vec()));
    let files: Vec<(&str, &[u8])> = files.iter().map(|(place, text)| (*place, text.as_slice())).collect();
    room.write("class.zip", zip(&files));
    let roster = format!("id,name\n1,Adeline A\n2,Bob B\n3,Cyd {long}\n4,Eve E\n5,Left Out\n");
    room.write("roster.csv", roster);
    let told = grade(&room, &[]);
    let cyd = format!("Cyd {long}");
    let wanted =
        [("Adeline A", "2"), ("Bob B", "2"), (cyd.as_str(), "2"), ("Eve E", "2"), ("Left Out", "nothing-handed-in")];
    assert_eq!(outcomes(&room.gradebook("run")), expected(&wanted));
    assert_contains(&told, "`Fay F`, a member of `Ada A + Bob B + Cyd");
}

#[test]
#[ignore = "long: grades downloads"]
fn lines_that_match_equally_well_have_a_row_that_says_so() {
    let roster = "id,name,login\n1,Ann Roe,\n2,Ann Roe,\n3,Bob,bob\n";
    let (outcomes, told) = graded(&["roeann_12_34_homework.py", "bob_13_35_homework.py"], roster);
    let wanted =
        [("Ann Roe", "several-roster-lines"), ("Ann Roe (2)", "several-roster-lines"), ("bob", "2"), ("roeann", "2")];
    assert_eq!(outcomes, expected(&wanted));
    assert_contains(
        &told,
        "2 roster lines match the submission `roeann`, so it belongs to neither: add an id, login or e-mail",
    );
    let room = room(&["roeann_12_34_homework.py"], "id,name,email\n1,Ann Roe,a@x.edu\n2,Ann Roe,b@x.edu\n");
    let told = grade(&room, &["--export", "moodle"]);
    assert_contains(told, "no points for `Ann Roe`: 2 roster lines match the submission `roeann`");
    assert_eq!(std::fs::read_to_string(room.path("run/moodle.csv")).unwrap().lines().count(), 1);
}

#[test]
#[ignore = "long: grades downloads"]
fn participants_of_moodle_have_their_numbers_in_the_grading_worksheet() {
    let place = |name: &str| format!("{name}_assignsubmission_file/homework.py");
    let places = ["Gina Good_12", "Gina Good_13", "Participant_7", "Participant_8"].map(place);
    let roster = "Identifier,Full name\nParticipant 12,Gina Good\nParticipant 13,Gina Good\nParticipant 14,Gina \
        Good\nParticipant 7,\nParticipant 9,\n";
    let (outcomes, told) = graded(&places.each_ref().map(String::as_str), roster);
    let wanted = [
        ("Gina Good", "nothing-handed-in"),
        ("Gina Good (12)", "2"),
        ("Gina Good (13)", "2"),
        ("Participant (7)", "2"),
        ("Participant (8)", "2"),
        ("Participant 9", "nothing-handed-in"),
    ];
    assert_eq!(outcomes, expected(&wanted));
    assert_contains(&told, "`Participant (8)` is not on the roster");
}

#[test]
#[ignore = "long: grades downloads"]
fn names_of_several_words_and_decomposed_accents_are_the_same_names() {
    let roster = "Last Name,First Name\nLópez García,Ana\nvan der Berg,Jan Piet\nMüller,Zoë\n";
    let (found, _) = graded(&["lópezgarcíaana_12_34_homework.py", "vanderbergjanpiet_13_35_homework.py"], roster);
    let wanted = [("Ana López García", "2"), ("Jan Piet van der Berg", "2"), ("Zoë Müller", "nothing-handed-in")];
    assert_eq!(found, expected(&wanted));
    let roster = "name\nZoë Müller\nAna López García\n";
    let (found, _) = graded(&["Zoe\u{308} Mu\u{308}ller/homework.py", "López García Ana/homework.py"], roster);
    let wanted = [("López García Ana", "2"), ("Zoë Müller", "2")];
    assert_eq!(found, expected(&wanted));
}

#[test]
#[ignore = "long: grades downloads"]
fn the_gradebook_of_canvas_is_a_roster_of_students() {
    let gradebook = "Student,ID,SIS User ID,SIS Login ID,Section,Homework of the tests (9)\n    Points \
        Possible,,,,,2\n\"Good, Gina\",12,900,gina,A,\n\"Roe, Ann\",34,901,ann,A,\n\"Student, Test\",99,,x9f,A,\n";
    let (outcomes, _) = graded(&["goodgina_12_34_homework.py"], gradebook);
    let wanted = [("Good, Gina", "2"), ("Roe, Ann", "nothing-handed-in")];
    assert_eq!(outcomes, expected(&wanted));
    let others = "name,id\nGina Good,12\n\"Student, Test\",99\n";
    let (outcomes, _) = graded(&["goodgina_12_34_homework.py"], others);
    let wanted = [("Gina Good", "2"), ("Student, Test", "nothing-handed-in")];
    assert_eq!(outcomes, expected(&wanted));
}

#[test]
#[ignore = "long: grades downloads"]
fn who_hands_in_late_has_one_row_and_a_grade_on_the_platform() {
    let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Homework of the tests (9)\n    Points \
        Possible,,,,,2\n\"Good, Gina\",12,900,gina,A,\n\"Roe, Ann\",34,901,ann,A,\n\"Lee, Cy\",56,902,cy,A,\n";
    for roster in [
        "name,id\n\"Good, Gina\",900\n\"Roe, Ann\",901\n\"Lee, Cy\",902\n",
        "name\n\"Good, Gina\"\n\"Roe, Ann\"\n\"Lee, Cy\"\n",
    ] {
        let room = room(&["roeann_34_1_homework.py"], roster);
        grade(&room, &[]);
        download(&room, &["roeann_34_1_homework.py", "goodgina_LATE_12_2_homework.py"]);
        let template = room.write("template.csv", canvas);
        grade(&room, &["--export", "canvas", "--canvas", template.to_str().unwrap()]);
        let wanted = [("Good, Gina", "2"), ("Lee, Cy", "nothing-handed-in"), ("Roe, Ann", "2")];
        assert_eq!(outcomes(&room.gradebook("run")), expected(&wanted));
        let back = std::fs::read_to_string(room.path("run/canvas.csv")).unwrap();
        assert_contains(&back, "gina,A,2\n");
    }
}

#[test]
#[ignore = "long: grades downloads"]
fn students_are_named_as_in_the_gradebook() {
    let roster = "name,id,group\n\"Good, Gina\",12,\n\"Roe, Ann\",34,team\n\"Lee, Cy\",56,team\n\"Out, Left\",78,\n";
    let room = room(&["goodgina_12_1_homework.py", "team_9_2_homework.py"], roster);
    let names = |told: &str| {
        let gradebook: serde_json::Value = room.gradebook("run");
        let students = gradebook["students"].as_array().unwrap().iter();
        let names: Vec<String> = students.map(|one| one["name"].as_str().unwrap().to_owned()).collect();
        assert!(!names.is_empty(), "{told}");
        names
    };
    assert_eq!(names(&grade(&room, &["--only", "Good, Gina"])), ["Good, Gina"]);
    let all = ["Good, Gina", "Lee, Cy", "Out, Left", "Roe, Ann"];
    assert_eq!(names(&grade(&room, &["--regrade", "Lee, Cy"])), all);
    std::fs::remove_dir_all(room.path("run")).unwrap();
    let without = names(&grade(&room, &["--without", "Roe, Ann", "--without", "goodgina"]));
    assert_eq!(without, ["Out, Left"], "a group is one submission");
    grade(&room, &[]);
    let report = |student: &str| {
        let output = command(&["report", "--json", "--student", student]).arg(room.path("run")).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let view: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        view["subject"].as_str().unwrap().to_owned()
    };
    assert_eq!(report("Lee, Cy"), report("team"));
    assert_eq!(report("Good, Gina"), report("goodgina"));
}
