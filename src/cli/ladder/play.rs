//! `referee ladder play`: plays a ladder until its budget is used up or a signal comes.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use parking_lot::Mutex;

use crate::cli::Failure;
use crate::cli::events::EventLog;
use crate::cli::output::note;
use crate::cli::session::{interruption, on_threads, prepared};
use crate::cli::voids::print_ladder_voids;
use crate::cli::worker_arguments::{WorkerArguments, shard_note};
use crate::runs::{LadderPlayRequest, PlayedShard, scratch_dir};
use crate::shell::shell_path;
use referee_games::KnownGames;
use referee_matches::shards::ShardEvent;
use referee_matches::tournament::RunEvent;
use referee_messages::{counted, plain, result_line};
use referee_seat::Scratch;

/// Play a ladder until the budget is used up, or for ever
///
/// Plays pairs of games with exchanged sides: first each new version against the reference and opponents of all
/// strengths, then those whose order is least certain. Any number of processes and machines that share the directory
/// may play at once. New versions join while it plays.
///
/// SIGTERM, SIGINT, SIGHUP and SIGUSR1 stop it like the end of the budget: running games get a grace period, and
/// unfinished ones are played by the next process.
///
/// Exits with 1 if games stayed void at every attempt.
#[derive(Debug, Args)]
pub(in crate::cli) struct PlayLadderCommand {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Stop after this time, such as 90s, 30m or 2h [default: never]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,
    /// Stop after this many pairs of games [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pairs: Option<u32>,
    #[command(flatten)]
    worker: WorkerArguments,
    /// Write an event log to this file as JSON Lines; `-` for stdout
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

fn duration(text: &str) -> Result<Duration, String> {
    let parsed = || {
        let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let unit = match unit {
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        let seconds = number.parse::<f64>().ok()? * unit;
        (0.0..=1e9).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
    };
    parsed().ok_or_else(|| "expected a time such as 90s, 30m or 2h".to_owned())
}

impl PlayLadderCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<(), Failure> {
        let builds = scratch_dir(Scratch::Builds)?;
        on_threads(self.play(builds.path().to_owned(), games))
    }

    async fn play(self, builds: PathBuf, games: &KnownGames) -> Result<(), Failure> {
        let slots = self.worker.slots()?;
        let events = EventLog::open(self.events.as_deref())?;
        let request = LadderPlayRequest {
            ladder: self.ladder.clone(),
            pairs: self.pairs.map(|pairs| pairs as usize),
            stale: self.worker.stale(),
            known_games: games.clone(),
        };
        let shard = prepared(move || Ok(request.prepare(builds)?)).await?;
        let voided = Arc::<Mutex<BTreeSet<String>>>::default();
        let on_event = {
            let (events, voided) = (events.clone(), Arc::clone(&voided));
            move |event| {
                if let ShardEvent::Game(RunEvent::Voided { id, .. }) = &event {
                    voided.lock().insert(id.clone());
                }
                show(&events, &event);
            }
        };
        let signal = Cell::new(None);
        let budget = self.budget;
        let stop = async {
            let used_up = async {
                match budget {
                    Some(budget) => tokio::time::sleep(budget).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = used_up => {}
                word = interruption() => signal.set(Some(word)),
            }
        };
        let played = shard.play(&slots, stop, self.worker.grace, on_event).await?;
        let word = signal.get().map_or_else(String::new, |word| format!("{word}: "));
        let conclusion = match played {
            PlayedShard::Ended { played, .. } => format!("{word}{} played", counted(played, "game")),
            PlayedShard::Dropped { .. } => {
                format!("{word}running games were dropped after {} s", self.worker.grace.as_secs_f64())
            }
        };
        let conclusion = format!("{conclusion}\nnext: referee ladder standings {}", shell_path(&self.ladder));
        events.say(&(conclusion + "\n"))?;
        let voided = voided.lock();
        print_ladder_voids(&shard.folder, &shard.manifest, &voided)
    }
}

/// A line for each finished game, and for what is odd.
fn show(events: &EventLog, event: &ShardEvent) {
    if let Some(odd) = shard_note(event) {
        note(&odd);
    }
    let ShardEvent::Game(event) = event else { return };
    events.write(event);
    match event {
        // A reader that has gone is no reason to stop playing.
        RunEvent::GameFinished(record) => drop(events.say(&format!("{}\n", result_line(record)))),
        RunEvent::Voided { id, reason, .. } => note(&format!("{id}  void: {}", plain(reason))),
        RunEvent::Superseded { id } => note(&format!("{id}  also played by another process: its result counts")),
        RunEvent::GameBegan(_) | RunEvent::PositionChanged(..) | RunEvent::Asked(_) | RunEvent::Answered(_) => {}
    }
}
