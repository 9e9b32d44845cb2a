//! The starter: a process that is made ahead of time and becomes the program at a word.
//!
//! For: taking everything that is slow about starting a program out of the agent's turn. A starter is forked while the
//! opponent thinks; it is in its own session, in the working directory, with its own clean descriptors, signals and
//! privileges, and then waits. At the word it does one thing, `execve(2)`. Measured against `posix_spawn(3)`, which
//! cannot do most of this, it saves a tenth of the turn's overhead and leaves room for isolation of any price.
//! Deliberately not here: what becomes of the process afterwards.
//! What must always hold: nothing of the keeper is open in the program; a starter whose keeper is gone ends.

use std::convert::Infallible;
use std::ffi::{CString, OsStr};
use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::prctl::{set_dumpable, set_no_new_privs, set_pdeathsig};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, umask};
use nix::unistd::{Pid, chdir, dup2_stderr, dup2_stdin, dup2_stdout, execve, fchdir, setsid};

use super::conduits::Room;
use super::fault::HostError;
use super::isolation::Barrier;
use super::limits::Limits;
use super::stderr::{Keep, StderrPipe};
use super::system::{close_all_but, default_signals, exit_now, fork, pidfd};
use super::wire::KeeperSetup;
use super::workdir::Workdir;

/// The whole environment of a program, apart from its directories.
///
/// The locale is fixed, so that a decimal point is one everywhere. Python writes no `__pycache__` into folders that
/// are read-only anyway, and has the same order of sets and dictionaries of strings at every run: a move that is
/// disputed can be played again.
const ENVIRONMENT: [&str; 6] = [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "LANG=C.UTF-8",
    "LC_ALL=C.UTF-8",
    "TZ=UTC",
    "PYTHONDONTWRITEBYTECODE=1",
    "PYTHONHASHSEED=0",
];

// What a starter says of itself, followed by an error number where it failed.
const READY: u8 = b'r';
const NOT_READY: u8 = b'n';
const NOT_STARTED: u8 = b's';

/// Written by the keeper to set a starter off.
const GO: u8 = b'g';

/// How often a program that is still being written is tried, and how long apart: for a second in all.
const BUSY_TRIES: u32 = 200;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// How a program is started.
#[derive(Debug)]
pub(super) enum ProcessKind {
    /// As an agent: in the working directory, its standard output thrown away.
    Agent,
    /// As a compiler: among its sources, both its outputs heard.
    Tool {
        /// Their folder.
        sources: PathBuf,
    },
}

/// What is the same for every start of a seat.
#[derive(Debug)]
pub(super) struct LaunchContext {
    pub(super) manner: ProcessKind,
    pub(super) barrier: Barrier,
    pub(super) limits: Limits,
    /// How many processes and threads the user has besides.
    pub(super) others: u64,
    /// What a socket and a pipe of the program can hold.
    pub(super) room: Room,
}

/// What to start, in the form in which the system wants it.
#[derive(Debug)]
pub(super) struct Command {
    executable: CString,
    words: Vec<CString>,
}

impl Command {
    /// The program of a seat, or the shell before it.
    pub(super) fn of(opening: &KeeperSetup) -> Result<Self, HostError> {
        let command = Self::new(&opening.executed())?;
        match opening.arg0() {
            Some(arg0) => command.called(&arg0),
            None => Ok(command),
        }
    }

    /// The executable, by its absolute path, and its arguments.
    pub(super) fn new<W: AsRef<OsStr>>(words: &[W]) -> Result<Self, HostError> {
        let words = words.iter().map(word).collect::<Result<Vec<_>, _>>()?;
        let executable = words.first().ok_or_else(no_program)?.clone();
        Ok(Self { executable, words })
    }

    /// The same under another name.
    fn called(mut self, arg0: &OsStr) -> Result<Self, HostError> {
        self.words[0] = word(&arg0)?;
        Ok(self)
    }

    fn executable(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.executable.as_bytes()))
    }
}

fn word<W: AsRef<OsStr>>(word: &W) -> Result<CString, HostError> {
    CString::new(word.as_ref().as_bytes()).map_err(|_| no_program())
}

fn no_program() -> HostError {
    HostError::when("make out the program to run")("it is empty or has a zero byte")
}

/// A process that waits to become the program.
#[derive(Debug)]
pub(super) struct Launcher {
    pub(super) pid: Pid,
    /// Readable when the process has ended.
    pub(super) ended: OwnedFd,
    pub(super) stderr: StderrPipe,
    /// Its end is the starter's end.
    pub(super) link: UnixStream,
}

impl Launcher {
    /// Makes one for the working directory as it is now.
    pub(super) fn prepare(command: &Command, workdir: &Workdir, house: &LaunchContext) -> Result<Self, HostError> {
        let failed = HostError::when::<Errno>("prepare the start of the program");
        let (link, theirs) = UnixStream::pair().map_err(HostError::when("prepare the start of the program"))?;
        let keep = match house.manner {
            ProcessKind::Agent => Keep::End,
            ProcessKind::Tool { .. } => Keep::Beginning,
        };
        let (stderr, stderr_end) = StderrPipe::open(keep).map_err(&failed)?;
        let environment = environment(&workdir.work_path());
        let surroundings = Surroundings {
            work: workdir.work(),
            link: theirs.as_fd(),
            stderr: &stderr_end,
            house,
        };
        let pid = fork(|| become_program(command, &environment, &surroundings)).map_err(&failed)?;
        Ok(Self {
            pid,
            ended: pidfd(pid).map_err(&failed)?,
            stderr,
            link,
        })
    }

    /// Waits until the starter has nothing left to do but to start.
    pub(super) fn await_ready(&mut self) -> Result<(), HostError> {
        let doing = "prepare the start of the program";
        match self.said() {
            Some((READY, _)) => Ok(()),
            Some((_, errno)) => Err(HostError::when(doing)(errno)),
            None => Err(HostError::when(doing)("the process was gone")),
        }
    }

    /// Has it become the program now.
    pub(super) fn go(&mut self) -> Result<(), HostError> {
        self.link.write_all(&[GO]).map_err(HostError::when("start the program"))
    }

    /// Why the program was not started, once the process has ended; `None` if it was.
    pub(super) fn refusal(&mut self, command: &Command) -> Option<String> {
        let (_, errno) = self.said()?;
        Some(why_not(errno, command.executable()))
    }

    fn said(&mut self) -> Option<(u8, Errno)> {
        let mut word = [0];
        self.link.read_exact(&mut word).ok()?;
        if word[0] == READY {
            return Some((READY, Errno::UnknownErrno));
        }
        let mut number = [0; 4];
        self.link.read_exact(&mut number).ok()?;
        Some((word[0], Errno::from_raw(i32::from_ne_bytes(number))))
    }
}

fn environment(home: &Path) -> Vec<CString> {
    let here = |name: &str| {
        let mut variable = name.as_bytes().to_vec();
        variable.extend(home.as_os_str().as_bytes());
        variable
    };
    let fixed = ENVIRONMENT.iter().map(|variable| variable.as_bytes().to_vec());
    fixed
        .chain([here("HOME="), here("TMPDIR=")])
        .filter_map(|variable| CString::new(variable).ok())
        .collect()
}

/// What a starter puts itself into.
struct Surroundings<'a> {
    work: BorrowedFd<'a>,
    link: BorrowedFd<'a>,
    stderr: &'a OwnedFd,
    house: &'a LaunchContext,
}

/// The starter's own life. It runs in the forked child and comes back to nobody.
fn become_program(command: &Command, environment: &[CString], surroundings: &Surroundings<'_>) -> Infallible {
    let link = surroundings.link;
    match get_ready(surroundings) {
        Ok(()) => say(link, READY, None),
        Err(errno) => give_up(link, NOT_READY, errno),
    }
    let mut byte = [0];
    // Anything but the word means that the keeper is gone or has no use for this starter.
    if nix::unistd::read(link, &mut byte) != Ok(1) || byte[0] != GO {
        exit_now(0);
    }
    give_up(link, NOT_STARTED, start(command, environment))
}

/// Becomes the program; comes back only with what stands in the way.
///
/// A program that was written a moment ago is "busy" while some other process that was just forked has not closed what
/// it inherited, which is not the program's fault and soon over.
fn start(command: &Command, environment: &[CString]) -> Errno {
    for _ in 0..BUSY_TRIES {
        let Err(errno) = execve(&command.executable, &command.words, environment);
        if errno != Errno::ETXTBSY {
            return errno;
        }
        sleep(BUSY_PAUSE);
    }
    Errno::ETXTBSY
}

fn get_ready(surroundings: &Surroundings<'_>) -> nix::Result<()> {
    // Each part of it by its name: a part that is added has to be used.
    let Surroundings {
        work,
        link,
        stderr,
        house,
    } = *surroundings;
    // A session of its own also means no terminal, so that nothing can be typed into the user's.
    setsid()?;
    // Its keeper cannot be looked into, but has to look into this process: that is what the meter and the limits do.
    set_dumpable(true)?;
    // Cleared by the kernel when a program with other privileges is started, which the next line rules out.
    set_pdeathsig(Signal::SIGKILL)?;
    set_no_new_privs()?;
    umask(Mode::from_bits_truncate(0o022));
    default_signals()?;
    house.barrier.enter()?;
    let null = open(c"/dev/null", OFlag::O_RDWR | OFlag::O_CLOEXEC, Mode::empty())?;
    dup2_stdin(&null)?;
    match &house.manner {
        ProcessKind::Agent => {
            fchdir(work)?;
            dup2_stdout(&null)?;
        }
        ProcessKind::Tool { sources } => {
            chdir(sources)?;
            dup2_stdout(stderr)?;
        }
    }
    dup2_stderr(stderr)?;
    house.barrier.close(work)?;
    // After all that needs a descriptor: this process still has those of its keeper.
    house.limits.impose(house.barrier.level(), house.others)?;
    // Above all the keeper's own ends: while they were open here, nobody would notice the keeper's end.
    close_all_but(link)?;
    // Owned descriptors that were closed by number must not be closed again by their owner.
    std::mem::forget(null);
    Ok(())
}

fn say(link: BorrowedFd<'_>, word: u8, errno: Option<Errno>) {
    let mut message = vec![word];
    if let Some(errno) = errno {
        message.extend((errno as i32).to_ne_bytes());
    }
    // Without a keeper there is nobody to tell, and the read that follows ends this process.
    let _ = nix::unistd::write(link, &message);
}

fn give_up(link: BorrowedFd<'_>, word: u8, errno: Errno) -> ! {
    say(link, word, Some(errno));
    exit_now(127)
}

/// What `execve(2)` means by an error, said of the program.
fn why_not(errno: Errno, executable: &Path) -> String {
    match errno {
        Errno::ENOENT if executable.exists() => {
            "the interpreter that its first line names, or its loader, does not exist".to_owned()
        }
        Errno::ENOENT => "no such file".to_owned(),
        Errno::EACCES if executable.is_dir() => "it is a directory".to_owned(),
        Errno::EACCES => "it is not executable; `chmod +x` makes it so".to_owned(),
        Errno::ENOEXEC => {
            "it is neither a program of this system nor a script whose first line begins with `#!`".to_owned()
        }
        Errno::ETXTBSY => "something is still writing to it".to_owned(),
        other => super::fault::in_words(other),
    }
}
