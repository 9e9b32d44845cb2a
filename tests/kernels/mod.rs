//! Runs tests on kernels and in environments that this machine does not have: a seccomp filter answers what an older
//! kernel, or the filter of a container, would answer.
//!
//! It cannot take features away that are no system calls: options, file systems, files in `/proc`. Of Landlock it can
//! show an older version than there is, as `landlock` does.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test program uses another part of it, so that it is dead code in the others"
)]

mod landlock;

use std::collections::BTreeMap;

use nix::errno::Errno;
use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

/// Set in an environment of `docs/environments.md` that this machine is not by itself: a container.
pub(crate) const NAMED: &str = "REFEREE_ENVIRONMENT";

/// Whether a container is around the tests, which may stop an attack by itself.
pub(crate) fn in_container() -> bool {
    std::env::var_os(NAMED).is_some()
}

/// What a kernel refuses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// It does not know this system call.
    Unknown(libc::c_long),
    /// It knows no system call that is newer than Linux 4.18.
    NewerThan4_18,
    /// It knows it, but this user, or the filter of a container, may not make it.
    Forbidden(libc::c_long),
    /// Nobody may make namespaces.
    Namespaces,
    /// It has this version of Landlock.
    LandlockVersion(u32),
}

/// Everything that the referee can do without, refused together.
pub(crate) const REFUSED_TOGETHER: [Refusal; 7] = [
    Refusal::Unknown(libc::SYS_pidfd_open),
    Refusal::Unknown(libc::SYS_close_range),
    Refusal::Unknown(libc::SYS_clone3),
    Refusal::Unknown(libc::SYS_openat2),
    Refusal::Unknown(libc::SYS_landlock_create_ruleset),
    Refusal::Unknown(libc::SYS_perf_event_open),
    Refusal::Namespaces,
];

/// The system calls of Linux 5.1 and newer have the same numbers on all architectures. Linux 4.18 has none of them.
const SINCE_5_1: std::ops::RangeInclusive<libc::c_long> = 424..=600;

/// Does `work` on a kernel that refuses these. All processes that it starts are on it, too.
pub(crate) fn below<T: Send>(refusals: &[Refusal], work: impl FnOnce() -> T + Send) -> T {
    let filters: Vec<BpfProgram> = refusals.iter().flat_map(filters).collect();
    let version = refusals.iter().find_map(|refusal| match refusal {
        Refusal::LandlockVersion(version) => Some(*version),
        _ => None,
    });
    // A filter is a thread's, and its children inherit it.
    let done = std::thread::scope(|scope| {
        let (hand_over, asked) = std::sync::mpsc::channel();
        let thread = scope.spawn(move || {
            for filter in &filters {
                apply_filter(filter).expect("every kernel has filters");
            }
            if version.is_some() {
                let questions = landlock::ask_for_the_version().expect("the kernel has had such filters since 5.0");
                hand_over.send(questions).expect("somebody waits for it");
            }
            work()
        });
        if let Some(version) = version {
            let questions = asked.recv().expect("it is the first that is done");
            landlock::answer(&questions, version, || thread.is_finished());
        }
        thread.join()
    });
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn filters(refusal: &Refusal) -> Vec<BpfProgram> {
    match *refusal {
        Refusal::Unknown(call) => vec![filter(always([call]), Errno::ENOSYS)],
        Refusal::NewerThan4_18 => vec![filter(always(SINCE_5_1), Errno::ENOSYS)],
        Refusal::Forbidden(call) => vec![filter(always([call]), Errno::EPERM)],
        Refusal::LandlockVersion(_) => Vec::new(),
        Refusal::Namespaces => {
            let flags =
                [libc::CLONE_NEWUSER, libc::CLONE_NEWPID, libc::CLONE_NEWNS, libc::CLONE_NEWIPC, libc::CLONE_NEWNET];
            let mut rules: Rules = always([libc::SYS_unshare, libc::SYS_setns]);
            rules.insert(libc::SYS_clone, flags.into_iter().map(with_flag).collect());
            // A filter cannot see its flags.
            vec![filter(rules, Errno::EPERM), filter(always([libc::SYS_clone3]), Errno::ENOSYS)]
        }
    }
}

type Rules = BTreeMap<libc::c_long, Vec<SeccompRule>>;

fn always(calls: impl IntoIterator<Item = libc::c_long>) -> Rules {
    calls.into_iter().map(|call| (call, Vec::new())).collect()
}

fn with_flag(flag: libc::c_int) -> SeccompRule {
    let flag = u64::try_from(flag).expect("flags are positive");
    let condition = SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag);
    SeccompRule::new(vec![condition.expect("calls have a first argument")]).expect("it has a condition")
}

fn filter(rules: Rules, errno: Errno) -> BpfProgram {
    let refused = SeccompAction::Errno(errno as u32);
    let architecture = std::env::consts::ARCH.try_into().expect("referee runs here");
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture);
    filter.expect("the two actions differ").try_into().expect("it is short enough")
}
