//! `referee grade`: parses options and grades submissions to the end.

mod class;
mod platform;
mod preparation;
mod request;

use std::path::{Path, PathBuf};

use clap::Args;

use super::gradebook::ExportArguments;
use super::kind::expect_kind_in;
use super::output::{note, say};
use super::places::PinArgument;
use super::roster::{expect_elsewhere, roster_text};
use super::run_path::expect_place_for_run;
use super::scratch::scratch_dir;
use super::session::on_threads;
use super::voids::tell_voids;
use super::{CommandOutcome, Failure};
use crate::agents::{FileNames, Python2};
use crate::grading::Gradebook;
use crate::grading::exports::export_all;
use crate::messages::{counted, plain};
use crate::records::{Host, RunFolder, RunKind};
use crate::seat::{Isolation, Meter, Scratch};
use class::{NamedClass, note_times};
pub(super) use platform::Platform;
pub(super) use preparation::load;
use request::{Detail, GradingRequest};

/// Grade the submission of a student, or of a whole class
///
/// Writes the gradebook and a feedback page for each student to the run directory. Resume an interrupted grading with
/// the same command: it plays only the missing games.
#[derive(Debug, Args)]
pub(super) struct GradeCommand {
    /// Assignment file, such as tournaments/checkers-2021.toml
    #[arg(required_unless_present = "platform")]
    assignment: Option<PathBuf>,
    /// Submissions: a directory, a file or an archive for each student
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// Directory, `.zip` or `.tar.gz` of submissions, one entry for each student
    #[arg(long, value_name = "PATH")]
    class: Option<PathBuf>,
    /// Grade only this student; may be repeated
    #[arg(long, value_name = "STUDENT")]
    only: Vec<String>,
    /// Leave this student out of the grading and the gradebook; may be repeated
    #[arg(long, value_name = "STUDENT")]
    without: Vec<String>,
    /// Remove this student's results and grade the changed submission; may be repeated
    #[arg(long, value_name = "STUDENT")]
    regrade: Vec<String>,
    /// Replay every close call N times, for the review list; the points do not change
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=99))]
    recheck: u32,
    /// Number of games to play in parallel [default: the number of physical cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Run directory; an unfinished run in it is resumed [default: results/ASSIGNMENT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Minimum isolation level: bare, confined or sealed; refuse to run below it [default: as in the assignment]
    #[arg(long, value_name = "LEVEL")]
    isolation: Option<Isolation>,
    /// CPU time meter: perf, cgroup-v2, cgroup-v1 or rusage [default: the best available]
    #[arg(long)]
    meter: Option<Meter>,
    /// Roster of the course as CSV, with columns such as id, name, email and group; a missing student gets 0 points
    #[arg(long, value_name = "CSV")]
    roster: Option<PathBuf>,
    /// List the submissions and exit without building or running anything
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    detail: DetailArguments,
    #[command(flatten)]
    pin: PinArgument,
    /// Run Python 2 programs with Python 3 if Python 2 is not installed
    #[arg(long)]
    python2_by_python3: bool,
    /// Run as an autograder for gradescope or vocareum: grade one submission, with paths and results as it expects
    #[arg(
        long = "as",
        value_name = "PLATFORM",
        conflicts_with_all = [
            "submissions", "class", "only", "without", "regrade", "recheck", "dry_run", "roster", "exports", "canvas",
            "template", "canvas_column", "export_to", "pages",
        ]
    )]
    platform: Option<Platform>,
    /// Root of the platform's directories, for tests
    #[arg(long, value_name = "DIR", requires = "platform", default_value = "/", hide = true)]
    platform_root: PathBuf,
    #[command(flatten)]
    exports: ExportArguments,
}

/// How much is printed about finished work.
#[derive(Debug, Args)]
struct DetailArguments {
    /// Print a line for each game and each wrong answer, not only for each student
    #[arg(long, conflicts_with = "quiet")]
    details: bool,
    /// Print only the gradebook, warnings and errors
    #[arg(long, short)]
    quiet: bool,
}

impl DetailArguments {
    const fn wanted(&self) -> Detail {
        match (self.details, self.quiet) {
            (true, _) => Detail::Games,
            (false, true) => Detail::Quiet,
            (false, false) => Detail::Students,
        }
    }
}

impl GradeCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        match self.platform {
            Some(platform) => platform::grade(platform, &self),
            None => self.grade(),
        }
        .map(|()| CommandOutcome::Yes)
    }

    fn grade(self) -> Result<(), Failure> {
        let path = self.assignment.clone().unwrap_or_default();
        let assignment = load(&path)?;
        let exports = self.exports.wanted()?;
        let unpacked = scratch_dir(Scratch::Other)?;
        let mut named = self.named(&assignment.submission.names, unpacked.path())?;
        match &assignment.late {
            Some(rules) => note_times(rules, &named.students),
            None => named.forget_file_times(),
        }
        if self.dry_run {
            return say(&roster_text(&named.entries, &named.facts, &assignment.submission.names));
        }
        let out = self.out(&path)?;
        expect_elsewhere(&out, &named.entries, self.class.as_deref())?;
        expect_place_for_run(&out)?;
        expect_kind_in(&out, RunKind::Grading)?;
        let left_out = named.left_out.clone();
        // Find out before a night of games whether the Canvas file can be filled in.
        let check = {
            let exports = exports.clone();
            move |gradebook: &Gradebook| {
                export_all(gradebook, &exports)
                    .map(drop)
                    .map_err(|fault| Failure::Input(fault.to_string()))
            }
        };
        let gradebook = on_threads(self.order(path, named, out.clone())?.carry_out(assignment, check))?;
        self.exports.publish(&exports, &gradebook, &out)?;
        tell_left_out(&left_out, &gradebook);
        let (folder, manifest) = RunFolder::open_with_manifest(&out)?;
        tell_voids(&folder, &manifest, "the same command retries")
    }

    fn named(&self, names: &FileNames, scratch: &Path) -> Result<NamedClass, Failure> {
        let all = NamedClass::on_command_line(
            self.class.as_deref(),
            &self.submissions,
            names,
            self.roster.as_deref(),
            scratch,
        )?;
        all.limited(&self.only, &self.without, &self.regrade)
    }

    fn order(&self, path: PathBuf, named: NamedClass, out: PathBuf) -> Result<GradingRequest, Failure> {
        let places = self.pin.places(self.jobs)?;
        Ok(GradingRequest {
            assignment: path,
            entries: named.entries,
            students: named.students,
            regrade: self.regrade.clone(),
            recheck: self.recheck,
            jobs: self.jobs.map_or_else(|| Host::this().cores, usize::from),
            places,
            out,
            isolation: self.isolation,
            meter: self.meter,
            python2: if self.python2_by_python3 {
                Python2::ByPython3
            } else {
                Python2::Required
            },
            detail: self.detail.wanted(),
        })
    }

    /// The folder of the run: the same command always finds the same one.
    fn out(&self, assignment: &Path) -> Result<PathBuf, Failure> {
        let stem = || assignment.file_stem().map(|stem| Path::new("results").join(stem));
        self.out
            .clone()
            .or_else(stem)
            .ok_or_else(|| Failure::Usage("name the run directory with `--out`".to_owned()))
    }
}

/// So that nobody mistakes the table of a part for the whole class.
fn tell_left_out(left_out: &[String], gradebook: &Gradebook) {
    let is_in = |name: &&String| gradebook.students.iter().any(|student| student.name == **name);
    let missing: Vec<String> = left_out
        .iter()
        .filter(|name| !is_in(name))
        .map(|name| plain(name))
        .collect();
    if let [first, ..] = missing.as_slice() {
        let who = if missing.len() == 1 {
            format!("`{first}` is")
        } else {
            format!(
                "{}, `{first}` the first of them, are",
                counted(missing.len(), "submission")
            )
        };
        note(&format!(
            "{who} not in this gradebook: excluded by `--only` or `--without`"
        ));
    }
}
