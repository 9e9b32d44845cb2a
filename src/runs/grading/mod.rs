//! Runs one grading, from its submissions to its gradebook. It prints nothing; `cli/grade` calls it.

mod class;
mod earlier;
mod preparation;
mod questions;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use super::agent_setup::RunOptions;
use super::assignment_file::expect_place;
use super::calibration::calibrate;
use super::error::{Remedy, RunFailure};
use super::playing::{blocking, do_tasks};
use super::progress::{OnProgress, Progress};
use super::scratch::scratch_dir;
pub use class::NamedClass;
pub use earlier::reassign;
use preparation::prepare;
use referee_course::assignment::Assignment;
use referee_course::grading::exports::{GradeExport, export_all};
use referee_course::grading::{Gradebook, gradebook, is_again, rechecks};
use referee_matches::tournament::{PendingTask, Runner};
use referee_messages::plain;
use referee_records::{RunKind, open_lock};
use referee_seat::Scratch;

/// A grading to run.
#[derive(Debug)]
pub struct GradingRequest {
    /// The assignment file.
    pub path: PathBuf,
    /// Its content.
    pub assignment: Assignment,
    /// The submissions to grade.
    pub class: NamedClass,
    /// Students to grade anew.
    pub regrade: Vec<String>,
    /// How often close calls are repeated.
    pub recheck: u32,
    /// What will be made of the gradebook: tried before the first game, not after a night of them.
    pub exports: Vec<GradeExport>,
    /// Where and how it runs.
    pub options: RunOptions,
}

/// Does everything that `request` asks for and its folder lacks.
///
/// # Errors
///
/// [`RunFailure`]; finished games are kept.
pub async fn grade(request: GradingRequest, on_progress: OnProgress) -> Result<Gradebook, RunFailure> {
    let out = &request.options.out;
    request.class.expect_elsewhere(out)?;
    expect_place(out, RunKind::Grading)?;
    let builds = scratch_dir(Scratch::Builds)?;
    let _lock = lock(out)?;
    let request = Arc::new(request);
    let runner = {
        let (request, on_progress) = (Arc::clone(&request), Arc::clone(&on_progress));
        let builds = builds.path().to_owned();
        blocking(move || prepare(&request, &builds, &on_progress)).await?
    };
    let (assignment, folder) = (&request.assignment, runner.folder.clone());
    export_all(&gradebook(assignment, &folder)?, &request.exports).map_err(RunFailure::invalid)?;
    let pending = runner.pending();
    let mut calibrated = BTreeSet::new();
    let mut runner = request.do_pending(runner, pending, &mut calibrated, &on_progress).await?;
    if request.recheck > 0 {
        runner.manifest = rechecks(&runner.manifest, &gradebook(assignment, &folder)?, request.recheck);
        folder.revise(&runner.manifest)?;
        let again = runner.pending().into_iter().filter(|pending| is_again(pending.id()));
        let again = again.collect();
        request.do_pending(runner, again, &mut calibrated, &on_progress).await?;
    }
    Ok(gradebook(assignment, &folder)?)
}

impl GradingRequest {
    /// Does the tasks of `pending` that are possible with the available submissions, and returns the runner. Calibrates
    /// agents that are not in `calibrated` first.
    async fn do_pending(
        &self,
        runner: Runner,
        pending: Vec<PendingTask>,
        calibrated: &mut BTreeSet<String>,
        on_progress: &OnProgress,
    ) -> Result<Runner, RunFailure> {
        let pending: Vec<PendingTask> = pending.into_iter().filter(|pending| runner.can_do(pending)).collect();
        if pending.is_empty() {
            return Ok(runner);
        }
        let takes_part = |name: &String| pending.iter().any(|pending| pending.concerns(name));
        let names = runner.participants.keys().filter(|name| takes_part(name));
        let names: BTreeSet<String> = names.filter(|name| !calibrated.contains(*name)).cloned().collect();
        calibrated.extend(names.iter().cloned());
        let (jobs, notify) = (self.options.slots.count(), Arc::clone(on_progress));
        let runner = blocking(move || after_calibration(runner, &names, jobs, &notify)).await?;
        on_progress(Progress::PlayBegan { runner: &runner, tasks: &pending, slots: jobs, competition: None });
        do_tasks(&runner, pending, &self.options.slots, on_progress).await?;
        Ok(runner)
    }
}

/// Runs the `calibrate` programs of `names`; oddities become remarks.
fn after_calibration(
    mut runner: Runner,
    names: &BTreeSet<String>,
    jobs: usize,
    on_progress: &OnProgress,
) -> Result<Runner, RunFailure> {
    let odd = calibrate(&mut runner, |name| names.contains(name), jobs, on_progress)?;
    for agent in &mut runner.manifest.agents {
        let remark = odd.get(&agent.name).map(|oddity| format!("calibrate {oddity}"));
        let remark = remark.filter(|remark| !agent.remarks.contains(remark));
        agent.remarks.extend(remark);
    }
    runner.folder.revise(&runner.manifest)?;
    Ok(runner)
}

/// Makes the folder of the run, and locks it against other gradings until the lock is dropped. Two at once would drop
/// each other's students from the manifest.
///
/// It is dropped by unlocking: closing the file would keep the lock as long as a process that is just being started has
/// a copy of the descriptor.
fn lock(out: &Path) -> Result<Option<Flock<File>>, RunFailure> {
    let failed = |error| {
        RunFailure::write(format!("cannot write to the run directory `{}`: {error}", plain(&out.display().to_string())))
            .with(Remedy::OtherFolder)
    };
    let file = open_lock(out).map_err(failed)?;
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(lock) => Ok(Some(lock)),
        Err((_, Errno::EWOULDBLOCK)) => {
            Err(RunFailure::request(format!("a grading is in progress in `{}`", plain(&out.display().to_string())))
                .with(Remedy::WaitOrOtherFolder))
        }
        // Some network file systems have no locks; there the user must take care.
        Err((_, _)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_unlocked_although_a_process_that_is_being_started_has_a_copy_of_the_descriptor() {
        let out = tempfile::tempdir().unwrap();
        let first = lock(out.path()).unwrap();
        assert!(lock(out.path()).is_err());
        // As `fork` makes one, until the child executes its program.
        let copy = first.as_ref().map(|lock| lock.try_clone().unwrap());
        drop(first);
        assert!(lock(out.path()).is_ok());
        drop(copy);
    }
}
