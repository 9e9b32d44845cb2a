//! Runs one grading, from its preparation to its gradebook. `grade` calls it.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::scratch::scratch_dir;
use super::preparation::prepare;
use crate::agents::{ClassEntry, Python2};
use crate::assignment::Assignment;
use crate::cli::Failure;
use crate::cli::session::{Watched, play_out, prepared};
use crate::console::{FinishedLines, Live, Steps};
use crate::grading::{Gradebook, calibrate, gradebook, is_again, rechecks};
use crate::messages::plain;
use crate::records::{Seating, StudentRecord, open_lock};
use crate::seat::{Isolation, Meter, Scratch};
use crate::tournament::{PendingTask, Runner, Slots};

/// The request for a grading.
#[derive(Debug)]
pub(super) struct GradingRequest {
    /// The assignment file.
    pub(super) assignment: PathBuf,
    /// The submissions.
    pub(super) entries: Vec<ClassEntry>,
    /// Who the students are, and when they handed in.
    pub(super) students: Vec<StudentRecord>,
    /// Students to grade anew.
    pub(super) regrade: Vec<String>,
    /// How often close calls are repeated.
    pub(super) recheck: u32,
    /// The number of concurrent builds and calibrations.
    pub(super) jobs: usize,
    /// The slots for games.
    pub(super) places: Slots,
    /// The folder of the run.
    pub(super) out: PathBuf,
    /// The minimum isolation, if it overrides the assignment.
    pub(super) isolation: Option<Isolation>,
    /// How CPU time is measured.
    pub(super) meter: Option<Meter>,
    /// What runs Python 2 programs.
    pub(super) python2: Python2,
    /// What is printed about finished work.
    pub(super) detail: Detail,
}

/// How much is printed about finished work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// A line for each student.
    Students,
    /// A line for each game, and for each wrong answer.
    Games,
    /// Nothing before the gradebook.
    Quiet,
}

impl GradingRequest {
    /// How agents are built and seated.
    pub(super) fn seating(&self, assignment: &Assignment) -> Seating {
        Seating {
            at_least: self.isolation.unwrap_or(assignment.minimum_isolation),
            meter: self.meter,
            python2_by_python3: self.python2 == Python2::ByPython3,
        }
    }

    /// Does everything that is missing. Calls `check` with the gradebook before the first game.
    pub(super) async fn carry_out(
        self,
        assignment: Assignment,
        check: impl FnOnce(&Gradebook) -> Result<(), Failure> + Send + 'static,
    ) -> Result<Gradebook, Failure> {
        let builds = scratch_dir(Scratch::Builds)?;
        let _lock = lock(&self.out)?;
        let order = Arc::new(self);
        let ready = {
            let (order, assignment, builds) = (Arc::clone(&order), assignment.clone(), builds.path().to_owned());
            move || prepare(&order, &assignment, &builds)
        };
        let runner = or_how_to_go_on(prepared(ready).await)?;
        let folder = runner.folder.clone();
        check(&gradebook(&assignment, &folder)?)?;
        let undone = runner.undone();
        let mut calibrated = BTreeSet::new();
        let mut runner = order.play(runner, undone, &mut calibrated).await?;
        if order.recheck > 0 {
            runner.manifest = rechecks(&runner.manifest, &gradebook(&assignment, &folder)?, order.recheck);
            folder.revise(&runner.manifest)?;
            let again = runner.undone().into_iter().filter(|undone| is_again(undone.id()));
            let again = again.collect();
            order.play(runner, again, &mut calibrated).await?;
        }
        Ok(gradebook(&assignment, &folder)?)
    }

    /// Does the tasks of `undone` that are possible with the available submissions, and returns the runner. Calibrates
    /// agents that are not in `calibrated` first.
    async fn play(
        &self,
        runner: Runner,
        undone: Vec<PendingTask>,
        calibrated: &mut BTreeSet<String>,
    ) -> Result<Runner, Failure> {
        let undone: Vec<PendingTask> = undone.into_iter().filter(|undone| runner.can_do(undone)).collect();
        if undone.is_empty() {
            return Ok(runner);
        }
        let takes_part = |name: &String| undone.iter().any(|undone| undone.concerns(name));
        let names = runner.participants.keys().filter(|name| takes_part(name));
        let names: BTreeSet<String> = names.filter(|name| !calibrated.contains(*name)).cloned().collect();
        calibrated.extend(names.iter().cloned());
        let jobs = self.jobs;
        let runner = or_how_to_go_on(prepared(move || after_calibration(runner, &names, jobs)).await)?;
        let done = runner.folder.finished(&runner.manifest).len() + runner.folder.answered(&runner.manifest).len();
        let live = Live::new(
            runner.manifest.game,
            "games and answers",
            done + undone.len(),
            done,
            self.places.count(),
        )
        .with_finished(self.finished_lines(&undone));
        let played = play_out(
            runner.clone(),
            undone,
            self.places.clone(),
            Watched::by(&live),
            &self.how_to_go_on(),
        )
        .await;
        played.map(|()| runner)
    }

    fn finished_lines(&self, undone: &[PendingTask]) -> FinishedLines {
        match self.detail {
            Detail::Games => FinishedLines::Games,
            Detail::Quiet => FinishedLines::Quiet,
            Detail::Students => {
                let students = self.entries.iter().map(|entry| entry.student.to_string());
                let work = |name: &String| undone.iter().filter(|task| task.concerns(name)).count();
                FinishedLines::Students(students.map(|name| (name.clone(), work(&name))).collect())
            }
        }
    }

    fn how_to_go_on(&self) -> String {
        let out = plain(&self.out.display().to_string());
        let same = if self.regrade.is_empty() {
            "the same command"
        } else {
            "the same command without `--regrade`"
        };
        format!(
            "finished games are kept in `{out}`: rerun {same} to resume, or see the points so far with `referee \
             gradebook {out}`"
        )
    }
}

/// An interruption before the first game also says how to resume.
fn or_how_to_go_on<T>(done: Result<T, Failure>) -> Result<T, Failure> {
    done.map_err(|failure| match failure {
        Failure::Interrupted(message) => Failure::Interrupted(format!(
            "{message}; finished games are kept, rerun the same command to resume"
        )),
        other => other,
    })
}

/// Runs the `calibrate` programs of `names`; oddities become remarks.
fn after_calibration(mut runner: Runner, names: &BTreeSet<String>, jobs: usize) -> Result<Runner, Failure> {
    let participants = runner.participants.iter_mut().filter(|(name, _)| names.contains(*name));
    let participants = participants.map(|(_, participant)| participant);
    let waiting: Vec<_> = participants
        .filter(|participant| participant.agent().calibrate.is_some())
        .collect();
    if waiting.is_empty() {
        return Ok(runner);
    }
    let steps = Steps::new("calibrated", waiting.len());
    let odd = calibrate(waiting, (&runner.seats, &runner.self_test), jobs, || steps.step());
    let odd = odd.map_err(|(name, error)| Failure::Machine(format!("{}: calibrate: {error}", plain(&name))))?;
    for agent in &mut runner.manifest.agents {
        let remark = odd.get(&agent.name).map(|oddity| format!("calibrate {oddity}"));
        let remark = remark.filter(|remark| !agent.remarks.contains(remark));
        agent.remarks.extend(remark);
    }
    runner.folder.revise(&runner.manifest)?;
    Ok(runner)
}

/// Makes the folder of the run, and locks it against other gradings while the file is open. Two at once would drop each
/// other's students from the manifest.
fn lock(out: &Path) -> Result<Option<File>, Failure> {
    let failed = |error| {
        Failure::Write(format!(
            "cannot write to the run directory `{}`: {error}; choose another one with `--out`",
            plain(&out.display().to_string())
        ))
    };
    let file = open_lock(out).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(Failure::Usage(format!(
            "a grading is in progress in `{}`: wait until it ends, or choose another directory with `--out`",
            plain(&out.display().to_string())
        ))),
        // Some network file systems have no locks; there the user must take care.
        Err(TryLockError::Error(_)) => Ok(None),
    }
}
