//! The few system calls that neither the standard library nor nix offers in a safe form, each wrapped into one that is.
//!
//! For: everything that is Linux's own, and all of this crate's `unsafe`. Deliberately not here: any decision.
//! What must always hold: every function is safe to call from the keeper, which is a process of one single thread.
//! A port to another system replaces this file and `processes.rs`: there, a `kqueue` can stand in for the pidfd and a
//! walk over `proc_listchildpids` for the list of children, while orphans cannot be held without a subreaper.
#![expect(
    unsafe_code,
    reason = "system calls without a safe wrapper; the one file of this crate that has them"
)]

use std::convert::Infallible;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};

use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, sigprocmask};
use nix::unistd::{ForkResult, Pid};

/// The highest signal number of Linux, real-time signals included.
const LAST_SIGNAL: libc::c_int = 64;

/// The size of the kernel's set of signals.
const SIGNAL_SET_BYTES: usize = 8;

/// Makes a child that does `work` and never comes back; returns its process id.
///
/// Only to be called while this process has a single thread.
pub(super) fn fork(work: impl FnOnce() -> Infallible) -> nix::Result<Pid> {
    // SAFETY: the keeper never starts a thread, so the child inherits no lock that another thread held, and may
    // allocate and call anything. `work` does not return, so the child never runs the parent's code twice.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            // A panic must not unwind into what the child has of the parent's frames, whose destructors are not for it.
            drop(catch_unwind(AssertUnwindSafe(work)));
            exit_now(127)
        }
    }
}

/// Ends this process at once, without running destructors or flushing anything that the parent has buffered.
pub(super) fn exit_now(status: i32) -> ! {
    // SAFETY: `_exit` takes any value and touches no memory of this process.
    unsafe { libc::_exit(status) }
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Exited(u8),
    Signalled(i32),
}

/// A child that has been waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaped {
    pub(super) status: Status,
    /// The largest resident set of this child or of any child that it had itself waited for.
    pub(super) peak_rss_bytes: u64,
}

/// Which child to wait for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wait {
    /// For this one, however long it takes.
    For(Pid),
    /// For any one that has ended already.
    Ended,
}

/// What waiting came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Waited {
    Reaped(Reaped),
    /// There are children, and none of them has ended.
    NoneEnded,
    /// There are no children at all.
    NoChildren,
}

/// `wait4(2)`, which tells of each child by itself what `getrusage(2)` only tells of all of them together.
pub(super) fn wait(wait: Wait) -> nix::Result<Waited> {
    let (pid, options) = match wait {
        Wait::For(pid) => (pid.as_raw(), 0),
        Wait::Ended => (-1, libc::WNOHANG),
    };
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let reaped = loop {
        // SAFETY: both pointers are to live, writable memory of the right types.
        let result = unsafe { libc::wait4(pid, &raw mut status, options, usage.as_mut_ptr()) };
        match Errno::result(result) {
            Err(Errno::EINTR) => {}
            Err(Errno::ECHILD) => return Ok(Waited::NoChildren),
            other => break other?,
        }
    };
    if reaped == 0 {
        return Ok(Waited::NoneEnded);
    }
    // SAFETY: all-zero bytes are a valid `rusage`, and the kernel has filled it in.
    let usage = unsafe { usage.assume_init() };
    Ok(Waited::Reaped(Reaped {
        status: read_status(status),
        peak_rss_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
    }))
}

fn read_status(status: libc::c_int) -> Status {
    if libc::WIFSIGNALED(status) {
        Status::Signalled(libc::WTERMSIG(status))
    } else {
        Status::Exited(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(u8::MAX))
    }
}

/// A descriptor that becomes readable when the process has ended. `pid` must be a child that was not waited for.
pub(super) fn pidfd(pid: Pid) -> nix::Result<OwnedFd> {
    // SAFETY: the call takes two integers and returns a new descriptor or -1.
    let opened = Errno::result(unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) })?;
    let raw = i32::try_from(opened).map_err(|_| Errno::EBADF)?;
    // SAFETY: the kernel has just given us this descriptor, and nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(raw) })
}

/// Has the kernel end the process once it used that many whole seconds of CPU time.
pub(super) fn limit_cpu(pid: Pid, seconds: u64) -> nix::Result<()> {
    let limit = libc::rlimit {
        rlim_cur: seconds,
        rlim_max: seconds,
    };
    // SAFETY: `limit` is read during the call only; the old limit is not asked for.
    let result = unsafe { libc::prlimit(pid.as_raw(), libc::RLIMIT_CPU, &raw const limit, std::ptr::null_mut()) };
    Errno::result(result).map(drop)
}

/// Closes every descriptor above standard error, except `spared`. Whoever calls this has no use for any other.
pub(super) fn close_all_but(spared: BorrowedFd<'_>) -> nix::Result<()> {
    let spared = libc::c_uint::try_from(spared.as_raw_fd()).map_err(|_| Errno::EBADF)?;
    close_range(3, spared - 1)?;
    close_range(spared + 1, libc::c_uint::MAX)
}

fn close_range(first: libc::c_uint, last: libc::c_uint) -> nix::Result<()> {
    if first > last {
        return Ok(());
    }
    // SAFETY: the call takes three integers. It runs in a child between fork and exec that never drops any owner of
    // the descriptors it closes.
    Errno::result(unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) }).map(drop)
}

/// Gives every signal its default meaning and lets all of them through, as a program may expect at its start.
pub(super) fn default_signals() -> nix::Result<()> {
    // The C library's own call refuses the two signals that it keeps for itself, which may be inherited as ignored all
    // the same; so the system's is called. A `struct sigaction` of zeros is the default one: `SIG_DFL`, no flags.
    let default_action = [0_u64; 8];
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: the memory is live, as large as the kernel's structure and more, and only read; a default
        // disposition runs no code of ours. Signals that cannot be set (SIGKILL, SIGSTOP) are refused without harm.
        unsafe {
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                default_action.as_ptr(),
                std::ptr::null_mut::<u64>(),
                SIGNAL_SET_BYTES,
            )
        };
    }
    sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)
}

/// Has this process outlive what a terminal or an administrator sends to all processes of the referee.
pub(super) fn ignore_polite_signals() -> nix::Result<()> {
    for signal in [
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGQUIT,
        Signal::SIGTERM,
        Signal::SIGPIPE,
    ] {
        // SAFETY: ignoring a signal runs no code of ours.
        unsafe { nix::sys::signal::signal(signal, SigHandler::SigIgn) }?;
    }
    Ok(())
}
