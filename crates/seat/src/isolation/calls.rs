//! The system calls for isolation that neither the standard library nor nix offers safely.
//!
//! It makes no decisions; the other files of `isolation` do. Every function must be safe to call from a single-threaded
//! process.
#![expect(unsafe_code, reason = "system calls without a safe wrapper")]

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::libc;
use nix::sched::CloneFlags;
use nix::unistd::{ForkResult, Pid, chroot, fchdir};

/// `fork(2)` into new namespaces. Must only be called while this process has a single thread.
pub(super) fn fork_into(namespaces: CloneFlags) -> nix::Result<ForkResult> {
    let flags = libc::c_long::from(namespaces.bits() | libc::SIGCHLD);
    // SAFETY: without CLONE_VM and without a stack of its own, the child is a copy, as after `fork`, of a
    // single-threaded process, so no missing thread holds a lock. The C library's cached thread id is stale in the
    // child; it is only used for locks that know their owner, where it must only be consistent.
    let child = Errno::result(unsafe { libc::syscall(libc::SYS_clone, flags, 0_usize, 0_usize, 0_usize, 0_usize) })?;
    Ok(match i32::try_from(child).map_err(|_| Errno::EOVERFLOW)? {
        0 => ForkResult::Child,
        child => ForkResult::Parent { child: Pid::from_raw(child) },
    })
}

/// Makes `root` the root directory, so that no path of this process leads out of it.
pub(super) fn change_root(root: &OwnedFd) -> nix::Result<()> {
    fchdir(root)?;
    chroot(".")
}

/// Makes everything mounted below a directory read-only, and programs there gain no privileges.
pub(super) fn make_read_only(directory: &OwnedFd) -> nix::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the path is a NUL-terminated constant, and `attributes` is only read, during the call, with its size.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            directory.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | libc::AT_RECURSIVE,
            &raw const attributes,
            size_of_val(&attributes),
        )
    };
    Errno::result(result).map(drop)
}

/// The kernel's Landlock version, 0 if none.
pub(super) fn landlock_version() -> u32 {
    const VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the call takes no memory and creates nothing.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0_usize, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// Whether the kernel supports seccomp filters that return errors.
pub(super) fn filters_are_known() -> nix::Result<()> {
    let action: u32 = libc::SECCOMP_RET_KILL_PROCESS;
    // SAFETY: the action is live and read during the call only.
    let known = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
    Errno::result(known).map(drop)
}

/// Applies a system call filter to this process and its children. Must only be called while this process has a single
/// thread.
pub(super) fn install_filter(program: &[libc::sock_filter]) -> nix::Result<()> {
    let program = libc::sock_fprog {
        len: u16::try_from(program.len()).map_err(|_| Errno::E2BIG)?,
        filter: program.as_ptr().cast_mut(),
    };
    let (mode, no_flags) = (libc::SECCOMP_SET_MODE_FILTER, 0_usize);
    // SAFETY: the program is live and has the length that is stated; the kernel only reads it, during the call.
    let result = unsafe { libc::syscall(libc::SYS_seccomp, mode, no_flags, &raw const program) };
    Errno::result(result).map(drop)
}

/// Applies Landlock rules to this process and its children.
pub(super) fn restrict_self(ruleset: BorrowedFd<'_>) -> nix::Result<()> {
    // SAFETY: the call takes two integers.
    let result = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_usize) };
    Errno::result(result).map(drop)
}

const NO_ROOT: libc::c_int = 1;
const NO_SETUID_FIXUP: libc::c_int = 1 << 2;
const NO_AMBIENT: libc::c_int = 1 << 6;

/// Prevents privileges (capabilities(7)) that a process gave up from coming back by user id 0, by a file's capabilities
/// or by inheritance. This process keeps its present ones.
pub(super) fn forbid_privileges() {
    // Each call requires a privilege itself. A process without it gains none by executing a program either:
    // `PR_SET_NO_NEW_PRIVS` prevents it.
    for capability in 0..64 {
        control(libc::PR_CAPBSET_DROP, capability);
    }
    let (lock, bits) = (1, NO_ROOT | NO_SETUID_FIXUP | NO_AMBIENT);
    control(libc::PR_SET_SECUREBITS, bits | bits << lock);
    control(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL);
}

fn control(option: libc::c_int, argument: libc::c_int) {
    // SAFETY: these options take only integers.
    unsafe { libc::prctl(option, libc::c_long::from(argument), 0_usize, 0_usize, 0_usize) };
}

/// Gives up all privileges.
pub(super) fn drop_privileges() -> nix::Result<()> {
    const VERSION_3: u32 = 0x2008_0522;
    // The kernel's `struct __user_cap_header_struct`, for this process, and two `struct __user_cap_data_struct`.
    let header: [u32; 2] = [VERSION_3, 0];
    let none = [0_u32; 6];
    // SAFETY: both are live, have the sizes of version 3, and are only read.
    let result = unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) };
    Errno::result(result).map(drop)
}
