//! Namespaces (namespaces(7)): makes a keeper the first process of new ones.
//!
//! Creates user, PID, mount, IPC and network namespaces in one step, for any user. `root` decides what is mounted.
//! Either all of it must succeed, or this process must be unchanged and able to continue without. Therefore a child
//! enters and the parent stays outside: the referee knows the parent, waits for it, and ends both by ending either.

use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};

use nix::fcntl::OFlag;
use nix::sched::CloneFlags;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{ForkResult, Gid, Pid, Uid, getegid, geteuid, pipe2};

use super::calls::fork_into;
use crate::fault::HostError;
use crate::system::{Wait, exit_now, wait};

/// The namespaces of a sealed keeper. The network has no interface that is up; the IPC namespace ends System V and
/// POSIX objects with the seat.
pub(super) fn all() -> CloneFlags {
    CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWNET
}

/// The role of this process after the split.
pub(super) enum NamespaceFork<T> {
    /// The first process in the new, prepared namespaces.
    Inside(T),
    /// The parent of that process.
    Outside(Pid),
    /// Unchanged, for this reason.
    Refused(String),
}

/// A successful child's report; any other text is the reason of its failure.
const DONE: &str = "done";

/// Splits this process; the child enters these namespaces and calls `prepare`. An error means that the kernel does not
/// permit them.
pub(super) fn split<T, E: Display>(
    namespaces: CloneFlags,
    prepare: impl FnOnce() -> Result<T, E>,
) -> nix::Result<NamespaceFork<T>> {
    let (answer, ours) = pipe2(OFlag::O_CLOEXEC)?;
    // Asked before the split: inside, until the ids are mapped, every user is nobody.
    let user = namespaces.contains(CloneFlags::CLONE_NEWUSER).then(|| (geteuid(), getegid()));
    Ok(match fork_into(namespaces)? {
        ForkResult::Parent { child } => {
            drop(ours);
            await_inside(child, File::from(answer))
        }
        ForkResult::Child => {
            drop(answer);
            NamespaceFork::Inside(begin_inside(user, File::from(ours), prepare))
        }
    })
}

fn await_inside<T>(child: Pid, mut answer: File) -> NamespaceFork<T> {
    let mut said = String::new();
    let read = answer.read_to_string(&mut said);
    if read.is_ok() && said == DONE {
        return NamespaceFork::Outside(child);
    }
    let _ = wait(Wait::For(child));
    NamespaceFork::Refused(if said.is_empty() { "the process that tried it died".to_owned() } else { said })
}

/// Returns only if everything succeeded and the parent received the report.
fn begin_inside<T, E: Display>(
    user: Option<(Uid, Gid)>,
    mut parent: File,
    prepare: impl FnOnce() -> Result<T, E>,
) -> T {
    let mapped = user.map_or(Ok(()), map_user).map_err(|fault| fault.to_string());
    let prepared = mapped.and_then(|()| prepare().map_err(|fault| fault.to_string()));
    let said = parent.write_all(prepared.as_ref().map_or_else(String::as_bytes, |_| DONE.as_bytes()));
    match prepared {
        Ok(prepared) if said.is_ok() => prepared,
        Ok(_) | Err(_) => exit_now(1),
    }
}

/// Keeps this process's own user and group, and ends it with its parent.
fn map_user((user, group): (Uid, Gid)) -> Result<(), HostError> {
    let failed = HostError::when::<nix::errno::Errno>("tie itself to its parent");
    // Signals from outside the namespace reach even a first process. If the parent is already dead, the pipe is too.
    set_pdeathsig(Signal::SIGKILL).map_err(failed)?;
    let failed = HostError::when::<std::io::Error>("keep its user in a user namespace");
    // Without this, an ordinary user may not map a group (user_namespaces(7)).
    std::fs::write("/proc/self/setgroups", "deny").map_err(&failed)?;
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1")).map_err(&failed)?;
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1")).map_err(&failed)
}
