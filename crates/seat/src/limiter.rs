//! Samples a run's resource use, for limits that the kernel cannot enforce on a whole process tree.
//!
//! Checks memory, processes, and the working directory with its deleted but open files, every [`PERIOD`] and once after
//! the run; a short run is not sampled before its end. It kills nothing; `watch` and the keeper do. The cost of a
//! sample must be bounded by the limits, and what cannot be read because it is just ending must count as nothing.
//! While all processes rest, as a rules program does between two questions, there is nothing new to see: only their
//! clocks are read then.
//!
//! **Memory** is resident and swapped pages, plus kernel memory held for a program. Address space means nothing (a Java
//! machine reserves 6 GiB to use 40 MiB), and the kernel has no limit on resident pages. Private pages are summed; if
//! the sum exceeds the limit, they are summed again with pages shared since a `fork` divided among their users, which
//! is exact but slow. Page tables are never shared, so they are summed: they can take gigabytes in a process of one
//! page. Of mapped file pages, which belong to the system's cache, the largest process stands for all. Shared memory
//! without a file counts by its mapped size (`shared_memory`). Sockets and pipes count by their capacity
//! (`open_channels`), where that could decide.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use nix::unistd::{Pid, geteuid};

use super::dir_usage::DirUsage;
use super::limits::Limits;
use super::memory_group::MemoryGroup;
use super::open_channels::{ChannelCapacity, OpenChannels};
use super::processes::{ProcDir, cpu_clock, descendants, exists};
use super::report::Exceeded;
use super::shared_memory::{SharedMemory, SharedPieces};
use super::unlinked::unlinked_bytes;
use super::workdir::{FreeSpace, Workdir};
use referee_time::CpuTime;

/// The time between two samples. Meanwhile two processors can make about a thousand processes, or 100 MiB of pages.
pub(super) const PERIOD: Duration = Duration::from_millis(20);

/// Walking a directory on disk, or all descriptors, may take at most one part in this many of the time.
const WALK_SHARE: u32 = 20;
const WALK_PERIOD: Duration = Duration::from_millis(100);

/// Processes that seem to rest are sampled nevertheless after so long: one that started during a sample may be unknown.
const LONGEST_REST: Duration = Duration::from_millis(100);

/// Samples one run.
#[derive(Debug)]
pub(super) struct Limiter<'a> {
    limits: Limits,
    workdir: &'a Workdir,
    room: ChannelCapacity,
    /// The kernel's own limit, if there is one.
    memory_group: Option<&'a MemoryGroup>,
    /// The processes at the last sample, and when that was.
    last: Option<(Instant, TreeUsage)>,
    next_walk: Instant,
    /// When to search mappings again that are unlikely to be shared memory.
    next_search: Instant,
    next_count: Instant,
    /// Whether any process had anonymous shared memory: most never have.
    shares: bool,
    /// Made for the first search, because most runs end without one.
    shared_memory: Option<SharedMemory>,
    disk_was_full: bool,
    /// The free space of the disk at the last walk.
    free_bytes: u64,
}

impl<'a> Limiter<'a> {
    /// A limiter for programs whose sockets and pipes have the capacity `room`.
    pub(super) fn new(
        limits: Limits,
        workdir: &'a Workdir,
        room: ChannelCapacity,
        memory_group: Option<&'a MemoryGroup>,
    ) -> Self {
        let now = Instant::now();
        Self {
            limits,
            workdir,
            room,
            memory_group,
            last: None,
            next_walk: now + WALK_PERIOD,
            next_search: now,
            next_count: now,
            shares: false,
            shared_memory: None,
            disk_was_full: false,
            free_bytes: workdir.free_space().map_or(0, |free| free.bytes),
        }
    }

    /// The living processes and the limit that is exceeded now, if any.
    pub(super) fn look(&mut self) -> (&TreeUsage, Option<Exceeded>) {
        let last = self.last.take();
        let resting = last.filter(|(sampled, usage)| sampled.elapsed() < LONGEST_REST && usage.is_resting());
        if let Some(last) = resting {
            return (&self.last.insert(last).1, None);
        }
        let sampled = Instant::now();
        let usage = TreeUsage::look(self.limits.processes);
        let exceeded = self.exceeded(&usage);
        (&self.last.insert((sampled, usage)).1, exceeded)
    }

    fn exceeded(&mut self, usage: &TreeUsage) -> Option<Exceeded> {
        self.processes(usage)
            .or_else(|| self.memory(usage))
            .or_else(|| self.passed_by_group())
            .or_else(|| self.directory_gradually(usage))
    }

    /// Whether the disk was full at any sample: then a missing or truncated output proves nothing about the program.
    pub(super) fn disk_was_full(&self) -> bool {
        self.disk_was_full || self.workdir.free_space().is_some_and(FreeSpace::is_full)
    }

    /// The limit exceeded by what is visible after the end: the directory, and the largest process.
    pub(super) fn last_look(&self, peak_rss_bytes: u64) -> Option<Exceeded> {
        self.memory_of(peak_rss_bytes).or_else(|| self.passed_by_group()).or_else(|| self.directory(0))
    }

    /// The limit that an answer on standard output has exceeded.
    pub(super) fn answer_size(&self) -> Exceeded {
        Exceeded::AnswerSize { limit_bytes: self.limits.output_bytes }
    }

    /// The living processes, each with its number of threads.
    pub(super) fn living(&self) -> TreeUsage {
        TreeUsage::look(self.limits.processes)
    }

    /// The limit for which the kernel killed a process.
    fn passed_by_group(&self) -> Option<Exceeded> {
        self.memory_group.and_then(MemoryGroup::passed)
    }

    fn processes(&self, usage: &TreeUsage) -> Option<Exceeded> {
        let limit = self.limits.processes;
        (usage.tasks > limit).then_some(Exceeded::Processes { used: usage.tasks, limit })
    }

    fn memory(&mut self, usage: &TreeUsage) -> Option<Exceeded> {
        let known = usage.file + usage.page_tables + self.workdir.bytes_in_memory();
        let shared = self.shared(usage, known + usage.private);
        let rest = known + shared + self.in_channels(usage, known + shared + usage.private);
        self.memory_of(usage.private + rest)?;
        self.memory_of(usage.private_without_copies() + rest)
    }

    /// Anonymous shared memory, besides `known` bytes of other kinds.
    fn shared(&mut self, usage: &TreeUsage, known: u64) -> u64 {
        self.shares |= usage.shared > 0;
        // Pages that are released right after being written are charged to no process, so processes with mappings for
        // them are searched. A Java machine also has such mappings and only reserves them, so not at every sample.
        let now = Instant::now();
        let suspected = known + usage.unexplained > self.limits.memory_bytes && now >= self.next_search;
        if !self.shares && !suspected {
            return 0;
        }
        let found = usage.shared.max(usage.mapped_of(self.shared_memory.get_or_insert_with(SharedMemory::new)));
        self.shares |= found > 0;
        self.next_search = now + WALK_PERIOD;
        found
    }

    /// The capacity of sockets and pipes, if together with `known` it could exceed the limit.
    fn in_channels(&mut self, usage: &TreeUsage, known: u64) -> u64 {
        let started = Instant::now();
        let at_most = self.room.at_most(usage.descriptors);
        if known + at_most <= self.limits.memory_bytes || started < self.next_count {
            return 0;
        }
        let members = usage.members.iter();
        let held =
            OpenChannels::of(members.map(|member| (&member.proc_dir, member.status.descriptors))).hold(&self.room);
        self.next_count = started + started.elapsed() * WALK_SHARE;
        held
    }

    fn memory_of(&self, used_bytes: u64) -> Option<Exceeded> {
        let limit_bytes = self.limits.memory_bytes;
        (used_bytes > limit_bytes).then_some(Exceeded::Memory { used_bytes, limit_bytes })
    }

    fn directory_gradually(&mut self, usage: &TreeUsage) -> Option<Exceeded> {
        let started = Instant::now();
        if let Some(free) = self.workdir.free_space() {
            if !self.is_due(free) && started < self.next_walk {
                return None;
            }
            self.free_bytes = free.bytes;
        }
        let found = self.directory(self.unlinked(usage));
        self.next_walk = Instant::now() + WALK_PERIOD.max(started.elapsed() * WALK_SHARE);
        found
    }

    /// Whether the directory is to be examined whatever that costs: before the program can remove what it has filled
    /// the disk with, and before it can fill it, because writing outruns the walks.
    fn is_due(&mut self, free: FreeSpace) -> bool {
        let fills_up = free.is_full() && !self.disk_was_full;
        self.disk_was_full |= fills_up;
        fills_up || self.free_bytes.saturating_sub(free.bytes) > self.limits.directory_bytes / 2
    }

    fn unlinked(&self, usage: &TreeUsage) -> u64 {
        let members = usage.members.iter().map(|member| &member.proc_dir);
        self.workdir.site().map_or(0, |site| unlinked_bytes(members, site, &self.limits))
    }

    /// Checks the directory, with this many bytes in deleted files.
    fn directory(&self, unlinked_bytes: u64) -> Option<Exceeded> {
        let holds = self.workdir.holds(self.limits.directory_bytes, self.limits.directory_files);
        exceeded_by(holds + DirUsage { bytes: unlinked_bytes, files: 0 }, &self.limits)
    }
}

/// The limit that these files exceed, if any.
pub(super) fn exceeded_by(held: DirUsage, limits: &Limits) -> Option<Exceeded> {
    let Limits { directory_bytes: limit_bytes, directory_files: limit, .. } = *limits;
    if held.bytes > limit_bytes {
        return Some(Exceeded::DirectorySize { used_bytes: held.bytes, limit_bytes });
    }
    (held.files > limit).then_some(Exceeded::DirectoryFiles { used: held.files, limit })
}

/// The sum over the living processes below this one.
#[derive(Debug, Default)]
pub(super) struct TreeUsage {
    members: Vec<Member>,
    /// Processes and threads.
    tasks: u32,
    /// Private memory; pages shared since a `fork` count once per process.
    private: u64,
    page_tables: u64,
    /// File pages, in the process with most.
    file: u64,
    /// Anonymous shared memory, in the process with most.
    shared: u64,
    /// Mappings that are neither code nor data (of files, reserved, or shared), in the process with most.
    unexplained: u64,
    /// The number of files they could have open without growing their descriptor tables.
    descriptors: u64,
}

#[derive(Debug)]
struct Member {
    pid: Pid,
    /// Its CPU time before the rest was read.
    used: Option<CpuTime>,
    /// Where the kernel tells of its memory and files.
    proc_dir: ProcDir,
    status: ProcStatus,
}

impl TreeUsage {
    /// Stops counting beyond `enough` tasks.
    ///
    /// Where the processes alone are too many, nothing is read about them: many processes that never rest share each
    /// processor with the keeper, which then waits its turn at every file of `/proc`.
    fn look(enough: u32) -> Self {
        let pids = descendants(usize::try_from(enough).unwrap_or(usize::MAX));
        let mut usage = Self { tasks: u32::try_from(pids.len()).unwrap_or(u32::MAX), ..Self::default() };
        // Processes that follow each other may be listed together, so they must all be there after the listing.
        if usage.tasks > enough && pids.iter().all(|pid| exists(*pid)) {
            return usage;
        }
        usage.tasks = 0;
        for pid in pids {
            if usage.tasks > enough {
                break;
            }
            usage.count(pid);
        }
        usage
    }

    fn count(&mut self, pid: Pid) {
        let used = cpu_clock(pid).ok();
        let Some((proc_dir, status)) = ProcStatus::of(pid) else {
            return;
        };
        self.tasks = self.tasks.saturating_add(status.threads);
        self.private += status.private;
        self.page_tables += status.page_tables;
        self.unexplained = self.unexplained.max(status.unexplained);
        self.descriptors += status.descriptors;
        self.file = self.file.max(status.file);
        self.shared = self.shared.max(status.shared);
        self.members.push(Member { pid, used, proc_dir, status });
    }

    /// Whether none of the processes has run since they were counted: a process that starts another one, takes memory
    /// or writes has to run for it.
    fn is_resting(&self) -> bool {
        let rests = |member: &Member| member.used.is_some() && member.used == cpu_clock(member.pid).ok();
        !self.members.is_empty() && self.members.iter().all(rests)
    }

    /// The processes, each with its number of threads.
    pub(super) fn processes(&self) -> impl Iterator<Item = (Pid, u32)> {
        self.members.iter().map(|member| (member.pid, member.status.threads))
    }

    /// Private memory, counting pages shared since a `fork` once.
    ///
    /// If a process ends during a count, pages that it shared weigh more in the processes read later. The smaller of
    /// two counts corrects this.
    fn private_without_copies(&self) -> u64 {
        let once =
            || self.members.iter().map(|member| proportional_share(&member.proc_dir, member.status.private)).sum();
        Ord::min(once(), once())
    }

    /// The shared memory without a file that is mapped; all that could be some, of a process that hides its own.
    fn mapped_of(&self, memory: &mut SharedMemory) -> u64 {
        let mut seen = SharedPieces::default();
        let mut hidden = 0;
        for Member { proc_dir, status, .. } in &self.members {
            match proc_dir.maps() {
                Ok(maps) => memory.add(&mut seen, &maps),
                Err(error) if proc_dir.is_hidden(&error) => hidden += status.unexplained,
                Err(_) => {}
            }
        }
        memory.count(seen) + hidden
    }
}

/// The memory of one process, with shared pages divided by their number of users; `all` if it may not be read, and 0
/// once it has ended.
fn proportional_share(proc_dir: &ProcDir, all: u64) -> u64 {
    match proc_dir.text("smaps_rollup") {
        Ok(shares) => {
            let swapped = bytes(&shares, "SwapPss:").unwrap_or(0);
            bytes(&shares, "Pss_Anon:").map_or(all, |resident| resident + swapped)
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => all,
        Err(_) => 0,
    }
}

/// The number of processes and threads of this process's user.
pub(super) fn tasks_of_user() -> u64 {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let user = geteuid().as_raw();
    // A folder has two links, plus one per subfolder, and each thread is a subfolder. Nothing else in `/proc` has such
    // a folder.
    let threads = processes.flatten().filter_map(|entry| entry.path().join("task").metadata().ok());
    let own = threads.filter(|found| found.uid() == user);
    own.map(|found| found.nlink().saturating_sub(2)).sum()
}

/// The fields of `/proc/PID/status` (proc(5)).
#[derive(Debug, PartialEq, Eq)]
struct ProcStatus {
    threads: u32,
    has_memory: bool,
    /// Resident, swapped, or in reserved huge pages.
    private: u64,
    page_tables: u64,
    file: u64,
    shared: u64,
    unexplained: u64,
    descriptors: u64,
}

impl ProcStatus {
    /// The status of a process, and where the kernel tells of its memory and files: in the folder of the process until
    /// its first thread ends, then in that of any other thread.
    fn of(pid: Pid) -> Option<(ProcDir, Self)> {
        let read_status = |proc_dir: ProcDir| {
            let status = Self::read(&proc_dir.text("status").ok()?);
            Some((proc_dir, status))
        };
        let (first, status) = read_status(ProcDir::of(pid))?;
        if status.has_memory || status.threads < 2 {
            return Some((first, status));
        }
        let other = first.threads().filter_map(|(_, thread)| read_status(thread)).find(|(_, status)| status.has_memory);
        Some(other.unwrap_or((first, status)))
    }

    /// A zombie has no memory, but is still a process.
    fn read(status: &str) -> Self {
        let number = |name| field(status, name).and_then(|count| count.parse::<u32>().ok());
        let memory = |names: &[&str]| names.iter().filter_map(|name| bytes(status, name)).sum::<u64>();
        Self {
            threads: number("Threads:").unwrap_or(1),
            has_memory: field(status, "VmSize:").is_some(),
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
    text.lines().find_map(|line| line.strip_prefix(name))?.split_ascii_whitespace().next()
}

fn bytes(text: &str, name: &str) -> Option<u64> {
    Some(field(text, name)?.parse::<u64>().ok()?.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    #[test]
    fn a_status_is_read_by_its_names() {
        let status = "Name:\tRssAnon:\nFDSize:\t64\nVmSize:\t   90 kB\nVmRSS:\t   99 kB\nRssAnon:\t    10 kB\n\
                      RssFile:\t     2 kB\nVmData:\t    40 kB\nVmStk:\t    20 kB\nVmLib:\t    10 kB\nVmPTE:\t     4 \
                      kB\n\
                      VmSwap:\t     5 kB\nThreads:\t7\n";
        let expected = ProcStatus {
            threads: 7,
            has_memory: true,
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
    fn a_process_rests_until_it_runs_again() {
        let mut echo = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_raw(echo.id().cast_signed());
        let (mut line, mut back) = (echo.stdin.take().unwrap(), echo.stdout.take().unwrap());
        let counted = || {
            let mut usage = TreeUsage::default();
            usage.count(pid);
            usage
        };
        let resting = loop {
            let usage = counted();
            if usage.is_resting() {
                break usage;
            }
        };
        line.write_all(b"x").unwrap();
        back.read_exact(&mut [0]).unwrap();
        assert!(!resting.is_resting(), "it has run for its answer");
        drop(line);
        echo.wait().unwrap();
        assert!(!counted().is_resting(), "it is no longer there");
    }
}
