//! `referee grade`: parses options and grades submissions to the end.

mod class;
mod platform;
mod preparation;
mod request;
mod roster;

use std::path::{Path, PathBuf};

use clap::Args;

use super::gradebook::ExportArguments;
use super::output::{note, say};
use super::places::PinArgument;
use super::scratch::scratch_dir;
use super::session::on_threads;
use super::voids::tell_voids;
use super::{CommandOutcome, Failure};
use crate::agents::{FileNames, Python2};
use crate::grading::Gradebook;
use crate::grading::exports::export_all;
use crate::messages::{counted, plain};
use crate::records::{Host, RunFolder};
use crate::seat::{Isolation, Meter, Scratch};
use class::NamedClass;
use platform::Platform;
use request::GradingRequest;
use roster::roster_text;

/// Grades submissions by an assignment: one student, or a whole class.
///
/// The same command goes on after any interruption, and does only what is missing. Points, reasons and the pages for
/// the students are written into the run's folder.
#[derive(Debug, Args)]
pub(super) struct GradeCommand {
    /// The assignment file, such as tournaments/checkers-2021.toml
    #[arg(required_unless_present = "platform")]
    assignment: Option<PathBuf>,
    /// Submissions: a folder, a file or an archive for each student
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// A folder, `.zip` or `.tar.gz` whose entries are the submissions
    #[arg(long, value_name = "PATH")]
    class: Option<PathBuf>,
    /// Grade these students alone; may be repeated
    #[arg(long, value_name = "STUDENT")]
    only: Vec<String>,
    /// Leave this student out, who is then in no gradebook; may be repeated
    #[arg(long, value_name = "STUDENT")]
    without: Vec<String>,
    /// Grade this student anew, for a submission that has changed; the old results are removed; may be repeated
    #[arg(long, value_name = "STUDENT")]
    regrade: Vec<String>,
    /// Play every close call this many times again, for the review list; the points stay as they are
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=99))]
    recheck: u32,
    /// How many games at a time [default: one for each physical core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// The folder of the run [default: results/ and the name of the assignment file]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The weakest isolation that will do: bare, confined or sealed [default: what the assignment says]
    #[arg(long, value_name = "LEVEL")]
    isolation: Option<Isolation>,
    /// How CPU time is measured: perf, cgroup-v2, cgroup-v1 or rusage [default: the best that can be had]
    #[arg(long)]
    meter: Option<Meter>,
    /// Students of the course, a CSV with columns such as id, name, email and group: who is missing gets 0 points
    #[arg(long, value_name = "CSV")]
    roster: Option<PathBuf>,
    /// Print who has handed in what, and stop before anything is built or run
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    pin: PinArgument,
    /// Run programs in Python 2 by Python 3, where there is no Python 2
    #[arg(long)]
    python2_by_python3: bool,
    /// Be the autograder of a platform, gradescope or vocareum: read and write where it expects that, one submission
    #[arg(
        long = "as",
        value_name = "PLATFORM",
        conflicts_with_all = [
            "submissions", "class", "only", "without", "regrade", "recheck", "dry_run", "roster", "exports", "canvas",
            "canvas_column",
            "export_to",
        ]
    )]
    platform: Option<Platform>,
    /// Where the folders of the platform are, for trying it out
    #[arg(long, value_name = "DIR", requires = "platform", default_value = "/", hide = true)]
    platform_root: PathBuf,
    #[command(flatten)]
    exports: ExportArguments,
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
        let assignment = preparation::load(&path)?;
        let exports = self.exports.wanted()?;
        let unpacked = scratch_dir(Scratch::Other)?;
        let named = self.named(&assignment.submission.names, unpacked.path())?;
        if self.dry_run {
            return say(&roster_text(&named, &assignment.submission.names));
        }
        let out = self.out(&path)?;
        named.expect_elsewhere(&out)?;
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
        })
    }

    /// The folder of the run: the same command always finds the same one.
    fn out(&self, assignment: &Path) -> Result<PathBuf, Failure> {
        let stem = || assignment.file_stem().map(|stem| Path::new("results").join(stem));
        self.out
            .clone()
            .or_else(stem)
            .ok_or_else(|| Failure::Usage("name the folder of the run with `--out`".to_owned()))
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
            "{who} not in this gradebook: left out by `--only` or `--without`"
        ));
    }
}
