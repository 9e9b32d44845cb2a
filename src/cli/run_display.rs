//! Shows the progress of a run that a command prepares and plays: notes, bars, a line for what is finished, and events
//! for other programs. [`crate::runs`] does the work.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use super::Failure;
use super::events::EventLog;
use super::output::note;
use super::roster::note_class;
use super::session::interruption;
use crate::console::{FinishedLines, Live, StepProgress, Stream, StudentTallies, Terminal, sprt_line};
use crate::doctor::busy_now;
use crate::runs::{OnProgress, Progress, RunFailure, StepKind};
use referee_course::grading::{Replay, Reuse};
use referee_matches::tournament::{PendingTask, RunEvent};
use referee_messages::{ProcessorWaits, counted, plain, unconfined};
use referee_records::{Manifest, RunFolder, RunKind, TurnRecord};

/// What is printed about finished work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// A line for each game, and for each wrong answer.
    Games,
    /// A line for each of these students.
    Students(Vec<String>),
    /// Nothing before the gradebook.
    Quiet,
}

/// The display of a run.
#[derive(Clone)]
pub(super) struct RunDisplay(Arc<DisplayState>);

struct DisplayState {
    detail: Detail,
    events: EventLog,
    /// What is built or calibrated now.
    steps: Mutex<Option<StepProgress>>,
    /// What is played now.
    live: RwLock<Option<Live>>,
    /// How long the runs of all games and answers waited for a processor.
    waits: Mutex<ProcessorWaits>,
    /// The folder of the run, once something was played.
    folder: Mutex<Option<PathBuf>>,
}

impl RunDisplay {
    /// A display for people, and for the readers of `events`.
    pub(super) fn new(detail: Detail, events: EventLog) -> Self {
        Self(Arc::new(DisplayState {
            detail,
            events,
            steps: Mutex::default(),
            live: RwLock::default(),
            waits: Mutex::default(),
            folder: Mutex::default(),
        }))
    }

    /// The callback that shows progress.
    pub(super) fn on_progress(&self) -> OnProgress {
        let state = Arc::clone(&self.0);
        Arc::new(move |progress| state.show(progress))
    }

    /// Waits for `work`, unless interrupted. The message then says `how_to_resume` the run in a folder, or that nothing
    /// was played, followed by `remark`.
    pub(super) async fn show<T>(
        &self,
        work: impl Future<Output = Result<T, RunFailure>>,
        remark: &str,
        how_to_resume: impl FnOnce(&Path) -> String,
    ) -> Result<T, Failure> {
        let signal = tokio::select! {
            done = work => {
                self.0.note_waits();
                return Ok(done?);
            }
            signal = interruption() => signal,
        };
        let folder = self.0.folder.lock().clone();
        let folder = folder.filter(|_| self.0.close());
        self.0.note_waits();
        Err(Failure::Interrupted(match folder {
            Some(folder) => format!("{signal}; {}", how_to_resume(&folder)),
            None => format!("{signal} before the first game{remark}"),
        }))
    }
}

impl DisplayState {
    fn show(&self, progress: Progress<'_>) {
        match progress {
            Progress::ClassRead(class) => note_class(class),
            Progress::StepsBegan(kind, all) => {
                // Programs that calibrate are few, and quick.
                let (words, begins) = match kind {
                    StepKind::Building => ("submissions built", Some(("building", "submission"))),
                    StepKind::Openings => ("openings drawn", Some(("drawing", "opening"))),
                    StepKind::Calibrating => ("calibrated", None),
                };
                let is_told = all > 0 && self.detail != Detail::Quiet && !Terminal::of(Stream::Stderr).moves();
                if let Some((doing, thing)) = begins.filter(|_| is_told) {
                    note(&format!("{doing} {}", counted(all, thing)));
                }
                *self.steps.lock() = (all > 0).then(|| StepProgress::new(words, all));
            }
            Progress::StepDone => self.steps.lock().iter().for_each(StepProgress::step),
            Progress::StepsEnded => *self.steps.lock() = None,
            Progress::Remark { agent, remark } => note(&format!("{agent}: {remark}")),
            Progress::Excluded(rejection) => {
                note(&format!("{} is excluded: {}", plain(&rejection.name), plain(&rejection.fault.to_string())));
            }
            Progress::Admitted(name) => note(&format!("`{}` was rejected before and is accepted now", plain(name))),
            Progress::RulesKept(game) => note(&format!(
                "the rules of {game} have changed since this run began; it keeps its copy: use a new `--out` to \
                 play by the new rules"
            )),
            Progress::Reused { reuse, set_aside } => note_reuse(reuse, set_aside),
            Progress::Opened { folder, manifest, slots } => {
                self.note_opened(folder, manifest, slots);
                if let Some(busy) = busy_now() {
                    note(&busy);
                }
            }
            Progress::Unconfined(protections) => note(&unconfined(protections)),
            Progress::Uncalibrated { agent, oddity } => {
                note(&format!("{}: calibrate {}; it plays anyway", plain(agent), plain(oddity)));
            }
            Progress::Claimed(pairs) => note(&format!(
                "shards are running on this run, or have died: the games they claimed ({}) may be played twice, and \
                 the first result counts; use `referee shard` to play alongside them",
                counted(pairs, "pair")
            )),
            Progress::PlayBegan { runner, tasks, slots, competition } => {
                let (folder, manifest) = (&runner.folder, &runner.manifest);
                let things = match manifest.kind {
                    RunKind::Grading => "games and answers",
                    RunKind::Games | RunKind::Competition | RunKind::Ladder => "games",
                };
                let done = folder.finished(manifest).len() + folder.answered(manifest).len();
                let (all, finished) = (done + tasks.len(), self.finished_lines(tasks));
                let live = Live::new(manifest.game, things, [done, all], slots, finished, self.events.other_stream());
                if let Some(competition) = competition {
                    live.follow(competition, manifest, folder);
                }
                *self.folder.lock() = Some(folder.path().to_owned());
                *self.live.write() = Some(live);
            }
            Progress::Event(event) => {
                self.add_waits(&event);
                self.events.write(&event);
                self.on_live(|live| live.show(event));
            }
            Progress::Tested(state) => self.on_live(|live| live.remark(&sprt_line(&state))),
            Progress::PlayEnded => drop(self.close()),
            Progress::RoundsPlanned(rounds) => self.events.planned(rounds),
        }
    }

    fn add_waits(&self, event: &RunEvent) {
        match event {
            RunEvent::GameFinished(record) => {
                for turn in &record.turns {
                    match turn {
                        TurnRecord::Run { run, .. } => self.waits.lock().add(run),
                        TurnRecord::Pass { .. } => {}
                    }
                }
            }
            RunEvent::Answered(record) => self.waits.lock().add(&record.run),
            RunEvent::GameBegan(_)
            | RunEvent::PositionChanged(..)
            | RunEvent::Superseded { .. }
            | RunEvent::Asked(_)
            | RunEvent::Voided { .. } => {}
        }
    }

    /// Says with figures that the machine was too busy, if it was.
    fn note_waits(&self) {
        let waits = std::mem::take(&mut *self.waits.lock());
        waits.warning().iter().for_each(|warning| note(warning));
    }

    fn on_live(&self, show: impl FnOnce(&Live)) {
        if let Some(live) = &*self.live.read() {
            show(live);
        }
    }

    /// Ends what is animated. Whether something was being played.
    fn close(&self) -> bool {
        *self.steps.lock() = None;
        let live = self.live.write().take();
        live.inspect(Live::close).is_some()
    }

    fn finished_lines(&self, tasks: &[PendingTask]) -> FinishedLines {
        match &self.detail {
            Detail::Games => FinishedLines::Games,
            Detail::Quiet => FinishedLines::Quiet,
            Detail::Students(students) => {
                let work = |name: &String| tasks.iter().filter(|task| task.concerns(name)).count();
                let left = students.iter().map(|name| (name.clone(), work(name))).collect();
                FinishedLines::Students(StudentTallies::of(left))
            }
        }
    }

    /// Notes how much of the run is finished; of a new one, what begins, unless a bar shows it.
    fn note_opened(&self, folder: &RunFolder, manifest: &Manifest, slots: usize) {
        let path = plain(&folder.path().display().to_string());
        let games = (folder.finished(manifest).len(), folder.games_in_all(manifest), "game");
        let answers = (folder.answered(manifest).len(), manifest.answers.len(), "answer");
        let parts = [games, answers].into_iter().filter(|(_, all, _)| *all > 0);
        let in_words = |part: fn((usize, usize, &'static str)) -> String| {
            parts.clone().map(part).collect::<Vec<_>>().join(" and ")
        };
        if games.0 + answers.0 > 0 {
            let done = in_words(|(done, all, things)| format!("{done} of {}", counted(all, things)));
            note(&format!("resuming the run in `{path}`: {done} finished"));
        } else if self.detail != Detail::Quiet && !Terminal::of(Stream::Stderr).moves() {
            let agents = manifest.agents.iter().filter(|agent| agent.role.is_participant()).count();
            let work = in_words(|(_, all, things)| counted(all, things));
            let begins = match manifest.kind {
                RunKind::Grading if work.is_empty() => return,
                RunKind::Grading => format!("grading {} by {work}", counted(agents, "student")),
                RunKind::Games | RunKind::Ladder => format!("playing {work}"),
                RunKind::Competition => format!("playing a competition of {}", counted(agents, "agent")),
            };
            note(&format!("{begins} with {}; results go to `{path}`", counted(slots, "job")));
        }
    }
}

/// Says what a change of the assignment costs: what is played again, why, and where the old records are.
pub(super) fn note_reuse(reuse: &Reuse, set_aside: Option<&RunFolder>) {
    note(&format!("the assignment or the class has changed: {} on record still count", counted(reuse.kept, "item")));
    for Replay { criterion, reason, items } in &reuse.replays {
        note(&format!("`{}`: {} to play again, for {reason}", plain(criterion), counted(*items, "item")));
    }
    if let Some(folder) = set_aside {
        let path = plain(&folder.path().display().to_string());
        note(&format!("records that do not count are kept in `{path}`, and found again if the change is undone"));
    }
}
