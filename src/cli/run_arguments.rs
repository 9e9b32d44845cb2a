//! The arguments common to commands that run an assignment or build agents: how agents are built and seated, and how
//! many games are played at a time. It only parses.

use std::path::PathBuf;

use clap::Args;

use crate::runs::RunOptions;
use referee_games::KnownGames;
use referee_matches::tournament::Slots;
use referee_seat::{Isolation, Meter};
use referee_submissions::agents::Python2;

/// The arguments.
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Number of games to play in parallel [default: the number of physical cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
    #[command(flatten)]
    pub(super) seating: SeatingArguments,
}

/// How agents are seated.
#[derive(Debug, Args)]
pub(super) struct SeatingArguments {
    /// Minimum isolation level: bare, confined or sealed; refuse to run below it [default: as in the assignment]
    #[arg(long, value_name = "LEVEL")]
    isolation: Option<Isolation>,
    /// CPU time meter: perf, cgroup-v2, cgroup-v1 or rusage [default: the best available]
    #[arg(long)]
    meter: Option<Meter>,
    #[command(flatten)]
    python2: Python2Argument,
}

/// What runs Python 2 programs, of every command that builds agents.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Python2Argument {
    /// Run Python 2 programs with Python 3 if Python 2 is not installed
    #[arg(long)]
    python2_by_python3: bool,
}

impl SeatingArguments {
    /// The options of a run in the folder `out`.
    pub(super) fn options(&self, out: PathBuf, slots: Slots, games: &KnownGames) -> RunOptions {
        RunOptions {
            out,
            known_games: games.clone(),
            slots,
            isolation: self.isolation,
            meter: self.meter,
            python2: self.python2.python2(),
            referee: None,
        }
    }
}

impl Python2Argument {
    pub(super) fn python2(self) -> Python2 {
        Python2::or_python3(self.python2_by_python3)
    }

    /// The option again, for another command.
    pub(super) fn option(self) -> Option<&'static str> {
        self.python2_by_python3.then_some("--python2-by-python3")
    }
}
