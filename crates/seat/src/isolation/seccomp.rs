//! seccomp (seccomp(2)): the filter of a program's system calls. [`super::set_up`] builds it once a seat; each launcher
//! installs it.
//!
//! It covers what file rules do not: sockets, other processes, objects that outlive a process, administration, and
//! calls that bypass these rules. It is a list of refused calls, because runtimes differ in their needs and change with
//! every release; calls newer than the list are refused too. A call that a runtime can do without must fail with
//! `ENOSYS`, so that the runtime falls back; any other refused call must fail with `EPERM`, so that the failure is
//! reported.
//!
//! At `bare` it refuses only what no meter can see (`UNMETERED`), and what could be the same in disguise: 32-bit calls
//! and calls newer than the list.
//!
//! Decisions:
//!
//! - `memfd_create` is refused: its content is memory that is charged to no process and not limited. It cannot be
//!   executed anyway, and no language of the courses needs it (only a non-default collector of Java does).
//! - `setsid` and `setpgid` are refused: all processes of a run stay in one group, which is killed at once.
//! - `socketpair` is allowed for connected pairs, which Python's multiprocessing and event loops use. Unconnected ones
//!   could send to any address.
//! - `sendmsg` is refused: it puts files into a socket, where they use memory that is charged to no process. `write`
//!   and `sendto` send data. Passing descriptors between processes fails (Python's `multiprocessing` does so for
//!   connections sent through connections).
//! - The capacity of a socket or pipe cannot be changed (`SO_SNDBUF`, `F_SETPIPE_SZ`), so `limiter` knows it. Pages
//!   cannot be put into pipes without writing (`vmsplice`, `sendfile`): each may keep a page of 2 MiB alive.
//! - A file gets disk space only by writing, which takes time: `fallocate` could fill a disk in a few calls, before the
//!   next sample. No allowed request of `ioctl` reserves or shares space either.
//! - Files cannot be locked, leased or watched. Other programs read the same files, so a lock could send them a
//!   message, and each takes uncounted kernel memory. A database in a file fails without locks.
//! - Calls that reveal which pages of a file are cached, or evict them, are refused: either would carry information
//!   from one game to the next. Read times and fault counts (`getrusage`) still reveal it.
//! - `ioctl` has a list of allowed requests, because its effect depends on the file system: some let the owner change a
//!   file's attributes without write permission.
//! - Memory cannot be given a name (`PR_SET_VMA`): each name takes uncounted kernel memory.
//! - A thread shares the descriptors of its process (`CLONE_FILES`, no `CLOSE_RANGE_UNSHARE`): a table of its own is
//!   not in `/proc/PID/fd`, where `limiter` counts sockets, pipes and deleted files.
//! - `clone3` is refused because a filter cannot see its arguments; every C library falls back on `clone`.
//! - Where Landlock does not restrict truncation (before Linux 6.2), the filter does, and only mounts do at `sealed`: a
//!   file is cut through a descriptor that Landlock let the program open for writing, never by its path.
//! - Without a mount namespace a program cannot change modes, owners, times or attributes of files, even its own: a
//!   filter cannot distinguish them from others. Copying a file with its mode fails there.

use nix::libc::{self, sock_filter};
use nix::unistd::getpid;

use super::bpf::{ArgumentTest, CallDecision, CallDecisions, Condition, compile};
use super::calls::{filters_are_known, install_filter};
use super::refused_calls::{FORBIDDEN, METADATA, UNFIT, UNKNOWN, UNMETERED, UNSUPPORTED};
use super::{Isolation, Processors, landlock};
use crate::fault::{HostError, in_words};

/// The newest system call considered (`mseal`, Linux 6.10). Numbers above a much older one are the same on all
/// architectures.
const NEWEST: u32 = 462;

/// `ioctl(2)` requests that are allowed: of any descriptor `FIONREAD`, `FIONBIO`, `FIONCLEX`, `FIOCLEX`; of terminals
/// `TCGETS`, `TCGETS2`, `TIOCGPGRP`, `TIOCGWINSZ`, which report that there is none; of files `FIGETBSZ`,
/// `FS_IOC_GETFLAGS`, `FS_IOC_FIEMAP`.
const REQUESTS: [u32; 11] =
    [0x541b, 0x5421, 0x5450, 0x5451, 0x5401, 0x802c_542a, 0x540f, 0x5413, 0x0002, 0x8008_6601, 0xc020_660b];

/// `FS_IOC_SETFLAGS`, `FS_IOC_FSSETXATTR`: allowed if the working directory is a file system of its own, since
/// everything else is then read-only.
const METADATA_REQUESTS: [u32; 3] = [0x4008_6602, 0x4004_6602, 0x401c_5820];

/// `fcntl(2)` commands that are refused: signals to others through a descriptor (`F_SETOWN`, `F_SETOWN_EX`), locks
/// (`F_GETLK`, `F_SETLK`, `F_SETLKW`, and the same of open files), `F_SETLEASE`, `F_NOTIFY`, `F_SETPIPE_SZ`, and write
/// hints on files (`F_SET_RW_HINT`, `F_SET_FILE_RW_HINT`).
const COMMANDS: [u32; 13] = [8, 15, 5, 6, 7, 36, 37, 38, 1024, 1026, 1031, 1036, 1038];

/// Evicts pages of files that a program may only read from the page cache.
const POSIX_FADV_DONTNEED: u32 = 4;
const MADV_PAGEOUT: u32 = 21;

/// Shares identical pages with other processes, which can detect it by the time of a write.
const MADV_MERGEABLE: u32 = 12;
const PR_SET_MEMORY_MERGE: u32 = 67;

/// Keeps programs of others off the other threads of the same processor core.
const PR_SCHED_CORE: u32 = 62;

/// Of `close_range(2)`: gives the calling thread a table of descriptors of its own.
const CLOSE_RANGE_UNSHARE: u32 = 2;

/// Whether the kernel supports filters.
pub(super) fn available() -> Result<(), String> {
    architecture().ok_or("there is no list of system calls for this processor")?;
    filters_are_known().map_err(|errno| format!("the kernel has no seccomp filters: {}", in_words(errno)))
}

/// A compiled filter.
#[derive(Debug)]
pub(super) struct Filter {
    decisions: CallDecisions,
    architecture: u32,
    /// `None` where Landlock does not restrict signals: each program then has a filter of its own, and can signal only
    /// its first process.
    program: Option<Vec<sock_filter>>,
}

impl Filter {
    pub(super) fn new(level: Isolation, processors: Processors) -> Result<Self, HostError> {
        let unknown = || HostError::when("make a list of system calls")("there is none for this processor");
        let architecture = architecture().ok_or_else(unknown)?;
        let mut decisions = decisions(level, processors);
        if level == Isolation::Confined && !landlock::keeps_sizes() {
            decisions.extend(truncation());
        }
        let is_common = level == Isolation::Bare || landlock::keeps_signals();
        Ok(Self { program: is_common.then(|| compile(&ranges(&decisions), architecture)), architecture, decisions })
    }

    /// Applies the filter to this process, which must have given up new privileges, and its children.
    pub(super) fn install(&self) -> nix::Result<()> {
        if let Some(program) = &self.program {
            return install_filter(program);
        }
        let mut decisions = self.decisions.clone();
        decisions.extend(signals_but_to_oneself());
        install_filter(&compile(&ranges(&decisions), self.architecture))
    }
}

/// This processor's number in a filter's input (`AUDIT_ARCH_*` in `linux/audit.h`).
const fn architecture() -> Option<u32> {
    if cfg!(target_arch = "x86_64") {
        Some(0xc000_003e)
    } else if cfg!(target_arch = "aarch64") {
        Some(0xc000_00b7)
    } else if cfg!(target_arch = "riscv64") {
        Some(0xc000_00f3)
    } else {
        None
    }
}

/// All system calls that are not simply allowed.
fn decisions(level: Isolation, processors: Processors) -> CallDecisions {
    let mut decisions = match level {
        Isolation::Bare => CallDecisions::new(),
        Isolation::Confined | Isolation::Sealed => confining(level, processors),
    };
    decisions.extend(UNMETERED.iter().map(|call| (*call, CallDecision::Unknown)));
    decisions
}

/// The decisions from `confined` on.
fn confining(level: Isolation, processors: Processors) -> CallDecisions {
    let metadata = if level < Isolation::Sealed { METADATA } else { &[] };
    let refused = [FORBIDDEN, metadata].concat();
    let mut decisions = by_arguments(level, processors);
    decisions.extend(refused.into_iter().map(|call| (call, CallDecision::Refused)));
    decisions.extend(UNKNOWN.iter().map(|call| (*call, CallDecision::Unknown)));
    decisions.extend(UNFIT.iter().map(|call| (*call, CallDecision::Unfit)));
    decisions.extend(UNSUPPORTED.iter().map(|call| (*call, CallDecision::Unsupported)));
    decisions
}

/// The decisions about all numbers: each holds from its number to the next one.
fn ranges(decisions: &CallDecisions) -> Vec<(u32, CallDecision)> {
    /// A bit in the numbers of x32, a second set of the same calls on x86-64.
    const X32: u32 = 1 << 30;
    let mut ranges = vec![(0, CallDecision::Allowed)];
    for (call, decision) in decisions {
        let Some(call) = u32::try_from(*call).ok().filter(|call| *call <= NEWEST) else {
            continue;
        };
        // The existing range begins with this number if the previous one was listed too.
        ranges.retain(|(start, _)| *start != call);
        ranges.extend([(call, decision.clone()), (call + 1, CallDecision::Allowed)]);
    }
    ranges.retain(|(start, _)| *start <= NEWEST);
    ranges.extend([(NEWEST + 1, CallDecision::Unknown), (X32, CallDecision::Deadly)]);
    ranges.dedup_by(|next, last| next.1 == last.1);
    ranges
}

/// The decisions that depend on arguments.
fn by_arguments(level: Isolation, processors: Processors) -> CallDecisions {
    let requests = match level {
        Isolation::Sealed => [REQUESTS.as_slice(), &METADATA_REQUESTS].concat(),
        Isolation::Bare | Isolation::Confined => REQUESTS.to_vec(),
    };
    let clone_flags = libc::CLONE_NEWNS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        // With no free descriptor, this takes a process number and starts nothing, which would mislead
        // `tree_meter::process_starts`.
        | libc::CLONE_PIDFD;
    let [thread, files] = [libc::CLONE_THREAD, libc::CLONE_FILES].map(i32::cast_unsigned);
    let shares_files = Condition { mask: thread | files, ..none_of(0, &[thread]) };
    let of_processes = [
        // A process's memory must stay readable for the keeper, which counts it.
        libc::PR_SET_DUMPABLE.cast_unsigned(),
        PR_SET_MEMORY_MERGE,
        libc::PR_SET_SECCOMP.cast_unsigned(),
        libc::PR_SET_VMA.cast_unsigned(),
        PR_SCHED_CORE,
    ];
    let affinity = match processors {
        Processors::Any => CallDecision::AllowedIf(vec![one_of(0, &[0])]),
        Processors::Given => CallDecision::Refused,
    };
    let [local, stream] = [libc::AF_UNIX, libc::SOCK_STREAM].map(i32::cast_unsigned);
    // Not the limits, processors and priorities of others.
    let own = || vec![one_of(0, &[0])];
    let conditions = [
        (libc::SYS_ioctl, vec![one_of(1, &requests)]),
        (libc::SYS_clone, vec![masked(0, clone_flags.cast_unsigned(), 0), shares_files]),
        (libc::SYS_close_range, vec![masked(2, CLOSE_RANGE_UNSHARE, 0)]),
        (libc::SYS_socketpair, vec![one_of(0, &[local]), masked(1, 0xf, stream)]),
        (libc::SYS_fcntl, vec![none_of(1, &COMMANDS)]),
        (libc::SYS_fadvise64, vec![none_of(3, &[POSIX_FADV_DONTNEED])]),
        // Out of band, a byte takes ways of its own through the kernel.
        (libc::SYS_sendto, vec![masked(3, libc::MSG_OOB.cast_unsigned(), 0)]),
        (libc::SYS_madvise, vec![none_of(2, &[MADV_PAGEOUT, MADV_MERGEABLE])]),
        // With flags: reads that do not wait for the disk.
        (libc::SYS_preadv2, vec![one_of(5, &[0])]),
        (libc::SYS_pwritev2, vec![one_of(5, &[0])]),
        (libc::SYS_prctl, vec![none_of(0, &of_processes)]),
        (libc::SYS_prlimit64, own()),
        (libc::SYS_sched_setscheduler, own()),
        (libc::SYS_sched_setparam, own()),
        (libc::SYS_sched_setattr, own()),
        (libc::SYS_setpriority, vec![one_of(1, &[0]), none_of(0, &[2])]),
        (libc::SYS_ioprio_set, vec![one_of(1, &[0]), none_of(0, &[3])]),
    ];
    let conditions = conditions.map(|(call, conditions)| (call, CallDecision::AllowedIf(conditions)));
    conditions.into_iter().chain([(libc::SYS_sched_setaffinity, affinity)]).collect()
}

/// For kernels whose Landlock does not restrict truncation: a file must be opened for writing, which Landlock does
/// restrict, before it can be cut. A filter cannot see the flags of `openat2`, which no C library needs.
fn truncation() -> CallDecisions {
    // With neither the rights to read nor to write, Landlock asks for none.
    let [cut, neither] = [libc::O_TRUNC, libc::O_ACCMODE].map(i32::cast_unsigned);
    let only_when_writing = |flags| {
        CallDecision::AllowedIf(vec![Condition {
            mask: cut | neither,
            ..none_of(flags, &[cut | libc::O_RDONLY.cast_unsigned(), cut | neither])
        }])
    };
    CallDecisions::from([
        (libc::SYS_truncate, CallDecision::Refused),
        (libc::SYS_openat, only_when_writing(2)),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, only_when_writing(1)),
        (libc::SYS_openat2, CallDecision::Unknown),
    ])
}

/// For kernels whose Landlock does not restrict signals: the program's first process may signal itself, its group and
/// its threads; only the keeper may signal its children.
fn signals_but_to_oneself() -> CallDecisions {
    let own = getpid().as_raw().cast_unsigned();
    let group = getpid().as_raw().wrapping_neg().cast_unsigned();
    let to_oneself = || CallDecision::AllowedIf(vec![one_of(0, &[own])]);
    CallDecisions::from([
        (libc::SYS_kill, CallDecision::AllowedIf(vec![one_of(0, &[own, group, 0])])),
        (libc::SYS_tgkill, to_oneself()),
        (libc::SYS_tkill, to_oneself()),
        (libc::SYS_rt_sigqueueinfo, to_oneself()),
        (libc::SYS_rt_tgsigqueueinfo, to_oneself()),
        (libc::SYS_pidfd_send_signal, CallDecision::Refused),
    ])
}

fn one_of(argument: u8, values: &[u32]) -> Condition {
    Condition { argument, mask: u32::MAX, test: ArgumentTest::OneOf(values.to_vec()) }
}

fn none_of(argument: u8, values: &[u32]) -> Condition {
    Condition { argument, mask: u32::MAX, test: ArgumentTest::NoneOf(values.to_vec()) }
}

fn masked(argument: u8, mask: u32, value: u32) -> Condition {
    Condition { mask, ..one_of(argument, &[value]) }
}

#[cfg(test)]
mod tests {
    use nix::libc::c_long;

    use super::super::bpf::run;
    use super::*;

    const OWN: u32 = 0xc000_003e;
    const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;
    const REFUSED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    const UNKNOWN_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    const UNFIT_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::EINVAL as u32;
    const UNSUPPORTED_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::EOPNOTSUPP as u32;

    fn program(level: Isolation, processors: Processors) -> Vec<sock_filter> {
        compile(&ranges(&decisions(level, processors)), OWN)
    }

    /// Each instruction costs the start of every run.
    #[test]
    fn filters_are_short() {
        for level in [Isolation::Confined, Isolation::Sealed] {
            for processors in [Processors::Any, Processors::Given] {
                let length = program(level, processors).len();
                assert!(length <= 256, "{level}: {length} instructions");
            }
        }
    }

    #[test]
    fn every_number_has_its_verdict() {
        for level in [Isolation::Confined, Isolation::Sealed] {
            let program = program(level, Processors::Any);
            let by_arguments = by_arguments(level, Processors::Any);
            let action = |number| run(&program, OWN, number, [0; 6]);
            for number in (0..2000).filter(|number| !by_arguments.contains_key(&c_long::from(*number))) {
                let is_one_of = |calls: &[c_long]| calls.contains(&number.into());
                let metadata = level == Isolation::Confined && is_one_of(METADATA);
                let expected = if is_one_of(UNKNOWN) || is_one_of(UNMETERED) || number > NEWEST {
                    UNKNOWN_CALL
                } else if is_one_of(UNFIT) {
                    UNFIT_CALL
                } else if is_one_of(UNSUPPORTED) {
                    UNSUPPORTED_CALL
                } else if is_one_of(FORBIDDEN) || metadata {
                    REFUSED
                } else {
                    ALLOWED
                };
                assert_eq!(action(number), expected, "{level}: {number}");
            }
            assert_eq!(action((1 << 30) - 1), UNKNOWN_CALL);
            for x32 in [1 << 30, (1 << 30) + 39, u32::MAX] {
                assert_eq!(action(x32), libc::SECCOMP_RET_KILL_PROCESS);
            }
            assert_eq!(run(&program, 0x4000_0003, 1, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
        }
    }

    #[test]
    fn at_bare_only_what_no_meter_sees_is_refused() {
        let program = program(Isolation::Bare, Processors::Any);
        for number in 0..2000 {
            let is_unmetered = UNMETERED.contains(&number.into()) || number > NEWEST;
            let expected = if is_unmetered { UNKNOWN_CALL } else { ALLOWED };
            assert_eq!(run(&program, OWN, number, [1; 6]), expected, "{number}");
        }
        assert_eq!(run(&program, 0x4000_0003, 425, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
    }

    #[test]
    fn calls_with_arguments_are_refused_for_these_alone() {
        let flags = |flags: i32| u64::from(flags.cast_unsigned());
        let at = |argument: usize, value: u64| {
            let mut arguments = [0; 6];
            arguments[argument] = value;
            arguments
        };
        let pair = |family: i32, kind: i32| [flags(family), flags(kind), 0, 0, 0, 0];
        let whose = |which, who| [which, who, 0, 0, 0, 0];
        let alone = libc::CLONE_VM | libc::CLONE_FS | libc::CLONE_THREAD | libc::CLONE_SETTLS;
        let thread = alone | libc::CLONE_FILES;
        let mut cases = vec![
            (libc::SYS_ioctl, at(1, 0x5413), true),
            (libc::SYS_ioctl, at(1, 0x5412), false),
            (libc::SYS_ioctl, at(1, 1 << 32 | 0x5412), false),
            (libc::SYS_clone, at(0, flags(libc::SIGCHLD)), true),
            (libc::SYS_clone, at(0, flags(thread)), true),
            (libc::SYS_clone, at(0, flags(thread | libc::CLONE_PIDFD)), false),
            (libc::SYS_clone, at(0, flags(alone)), false),
            (libc::SYS_close_range, at(2, 4), true),
            (libc::SYS_close_range, at(2, 2), false),
            (libc::SYS_socketpair, pair(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC), true),
            (libc::SYS_socketpair, pair(libc::AF_UNIX, libc::SOCK_DGRAM), false),
            (libc::SYS_socketpair, pair(libc::AF_INET, libc::SOCK_STREAM), false),
            (libc::SYS_fcntl, at(1, flags(libc::F_DUPFD_CLOEXEC)), true),
            (libc::SYS_fadvise64, at(3, 3), true),
            (libc::SYS_fadvise64, at(3, 4), false),
            (libc::SYS_sendto, at(3, flags(libc::MSG_NOSIGNAL)), true),
            (libc::SYS_sendto, at(3, flags(libc::MSG_NOSIGNAL | libc::MSG_OOB)), false),
            (libc::SYS_madvise, at(2, 4), true),
            (libc::SYS_madvise, at(2, 12), false),
            (libc::SYS_madvise, at(2, 21), false),
            (libc::SYS_preadv2, at(5, 0), true),
            (libc::SYS_preadv2, at(5, 8), false),
            (libc::SYS_pwritev2, at(5, 1), false),
            (libc::SYS_prctl, at(0, flags(libc::PR_SET_NAME)), true),
            (libc::SYS_prctl, at(0, flags(libc::PR_SET_DUMPABLE)), false),
            (libc::SYS_prctl, at(0, 67), false),
            (libc::SYS_prctl, at(0, flags(libc::PR_SET_SECCOMP)), false),
            (libc::SYS_prctl, at(0, flags(libc::PR_SET_VMA)), false),
            (libc::SYS_prctl, at(0, 62), false),
            (libc::SYS_setpriority, whose(0, 0), true),
            (libc::SYS_setpriority, whose(0, 1), false),
            (libc::SYS_setpriority, whose(2, 0), false),
            (libc::SYS_ioprio_set, whose(1, 0), true),
            (libc::SYS_ioprio_set, whose(1, 7), false),
            (libc::SYS_ioprio_set, whose(3, 0), false),
        ];
        let spaces = [
            libc::CLONE_NEWNS,
            libc::CLONE_NEWCGROUP,
            libc::CLONE_NEWUTS,
            libc::CLONE_NEWIPC,
            libc::CLONE_NEWUSER,
            libc::CLONE_NEWPID,
            libc::CLONE_NEWNET,
        ];
        cases.extend(spaces.map(|space| (libc::SYS_clone, at(0, flags(space | libc::SIGCHLD)), false)));
        cases.extend(COMMANDS.map(|command| (libc::SYS_fcntl, at(1, command.into()), false)));
        let of_others = [
            libc::SYS_prlimit64,
            libc::SYS_sched_setaffinity,
            libc::SYS_sched_setscheduler,
            libc::SYS_sched_setparam,
            libc::SYS_sched_setattr,
        ];
        cases.extend(of_others.map(|call| (call, at(0, 0), true)));
        cases.extend(of_others.map(|call| (call, at(0, 1), false)));
        let allowed = |level, processors, call: c_long, arguments| match run(
            &program(level, processors),
            OWN,
            u32::try_from(call).unwrap(),
            arguments,
        ) {
            ALLOWED => true,
            REFUSED => false,
            other => panic!("{other:#x}"),
        };
        for level in [Isolation::Confined, Isolation::Sealed] {
            for (call, arguments, expected) in &cases {
                let found = allowed(level, Processors::Any, *call, *arguments);
                assert_eq!(found, *expected, "{level}: {call}{arguments:?}");
            }
            assert!(!allowed(level, Processors::Given, libc::SYS_sched_setaffinity, [0; 6]));
            let sets_flags = allowed(level, Processors::Any, libc::SYS_ioctl, at(1, 0x4008_6602));
            assert_eq!(sets_flags, level == Isolation::Sealed);
        }
    }

    #[test]
    fn without_help_of_landlock_a_program_signals_itself_alone() {
        let all = [decisions(Isolation::Sealed, Processors::Any), signals_but_to_oneself()];
        let program = compile(&ranges(&all.into_iter().flatten().collect()), OWN);
        let own = u64::from(std::process::id());
        let group = u64::from(std::process::id().wrapping_neg());
        let others = [libc::SYS_tgkill, libc::SYS_tkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];
        let mut cases = vec![(libc::SYS_kill, own, ALLOWED), (libc::SYS_kill, group, ALLOWED)];
        cases.extend([(libc::SYS_kill, 0, ALLOWED), (libc::SYS_kill, own + 1, REFUSED)]);
        cases.extend([(libc::SYS_kill, u64::MAX, REFUSED), (libc::SYS_pidfd_send_signal, 0, REFUSED)]);
        cases.extend(others.map(|call| (call, own, ALLOWED)));
        cases.extend(others.map(|call| (call, own + 1, REFUSED)));
        // The rest is as elsewhere.
        cases.extend([(libc::SYS_mount, 0, REFUSED), (libc::SYS_clone3, 0, UNKNOWN_CALL)]);
        for (call, argument, expected) in cases {
            let found = run(&program, OWN, u32::try_from(call).unwrap(), [argument, 0, 0, 0, 0, 0]);
            assert_eq!(found, expected, "{call}: {argument}");
        }
    }

    #[test]
    fn without_help_of_landlock_a_file_is_cut_only_by_who_may_write_to_it() {
        let mut decisions = by_arguments(Isolation::Confined, Processors::Any);
        decisions.extend(truncation());
        let program = compile(&ranges(&decisions), OWN);
        let open = |flags: i32| (libc::SYS_openat, 2, flags.cast_unsigned());
        let mut cases = vec![
            (open(libc::O_RDONLY | libc::O_CLOEXEC), ALLOWED),
            (open(libc::O_ACCMODE), ALLOWED),
            (open(libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC), ALLOWED),
            (open(libc::O_RDWR | libc::O_TRUNC), ALLOWED),
            (open(libc::O_RDONLY | libc::O_TRUNC), REFUSED),
            (open(libc::O_RDONLY | libc::O_CREAT | libc::O_TRUNC), REFUSED),
            (open(libc::O_ACCMODE | libc::O_TRUNC), REFUSED),
            ((libc::SYS_truncate, 1, 0), REFUSED),
            ((libc::SYS_ftruncate, 1, 0), ALLOWED),
            ((libc::SYS_openat2, 2, 0), UNKNOWN_CALL),
        ];
        #[cfg(target_arch = "x86_64")]
        cases.extend([
            ((libc::SYS_open, 1, libc::O_TRUNC.cast_unsigned()), REFUSED),
            ((libc::SYS_open, 1, libc::O_RDONLY.cast_unsigned()), ALLOWED),
        ]);
        for ((call, argument, flags), expected) in cases {
            let mut arguments = [0; 6];
            arguments[argument] = u64::from(flags);
            let found = run(&program, OWN, u32::try_from(call).unwrap(), arguments);
            assert_eq!(found, expected, "{call}: {flags:#o}");
        }
    }

    #[test]
    fn no_call_is_in_two_lists() {
        let by_arguments = by_arguments(Isolation::Confined, Processors::Any);
        let mut all: Vec<c_long> = [FORBIDDEN, METADATA, UNKNOWN, UNMETERED, UNFIT, UNSUPPORTED].concat();
        all.extend(by_arguments.keys());
        all.extend(truncation().keys());
        all.extend(signals_but_to_oneself().keys());
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
