//! What a program may use besides time.
//!
//! For: the limits themselves, and those of them that the kernel keeps (getrlimit(2)). Those that it cannot keep for a
//! whole tree of processes are looked at by the `limiter`. The kernel's are set a little beyond, so that a program that
//! has passed a limit can be told from one that has reached it.

use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};
use serde::{Deserialize, Serialize};

use super::Isolation;

/// How many processes the kernel allows beyond the limit, before `fork` fails.
const PROCESSES_SLACK: u64 = 64;

/// Without a user namespace the kernel counts all processes of the user, and this many others may come to be during a
/// game: a program must not fail because many games are played at once.
const OTHERS: u64 = 4096;

/// One process may have this many times the memory limit in data of its own before `malloc` fails. It is more than
/// can be used because runtimes ask for more than they use.
const DATA_FACTOR: u64 = 4;

/// The limits of one seat, for each run anew.
///
/// The defaults let programs in Python, C++ and Java run that keep to what a homework needs. Core dumps are off at any
/// rate, and what is written to standard output and standard error is not kept on disk and needs no limit.
///
/// ```
/// use referee::seat::Limits;
///
/// let limits = Limits { memory_bytes: 512 << 20, ..Limits::default() };
/// assert_eq!((limits.processes, limits.file_bytes), (256, 64 << 20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Resident and swapped memory of all processes together, with what they share counted once, with their page
    /// tables, what their sockets and pipes can hold, and the files of a working directory that is kept in memory; 2
    /// GiB. Address space that is only reserved, as by a Java machine, is free.
    pub memory_bytes: u64,
    /// Processes and threads at a time; 256. A Java machine has about 30.
    pub processes: u32,
    /// The size of a single file; 64 MiB.
    pub file_bytes: u64,
    /// The size of all files in the working directory together beyond what was handed in, with deleted files that are
    /// still open; 128 MiB.
    pub directory_bytes: u64,
    /// The number of files and directories in the working directory beyond what was handed in; 8192.
    pub directory_files: u64,
    /// Files that one process has open at a time; 256.
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

impl Limits {
    /// How many processes there may be before the kernel, where it can, refuses more.
    pub(super) fn processes_with_slack(&self) -> u64 {
        u64::from(self.processes) + PROCESSES_SLACK
    }

    /// Has the kernel keep what it can, for this process and its children. The user has had `others` processes and
    /// threads when the seat was opened.
    pub(super) fn impose(&self, level: Isolation, others: u64) -> nix::Result<()> {
        impose(Resource::RLIMIT_CORE, 0)?;
        impose(Resource::RLIMIT_FSIZE, self.file_bytes)?;
        impose(Resource::RLIMIT_NOFILE, self.open_files.into())?;
        impose(Resource::RLIMIT_DATA, self.memory_bytes.saturating_mul(DATA_FACTOR))?;
        // The kernel counts by user, and in a user namespace nobody else's processes. It does not for root.
        let others = match level {
            Isolation::Sealed => 0,
            Isolation::Bare | Isolation::Confined => others + OTHERS,
        };
        impose(Resource::RLIMIT_NPROC, others + self.processes_with_slack())
    }
}

/// Neither limit can be raised again.
fn impose(resource: Resource, limit: u64) -> nix::Result<()> {
    let (_, hard) = getrlimit(resource)?;
    let limit = rlim_t::from(limit).min(hard);
    setrlimit(resource, limit, limit)
}
