//! Downloads in the shape of each platform, zipped as they come.

use serde_json::json;

use super::packing::zip;
use super::{expected, outcomes};
use crate::classroom::{Classroom, honest};
use crate::invocation::{assert_contains, command, stderr, stdout};

/// The outcomes of a download, and what `--dry-run` told before.
fn graded(files: &[(&str, &[u8])]) -> (std::collections::BTreeMap<String, String>, String) {
    let room = Classroom::of_single_moves();
    let download = room.write("download.zip", zip(files));
    let grade = |more: &[&str]| {
        let output = command(&["grade"])
            .arg(room.path("assignment.toml"))
            .arg("--class")
            .arg(&download)
            .arg("--out")
            .arg(room.path("run"))
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        output
    };
    let told = grade(&["--dry-run"]);
    assert!(!room.path("run").exists(), "nothing is begun");
    grade(&[]);
    (outcomes(&room.gradebook("run")), stderr(&told) + &stdout(&told))
}

fn assert_told(told: &str, lines: &[&str]) {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in lines {
        assert!(folded(told).contains(&folded(line)), "{line:?} is not in:\n{told}");
    }
}

#[test]
fn a_download_of_gradescope() {
    let metadata = "submission_1:\n  :submitters:\n  - :name: Gina Good\n    :sid: '678910'\n    \
        :email: gina@example.edu\n  :created_at: 2026-11-20 23:45:00.861687000 Z\n  :results:\n    \
        output: |-\n      x\n\
        submission_2:\n  :submitters:\n  - :name: Gina Good\n    :sid: '678911'\n\
        submission_3:\n  :submitters:\n  - :name: Ada\n    :sid: '1'\n  - :name: Bob\n    :sid: '2'\n";
    let honest = honest();
    let (outcomes, told) = graded(&[
        ("assignment_9_export/submission_metadata.yml", metadata.as_bytes()),
        ("assignment_9_export/submission_1/homework.py", honest.as_bytes()),
        ("assignment_9_export/submission_2/hw2.py", honest.as_bytes()),
        ("assignment_9_export/submission_3/team.zip", &zip(&[("homework.py", honest.as_bytes())])),
    ]);
    let wanted = [("Ada", "2"), ("Bob", "2"), ("Gina Good (678910)", "2"), ("Gina Good (678911)", "no-program")];
    assert_eq!(outcomes, expected(&wanted));
    assert_told(
        &told,
        &[
            "a download of Gradescope: 3 submissions",
            "Gina Good (678910) 678910 gina@example.edu 2026-11-20 23:45 UTC homework.py",
            "3 submissions, 1 with a fault; nothing was run",
        ],
    );
}

#[test]
fn a_download_of_canvas() {
    let honest = honest();
    let (outcomes, told) = graded(&[
        ("goodgina_12345_67890_homework.py", b"syntax error ("),
        ("goodgina_12345_67899_homework-1.py", honest.as_bytes()),
        ("roeann_LATE_777_888_my work.zip", &zip(&[("homework.py", honest.as_bytes())])),
        ("lone_3_4_homework.py", honest.as_bytes()),
        ("misnamed_7_8_agent.py", honest.as_bytes()),
        ("wordy_5_text.html", b"<p>sorry</p>"),
    ]);
    let wanted =
        [("goodgina", "2"), ("lone", "2"), ("misnamed", "no-program"), ("roeann", "2"), ("wordy", "no-program")];
    assert_eq!(outcomes, expected(&wanted));
    assert_told(&told, &["a download of Canvas: 5 submissions", "roeann 777 late homework.py"]);
}

/// Canvas knows a login and a number of its own; the roster has the rest.
#[test]
#[ignore = "long: grades downloads"]
fn a_download_of_canvas_has_the_names_of_the_roster() {
    let room = Classroom::of_single_moves();
    let honest = honest();
    let files = [
        ("goodgina_12_1_homework.py", honest.as_bytes()),
        ("roeann_LATE_34_2_homework.py", b"syntax error ("),
        ("team_56_3_homework.py", honest.as_bytes()),
    ];
    let download = room.write("download.zip", zip(&files));
    let roster = "name,id,email,login,group\n\"Good, Gina\",900,g@x.edu,,\nAnn Roe,901,a@x.edu,,\n\
        Ada,902,ada@x.edu,ada,Team\nBob,903,bob@x.edu,,Team\n";
    let roster = room.write("roster.csv", roster);
    let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Homework of the tests (9)\n    Points \
        Possible,,,,,2\n\"G., Gina\",12,,gina,A,\n\"Roe, Ann\",34,,ann,A,\n";
    let template = room.write("template.csv", canvas);
    let grade = |more: &[&str]| {
        let mut grade = command(&["grade"]);
        grade.arg(room.path("assignment.toml")).arg("--class").arg(&download);
        grade.arg("--roster").arg(&roster).arg("--out").arg(room.path("run"));
        grade.args(["--export", "canvas", "--canvas"]).arg(&template);
        let output = grade.args(more).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output) + &stdout(&output)
    };
    let lines = ["Good, Gina 900 g@x.edu homework.py", "Ann Roe 901 a@x.edu late homework.py", "team 56 homework.py"];
    assert_told(&grade(&["--dry-run"]), &lines);
    grade(&[]);
    let wanted = [("Ada", "2"), ("Ann Roe", "build-error"), ("Bob", "2"), ("Good, Gina", "2")];
    assert_eq!(outcomes(&room.gradebook("run")), expected(&wanted));
    let back = std::fs::read_to_string(room.path("run/canvas.csv")).unwrap();
    let filled = canvas.replace("gina,A,\n", "gina,A,2\n").replace("ann,A,\n", "ann,A,0\n");
    assert_eq!(back, filled, "by the number in the name of the file");
    assert!(room.path("run/feedback/Ann Roe.txt").exists());
    let output = command(&["report"]).arg(room.path("run")).arg("--json").output().unwrap();
    let view: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let students = view["grades"]["students"].as_array().unwrap().iter();
    let names: Vec<&str> = students.map(|student| student["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ada", "Ann Roe", "Bob", "Good, Gina"]);
}

#[test]
#[ignore = "long: grades downloads"]
fn a_download_of_brightspace() {
    let honest = honest();
    let (outcomes, told) = graded(&[
        ("index.html", b"<html>"),
        ("1-99 - Gina Good - Nov 20, 2026 1145 PM/homework.py", b"syntax error ("),
        ("1-99 - Gina Good - Nov 21, 2026 1205 AM/homework.py", honest.as_bytes()),
        ("2-99 - Gina Good - Nov 1, 2026 905 AM/hw.zip", &zip(&[("a/homework.py", honest.as_bytes())])),
    ]);
    assert_eq!(outcomes, expected(&[("Gina Good (1)", "2"), ("Gina Good (2)", "2")]));
    assert_told(
        &told,
        &["of `Gina Good`, the last of 2 submissions counts", "Gina Good (1) 2026-11-21 00:05 homework.py"],
    );
}

#[test]
#[ignore = "long: grades downloads"]
fn a_download_of_moodle() {
    let honest = honest();
    // Older versions write `_` at the end.
    for end in ["", "_"] {
        let place = |student: &str, file: &str| format!("{student}_assignsubmission_file{end}/{file}");
        let (outcomes, told) = graded(&[
            (&place("Gina Good_123", "homework.py"), honest.as_bytes()),
            (&place("Zoë Ωμέγα_124", "hw.tar"), b"no archive"),
        ]);
        let wanted = [("Gina Good", "2"), ("Zoë Ωμέγα", "broken-archive")];
        assert_eq!(outcomes, expected(&wanted));
        assert_told(&told, &["a download of Moodle: 2 submissions"]);
        let (outcomes, told) = graded(&[
            (&place("Gina Good_123", "homework.py"), honest.as_bytes()),
            (&place("Zoë Ωμέγα_124", "hw.tar"), b"no archive"),
            ("notes.txt", b"to do"),
        ]);
        assert_eq!(outcomes, expected(&wanted));
        assert_told(&told, &["skipped `notes.txt`: not named like a Moodle submission"]);
    }
}

#[test]
fn a_download_of_blackboard() {
    let honest = honest();
    let gina = "Homework 2_ggood_attempt_2026-11-20-23-45-00";
    let roe = "Homework 2_aroe_attempt_2026-11-20-10-00-00";
    let (outcomes, told) = graded(&[
        (&format!("{gina}.txt"), b"Name: Gina Good (ggood)\nAssignment: Homework 2\n\nComments:\nhi\n"),
        (&format!("{gina}_homework.py"), honest.as_bytes()),
        (&format!("{roe}.txt"), b"Name: Ann Roe (aroe)\n"),
    ]);
    assert_eq!(outcomes, expected(&[("Ann Roe", "no-program"), ("Gina Good", "2")]));
    let lines = ["a download of Blackboard: 2 submissions", "Gina Good ggood 2026-11-20 23:45 homework.py"];
    assert_told(&told, &lines);
}

#[test]
#[ignore = "long: grades downloads"]
fn a_download_of_github_classroom_and_one_of_vocareum() {
    let honest = honest();
    let grades = "github_username,roster_identifier,student_repository_name\nginagood,gina@example.edu,hw-1-ginagood\n";
    let (outcomes, told) = graded(&[
        ("hw-1-submissions/grades.csv", grades.as_bytes()),
        ("hw-1-submissions/hw-1-ginagood/homework.py", honest.as_bytes()),
        ("hw-1-submissions/hw-1-roe/homework.py", honest.as_bytes()),
    ]);
    assert_eq!(outcomes, expected(&[("ginagood", "2"), ("roe", "2")]));
    assert_told(&told, &["a download of GitHub Classroom: 2 submissions", "gina@example.edu"]);
    let (outcomes, told) = graded(&[
        ("ada@example.edu/Homework 2/submission_9/homework.py", b"syntax error ("),
        ("ada@example.edu/Homework 2/submission_10/homework.py", honest.as_bytes()),
        ("ada@example.edu/Homework 2/submission_10/submit.rst", b"1. Submitted"),
        ("bob@example.edu/homework.py", honest.as_bytes()),
        ("cyd@example.edu/", b""),
    ]);
    assert_eq!(outcomes, expected(&[("ada", "2"), ("bob", "2")]));
    let lines = [
        "a download of Vocareum: 2 submissions",
        "`cyd@example.edu` handed in nothing (empty folder)",
        "ada@example.edu homework.py, submit.rst",
    ];
    assert_told(&told, &lines);
}

#[test]
#[ignore = "long: grades downloads"]
fn a_part_of_a_download_of_vocareum_is_chosen_for_everybody() {
    let room = Classroom::of_single_moves();
    let (honest, other) = (honest(), b"syntax error (".as_slice());
    let files = [
        ("ada@x.edu/1/submission_2/homework.py", honest.as_bytes()),
        ("ada@x.edu/2/submission_1/homework.py", other),
        ("bob@x.edu/1/submission_9/homework.py", other),
        ("bob@x.edu/1/submission_10/homework.py", honest.as_bytes()),
        ("cyd@x.edu/2/submission_1/homework.py", other),
    ];
    let download = room.write("download.zip", zip(&files));
    let grade = |more: &[&str]| {
        let mut grade = command(&["grade"]);
        grade.arg(room.path("assignment.toml")).arg("--class").arg(&download);
        grade.arg("--out").arg(room.path("run")).args(more).output().unwrap()
    };
    for (more, problem) in [
        (&[][..], "has several parts: choose one of `1`, `2` with `--part NAME`"),
        (&["--part", "3"], "has several parts: choose one of `1`, `2` with `--part NAME`"),
    ] {
        let refused = grade(more);
        assert_eq!(refused.status.code(), Some(2));
        assert_contains(stderr(&refused), problem);
    }
    let told = grade(&["--part", "1"]);
    assert!(told.status.success(), "{}", stderr(&told));
    assert_told(&stderr(&told), &["`cyd@x.edu` handed in nothing in part `1`"]);
    assert_eq!(outcomes(&room.gradebook("run")), expected(&[("ada", "2"), ("bob", "2")]));
    room.submit("ada", "homework.py", honest);
    let refused = room.grade("other", &["--part", "1"]).output().unwrap();
    assert_contains(stderr(&refused), "has no parts: remove `--part`");
}

/// A name that the student chose counts, and one that tells students apart does not, wherever it comes from.
#[test]
#[ignore = "long: grades downloads"]
fn a_program_has_the_name_of_the_assignment_on_every_platform() {
    let honest = honest();
    let layouts = [
        "goodgina_12_34_FILE",
        "goodgina_LATE_12_34_FILE",
        "anon_x7Pq2_34_FILE",
        "export/submission_1/FILE",
        "Hw_ggood_attempt_2026-11-20-23-45-00_FILE",
        "1-99 - Gina Good - Nov 20, 2026 1145 PM/FILE",
        "1-99 - Gina Good - Nov 20, 2026 1145 PM - FILE",
        "Gina Good_123_assignsubmission_file/FILE",
        "Gina Good_123_assignsubmission_file_FILE",
        "hw-1-ginagood/FILE",
        "ada@example.edu/submission_9/FILE",
        "class/Gina Good/FILE",
    ];
    for layout in layouts {
        for (file, outcome) in [("homework.py", "2"), ("main.py", "no-program"), ("Homework.py", "wrong-letter-case")] {
            let place = layout.replace("FILE", file);
            let folder = place.split('/').next().unwrap();
            let beside = match folder {
                "export" => ("export/submission_metadata.yml".to_owned(), "submission_1: {}\n"),
                "hw-1-ginagood" => ("grades.csv".to_owned(), "github_username\nginagood\n"),
                _ => ("__MACOSX/x".to_owned(), ""),
            };
            let (found, told) = graded(&[(&place, honest.as_bytes()), (&beside.0, beside.1.as_bytes())]);
            let found: Vec<&String> = found.values().collect();
            assert_eq!(found, [outcome], "{place}\n{told}");
        }
    }
    // These are called like their student: nobody knows what they were called before.
    let (found, _) = graded(&[("class/ada.py", honest.as_bytes()), ("class/bob.py", honest.as_bytes())]);
    assert_eq!(found, expected(&[("ada", "2"), ("bob", "2")]));
}

#[test]
fn what_canvas_calls_files_is_undone() {
    let honest = honest();
    let source = honest.replace("if __name__", "open('book.bin'); open('book-1.bin'); import game\nif __name__");
    let (found, _) = graded(&[
        ("goodgina_12_1_homework-2.py", source.as_bytes()),
        ("goodgina_12_2_game-1.py", b"pass"),
        ("goodgina_12_3_book-1.bin", b"x"),
    ]);
    assert_eq!(found, expected(&[("goodgina", "2")]));
}

/// Students who call a file, or themselves, like somebody else.
#[test]
#[ignore = "long: grades downloads"]
fn nobody_becomes_somebody_else_by_a_name() {
    let honest = honest();
    let (found, _) = graded(&[
        ("roeann_999_1_homework.py", honest.as_bytes()),
        ("roeann_999_2_anon_a_1_homework.py", honest.as_bytes()),
        ("roeann_999_3_anon_x7Pq2_1_homework.py", honest.as_bytes()),
        ("goodgina_12_4_homework.py", honest.as_bytes()),
    ]);
    assert_eq!(found, expected(&[("goodgina", "2"), ("roeann", "2")]));
    let metadata = "submission_1:\n  :submitters:\n  - :name: Gina Good\n    :sid: '1'\n\
        submission_2:\n  :submitters:\n  - :name: Gina Good\n    :sid: '2'\n\
        submission_3:\n  :submitters:\n  - :name: Gina Good (1)\n    :sid: '3'\n";
    let (found, _) = graded(&[
        ("export/submission_metadata.yml", metadata.as_bytes()),
        ("export/submission_1/homework.py", honest.as_bytes()),
        ("export/submission_2/homework.py", honest.as_bytes()),
        ("export/submission_3/homework.py", b"syntax error ("),
    ]);
    let wanted = [("Gina Good (1)", "2"), ("Gina Good (2)", "2"), ("Gina Good (1) (3)", "build-error")];
    assert_eq!(found, expected(&wanted));
}

#[test]
fn only_the_archive_in_a_folder_is_graded_and_the_student_is_named() {
    let honest = honest();
    let packed = zip(&[("homework.py", honest.as_bytes())]);
    let (outcomes, told) = graded(&[
        ("goodgina_12_1_hw.zip", &packed),
        ("goodgina_12_2_notes.txt", b"x"),
        ("goodgina_12_3_more.txt", b"x"),
    ]);
    assert_eq!(outcomes, expected(&[("goodgina", "2")]));
    assert_told(&told, &["`goodgina`: only the archive `hw.zip` is graded; 2 other files are ignored"]);
}

#[test]
#[ignore = "long: grades downloads"]
fn students_on_the_roster_without_a_submission_have_a_row() {
    let room = Classroom::of_single_moves();
    room.submit("Gina Good_12_assignsubmission_file_", "homework.py", honest());
    room.submit("Eve_13_assignsubmission_file_", "homework.py", honest());
    let roster = room.write("roster.csv", "E-Mail;Surname;First name\n;Good;Gina\nbob@example.edu;Roe;Bob\n");
    let roster = roster.to_str().unwrap();
    let told = room.grade("run", &["--roster", roster, "--dry-run"]).output().unwrap();
    assert_told(
        &stdout(&told),
        &[
            "Bob Roe bob@example.edu nothing was handed in",
            "2 submissions, 0 with a fault; 1 student handed in nothing; nothing was run",
        ],
    );
    assert_told(&stderr(&told), &["a download of Moodle: 2 submissions"]);
    let output = room.graded("run", &["--roster", roster, "--export", "junit,csv"]);
    let told = ["`Eve` is not on the roster", "building 2 submissions"];
    assert_told(&stderr(&output), &told);
    let wanted = [("Bob Roe", "nothing-handed-in"), ("Eve", "2"), ("Gina Good", "2")];
    assert_eq!(outcomes(&room.gradebook("run")), expected(&wanted));
    let feedback = std::fs::read_to_string(room.path("run/feedback/Bob Roe.txt")).unwrap();
    assert_told(&feedback, &["nothing was handed in"]);
    // The deadline is over: advice on what to hand in comes too late.
    assert!(!feedback.contains("hand in a program"), "{feedback}");
    assert!(room.path("run/junit.xml").exists() && room.path("run/gradebook.csv").exists());
    let bad = room.write("bad.csv", "colour\nred\n");
    let output = room.grade("other", &["--roster", bad.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_told(&stderr(&output), &["line 1: expected headings such as `id`, `name`"]);
}

#[test]
fn a_download_that_was_unpacked_is_read_as_well() {
    let room = Classroom::of_single_moves();
    room.submit("1-99 - Gina Good - Nov 20, 2026 1145 PM", "homework.py", honest());
    let output = room.graded("run", &[]);
    let points = room.gradebook("run")["students"][0]["points"].clone();
    assert_eq!(points, json!(2));
    assert_contains(stderr(&output), "a download of Brightspace: 1 submission");
}

/// Grades the download with one command, and gives the file that goes back to the platform.
fn round_trip(files: &[(&str, &[u8])], template: Option<(&str, &str)>, export: &str, back: &str) -> String {
    let room = Classroom::of_single_moves();
    let download = room.write("download.zip", zip(files));
    let mut grade = command(&["grade"]);
    grade.arg(room.path("assignment.toml")).arg("--class").arg(&download);
    grade.arg("--out").arg(room.path("run")).args(["--export", export]);
    if let Some((option, text)) = template {
        grade.arg(option).arg(room.write("template.csv", text));
    }
    let output = grade.output().unwrap();
    assert!(output.status.success(), "{export}: {}", stderr(&output));
    std::fs::read_to_string(room.path("run").join(back)).unwrap_or_else(|error| panic!("{back}: {error}"))
}

#[test]
fn no_export_replaces_the_file_to_fill_in() {
    let room = Classroom::of_single_moves();
    room.write("class/ada/homework.py", honest());
    for (option, name) in [("--canvas", "canvas.csv"), ("--template", "gradebook.csv")] {
        let text = "Student,ID,Homework of the tests (9)\n\"Good, Gina\",12,\n";
        let template = room.write(&format!("out/{name}"), text);
        let mut grade = command(&["grade"]);
        grade.arg(room.path("assignment.toml")).arg("--class").arg(room.path("class"));
        grade.arg("--out").arg(room.path("run")).arg("--export-to").arg(room.path("out"));
        let output = grade.arg(option).arg(&template).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let message = format!(
            "`{}`: an export would replace this file: move or rename it, or choose another directory with \
             `--export-to`",
            template.display()
        );
        assert_contains(stderr(&output), &message);
        assert_eq!(std::fs::read_to_string(&template).unwrap(), text);
    }
}

#[test]
#[ignore = "long: grades downloads"]
fn each_platform_gets_its_own_gradebook_back() {
    let honest = honest();
    let honest = honest.as_bytes();
    let broken = b"syntax error (".as_slice();
    let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Homework of the tests (9)\n    Points \
        Possible,,,,,2\n\"Good, Gina\",12,,gina,A,\n\"Roe, Ann\",34,,ann,A,\n";
    assert_eq!(
        round_trip(
            &[("goodgina_12_1_homework.py", honest), ("roeann_LATE_34_2_homework.py", broken)],
            Some(("--canvas", canvas)),
            "canvas",
            "canvas.csv"
        ),
        canvas.replace("gina,A,\n", "gina,A,2\n").replace("ann,A,\n", "ann,A,0\n")
    );
    let brightspace = "OrgDefinedId,Username,Last Name,First Name,Email,Homework of the tests Points Grade <Numeric \
        MaxPoints:2>,End-of-Line Indicator\n#900,#gina,Good,Gina,g@x.edu,,#\n#901,#ann,Roe,Ann,a@x.edu,,#\n";
    assert_eq!(
        round_trip(
            &[
                ("7-3 - Gina Good - Nov 20, 2026 1145 PM/homework.py", honest),
                ("8-3 - Ann Roe - Nov 20, 2026 1146 PM/homework.py", broken),
            ],
            Some(("--template", brightspace)),
            "brightspace",
            "brightspace.csv"
        ),
        brightspace.replace("g@x.edu,,", "g@x.edu,2,").replace("a@x.edu,,", "a@x.edu,0,")
    );
    let moodle = "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be \
        changed\"\n\"Participant 123\",\"Gina Good\",g@x.edu,Submitted,,2.00,Yes\n\"Participant 124\",\"Ann \
        Roe\",a@x.edu,Submitted,,2.00,Yes\n";
    assert_eq!(
        round_trip(
            &[
                ("Gina Good_123_assignsubmission_file_/homework.py", honest),
                ("Ann Roe_124_assignsubmission_file_/homework.py", broken),
            ],
            Some(("--template", moodle)),
            "moodle",
            "moodle.csv"
        ),
        moodle
            .replace("g@x.edu,Submitted,,", "g@x.edu,Submitted,2,")
            .replace("a@x.edu,Submitted,,", "a@x.edu,Submitted,0,")
    );
    let blackboard = "\"Last Name\",\"First Name\",\"Username\",\"Homework of the tests [Total Pts: 2 Score] \
        |9\"\n\"Goody\",\"Regina\",\"ggood\",\"\"\n\"Roe\",\"Ann\",\"aroe\",\"\"\n";
    assert_eq!(
        round_trip(
            &[
                ("Hw_ggood_attempt_2026-11-20-23-45-00_homework.py", honest),
                ("Hw_ggood_attempt_2026-11-20-23-45-00.txt", b"Name: Gina Good (ggood)\n"),
                ("Hw_aroe_attempt_2026-11-20-10-00-00_homework.py", broken),
            ],
            Some(("--template", blackboard)),
            "blackboard",
            "blackboard.csv"
        ),
        blackboard.replace("ggood\",\"\"", "ggood\",\"2\"").replace("aroe\",\"\"", "aroe\",\"0\"")
    );
    let metadata = "submission_1:\n  :submitters:\n  - :name: Gina Good\n    :sid: '1'\n    :email: g@x.edu\n  \
        :created_at: 2026-11-20 23:45:00 Z\n";
    let gradescope = round_trip(
        &[("export/submission_metadata.yml", metadata.as_bytes()), ("export/submission_1/homework.py", honest)],
        None,
        "gradescope",
        "gradescope/Gina Good.json",
    );
    let results: serde_json::Value = serde_json::from_str(&gradescope).unwrap();
    assert_eq!(results["score"], json!(2));
    let vocareum = round_trip(
        &[("ada@example.edu/submission_1/homework.py", honest), ("bob@example.edu/homework.py", broken)],
        None,
        "vocareum",
        "vocareum/ada.csv",
    );
    assert_eq!(vocareum, "single-moves,2\n");
}
