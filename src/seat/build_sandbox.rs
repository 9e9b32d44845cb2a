//! A seat for compilers: the referee's end of it.
//!
//! For: running a tool of this machine on sources by strangers, kept in as an agent is, and getting what it made.
//! Deliberately not here: which tool, with which words, and what its end means.
//! What must always hold: a tool reads nothing but its sources and the system, writes nothing but its products, and
//! ends with the referee, even where that is killed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::wire::{BuildOrder, KeeperCommand, KeeperReply, SeatPurpose};
use super::{Isolation, KEEPER_PATIENCE, Meter, Program, Seat, SeatError, SeatOptions, Termination};
use crate::time::WallTime;

/// A place where one tool works on the sources of one folder, as often as needed.
///
/// Dropping it ends its keeper and removes its working directory.
///
/// ```no_run
/// use std::path::Path;
///
/// use referee::seat::{Termination, SeatOptions, BuildSandbox};
/// use referee::time::WallTime;
///
/// let mut bench = BuildSandbox::open(Path::new("/usr/bin/g++"), Path::new("/tmp/ada"), &SeatOptions::default())?;
/// let program = bench.products().join("program");
/// let build = bench.run(
///     &["-o".into(), program.into(), "./homework.cpp".into()],
///     WallTime::from_secs(60),
///     Path::new("/tmp/ada-built"),
/// )?;
/// if build.ended == (Termination::Exited { status: 0 }) {
///     println!("/tmp/ada-built/program is there; {}", build.said);
/// }
/// # Ok::<(), referee::seat::SeatError>(())
/// ```
#[derive(Debug)]
pub struct BuildSandbox {
    seat: Seat,
    tool: PathBuf,
}

/// What came of one run of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// How it ended: [`Termination::Guarded`] and [`Termination::OutOfCpu`] if it took longer than it may.
    pub ended: Termination,
    /// The beginning of what it wrote to standard output and standard error, lossy, at most 64 KiB.
    pub said: String,
}

impl BuildSandbox {
    /// Opens one for `tool`, an executable by its absolute path, with the folder `sources` as its current directory.
    ///
    /// Of the options count the isolation, the limits and the keeper.
    ///
    /// # Errors
    ///
    /// [`SeatError`].
    pub fn open(tool: &Path, sources: &Path, options: &SeatOptions) -> Result<Self, SeatError> {
        let program = Program {
            command: vec![tool.into()],
            folder: Some(sources.to_owned()),
            ..Program::default()
        };
        let options = SeatOptions {
            calibration: None,
            // Nothing is charged for, so that the account of the kernel is good enough.
            meter: Some(Meter::Rusage),
            ..options.clone()
        };
        Ok(Self {
            seat: Seat::open_for(SeatPurpose::Build, &program, &options)?,
            tool: tool.to_owned(),
        })
    }

    /// Where the tool has to leave its products, as it has to be told: the one folder that it may write. It exists as
    /// long as the tool runs, and also is what `TMPDIR` and `HOME` name.
    pub fn products(&self) -> PathBuf {
        self.seat.directory().join("work")
    }

    /// The level of isolation in force.
    pub fn isolation(&self) -> Isolation {
        self.seat.isolation()
    }

    /// Runs the tool with these arguments for at most `limit`. If it succeeds, the regular files of [`Self::products`]
    /// are copied into the folder `into`, where nothing that exists is overwritten; anything else is dropped.
    ///
    /// # Errors
    ///
    /// [`SeatError`]: the run says nothing of the sources then, and the sandbox is of no more use.
    pub fn run(&mut self, arguments: &[OsString], limit: WallTime, into: &Path) -> Result<Build, SeatError> {
        let command: Vec<OsString> = std::iter::once(self.tool.clone().into())
            .chain(arguments.iter().cloned())
            .collect();
        let order = KeeperCommand::Build(BuildOrder::new(&command, limit, into));
        let patience = limit.to_duration().saturating_add(KEEPER_PATIENCE);
        match self.seat.ask(&order, patience)? {
            KeeperReply::Built { ended, said } => Ok(Build { ended, said }),
            reply => Err(self.seat.give_up(reply)),
        }
    }
}
