//! `referee compete`: parses options and runs a competition to its end.

mod agent_records;
mod course;
mod entry;
mod report;

use std::path::PathBuf;

use clap::Args;

use super::events::EventLog;
use super::output::{note, say};
use super::places::PinArgument;
use super::scratch::scratch_dir;
use super::session::{Watched, on_threads, play_out, prepared};
use super::voids::{note_voids, tell_voids};
use super::{CommandOutcome, Failure};
use crate::assignment::Competition;
use crate::console::Live;
use crate::messages::counted;
use crate::seat::Scratch;
use crate::tournament::{NextStep, PendingTask, Runner, Slots, plan};
pub(super) use agent_records::prepare;
use agent_records::{calibrate, dry_run};
pub(super) use course::{assignment_of, competition_of, next};
pub(super) use entry::ClassEntry;

/// Run the competition of an assignment
///
/// The format is a round robin, gauntlet, Swiss, knockout, double knockout, elimination or random rounds. Resume an
/// interrupted competition with the same command: it plays only the missing games.
#[derive(Debug, Args)]
pub(super) struct CompeteCommand {
    #[command(flatten)]
    entry: ClassEntry,
    #[command(flatten)]
    pin: PinArgument,
    /// List the submissions and exit without building or running anything
    #[arg(long)]
    dry_run: bool,
    /// Write an event log to this file as JSON Lines; `-` for stdout
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

impl CompeteCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let builds = scratch_dir(Scratch::Builds)?;
        if self.dry_run {
            let (assignment, competition) = self.entry.load()?;
            let text = dry_run(&self.entry, &assignment, &competition, builds.path())?;
            return say(&text).map(|()| CommandOutcome::Yes);
        }
        on_threads(self.compete(builds.path().to_owned())).map(|()| CommandOutcome::Yes)
    }

    async fn compete(self, builds: PathBuf) -> Result<(), Failure> {
        let (assignment, competition) = self.entry.load()?;
        let places = self.pin.places(self.entry.jobs)?;
        let events = EventLog::open(self.events.as_deref())?;
        let known = (assignment.clone(), competition.clone());
        let ready = move || {
            let mut runner = prepare(&self.entry, &known.0, &known.1, &builds)?;
            calibrate(&mut runner)?;
            Ok(runner)
        };
        let mut runner = prepared(ready).await?;
        warn_of_shards(&runner)?;
        loop {
            let undone: Vec<PendingTask> = runner.undone().into_iter().filter(|task| runner.can_do(task)).collect();
            if !undone.is_empty() {
                play(&runner, &competition, undone, places.clone(), &events).await?;
            }
            match next(&runner.manifest, &competition, &runner.folder) {
                NextStep::Play(rounds) => {
                    plan(&mut runner.manifest, rounds.clone(), competition.opening_plies);
                    runner.folder.revise(&runner.manifest)?;
                    events.planned(&rounds);
                }
                NextStep::Waiting => {
                    let retry =
                        "rerun the same command to retry, or add `--withdraw NAME` to continue without that agent";
                    report::report(&runner, &events)?;
                    tell_voids(&runner.folder, &runner.manifest, retry)?;
                    let message =
                        "some games have no agent to play them: name all agents, or withdraw the missing ones";
                    return Err(Failure::Usage(message.to_owned()));
                }
                NextStep::Over(_) => break,
            }
        }
        report::report(&runner, &events)?;
        note_voids(&runner.folder, &runner.manifest).map(drop)
    }
}

/// This command makes no claims, so shards may play the same games.
fn warn_of_shards(runner: &Runner) -> Result<(), Failure> {
    let claimed = runner.folder.claimed()?.len();
    if claimed > 0 {
        note(&format!(
            "shards are running on this run, or have died: the games they claimed ({}) may be played twice, and the \
             first result counts; use `referee shard` to play alongside them",
            counted(claimed, "pair")
        ));
    }
    Ok(())
}

async fn play(
    runner: &Runner,
    competition: &Competition,
    undone: Vec<PendingTask>,
    places: Slots,
    events: &EventLog,
) -> Result<(), Failure> {
    let all = runner.manifest.games.len();
    let live = Live::new(runner.manifest.game, "games", all, all - undone.len(), places.count());
    let live = if events.on_stdout() {
        live.with_lines_on_stderr()
    } else {
        live
    };
    live.follow(competition, &runner.manifest, &runner.folder);
    let how_to_go_on = format!(
        "finished games are kept in `{}`; rerun the same command to resume",
        runner.folder.path().display()
    );
    let watched = Watched {
        live: &live,
        events: events.clone(),
    };
    play_out(runner.clone(), undone, places, watched, &how_to_go_on).await
}
