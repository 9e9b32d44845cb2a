//! Tells a keeper that its program has ended, by a descriptor that it can wait for together with others.
//!
//! A pidfd (Linux 5.3), which becomes readable at the end of that one process; or, where there is none, this process's
//! SIGCHLD as a descriptor, which also becomes readable at the end of any other child. So a caller that wakes up asks
//! [`EndNotice::has_come`]. It reaps nothing: the process must still be waitable when its end is noticed. An end must
//! never be missed: the signal is blocked before the process is told to start, and stays pending until it is read.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use super::system::pidfd;

/// The notice of one unreaped child's end.
#[derive(Debug)]
pub(super) enum EndNotice {
    /// Readable when that child has ended.
    Pidfd(OwnedFd),
    /// Readable when any child has ended since it was last read.
    Signals {
        /// The child.
        child: Pid,
        /// SIGCHLD of this process.
        signals: SignalFd,
    },
}

impl EndNotice {
    /// The notice of `child`'s end. The child must wait for a command of its parent.
    pub(super) fn of(child: Pid) -> nix::Result<Self> {
        match pidfd(child) {
            Ok(pidfd) => Ok(Self::Pidfd(pidfd)),
            // An older kernel, or a filter around this process that knows only older system calls.
            Err(Errno::ENOSYS | Errno::EPERM) => Self::by_signals(child),
            Err(other) => Err(other),
        }
    }

    fn by_signals(child: Pid) -> nix::Result<Self> {
        let mut of_children = SigSet::empty();
        of_children.add(Signal::SIGCHLD);
        // Only a blocked signal waits to be read. Launchers unblock it before they become a program.
        of_children.thread_block()?;
        let signals = SignalFd::with_flags(&of_children, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
        Ok(Self::Signals { child, signals })
    }

    /// Whether the child has ended; asked when the descriptor is readable.
    pub(super) fn has_come(&self) -> nix::Result<bool> {
        match self {
            Self::Pidfd(_) => Ok(true),
            Self::Signals { child, signals } => {
                // Read first: a child that ends after the look makes the descriptor readable again.
                while signals.read_signal()?.is_some() {}
                has_ended(*child)
            }
        }
    }
}

impl AsFd for EndNotice {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Pidfd(pidfd) => pidfd.as_fd(),
            Self::Signals { signals, .. } => signals.as_fd(),
        }
    }
}

fn has_ended(child: Pid) -> nix::Result<bool> {
    let ended = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    waitid(Id::Pid(child), ended).map(|status| status != WaitStatus::StillAlive)
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    use super::*;

    fn waiting_child() -> (Child, Pid) {
        let child = Command::new("/bin/cat").stdin(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        (child, pid)
    }

    fn wait_for(notice: &EndNotice) {
        poll(&mut [PollFd::new(notice.as_fd(), PollFlags::POLLIN)], PollTimeout::NONE).unwrap();
    }

    #[test]
    fn an_end_is_noticed_before_the_child_is_reaped() {
        let (mut child, pid) = waiting_child();
        let notice = EndNotice::of(pid).unwrap();
        assert!(!has_ended(pid).unwrap());
        drop(child.stdin.take());
        wait_for(&notice);
        assert!(notice.has_come().unwrap() && has_ended(pid).unwrap());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }

    /// Other threads of this program do not block the signal, so that of a real child might reach one of them.
    #[test]
    fn a_signal_is_no_proof_that_the_child_has_ended() {
        let (mut child, pid) = waiting_child();
        let notice = EndNotice::by_signals(pid).unwrap();
        nix::sys::signal::raise(Signal::SIGCHLD).unwrap();
        wait_for(&notice);
        assert!(!notice.has_come().unwrap());
        // Who waits again sleeps.
        let mut again = [PollFd::new(notice.as_fd(), PollFlags::POLLIN)];
        assert_eq!(poll(&mut again, PollTimeout::ZERO), Ok(0));
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
