//! `referee grade --as`: acts as the autograder of a platform.
//!
//! It grades the one submission of a platform and writes the result where the platform expects it.
//! [`referee_course::grading::exports`] has the formats.
//!
//! It must write a complete grade or nothing. If grading fails through no fault of the student, the command must fail
//! without a result, so that the platform reports a failed autograder and nobody gets zero points.
//!
//! | platform | the submission | the default assignment | the result |
//! | --- | --- | --- | --- |
//! | Gradescope | `/autograder/submission` | `/autograder/source/assignment.toml` | `/autograder/results/results.json` |
//! | Vocareum | the current folder | `/voc/scripts/assignment.toml` | the files in `$vocareumGradeFile`, `$vocareumReportFile` |
//!
//! Gradescope: <https://gradescope-autograders.readthedocs.io/en/latest/specs/> (the folders), and
//! <https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/> (`users[].name`). Vocareum:
//! <https://help.vocareum.com/en/articles/14120536-using-custom-grading-scripts-in-vocareum-labs> (the grading script
//! runs in the folder of the submission; its own files are in `/voc/scripts`; both variables name files that it
//! writes).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Deserialize;

use super::GradeCommand;
use crate::cli::Failure;
use crate::cli::output::print;
use crate::runs::{NamedClass, load_grading, scratch_dir};
use referee_course::grading::exports::{gradescope, vocareum_grades, vocareum_report};
use referee_course::grading::{Gradebook, GradingState, StudentGrade};
use referee_games::KnownGames;
use referee_messages::{counted_are, plain};
use referee_records::{read_bounded, write_files};
use referee_seat::Scratch;
use referee_submissions::agents::AgentName;

/// A platform that runs an autograder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Platform {
    /// <https://www.gradescope.com>.
    Gradescope,
    /// <https://www.vocareum.com>.
    Vocareum,
}

/// The name of a student if the platform gives none.
const UNNAMED: &str = "student";

/// Larger than Gradescope's metadata for the longest history of submissions.
const MAX_METADATA_BYTES: u64 = 16 << 20;

/// Grades the submission provided by `platform`.
pub(super) fn grade(platform: Platform, grade: &GradeCommand, games: &KnownGames) -> Result<(), Failure> {
    let place = PlatformPaths::of(platform, &grade.platform_root)?;
    let assignment = grade.assignment.clone().unwrap_or(place.assignment);
    let read = load_grading(&assignment, games)?;
    let class = NamedClass::of_one(place.student, place.submission);
    // A platform discards its container; records are kept only in a named folder.
    let scratch = scratch_dir(Scratch::Other)?;
    let out = grade.out.clone().unwrap_or_else(|| scratch.path().join("run"));
    // Whoever may hand in again could hand in the right answers.
    let gradebook =
        grade.gradebook((assignment, read), (class, vec![]), vec![], (out, games))?.without_expected_answers();
    let [student] = gradebook.students.as_slice() else {
        return Err(Failure::Usage(format!(
            "the run directory has the grades of {} students: expected only this submission",
            gradebook.students.len()
        )));
    };
    if let GradingState::Unfinished { missing } = student.state {
        return Err(Failure::Machine(format!(
            "{} missing, void on every attempt: the submission has no grade, rerun the autograder",
            counted_are(missing as usize, "item")
        )));
    }
    place.result.write(&gradebook, student)?;
    print(&format!("{}: {} of {} {}\n", plain(&student.name), student.points, student.of, student.of.noun()))
}

/// The paths of a platform.
#[derive(Debug)]
struct PlatformPaths {
    submission: PathBuf,
    student: AgentName,
    assignment: PathBuf,
    result: ResultPath,
}

/// Where a platform expects the grade.
#[derive(Debug)]
enum ResultPath {
    Gradescope { results: PathBuf },
    Vocareum { grades: PathBuf, report: PathBuf },
}

impl PlatformPaths {
    fn of(platform: Platform, root: &Path) -> Result<Self, Failure> {
        match platform {
            Platform::Gradescope => Self::of_gradescope(&root.join("autograder")),
            Platform::Vocareum => Self::of_vocareum(&root.join("voc/scripts")),
        }
    }

    fn of_gradescope(autograder: &Path) -> Result<Self, Failure> {
        let submission = autograder.join("submission");
        let results = autograder.join("results");
        for folder in [&submission, &results] {
            if !folder.is_dir() {
                return Err(Failure::Usage(format!(
                    "no directory `{}`: `--as gradescope` runs in the container of a Gradescope autograder",
                    folder.display()
                )));
            }
        }
        Ok(Self {
            submission,
            student: student_of_gradescope(&autograder.join("submission_metadata.json")),
            assignment: autograder.join("source/assignment.toml"),
            result: ResultPath::Gradescope { results },
        })
    }

    fn of_vocareum(scripts: &Path) -> Result<Self, Failure> {
        let file = |variable: &str| {
            std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from).ok_or_else(|| {
                Failure::Usage(format!(
                    "the environment variable `{variable}` is not set: `--as vocareum` runs in a Vocareum grading \
                     script, which sets it"
                ))
            })
        };
        Ok(Self {
            submission: std::env::current_dir()
                .map_err(|error| Failure::Input(format!("cannot read the current directory: {error}")))?,
            student: unnamed_student(),
            assignment: scripts.join("assignment.toml"),
            result: ResultPath::Vocareum { grades: file("vocareumGradeFile")?, report: file("vocareumReportFile")? },
        })
    }
}

impl ResultPath {
    fn write(&self, gradebook: &Gradebook, student: &StudentGrade) -> Result<(), Failure> {
        match self {
            Self::Gradescope { results } => {
                let text = gradescope(gradebook, student);
                Ok(write_files(results, [("results.json", text.as_str())])?)
            }
            // These files already exist, perhaps in a folder that we may not write. The grades come last: a report
            // without grades is harmless.
            Self::Vocareum { grades, report } => {
                let write = |path: &Path, text: String| {
                    let written = expect_no_own_link(path).and_then(|()| fs::write(path, text));
                    written.map_err(|error| Failure::unwritable(path, error))
                };
                write(report, vocareum_report(gradebook, student))?;
                write(grades, vocareum_grades(gradebook, student))
            }
        }
    }
}

/// Refuses a path through a link in the current folder: it is that of the submission, so the student may have made it.
fn expect_no_own_link(path: &Path) -> io::Result<()> {
    let (here, path) = (std::env::current_dir()?, std::path::absolute(path)?);
    let mut inside = path.ancestors().take_while(|place| place.starts_with(&here) && *place != here);
    if inside.any(Path::is_symlink) { Err(io::Error::other("the submission has a link there")) } else { Ok(()) }
}

/// The relevant part of Gradescope's metadata.
#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    users: Vec<User>,
}

#[derive(Deserialize)]
struct User {
    #[serde(default)]
    name: String,
}

/// The first submitter's name, if it can be shown. The name earns no points, so an unreadable file is no reason to
/// fail.
fn student_of_gradescope(metadata: &Path) -> AgentName {
    let bytes = read_bounded(metadata, MAX_METADATA_BYTES).unwrap_or_default();
    let metadata = serde_json::from_slice::<Metadata>(&bytes).ok();
    let user = metadata.and_then(|metadata| metadata.users.into_iter().next());
    user.and_then(|user| user.name.trim().parse().ok()).unwrap_or_else(unnamed_student)
}

fn unnamed_student() -> AgentName {
    UNNAMED.parse().expect("it is made of letters")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_student_is_the_first_user_with_a_fit_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("submission_metadata.json");
        let cases = [
            (r#"{"id": 1, "users": [{"email": "a@b.c", "name": "Ada O'Hara"}, {"name": "Bob"}]}"#, "Ada O'Hara"),
            (r#"{"users": [{"name": "\u001b[2J"}]}"#, "student"),
            (r#"{"users": []}"#, "student"),
            ("{", "student"),
        ];
        for (text, expected) in cases {
            fs::write(&path, text).unwrap();
            assert_eq!(student_of_gradescope(&path).as_str(), expected, "{text}");
        }
        assert_eq!(student_of_gradescope(&folder.path().join("none")).as_str(), "student");
    }
}
