//! The resource limits of a program besides time.
//!
//! Defines them and sets those that the kernel can enforce (getrlimit(2)); `limiter` samples the rest. The
//! kernel's limits are set slightly higher, so that exceeding a limit is distinguishable from reaching it. Callers set
//! them for agents, builds and assignments.

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// How many processes the kernel allows beyond the limit before `fork` fails.
const PROCESSES_SLACK: u64 = 64;

/// Without a user namespace the kernel counts all processes of the user. This many others may start during a game, so
/// that no program fails because many games run at once.
pub(super) const OTHER_TASKS: u64 = 4096;

/// One process may allocate this multiple of the memory limit before `malloc` fails, since runtimes request more than
/// they use.
const DATA_FACTOR: u64 = 4;

/// The limits of one seat; each run starts fresh, except where [`Self::directory_files`] says otherwise.
///
/// The defaults suit Python, C++ and Java programs with the needs of a homework. Core dumps are always off. Standard
/// output and standard error are not stored on disk and need no limit.
///
/// ```
/// use referee_seat::Limits;
///
/// let limits = Limits { memory_bytes: 512 << 20, ..Limits::default() };
/// assert_eq!((limits.processes, limits.file_bytes), (256, 64 << 20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Resident and swapped memory of all processes, counting shared pages once, with page tables, the capacity of
    /// sockets and pipes, and the files of a working directory in memory; 2 GiB. Address space that is only reserved,
    /// as by a Java machine, is free.
    pub memory_bytes: u64,
    /// Concurrent processes and threads; 256. A Java machine has about 30.
    pub processes: u32,
    /// The size of a single file; 64 MiB.
    pub file_bytes: u64,
    /// The size of all files in the working directory beyond the submitted ones, including deleted files that are still
    /// open; 128 MiB.
    pub directory_bytes: u64,
    /// The number of files and directories in the working directory beyond the submitted ones; 8192. On disk, what
    /// earlier runs left counts too, as does its size: all but the first 512 entries of each run, which are removed
    /// before the next one. Removing the others takes too long.
    pub directory_files: u64,
    /// The number of files that one process has open; 256.
    pub open_files: u32,
    /// The size of `output.txt`; 64 KiB. A larger one is not read.
    pub output_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 2 << 30,
            processes: 256,
            file_bytes: 64 << 20,
            directory_bytes: 128 << 20,
            directory_files: 8192,
            open_files: 256,
            output_bytes: 64 << 10,
        }
    }
}

/// The stack of a program, as most systems give it.
const STACK_BYTES: u64 = 8 << 20;

impl Limits {
    /// The number of processes at which the kernel, where it can, refuses more.
    pub(super) fn processes_with_slack(&self) -> u64 {
        u64::from(self.processes) + PROCESSES_SLACK
    }

    /// What a program within its limits can take of the disk: the files of its working directory, and once more deleted
    /// ones that are mapped only in part (`unlinked`).
    pub(super) fn disk_bytes(&self) -> u64 {
        self.directory_bytes.saturating_mul(2)
    }

    /// Sets the kernel's limits for this process and its children, besides that on core dumps; none can be raised
    /// again. `others` is the number of processes and threads of the user that the kernel counts too.
    pub(super) fn apply(&self, others: u64) -> nix::Result<()> {
        let limits = [
            (Resource::RLIMIT_FSIZE, self.file_bytes),
            (Resource::RLIMIT_NOFILE, self.open_files.into()),
            (Resource::RLIMIT_DATA, self.memory_bytes.saturating_mul(DATA_FACTOR)),
            // It does not limit root.
            (Resource::RLIMIT_NPROC, others + self.processes_with_slack()),
            // A user may have the right to run before all others, as for sound.
            (Resource::RLIMIT_RTPRIO, 0),
            (Resource::RLIMIT_NICE, 0),
        ];
        // That of the shell would decide which recursion is too deep. A compiler may raise its own.
        let (_, most) = getrlimit(Resource::RLIMIT_STACK)?;
        setrlimit(Resource::RLIMIT_STACK, STACK_BYTES.min(most), most)?;
        limits.into_iter().try_for_each(|(resource, limit)| {
            match setrlimit(resource, limit, limit) {
                // A lower one is in force: the user's own, or that which a bare program has given to its keeper.
                Err(Errno::EPERM) => getrlimit(resource).and_then(|(_, hard)| setrlimit(resource, hard, hard)),
                other => other,
            }
        })
    }
}
