//! `--pin`: whether games have cores of their own. It only parses; commands that play include it.

use clap::Args;

use super::Failure;
use referee_matches::tournament::Slots;
use referee_messages::counted;
use referee_records::Host;
use referee_seat::cores;

/// Whether games are pinned.
#[derive(Debug, Args)]
pub(super) struct PinArgument {
    /// Pin each game to its own physical core, so that parallel games do not slow each other down; `--jobs` must not
    /// exceed the number of cores
    #[arg(long)]
    pin: bool,
}

impl PinArgument {
    /// This many slots, or one per core.
    pub(super) fn slots(&self, jobs: Option<u16>) -> Result<Slots, Failure> {
        let jobs = jobs.map(usize::from);
        if !self.pin {
            return Ok(Slots::anywhere(jobs.unwrap_or_else(|| Host::this().cores)));
        }
        let mut cores =
            cores().map_err(|error| Failure::Machine(format!("cannot list the cores of this machine: {error}")))?;
        if let Some(jobs) = jobs.filter(|&jobs| jobs > cores.len()) {
            return Err(Failure::Usage(format!(
                "`--pin` needs a core for each game, and there {} for {jobs} parallel games: lower `--jobs`, or omit \
                 `--pin`",
                if cores.len() == 1 { "is 1 core".to_owned() } else { format!("are {}", counted(cores.len(), "core")) }
            )));
        }
        cores.truncate(jobs.unwrap_or(cores.len()));
        Ok(Slots::on_cores(cores))
    }
}
