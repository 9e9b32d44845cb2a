//! Isolation of programs, in three levels, and which of them this machine supports.
//!
//! A keeper sets a level up once; every launcher enters it before it becomes the program. It does not limit resources
//! (`limits`) or end runs (`reap`). A level may be reported as in force only if every protection that it names is. An
//! unavailable protection must lower the level of the seat and be reported to the caller, never omitted silently.
//!
//! # The levels
//!
//! | | `bare` | `confined` | `sealed` |
//! | --- | --- | --- | --- |
//! | needs | Linux 4.18 | and Landlock (Linux 5.13), seccomp | and user namespaces for everybody |
//! | ended with the run | every descendant, one by one | the process group, which none can leave | everything in the PID namespace |
//! | readable files | all that the user can read | system directories, interpreter, working directory | the same; no others exist |
//! | writable files | all that the user can write | the working directory | the same |
//! | modes, owners, times, attributes of files | can be changed on all of the user's | on none | in the working directory; all else is mounted read-only |
//! | other processes | can be killed and stopped | can be seen, not signalled or traced | do not exist |
//! | sockets | all | only connected pairs | the same, in a network without interfaces |
//! | outlives the run | files written elsewhere | `playdata.txt` | `playdata.txt` |
//! | working directory | on disk, its size sampled | the same | in memory, limited in size, new for each run |
//! | the submission's files | copied into it, in the opponent's turn | the same | its lower layer, read-only |
//!
//! All levels have: a session without a terminal, no privileges and no way to gain any, a clean environment, the
//! limits.
//!
//! # Attacks tested
//!
//! Each row is a test in `tests/attacks` or, if it is about keepers or working directories, in `tests/seat`, at every
//! level that stops it, as root and as an ordinary user. **no** marks a level that does not stop the attack.
//!
//! | attack | `bare` | `confined` | `sealed` |
//! | --- | --- | --- | --- |
//! | a daemon that keeps running in the opponent's turn | ends | ends | ends |
//! | a fork bomb of processes or threads | ends once it is found beyond the limit | the same | the same |
//! | the same, each in a session of its own, and replacing its dead | all stop, then end | the same | the same |
//! | processes beyond the limit until then | 64 in a control group, else thousands | the same | 64, root 364 |
//! | memory: in one process, in many, shared, in no process at all, page tables | ends at the limit | ends at the limit | ends at the limit |
//! | the same, and files, of processes whose first thread has ended, or that nobody may look into | ends at the limit | ends at the limit | ends at the limit |
//! | memory in full sockets and pipes | ends at the limit | ends at the limit | ends at the limit |
//! | descriptors of a single thread, so that nobody counts sockets, pipes and deleted files | **no** | refused | refused |
//! | shared memory of which all but the beginning is unmapped at once | ends at the limit in a control group, else not counted | the same | the same |
//! | memory in the kernel's own records: mappings, watched descriptors | ends at the limit in a control group, else not counted | the same | the same |
//! | memory files, System V memory | **no** | refused | refused |
//! | descriptors watched by `epoll` until no other program of the user may watch any | **no** | **no** | **no** |
//! | pipes, until those of the user's other programs hold 8 KiB instead of 64 (not as root) | **no** | **no** | **no** |
//! | larger sockets and pipes, pages put into pipes | **no** | refused | refused |
//! | large files, many files | ends at the limit | ends at the limit | ends at the limit |
//! | disk space without writing, of a file or beyond its size | **no** | refused | refused |
//! | files deleted and still open or mapped | end at the limit | end at the limit | end at the limit |
//! | the same, of which one page is mapped | end at twice the limit | end at twice the limit | end at the limit |
//! | files in a socket on its way to itself | **no** | refused | refused |
//! | the working directory removed, renamed, closed | mended, may cost `playdata.txt` | refused or mended | refused or new |
//! | attributes without end, of it or of the one around it | replaced, may cost `playdata.txt` | refused | refused or new |
//! | nested directories, without end | removed | removed | removed |
//! | so many entries that removing them takes long | removed after the game, count until then | the same | vanish with their file system |
//! | code in the place of a native library that was handed in | **no** | **no** | refused |
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
//! | whether a file of a known path exists, its size and times, where a link leads | **no** | **no** | not there |
//! | what `/proc` tells root alone, of the machine and of the keeper | **no** | refused | refused |
//! | counters of the machine in `/proc` | **no** | refused | **no** |
//! | its counters in `/sys/devices/system/node`, `/proc/stat` and `/proc/meminfo` | **no** | **no** | **no** |
//! | its connections and network counters in `/proc/self/net` | **no** | **no** | those of an empty network |
//! | writing outside, or to one's own folder | **no** | refused | not there or read-only |
//! | modes, times, owners, attributes of files elsewhere | **no** | refused | not there or read-only |
//! | running what was written, by `execve` | **no** | refused | refused |
//! | the same by the system's loader, or mapped into one's own memory | **no** | **no** | refused |
//! | running a program of the submission | **no** | refused | refused, unless it is named like a library |
//! | privileges, root's included; programs that change their user | none | none | none |
//! | root's supplementary groups (an ordinary user's stay) | none | none | none |
//! | a descriptor besides the first three | none | none | none |
//! | the path of the working directory swapped while it is mounted or written to | never at the same time | never at the same time | never at the same time |
//! | the environment of the referee | documented variables alone | the same | the same |
//! | links planted where the referee reads, writes, changes and cleans up; an answer swapped by a child | not followed | not followed | not followed |
//! | switches of the machine: `core_pattern`, `release_agent`, `sysrq`, control groups, devices | **no** for root | refused | refused |
//! | mounts, devices, the clock, reboot, by root | refused | refused | refused |
//! | sockets of every family, reaching a port, a path, an abstract name | **no** | refused | refused |
//! | `io_uring`, whose work no process is charged for; system calls newer than the list | refused where there is seccomp | refused | refused |
//! | CPU time of children that nobody waits for and that executed an unreadable file, with the meter `perf` | **no**: samples alone are charged | refused | refused |
//! | `memfd`, `clone3`, `fanotify`, filters of its own | **no** | refused | refused |
//! | 32-bit and x32 system calls | deadly where there is seccomp | deadly | deadly |
//! | typing into the user's terminal | there is none | there is none | there is none |
//! | kept for later: `/tmp`, `/run`, `/dev/shm`, one's own folder | **no** | refused | nothing stays |
//! | kept for later: System V and POSIX queues, shared memory, keyring | **no** | refused | refused |
//! | kept for later: times, modes, attributes of the working directory and of `playdata.txt` | nothing stays | refused | nothing stays |
//! | kept for later: that a file was read, by its access time | **no** | **no** | refused |
//! | kept for later: the kernel's notes on a file that may only be read, such as its write hint | **no** | refused | refused |
//! | kept for later: which pages are in the cache of files, asked, and put out of it | **no** | refused | refused |
//! | told to a program that runs at the same time: locks, leases, watches on files that both read | **no** | refused | refused |
//!
//! Not prevented at any level: the kernel counts the descriptors that all programs of a user watch by `epoll` together,
//! and refuses more; Node.js and Go cannot run without it. Process numbers, counters of the machine, page fault
//! counts and read times reveal earlier activity to a program. It cannot evict a page from the cache, so a file is a
//! bit that can be set once, until the system itself evicts it; and so is each name that it looks up in vain, since the
//! kernel remembers these, too. A program can write code into its own memory and execute it.
//!
//! Not prevented at `confined`: reading a file sets its access time, about once a day with the usual mount options, and
//! the next game can read that. This affects the system's files, and an agent's folder that is not copied into its
//! working directory; only read-only mounts, as at `sealed`, prevent it. Killing both parts of a keeper at the same
//! moment leaves the agent's children alive.
//!
//! Not prevented at `bare`: a service of the machine (`systemd --user`, `cron`, `sshd`) that the program asks to start
//! something, which is then no descendant of the program and outlives the run. At the other levels there is no socket
//! to ask it through.
//!
//! Processes are counted every 20 ms (`limiter`). Between two counts the kernel holds a bomb: by the number of the
//! user's processes (`RLIMIT_NPROC`), which does not bind root and leaves room for 4096 others below `sealed`; by the
//! highest number in a PID namespace; and by a control group with the controller `pids` (`process_cap`). At `bare` a
//! program of root, or of whoever owns the group, can leave it. Where nothing binds, as for root at `bare` and
//! `confined` without such a group, a bomb grows as fast as the machine allows until it is counted and killed. At
//! `bare` it is stopped before it is killed (`standstill`), because it would replace its dead.
//!
//! # What does not run
//!
//! At `confined` there is no `/dev/shm`, so locks between processes fail (Python's `multiprocessing.Pool`); copying a
//! file with its mode or times fails too (Python's `shutil.copy`). At `sealed` both work. At either level `/tmp` cannot
//! be written: `TMPDIR` names the working directory. At either level programs in the working directory cannot be
//! executed, not even submitted ones, except at `sealed` those whose names are those of native libraries. Native
//! libraries there can be loaded: at `confined` all, at `sealed` only submitted ones (`libraries`). At either level
//! files cannot be locked, so databases in files do not work (`sqlite3` has `:memory:`), and descriptors cannot be sent
//! to other processes. With older versions of Landlock, files cannot be moved between directories (before Linux 5.19),
//! nor truncated by their path at `confined` (before Linux 6.2).
//!
//! # Compilers
//!
//! A build sandbox has the same levels, with two differences: besides the system, the folder of the sources is
//! readable; and from `confined` on, `/etc/passwd` and `/etc/group` are absent, because a compiler quotes included
//! files in its messages. `tests/attacks/builds.rs` has the tests.
//!
//! # Root
//!
//! A program run by root has user id 0 but none of root's privileges (capabilities(7)): no bypass of file modes, no
//! mounts, no devices, no raw sockets. But root *owns* most files, and an owner may read and write by the ordinary
//! rules. At `bare` nothing else prevents this, so grading as root requires at least `confined`. The program does not
//! get another user id, because it could then not read a folder that only root may enter; from `confined` on, root's
//! files are protected like everybody's.
//!
//! # Costs
//!
//! Namespaces are made once per seat, and so are the rules of Landlock if sealed. Each launcher enters Landlock and
//! seccomp in the opponent's turn.

mod bpf;
mod calls;
mod guardian;
mod landlock;
mod libraries;
mod namespaces;
mod probe;
mod refused_calls;
mod root;
mod seccomp;
mod views;

use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::fault::{HostError, in_words};
use super::limits::Limits;
use super::{Program, SeatError, SeatPurpose};
use landlock::Landlock;
use namespaces::NamespaceFork;
use root::Root;
use seccomp::Filter;
pub(crate) use views::SYSTEM;
use views::Views;

pub(super) use probe::protections;
pub(super) use root::Mounts;

/// How well a program is isolated. Each level includes the one below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = UnknownIsolation, parse_err_fn = UnknownIsolation::new)]
pub enum Isolation {
    /// Its processes end with the run, and it has no privileges; otherwise it can do all that its user can. Enough for
    /// your own programs.
    #[default]
    Bare,
    /// Adds Landlock and seccomp: it can read only what it needs, write only its working directory, and reach no
    /// network and no other process.
    Confined,
    /// Adds namespaces: it cannot see other processes, other files, or traces of other users.
    Sealed,
}

impl Isolation {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::Bare, Self::Confined, Self::Sealed];
}

/// A word that is not an isolation level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `bare`, `confined` or `sealed`, found `{0}`")]
pub struct UnknownIsolation(String);

impl UnknownIsolation {
    fn new(word: &str) -> Self {
        Self(word.to_owned())
    }
}

/// A range of acceptable levels: a seat uses the best one that the machine supports.
///
/// ```
/// use referee_seat::{Isolation, IsolationRange};
///
/// let grading = IsolationRange::at_least(Isolation::Confined);
/// assert_eq!(grading.at_most, Isolation::Sealed);
/// assert_eq!(IsolationRange::default(), IsolationRange::at_least(Isolation::Bare));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IsolationRange {
    /// Below this level the seat is refused.
    pub at_least: Isolation,
    /// Higher levels are not tried.
    pub at_most: Isolation,
}

impl IsolationRange {
    /// This level or a better one.
    pub const fn at_least(level: Isolation) -> Self {
        Self { at_least: level, at_most: Isolation::Sealed }
    }

    /// Exactly this level.
    pub const fn exactly(level: Isolation) -> Self {
        Self { at_least: level, at_most: level }
    }
}

impl Default for IsolationRange {
    /// The best available level.
    fn default() -> Self {
        Self::at_least(Isolation::Bare)
    }
}

/// One protection of an isolation level, as found on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protection {
    /// Its name: `Landlock`, `PID namespace`.
    pub name: String,
    /// The first level that needs it.
    pub level: Isolation,
    /// Why it is unavailable; `None` if it works.
    pub missing: Option<String>,
}

/// Which processors a program runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processors {
    /// Any.
    Any,
    /// The one assigned to its keeper.
    Given,
}

/// The isolation around every program of one seat, as far as it can be prepared once.
#[derive(Debug)]
pub(super) struct IsolationSetup {
    level: Isolation,
    /// The program's root directory.
    root: Option<OwnedFd>,
    landlock: Option<Landlock>,
    filter: Option<Filter>,
    limits_processes: bool,
}

impl IsolationSetup {
    /// The level in force.
    pub(super) fn level(&self) -> Isolation {
        self.level
    }

    /// Whether it limits the number of the program's processes.
    pub(super) fn limits_processes(&self) -> bool {
        self.limits_processes
    }

    /// The launcher's first step: enters the restricted root. It has no current directory there.
    pub(super) fn enter(&self) -> nix::Result<()> {
        match &self.root {
            Some(root) => calls::change_root(root),
            None => Ok(()),
        }
    }

    /// The launcher's last step: gives up everything that the program may not do. The directory `work` is writable.
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

    fn new(
        level: Isolation,
        root: Option<OwnedFd>,
        landlock: Option<Landlock>,
        processors: Processors,
    ) -> Result<Self, HostError> {
        // At `bare`, which needs no filters, a kernel without them has no filter.
        let is_filtered = level >= Isolation::Confined || seccomp::available().is_ok();
        // This process executes no other program, so this applies to its children.
        calls::forbid_privileges();
        Ok(Self {
            level,
            root,
            landlock,
            filter: is_filtered.then(|| Filter::new(level, processors)).transpose()?,
            limits_processes: false,
        })
    }
}

/// The role of this process after isolation was set up.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "made once a seat, and taken apart at once")]
pub(super) enum ProcessRole {
    /// The keeper, with the barrier for its programs, and with the mounts of their working directories if sealed;
    /// otherwise working directories are made on disk.
    Keeper(IsolationSetup, Option<Mounts>),
    /// The keeper's parent, outside of any namespaces, which only waits.
    Outside(Pid),
}

/// Sets up the best level within `range`. `directory` must be empty and private; it will contain the seat's files.
///
/// May return twice, in two processes.
pub(super) fn set_up(
    range: IsolationRange,
    purpose: SeatPurpose,
    program: &Program,
    directory: &Path,
    limits: &Limits,
    processors: Processors,
) -> Result<ProcessRole, SeatError> {
    let views = Views::of(program, purpose);
    let template = program.template.as_deref();
    let prepare = || root::build(directory, &views, template, limits);
    let (available, why) = match attempt(range.at_most, prepare) {
        Attempt::Sealed(Root { directory, around_work, mounts, limits_processes }) => {
            let landlock = Landlock::fixed(&directory, around_work)?;
            let isolation_setup = IsolationSetup {
                limits_processes,
                ..IsolationSetup::new(Isolation::Sealed, Some(directory), Some(landlock), processors)?
            };
            return Ok(ProcessRole::Keeper(isolation_setup, Some(mounts)));
        }
        Attempt::Outside(inside) => return Ok(ProcessRole::Outside(inside)),
        Attempt::Open { available, why } => (available, why),
    };
    if available < range.at_least {
        return Err(SeatError::TooWeak { wanted: range.at_least, available, why });
    }
    match guardian::split()? {
        guardian::GuardianFork::Guardian { keeper } => Ok(ProcessRole::Outside(keeper)),
        guardian::GuardianFork::Keeper => {
            let is_confined = available >= Isolation::Confined;
            let landlock = is_confined.then(|| Landlock::per_run(&views)).transpose()?;
            let isolation_setup = IsolationSetup::new(available, None, landlock, processors)?;
            Ok(ProcessRole::Keeper(isolation_setup, None))
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
    match namespaces::split(namespaces::all(), prepare) {
        Ok(NamespaceFork::Inside(root)) => Attempt::Sealed(root),
        Ok(NamespaceFork::Outside(inside)) => Attempt::Outside(inside),
        Ok(NamespaceFork::Refused(why)) => open(Isolation::Confined, why),
        Err(errno) => open(Isolation::Confined, format!("namespaces are not permitted: {}", in_words(errno))),
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
        assert_eq!(error.to_string(), "expected `bare`, `confined` or `sealed`, found `Sealed`");
    }

    #[test]
    fn levels_are_ordered_by_strength() {
        assert!(Isolation::ALL.is_sorted());
    }
}
