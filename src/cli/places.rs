//! `--pin`: whether games have cores of their own. It only parses; commands that play include it.

use clap::Args;

use super::Failure;
use crate::messages::counted;
use crate::records::Host;
use crate::seat::cores;
use crate::tournament::Slots;

/// Whether games are pinned.
#[derive(Debug, Args)]
pub(super) struct PinArgument {
    /// Give each game a physical core of its own, on which both agents run, so that games at the same time do not slow
    /// each other down; there can be no more `--jobs` than cores
    #[arg(long)]
    pin: bool,
}

impl PinArgument {
    /// This many slots, or one per core.
    pub(super) fn places(&self, jobs: Option<u16>) -> Result<Slots, Failure> {
        let jobs = jobs.map(usize::from);
        if !self.pin {
            return Ok(Slots::anywhere(jobs.unwrap_or_else(|| Host::this().cores)));
        }
        let mut cores =
            cores().map_err(|error| Failure::Machine(format!("cannot tell the cores of this machine: {error}")))?;
        if let Some(jobs) = jobs.filter(|&jobs| jobs > cores.len()) {
            return Err(Failure::Usage(format!(
                "`--pin` gives each game a core of its own, and there {} here for {jobs} games at a time: lower \
                 `--jobs`, or \
                 leave out `--pin`",
                if cores.len() == 1 {
                    "is 1 core".to_owned()
                } else {
                    format!("are {}", counted(cores.len(), "core"))
                }
            )));
        }
        cores.truncate(jobs.unwrap_or(cores.len()));
        Ok(Slots::on_cores(cores))
    }
}
