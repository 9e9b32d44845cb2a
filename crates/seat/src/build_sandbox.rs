//! A seat for compilers: the referee's end of it.
//!
//! Runs a tool of this machine on untrusted sources, isolated like an agent, and collects its products. It does not
//! choose the tool or its arguments, and does not interpret its exit; `agents/compile` does. A tool must read nothing
//! but its sources and the system, write nothing but its products, and end with the referee, even if the referee is
//! killed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::report::Build;
use super::wire::{BuildOrder, KeeperCommand, KeeperReply};
use super::{Isolation, PreparationLimit, Program, Seat, SeatError, SeatOptions, SeatPurpose, longest_run};

/// Runs one tool on the sources of one folder, any number of times.
///
/// Dropping it ends its keeper and removes its working directory.
///
/// ```no_run
/// use std::path::Path;
///
/// use referee_seat::{BuildSandbox, SeatOptions, Termination, PreparationLimit};
/// use referee_time::CpuTime;
///
/// let mut sandbox = BuildSandbox::open(Path::new("/usr/bin/g++"), Path::new("/tmp/ada"), &SeatOptions::default())?;
/// let program = sandbox.products().join("program");
/// let build = sandbox.run(
///     &["-o".into(), program.into(), "./homework.cpp".into()],
///     PreparationLimit::of_cpu_time(CpuTime::from_secs(60)),
///     Path::new("/tmp/ada-built"),
/// )?;
/// if build.ended == (Termination::Exited { status: 0 }) {
///     println!("/tmp/ada-built/program is there; {}", build.said);
/// }
/// # Ok::<(), referee_seat::SeatError>(())
/// ```
#[derive(Debug)]
pub struct BuildSandbox {
    seat: Seat,
    tool: PathBuf,
}

impl BuildSandbox {
    /// Opens a sandbox for `tool`, the absolute path of an executable, with the folder `sources` as its current
    /// directory.
    ///
    /// Uses only the isolation, the limits and the keeper of `options`.
    ///
    /// # Errors
    ///
    /// [`SeatError`].
    pub fn open(tool: &Path, sources: &Path, options: &SeatOptions) -> Result<Self, SeatError> {
        let program = Program { command: vec![tool.into()], folder: Some(sources.to_owned()), ..Program::default() };
        Ok(Self {
            seat: Seat::open_for(SeatPurpose::Build, &program, &options.uncharged(), Stdio::null())?,
            tool: tool.to_owned(),
        })
    }

    /// The only folder that the tool may write, by the path to pass to it. It exists while the tool runs; `TMPDIR` and
    /// `HOME` name it too.
    pub fn products(&self) -> PathBuf {
        self.seat.directory().join("work")
    }

    /// The level of isolation in force.
    pub fn isolation(&self) -> Isolation {
        self.seat.isolation()
    }

    /// Runs the tool with these arguments for at most `limit`. On success, copies the regular files of
    /// [`Self::products`] into the folder `into` without overwriting anything; drops everything else.
    ///
    /// # Errors
    ///
    /// [`SeatError`]: the run says nothing about the sources, and the sandbox is unusable.
    pub fn run(&mut self, arguments: &[OsString], limit: PreparationLimit, into: &Path) -> Result<Build, SeatError> {
        let command: Vec<OsString> =
            std::iter::once(self.tool.clone().into()).chain(arguments.iter().cloned()).collect();
        let order = KeeperCommand::Build(BuildOrder { command, limit, into: into.into() });
        match self.seat.ask(&order, longest_run(limit.waiting))? {
            KeeperReply::Built(build) => Ok(build),
            reply => Err(self.seat.give_up(reply)),
        }
    }
}
