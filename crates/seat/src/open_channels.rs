//! Sockets and pipes: kernel memory that is not charged to any process.
//!
//! Computes how much a run's sockets and pipes can hold. Their actual content cannot be read from outside, so they
//! count as full. `limiter` decides whether that is too much. Counting must take bounded time, and descriptors that
//! were not examined must count as the largest possible.
//!
//! This is sound because every descriptor is in some process's table (seccomp prevents sending descriptors, and tables
//! of single threads), and because a socket or pipe keeps its initial size (seccomp prevents changing it). At `bare` a
//! program can do all of this, and can open other kinds of sockets, which may hold more than is counted here.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;

use super::processes::ProcDir;

/// The maximum number of descriptors to examine; each takes a microsecond.
const ENOUGH: usize = 4096;

/// An almost full socket accepts one more message (`UNIX_SKB_FRAGS_SZ` plus overhead).
const LAST_MESSAGE_BYTES: u64 = 64 << 10;

/// The default capacity of a pipe: 16 pages.
const PIPE_BYTES: u64 = 64 << 10;

/// The default capacity of a socket, if the system's setting cannot be read.
const SOCKET_BYTES: u64 = 212_992;

/// The capacity of one socket and of one pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChannelCapacity {
    socket: u64,
    pipe: u64,
}

impl ChannelCapacity {
    /// The system's values. Must be read before namespaces exist: a network namespace may not show them.
    pub(super) fn read() -> Self {
        let default = std::fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        Self { socket: default.trim().parse().unwrap_or(SOCKET_BYTES) + LAST_MESSAGE_BYTES, pipe: PIPE_BYTES }
    }

    /// An upper bound for this many descriptors of any kind.
    pub(super) fn at_most(&self, descriptors: u64) -> u64 {
        descriptors.saturating_mul(self.socket.max(self.pipe))
    }
}

/// The distinct sockets and pipes that some processes have open.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OpenChannels {
    sockets: BTreeSet<Vec<u8>>,
    pipes: BTreeSet<Vec<u8>>,
    /// Descriptors that were not examined.
    unknown: u64,
}

impl OpenChannels {
    /// Those of some processes, each with the number of descriptors that it has room for.
    pub(super) fn of<'a>(processes: impl Iterator<Item = (&'a ProcDir, u64)>) -> Self {
        let mut found = Self::default();
        let mut seen = 0;
        for (process, room) in processes {
            let descriptors = match process.descriptors() {
                Ok(descriptors) => descriptors,
                Err(error) if process.is_hidden(&error) => {
                    found.unknown += room;
                    continue;
                }
                // A process that has just ended has no open descriptors.
                Err(_) => continue,
            };
            for descriptor in descriptors.flatten() {
                seen += 1;
                if seen > ENOUGH {
                    found.unknown += 1;
                } else if let Ok(what) = std::fs::read_link(descriptor.path()) {
                    found.add(what.as_os_str().as_bytes());
                }
            }
        }
        found
    }

    /// A link target is `socket:[4711]`, `pipe:[4711]`, or an absolute path.
    fn add(&mut self, what: &[u8]) {
        if what.starts_with(b"socket:[") {
            self.sockets.insert(what.to_owned());
        } else if what.starts_with(b"pipe:[") {
            self.pipes.insert(what.to_owned());
        }
    }

    pub(super) fn hold(&self, room: &ChannelCapacity) -> u64 {
        let count = |names: &BTreeSet<Vec<u8>>| u64::try_from(names.len()).unwrap_or(u64::MAX);
        count(&self.sockets) * room.socket + count(&self.pipes) * room.pipe + room.at_most(self.unknown)
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use nix::unistd::{Pid, pipe};

    use super::*;

    const ROOM: ChannelCapacity = ChannelCapacity { socket: 1000, pipe: 100 };

    #[test]
    fn each_counts_once_however_many_have_it() {
        let mut found = OpenChannels::default();
        for what in ["socket:[1]", "socket:[2]", "socket:[1]", "pipe:[7]", "/home/pipe:[8]", "anon_inode:[eventpoll]"] {
            found.add(what.as_bytes());
        }
        assert_eq!(found.hold(&ROOM), 2100);
        found.unknown = 3;
        assert_eq!(found.hold(&ROOM), 5100);
    }

    #[test]
    fn those_of_a_process_are_found() {
        let (read, _write) = pipe().unwrap();
        let name = std::fs::read_link(format!("/proc/self/fd/{}", read.as_raw_fd())).unwrap();
        let own = ProcDir::of(Pid::this());
        let found = OpenChannels::of([(&own, 0), (&own, 0)].into_iter());
        assert!(found.pipes.contains(name.as_os_str().as_bytes()), "{found:?}");
    }
}
