//! The living processes below the keeper, and their usage so far, from `/proc` (proc(5)).
//!
//! Used to kill leftovers and to check a budget during a run. The final charge comes from reaped processes instead,
//! which is exact. A reading must never exceed the real usage, whatever processes start, end or change their parent
//! meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::sys::time::TimeSpec;
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::{Pid, SysconfVar, getpid, sysconf};

use super::Charge;
use referee_time::CpuTime;

/// The unit of memory in proc(5) and getrusage(2), or close enough here.
pub(super) const PAGE_BYTES: u64 = 4096;

/// The usage of processes so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProcessUsage {
    pub(super) cpu: CpuTime,
    /// Pages of memory touched for the first time.
    pub(super) fresh_pages: u64,
    /// How much more it may be: the kernel tells in whole ticks, rounded down, what a process's reaped children used,
    /// user and system time apart.
    pub(super) rounded_off: CpuTime,
}

impl std::iter::Sum for ProcessUsage {
    fn sum<I: Iterator<Item = Self>>(uses: I) -> Self {
        uses.fold(Self::default(), |sum, one| Self {
            cpu: sum.cpu + one.cpu,
            fresh_pages: sum.fresh_pages.saturating_add(one.fresh_pages),
            rounded_off: sum.rounded_off + one.rounded_off,
        })
    }
}

/// The number of the first process in a PID namespace.
const FIRST: Pid = Pid::from_raw(1);

/// The children of this single-threaded process.
pub(super) fn children() -> io::Result<Vec<Pid>> {
    fs::read_to_string("/proc/thread-self/children").map(|list| pids(&list))
}

/// The text of a file of `/proc` or of a control group that the kernel makes in one piece: with few calls, because its
/// size is unknown beforehand. A program may have given itself a name that is no text.
pub(super) fn proc_text(file: &File) -> io::Result<String> {
    let mut bytes = vec![0; 4096];
    let mut length = 0;
    while length < bytes.len() {
        let read = file.read_at(&mut bytes[length..], length as u64)?;
        length += read;
        if length < bytes.len() {
            bytes.truncate(length);
        } else {
            bytes.resize(2 * length, 0);
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The folder of `/proc` about a process or about one of its threads.
#[derive(Debug)]
pub(super) struct ProcDir(String);

impl ProcDir {
    /// The folder of a process, which shows the memory and the files of its first thread: none once that has ended,
    /// though other threads live on and use them.
    pub(super) fn of(pid: Pid) -> Self {
        Self(format!("/proc/{pid}"))
    }

    /// Its threads and their folders.
    pub(super) fn threads(&self) -> impl Iterator<Item = (Pid, Self)> {
        let listed = fs::read_dir(format!("{}/task", self.0)).into_iter().flatten().flatten();
        let numbers = listed.filter_map(|thread| thread.file_name().to_str()?.parse().ok());
        numbers.map(|number| (Pid::from_raw(number), Self(format!("{}/task/{number}", self.0))))
    }

    /// The text of one of its files.
    pub(super) fn text(&self, name: &str) -> io::Result<String> {
        proc_text(&File::open(format!("{}/{name}", self.0))?)
    }

    /// The lines of `maps`, none once the process has ended. A program may map files whose names are no text.
    pub(super) fn maps(&self) -> io::Result<String> {
        let maps = fs::read(format!("{}/maps", self.0))?;
        Ok(String::from_utf8_lossy(&maps).into_owned())
    }

    /// Whether this error shows that the process keeps others from looking into it (`PR_SET_DUMPABLE`, or a program
    /// that may be executed and not be read). The kernel refuses the same of one that is just ending, which has no
    /// memory.
    pub(super) fn is_hidden(&self, error: &io::Error) -> bool {
        let has_memory = |status: String| status.lines().any(|line| line.starts_with("VmSize:"));
        error.kind() == ErrorKind::PermissionDenied && self.text("status").is_ok_and(has_memory)
    }

    /// The open descriptors.
    pub(super) fn descriptors(&self) -> io::Result<fs::ReadDir> {
        fs::read_dir(format!("{}/fd", self.0))
    }
}

/// The exact CPU time of one process alone.
pub(super) fn cpu_clock(pid: Pid) -> nix::Result<CpuTime> {
    clock_gettime(clock_getcpuclockid(pid)?).map(|time| cpu_time(&time))
}

/// The usage of all living descendants, and of the dead ones that they reaped.
///
/// Parents are read before their children, and no process twice. A child that ends in between is missed now and found
/// in its parent's account the next time; the other order would count it twice.
pub(super) fn living_use(charge: Charge) -> ProcessUsage {
    let all = usize::MAX;
    let living = if is_first_of_namespace() { parents_first(listed(all)) } else { found_by_descent(all) };
    living.into_iter().filter_map(|pid| use_of(pid, charge)).sum()
}

/// The living descendants, at most `at_most` plus one, in no particular order.
pub(super) fn descendants(at_most: usize) -> Vec<Pid> {
    if is_first_of_namespace() { listed(at_most) } else { found_by_descent(at_most) }
}

/// The largest resident set that any living descendant had (`VmHWM`, `proc_pid_status(5)`).
pub(super) fn peak_rss_bytes() -> u64 {
    let peak = |pid: Pid| {
        let status = ProcDir::of(pid).text("status").ok()?;
        let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        kibibytes.trim().trim_end_matches(" kB").parse::<u64>().ok()
    };
    descendants(usize::MAX).into_iter().filter_map(peak).max().unwrap_or(0) * 1024
}

/// Whether there is such a process, a zombie included (kill(2)).
pub(super) fn exists(pid: Pid) -> bool {
    kill(pid, None) != Err(Errno::ESRCH)
}

/// Whether this process is the first of a PID namespace and sees the namespace's `/proc`, like a sealed seat's keeper.
pub(super) fn is_first_of_namespace() -> bool {
    getpid() == FIRST
}

/// One listing of `/proc` names every process of the namespace.
///
/// Descending from thread to thread would work too. But the kernel keeps an entry for each file ever opened there, and
/// a thread's end waits for the removal of its entries: a Java machine has 30 threads.
fn listed(at_most: usize) -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .map(Pid::from_raw)
        .filter(|pid| *pid != FIRST)
        .take(at_most.saturating_add(1))
        .collect()
}

/// Descends from parents to children, for a process that is not alone in its `/proc`; parents come before their
/// children.
fn found_by_descent(at_most: usize) -> Vec<Pid> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut waiting = children().unwrap_or_default();
    while let Some(pid) = waiting.pop()
        && found.len() <= at_most
    {
        if seen.insert(pid) {
            found.push(pid);
            waiting.extend(children_of(pid));
        }
    }
    found
}

/// Only an ancestor can wait for a process, and a process whose parent ends gets another of its ancestors as parent. So
/// an order that was right once stays right.
fn parents_first(mut pids: Vec<Pid>) -> Vec<Pid> {
    if pids.len() > 1 {
        let parents: BTreeMap<Pid, Pid> = pids.iter().filter_map(|pid| Some((*pid, parent_of(*pid)?))).collect();
        pids.sort_by_cached_key(|pid| depth(*pid, &parents));
    }
    pids
}

/// The number of known ancestors of `pid`. Numbers reused while parents were read could form a cycle.
fn depth(pid: Pid, parents: &BTreeMap<Pid, Pid>) -> usize {
    std::iter::successors(parents.get(&pid), |parent| parents.get(parent)).take(parents.len()).count()
}

/// A process has a list of children for each thread.
pub(super) fn children_of(pid: Pid) -> Vec<Pid> {
    let process = ProcDir::of(pid);
    let lists = process.threads().filter_map(|(_, thread)| thread.text("children").ok());
    lists.flat_map(|list| pids(&list)).collect()
}

/// The parent of a process; `None` once it was reaped.
pub(super) fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = ProcDir::of(pid).text("stat").ok()?;
    ProcStat::read(&stat).map(|stat| stat.parent)
}

fn pids(list: &str) -> Vec<Pid> {
    list.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).map(Pid::from_raw).collect()
}

/// The usage of one process and its reaped children; the latter is known only in whole ticks, rounded down.
fn use_of(pid: Pid, charge: Charge) -> Option<ProcessUsage> {
    let stat = ProcDir::of(pid).text("stat").ok()?;
    let stat = ProcStat::read(&stat)?;
    Some(ProcessUsage {
        cpu: match charge {
            Charge::Cpu => cpu_clock(pid).ok()? + ticks_long(stat.children_user_ticks + stat.children_system_ticks),
            Charge::User => ticks_long(stat.user_ticks + stat.children_user_ticks),
        },
        // A fault may map one page or, for a huge page, five hundred.
        fresh_pages: stat.faults.max(stat.resident_pages),
        rounded_off: if stat.children_faults > 0 { ticks_long(2) } else { CpuTime::ZERO },
    })
}

/// The fields of `/proc/PID/stat` (proc(5)).
#[derive(Debug, PartialEq, Eq)]
struct ProcStat {
    parent: Pid,
    /// Its own, and those of its reaped children.
    faults: u64,
    /// Those of its reaped children: none of them starts without one.
    children_faults: u64,
    user_ticks: u64,
    children_user_ticks: u64,
    children_system_ticks: u64,
    resident_pages: u64,
}

impl ProcStat {
    /// The fields by number. The second is a name in parentheses that may itself contain spaces and parentheses.
    fn read(stat: &str) -> Option<Self> {
        let (_, after_name) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3);
        let count = |number| field(number)?.parse::<u64>().ok();
        Some(Self {
            parent: Pid::from_raw(field(4)?.parse().ok()?),
            faults: count(10)? + count(11)?,
            children_faults: count(11)?,
            user_ticks: count(14)?,
            children_user_ticks: count(16)?,
            children_system_ticks: count(17)?,
            resident_pages: count(24)?,
        })
    }
}

/// The duration of this many ticks of proc(5).
pub(super) fn ticks_long(ticks: u64) -> CpuTime {
    let per_second = sysconf(SysconfVar::CLK_TCK)
        .ok()
        .flatten()
        .and_then(|ticks| u64::try_from(ticks).ok())
        .filter(|ticks| *ticks > 0)
        .unwrap_or(100);
    CpuTime::from_micros(ticks.saturating_mul(1_000_000) / per_second)
}

fn cpu_time(time: &TimeSpec) -> CpuTime {
    CpuTime::from_duration((*time).into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;

    use nix::sys::wait::{Id, WaitPidFlag, waitid};

    use super::*;

    #[test]
    fn a_name_with_blanks_and_parentheses_does_not_shift_the_fields() {
        let text = "7 (a) b (c)) R 1 7 7 0 -1 4194304 94 5 0 0 11 12 13 14 20 0 1 0 100 0 321 18446744073709551615";
        let stat = ProcStat {
            parent: Pid::from_raw(1),
            faults: 99,
            children_faults: 5,
            user_ticks: 11,
            children_user_ticks: 13,
            children_system_ticks: 14,
            resident_pages: 321,
        };
        assert_eq!(ProcStat::read(text), Some(stat));
    }

    #[test]
    fn a_process_whose_name_is_no_text_is_seen_like_any_other() {
        let script = r"printf '\377' > /proc/$$/comm; echo; read -r end";
        let mut named = std::process::Command::new("/bin/sh")
            .args(["-c", script])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        io::Read::read_exact(&mut named.stdout.take().unwrap(), &mut [0]).unwrap();
        let pid = Pid::from_raw(named.id().try_into().unwrap());
        let found = use_of(pid, Charge::Cpu);
        let status = ProcDir::of(pid).text("status").unwrap();
        drop(named.stdin.take());
        named.wait().unwrap();
        assert!(found.is_some_and(|found| found.fresh_pages > 0), "{found:?}");
        assert!(status.contains("\nRssAnon:"), "{status}");
    }

    #[test]
    fn a_long_text_is_read_whole() {
        let file = tempfile::tempfile().unwrap();
        for length in [0, 1, 4095, 4096, 3 * 4096, 50_000] {
            let text = "x".repeat(length);
            file.write_all_at(text.as_bytes(), 0).unwrap();
            assert_eq!(proc_text(&file).unwrap(), text);
        }
    }

    #[test]
    fn a_line_that_is_cut_short_is_no_account() {
        for stat in ["", "7", "7 (x", "7 (x) R 1 2 3"] {
            assert_eq!(ProcStat::read(stat), None, "{stat:?}");
        }
    }

    #[test]
    fn parents_come_before_their_children_even_where_numbers_go_round() {
        let parents = [(9, 8), (8, 7), (7, 1), (5, 6), (6, 5)];
        let parents = parents.map(|(pid, parent)| (Pid::from_raw(pid), Pid::from_raw(parent)));
        let parents = BTreeMap::from(parents);
        let depth = |pid| depth(Pid::from_raw(pid), &parents);
        assert_eq!([depth(7), depth(8), depth(9), depth(4)], [1, 2, 3, 0]);
        assert_eq!(depth(5), parents.len());
    }

    /// To an ordinary user, as to root where it lacks privileges, the kernel refuses the list of its descriptors.
    #[test]
    fn a_process_that_has_ended_hides_nothing() {
        let mut ended = std::process::Command::new("/bin/true").spawn().unwrap();
        let pid = Pid::from_raw(ended.id().try_into().unwrap());
        let not_reaped = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(pid), not_reaped).unwrap();
        let refusal = io::Error::from(ErrorKind::PermissionDenied);
        assert!(!ProcDir::of(pid).is_hidden(&refusal));
        assert!(ProcDir::of(Pid::this()).is_hidden(&refusal));
        ended.wait().unwrap();
    }

    #[test]
    fn a_process_exists_until_it_was_waited_for() {
        let mut ended = std::process::Command::new("/bin/true").spawn().unwrap();
        let pid = Pid::from_raw(ended.id().try_into().unwrap());
        waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT).unwrap();
        assert!(exists(pid));
        ended.wait().unwrap();
        assert!(!exists(pid));
    }

    #[test]
    fn a_child_and_its_child_are_found_and_in_this_order() {
        let script = "sleep 60 & echo; wait";
        let mut shell = std::process::Command::new("/bin/sh")
            .args(["-c", script])
            .stdout(std::process::Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        // The byte arrives when the grandchild exists.
        io::Read::read_exact(&mut shell.stdout.take().unwrap(), &mut [0]).unwrap();
        let pid = Pid::from_raw(shell.id().try_into().unwrap());
        let grandchild = children_of(pid);
        assert_eq!(grandchild.len(), 1);
        let ordered = parents_first(vec![grandchild[0], pid]);
        nix::sys::signal::killpg(pid, nix::sys::signal::Signal::SIGKILL).unwrap();
        shell.wait().unwrap();
        assert_eq!(ordered, [pid, grandchild[0]]);
    }
}
