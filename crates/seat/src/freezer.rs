//! Stops a living program, with all that it started, from its answer to its next question.
//!
//! By the freezer of a control group of version 2 (`cgroup.freeze`, Linux 5.2), where one can be made: nothing in the
//! group runs until it is thawed, whatever a process inside does. Elsewhere by SIGSTOP, process by process
//! (`standstill`), until all are stopped at once: one that still runs can continue the others. A timer of a stopped
//! process could continue it too, by a signal when it expires, so such a program gets none (`launcher`), and the keeper
//! looks again while it waits ([`Freezer::hold`]). What runs all the same is charged; this measures nothing. Killing
//! works on frozen processes.

use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::Pid;

use super::cgroup::{ControlGroup, Hierarchy};
use super::fault::{HostError, in_words};
use super::idler::with_idler;
use super::processes::proc_text;
use super::ready_time::is_any_running;
use super::standstill::{continue_all, stop_all};

/// How long to wait until all is frozen. A process that waits in the kernel for a device may take longer; it does not
/// compute meanwhile.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The pause between two looks at processes that are being stopped.
const PAUSE: Duration = Duration::from_micros(50);

/// Stops and continues the programs of one keeper.
#[derive(Debug)]
pub(super) enum Freezer {
    /// By a control group.
    Group {
        /// `None` if the programs are in the group for another reason.
        own: Option<ControlGroup>,
        /// `cgroup.freeze`.
        switch: File,
        /// `cgroup.events`.
        events: File,
    },
    /// By signals, because there is no such group: why.
    Signals(String),
}

impl Freezer {
    /// The best one available, after a trial. `outer` is a version 2 group that the programs are in anyway.
    pub(super) fn choose(outer: Option<&ControlGroup>) -> Self {
        Self::by_group(outer).unwrap_or_else(Self::Signals)
    }

    fn by_group(outer: Option<&ControlGroup>) -> Result<Self, String> {
        let own = outer.is_none().then(|| ControlGroup::make(Hierarchy::Second)).transpose()?;
        let group = own.as_ref().or(outer).ok_or("there is no control group")?;
        let open = |name, flags| {
            group.file(name, flags).map_err(|errno| format!("control groups cannot be frozen: {}", in_words(errno)))
        };
        let (switch, events) = (open(c"cgroup.freeze", OFlag::O_WRONLY)?, open(c"cgroup.events", OFlag::O_RDONLY)?);
        let freezer = Self::Group { own, switch, events };
        let tried =
            with_idler(|idler| freezer.adopt(idler).and_then(|()| freezer.freeze()).and_then(|()| freezer.thaw()));
        tried.map(|()| freezer).map_err(|fault| fault.to_string())
    }

    /// Why there is no control group to freeze, if there is none.
    pub(super) fn missing(&self) -> Option<&str> {
        match self {
            Self::Group { .. } => None,
            Self::Signals(why) => Some(why),
        }
    }

    /// The group that it made.
    pub(super) fn group(&self) -> Option<&ControlGroup> {
        match self {
            Self::Group { own, .. } => own.as_ref(),
            Self::Signals(_) => None,
        }
    }

    /// Takes the process that becomes the program into the group.
    pub(super) fn adopt(&self, launcher: Pid) -> Result<(), HostError> {
        self.group().map_or(Ok(()), |group| group.adopt(launcher))
    }

    /// Stops all, and returns when nothing runs any more.
    pub(super) fn freeze(&self) -> Result<(), HostError> {
        let deadline = Instant::now() + TIMEOUT;
        match self {
            Self::Group { switch, events, .. } => {
                switch.write_at(b"1", 0).map_err(HostError::when("freeze the program"))?;
                while !is_frozen(events) && Instant::now() < deadline {
                    // The kernel reports a change of the file so.
                    let mut change = [PollFd::new(events.as_fd(), PollFlags::POLLPRI)];
                    match poll(&mut change, PollTimeout::from(1_u8)) {
                        Ok(_) | Err(Errno::EINTR) => {}
                        Err(errno) => return Err(HostError::when("freeze the program")(errno)),
                    }
                }
                Ok(())
            }
            Self::Signals(_) => {
                stop_all()?;
                while is_any_running() && Instant::now() < deadline {
                    std::thread::sleep(PAUSE);
                    stop_all()?;
                }
                Ok(())
            }
        }
    }

    /// Stops again what was continued behind its back.
    pub(super) fn hold(&self) -> Result<(), HostError> {
        match self {
            Self::Signals(_) if is_any_running() => self.freeze(),
            Self::Signals(_) | Self::Group { .. } => Ok(()),
        }
    }

    /// How often to [`hold`](Self::hold), if that is needed at all.
    pub(super) fn hold_period(&self) -> Option<Duration> {
        match self {
            Self::Group { .. } => None,
            Self::Signals(_) => Some(Duration::from_millis(20)),
        }
    }

    /// Lets all run again.
    pub(super) fn thaw(&self) -> Result<(), HostError> {
        match self {
            Self::Group { switch, .. } => {
                switch.write_at(b"0", 0).map(drop).map_err(HostError::when("let the program go on"))
            }
            Self::Signals(_) => continue_all(),
        }
    }
}

fn is_frozen(events: &File) -> bool {
    proc_text(events).is_ok_and(|text| text.lines().any(|line| line == "frozen 1"))
}
