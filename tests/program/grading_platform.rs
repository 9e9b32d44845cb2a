//! `referee grade --as`: one submission where a platform has put it, its grade where the platform looks for it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::classroom::{Classroom, honest};
use crate::invocation::{assert_contains, assert_ends, command, stderr, stdout};
use crate::skips::{ISOLATION, skip};
use crate::toolbox::{PYTHON3, has};

const METADATA: &str = r#"{"id": 123456, "users": [{"email": "ada@example.com", "id": 1234, "name": "Ada Lovelace"}]}"#;

/// The container of an autograder, with an assignment and nothing handed in.
fn gradescope() -> Option<Classroom> {
    if !has(PYTHON3) {
        return None;
    }
    let room = Classroom::of_single_moves();
    for folder in ["submission", "results", "source/positions"] {
        fs::create_dir_all(room.path("autograder").join(folder)).unwrap();
    }
    for file in ["assignment.toml", "positions/01-opening.txt", "positions/02-forced-jump.txt"] {
        fs::copy(room.path(file), room.path("autograder/source").join(file)).unwrap();
    }
    room.write("autograder/submission_metadata.json", METADATA);
    Some(room)
}

fn grade_as(room: &Classroom, platform: &str, more: &[&str]) -> Output {
    let mut command = command(&[]);
    command.args(["grade", "--as", platform, "--platform-root"]).arg(room.path("."));
    command.args(more).output().unwrap()
}

fn results(room: &Classroom) -> Value {
    serde_json::from_slice(&fs::read(room.path("autograder/results/results.json")).unwrap()).unwrap()
}

#[test]
fn gradescope_finds_its_results() {
    let Some(room) = gradescope() else { return };
    room.write("autograder/submission/homework.py", honest());
    let output = grade_as(&room, "gradescope", &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_ends(stdout(&output), "Ada Lovelace: 2 of 2 points\n");
    let results = results(&room);
    assert_eq!(results["score"], 2);
    assert_eq!(results["tests"].as_array().unwrap().len(), 2);
    assert_eq!(results["tests"][0]["status"], "passed");
    let left: Vec<_> = fs::read_dir(room.path("autograder/results")).unwrap().collect();
    assert_eq!(left.len(), 1);
}

/// A student who may hand in again could hand in a table of them.
#[test]
fn right_answers_of_cases_are_not_told() {
    let Some(room) = gradescope() else { return };
    let text = fs::read_to_string(room.path("autograder/source/assignment.toml")).unwrap();
    let cases = "\n[[grade]]\nkind = \"cases\"\ncases = \"cases\"\ntime = 30\npoints_each = 2\n";
    room.write("autograder/source/assignment.toml", text + cases);
    let question = fs::read(room.path("positions/01-opening.txt")).unwrap();
    fs::create_dir(room.path("autograder/source/cases")).unwrap();
    room.write("autograder/source/cases/one.input.txt", question);
    room.write("autograder/source/cases/one.expected.txt", "only this is right\n");
    room.write("autograder/submission/homework.py", honest());
    let output = grade_as(&room, "gradescope", &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let results = results(&room);
    assert_eq!(results["score"], 2);
    assert!(results["tests"][2]["output"].as_str().unwrap().contains("line 1"), "{results:#}");
    assert!(!results.to_string().contains("only this"), "{results:#}");
}

/// A submission that takes the grader for its own: it writes the grade where the platform looks for it, reads and
/// changes what it is graded by, and looks at who is graded. Where any of that succeeds, it tells what, and has no
/// answer.
fn forger(autograder: &Path) -> String {
    format!(
        r#"
import os, sys
HERE = "{}"
def write(name):
    with open(os.path.join(HERE, name), "a") as file:
        file.write('{{"score": 100}}')
ATTEMPTS = {{
    "grade": lambda: write("results/results.json"),
    "grade by link": lambda: os.symlink("/dev/null", os.path.join(HERE, "results/results.json")),
    "assignment": lambda: write("source/assignment.toml"),
    "positions": lambda: open(os.path.join(HERE, "source/positions/01-opening.txt")).read(),
    "student": lambda: open(os.path.join(HERE, "submission_metadata.json")).read(),
    "folder": lambda: os.listdir(HERE),
}}
done = []
for name, attempt in ATTEMPTS.items():
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
if done:
    sys.exit("forged: " + ", ".join(done))
"#,
        autograder.display()
    ) + &honest()
}

/// The assignment asks for an isolation in which none of this works; where it cannot be had, nothing is graded.
#[test]
fn a_submission_does_not_forge_its_grade() {
    let Some(room) = gradescope() else { return };
    let autograder = room.path("autograder").canonicalize().unwrap();
    let forger = forger(&autograder);
    room.write("autograder/submission/homework.py", &forger);
    let assignment = fs::read(room.path("autograder/source/assignment.toml")).unwrap();
    let output = grade_as(&room, "gradescope", &["--isolation", "confined"]);
    if output.status.code() == Some(4) {
        return skip(&ISOLATION, stderr(&output));
    }
    assert!(output.status.success(), "{}", stderr(&output));
    let results = results(&room);
    assert_eq!(results["score"], 2, "{results:#}");
    assert_eq!(fs::read(room.path("autograder/source/assignment.toml")).unwrap(), assignment);

    // A grader that runs it as it is hands over everything.
    fs::remove_file(room.path("autograder/results/results.json")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let naive = Command::new("python3").args(["-c", &forger]).current_dir(folder.path()).output().unwrap();
    assert_eq!(stderr(&naive), "forged: grade, assignment, positions, student, folder\n");
    let grade = fs::read_to_string(room.path("autograder/results/results.json")).unwrap();
    assert_eq!(grade, r#"{"score": 100}"#);
}

#[test]
fn a_submission_that_is_at_fault_has_zero_points_and_the_reason() {
    let Some(room) = gradescope() else { return };
    room.write("autograder/submission/hw2.py", honest());
    let output = grade_as(&room, "gradescope", &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let results = results(&room);
    assert_eq!(results["score"], 0);
    let told = results["output"].as_str().unwrap();
    assert!(told.contains("no program found in `hw2.py`"), "{told}");
}

#[test]
fn what_is_not_the_students_fault_leaves_no_grade() {
    let Some(room) = gradescope() else { return };
    room.write("autograder/submission/homework.py", honest());
    let mut without_python = command(&[]);
    without_python.args(["grade", "--as", "gradescope", "--platform-root"]).arg(room.path("."));
    let output = without_python.env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    fs::remove_file(room.path("autograder/source/assignment.toml")).unwrap();
    let output = grade_as(&room, "gradescope", &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(!room.path("autograder/results/results.json").exists());
    fs::remove_dir(room.path("autograder/results")).unwrap();
    let output = grade_as(&room, "gradescope", &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_contains(stderr(&output), "`--as gradescope` runs in the container of a Gradescope autograder");
}

#[test]
fn vocareum_finds_grades_and_report_in_its_files() {
    let Some(room) = gradescope() else { return };
    room.write("work/homework.py", honest());
    let (grades, report) = (room.write("tmp/grades", ""), room.write("tmp/report", ""));
    let mut command = command(&[]);
    command.args(["grade", "--as", "vocareum"]).arg(room.path("assignment.toml"));
    command.env("vocareumGradeFile", &grades).env("vocareumReportFile", &report);
    let output = command.current_dir(room.path("work")).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&grades).unwrap(), "single-moves,2\n");
    let report = fs::read_to_string(&report).unwrap();
    assert!(report.starts_with("VOC_NO_REPORT_OUTPUT\n"), "{report}");
    // Nothing of ours stays among the student's files.
    assert_eq!(fs::read_dir(room.path("work")).unwrap().count(), 1);
    // No link that a student has made is followed.
    std::os::unix::fs::symlink(&grades, room.path("work/grades")).unwrap();
    let output = command.env("vocareumGradeFile", "grades").output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert_ends(stderr(&output), "cannot write `grades`: the submission has a link there\n");
}

#[test]
fn vocareum_has_to_say_where_the_grade_goes() {
    let Some(room) = gradescope() else { return };
    let output = grade_as(&room, "vocareum", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "referee: the environment variable `vocareumGradeFile` is not set: `--as vocareum` runs in a Vocareum grading \
         script, which sets it\n"
    );
}

#[test]
fn a_platform_names_its_submission_itself() {
    let Some(room) = gradescope() else { return };
    let output = grade_as(&room, "gradescope", &["a.toml", "b"]);
    assert_eq!(output.status.code(), Some(2));
}
