//! The launcher: a process that is forked in advance and becomes the program on command.
//!
//! It moves everything slow about starting a program out of the agent's turn. It is forked while the opponent thinks,
//! prepares its session, working directory, descriptors, signals and privileges, and waits. On command it only calls
//! `execve(2)`. Compared with `posix_spawn(3)`, which cannot do most of this, it saves a tenth of a turn's overhead and
//! makes isolation free of charge. The keeper makes it and watches what follows. Nothing of the keeper may be open in
//! the program, and a launcher whose keeper is gone must end.

use std::convert::Infallible;
use std::ffi::{CString, OsStr};
use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::prctl::{set_dumpable, set_no_new_privs, set_pdeathsig};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{Pid, chdir, dup2_stderr, dup2_stdin, dup2_stdout, execve, fchdir, setsid};

use super::end_notice::EndNotice;
use super::fault::HostError;
use super::isolation::IsolationSetup;
use super::limits::Limits;
use super::line::{AgentLine, ProgramEnds};
use super::open_channels::ChannelCapacity;
use super::stderr::{KeptPart, StderrPipe};
use super::system::{close_all_but, exit_now, fork};
use super::wire::KeeperSetup;
use super::workdir::Workdir;

/// The whole environment of a program, apart from its directories.
///
/// The locale is fixed, so that the decimal point is the same everywhere. Python writes no `__pycache__` into read-only
/// folders, and hashes strings the same way in every run, so that a disputed move can be repeated.
const ENVIRONMENT: [&str; 6] = [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "LANG=C.UTF-8",
    "LC_ALL=C.UTF-8",
    "TZ=UTC",
    "PYTHONDONTWRITEBYTECODE=1",
    "PYTHONHASHSEED=0",
];

// The launcher's messages; a failure is followed by an error number.
const READY: u8 = b'r';
const NOT_READY: u8 = b'n';
const NOT_STARTED: u8 = b's';

/// The keeper's command to start.
const GO: u8 = b'g';

/// The number of attempts to start a program that is still being written, and the pause between them: one second in
/// all.
const BUSY_TRIES: u32 = 200;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// How a program is started.
#[derive(Debug)]
pub(super) enum ProcessKind {
    /// An agent: in the working directory, standard output discarded.
    Agent,
    /// An agent that lives for a whole game: in the working directory, its standard input and output an [`AgentLine`].
    LivingAgent {
        /// Whether only signals stop it: then it may have no timer that could send SIGCONT.
        is_stopped_by_signals: bool,
    },
    /// A compiler: in the folder of its sources, both outputs captured.
    Tool {
        /// The folder of the sources.
        sources: PathBuf,
    },
    /// As a service: in the working directory, its standard input and output the line that is the keeper's standard
    /// output.
    Service,
}

/// The settings common to all launches of a seat.
#[derive(Debug)]
pub(super) struct LaunchContext {
    pub(super) kind: ProcessKind,
    pub(super) isolation_setup: IsolationSetup,
    pub(super) limits: Limits,
    /// The number of other processes and threads that the kernel counts with the program's.
    pub(super) others: u64,
    /// The capacity of the program's sockets and pipes.
    pub(super) room: ChannelCapacity,
}

/// The command line, in the form that the system requires.
#[derive(Debug)]
pub(super) struct Command {
    executable: CString,
    words: Vec<CString>,
}

impl Command {
    /// The program of a seat, or the shell before it.
    pub(super) fn of_seat(opening: &KeeperSetup) -> Result<Self, HostError> {
        let command = Self::new(&opening.executed())?;
        match opening.arg0() {
            Some(arg0) => command.called(&arg0),
            None => Ok(command),
        }
    }

    /// The absolute path of the executable, and its arguments.
    pub(super) fn new<W: AsRef<OsStr>>(words: &[W]) -> Result<Self, HostError> {
        let words = words.iter().map(word).collect::<Result<Vec<_>, _>>()?;
        let executable = words.first().ok_or_else(no_program)?.clone();
        Ok(Self { executable, words })
    }

    /// The same command with another `argv[0]`.
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
    pub(super) ended: EndNotice,
    pub(super) stderr: StderrPipe,
    /// Closing it ends the launcher.
    pub(super) link: UnixStream,
    /// The line to a living agent.
    pub(super) line: Option<AgentLine>,
}

impl Launcher {
    /// Forks a launcher for the current working directory.
    pub(super) fn prepare(command: &Command, workdir: &Workdir, context: &LaunchContext) -> Result<Self, HostError> {
        let failed = HostError::when::<Errno>("prepare the start of the program");
        let (link, theirs) = UnixStream::pair().map_err(HostError::when("prepare the start of the program"))?;
        let keep = match context.kind {
            ProcessKind::Agent | ProcessKind::LivingAgent { .. } | ProcessKind::Service => KeptPart::End,
            ProcessKind::Tool { .. } => KeptPart::Beginning,
        };
        let stderr = StderrPipe::open(keep).map_err(&failed)?;
        let (line_to_agent, ends) = match context.kind {
            ProcessKind::LivingAgent { .. } => {
                AgentLine::open(context.limits.output_bytes).map(|(line, ends)| (Some(line), Some(ends)))
            }
            ProcessKind::Agent | ProcessKind::Tool { .. } | ProcessKind::Service => Ok((None, None)),
        }
        .map_err(&failed)?;
        let environment = environment(&workdir.work_path());
        let settings = LauncherSettings {
            work: workdir.work(),
            link: theirs.as_fd(),
            stderr: stderr.theirs(),
            ends: ends.as_ref(),
            context,
        };
        let pid = fork(|| become_program(command, &environment, &settings)).map_err(&failed)?;
        Ok(Self { pid, ended: EndNotice::of(pid).map_err(&failed)?, stderr, link, line: line_to_agent })
    }

    /// Waits until the launcher only has to start the program.
    pub(super) fn await_ready(&mut self) -> Result<(), HostError> {
        let doing = "prepare the start of the program";
        match self.said() {
            Some((READY, _)) => Ok(()),
            Some((_, errno)) => Err(HostError::when(doing)(errno)),
            None => Err(HostError::when(doing)("the process was gone")),
        }
    }

    /// Starts the program.
    pub(super) fn start(&mut self) -> Result<(), HostError> {
        self.link.write_all(&[GO]).map_err(HostError::when("start the program"))
    }

    /// Why the program was not started, after the process has ended; `None` if it was started.
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
    fixed.chain([here("HOME="), here("TMPDIR=")]).filter_map(|variable| CString::new(variable).ok()).collect()
}

/// The settings that a launcher applies to itself.
struct LauncherSettings<'a> {
    work: BorrowedFd<'a>,
    link: BorrowedFd<'a>,
    stderr: BorrowedFd<'a>,
    /// A living agent's standard input and output.
    ends: Option<&'a ProgramEnds>,
    context: &'a LaunchContext,
}

/// The launcher's code in the forked child; it does not return.
fn become_program(command: &Command, environment: &[CString], settings: &LauncherSettings<'_>) -> Infallible {
    let link = settings.link;
    match prepare_child(settings) {
        Ok(()) => say(link, READY, None),
        Err(errno) => report_failure(link, NOT_READY, errno),
    }
    let mut byte = [0];
    // Any other byte, or none, means that the keeper is gone or does not need this launcher.
    if nix::unistd::read(link, &mut byte) != Ok(1) || byte[0] != GO {
        exit_now(0);
    }
    report_failure(link, NOT_STARTED, start(command, environment))
}

/// Becomes the program; returns only on failure.
///
/// A program that was just written is "busy" while another freshly forked process has not yet closed its inherited
/// descriptor; this is not the program's fault and ends soon.
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

fn prepare_child(settings: &LauncherSettings<'_>) -> nix::Result<()> {
    // Destructured, so that a new field cannot be forgotten.
    let LauncherSettings { work, link, stderr, ends, context } = *settings;
    // A session of its own has no terminal, so nothing can be typed into the user's.
    setsid()?;
    // Programs cannot inspect their keeper, but the keeper must inspect this process, for the meter and the limits.
    set_dumpable(true)?;
    // The kernel clears this when a program with other privileges starts, which the next line rules out.
    set_pdeathsig(Signal::SIGKILL)?;
    set_no_new_privs()?;
    umask(Mode::from_bits_truncate(0o022));
    // The keeper has left all of them at their default actions.
    SigSet::empty().thread_set_mask()?;
    context.isolation_setup.enter()?;
    let null = open(c"/dev/null", OFlag::O_RDWR | OFlag::O_CLOEXEC, Mode::empty())?;
    dup2_stdin(&null)?;
    match &context.kind {
        ProcessKind::Agent => {
            fchdir(work)?;
            dup2_stdout(&null)?;
        }
        ProcessKind::LivingAgent { is_stopped_by_signals } => {
            if *is_stopped_by_signals {
                // Each timer needs a place for its signal (timer_create(2)).
                setrlimit(Resource::RLIMIT_SIGPENDING, 0, 0)?;
            }
            fchdir(work)?;
            let ends = ends.ok_or(Errno::EBADF)?;
            dup2_stdin(&ends.stdin)?;
            dup2_stdout(&ends.stdout)?;
        }
        ProcessKind::Tool { sources } => {
            chdir(sources)?;
            dup2_stdout(stderr)?;
        }
        ProcessKind::Service => {
            fchdir(work)?;
            dup2_stdin(std::io::stdout().as_fd())?;
        }
    }
    dup2_stderr(stderr)?;
    context.isolation_setup.close(work)?;
    // Above all the keeper's own ends: as long as they were open here, the keeper's end would go unnoticed.
    close_all_but(link)?;
    // After everything that needs a descriptor: the limit may be lower than the number of the keeper's.
    context.limits.apply(context.others)?;
    // Descriptors closed by number must not be closed again by their owner.
    std::mem::forget(null);
    Ok(())
}

fn say(link: BorrowedFd<'_>, word: u8, errno: Option<Errno>) {
    let mut message = vec![word];
    if let Some(errno) = errno {
        message.extend((errno as i32).to_ne_bytes());
    }
    // Without a keeper nobody can receive this, and the following read ends this process.
    let _ = nix::unistd::write(link, &message);
}

fn report_failure(link: BorrowedFd<'_>, word: u8, errno: Errno) -> ! {
    say(link, word, Some(errno));
    exit_now(127)
}

/// What an error of `execve(2)` says about the program.
fn why_not(errno: Errno, executable: &Path) -> String {
    match errno {
        Errno::ENOENT if executable.exists() => {
            "the interpreter in its first line, or its loader, does not exist".to_owned()
        }
        Errno::ENOENT => "no such file".to_owned(),
        Errno::EACCES if executable.is_dir() => "it is a directory".to_owned(),
        Errno::EACCES => "it is not executable: run `chmod +x`".to_owned(),
        Errno::ENOEXEC => "it is neither an executable for this system nor a script that begins with `#!`".to_owned(),
        Errno::ETXTBSY => "it is still open for writing".to_owned(),
        other => super::fault::in_words(other),
    }
}
