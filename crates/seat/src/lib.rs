//! Runs one untrusted program, turn by turn, and measures what it uses.
//!
//! Takes an `input.txt`; returns the program's `output.txt`, its exit and its resource use. It does not interpret
//! answers, keep clocks or decide games. Used by `referee`, `tournament`, `agents` (builds) and `doctor`. An agent's
//! fault must be data in a [`Run`], anything else a [`SeatError`]. No process may outlive its run. Nothing in the
//! working directory may be opened through a link or waited for.
//!
//! # Theory of operation
//!
//! ```text
//! referee ──socket── keeper ──socket── launcher ═execve═► program ── its children
//!    │                  │  ◄─pidfd──────────────────────────┘   ·         ·
//!    │                  │  ◄─pipe── standard error ─────────────┘         ·
//!    │                  │  ◄·· orphans become the keeper's own ···········┘
//!    │                  └── /tmp/referee-seat.XXXXXX/work   input.txt, output.txt, playdata.txt, calibration.txt
//! ```
//!
//! **The keeper** is the same executable under a hidden command, one process per seat and game. Measuring the CPU time
//! of a process tree exactly, by `getrusage(2)` of children, requires a process that is the ancestor of the agent and
//! of nothing else. It must also be small: a child's peak memory starts at that of the process that forked it. And the
//! cost of isolation is paid once a game.
//!
//! **The socket** to the keeper carries one message each way per run. End of file tells either side that the other is
//! gone. A keeper whose referee is gone, even by `kill -9` in mid-run, kills its program, removes its directory and
//! ends; if the keeper itself is killed, the next referee removes what it left (`scratch`).
//!
//! **The launcher** is a child of the keeper, forked in the opponent's turn. It does everything up to `execve(2)` and
//! waits for a command. The path of a turn is: request, `input.txt`, command, exec, the program, its end, `output.txt`,
//! reply. Cleaning the directory and forking the next launcher follow after the reply.
//!
//! **Isolation** has three levels (`isolation`). A keeper is two processes: the one that the referee knows waits, and
//! its child does the work, at the highest level as the first process of its own namespaces. If either is killed, the
//! other ends the run: in namespaces the kernel kills everything; elsewhere the waiting process kills the orphans that
//! become its children, and the working one cleans up.
//!
//! **The end of a run** is the end of the program itself. The keeper is a subreaper: every process that the program
//! left behind is or becomes its child, and is killed and reaped, until none is left. Only then is CPU time read and
//! `output.txt` examined, so that neither can change any more.
//!
//! **The budget** is CPU time. `watch` reads the meter when the budget could first be used up; the kernel's own limit,
//! in whole seconds, is two seconds higher. A wall-clock limit stops sleepers; time in which the program was ready
//! to run does not count for it (`ready_time`). Memory, processes and files have
//! [`Limits`]; the kernel enforces them where it can, and `limiter` samples the rest.
//!
//! **A build sandbox** ([`BuildSandbox`]) is a seat for compilers of untrusted sources. Keeper, isolation and cleanup
//! are the same. But a compiler starts in the folder of its sources, which it may read, leaves its products in the
//! working directory, has both outputs captured, and sees no user accounts. After success and the end of all its
//! processes, `copy_artifacts` copies the regular files among the products; the rest is removed.
//!
//! **The location** is `TMPDIR`, else `/tmp`. It may not be in `/dev`, which a sealed program has of its own.
//!
//! **A service** ([`Service`]) is a seat for a program that answers questions as long as it lives: the rules of a game.
//! Keeper, isolation, limits and cleanup are the same. It has one run; its stdin and stdout are a socket that the
//! keeper got as its own stdout. The caller sets the limits of each answer.
//!
//! Files: `keeper` (its main loop), `build_sandbox` and `copy_artifacts` (builds), `service`, `cores` (pinning),
//! `noise` (steadiness of the machine), `wire` (messages), `workdir` and `sweep` (the directory), `scratch` (private
//! directories and leftovers), `launcher` and `stderr` (the start), `watch`, `ready_time` and `end_notice` (the run),
//! `line` and `freezer` (living programs), `verdict`, `reap` and `standstill` (the end), `limits`, `limiter`,
//! `kernel_limits`, `memory_group`, `process_cap`, `open_channels`, `shared_memory`, `mappings`, `unlinked` and `room`
//! (resource limits), `tree_meter` and `processes` (measuring), [`meter`](Meter) (kinds of meter), `isolation`,
//! `system` (system calls that need `unsafe`), [`report`](Run) (results), `program` (what is run).

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

mod build_sandbox;
mod cgroup;
mod copy_artifacts;
mod cores;
mod dir_usage;
mod end_notice;
mod fault;
mod freezer;
mod idler;
mod isolation;
mod keeper;
mod kernel_limits;
mod launcher;
mod limiter;
mod limits;
mod line;
mod mappings;
mod memory_group;
mod meter;
mod noise;
mod null_device;
mod open_channels;
mod process_cap;
mod processes;
mod program;
mod ready_time;
mod reap;
mod report;
mod room;
mod scratch;
mod service;
mod shared_memory;
mod spelling;
mod standstill;
mod stderr;
mod sweep;
mod system;
mod tree_meter;
mod unlinked;
mod verdict;
mod watch;
mod wire;
mod workdir;

pub use build_sandbox::BuildSandbox;
pub use cores::cores;
pub use isolation::{Isolation, IsolationRange, Protection, UnknownIsolation};
pub use keeper::keeper_main;
pub use limits::Limits;
pub use meter::{Concurrency, Discrepancy, Meter, UnknownMeter};
pub use noise::time_fixed_work;
pub use program::{Charge, Persistence, Program, Protocol};
pub use ready_time::WaitAccounts;
pub use report::{Build, Bytes, Exceeded, OutputFile, PreparationLimit, Run, RunRequest, Task, Termination, Usage};
pub use scratch::{Scratch, ScratchDir, remove_abandoned};
pub use service::{AnswerLimits, NoAnswer, NoAnswerCause, Service};
pub use system::{forget_children, is_ignored, restore_signals, yield_to_others};

use std::borrow::Cow;
use std::ffi::{CStr, OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use wait_timeout::ChildExt;

use ready_time::{MOST_POSTPONED, STARVED_AT_LEAST, STARVED_FACTOR};
use referee_time::{CpuTime, WallTime};
use room::Reservation;
use wire::{KeeperCommand, KeeperReply, KeeperSetup, ProgramEnd, ReadySeat, WireEnd};

/// The hidden command, the first argument, that makes this executable a keeper.
pub const KEEPER_COMMAND: &str = "keeper";

/// An agent's answer.
const OUTPUT: &CStr = c"output.txt";
/// An agent's calibration.
const CALIBRATION: &CStr = c"calibration.txt";

/// The files of a working directory whose names no file of a submission may have.
const RESERVED: [&CStr; 3] = [c"input.txt", c"playdata.txt", OUTPUT];

/// The timeout for a keeper's own work, generous for a very busy machine.
const KEEPER_TIMEOUT: Duration = Duration::from_mins(1);

/// The timeout for a keeper's cleanup and exit.
const END_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest time that a keeper takes for a run with this wall-clock limit. In whole minutes, because a change costs
/// a system call.
fn longest_run(wall_limit: WallTime) -> Duration {
    let limit = wall_limit.to_duration();
    let longest = limit.saturating_mul(MOST_POSTPONED + STARVED_FACTOR).saturating_add(STARVED_AT_LEAST);
    Duration::from_mins(longest.as_secs() / 60 + 1).saturating_add(KEEPER_TIMEOUT)
}

/// The purpose of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum SeatPurpose {
    /// Runs of an agent.
    Play,
    /// Runs of a compiler on the sources in the program's folder.
    Build,
    /// One run of a program that answers questions on its standard input and output.
    Service,
}

/// The options of a seat.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct SeatOptions {
    /// What `calibrate` wrote as `calibration.txt`, present at every run in place of one that was handed in.
    pub calibration: Option<Vec<u8>>,
    /// The kind of time that counts: user and system, or user alone.
    pub charge: Charge,
    /// How CPU time is measured; `None` for the best available meter.
    pub meter: Option<Meter>,
    /// Whether programs of other seats run at the same time.
    pub concurrency: Concurrency,
    /// The isolation levels to accept; by default the best available one.
    pub isolation: IsolationRange,
    /// The resource limits besides time.
    pub limits: Limits,
    /// How many more seats the disk must have space for, so that this one keeps no other from being opened.
    pub spare_seats: u64,
    /// Which files persist from run to run.
    pub persistence: Persistence,
    /// How the program is asked and answers.
    pub protocol: Protocol,
    /// The CPU time that a living program may use before its first question without charge.
    pub startup: CpuTime,
    /// The processor to which the program and its keeper are pinned; `None` leaves it to the system. From `confined`
    /// on, the program cannot change it. A bare program that does is still charged: CPU time counts on any processor.
    pub processor: Option<usize>,
    /// A script that `/bin/sh` runs in the working directory at the start of each run, at the program's cost. It must
    /// end with `exec "$@"`, which starts the program. It does not change what the program may see. No game has one.
    pub prelude: Option<String>,
    /// The absolute path of an executable with the `keeper` command; `None` for this executable. Tests and programs
    /// other than `referee` set it.
    #[serde(skip)]
    pub keeper: Option<PathBuf>,
}

impl SeatOptions {
    /// The same for a program that no clock is charged for, so that the kernel's usage account is accurate enough.
    fn uncharged(&self) -> Self {
        Self { calibration: None, meter: Some(Meter::Rusage), ..self.clone() }
    }
}

/// The meters of this machine, the best first, and why the others are unavailable and how to enable them.
///
/// Each is tried by opening a seat in which nothing is run. Uses only the keeper of `options`.
pub fn meters_available(options: &SeatOptions) -> Vec<(Meter, Result<(), String>)> {
    let nothing = Program { command: vec!["/bin/true".into()], ..Program::default() };
    let try_it = |meter| {
        let options = SeatOptions { meter: Some(meter), ..options.clone() };
        match Seat::open(&nothing, &options) {
            Ok(_) => Ok(()),
            Err(SeatError::NoMeter { reason, .. }) => Err(reason),
            Err(other) => Err(other.to_string()),
        }
    };
    Meter::BEST_FIRST.map(|meter| (meter, try_it(meter))).into()
}

/// One program, ready to run turn by turn for the length of one game.
///
/// Dropping it ends its keeper and removes its working directory.
///
/// ```no_run
/// use referee_seat::{RunRequest, OutputFile, Program, Seat, SeatOptions, Task};
/// use referee_time::{CpuTime, WallTime};
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
/// # Ok::<(), referee_seat::SeatError>(())
/// ```
#[derive(Debug)]
pub struct Seat {
    keeper: Child,
    /// `None` after hanging up.
    channel: Option<WireEnd>,
    /// Empty until it is open.
    ready: ReadySeat,
    protocol: Protocol,
    /// `None` for a working directory in memory.
    room: Option<Reservation>,
    reads_position: bool,
}

/// Why a seat could not be opened or a run failed: never the agent's fault. A keeper reports it as such.
#[derive(Debug, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum SeatError {
    /// The program's path is not absolute; the caller's mistake.
    #[error("expected the absolute path of a program, found `{}`", .0.display())]
    NotAbsolute(PathBuf),
    /// The keeper could not be started.
    #[error("could not start the keeper process `{}`: {source}{}", .keeper.display(), more_processes(source))]
    #[serde(skip)]
    NoKeeper {
        /// The executable.
        keeper: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The requested meter is unavailable on this machine.
    #[error("cannot measure CPU time with the meter `{meter}`: {reason}")]
    NoMeter {
        /// The meter.
        meter: Meter,
        /// The reason, and how to enable it.
        reason: String,
    },
    /// The keeper ended, or stopped responding, during a game.
    #[error("the keeper process {id} {what}; the game is void and can be replayed")]
    Lost {
        /// Its process id.
        id: u32,
        /// What happened to it.
        what: String,
    },
    /// This machine cannot isolate a program as well as requested; the user has to decide.
    #[error("isolation `{wanted}` was requested, but only `{available}` is available: {why}")]
    TooWeak {
        /// The lowest acceptable level.
        wanted: Isolation,
        /// The best available level.
        available: Isolation,
        /// Why the next better level is unavailable.
        why: String,
    },
    /// A failure of this machine or of this program, as reported by the keeper.
    #[error("{0}")]
    Failed(String),
    /// This machine was too busy to run the program, as reported by the keeper.
    #[error("{0}")]
    Starved(String),
}

/// The remedy where the system starts no more processes.
fn more_processes(error: &io::Error) -> &'static str {
    let is_limit = error.kind() == io::ErrorKind::WouldBlock;
    if is_limit { "; end other programs, or raise the limit on processes (`ulimit -u`)" } else { "" }
}

impl Seat {
    /// Opens a seat: starts its keeper, makes its working directory, and prepares the first run.
    ///
    /// A program that cannot be started is not an error here; [`Self::run`] reports it as [`Termination::NotStarted`].
    ///
    /// # Errors
    ///
    /// [`SeatError`].
    pub fn open(program: &Program, options: &SeatOptions) -> Result<Self, SeatError> {
        Self::open_for(SeatPurpose::Play, program, options, Stdio::null())
    }

    /// `line` is what the keeper has as its standard output, which is a service's own line.
    fn open_for(
        purpose: SeatPurpose,
        program: &Program,
        options: &SeatOptions,
        line: Stdio,
    ) -> Result<Self, SeatError> {
        let executable = program.command.first().map_or(OsStr::new(""), OsString::as_os_str);
        if !Path::new(executable).is_absolute() {
            return Err(SeatError::NotAbsolute(executable.into()));
        }
        if let Some(complaint) = null_device::complaint(Path::new("/dev/null")) {
            return Err(SeatError::Failed(complaint));
        }
        let mut seat = Self::start(options.keeper.as_deref(), line)?;
        let opening = KeeperCommand::Open(Box::new(KeeperSetup::new(purpose, program, options)));
        match seat.ask(&opening, KEEPER_TIMEOUT)? {
            KeeperReply::Ready(ready) => {
                seat.ready = ready;
                seat.protocol = options.protocol;
                seat.reads_position = program.reads_position;
                if seat.isolation() < Isolation::Sealed {
                    let room = Reservation::make(seat.directory(), &options.limits, options.spare_seats)
                        .map_err(SeatError::Failed)?;
                    seat.room = Some(room);
                }
                Ok(seat)
            }
            reply => Err(seat.give_up(reply)),
        }
    }

    /// Starts a keeper without sending it anything.
    fn start(keeper: Option<&Path>, line: Stdio) -> Result<Self, SeatError> {
        let (keeper, channel) = start_keeper(keeper, line)
            .map_err(|source| SeatError::NoKeeper { keeper: keeper_executable(keeper), source })?;
        Ok(Self {
            keeper,
            channel: Some(channel),
            ready: ReadySeat::default(),
            protocol: Protocol::Files,
            room: None,
            reads_position: false,
        })
    }

    /// Runs the program once and waits for its end.
    ///
    /// # Errors
    ///
    /// [`SeatError`]: the run says nothing about the agent, and the seat is unusable.
    pub fn run(&mut self, job: &RunRequest) -> Result<Run, SeatError> {
        match self.ask(&KeeperCommand::Run(Cow::Borrowed(job)), longest_run(job.wall_limit))? {
            KeeperReply::Ran(run) => Ok(run),
            reply => Err(self.give_up(reply)),
        }
    }

    /// Ends the game of a living program: its input ends, and it has a second to end. Returns how it ended, and the end
    /// of what it wrote to standard error since its last turn; `None` if it was never asked, or does not live on.
    ///
    /// # Errors
    ///
    /// [`SeatError`] if that could not be found out.
    pub fn end_game(mut self) -> Result<Option<(Termination, String)>, SeatError> {
        if self.protocol == Protocol::Files {
            return Ok(None);
        }
        match self.ask(&KeeperCommand::EndGame, longest_run(WallTime::from_secs(1)))? {
            KeeperReply::GameEnded(end) => Ok(end.map(|ProgramEnd { ended, said }| (ended, said))),
            reply => Err(self.give_up(reply)),
        }
    }

    /// Whether whoever writes the input is to tell the program the whole position: a built-in agent may need it.
    pub fn reads_position(&self) -> bool {
        self.reads_position
    }

    /// Whether the disk has space for so many more seats while this one is open. Always with a working directory in
    /// memory.
    pub fn leaves_space_for(&self, seats: u64) -> bool {
        self.room.as_ref().is_none_or(|room| room.leaves_space_for(seats))
    }

    /// The meter in force.
    pub fn meter(&self) -> Meter {
        self.ready.meter
    }

    /// The measurement error of one run's CPU time with this seat's meter.
    pub fn uncertainty(&self, charge: Charge) -> CpuTime {
        self.ready.meter.uncertainty(charge)
    }

    /// The isolation level in force: all of its protections work.
    pub fn isolation(&self) -> Isolation {
        self.ready.isolation
    }

    /// How its programs are asked, and answer.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Whether the kernel limits the programs' memory, by a control group that counts everything that it holds for
    /// them.
    ///
    /// # Errors
    ///
    /// The reason. Memory is then sampled from outside, which does not see everything.
    pub fn memory_limited_by_kernel(&self) -> Result<(), &str> {
        self.ready.no_allotment.as_deref().map_or(Ok(()), Err)
    }

    /// Whether the kernel lets the programs have no more processes and threads than a few above their limit.
    ///
    /// # Errors
    ///
    /// The reason. They are then counted every few milliseconds, and ended when they are too many.
    pub fn processes_limited_by_kernel(&self) -> Result<(), &str> {
        self.ready.no_process_cap.as_deref().map_or(Ok(()), Err)
    }

    /// Whether the kernel stops a living program as a whole between its turns, by a control group.
    ///
    /// # Errors
    ///
    /// The reason. Its processes are then stopped one by one, by signals.
    pub fn frozen_by_kernel(&self) -> Result<(), &str> {
        self.ready.no_freezer.as_deref().map_or(Ok(()), Err)
    }

    /// How this seat sees that its programs wait for a processor.
    pub fn wait_accounts(&self) -> WaitAccounts {
        self.ready.wait_accounts
    }

    /// The private directory of this seat, which contains the working directory and is removed when the seat is
    /// dropped.
    pub fn directory(&self) -> &Path {
        Path::new(&self.ready.directory)
    }

    /// The process id of the keeper; if the seat is sealed, of its part outside the namespaces.
    pub fn keeper_id(&self) -> u32 {
        self.keeper.id()
    }

    fn ask(&mut self, order: &KeeperCommand<'_>, timeout: Duration) -> Result<KeeperReply, SeatError> {
        let Some(channel) = &mut self.channel else {
            return Err(self.lost("was abandoned after a failure"));
        };
        let asked = channel.set_receive_timeout(timeout).and_then(|()| channel.send(order));
        let replied = match asked {
            // A keeper that failed after its last answer has ended and left a message.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            Ok(()) | Err(_) => channel.receive(),
        };
        self.reply(replied)
    }

    /// What was received from the keeper.
    fn reply(&mut self, received: io::Result<Option<KeeperReply>>) -> Result<KeeperReply, SeatError> {
        match received {
            Ok(Some(reply)) => Ok(reply),
            Ok(None) => Err(self.lost("exited during the game")),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(self.lost("stopped answering")),
            Err(error) => Err(self.lost(&format!("sent an invalid message: {error}"))),
        }
    }

    fn give_up(&mut self, reply: KeeperReply) -> SeatError {
        self.channel = None;
        match reply {
            KeeperReply::Error(error) => error,
            KeeperReply::Ready(_)
            | KeeperReply::Probed(_)
            | KeeperReply::Ran(_)
            | KeeperReply::Built(_)
            | KeeperReply::GameEnded(_)
            | KeeperReply::Served(_) => self.lost("answered another request"),
        }
    }

    fn lost(&mut self, what: &str) -> SeatError {
        self.channel = None;
        SeatError::Lost { id: self.keeper.id(), what: what.to_owned() }
    }
}

impl Drop for Seat {
    /// Hangs up and waits for the keeper to clean up. If it does not end, or ended too early, cleans up here as well as
    /// possible.
    fn drop(&mut self) {
        self.channel = None;
        if !matches!(self.keeper.wait_timeout(END_TIMEOUT), Ok(Some(_))) {
            drop(self.keeper.kill());
            drop(self.keeper.wait());
        }
        if !self.ready.directory.is_empty() {
            scratch::remove(self.directory());
        }
    }
}

/// Tries every protection of this machine separately, and reports which work and why others do not. `keeper` is as in
/// [`SeatOptions::keeper`]. To find the level of a seat, open one and ask it.
///
/// # Errors
///
/// [`SeatError`] if no keeper could be started.
pub fn isolation_available(keeper: Option<&Path>) -> Result<Vec<Protection>, SeatError> {
    let mut seat = Seat::start(keeper, Stdio::null())?;
    match seat.ask(&KeeperCommand::Probe, KEEPER_TIMEOUT)? {
        KeeperReply::Probed(protections) => Ok(protections),
        reply => Err(seat.give_up(reply)),
    }
}

fn keeper_executable(keeper: Option<&Path>) -> PathBuf {
    // This path names the running executable even after its file was replaced by a newer build.
    keeper.unwrap_or(Path::new("/proc/self/exe")).to_owned()
}

fn start_keeper(keeper: Option<&Path>, line: Stdio) -> io::Result<(Child, WireEnd)> {
    let (ours, theirs) = UnixStream::pair()?;
    let keeper = Command::new(keeper_executable(keeper))
        .arg0("referee")
        .arg(KEEPER_COMMAND)
        // The agent can read its keeper's environment, so it must be empty.
        .env_clear()
        .current_dir("/")
        .stdin(OwnedFd::from(theirs))
        .stdout(line)
        // Signals from a terminal to its foreground group must not reach keepers.
        .process_group(0)
        .spawn()?;
    Ok((keeper, WireEnd::new(ours)))
}

impl Usage {
    /// The part of this usage that a clock charges.
    pub fn charged(&self, charge: Charge) -> CpuTime {
        match charge {
            Charge::Cpu => self.user + self.system,
            Charge::User => self.user,
        }
    }
}
