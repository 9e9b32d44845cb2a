//! Which process wrote a file, so that the next one can tell whether it is still at work. Claims and unfinished files
//! name their process; it removes nothing.

use std::fmt;
use std::fs;
use std::str::FromStr;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

/// Identifies a process on all machines that share a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessIdentity {
    /// Its process id.
    pub pid: i32,
    /// When it started, in kernel ticks since boot: process ids are reused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started_ticks: Option<u64>,
    /// Identifies the boot of its machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    boot_id: Option<String>,
    /// The number of the PID namespace in which its process id is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pid_namespace: Option<String>,
}

impl ProcessIdentity {
    /// This process.
    pub(super) fn this() -> Self {
        Self::numbered(Pid::this().as_raw())
    }

    /// The process `pid` of this machine and this container.
    pub(super) fn numbered(pid: i32) -> Self {
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
        let namespace = fs::read_link("/proc/self/ns/pid").ok();
        Self {
            pid,
            started_ticks: ProcessState::of(pid).map(|process| process.started_ticks),
            boot_id: boot_id.map(|id| id.trim().to_owned()),
            pid_namespace: namespace.map(|name| name.to_string_lossy().replace(|c: char| !c.is_ascii_digit(), "")),
        }
    }

    /// Whether it is certainly dead. Nothing is certain about other machines and other containers.
    pub(super) fn is_gone(&self, here: &Self) -> bool {
        let is_known = self.boot_id.is_some() && self.pid_namespace.is_some();
        let is_here = (&self.boot_id, &self.pid_namespace) == (&here.boot_id, &here.pid_namespace);
        is_known && is_here && !self.is_alive()
    }

    fn is_alive(&self) -> bool {
        // Signals to 0 and below go to process groups.
        if self.pid <= 0 || kill(Pid::from_raw(self.pid), None) == Err(Errno::ESRCH) {
            return false;
        }
        match (ProcessState::of(self.pid), self.started_ticks) {
            (Some(process), Some(ticks)) => process.started_ticks == ticks && !process.is_dead,
            (Some(process), None) => !process.is_dead,
            // If `/proc` hides other users' processes, it may be alive.
            (None, _) => true,
        }
    }
}

/// For file names: the boot, the namespace, the number and the start, joined by `_`; what is unknown is empty.
impl fmt::Display for ProcessIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let boot = self.boot_id.as_deref().unwrap_or_default();
        let namespace = self.pid_namespace.as_deref().unwrap_or_default();
        write!(f, "{boot}_{namespace}_{}_", self.pid)?;
        self.started_ticks.map_or(Ok(()), |ticks| write!(f, "{ticks}"))
    }
}

impl FromStr for ProcessIdentity {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let known = |word: &str| (!word.is_empty()).then(|| word.to_owned());
        let [boot, namespace, pid, ticks] = text.split('_').collect::<Vec<_>>()[..] else {
            return Err(());
        };
        Ok(Self {
            pid: pid.parse().map_err(drop)?,
            started_ticks: ticks.parse().ok(),
            boot_id: known(boot),
            pid_namespace: known(namespace),
        })
    }
}

/// The fields of `proc_pid_stat(5)`.
struct ProcessState {
    is_dead: bool,
    started_ticks: u64,
}

impl ProcessState {
    fn of(pid: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The program's name may contain spaces and parentheses. After it come the state and, 20th from there, the
        // start time.
        let (_, rest) = text.rsplit_once(')')?;
        let mut words = rest.split_ascii_whitespace();
        let state = words.next()?;
        Some(Self { is_dead: matches!(state, "Z" | "X"), started_ticks: words.nth(18)?.parse().ok()? })
    }
}
