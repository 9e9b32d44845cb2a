//! What a program is kept from, in three levels, and which of them this machine can hold.
//!
//! For: the levels by name, what a keeper does once to hold one, and what every starter does before it becomes the
//! program. Deliberately not here: limits on what a program may *use* (`limits`), and its end (`reap`).
//! What must always hold: a level is in force only if every protection that it names is. A protection that cannot be
//! had lowers the level of the seat, and the caller is told; it is never left out in silence.
//!
//! # The levels
//!
//! | | `bare` | `confined` | `sealed` |
//! | --- | --- | --- | --- |
//! | needs | Linux | and Landlock (Linux 6.2), seccomp | and user namespaces for everybody |
//! | ends with the run | every descendant, one by one | the process group, which none can leave | everything in the PID namespace |
//! | files to read | all that the user can | system directories, interpreter, working directory | the same; nothing else exists |
//! | files to write | all that the user can | the working directory | the same |
//! | modes, owners, times, attributes of files | all of the user's | of none | of the working directory's, all else being mounted read-only |
//! | other processes | can be killed and stopped | can be seen, not signalled or traced | do not exist |
//! | sockets | all | none but pairs of its own | the same, in a network without interfaces |
//! | what outlives the run | whatever it wrote elsewhere | `playdata.txt` | `playdata.txt` |
//! | working directory | on disk, its size looked at | the same | in memory, of its own size, another one for each run |
//! | the submission's files | copied into it, in the opponent's turn | the same | its lower layer, read-only |
//!
//! All levels: a session without a terminal, no privileges and no way to gain any, a clean environment, the limits.
//!
//! # What was tried
//!
//! Each of these is a test in `tests/attacks`, at every level that has a yes, as root and as an ordinary user.
//!
//! | attack | `bare` | `confined` | `sealed` |
//! | --- | --- | --- | --- |
//! | a daemon that goes on in the opponent's turn | ends | ends | ends |
//! | a bomb of processes or threads | ends at the limit | ends at the limit | ends at the limit |
//! | the same, each in a session of its own | **no** | ends at the limit | ends at the limit |
//! | memory: in one process, in many, shared, in no process at all, page tables | ends at the limit | ends at the limit | ends at the limit |
//! | memory in full sockets and pipes | ends at the limit | ends at the limit | ends at the limit |
//! | memory in the kernel's own records: mappings, watched descriptors | ends at the limit in a control group, not counted without | the same | the same |
//! | larger sockets and pipes, pages put into pipes | **no** | refused | refused |
//! | large files, many files | ends at the limit | ends at the limit | ends at the limit |
//! | files deleted and still open or mapped | end at the limit | end at the limit | end at the limit |
//! | files in a socket on its way to itself | **no** | refused | refused |
//! | the working directory removed, renamed, closed | mended, may cost `playdata.txt` | refused or mended | refused or new |
//! | attributes without end, of it or of the one around it | replaced, may cost `playdata.txt` | refused | refused or new |
//! | folders within each other, without end | removed | removed | removed |
//! | one's own files changed, removed, replaced by links | as handed in at the next run | as handed in | as handed in |
//! | looking into the keeper: ptrace, `/proc`, its memory, its descriptors | refused | refused | refused |
//! | overwriting the keeper's program through `/proc` | refused | refused | refused |
//! | the keeper killed from outside, in either of its parts | everything ends | everything ends | everything ends |
//! | killing or stopping the keeper | **no**: the game is void | refused | refused |
//! | the keeper's limits | **no**: the game may be void | refused | refused |
//! | the keeper's processors, priority and scheduling policy | costs the attacker's own next runs | refused | refused |
//! | killing others, or everything | **no** | refused | there is nobody |
//! | listing others | **no** | refused | there is nobody |
//! | reading another submission, the results, the home folder, the opponent's files | **no** | refused | not there |
//! | writing outside, or to one's own folder | **no** | refused | not there or read-only |
//! | modes, times, owners, attributes of files elsewhere | **no** | refused | not there or read-only |
//! | running what was written, by `execve` | **no** | refused | refused |
//! | the same by the system's loader, or mapped into one's own memory | **no** | **no** | refused |
//! | privileges, root's included; programs that change their user | none | none | none |
//! | root's supplementary groups (an ordinary user's stay) | none | none | none |
//! | a descriptor besides the first three | none | none | none |
//! | links planted where the referee reads, writes, changes and cleans up; an answer swapped by a child | not followed | not followed | not followed |
//! | switches of the machine: `core_pattern`, `release_agent`, `sysrq`, control groups, devices | **no** for root | refused | refused |
//! | mounts, devices, the clock, reboot, by root | refused | refused | refused |
//! | sockets of every family, reaching a port, a path, an abstract name | **no** | refused | refused |
//! | `io_uring`, `memfd`, `clone3`, system calls newer than the list | **no** | refused | refused |
//! | 32-bit and x32 system calls | **no** | deadly | deadly |
//! | typing into the user's terminal | there is none | there is none | there is none |
//! | kept for later: `/tmp`, `/run`, `/dev/shm`, one's own folder | **no** | refused | nothing stays |
//! | kept for later: System V and POSIX queues, shared memory, keyring | **no** | refused | refused |
//! | kept for later: times, modes, attributes of the working directory and of `playdata.txt` | nothing stays | refused | nothing stays |
//! | kept for later: the kernel's notes on a file that may only be read, such as its write hint | **no** | refused | refused |
//! | kept for later: which pages are in the cache of files, asked, and put out of it | **no** | refused | refused |
//! | told to a program that runs at the same time: locks, leases, watches on files that both read | **no** | refused | refused |
//!
//! What is not held at any level: a program can tell from process numbers, counters of the machine, the number of its
//! page faults and the time that a page takes to be read that something has gone on before. It cannot put a page out of
//! the cache again, so that a file is a bit that can be set once, until the system itself forgets it. A program can
//! write code into its own memory and go on there.
//!
//! What is not held at `confined`: reading a file sets the time of its last access, about once a day as file systems
//! are usually mounted, and the next game can ask for it. That is so for the system's files, and for a folder of the
//! agent's own that is not copied into its working directory; and only mounting them read-only, as at `sealed`, stops
//! it. Whoever kills both parts of a keeper at the same moment leaves the agent's children alive.
//!
//! # What does not run
//!
//! At `confined` there is no `/dev/shm`, so that locks between processes fail (Python's `multiprocessing.Pool`); and
//! what copies a file together with its mode or times fails (Python's `shutil.copy`). At `sealed` both work. At either
//! level `/tmp` cannot be written: `TMPDIR` names the working directory. At either level nothing in the working
//! directory is executed, not even a program that was handed in; native libraries there are loaded at `confined`, not
//! at `sealed`. And at either level no file can be locked, so that a database in a file does not work (`sqlite3` has
//! `:memory:`), and no descriptor can be sent to another process.
//!
//! # Compilers
//!
//! In a build sandbox the same levels hold, with two differences: what may be read besides the system is the folder of
//! the sources, and `/etc/passwd` and `/etc/group` are not there from `confined` on, for a compiler repeats in its
//! messages what it is told to include. `tests/attacks/builds.rs` has what was tried.
//!
//! # Root
//!
//! A program that is run by root has user id 0 and none of root's privileges (capabilities(7)): no bypass of file
//! modes, no mounts, no devices, no raw sockets. But root *owns* most files, and an owner may read and write by the
//! ordinary rules. At `bare` nothing else stands in the way, so whoever grades as root needs at least `confined`. The
//! program is not given to another user id, for it could then not read a folder that only root may enter; from
//! `confined` on, what keeps it from the files of root is what keeps it from everybody's.
//!
//! # What it costs
//!
//! Namespaces are made once a seat. Landlock and seccomp are entered by each starter, while it is the opponent's turn.

mod calls;
mod guardian;
mod landlock;
mod namespaces;
mod probe;
mod root;
mod seccomp;
mod views;

use std::fmt;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::str::FromStr;

use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::Program;
use super::fault::HostError;
use super::limits::Limits;
use super::wire::SeatPurpose;
use landlock::Landlock;
use root::Root;
use seccomp::Filter;
use views::Views;

pub(super) use probe::protections;
pub(super) use root::Mounts;

/// How well a program is kept apart from everything else. Each level has all that the one below it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// Its processes end with the run, and it has no privileges; it can do all else that its user can. Enough for
    /// programs of one's own.
    #[default]
    Bare,
    /// Landlock and seccomp besides: it reads what it needs, writes its working directory, reaches no network and no
    /// other process.
    Confined,
    /// Namespaces besides: other processes, other files and other users' traces do not exist for it.
    Sealed,
}

impl Isolation {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::Bare, Self::Confined, Self::Sealed];

    /// Its name, as it is written everywhere.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Confined => "confined",
            Self::Sealed => "sealed",
        }
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that is no level of isolation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `bare`, `confined` or `sealed`, found `{0}`")]
pub struct UnknownIsolation(String);

impl FromStr for Isolation {
    type Err = UnknownIsolation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or_else(|| UnknownIsolation(text.to_owned()))
    }
}

/// Which levels will do: a seat takes the best of them that the machine can hold.
///
/// ```
/// use referee::seat::{Isolation, IsolationRange};
///
/// let grading = IsolationRange::at_least(Isolation::Confined);
/// assert_eq!(grading.at_most, Isolation::Sealed);
/// assert_eq!(IsolationRange::default(), IsolationRange::at_least(Isolation::Bare));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IsolationRange {
    /// Below this the seat is refused.
    pub at_least: Isolation,
    /// Nothing above this is tried.
    pub at_most: Isolation,
}

impl IsolationRange {
    /// This level or a better one.
    pub const fn at_least(level: Isolation) -> Self {
        Self {
            at_least: level,
            at_most: Isolation::Sealed,
        }
    }

    /// This level and no other.
    pub const fn exactly(level: Isolation) -> Self {
        Self {
            at_least: level,
            at_most: level,
        }
    }
}

impl Default for IsolationRange {
    /// The best that can be had.
    fn default() -> Self {
        Self::at_least(Isolation::Bare)
    }
}

/// One of the things that a level of isolation is made of, as it was found on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protection {
    /// What it is: `Landlock`, `PID namespace`.
    pub name: String,
    /// The first level that needs it.
    pub level: Isolation,
    /// Why it cannot be had; `None` if it holds.
    pub missing: Option<String>,
}

/// Which processors a program runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processors {
    /// Those that it likes.
    Any,
    /// The one that its keeper was given.
    Given,
}

/// What stands around every program of one seat, as far as it can be made ready once.
#[derive(Debug)]
pub(super) struct Barrier {
    level: Isolation,
    /// The directory that is the program's root.
    root: Option<OwnedFd>,
    landlock: Option<Landlock>,
    filter: Option<Filter>,
}

impl Barrier {
    /// The level in force.
    pub(super) fn level(&self) -> Isolation {
        self.level
    }

    /// For a starter, first of all: goes where nothing else can be seen. Leaves it without a current directory there.
    pub(super) fn enter(&self) -> nix::Result<()> {
        match &self.root {
            Some(root) => calls::change_root(root),
            None => Ok(()),
        }
    }

    /// For a starter, last of all: gives up whatever it may do that the program may not. `work` is the directory that
    /// may be written.
    pub(super) fn close(&self, work: BorrowedFd<'_>) -> nix::Result<()> {
        calls::drop_privileges()?;
        if let Some(landlock) = &self.landlock {
            landlock.enter(work)?;
        }
        match &self.filter {
            Some(filter) => filter.install(),
            None => Ok(()),
        }
    }

    fn new(level: Isolation, views: &Views, root: Option<OwnedFd>, processors: Processors) -> Result<Self, HostError> {
        let confined = level >= Isolation::Confined;
        // This process runs no other program itself, so this is for those that it makes.
        calls::forbid_privileges();
        Ok(Self {
            level,
            landlock: confined.then(|| Landlock::new(views, root.as_ref())).transpose()?,
            filter: confined.then(|| Filter::new(level, processors)).transpose()?,
            root,
        })
    }
}

/// What this process is after isolation has been set up.
#[derive(Debug)]
pub(super) enum ProcessRole {
    /// The keeper, with the barrier for its programs, and with what makes their working directories if they are sealed;
    /// otherwise these are to be made on disk.
    Keeper(Barrier, Option<Mounts>),
    /// The keeper's parent, outside of its namespaces if it has any, with nothing to do but wait for it.
    Outside(Pid),
    /// Nobody: the range asks for more than there is.
    TooWeak { available: Isolation, why: String },
}

/// Sets up the best level within `range`. `directory`, empty and private, will be where the seat's files are.
///
/// This may come back twice, in two processes.
pub(super) fn set_up(
    range: IsolationRange,
    purpose: SeatPurpose,
    program: &Program,
    directory: &Path,
    limits: &Limits,
    processors: Processors,
) -> Result<ProcessRole, HostError> {
    let views = Views::of(program, purpose);
    let template = program.template.as_deref();
    let prepare = || root::build(directory, &views, template, limits);
    let (available, why) = match attempt(range.at_most, prepare) {
        Attempt::Sealed(Root { root, mounts }) => {
            let barrier = Barrier::new(Isolation::Sealed, &views, Some(root), processors)?;
            return Ok(ProcessRole::Keeper(barrier, Some(mounts)));
        }
        Attempt::Outside(inside) => return Ok(ProcessRole::Outside(inside)),
        Attempt::Open { available, why } => (available, why),
    };
    if available < range.at_least {
        return Ok(ProcessRole::TooWeak { available, why });
    }
    match guardian::split()? {
        guardian::GuardianFork::Guardian { keeper } => Ok(ProcessRole::Outside(keeper)),
        guardian::GuardianFork::Keeper => {
            let barrier = Barrier::new(available, &views, None, processors)?;
            Ok(ProcessRole::Keeper(barrier, None))
        }
    }
}

enum Attempt {
    Sealed(Root),
    Outside(Pid),
    Open { available: Isolation, why: String },
}

fn attempt(at_most: Isolation, prepare: impl FnOnce() -> Result<Root, HostError>) -> Attempt {
    let open = |available, why| Attempt::Open { available, why };
    let not_asked = || "no better level was allowed".to_owned();
    if at_most < Isolation::Confined {
        return open(Isolation::Bare, not_asked());
    }
    if let Err(why) = landlock::available().and_then(|()| seccomp::available()) {
        return open(Isolation::Bare, why);
    }
    if at_most < Isolation::Sealed {
        return open(Isolation::Confined, not_asked());
    }
    match namespaces::split(prepare) {
        namespaces::NamespaceFork::Inside(root) => Attempt::Sealed(root),
        namespaces::NamespaceFork::Outside(inside) => Attempt::Outside(inside),
        namespaces::NamespaceFork::Refused(why) => open(Isolation::Confined, why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_read_as_it_is_written() {
        for level in Isolation::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(serde_json::to_string(&level).unwrap(), format!("\"{level}\""));
        }
        let error = "Sealed".parse::<Isolation>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected `bare`, `confined` or `sealed`, found `Sealed`"
        );
    }

    #[test]
    fn levels_are_ordered_by_strength() {
        assert!(Isolation::ALL.is_sorted());
    }
}
