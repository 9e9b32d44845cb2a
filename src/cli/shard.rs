//! `referee shard`: plays one share of a planned competition through [`crate::runs`].

use std::cell::Cell;
use std::path::PathBuf;

use clap::Args;

use super::events::EventLog;
use super::session::{interruption, on_threads, prepared};
use super::voids::{print_voids, withdrawal};
use super::worker_arguments::{WorkerArguments, shard_note};
use super::{CommandOutcome, Failure};
use crate::console::{FinishedLines, Live};
use crate::runs::{PlayedShard, PreparedShard, ShardRequest, scratch_dir};
use referee_games::KnownGames;
use referee_matches::shards::{Extent, ShardEvent, Share};
use referee_messages::{counted, counted_are, plain};
use referee_seat::Scratch;

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
    #[command(flatten)]
    worker: WorkerArguments,
    /// Write an event log to this file as JSON Lines; `-` for stdout
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

impl ShardCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let builds = scratch_dir(Scratch::Builds)?;
        on_threads(self.play_share(builds.path().to_owned(), games)).map(|()| CommandOutcome::Yes)
    }

    async fn play_share(self, builds: PathBuf, games: &KnownGames) -> Result<(), Failure> {
        let (index, of) = self.part()?;
        let slots = self.worker.slots()?;
        let events = EventLog::open(self.events.as_deref())?;
        let request = ShardRequest {
            run: self.run.clone(),
            index,
            share: Share::new(index, of).ok_or_else(|| no_such_part(index, of))?,
            extent: if self.only_own { Extent::OwnPart } else { Extent::Whole },
            stale: self.worker.stale(),
            known_games: games.clone(),
        };
        let shard = prepared(move || Ok(request.prepare(builds)?)).await;
        let shard = shard.map_err(|failure| match failure {
            Failure::Interrupted(message) => Failure::Stopped(message),
            other => other,
        })?;
        let (manifest, all) = (&shard.manifest, shard.manifest.games.len());
        let (done, lines_on) = (all - shard.missing(), events.other_stream());
        let live = Live::new(manifest.game, "games", [done, all], slots.count(), FinishedLines::Games, lines_on);
        let on_event = {
            let (live, events) = (live.clone(), events.clone());
            move |event| show(&live, &events, event)
        };
        let signal = Cell::new(None);
        let stop = async { signal.set(Some(interruption().await)) };
        let played = shard.play(&slots, stop, self.worker.grace, on_event).await;
        live.close();
        let name = format!("shard {index} of {of}");
        let conclusion = self.conclude(&name, &shard, played?, signal.get().unwrap_or("stopped"))?;
        events.say(&(conclusion + "\n"))
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

    /// The final message of the shard `name`.
    fn conclude(
        &self,
        name: &str,
        shard: &PreparedShard,
        played: PlayedShard,
        signal: &str,
    ) -> Result<String, Failure> {
        let run = plain(&self.run.display().to_string());
        match played {
            PlayedShard::Ended { played, missing: 0, .. } => {
                Ok(format!("{name}: {} played, no game is missing", counted(played, "game")))
            }
            PlayedShard::Ended { played, missing, stopped: false } => {
                let retry = format!("start a shard again to retry, or continue by {}", withdrawal(&self.run));
                print_voids(&shard.folder, &shard.manifest, &retry)?;
                Ok(format!(
                    "{name}: {} played, {} left to other shards",
                    counted(played, "game"),
                    counted_are(missing, "game")
                ))
            }
            PlayedShard::Ended { played, missing, stopped: true } => Err(Failure::Stopped(format!(
                "{name}: {signal}, {} played, {} missing in `{run}`: rerun the same command to resume",
                counted(played, "game"),
                counted_are(missing, "game")
            ))),
            PlayedShard::Dropped { missing } => Err(Failure::Stopped(format!(
                "{name}: {signal}, running games were dropped after {} s; {} missing in `{run}`: rerun the same \
                 command to resume",
                self.worker.grace.as_secs_f64(),
                counted_are(missing, "game")
            ))),
        }
    }
}

fn no_such_part(index: u32, of: u32) -> Failure {
    Failure::Usage(format!("no shard {index} of {of}: `--index` goes from 0 to {}", of - 1))
}

fn show(live: &Live, events: &EventLog, event: ShardEvent) {
    if let Some(odd) = shard_note(&event) {
        live.warn(&odd);
    }
    if let ShardEvent::Game(event) = event {
        events.write(&event);
        live.show(event);
    }
}
