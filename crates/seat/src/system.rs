//! Safe wrappers for the few system calls that neither the standard library nor nix offers safely.
//!
//! It contains everything specific to Linux, and this crate's `unsafe` outside `isolation`. It makes no decisions.
//! Every function must be safe to call from the keeper, which is single-threaded. A port to another system replaces
//! this file and `processes.rs`: a `kqueue` can replace the pidfd, and `proc_listchildpids` the list of children; but
//! orphans cannot be caught without a subreaper.
#![expect(unsafe_code, reason = "system calls without a safe wrapper; the one file of this crate that has them")]

use std::convert::Infallible;
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};

use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{SigHandler, SigSet, Signal};
use nix::sys::stat::{Mode, fchmod, futimens};
use nix::sys::time::TimeSpec;
use nix::unistd::{ForkResult, Pid};

/// The highest signal number of Linux, including real-time signals.
const LAST_SIGNAL: libc::c_int = 64;

/// The size of the kernel's signal set.
const SIGNAL_SET_BYTES: usize = 8;

/// Forks a child that does `work` and never returns; returns its process id.
///
/// Must only be called while this process has a single thread.
pub(super) fn fork(work: impl FnOnce() -> Infallible) -> nix::Result<Pid> {
    // SAFETY: the keeper never starts a thread, so the child inherits no lock of another thread, and may allocate and
    // call anything. `work` does not return, so the child never runs the parent's code.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            // A panic must not unwind into the parent's frames, whose destructors are not the child's.
            drop(catch_unwind(AssertUnwindSafe(work)));
            exit_now(127)
        }
    }
}

/// The path of what a handle refers to, even where something else is mounted on it.
pub(super) fn by_handle(handle: &impl AsRawFd) -> String {
    format!("/proc/self/fd/{}", handle.as_raw_fd())
}

/// Ends this process at once, without running destructors or flushing inherited buffers.
pub(super) fn exit_now(status: i32) -> ! {
    // SAFETY: `_exit` takes any value and touches no memory of this process.
    unsafe { libc::_exit(status) }
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChildStatus {
    Exited(u8),
    Signalled(i32),
}

/// A reaped child.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReapedChild {
    pub(super) status: ChildStatus,
    /// The largest resident set of this child or of any child that it reaped.
    pub(super) peak_rss_bytes: u64,
}

/// Which child to wait for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wait {
    /// This child, without timeout.
    For(Pid),
    /// Any child that has already ended.
    Ended,
}

/// The result of waiting.
#[derive(Clone, Copy, Debug)]
pub(super) enum WaitOutcome {
    Reaped(ReapedChild),
    /// There are children, but none has ended.
    NoneEnded,
    /// There are no children.
    NoChildren,
}

/// `wait4(2)`, which reports each child's usage separately; `getrusage(2)` reports only their sum.
pub(super) fn wait(wait: Wait) -> nix::Result<WaitOutcome> {
    let (pid, options) = match wait {
        Wait::For(pid) => (pid.as_raw(), 0),
        Wait::Ended => (-1, libc::WNOHANG),
    };
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let reaped = loop {
        // SAFETY: both pointers point to live, writable memory of the right types.
        let result = unsafe { libc::wait4(pid, &raw mut status, options, usage.as_mut_ptr()) };
        match Errno::result(result) {
            Err(Errno::EINTR) => {}
            Err(Errno::ECHILD) => return Ok(WaitOutcome::NoChildren),
            other => break other?,
        }
    };
    if reaped == 0 {
        return Ok(WaitOutcome::NoneEnded);
    }
    // SAFETY: all-zero bytes are a valid `rusage`, and the kernel has filled it.
    let usage = unsafe { usage.assume_init() };
    Ok(WaitOutcome::Reaped(ReapedChild {
        status: read_status(status),
        peak_rss_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
    }))
}

fn read_status(status: libc::c_int) -> ChildStatus {
    if libc::WIFSIGNALED(status) {
        ChildStatus::Signalled(libc::WTERMSIG(status))
    } else {
        ChildStatus::Exited(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(u8::MAX))
    }
}

/// A descriptor that becomes readable when the process ends. `pid` must be an unreaped child.
pub(super) fn pidfd(pid: Pid) -> nix::Result<OwnedFd> {
    // SAFETY: the call takes two integers and returns a new descriptor or -1.
    let opened = Errno::result(unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) })?;
    let raw = i32::try_from(opened).map_err(|_| Errno::EBADF)?;
    // SAFETY: the kernel just returned this descriptor, and nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(raw) })
}

/// Signals the process of a [`pidfd`], and never another one that got its number.
pub(super) fn signal_by_pidfd(process: &OwnedFd, signal: Signal) -> nix::Result<()> {
    let no_details = std::ptr::null::<libc::siginfo_t>();
    // SAFETY: the call takes integers, and no details, for which the kernel puts those of `kill`.
    let sent = unsafe {
        let signal = signal as libc::c_int;
        libc::syscall(libc::SYS_pidfd_send_signal, process.as_raw_fd(), signal, no_details, 0)
    };
    Errno::result(sent).map(drop)
}

/// Makes the kernel end the process after this many whole seconds of CPU time.
pub(super) fn limit_cpu(pid: Pid, seconds: u64) -> nix::Result<()> {
    let limit = libc::rlimit { rlim_cur: seconds, rlim_max: seconds };
    // SAFETY: `limit` is only read, during the call; the old limit is not requested.
    let result = unsafe { libc::prlimit(pid.as_raw(), libc::RLIMIT_CPU, &raw const limit, std::ptr::null_mut()) };
    Errno::result(result).map(drop)
}

/// The first version of `struct perf_event_attr`, which every kernel understands (`perf_event_open(2)`).
#[repr(C)]
#[derive(Default)]
struct PerfEventAttributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_kind: u32,
    config1: u64,
}

/// Which processes a task clock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockTarget {
    /// One process alone.
    Itself,
    /// The process, and all threads and processes that descend from it after the clock was made.
    WithDescendants,
}

/// A counter of the CPU time of `pid` (0: this process), stopped until [`start_counter`]. It reads as eight bytes:
/// nanoseconds.
pub(super) fn task_clock(pid: Pid, counted: ClockTarget) -> nix::Result<OwnedFd> {
    const SOFTWARE: u32 = 1;
    const TASK_CLOCK: u64 = 1;
    const DISABLED: u64 = 1 << 0;
    const INHERIT: u64 = 1 << 1;
    // With `perf_event_paranoid` at 2, the kernel's default, only user space may be counted. The task clock ignores the
    // flag.
    const EXCLUDE_KERNEL: u64 = 1 << 5;
    const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;
    const ANY_PROCESSOR: libc::c_int = -1;
    const NO_GROUP: libc::c_int = -1;
    let attributes = PerfEventAttributes {
        kind: SOFTWARE,
        size: u32::try_from(size_of::<PerfEventAttributes>()).map_err(|_| Errno::E2BIG)?,
        config: TASK_CLOCK,
        flags: DISABLED
            | EXCLUDE_KERNEL
            | match counted {
                ClockTarget::Itself => 0,
                ClockTarget::WithDescendants => INHERIT,
            },
        ..PerfEventAttributes::default()
    };
    // SAFETY: the structure is live, has the size that it states, and is only read; the call returns a descriptor or
    // -1.
    let opened = Errno::result(unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            pid.as_raw(),
            ANY_PROCESSOR,
            NO_GROUP,
            CLOSE_ON_EXEC,
        )
    })?;
    let raw = i32::try_from(opened).map_err(|_| Errno::EBADF)?;
    // SAFETY: the kernel just returned this descriptor, and nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(raw) })
}

/// Starts a counter made by [`task_clock`].
pub(super) fn start_counter(counter: BorrowedFd<'_>) -> nix::Result<()> {
    const ENABLE: libc::c_int = 0x2400;
    const THIS_ONE_ALONE: libc::c_int = 0;
    // SAFETY: the request takes an integer and touches no memory of this process.
    Errno::result(unsafe { libc::ioctl(counter.as_raw_fd(), ENABLE as _, THIS_ONE_ALONE) }).map(drop)
}

/// Resets a directory's attributes to those of a new one: mode, times, flags and extended attributes, including access
/// lists. This process must own it.
pub(super) fn clear_attributes(directory: BorrowedFd<'_>) -> nix::Result<()> {
    fchmod(directory, Mode::S_IRWXU)?;
    futimens(directory, &TimeSpec::UTIME_NOW, &TimeSpec::UTIME_NOW)?;
    clear_flags(directory);
    clear_extended_attributes(directory)
}

/// The `chattr(1)` flags that an owner may set. A file system without them refuses, which is fine.
fn clear_flags(directory: BorrowedFd<'_>) {
    let none: libc::c_long = 0;
    // SAFETY: the request only reads an integer, which is live and large enough, during the call.
    unsafe { libc::ioctl(directory.as_raw_fd(), libc::FS_IOC_SETFLAGS, &raw const none) };
}

fn clear_extended_attributes(directory: BorrowedFd<'_>) -> nix::Result<()> {
    // The kernel's maximum length of the list (`XATTR_LIST_MAX`).
    let mut names = vec![0_u8; 64 << 10];
    // SAFETY: the buffer is live and writable, and its length is passed.
    let listed = unsafe { libc::flistxattr(directory.as_raw_fd(), names.as_mut_ptr().cast(), names.len()) };
    let length = match Errno::result(listed) {
        Ok(length) => usize::try_from(length).unwrap_or(0),
        Err(Errno::ENOTSUP) => return Ok(()),
        Err(other) => return Err(other),
    };
    let names = names[..length].split_inclusive(|byte| *byte == 0);
    for name in names.filter_map(|name| CStr::from_bytes_with_nul(name).ok()) {
        // Attributes that only the system may remove, such as security labels, were set by the system. SAFETY: the name
        // is live, NUL-terminated, and only read.
        unsafe { libc::fremovexattr(directory.as_raw_fd(), name.as_ptr()) };
    }
    Ok(())
}

/// Closes every descriptor above standard error except `spared`. The caller must not use any other.
pub(super) fn close_all_but(spared: BorrowedFd<'_>) -> nix::Result<()> {
    let number = libc::c_uint::try_from(spared.as_raw_fd()).map_err(|_| Errno::EBADF)?;
    match close_range(3, number - 1).and_then(|()| close_range(number + 1, libc::c_uint::MAX)) {
        // Linux before 5.9, or a filter around this process that knows only older system calls.
        Err(Errno::ENOSYS | Errno::EPERM) => close_listed(spared),
        other => other,
    }
}

/// The same, by the list of open descriptors in `/proc`.
fn close_listed(spared: BorrowedFd<'_>) -> nix::Result<()> {
    let failed = |error: std::io::Error| error.raw_os_error().map_or(Errno::EIO, Errno::from_raw);
    let listed = std::fs::read_dir("/proc/self/fd").map_err(failed)?;
    let names = listed.map(|entry| entry.map(|entry| entry.file_name()).map_err(failed));
    // All are read before one is closed, because the list has a descriptor itself.
    let names: Vec<_> = names.collect::<nix::Result<_>>()?;
    let numbers = names.iter().filter_map(|name| name.to_str()?.parse::<libc::c_int>().ok());
    for number in numbers.filter(|number| *number > libc::STDERR_FILENO && *number != spared.as_raw_fd()) {
        // SAFETY: as in `close_range`. The list's own number is free by now, which is no error here.
        unsafe { libc::close(number) };
    }
    Ok(())
}

fn close_range(first: libc::c_uint, last: libc::c_uint) -> nix::Result<()> {
    if first > last {
        return Ok(());
    }
    // SAFETY: the call takes three integers. It runs in a child between fork and exec that never drops an owner of
    // these descriptors.
    Errno::result(unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) }).map(drop)
}

/// Resets every signal to its default action, as a program may expect at its start.
pub(super) fn default_signals() {
    // The C library's function refuses its two reserved signals, which may nevertheless be inherited as ignored; so
    // this calls the kernel directly. A zeroed `struct sigaction` is the default: `SIG_DFL`, no flags.
    let default_action = [0_u64; 8];
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: the memory is live, at least as large as the kernel's structure, and only read; a default action runs
        // no code of ours. The kernel refuses signals that cannot be set (SIGKILL, SIGSTOP).
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
}

/// Makes the socket on standard input hang up when this process's parent ends.
///
/// Both must be single-threaded: the kernel sends the signal when the *thread* that made this process ends.
pub(super) fn hang_up_with_parent() -> nix::Result<()> {
    /// A signal that no administrator and no batch system sends.
    const SIGNAL: libc::c_int = 50;
    extern "C" fn hang_up(_: libc::c_int) {
        let interrupted = Errno::last_raw();
        // SAFETY: the call takes integers and is async-signal-safe (signal-safety(7)).
        unsafe { libc::shutdown(libc::STDIN_FILENO, libc::SHUT_RDWR) };
        Errno::set_raw(interrupted);
    }
    let handler = hang_up as extern "C" fn(libc::c_int);
    // SAFETY: the handler only makes async-signal-safe calls.
    let before = unsafe { libc::signal(SIGNAL, handler as libc::sighandler_t) };
    if before == libc::SIG_ERR {
        return Err(Errno::last());
    }
    // SAFETY: this option takes an integer.
    Errno::result(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::c_long::from(SIGNAL)) }).map(drop)
}

/// Blocks the signals that a terminal or an administrator sends to all processes of the referee.
///
/// An ignored signal would stay ignored in a program. A launcher unblocks all at once.
pub(super) fn block_termination_signals() -> nix::Result<()> {
    let signals = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM, Signal::SIGPIPE];
    signals.into_iter().collect::<SigSet>().thread_block()
}

/// Restores the default actions of `signals`, and unblocks them for this thread and the threads that it starts. A
/// process inherits ignored and blocked signals. If it ignores SIGCHLD, the kernel does not keep its ended children
/// (wait(2)); if it blocks SIGCHLD, waiting with a timeout lasts until the timeout.
///
/// # Errors
///
/// If one of them has no other action, as SIGKILL.
pub fn restore_signals(signals: &[Signal]) -> nix::Result<()> {
    for signal in signals {
        // SAFETY: the default action runs no code of ours.
        unsafe { nix::sys::signal::signal(*signal, SigHandler::SigDfl) }?;
    }
    signals.iter().copied().collect::<SigSet>().thread_unblock()
}

/// Whether this process ignores the signal, as after nohup(1).
pub fn is_ignored(signal: Signal) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action, the call only fills in the current one.
    let found = unsafe { libc::sigaction(signal as libc::c_int, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: the call has filled it in.
    found == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Makes the kernel forget each child of this process at its end, as an agent can in order to hide its CPU time.
///
/// # Errors
///
/// None that Linux documents.
pub fn forget_children() -> nix::Result<()> {
    // SAFETY: ignoring a signal runs no code of ours.
    unsafe { nix::sys::signal::signal(Signal::SIGCHLD, SigHandler::SigIgn) }.map(drop)
}

/// Lets this thread, and the threads and processes that it starts from now on, run only where nothing else wants the
/// processor, so that an analysis takes no processor time from a timed game. If the system refuses, they run as before.
///
/// Linux has the policy `SCHED_IDLE` for that (sched(7)); elsewhere, the lowest priority comes closest.
pub fn yield_to_others() {
    #[cfg(target_os = "linux")]
    {
        let parameters = libc::sched_param { sched_priority: 0 };
        // SAFETY: the call reads `parameters`, which outlives it, and changes nothing in this process's memory.
        let _ = unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) };
    }
    #[cfg(not(target_os = "linux"))]
    {
        // SAFETY: the call takes numbers, and changes nothing in this process's memory.
        let _ = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, 19) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn restored_signals_are_neither_ignored_nor_blocked() {
        let signal = Signal::SIGUSR2;
        // SAFETY: ignoring a signal runs no code of ours.
        unsafe { nix::sys::signal::signal(signal, SigHandler::SigIgn) }.unwrap();
        [signal].into_iter().collect::<SigSet>().thread_block().unwrap();
        assert!(is_ignored(signal));
        restore_signals(&[signal]).unwrap();
        assert!(!is_ignored(signal) && !SigSet::thread_get_mask().unwrap().contains(signal));
    }

    #[test]
    fn threads_inherit_the_policy_of_idle_work() {
        // SAFETY: the call takes a number.
        let policy = || unsafe { libc::sched_getscheduler(0) };
        let of_thread = std::thread::spawn(move || {
            yield_to_others();
            std::thread::spawn(policy).join().unwrap()
        });
        assert_eq!(of_thread.join().unwrap(), libc::SCHED_IDLE);
        assert_eq!(policy(), libc::SCHED_OTHER, "other threads of the process go on as before");
    }
}
