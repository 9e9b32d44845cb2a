//! Namespaces (namespaces(7)): a keeper in a world of its own, of which it is the first process.
//!
//! For: user, PID, mount, IPC and network namespaces in one step, by anybody. Deliberately not here: what is mounted
//! (`root`). What must always hold: either all of it succeeds, or this process is as it was before and can go on
//! without. So it is a child that enters, and the parent stays outside: the referee knows the parent, waits for it, and
//! ends both by ending either.

use std::fs::File;
use std::io::{Read, Write};

use nix::fcntl::OFlag;
use nix::sched::CloneFlags;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{ForkResult, Gid, Pid, Uid, getegid, geteuid, pipe2};

use super::calls::fork_into;
use crate::seat::fault::{HostError, in_words};
use crate::seat::system::{Wait, exit_now, wait};

/// What a sealed keeper has of its own. The network has no interface that is up; of IPC, what outlives its users.
pub(super) fn all() -> CloneFlags {
    CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWNET
}

/// What this process is now.
pub(super) enum NamespaceFork<T> {
    /// The first process in new namespaces, which are made ready.
    Inside(T),
    /// The parent of that one.
    Outside(Pid),
    /// As before, because of this.
    Refused(String),
}

/// What a child says when it has succeeded; anything else is why it has not.
const DONE: &str = "done";

/// Splits this process, and has the part that is inside `prepare` itself.
pub(super) fn split<T>(prepare: impl FnOnce() -> Result<T, HostError>) -> NamespaceFork<T> {
    let refused = |errno| NamespaceFork::Refused(format!("namespaces are not permitted: {}", in_words(errno)));
    let (answer, ours) = match pipe2(OFlag::O_CLOEXEC) {
        Ok((answer, ours)) => (File::from(answer), File::from(ours)),
        Err(errno) => return refused(errno),
    };
    // Asked before the split: inside, until the ids are mapped, everybody is nobody.
    let user = (geteuid(), getegid());
    match fork_into(all()) {
        Ok(ForkResult::Parent { child }) => {
            drop(ours);
            await_inside(child, answer)
        }
        Ok(ForkResult::Child) => {
            drop(answer);
            NamespaceFork::Inside(begin_inside(user, ours, prepare))
        }
        Err(errno) => refused(errno),
    }
}

fn await_inside<T>(child: Pid, mut answer: File) -> NamespaceFork<T> {
    let mut said = String::new();
    // A child that dies without a word has said nothing, which is not the right word.
    let read = answer.read_to_string(&mut said);
    if read.is_ok() && said == DONE {
        return NamespaceFork::Outside(child);
    }
    let _ = wait(Wait::For(child));
    NamespaceFork::Refused(said)
}

/// Comes back only if all went well and the parent is still there to be told so.
fn begin_inside<T>(user: (Uid, Gid), mut parent: File, prepare: impl FnOnce() -> Result<T, HostError>) -> T {
    let prepared = map_user(user).and_then(|()| prepare());
    let said = match &prepared {
        Ok(_) => parent.write_all(DONE.as_bytes()),
        Err(fault) => parent.write_all(fault.to_string().as_bytes()),
    };
    match prepared {
        Ok(prepared) if said.is_ok() => prepared,
        Ok(_) | Err(_) => exit_now(1),
    }
}

/// This process keeps its own user and group, and ends when its parent does.
pub(super) fn map_user((user, group): (Uid, Gid)) -> Result<(), HostError> {
    let failed = HostError::when::<nix::errno::Errno>("tie itself to its parent");
    // From outside its namespace a signal reaches even a first process. If the parent is dead already, the pipe is.
    set_pdeathsig(Signal::SIGKILL).map_err(failed)?;
    let failed = HostError::when::<std::io::Error>("keep its user in a user namespace");
    // Without this an ordinary user may not map a group (user_namespaces(7)).
    std::fs::write("/proc/self/setgroups", "deny").map_err(&failed)?;
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1")).map_err(&failed)?;
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1")).map_err(&failed)
}
