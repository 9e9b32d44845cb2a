//! Sockets and pipes: memory of the kernel that stands in no process's account.
//!
//! For: how much those of a run can hold. What they do hold cannot be asked from outside, so they count as full.
//! Deliberately not here: whether that is too much. What must always hold: counting takes a bounded time, and what was
//! not looked at counts for the most that it could be.
//!
//! This is sound because every descriptor is in some process's table, where seccomp keeps programs from sending them to
//! each other; and because a socket and a pipe keep the size that they were made with, which a program cannot change.
//! At `bare` it can do both, and have sockets of other kinds, which may hold more than is believed here.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;

use nix::unistd::Pid;

/// How many descriptors are looked at; each takes a microsecond.
const ENOUGH: usize = 4096;

/// A socket takes one more message when it is almost full (`UNIX_SKB_FRAGS_SZ` and what is around it).
const LAST_MESSAGE_BYTES: u64 = 64 << 10;

/// What a pipe holds that nobody has enlarged: 16 pages.
const PIPE_BYTES: u64 = 64 << 10;

/// What a socket holds that nobody has enlarged, where the system's setting cannot be read.
const SOCKET_BYTES: u64 = 212_992;

/// How much one socket and one pipe can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    socket: u64,
    pipe: u64,
}

impl Room {
    /// As the system has it. To be read before there are namespaces: that of a network need not show it.
    pub(super) fn read() -> Self {
        let default = std::fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        Self {
            socket: default.trim().parse().unwrap_or(SOCKET_BYTES) + LAST_MESSAGE_BYTES,
            pipe: PIPE_BYTES,
        }
    }

    /// What so many descriptors can hold, whatever they are of.
    pub(super) fn at_most(&self, descriptors: u64) -> u64 {
        descriptors.saturating_mul(self.socket.max(self.pipe))
    }
}

/// The sockets and pipes that some processes have open, each once.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Conduits {
    sockets: BTreeSet<Vec<u8>>,
    pipes: BTreeSet<Vec<u8>>,
    /// Descriptors that were not looked at any more.
    unknown: u64,
}

impl Conduits {
    pub(super) fn of(processes: impl Iterator<Item = Pid>) -> Self {
        let mut found = Self::default();
        let mut seen = 0;
        for pid in processes {
            // A process that has just ended has nothing open.
            let Ok(descriptors) = std::fs::read_dir(format!("/proc/{pid}/fd")) else {
                continue;
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

    /// A link reads `socket:[4711]`, `pipe:[4711]`, or is the path of a file, which begins with a slash.
    fn add(&mut self, what: &[u8]) {
        if what.starts_with(b"socket:[") {
            self.sockets.insert(what.to_owned());
        } else if what.starts_with(b"pipe:[") {
            self.pipes.insert(what.to_owned());
        }
    }

    pub(super) fn hold(&self, room: &Room) -> u64 {
        let count = |names: &BTreeSet<Vec<u8>>| u64::try_from(names.len()).unwrap_or(u64::MAX);
        count(&self.sockets) * room.socket + count(&self.pipes) * room.pipe + room.at_most(self.unknown)
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use nix::unistd::{getpid, pipe};

    use super::*;

    const ROOM: Room = Room {
        socket: 1000,
        pipe: 100,
    };

    #[test]
    fn each_counts_once_however_many_have_it() {
        let mut found = Conduits::default();
        for what in [
            "socket:[1]",
            "socket:[2]",
            "socket:[1]",
            "pipe:[7]",
            "/home/pipe:[8]",
            "anon_inode:[eventpoll]",
        ] {
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
        let found = Conduits::of([getpid(), getpid()].into_iter());
        assert!(found.pipes.contains(name.as_os_str().as_bytes()), "{found:?}");
    }
}
