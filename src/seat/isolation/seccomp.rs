//! seccomp (seccomp(2)): the filter of a program's system calls. [`super::set_up`] builds it once a seat; each launcher
//! installs it.
//!
//! It covers what file rules do not: sockets, other processes, objects that outlive a process, administration, and
//! calls that bypass these rules. It is a list of refused calls, because runtimes differ in their needs and change with
//! every release; calls newer than the list are refused too. A call that a runtime can do without must fail with
//! `ENOSYS`, so that the runtime falls back; any other refused call must fail with `EPERM`, so that the failure is
//! reported.
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
//!   cannot be put into pipes without writing (`vmsplice`): each may keep a page of 2 MiB alive.
//! - Files cannot be locked, leased or watched. Other programs read the same files, so a lock could send them a
//!   message, and each takes uncounted kernel memory. A database in a file fails without locks.
//! - Calls that reveal which pages of a file are cached, or evict them, are refused: either would carry information
//!   from one game to the next. Read times and fault counts (`getrusage`) still reveal it.
//! - `ioctl` has a list of allowed requests, because its effect depends on the file system: some let the owner change a
//!   file's attributes without write permission.
//! - `clone3` is refused because a filter cannot see its arguments; every C library falls back on `clone`.
//! - Without a mount namespace a program cannot change modes, owners, times or attributes of files, even its own: a
//!   filter cannot distinguish them from others. Copying a file with its mode fails there.

use std::collections::BTreeMap;

use nix::errno::Errno;
use nix::libc::{self, c_long};
use nix::unistd::getpid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use super::calls::filters_are_known;
use super::{Isolation, Processors, landlock};
use crate::seat::fault::{HostError, in_words};

type FilterRules = BTreeMap<c_long, Vec<SeccompRule>>;

/// The newest system call considered (`mseal`, Linux 6.10). Numbers above a much older one are the same on all
/// architectures.
const NEWEST: u32 = 462;

/// `cachestat(2)`, Linux 6.5.
const CACHESTAT: c_long = 451;

/// Fail with `ENOSYS`.
const UNKNOWN: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // Non-blocking reads, which reveal what is cached.
    libc::SYS_io_setup,
    libc::SYS_io_submit,
    libc::SYS_mincore,
    CACHESTAT,
    // Memory charged to no process (pages in pipes), and self-imposed rules.
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_vmsplice,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // Messages to others through files that both read.
    libc::SYS_flock,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// Always refused at `confined` and `sealed`.
const FORBIDDEN: &[c_long] = &[
    // Other processes, and leaving the process group.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // The network, and sockets with an address.
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Sending through a socket pair more than is counted, or descriptors.
    libc::SYS_setsockopt,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    // Objects that outlive their process.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmdt,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_mq_timedsend,
    libc::SYS_mq_timedreceive,
    libc::SYS_mq_notify,
    libc::SYS_mq_getsetattr,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Kernel internals with a record of vulnerabilities.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_lookup_dcookie,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_nfsservctl,
    libc::SYS_vhangup,
    libc::SYS_syslog,
    libc::SYS_acct,
    // Administration.
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Refused unless other users' files are mounted read-only.
const METADATA: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// `ioctl(2)` requests that are allowed: of any descriptor `FIONREAD`, `FIONBIO`, `FIONCLEX`, `FIOCLEX`; of terminals
/// `TCGETS`, `TCGETS2`, `TIOCGPGRP`, `TIOCGWINSZ`, which report that there is none; of files `FIGETBSZ`,
/// `FS_IOC_GETFLAGS`, `FS_IOC_FIEMAP`.
const REQUESTS: [u32; 11] = [
    0x541b,
    0x5421,
    0x5450,
    0x5451,
    0x5401,
    0x802c_542a,
    0x540f,
    0x5413,
    0x0002,
    0x8008_6601,
    0xc020_660b,
];

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

/// Whether the kernel supports filters.
pub(super) fn available() -> Result<(), String> {
    architecture().ok_or("there is no list of system calls for this processor")?;
    filters_are_known().map_err(|errno| format!("the kernel has no seccomp filters: {}", in_words(errno)))
}

/// A compiled filter.
#[derive(Debug)]
pub(super) struct Filter {
    program: BpfProgram,
    /// Where Landlock does not restrict signals, a program of several processes can signal only its first one.
    signals: bool,
}

impl Filter {
    pub(super) fn new(level: Isolation, processors: Processors) -> Result<Self, HostError> {
        let rules = by_arguments(level, processors);
        let mut program = by_number(level, &rules);
        program.extend(compile(rules)?);
        Ok(Self {
            program,
            signals: !landlock::keeps_signals(),
        })
    }

    /// Applies the filter to this process and its children.
    pub(super) fn install(&self) -> nix::Result<()> {
        let failed = |_| Errno::last();
        if self.signals {
            let rules = compile(signals_but_to_oneself()).map_err(|_| Errno::EINVAL)?;
            apply_filter(&rules).map_err(failed)?;
        }
        apply_filter(&self.program).map_err(failed)
    }
}

fn compile(rules: FilterRules) -> Result<BpfProgram, HostError> {
    let failed = || HostError::when("make a list of system calls")("it cannot be compiled");
    let eperm = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let (architecture, _) = architecture().ok_or_else(failed)?;
    SeccompFilter::new(rules, SeccompAction::Allow, eperm, architecture)
        .and_then(BpfProgram::try_from)
        .map_err(|_| failed())
}

/// This processor, and its number in a filter's input (`AUDIT_ARCH_*` in `linux/audit.h`).
const fn architecture() -> Option<(TargetArch, u32)> {
    if cfg!(target_arch = "x86_64") {
        Some((TargetArch::x86_64, 0xc000_003e))
    } else if cfg!(target_arch = "aarch64") {
        Some((TargetArch::aarch64, 0xc000_00b7))
    } else if cfg!(target_arch = "riscv64") {
        Some((TargetArch::riscv64, 0xc000_00f3))
    } else {
        None
    }
}

/// The decision about a system call by its number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallDecision {
    Allowed,
    /// Allowed, unless the filter of arguments refuses it.
    Further,
    Refused,
    Unknown,
    Deadly,
}

/// The decisions for all numbers: each holds from its number to the next one. `rules` are those of the filter of
/// arguments.
fn verdicts(level: Isolation, rules: &FilterRules) -> Vec<(u32, CallDecision)> {
    /// A bit in the numbers of x32, a second set of the same calls on x86-64.
    const X32: u32 = 1 << 30;
    let metadata = if level < Isolation::Sealed { METADATA } else { &[] };
    let refused = FORBIDDEN
        .iter()
        .chain(metadata)
        .map(|call| (*call, CallDecision::Refused));
    let unknown = UNKNOWN.iter().map(|call| (*call, CallDecision::Unknown));
    let examined = rules.keys().map(|call| (*call, CallDecision::Further));
    let mut known: Vec<(u32, CallDecision)> = refused
        .chain(unknown)
        .chain(examined)
        .filter_map(|(call, verdict)| Some((u32::try_from(call).ok()?, verdict)))
        .filter(|(call, _)| *call <= NEWEST)
        .collect();
    known.sort_unstable_by_key(|(call, _)| *call);
    let mut verdicts = vec![(0, CallDecision::Allowed)];
    for (call, verdict) in known {
        // The existing range begins with this number if the previous one was listed too.
        verdicts.retain(|(start, _)| *start != call);
        verdicts.extend([(call, verdict), (call + 1, CallDecision::Allowed)]);
    }
    verdicts.retain(|(start, _)| *start <= NEWEST);
    verdicts.extend([(NEWEST + 1, CallDecision::Unknown), (X32, CallDecision::Deadly)]);
    verdicts.dedup_by_key(|(_, verdict)| *verdict);
    verdicts
}

/// A program that finds the decision by binary search. Calls that need their arguments examined jump behind it. Calls
/// of other processors, which have other numbers, are deadly.
///
/// The compiled list tests one number after the other. The kernel tries a new filter on every system call, to cache
/// those that are always allowed. So installing takes 350 microseconds with a linear list, 160 if all allowed calls go
/// through the list of arguments, and 120 with this one. A filter of one instruction takes 13; most of the rest is the
/// kernel's translation, 0.2 for each instruction.
fn by_number(level: Isolation, rules: &FilterRules) -> BpfProgram {
    const LOAD_WORD: u16 = 0x20;
    const NUMBER: u32 = 0;
    const ARCHITECTURE: u32 = 4;
    const JUMP_IF_EQUAL: u16 = 0x15;
    let (_, own) = architecture().unwrap_or((TargetArch::x86_64, 0));
    let mut program = vec![
        step(LOAD_WORD, ARCHITECTURE, 0),
        step(JUMP_IF_EQUAL, own, 1),
        step(RETURN, libc::SECCOMP_RET_KILL_PROCESS, 0),
        step(LOAD_WORD, NUMBER, 0),
    ];
    program.extend(halve(&verdicts(level, rules), 0));
    program
}

/// Ends a filter with a decision.
const RETURN: u16 = 0x06;

/// `after` is the number of instructions between these and the filter of arguments.
fn halve(verdicts: &[(u32, CallDecision)], after: u32) -> BpfProgram {
    const JUMP: u16 = 0x05;
    const JUMP_IF_AT_LEAST: u16 = 0x35;
    let error = |error: i32| step(RETURN, libc::SECCOMP_RET_ERRNO | error.cast_unsigned(), 0);
    if let [(_, verdict)] = verdicts {
        return vec![match verdict {
            CallDecision::Allowed => step(RETURN, libc::SECCOMP_RET_ALLOW, 0),
            CallDecision::Further => step(JUMP, after, 0),
            CallDecision::Refused => error(libc::EPERM),
            CallDecision::Unknown => error(libc::ENOSYS),
            CallDecision::Deadly => step(RETURN, libc::SECCOMP_RET_KILL_PROCESS, 0),
        }];
    }
    let (low, high) = verdicts.split_at(verdicts.len() / 2);
    let upper = halve(high, after);
    let lower = halve(low, after + u32::try_from(upper.len()).expect("a filter is short"));
    let over = u8::try_from(lower.len()).expect("half of the verdicts are less than 128");
    let mut program = vec![step(JUMP_IF_AT_LEAST, high[0].0, over)];
    program.extend(lower);
    program.extend(upper);
    program
}

fn step(code: u16, k: u32, jt: u8) -> sock_filter {
    sock_filter { code, jt, jf: 0, k }
}

/// The refusals that depend on arguments.
fn by_arguments(level: Isolation, processors: Processors) -> FilterRules {
    let requests = match level {
        Isolation::Sealed => [REQUESTS.as_slice(), &METADATA_REQUESTS].concat(),
        Isolation::Bare | Isolation::Confined => REQUESTS.to_vec(),
    };
    let clone_flags = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        // With no free descriptor, this takes a process number and starts nothing, which would mislead `gauge::births`.
        libc::CLONE_PIDFD,
    ];
    // Every call meets an empty condition.
    let affinity = match processors {
        Processors::Any => vec![unequal(0, 0)],
        Processors::Given => Vec::new(),
    };
    let unconnected = (0..16).filter(|kind| *kind != libc::SOCK_STREAM.cast_unsigned());
    let local = libc::AF_UNIX.cast_unsigned();
    FilterRules::from([
        (libc::SYS_ioctl, vec![but(1, &requests)]),
        (
            libc::SYS_clone,
            clone_flags.map(|flag| all_set(0, flag.cast_unsigned())).into(),
        ),
        (
            libc::SYS_socketpair,
            unconnected
                .map(|kind| masked(1, 0xf, kind))
                .chain([unequal(0, local)])
                .collect(),
        ),
        (libc::SYS_fcntl, COMMANDS.map(|command| equal(1, command)).into()),
        (libc::SYS_fadvise64, vec![equal(3, POSIX_FADV_DONTNEED)]),
        (
            libc::SYS_madvise,
            vec![equal(2, MADV_PAGEOUT), equal(2, MADV_MERGEABLE)],
        ),
        // With flags: reads that do not wait for the disk.
        (libc::SYS_preadv2, vec![unequal(5, 0)]),
        (libc::SYS_pwritev2, vec![unequal(5, 0)]),
        // A process's memory must stay readable for the keeper, which counts it.
        (
            libc::SYS_prctl,
            vec![
                equal(0, libc::PR_SET_DUMPABLE.cast_unsigned()),
                equal(0, PR_SET_MEMORY_MERGE),
            ],
        ),
        // Limits, processors and priorities of others.
        (libc::SYS_prlimit64, vec![unequal(0, 0)]),
        (libc::SYS_sched_setaffinity, affinity),
        (libc::SYS_sched_setscheduler, vec![unequal(0, 0)]),
        (libc::SYS_sched_setparam, vec![unequal(0, 0)]),
        (libc::SYS_sched_setattr, vec![unequal(0, 0)]),
        (libc::SYS_setpriority, vec![unequal(1, 0), equal(0, 2)]),
        (libc::SYS_ioprio_set, vec![unequal(1, 0), equal(0, 3)]),
    ])
}

/// For kernels whose Landlock does not restrict signals: the program's first process may signal itself, its group and
/// its threads; only the keeper may signal its children.
fn signals_but_to_oneself() -> FilterRules {
    let own = getpid().as_raw().cast_unsigned();
    let group = getpid().as_raw().wrapping_neg().cast_unsigned();
    let others = |argument| vec![but(argument, &[own])];
    FilterRules::from([
        (libc::SYS_kill, vec![but(0, &[own, group, 0])]),
        (libc::SYS_tgkill, others(0)),
        (libc::SYS_tkill, others(0)),
        (libc::SYS_rt_sigqueueinfo, others(0)),
        (libc::SYS_rt_tgsigqueueinfo, others(0)),
        (libc::SYS_pidfd_send_signal, Vec::new()),
    ])
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u32) -> SeccompCondition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, u64::from(value))
        .expect("system calls have six arguments, and none here is beyond")
}

fn rule(conditions: Vec<SeccompCondition>) -> SeccompRule {
    SeccompRule::new(conditions).expect("no rule here is without a condition")
}

fn equal(argument: u8, value: u32) -> SeccompRule {
    rule(vec![condition(argument, SeccompCmpOp::Eq, value)])
}

fn unequal(argument: u8, value: u32) -> SeccompRule {
    but(argument, &[value])
}

/// The argument equals none of `values`.
fn but(argument: u8, values: &[u32]) -> SeccompRule {
    rule(
        values
            .iter()
            .map(|value| condition(argument, SeccompCmpOp::Ne, *value))
            .collect(),
    )
}

fn masked(argument: u8, mask: u32, value: u32) -> SeccompRule {
    rule(vec![condition(
        argument,
        SeccompCmpOp::MaskedEq(u64::from(mask)),
        value,
    )])
}

fn all_set(argument: u8, bits: u32) -> SeccompRule {
    masked(argument, bits, bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_filters_compile_and_fit_the_kernel() {
        for level in [Isolation::Confined, Isolation::Sealed] {
            for processors in [Processors::Any, Processors::Given] {
                let filter = Filter::new(level, processors).unwrap();
                assert!(filter.program.len() < 4096, "{}", filter.program.len());
            }
        }
        assert!(compile(signals_but_to_oneself()).is_ok());
    }

    /// The decision of the first part for a system call: an action, or `None` if its arguments decide.
    fn action(program: &BpfProgram, number: u32) -> Option<u32> {
        // Behind the check of the processor.
        let mut at = 4;
        loop {
            let Some(sock_filter { code, jt, k, .. }) = program.get(at).cloned() else {
                assert_eq!(at, program.len(), "further means right behind");
                return None;
            };
            at += 1;
            match code {
                0x35 if number >= k => at += usize::from(jt),
                0x35 => {}
                0x05 => at += k as usize,
                0x06 => return Some(k),
                other => panic!("{other:#x}"),
            }
        }
    }

    #[test]
    fn every_number_has_its_verdict() {
        let error = |error: i32| Some(libc::SECCOMP_RET_ERRNO | error.cast_unsigned());
        for level in [Isolation::Confined, Isolation::Sealed] {
            let rules = by_arguments(level, Processors::Any);
            let program = by_number(level, &rules);
            for number in 0..2000 {
                let is_one_of = |calls: &[c_long]| calls.contains(&number.into());
                let metadata = level == Isolation::Confined && is_one_of(METADATA);
                let expected = if is_one_of(UNKNOWN) || number > NEWEST {
                    error(libc::ENOSYS)
                } else if is_one_of(FORBIDDEN) || metadata {
                    error(libc::EPERM)
                } else if rules.contains_key(&number.into()) {
                    None
                } else {
                    Some(libc::SECCOMP_RET_ALLOW)
                };
                assert_eq!(action(&program, number), expected, "{level}: {number}");
            }
            assert_eq!(action(&program, (1 << 30) - 1), error(libc::ENOSYS));
            for x32 in [1 << 30, (1 << 30) + 39, u32::MAX] {
                assert_eq!(action(&program, x32), Some(libc::SECCOMP_RET_KILL_PROCESS));
            }
        }
    }

    #[test]
    fn no_call_is_in_two_lists() {
        let by_arguments = by_arguments(Isolation::Confined, Processors::Any);
        let mut all: Vec<c_long> = [FORBIDDEN, METADATA, UNKNOWN].concat();
        all.extend(by_arguments.keys());
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
