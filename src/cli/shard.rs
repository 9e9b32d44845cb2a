//! `referee shard`: plays one share of a planned competition through [`crate::shards`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::time::timeout;

use super::events::EventLog;
use super::output::{note, print};
use super::places::PinArgument;
use super::session::{interruption, on_threads, prepared};
use super::voids::tell_voids;
use super::{CommandOutcome, Failure};
use crate::agents::AgentBuilder;
use crate::assignment::Assignment;
use crate::console::Live;
use crate::messages::{counted, plain};
use crate::records::{Claims, Host, Manifest, RunFolder, Seating, StaleClaim};
use crate::runs::{AgentSetup, assignment_of, open_run, scratch_dir};
use crate::seat::Scratch;
use crate::shards::{AgentPool, Extent, ShardEnd, ShardError, ShardEvent, ShardWorker, Share};
use crate::tournament::LiveFeed;

/// Play a share of a planned competition
///
/// Runs on any machine that shares the run directory, or on a copy of it. Plays its own share first, then games that no
/// other shard has claimed or whose shard has died. Exits when every game is finished or claimed by a live shard. Rerun
/// a shard at any time: it plays only the missing games.
///
/// SIGTERM, SIGINT, SIGHUP and SIGUSR1 stop it: running games get a grace period, and unfinished ones are released for
/// other shards. Exits with 0 if nothing is left for it, 75 if it was stopped with games left.
#[derive(Debug, Args)]
pub(super) struct ShardCommand {
    /// Run directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Index of this shard, from 0 [default: `SLURM_ARRAY_TASK_ID` if set and `--of` is given, otherwise 0]
    #[arg(long, value_name = "I")]
    index: Option<u32>,
    /// Number of shards [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    of: Option<u32>,
    /// Play only this shard's own share, in a copy of the run for `referee merge`
    #[arg(long)]
    only_own: bool,
    /// Number of games to play in parallel [default: the number of physical cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    #[command(flatten)]
    pin: PinArgument,
    /// Grace period for running games after a stop signal
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    grace: Duration,
    /// Take over the games of a shard that was silent this long; use the same value for all shards of a run
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    stale: Duration,
    /// Write an event log to this file as JSON Lines; `-` for stdout
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a number of seconds from 0 to 86400".to_owned())
}

impl ShardCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let builds = scratch_dir(Scratch::Builds)?;
        on_threads(self.play(builds.path().to_owned())).map(|()| CommandOutcome::Yes)
    }

    async fn play(self, builds: PathBuf) -> Result<(), Failure> {
        let (index, of) = self.part()?;
        let share = Share::new(index, of).ok_or_else(|| no_such_part(index, of))?;
        let places = self.pin.places(self.jobs)?;
        let events = EventLog::open(self.events.as_deref())?;
        let extent = if self.only_own { Extent::OwnPart } else { Extent::Whole };
        let (run, stale, grace) = (self.run.clone(), StaleClaim(self.stale), self.grace);
        let ready = prepared(move || ready(&run, (share, extent), index, stale, builds)).await;
        let ready = ready.map_err(|failure| match failure {
            Failure::Interrupted(message) => Failure::Stopped(message),
            other => other,
        })?;
        let shift = Arc::new(ready);
        let all = shift.manifest().games.len();
        let live = Live::new(
            shift.manifest().game,
            "games",
            all,
            all - shift.missing(),
            places.count(),
        );
        let live = if events.on_stdout() {
            live.with_lines_on_stderr()
        } else {
            live
        };
        let live_feed = Arc::new(LiveFeed::new(RunFolder::open(&self.run)?));
        let on_event = {
            let (live, events, live_feed) = (live.clone(), events.clone(), Arc::clone(&live_feed));
            move |told: ShardEvent| {
                if let ShardEvent::Game(event) = &told {
                    live_feed.on_event(event);
                }
                tell(&live, &events, told);
            }
        };
        let processors = places.processors();
        let mut work = {
            let shift = Arc::clone(&shift);
            tokio::task::spawn_blocking(move || shift.play(&processors, &on_event))
        };
        let (ended, signal) = tokio::select! {
            ended = &mut work => (Some(ended), None),
            signal = interruption() => {
                shift.stop();
                (timeout(grace, &mut work).await.ok(), Some(signal))
            }
        };
        live.close();
        live_feed.close();
        let ended = ended
            .map(|ended| ended.map_err(|error| Failure::Bug(error.to_string())))
            .transpose()?;
        self.conclude(index, of, &shift, ended, signal).and_then(|line| {
            if events.on_stdout() {
                note(&line);
                Ok(())
            } else {
                print(&(line + "\n"))
            }
        })
    }

    /// The share: its index and the number of shares.
    fn part(&self) -> Result<(u32, u32), Failure> {
        let of = self.of.unwrap_or(1);
        let task = std::env::var("SLURM_ARRAY_TASK_ID").ok().filter(|_| self.of.is_some());
        match (self.index, task) {
            (Some(index), _) => Ok((index, of)),
            (None, None) => Ok((0, of)),
            (None, Some(task)) => {
                let index = task.parse();
                let index =
                    index.map_err(|_| Failure::Usage("SLURM_ARRAY_TASK_ID is not a number: give `--index`".to_owned()));
                Ok((index?, of))
            }
        }
    }

    /// The final message; `None` if games did not end within the grace period.
    fn conclude(
        &self,
        index: u32,
        of: u32,
        shift: &ShardWorker,
        ended: Option<Result<ShardEnd, ShardError>>,
        signal: Option<&str>,
    ) -> Result<String, Failure> {
        let name = format!("shard {index} of {of}");
        let run = plain(&self.run.display().to_string());
        match ended {
            Some(Ok(ShardEnd { played, missing: 0, .. })) => Ok(format!(
                "{name}: {} played, no game is missing",
                counted(played, "game")
            )),
            Some(Ok(ShardEnd {
                played,
                missing,
                stopped: false,
            })) => {
                let line = format!(
                    "{name}: {} played, {} left to other shards",
                    counted(played, "game"),
                    are(missing)
                );
                let folder = RunFolder::open(&self.run)?;
                tell_voids(&folder, shift.manifest(), "start a shard again to retry").map(|()| line)
            }
            Some(Ok(ShardEnd {
                played,
                missing,
                stopped: true,
            })) => Err(Failure::Stopped(format!(
                "{name}: {}, {} played, {} missing in `{run}`: rerun the same command to resume",
                signal.unwrap_or("stopped"),
                counted(played, "game"),
                are(missing)
            ))),
            Some(Err(error)) => Err(error.into()),
            None => {
                shift.abandon();
                Err(Failure::Stopped(format!(
                    "{name}: {}, running games were dropped after {} s; {} missing in `{run}`: rerun the same command \
                     to resume",
                    signal.unwrap_or("stopped"),
                    self.grace.as_secs_f64(),
                    are(shift.missing())
                )))
            }
        }
    }
}

/// `3 games are`
fn are(games: usize) -> String {
    format!("{} {}", counted(games, "game"), if games == 1 { "is" } else { "are" })
}

fn no_such_part(index: u32, of: u32) -> Failure {
    Failure::Usage(format!("no shard {index} of {of}: `--index` goes from 0 to {}", of - 1))
}

/// Prepares a shard from the folder, which contains everything needed.
fn ready(
    run: &Path,
    share: (Share, Extent),
    index: u32,
    stale: StaleClaim,
    builds: PathBuf,
) -> Result<ShardWorker, Failure> {
    let (folder, manifest) = open_run(run)?;
    let (assignment, seating) = terms(&folder, &manifest)?;
    let AgentSetup { builder, seats } = AgentSetup::of_assignment(&assignment, seating, folder.built())?;
    let builder = AgentBuilder {
        // Provided files are stored with the agents.
        provide: None,
        ..builder
    };
    let claims = Claims::in_folder(folder.claims(), Some(index), stale)?;
    let agent_pool = AgentPool::new(folder.clone(), &manifest, builder, seats, Host::this(), builds);
    let agent_pool = agent_pool.map_err(ShardError::from)?;
    Ok(ShardWorker::new(folder, manifest, share, claims, agent_pool))
}

/// How the agents of the run are built and seated; only a competition records it.
fn terms(folder: &RunFolder, manifest: &Manifest) -> Result<(Assignment, Seating), Failure> {
    match (assignment_of(folder)?, manifest.seating) {
        (Some(assignment), Some(seating)) => Ok((assignment, seating)),
        _ => Err(Failure::input(
            folder.path(),
            "shards cannot play it, because its agents are not stored in it: plan a competition with `referee plan \
             ASSIGNMENT --out RUN`; to upgrade a run of an older `referee`, rerun its command with `--out`",
        )),
    }
}

fn tell(live: &Live, events: &EventLog, told: ShardEvent) {
    match told {
        ShardEvent::Game(event) => {
            events.write(&event);
            live.show(event);
        }
        ShardEvent::TookOver { game, from } => {
            let whose = from.map_or("somebody".to_owned(), |holder| {
                format!("process {} on {}", holder.pid, plain(&holder.host))
            });
            live.warn(&format!("{game}  taken over from {whose}, which is silent"));
        }
        ShardEvent::LostClaim { game } => live.warn(&format!(
            "{game}  also played by another shard, which took this one for dead: the first result counts"
        )),
        ShardEvent::Calibrated { agent, oddity } => {
            live.warn(&format!(
                "{}: calibrate {}; it plays anyway",
                plain(&agent),
                plain(&oddity)
            ));
        }
    }
}
