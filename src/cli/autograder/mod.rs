//! `referee autograder`: writes what a course uploads to a platform. `grade --as` grades there; this grades nothing.
//!
//! The archive has the binary, a script for the platform, and the assignment with everything that it refers to, at the
//! same places relative to each other. It is written only if it grades a submission where nothing else is.

mod archive_builder;
mod kit;
mod output;
mod trial;

use std::path::{Path, PathBuf};

use clap::Args;

use super::grade::Platform;
use super::output::note;
use super::{CommandOutcome, Failure};
use crate::runs::{assignment_of, load_grading, open_run};
use archive_builder::{ArchiveBuilder, ArchiveContents};
pub(super) use kit::KitCommand;
use output::ArchiveOutput;
use referee_course::grading::{gradebook, short_remark};
use referee_games::KnownGames;
use referee_messages::plain;
use trial::ArchiveTrial;

/// Write the archive that makes a platform grade submissions by an assignment
///
/// Gradescope: upload the archive as the autograder of the assignment. Vocareum: unpack it into the scripts of the
/// assignment, `/voc/scripts`. The archive has this program, so run a statically linked one: it works whatever the
/// system of the platform. Before it is written, it is unpacked and grades one submission on this machine.
#[derive(Debug, Args)]
pub(super) struct AutograderCommand {
    /// Platform
    #[arg(value_name = "PLATFORM", value_enum, hide_possible_values = true, help = "Platform: gradescope or vocareum")]
    platform: Platform,
    /// Assignment file; what it refers to is packed, too
    #[arg(value_name = "ASSIGNMENT")]
    assignment: PathBuf,
    /// Submission to try the archive on, such as your solution [default: one that answers nothing]
    #[arg(long, value_name = "PATH")]
    sample: Option<PathBuf>,
    #[command(flatten)]
    output: ArchiveOutput,
}

/// Where the assignment is in the archive: apart from the scripts, whose names it might use itself.
const COURSE: &str = "course";

impl AutograderCommand {
    pub(super) fn run(&self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        self.output.expect_place()?;
        let names = load_grading(&self.assignment, games)?.submission.names;
        let mut archive_builder = ArchiveBuilder::default();
        let contents = ArchiveContents { positions: true, opponents: true };
        let assignment = archive_builder.add_assignment(&self.assignment, Path::new(COURSE), contents, games)?.path;
        archive_builder.add_file("referee", &self.output.binary()?)?;
        for (name, text) in scripts(self.platform, &assignment) {
            archive_builder.add_text(name, text);
        }
        let archive = archive_builder.into_zip().map_err(|error| Failure::Bug(error.to_string()))?;
        let trial = ArchiveTrial::unpack(&archive)?;
        let sample = match &self.sample {
            Some(path) => path.canonicalize().map_err(|error| Failure::input(path, error))?,
            None => trial.silent_submission(&names)?,
        };
        let words = ["grade".as_ref(), "--quiet".as_ref(), assignment.as_ref(), sample.as_os_str(), "--out".as_ref()];
        // The sample may be newer than the deadline, is the course's own, and this machine need not be the platform.
        let lenient = ["--received-at", "files", "--isolation", "bare", "--python2-by-python3"].map(AsRef::as_ref);
        trial.run(&[&words[..], &[trial.results().as_os_str()], &lenient].concat(), &[0])?;
        if self.sample.is_some() {
            note(&sample_line(&trial.results(), games)?);
        }
        self.output.write(&archive)?;
        Ok(CommandOutcome::Yes)
    }
}

/// What the submission graded in `run` has earned, and why not more.
fn sample_line(run: &Path, games: &KnownGames) -> Result<String, Failure> {
    let (folder, _) = open_run(run, games)?;
    let assignment = assignment_of(&folder)?.ok_or_else(|| Failure::Bug("the trial has no assignment".to_owned()))?;
    let gradebook = gradebook(&assignment, &folder)?;
    let [student] = gradebook.students.as_slice() else {
        return Err(Failure::Bug("the trial graded another number of submissions than one".to_owned()));
    };
    let why = short_remark(student);
    let why = if why.is_empty() { why } else { format!("; {why}") };
    Ok(plain(&format!("the sample earned {} of {} {}{why}", student.points, student.of, student.of.noun())))
}

/// The scripts of `platform`, by name. `assignment` is the path in the archive.
fn scripts(platform: Platform, assignment: &str) -> Vec<(&'static str, String)> {
    let assignment = shlex::try_quote(assignment).unwrap_or(assignment.into());
    let naming = |script: &str| script.replace("ASSIGNMENT", &assignment);
    match platform {
        Platform::Gradescope => vec![
            ("setup.sh", include_str!("gradescope_setup.sh").to_owned()),
            ("run_autograder", naming(include_str!("gradescope_run.sh"))),
        ],
        Platform::Vocareum => vec![("grade.sh", naming(include_str!("vocareum_grade.sh")))],
    }
}
