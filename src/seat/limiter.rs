//! Looking at what a run uses, where the kernel keeps no limit for a whole tree of processes.
//!
//! For: memory, processes and the working directory with the deleted files of it that are still open, looked at every
//! [`PERIOD`], so that a short run is not looked at at all, and once more when it is over. Deliberately not here:
//! killing. What must always hold: a look is bounded by the limits, however much there is to see; what cannot be seen
//! because it is just ending counts as nothing.
//!
//! **Memory** is resident and swapped pages, and what the kernel holds for a program. The address space says nothing (a
//! Java machine reserves 6 GiB to use 40 MiB), and the kernel has no limit on resident pages. Private pages are added
//! up; if that passes the limit, once more with those that processes share after a `fork` divided among them, which is
//! exact but slow. Page tables are added up, for nobody shares them: they can take gigabytes in a process of one page.
//! Of pages of mapped files, which are the system's cache, the largest process stands for all. Memory that is shared
//! without a file counts by the size of the mapping: pages of it can be in use without being in any process. Sockets
//! and pipes count by what they can hold (`conduits`), where that could make a difference.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use nix::unistd::{Pid, geteuid};

use super::allotment::Allotment;
use super::conduits::{Conduits, Room};
use super::limits::Limits;
use super::processes::descendants;
use super::report::Exceeded;
use super::unlinked::unlinked_bytes;
use super::workdir::Workdir;

/// Between two looks. Two processors can make about a thousand processes in the meantime, or 100 MiB of pages.
pub(super) const PERIOD: Duration = Duration::from_millis(20);

/// Walking through a directory on disk, or through all descriptors, takes time, which is to be no more than one part in
/// so many.
const WALK_SHARE: u32 = 20;
const WALK_PERIOD: Duration = Duration::from_millis(100);

/// Looks at one run.
#[derive(Debug)]
pub(super) struct Limiter<'a> {
    limits: Limits,
    workdir: &'a Workdir,
    room: Room,
    /// The kernel's own limit, where there is one.
    allotment: Option<&'a Allotment>,
    next_walk: Instant,
    /// When mappings may be looked through that are hardly shared memory.
    next_search: Instant,
    next_count: Instant,
    /// Whether any process has been seen with memory that is shared without a file: most never have.
    shares: bool,
    disk_was_full: bool,
}

impl<'a> Limiter<'a> {
    /// One for programs of whom each socket and pipe has so much `room`.
    pub(super) fn new(limits: Limits, workdir: &'a Workdir, room: Room, allotment: Option<&'a Allotment>) -> Self {
        let now = Instant::now();
        Self {
            limits,
            workdir,
            room,
            allotment,
            next_walk: now + WALK_PERIOD,
            next_search: now,
            next_count: now,
            shares: false,
            disk_was_full: false,
        }
    }

    /// A limit that is passed right now.
    pub(super) fn look(&mut self) -> Option<Exceeded> {
        let family = Family::look(self.limits.processes);
        self.processes(&family)
            .or_else(|| self.memory(&family))
            .or_else(|| self.passed_by_group())
            .or_else(|| self.directory_by_and_by(&family))
    }

    /// Whether the disk was full at any look: then nothing that a program has left or not left says anything of it.
    pub(super) fn disk_was_full(&self) -> bool {
        self.disk_was_full || self.workdir.is_full()
    }

    /// A limit that was passed by what can still be seen after the end: the directory, and the largest process.
    pub(super) fn last_look(&self, peak_rss_bytes: u64) -> Option<Exceeded> {
        self.memory_of(peak_rss_bytes)
            .or_else(|| self.passed_by_group())
            .or_else(|| self.directory(0))
    }

    /// What the kernel has ended a process for.
    fn passed_by_group(&self) -> Option<Exceeded> {
        self.allotment.and_then(Allotment::passed)
    }

    fn processes(&self, family: &Family) -> Option<Exceeded> {
        let limit = self.limits.processes;
        (family.tasks > limit).then_some(Exceeded::Processes {
            used: family.tasks,
            limit,
        })
    }

    fn memory(&mut self, family: &Family) -> Option<Exceeded> {
        let known = family.file + family.page_tables + self.workdir.bytes_in_memory();
        let shared = self.shared(family, known + family.private);
        let rest = known + shared + self.in_conduits(family, known + shared + family.private);
        self.memory_of(family.private + rest)?;
        self.memory_of(family.private_without_copies() + rest)
    }

    /// Memory that is shared without a file, besides `known` bytes of other kinds.
    fn shared(&mut self, family: &Family, known: u64) -> u64 {
        self.shares |= family.shared > 0;
        // Pages that are let go of as soon as they are written are in no process's account. So whoever has mappings for
        // it is looked into; that is also a Java machine, which only reserves them, so not at every look.
        let now = Instant::now();
        let suspected = known + family.unexplained > self.limits.memory_bytes && now >= self.next_search;
        if !self.shares && !suspected {
            return 0;
        }
        let found = family.shared.max(family.shared_mappings());
        self.shares |= found > 0;
        self.next_search = now + WALK_PERIOD;
        found
    }

    /// What sockets and pipes can hold, where that and `known` could pass the limit.
    fn in_conduits(&mut self, family: &Family, known: u64) -> u64 {
        let started = Instant::now();
        let at_most = self.room.at_most(family.descriptors);
        if known + at_most <= self.limits.memory_bytes || started < self.next_count {
            return 0;
        }
        let held = Conduits::of(family.members.iter().map(|member| member.pid)).hold(&self.room);
        self.next_count = started + started.elapsed() * WALK_SHARE;
        held
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
        let members = family.members.iter().map(|member| member.pid);
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
    members: Vec<Member>,
    /// Processes and threads.
    tasks: u32,
    /// Private memory; what is shared after a `fork` as often as it is.
    private: u64,
    page_tables: u64,
    /// Of files, in the process that has most.
    file: u64,
    /// Shared without a file, in the process that has most.
    shared: u64,
    /// Mappings that are neither a program's nor data: of files, reserved, or shared; in the process that has most.
    unexplained: u64,
    /// How many files they could have open without a larger table for them.
    descriptors: u64,
}

#[derive(Debug)]
struct Member {
    pid: Pid,
    private: u64,
}

impl Family {
    /// Stops counting beyond `enough` tasks.
    fn look(enough: u32) -> Self {
        let mut family = Self::default();
        for pid in descendants(usize::try_from(enough).unwrap_or(usize::MAX)) {
            if family.tasks > enough {
                break;
            }
            family.count(pid);
        }
        family
    }

    fn count(&mut self, pid: Pid) {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) else {
            return;
        };
        let status = ProcStatus::read(&status);
        self.members.push(Member {
            pid,
            private: status.private,
        });
        self.tasks = self.tasks.saturating_add(status.threads);
        self.private += status.private;
        self.page_tables += status.page_tables;
        self.unexplained = self.unexplained.max(status.unexplained);
        self.descriptors += status.descriptors;
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
                .map(|member| own_share(member.pid, member.private))
                .sum()
        };
        Ord::min(once(), once())
    }

    /// The sizes of all mappings that are shared without a file, each once.
    fn shared_mappings(&self) -> u64 {
        let mut sizes = BTreeMap::new();
        for Member { pid, .. } in &self.members {
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
        Ok(shares) => {
            let swapped = bytes(&shares, "SwapPss:").unwrap_or(0);
            bytes(&shares, "Pss_Anon:").map_or(all, |resident| resident + swapped)
        }
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
    // A folder has two links, and one more for each folder in it, of which a thread is one. Whatever else is in `/proc`
    // has no such folder.
    let threads = processes
        .flatten()
        .filter_map(|entry| entry.path().join("task").metadata().ok());
    let own = threads.filter(|found| found.uid() == user);
    own.map(|found| found.nlink().saturating_sub(2)).sum()
}

/// What `/proc/PID/status` says (proc(5)).
#[derive(Debug, PartialEq, Eq)]
struct ProcStatus {
    threads: u32,
    /// Resident, swapped, or in huge pages that were set aside for those who ask for them.
    private: u64,
    page_tables: u64,
    file: u64,
    shared: u64,
    unexplained: u64,
    descriptors: u64,
}

impl ProcStatus {
    /// A process that is dead, but not yet waited for, has no memory, and still is a process.
    fn read(status: &str) -> Self {
        let number = |name| field(status, name).and_then(|count| count.parse::<u32>().ok());
        let memory = |names: &[&str]| names.iter().filter_map(|name| bytes(status, name)).sum::<u64>();
        Self {
            threads: number("Threads:").unwrap_or(1),
            private: memory(&["RssAnon:", "VmSwap:", "HugetlbPages:"]),
            page_tables: memory(&["VmPTE:"]),
            file: memory(&["RssFile:"]),
            shared: memory(&["RssShmem:"]),
            unexplained: memory(&["VmSize:"]).saturating_sub(memory(&["VmData:", "VmStk:", "VmExe:", "VmLib:"])),
            descriptors: number("FDSize:").unwrap_or(0).into(),
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
        let status = "Name:\tRssAnon:\nFDSize:\t64\nVmSize:\t   90 kB\nVmRSS:\t   99 kB\nRssAnon:\t    10 kB\n\
                      RssFile:\t     2 kB\nVmData:\t    40 kB\nVmStk:\t    20 kB\nVmLib:\t    10 kB\nVmPTE:\t     4 \
                      kB\n\
                      VmSwap:\t     5 kB\nThreads:\t7\n";
        let expected = ProcStatus {
            threads: 7,
            private: 15 << 10,
            page_tables: 4 << 10,
            file: 2 << 10,
            shared: 0,
            unexplained: 20 << 10,
            descriptors: 64,
        };
        assert_eq!(ProcStatus::read(status), expected);
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
