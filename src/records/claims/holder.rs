//! The holder of a claim, and whether its process is still alive. [`super::Claims`] calls it; it removes nothing.

use std::fs;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use crate::records::{Host, unix_s};

/// The process that holds a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimHolder {
    /// The name of its machine.
    pub host: String,
    /// Its process id there.
    pub pid: i32,
    /// The number of its shard, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<u32>,
    /// When it began, in seconds since 1970 by its own clock: for people.
    pub since_unix_s: u64,
    /// When its process started, in kernel ticks since boot: process ids are reused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started_ticks: Option<u64>,
    /// Identifies the boot of its machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    boot_id: Option<String>,
    /// The PID namespace in which its process id is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pid_namespace: Option<String>,
}

impl ClaimHolder {
    /// This process.
    pub(super) fn this(shard: Option<u32>) -> Self {
        let pid = Pid::this().as_raw();
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
        let namespace = fs::read_link("/proc/self/ns/pid").ok();
        Self {
            host: Host::this().name,
            pid,
            shard,
            since_unix_s: unix_s(),
            started_ticks: Process::numbered(pid).map(|process| process.started_ticks),
            boot_id: boot_id.map(|id| id.trim().to_owned()),
            pid_namespace: namespace.map(|name| name.to_string_lossy().into_owned()),
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
        match (Process::numbered(self.pid), self.started_ticks) {
            (Some(process), Some(ticks)) => process.started_ticks == ticks && !process.is_dead,
            (Some(process), None) => !process.is_dead,
            // If `/proc` hides other users' processes, it may be alive.
            (None, _) => true,
        }
    }

    /// A text unique to this process, valid in a file name.
    pub(super) fn unique(&self) -> String {
        let boot = self.boot_id.as_deref().unwrap_or_default();
        let ticks = self.started_ticks.unwrap_or(self.since_unix_s);
        let fit = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let host: String = self.host.chars().take(60).map(fit).collect();
        format!("{host}-{boot}-{}-{ticks}", self.pid)
    }
}

/// The fields of `proc_pid_stat(5)`.
struct Process {
    is_dead: bool,
    started_ticks: u64,
}

impl Process {
    fn numbered(pid: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The program's name may contain spaces and parentheses. After it come the state and, 20th from there, the
        // start time.
        let (_, rest) = text.rsplit_once(')')?;
        let mut words = rest.split_ascii_whitespace();
        let state = words.next()?;
        Some(Self {
            is_dead: matches!(state, "Z" | "X"),
            started_ticks: words.nth(18)?.parse().ok()?,
        })
    }
}
