//! Looking at what a run uses, where the kernel keeps no limit for a whole tree of processes.
//!
//! For: memory, processes and the working directory with the deleted files of it that are still open, looked at every [`PERIOD`], so that a short run is not looked at
//! at all, and once more when it is over. Deliberately not here: killing.
//! What must always hold: a look is bounded by the limits, however much there is to see; what cannot be seen because it
//! is just ending counts as nothing.
//!
//! **Memory** is resident pages. The address space says nothing (a Java machine reserves 6 GiB to use 40 MiB), and
//! the kernel has no limit on resident pages. Private pages are added up; if that passes the limit, once more with those
//! that processes share after a `fork` divided among them, which is exact but slow. Of pages of mapped files, which
//! are the system's cache, the largest process stands for all. Memory that is shared without a file counts by the size
//! of the mapping: pages of it can be in use without being in any process.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use nix::unistd::{Pid, geteuid};

use super::limits::Limits;
use super::processes::{children, children_of};
use super::report::Exceeded;
use super::unlinked::unlinked_bytes;
use super::workdir::Workdir;

/// Between two looks. Two processors can make about a thousand processes in the meantime, or 100 MiB of pages.
pub(super) const PERIOD: Duration = Duration::from_millis(20);

/// Walking through a directory on disk takes time, which is to be no more than one part in so many.
const WALK_SHARE: u32 = 20;
const WALK_PERIOD: Duration = Duration::from_millis(100);

/// Looks at one run.
#[derive(Debug)]
pub(super) struct Limiter<'a> {
    limits: Limits,
    workdir: &'a Workdir,
    next_walk: Instant,
    /// Whether any process has been seen with memory that is shared without a file: most never have.
    shares: bool,
    disk_was_full: bool,
}

impl<'a> Limiter<'a> {
    pub(super) fn new(limits: Limits, workdir: &'a Workdir) -> Self {
        Self {
            limits,
            workdir,
            next_walk: Instant::now() + WALK_PERIOD,
            shares: false,
            disk_was_full: false,
        }
    }

    /// A limit that is passed right now.
    pub(super) fn look(&mut self) -> Option<Exceeded> {
        let family = Family::look(self.limits.processes);
        self.processes(&family)
            .or_else(|| self.memory(&family))
            .or_else(|| self.directory_by_and_by(&family))
    }

    /// Whether the disk was full at any look: then nothing that a program has left or not left says anything of it.
    pub(super) fn disk_was_full(&self) -> bool {
        self.disk_was_full || self.workdir.is_full()
    }

    /// A limit that was passed by what can still be seen after the end: the directory, and the largest process.
    pub(super) fn last_look(&self, peak_rss_bytes: u64) -> Option<Exceeded> {
        self.memory_of(peak_rss_bytes).or_else(|| self.directory(0))
    }

    fn processes(&self, family: &Family) -> Option<Exceeded> {
        let limit = self.limits.processes;
        (family.tasks > limit).then_some(Exceeded::Processes {
            used: family.tasks,
            limit,
        })
    }

    fn memory(&mut self, family: &Family) -> Option<Exceeded> {
        self.shares |= family.shared > 0;
        let shared = if self.shares {
            family.shared.max(family.shared_mappings())
        } else {
            0
        };
        let rest = family.file + shared + self.workdir.bytes_in_memory();
        self.memory_of(family.private + rest)?;
        self.memory_of(family.private_without_copies() + rest)
    }

    fn memory_of(&self, used_bytes: u64) -> Option<Exceeded> {
        let limit_bytes = self.limits.memory_bytes;
        (used_bytes > limit_bytes).then_some(Exceeded::Memory {
            used_bytes,
            limit_bytes,
        })
    }

    fn directory_by_and_by(&mut self, family: &Family) -> Option<Exceeded> {
        self.disk_was_full |= self.workdir.is_full();
        let started = Instant::now();
        if self.workdir.is_on_disk() && started < self.next_walk {
            return None;
        }
        let found = self.directory(self.unlinked(family));
        self.next_walk = Instant::now() + WALK_PERIOD.max(started.elapsed() * WALK_SHARE);
        found
    }

    fn unlinked(&self, family: &Family) -> u64 {
        let members = family.members.iter().map(|(pid, _)| *pid);
        self.workdir
            .site()
            .map_or(0, |site| unlinked_bytes(members, site, self.limits.directory_bytes))
    }

    /// With this many bytes in files that are not in it any more.
    fn directory(&self, unlinked_bytes: u64) -> Option<Exceeded> {
        let Limits {
            directory_bytes: limit_bytes,
            directory_files: limit,
            ..
        } = self.limits;
        let holds = self.workdir.holds(limit_bytes, limit);
        let used_bytes = holds.bytes.saturating_add(unlinked_bytes);
        if used_bytes > limit_bytes {
            return Some(Exceeded::DirectorySize {
                used_bytes,
                limit_bytes,
            });
        }
        (holds.files > limit).then_some(Exceeded::DirectoryFiles {
            used: holds.files,
            limit,
        })
    }
}

/// The living processes under this one, added up.
#[derive(Debug, Default)]
struct Family {
    /// Each with its private memory.
    members: Vec<(Pid, u64)>,
    /// Processes and threads.
    tasks: u32,
    /// Private memory; what is shared after a `fork` as often as it is.
    private: u64,
    /// Of files, in the process that has most.
    file: u64,
    /// Shared without a file, in the process that has most.
    shared: u64,
}

impl Family {
    /// Stops counting beyond `enough` tasks.
    fn look(enough: u32) -> Self {
        let mut family = Self::default();
        let mut seen = BTreeSet::new();
        let mut waiting = children().unwrap_or_default();
        while let Some(pid) = waiting.pop() {
            if family.tasks > enough {
                break;
            }
            if seen.insert(pid) {
                family.count(pid);
                waiting.extend(children_of(pid));
            }
        }
        family
    }

    fn count(&mut self, pid: Pid) {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) else {
            return;
        };
        let status = Status::read(&status);
        self.members.push((pid, status.private));
        self.tasks = self.tasks.saturating_add(status.threads);
        self.private += status.private;
        self.file = self.file.max(status.file);
        self.shared = self.shared.max(status.shared);
    }

    /// Private memory with what is shared after a `fork` counted once.
    ///
    /// When a process ends in the middle of this, what it had shared counts for more in those that are looked at after
    /// it. So the smaller one of two counts.
    fn private_without_copies(&self) -> u64 {
        let once = || {
            self.members
                .iter()
                .map(|(pid, private)| own_share(*pid, *private))
                .sum()
        };
        Ord::min(once(), once())
    }

    /// The sizes of all mappings that are shared without a file, each once.
    fn shared_mappings(&self) -> u64 {
        let mut sizes = BTreeMap::new();
        for (pid, _) in &self.members {
            let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
            for (start, end, inode) in maps.lines().filter_map(shared_mapping) {
                sizes
                    .entry((inode.to_owned(), start))
                    .or_insert(end.saturating_sub(start));
            }
        }
        sizes.values().sum()
    }
}

/// What one process has in memory of its own, with what it shares divided by how many share it; `all` of it where that
/// may not be looked into, and nothing once it has ended.
fn own_share(pid: Pid, all: u64) -> u64 {
    match std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) {
        Ok(shares) => bytes(&shares, "Pss_Anon:").unwrap_or(all),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => all,
        Err(_) => 0,
    }
}

/// The place and the number of a mapping that is shared without a file, from a line of `/proc/PID/maps`.
fn shared_mapping(line: &str) -> Option<(u64, u64, &str)> {
    let (range, rest) = line.strip_suffix("/dev/zero (deleted)")?.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let address = |text| u64::from_str_radix(text, 16).ok();
    Some((address(start)?, address(end)?, rest.split_ascii_whitespace().nth(3)?))
}

/// How many processes and threads the user of this process has now.
pub(super) fn tasks_of_user() -> u64 {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let user = geteuid().as_raw();
    let own = processes
        .flatten()
        .filter(|entry| entry.metadata().is_ok_and(|found| found.uid() == user));
    // Whatever else is in `/proc` has no status.
    own.filter_map(|entry| std::fs::read_to_string(entry.path().join("status")).ok())
        .map(|status| u64::from(Status::read(&status).threads))
        .sum()
}

/// What `/proc/PID/status` says (proc(5)).
#[derive(Debug, PartialEq, Eq)]
struct Status {
    threads: u32,
    private: u64,
    file: u64,
    shared: u64,
}

impl Status {
    /// A process that is dead, but not yet waited for, has no memory, and still is a process.
    fn read(status: &str) -> Self {
        let threads = field(status, "Threads:").and_then(|count| count.parse().ok());
        let memory = |name| bytes(status, name).unwrap_or(0);
        Self {
            threads: threads.unwrap_or(1),
            private: memory("RssAnon:"),
            file: memory("RssFile:"),
            shared: memory("RssShmem:"),
        }
    }
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()
}

fn bytes(text: &str, name: &str) -> Option<u64> {
    Some(field(text, name)?.parse::<u64>().ok()?.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_by_its_names() {
        let status = "Name:\tRssAnon:\nVmRSS:\t   99 kB\nRssAnon:\t    10 kB\nRssFile:\t     2 kB\nThreads:\t7\n";
        let expected = Status {
            threads: 7,
            private: 10 << 10,
            file: 2 << 10,
            shared: 0,
        };
        assert_eq!(Status::read(status), expected);
    }

    #[test]
    fn only_mappings_that_are_shared_without_a_file_are_found() {
        let shared = "7f01a000-7f02a000 rw-s 00000000 00:01 1055 /dev/zero (deleted)";
        assert_eq!(shared_mapping(shared), Some((0x7f01_a000, 0x7f02_a000, "1055")));
        for other in [
            "7f01a000-7f02a000 rw-p 00000000 00:00 0",
            "",
            "7f-80 r--p 0 08:01 9 /usr/lib/libc.so.6",
        ] {
            assert_eq!(shared_mapping(other), None);
        }
    }
}
