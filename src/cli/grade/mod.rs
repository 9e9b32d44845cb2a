//! `referee grade`: parses options and grades submissions to the end.

mod platform;
mod received;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;

use super::events::EventLog;
use super::gradebook::ExportArguments;
use super::output::{note, say};
use super::roster::{is_missing, roster_text};
use super::run_arguments::RunArguments;
use super::run_display::{Detail, RunDisplay};
use super::session::on_threads;
use super::slots::PinArgument;
use super::voids::print_voids;
use super::{CommandOutcome, Failure};
use crate::runs::{GradingRequest, NamedClass, grade, load_grading, scratch_dir};
pub(super) use platform::Platform;
use received::{ReceivedAt, expect_credible_times};
use referee_course::assignment::{Assignment, Deadline, LateRules};
use referee_course::grading::Gradebook;
use referee_course::grading::exports::GradeExport;
use referee_games::KnownGames;
use referee_messages::{counted, plain};
use referee_records::{Manifest, RunFolder, StudentRecord, TimeSource};
use referee_seat::Scratch;

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
    /// Run directory; an unfinished run in it is resumed [default: results/ASSIGNMENT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Roster of the course as CSV, with columns such as id, name, email and group; a missing student gets 0 points
    #[arg(long, value_name = "CSV")]
    roster: Option<PathBuf>,
    /// Part of the assignment to take from a Vocareum download with several parts
    #[arg(long, value_name = "NAME", requires = "class")]
    part: Option<String>,
    /// When submissions were handed in of which neither the platform nor the roster says it: a time for all of them, or
    /// `files` to confirm the times of their files
    #[arg(long, value_name = "TIME")]
    received_at: Option<ReceivedAt>,
    /// List the submissions and exit without building or running anything
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    detail: DetailArguments,
    #[command(flatten)]
    pin: PinArgument,
    #[command(flatten)]
    run: RunArguments,
    /// Run as an autograder for gradescope or vocareum: grade one submission, with paths and results as it expects
    #[arg(
        long = "as",
        value_name = "PLATFORM",
        conflicts_with_all = [
            "submissions", "class", "only", "without", "regrade", "recheck", "dry_run", "roster", "part", "received_at",
            "exports", "canvas", "template", "canvas_column", "export_to", "pages",
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
    fn wanted(&self, class: &NamedClass) -> Detail {
        match (self.details, self.quiet) {
            (true, _) => Detail::Games,
            (false, true) => Detail::Quiet,
            (false, false) => Detail::Students(class.entries.iter().map(|one| one.student.to_string()).collect()),
        }
    }
}

impl GradeCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        match self.platform {
            Some(platform) => platform::grade(platform, &self, games),
            None => self.grade(games),
        }
        .map(|()| CommandOutcome::Yes)
    }

    fn grade(self, games: &KnownGames) -> Result<(), Failure> {
        let path = self.assignment.clone().unwrap_or_default();
        let assignment = load_grading(&path, games)?;
        self.expect_submissions()?;
        let out = self.run_folder(&path)?;
        let exports = self.exports.wanted(&out)?;
        let unpacked = scratch_dir(Scratch::Other)?;
        let names = assignment.submission.names.clone();
        let class = NamedClass::import(
            self.class.as_deref(),
            &self.submissions,
            &names,
            (self.roster.as_deref(), self.part.as_deref()),
            unpacked.path(),
            &RunDisplay::new(Detail::Quiet, EventLog::default()).on_progress(),
        )?;
        // What is wrong with the run is said when it is resumed.
        let before = RunFolder::open_with_manifest(&out, games).map(|(_, run)| run).ok();
        let graded = before.as_ref().map(names_in).unwrap_or_default();
        let [only, regrade] = [&self.only, &self.regrade].map(|names| class.submissions_of(names, &[]));
        let (only, regrade, without) = (only?, regrade?, class.submissions_of(&self.without, &graded)?);
        let members = class.names();
        let mut class = class.limited(&only, &without, &regrade)?;
        if let Some(before) = before {
            class.without_graded(&before);
        }
        class.expect_one_submission_each()?;
        if let Some(rules) = &assignment.late {
            self.settle_times(rules, &mut class)?;
        }
        if self.dry_run {
            return say(&roster_text(&class.entries, &class.facts, &class.students, &names));
        }
        let left_out = class.left_out.clone();
        let gradebook = self.gradebook((path, assignment), (class, regrade), exports.clone(), (out.clone(), games))?;
        self.exports.publish(&exports, &gradebook, &out)?;
        print_left_out(&left_out, &gradebook);
        if self.class.is_some() {
            print_kept(&members, &gradebook);
        }
        let (folder, manifest) = RunFolder::open_with_manifest(&out, games)?;
        print_voids(&folder, &manifest, "the same command retries")
    }

    fn expect_submissions(&self) -> Result<(), Failure> {
        let fault = match (&self.class, self.submissions.as_slice()) {
            (None, []) => "no submissions: name them one by one, or their directory with `--class`",
            (Some(_), [_, ..]) => "`--class` already names all submissions: remove the others",
            (Some(_), []) | (None, [_, ..]) => return Ok(()),
        };
        Err(Failure::Usage(fault.to_owned()))
    }

    /// Settles when the submissions were handed in, or asks; without grading, says what would be asked.
    fn settle_times(&self, rules: &LateRules, class: &mut NamedClass) -> Result<(), Failure> {
        let missing: Vec<String> =
            class.entries.iter().filter(|entry| is_missing(entry)).map(|entry| entry.student.to_string()).collect();
        let handed_in = |one: &StudentRecord| !missing.contains(&one.submission);
        if let Some(received_at) = &self.received_at {
            class.students.iter_mut().filter(|one| handed_in(one)).for_each(|one| received_at.apply(one));
        }
        let students: Vec<&StudentRecord> = class.students.iter().filter(|one| handed_in(one)).collect();
        note_times(rules, &students);
        match expect_credible_times(rules, &students) {
            Err(Failure::Usage(doubt)) if self.received_at.is_none() && self.dry_run => note(&doubt),
            Err(doubt) if self.received_at.is_none() => return Err(doubt),
            Ok(()) | Err(_) => {}
        }
        Ok(())
    }

    /// Grades `class`, and the submissions `regrade` anew.
    fn gradebook(
        &self,
        (path, assignment): (PathBuf, Assignment),
        (class, regrade): (NamedClass, Vec<String>),
        exports: Vec<GradeExport>,
        (out, games): (PathBuf, &KnownGames),
    ) -> Result<Gradebook, Failure> {
        let display = RunDisplay::new(self.detail.wanted(&class), EventLog::default());
        let request = GradingRequest {
            path,
            assignment,
            class,
            regrade,
            recheck: self.recheck,
            exports,
            options: self.run.seating.options(out, self.pin.slots(self.run.jobs)?, games),
        };
        let kept = "; finished games are kept, rerun the same command to resume";
        let work = grade(request, display.on_progress());
        on_threads(display.show(work, kept, |out| self.how_to_resume(out)))
    }

    fn how_to_resume(&self, out: &Path) -> String {
        let out = plain(&out.display().to_string());
        let same = if self.regrade.is_empty() { "the same command" } else { "the same command without `--regrade`" };
        format!(
            "finished games are kept in `{out}`: rerun {same} to resume, or see the points so far with `referee \
             gradebook {out}`"
        )
    }

    /// The folder of the run: the same command always finds the same one.
    fn run_folder(&self, assignment: &Path) -> Result<PathBuf, Failure> {
        let stem = || assignment.file_stem().map(|stem| Path::new("results").join(stem));
        self.out.clone().or_else(stem).ok_or_else(|| Failure::Usage("name the run directory with `--out`".to_owned()))
    }
}

/// Says where the submission times of the class come from, and how to give what is missing.
fn note_times(rules: &LateRules, students: &[&StudentRecord]) {
    let count = |is_so: &dyn Fn(&StudentRecord) -> bool| students.iter().filter(|one| is_so(one)).count();
    let in_time = count(&|one| one.submitted_by.is_none() && one.late_on_platform == Some(false));
    let unknown = count(&|one| one.submitted_by.is_none() && one.late_on_platform != Some(false));
    let files = count(&|one| one.submitted_by == Some(TimeSource::Files));
    let known = [TimeSource::Roster, TimeSource::Platform, TimeSource::Grader, TimeSource::Files];
    let known = known.map(|source| (count(&|one| one.submitted_by == Some(source)), source.words()));
    let others = [(in_time, "in time by the platform"), (unknown, "unknown")];
    let parts = known.into_iter().chain(others).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, words)| format!("{count} {words}")).collect();
    let parts = if parts.is_empty() { "none".to_owned() } else { parts.join(", ") };
    note(&format!("{rules}; submission times: {parts}"));
    if students.iter().any(|one| is_local(one)) {
        note("times that the platform gives without a time zone are read in the deadline's time zone");
    }
    if files > 0 {
        note(
            "file times may have been set when the folder or archive was made: compare them with the platform, and \
             give the correct ones in the column `submitted` of the roster, or with `--received-at`",
        );
    }
    if unknown > 0 {
        note(
            "late submissions of unknown time have no penalty: give times in the column `submitted` of the roster, \
             or Moodle's grading worksheet as the roster",
        );
    }
}

/// Whether its time is by a clock that nothing names.
fn is_local(student: &StudentRecord) -> bool {
    let has_offset = |time: &String| time.parse::<Deadline>().is_ok();
    student.submitted_by != Some(TimeSource::Files) && student.submitted.as_ref().is_some_and(|time| !has_offset(time))
}

/// So that nobody mistakes the table of a part for the whole class.
fn print_left_out(left_out: &[String], gradebook: &Gradebook) {
    let is_in = |name: &&String| gradebook.students.iter().any(|student| student.submission == **name);
    let missing: Vec<String> = left_out.iter().filter(|name| !is_in(name)).map(|name| plain(name)).collect();
    if let Some(who) = who_are(&missing) {
        note(&format!("{who} not in this gradebook: excluded by `--only` or `--without`"));
    }
}

/// So that nobody has two lines unnoticed, as after a folder was renamed. `named` are the submissions of this class.
fn print_kept(named: &BTreeSet<String>, gradebook: &Gradebook) {
    let submissions: BTreeSet<&String> = gradebook.students.iter().map(|student| &student.submission).collect();
    let kept: Vec<String> =
        submissions.into_iter().filter(|name| !named.contains(*name)).map(|name| plain(name)).collect();
    if let Some(who) = who_are(&kept) {
        note(&format!(
            "{who} not in this class, but in the gradebook from an earlier grading: `--without STUDENT` takes one out"
        ));
    }
}

/// The beginning of a sentence about submissions; `None` without any.
fn who_are(names: &[String]) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("`{name}` is")),
        [first, ..] => Some(format!("{}, `{first}` the first of them, are", counted(names.len(), "submission"))),
    }
}

/// The names of all submissions that were graded or rejected in a run.
fn names_in(manifest: &Manifest) -> Vec<String> {
    let agents = manifest.agents.iter().filter(|agent| agent.role.is_participant()).map(|agent| &agent.name);
    agents.chain(manifest.rejected.iter().map(|rejection| &rejection.name)).cloned().collect()
}
