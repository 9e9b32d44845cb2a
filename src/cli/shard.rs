//! `referee shard`: plays one share of a planned competition through [`crate::shards`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::time::timeout;

use super::events::EventLog;
use super::output::{note, print};
use super::places::PinArgument;
use super::scratch::scratch_dir;
use super::seating::{builder, seats};
use super::session::{interruption, on_threads, prepared};
use super::voids::tell_voids;
use super::{CommandOutcome, Failure};
use crate::agents::AgentBuilder;
use crate::assignment::Assignment;
use crate::console::Live;
use crate::messages::{counted, plain};
use crate::records::{Claims, Host, Manifest, RunFolder, StaleClaim};
use crate::seat::Scratch;
use crate::shards::{AgentPool, Extent, ShardEnd, ShardError, ShardEvent, ShardWorker, Share};
use crate::tournament::LiveFeed;

/// Plays a part of a competition that `referee plan` has planned, or that `referee compete` has begun, on any machine
/// that sees its folder, or on a copy of it.
///
/// Its own part comes first, pair by pair; then whatever nobody is at, and what was left by those who died. It ends
/// when each game is finished, or in the hands of another process that was seen alive. Give the same command again as
/// often as you like, also twice at once: only what is missing is played.
///
/// SIGTERM, SIGINT, SIGHUP and SIGUSR1 tell it to stop: games in hand go on for the grace, what is not finished then is
/// dropped and can be played by others at once. The exit status is 0 when nothing was left for it, and 75 when it was
/// told to stop and games of the plan are left.
#[derive(Debug, Args)]
pub(super) struct ShardCommand {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Which part, counted from 0 [default: `SLURM_ARRAY_TASK_ID` where it is set and `--of` is given, else 0]
    #[arg(long, value_name = "I")]
    index: Option<u32>,
    /// Of how many parts [default: 1, everything]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    of: Option<u32>,
    /// Play this part and nothing else: for a copy of the run that others do not see, to be joined with `referee merge`
    #[arg(long)]
    only_own: bool,
    /// How many games at a time [default: one for each physical core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    #[command(flatten)]
    pin: PinArgument,
    /// How long games in hand may go on when it is told to stop
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    grace: Duration,
    /// After how long without a sign of life the games of another process are taken over; the same for all parts of a
    /// run
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    stale: Duration,
    /// Write everything that happens to this file as JSON Lines, `-` for standard output
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
                    index.map_err(|_| Failure::Usage("SLURM_ARRAY_TASK_ID is no number: give `--index`".to_owned()));
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
                "{name}: {} played, no game of the plan is missing",
                counted(played, "game")
            )),
            Some(Ok(ShardEnd {
                played,
                missing,
                stopped: false,
            })) => {
                let line = format!(
                    "{name}: {} played, {} for others to play",
                    counted(played, "game"),
                    are(missing)
                );
                let folder = RunFolder::open(&self.run)?;
                tell_voids(&folder, shift.manifest(), "a shard that is started later retries").map(|()| line)
            }
            Some(Ok(ShardEnd {
                played,
                missing,
                stopped: true,
            })) => Err(Failure::Stopped(format!(
                "{name}: {}, {} played, {} missing in `{run}`: the same command plays the rest",
                signal.unwrap_or("stopped"),
                counted(played, "game"),
                are(missing)
            ))),
            Some(Err(error)) => Err(error.into()),
            None => {
                shift.abandon();
                Err(Failure::Stopped(format!(
                    "{name}: {}, and the games in hand were dropped after {} s; {} missing in `{run}`: the same \
                     command plays \
                     the rest",
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
    Failure::Usage(format!(
        "there is no part {index} of {of}: parts are counted from 0, so `--index` goes up to {}",
        of - 1
    ))
}

/// Prepares a shard from the folder, which contains everything needed.
fn ready(
    run: &Path,
    share: (Share, Extent),
    index: u32,
    stale: StaleClaim,
    builds: PathBuf,
) -> Result<ShardWorker, Failure> {
    let (folder, manifest) = RunFolder::open_with_manifest(run)?;
    let (assignment, seating) = terms(&folder, &manifest)?;
    let seats = seats(seating, &assignment);
    let builder = AgentBuilder {
        // Provided files are stored with the agents.
        provide: None,
        ..builder(seating, &assignment, &seats, folder.built())?
    };
    let claims = Claims::in_folder(folder.claims(), Some(index), stale)?;
    let agent_pool = AgentPool::new(folder.clone(), &manifest, builder, seats, Host::this(), builds);
    let agent_pool = agent_pool.map_err(ShardError::from)?;
    Ok(ShardWorker::new(folder, manifest, share, claims, agent_pool))
}

/// How the agents of the run are built and seated; only a competition records it.
fn terms(folder: &RunFolder, manifest: &Manifest) -> Result<(Assignment, crate::records::Seating), Failure> {
    let file = folder.path().join("assignment.toml");
    match (folder.assignment()?, manifest.seating) {
        (Some(text), Some(seating)) => {
            let assignment = Assignment::parse(&text, &file).map_err(|faults| Failure::Input(faults.to_string()))?;
            Ok((assignment, seating))
        }
        _ => Err(Failure::input(
            folder.path(),
            "it cannot be played in parts, for it does not hold its agents: plan a competition with `referee plan \
             ASSIGNMENT \
             --out RUN`; one that an older `referee` began becomes such a run by the same command with its own `--out`",
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
            live.warn(&format!(
                "{game}  taken over from {whose}, which has given no sign of life"
            ));
        }
        ShardEvent::LostClaim { game } => live.warn(&format!(
            "{game}  others took this process for dead and play it, too: whoever is first counts"
        )),
        ShardEvent::Calibrated { agent, oddity } => {
            live.warn(&format!(
                "{}: calibrate {}; it plays all the same",
                plain(&agent),
                plain(&oddity)
            ));
        }
    }
}
