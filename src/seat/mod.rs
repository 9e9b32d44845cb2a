//! Running one untrusted program, turn by turn, and measuring what it used.
//!
//! For: everything between "here is an `input.txt`" and "this is what it left as `output.txt`, how it ended, and what
//! it used". Deliberately not here: what the answer means, whose clock it is charged to, and who has lost.
//! What must always hold: an agent's fault is data in a [`Run`], anything else a [`SeatError`]; when a run is over,
//! none of its processes lives on; nothing in the working directory is opened through a link or waited for.
//!
//! # Theory of operation
//!
//! ```text
//! referee ──socket── keeper ──socket── starter ═execve═► program ── its children
//!    │                  │  ◄─pidfd─────────────────────────┘   ·         ·
//!    │                  │  ◄─pipe── standard error ────────────┘         ·
//!    │                  │  ◄·· orphans become the keeper's own ··········┘
//!    │                  └── /tmp/referee-seat.XXXXXX/work   input.txt, output.txt, playdata.txt, calibration.txt
//! ```
//!
//! **The keeper** is the same executable under a hidden command, one process per seat and game. It is there
//! because CPU time per process tree takes a process that is the ancestor of the agent and of nothing else: what
//! `getrusage(2)` says of its children is then exact. It also has to be small: a child's peak memory begins with that
//! of the process that forked it. And whatever isolation costs is paid once a game.
//!
//! **The socket** to the keeper carries one message each way per run. Its end is how either side learns that
//! the other is gone. A keeper that has lost its referee, even by `kill -9` in mid-run, kills what it runs, removes its
//! directory and ends; what a keeper leaves behind that is killed itself, the next referee removes (`scratch`).
//!
//! **The starter** is a child of the keeper, forked while it is the opponent's turn, that has done all there is to
//! do before `execve(2)` and waits for a word. The path of a turn is then: order, `input.txt`, word, exec, the program,
//! its end, `output.txt`, reply. Sweeping the directory and making the next starter come after the reply.
//!
//! **Isolation** has three levels (`isolation`). A keeper is two processes: the one that the referee knows waits, its
//! child does all the rest, at the highest level as the first process in namespaces of its own. Either takes the other
//! along, and with it everything that was started: the kernel whatever is in the namespaces; elsewhere the first of
//! them ends what becomes its own when the second is killed, and the second cleans up when the first is.
//!
//! **The end of a run** is the end of the program itself. The keeper is a subreaper: whatever the program has left
//! behind is its child or becomes it, is killed, and is waited for, until there is none. Only then is the account taken
//! and `output.txt` looked at, so that nothing can change under the eyes of the reader.
//!
//! **The budget** is CPU time, watched by looking at the meter no earlier than it can have been used up (`watch`);
//! the kernel's own limit, in whole seconds, stands two seconds behind. The guard against sleepers is wall time.
//! Memory, processes and files have [`Limits`], which the kernel keeps where it can and the `limiter` looks at where
//! not.
//!
//! **A build sandbox** ([`BuildSandbox`]) is a seat for compilers, which work on sources by strangers. It has the same
//! keeper, isolation and end; but a compiler is started among its sources, which it may read, leaves its products in
//! the working directory, is heard on both of its outputs, and sees nobody's accounts. When it has succeeded and all of
//! it has ended, the regular files among the products are copied to where they are wanted (`copy_artifacts`); the rest
//! is swept.
//!
//! **The place** is wherever `TMPDIR` says, else `/tmp`. In memory (`/dev/shm`) a move takes a tenth less than on a
//! disk.
//!
//! Which file has what: `keeper` the life of a keeper, `build_sandbox` and `copy_artifacts` builds, `cores` where a
//! keeper can be pinned, `noise` how steady the machine is, `wire` the messages, `workdir` and `sweep` the directory,
//! `scratch` private directories and what dead owners left, `launcher` and `stderr` the start, `watch` the run,
//! `verdict` its end, `limits`, `limiter`, `conduits` and `unlinked` what it may use, `gauge` and `processes` the
//! measuring, [`meter`](Meter) its kinds, `reap` the end, `isolation` what is out of reach, `system` the system calls
//! that need `unsafe`, [`report`](Run) what is told.

mod allotment;
mod build_sandbox;
mod cgroup;
mod conduits;
mod copy_artifacts;
mod cores;
mod dir_usage;
mod fault;
mod gauge;
mod idler;
mod isolation;
mod keeper;
mod launcher;
mod limiter;
mod limits;
mod meter;
mod noise;
mod processes;
mod reap;
mod report;
mod scratch;
mod spelling;
mod stderr;
mod sweep;
mod system;
mod unlinked;
mod verdict;
mod watch;
mod wire;
mod workdir;

pub use build_sandbox::{Build, BuildSandbox};
pub use cores::cores;
pub use isolation::{Isolation, IsolationRange, Protection, UnknownIsolation};
pub use keeper::keeper_main;
pub use limits::Limits;
pub use meter::{Discrepancy, Meter, UnknownMeter};
pub use noise::time_fixed_work;
pub use report::{Bytes, Exceeded, OutputFile, Run, RunRequest, Task, Termination, Usage};
pub use scratch::{Scratch, ScratchDir, remove_abandoned};

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use wait_timeout::ChildExt;

use crate::time::CpuTime;
use wire::{Channel, KeeperCommand, KeeperReply, KeeperSetup, SeatPurpose};

/// The hidden command of this executable under which it is a keeper; its first argument.
pub const KEEPER_COMMAND: &str = "keeper";

/// How long a keeper may take for what it does by itself, on a machine that is very busy.
const KEEPER_PATIENCE: Duration = Duration::from_mins(1);

/// How long a keeper may take to clean up and end.
const END_PATIENCE: Duration = Duration::from_secs(10);

/// A program that is ready to be run, as often as needed.
///
/// ```
/// use referee::seat::Program;
///
/// // Started as it is in its own folder: `python3 homework.py`.
/// let program = Program {
///     command: vec!["/usr/bin/python3".into(), "homework.py".into()],
///     template: Some("/tmp/builds/ada".into()),
///     ..Program::default()
/// };
/// assert_eq!(program.folder, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The executable, by its absolute path, and its arguments. A relative path among these is one in the working
    /// directory.
    pub command: Vec<OsString>,
    /// What the program finds as its own name (`argv[0]`); `None` for the path of the executable.
    pub arg0: Option<OsString>,
    /// A folder outside of the working directory that the program may read.
    pub folder: Option<PathBuf>,
    /// The folder whose regular files and subfolders are in the working directory at the beginning of every run, as
    /// they are there and never changed by what a run does to them: a submission's. Files in it that are called
    /// `input.txt`, `output.txt`, `playdata.txt` or `calibration.txt` are left out.
    pub template: Option<PathBuf>,
}

/// What of the working directory lives from one run of a seat to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Persistence {
    /// `playdata.txt` alone; the files of the template are as new (RULES.md, section 1).
    #[default]
    Playdata,
    /// Everything but `input.txt` and `output.txt` (RULES.md, section 8). `calibration.txt` is as new.
    Everything,
}

/// What one seat is opened with.
#[derive(Clone, Debug, Default)]
pub struct SeatOptions {
    /// The content of `calibration.txt`, present at every run.
    pub calibration: Option<Vec<u8>>,
    /// Which time counts against the allowance: user and system, or user alone.
    pub charge: Charge,
    /// How CPU time is measured; `None` stands for the best meter that can be had.
    pub meter: Option<Meter>,
    /// How well the program is to be kept apart; the best that can be had unless told otherwise.
    pub isolation: IsolationRange,
    /// What the program may use besides time.
    pub limits: Limits,
    /// What of the working directory lives from run to run.
    pub persistence: Persistence,
    /// The processor that the program and its keeper stay on; `None` for whatever the system chooses. From `confined`
    /// on the program cannot change it; a bare one that does is charged all the same, for its CPU time is its own
    /// wherever it runs.
    pub processor: Option<usize>,
    /// What `/bin/sh` does in the working directory at the beginning of each run, at the program's cost; it has to end
    /// with `exec "$@"`, which is the program. What the program may see does not depend on it. No game has one.
    pub prelude: Option<String>,
    /// The absolute path of the executable that has the `keeper` command; `None` stands for this very program. Tests
    /// and programs other than `referee` name it.
    pub keeper: Option<PathBuf>,
}

/// Which CPU time a clock charges (RULES.md, section 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Charge {
    /// User and system time.
    #[default]
    Cpu,
    /// User time alone.
    User,
}

/// Which meters can be had here, the best first, and of the others why not and what could be done about it.
///
/// Each is tried as it would be used: by opening a seat, in which nothing is run. Of the options, the keeper counts.
pub fn meters_available(options: &SeatOptions) -> Vec<(Meter, Result<(), String>)> {
    let nothing = Program {
        command: vec!["/bin/true".into()],
        ..Program::default()
    };
    let try_it = |meter| {
        let options = SeatOptions {
            meter: Some(meter),
            ..options.clone()
        };
        match Seat::open(&nothing, &options) {
            Ok(_) => Ok(()),
            Err(SeatError::NoMeter { reason, .. }) => Err(reason),
            Err(other) => Err(other.to_string()),
        }
    };
    Meter::BEST_FIRST.map(|meter| (meter, try_it(meter))).into()
}

/// One program in its place at the board for the length of one game.
///
/// Dropping it ends its keeper and removes its working directory.
///
/// ```no_run
/// use referee::seat::{RunRequest, OutputFile, Program, Seat, SeatOptions, Task};
/// use referee::time::{CpuTime, WallTime};
///
/// let program = Program { command: vec!["/home/ada/agent".into()], ..Program::default() };
/// let mut seat = Seat::open(&program, &SeatOptions::default())?;
/// let run = seat.run(&RunRequest {
///     task: Task::Move { input: "GAME\nBLACK\n300\n".to_owned() },
///     kill_after: CpuTime::from_secs(300),
///     wall_limit: WallTime::from_secs(910),
/// })?;
/// if let OutputFile::Content { bytes } = run.output {
///     println!("{} bytes after {} s", bytes.0.len(), run.usage.user + run.usage.system);
/// }
/// # Ok::<(), referee::seat::SeatError>(())
/// ```
#[derive(Debug)]
pub struct Seat {
    keeper: Child,
    /// `None` once the line is hung up.
    channel: Option<Channel>,
    meter: Meter,
    isolation: Isolation,
    no_allotment: Option<String>,
    directory: PathBuf,
}

/// Why a seat could not be opened or a run could not be made: never the agent's fault.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// The program is not named by an absolute path; the caller's mistake.
    #[error("expected an absolute path of a program, found `{}`", .0.display())]
    NotAbsolute(PathBuf),
    /// There is no keeper.
    #[error("could not start the keeper process `{}`: {source}", .keeper.display())]
    NoKeeper {
        /// The executable.
        keeper: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The meter that was asked for cannot be had on this machine.
    #[error("cannot measure CPU time by the meter `{meter}`: {reason}")]
    NoMeter {
        /// The meter.
        meter: Meter,
        /// Why not, and what could be done about it.
        reason: String,
    },
    /// The keeper ended, or stopped answering, in the middle of a game.
    #[error("the keeper process {id} {what}; the game is void and can be played again")]
    Lost {
        /// Its process id.
        id: u32,
        /// What became of it.
        what: String,
    },
    /// This machine cannot keep a program apart as well as was asked for; the user has to decide.
    #[error("isolation `{wanted}` was asked for, but only `{available}` can be had: {why}")]
    TooWeak {
        /// The least that would do.
        wanted: Isolation,
        /// The best that there is.
        available: Isolation,
        /// What stands in the way of the next better level.
        why: String,
    },
    /// Something that this machine or this program failed to do, as the keeper tells it.
    #[error("{0}")]
    Failed(String),
}

impl Seat {
    /// Opens a seat: starts its keeper, makes its working directory, and has the first run ready to go.
    ///
    /// A program that cannot be started is no error here; [`Self::run`] tells it as [`Termination::NotStarted`].
    ///
    /// # Errors
    ///
    /// [`SeatError`].
    pub fn open(program: &Program, options: &SeatOptions) -> Result<Self, SeatError> {
        Self::open_for(SeatPurpose::Play, program, options)
    }

    fn open_for(purpose: SeatPurpose, program: &Program, options: &SeatOptions) -> Result<Self, SeatError> {
        let executable = program.command.first().map_or(OsStr::new(""), OsString::as_os_str);
        if !Path::new(executable).is_absolute() {
            return Err(SeatError::NotAbsolute(executable.into()));
        }
        let mut seat = Self::start(options.keeper.as_deref())?;
        let opening = KeeperCommand::Open(KeeperSetup::new(purpose, program, options));
        match seat.ask(&opening, KEEPER_PATIENCE)? {
            KeeperReply::Ready {
                meter,
                isolation,
                no_allotment,
                directory,
            } => {
                seat.no_allotment = no_allotment;
                seat.meter = meter;
                seat.isolation = isolation;
                seat.directory = PathBuf::from(OsStr::from_bytes(&directory.0));
                Ok(seat)
            }
            KeeperReply::TooWeak { available, why } => Err(SeatError::TooWeak {
                wanted: options.isolation.at_least,
                available,
                why,
            }),
            reply => Err(seat.give_up(reply)),
        }
    }

    /// A keeper that has been told nothing yet.
    fn start(keeper: Option<&Path>) -> Result<Self, SeatError> {
        let (keeper, channel) = start_keeper(keeper).map_err(|source| SeatError::NoKeeper {
            keeper: keeper_executable(keeper),
            source,
        })?;
        Ok(Self {
            keeper,
            channel: Some(channel),
            meter: Meter::Rusage,
            isolation: Isolation::Bare,
            no_allotment: None,
            directory: PathBuf::new(),
        })
    }

    /// Runs the program once, and waits for its end.
    ///
    /// # Errors
    ///
    /// [`SeatError`]: the run says nothing of the agent then, and the seat is of no more use.
    pub fn run(&mut self, job: &RunRequest) -> Result<Run, SeatError> {
        // In whole minutes, so that the system does not have to be told at each move.
        let minutes = job.wall_limit.to_duration().as_secs() / 60 + 1;
        let patience = Duration::from_mins(minutes).saturating_add(KEEPER_PATIENCE);
        match self.ask(&KeeperCommand::Run(Cow::Borrowed(job)), patience)? {
            KeeperReply::Ran(run) => Ok(run),
            reply => Err(self.give_up(reply)),
        }
    }

    /// The meter in force.
    pub fn meter(&self) -> Meter {
        self.meter
    }

    /// By how much the CPU time of one run may be measured wrong here.
    pub fn uncertainty(&self, charge: Charge) -> CpuTime {
        self.meter.uncertainty(charge)
    }

    /// The level of isolation in force: all of its protections hold.
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// Whether the kernel itself limits the memory of the programs, by a control group that counts all that it holds
    /// for them.
    ///
    /// # Errors
    ///
    /// Why not. Their memory is then looked at from outside, which does not see everything.
    pub fn memory_limited_by_kernel(&self) -> Result<(), &str> {
        self.no_allotment.as_deref().map_or(Ok(()), Err)
    }

    /// The private directory of this seat, in which the working directory is; gone when the seat is dropped.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The process id of the keeper; where the seat is sealed, of its part outside of the namespaces.
    pub fn keeper_id(&self) -> u32 {
        self.keeper.id()
    }

    fn ask(&mut self, order: &KeeperCommand<'_>, patience: Duration) -> Result<KeeperReply, SeatError> {
        let Some(channel) = &mut self.channel else {
            return Err(self.lost("was given up after a failure"));
        };
        let asked = channel.set_patience(patience).and_then(|()| channel.send(order));
        let replied = match asked {
            // A keeper that failed after its last answer has ended, and has left word why.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            Ok(()) | Err(_) => channel.receive(),
        };
        match replied {
            Ok(Some(reply)) => Ok(reply),
            Ok(None) => Err(self.lost("has ended in the middle of the game")),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(self.lost("has stopped answering")),
            Err(error) => Err(self.lost(&format!("cannot be understood: {error}"))),
        }
    }

    fn give_up(&mut self, reply: KeeperReply) -> SeatError {
        self.channel = None;
        match reply {
            KeeperReply::Failed(what) => SeatError::Failed(what),
            KeeperReply::NoMeter { meter, reason } => SeatError::NoMeter { meter, reason },
            KeeperReply::Ready { .. }
            | KeeperReply::TooWeak { .. }
            | KeeperReply::Probed(_)
            | KeeperReply::Ran(_)
            | KeeperReply::Built { .. } => self.lost("gave an answer to another question"),
        }
    }

    fn lost(&mut self, what: &str) -> SeatError {
        self.channel = None;
        SeatError::Lost {
            id: self.keeper.id(),
            what: what.to_owned(),
        }
    }
}

impl Drop for Seat {
    /// Hangs up and waits for the keeper to clean up. Of one that does not end, or has ended too early to clean up, the
    /// rest is done from here as well as it can be.
    fn drop(&mut self) {
        self.channel = None;
        if !matches!(self.keeper.wait_timeout(END_PATIENCE), Ok(Some(_))) {
            drop(self.keeper.kill());
            drop(self.keeper.wait());
        }
        if !self.directory.as_os_str().is_empty() {
            scratch::remove(&self.directory);
        }
    }
}

/// Tries every protection on this machine, one by one, and tells which hold and why others do not. `keeper` is as in
/// [`SeatOptions::keeper`]; whoever wants to know which level a seat will have may also open one and ask it.
///
/// # Errors
///
/// [`SeatError`] where there is no keeper to try them in.
pub fn isolation_available(keeper: Option<&Path>) -> Result<Vec<Protection>, SeatError> {
    let mut seat = Seat::start(keeper)?;
    match seat.ask(&KeeperCommand::Probe, KEEPER_PATIENCE)? {
        KeeperReply::Probed(protections) => Ok(protections),
        reply => Err(seat.give_up(reply)),
    }
}

fn keeper_executable(keeper: Option<&Path>) -> PathBuf {
    // By this name it is the program that runs now, even if its file has been replaced by a newer build since.
    keeper.unwrap_or(Path::new("/proc/self/exe")).to_owned()
}

fn start_keeper(keeper: Option<&Path>) -> io::Result<(Child, Channel)> {
    let (ours, theirs) = UnixStream::pair()?;
    let keeper = Command::new(keeper_executable(keeper))
        .arg0("referee")
        .arg(KEEPER_COMMAND)
        // The agent can read its keeper's environment, so there is to be nothing in it.
        .env_clear()
        .current_dir("/")
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        // What a terminal sends to its foreground group is not for keepers.
        .process_group(0)
        .spawn()?;
    Ok((keeper, Channel::new(ours)))
}

impl Usage {
    /// The time that a clock charges for this use.
    pub fn charged(&self, charge: Charge) -> CpuTime {
        match charge {
            Charge::Cpu => self.user + self.system,
            Charge::User => self.user,
        }
    }
}
