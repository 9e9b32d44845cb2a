//! Progress of a run while it is prepared and played, for display. Nothing depends on it.

use std::sync::Arc;

use referee_course::assignment::Competition;
use referee_course::grading::Reuse;
use referee_games::GameRef;
use referee_matches::tournament::{PendingTask, Round, RunEvent, Runner, SprtState};
use referee_records::{Manifest, Rejection, RunFolder};
use referee_seat::Protection;
use referee_submissions::intake::ClassIntake;

/// A callback for progress, called from several threads. `Arc::new(|_| ())` ignores it.
pub type OnProgress = Arc<dyn Fn(Progress<'_>) + Send + Sync>;

/// A piece of progress.
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// The submissions were read, and nothing was built.
    ClassRead(&'a ClassIntake),
    /// Something takes so many steps.
    StepsBegan(StepKind, usize),
    /// One of them is done.
    StepDone,
    /// All of them are.
    StepsEnded,
    /// An agent was built, with a remark.
    Remark {
        /// Its name.
        agent: &'a str,
        /// The remark.
        remark: &'a str,
    },
    /// This submission does not take part in the competition.
    Excluded(&'a Rejection),
    /// The submission of this student was rejected by an earlier grading, and is accepted now.
    Admitted(&'a str),
    /// The rules program of this game has changed since the run began, which keeps its copy.
    RulesKept(GameRef),
    /// The assignment has changed since the run began, and some of its records with it.
    Reused {
        /// What became of the records.
        reuse: &'a Reuse,
        /// Those that do not count any more.
        set_aside: Option<&'a RunFolder>,
    },
    /// The run has begun in its folder, or is resumed.
    Opened {
        /// The folder.
        folder: &'a RunFolder,
        /// What is known of its games and answers.
        manifest: &'a Manifest,
        /// How many of them are done at a time.
        slots: usize,
    },
    /// Programs of other people play at the isolation level `bare`; these are the protections of this machine.
    Unconfined(&'a [Protection]),
    /// The `calibrate` program of an agent failed, and the agent plays anyway.
    Uncalibrated {
        /// Its name.
        agent: &'a str,
        /// What is odd, as the end of a sentence about the program.
        oddity: &'a str,
    },
    /// Shards have claimed so many pairs of games, and may play them, too.
    Claimed(usize),
    /// These tasks are begun.
    PlayBegan {
        /// Their run.
        runner: &'a Runner,
        /// The tasks.
        tasks: &'a [PendingTask],
        /// How many of them are done at a time.
        slots: usize,
        /// The competition that they are part of.
        competition: Option<&'a Competition>,
    },
    /// An event of a task.
    Event(RunEvent),
    /// The state of a match's sequential test.
    Tested(SprtState),
    /// No task is being done any more.
    PlayEnded,
    /// These rounds were added to the plan.
    RoundsPlanned(&'a [Round]),
}

/// What is done in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Submissions are built.
    Building,
    /// Random openings are drawn, one for each two games.
    Openings,
    /// `calibrate` programs are run.
    Calibrating,
}
