//! The options of commands that play a run shared with other processes, `shard` and `ladder play`, and what they say of
//! the others.

use std::time::Duration;

use clap::Args;

use super::Failure;
use super::slots::PinArgument;
use referee_matches::shards::ShardEvent;
use referee_matches::tournament::Slots;
use referee_messages::plain;
use referee_records::StaleClaim;

/// How a process works on a run that it shares.
#[derive(Debug, Args)]
pub(super) struct WorkerArguments {
    /// Number of games to play in parallel [default: the number of physical cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    #[command(flatten)]
    pin: PinArgument,
    /// Grace period for running games when it is stopped
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    pub(super) grace: Duration,
    /// Take over the games of a process that was silent this long; use the same value for all processes of a run
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    stale: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a number of seconds from 0 to 86400".to_owned())
}

impl WorkerArguments {
    /// The slots for its games.
    pub(super) fn slots(&self) -> Result<Slots, Failure> {
        self.pin.slots(self.jobs)
    }

    /// When claims of others are stale.
    pub(super) const fn stale(&self) -> StaleClaim {
        StaleClaim(self.stale)
    }
}

/// What is odd about an event of a shard or a ladder, if anything is; events of games are shown otherwise.
pub(super) fn shard_note(event: &ShardEvent) -> Option<String> {
    match event {
        ShardEvent::Game(_) => None,
        ShardEvent::TookOver { game, from } => {
            let whose = from.as_ref().map_or("somebody".to_owned(), |holder| {
                format!("process {} on {}", holder.process.pid, plain(&holder.host))
            });
            Some(format!("{game}  taken over from {whose}, which is silent"))
        }
        ShardEvent::LostClaim { game } => Some(format!(
            "{game}  also played by another process, which took this one for dead: the first result counts"
        )),
        ShardEvent::Unreadable { error } => Some(plain(error)),
        ShardEvent::Calibrated { agent, oddity } => {
            Some(format!("{}: calibrate {}; it plays anyway", plain(agent), plain(oddity)))
        }
    }
}
