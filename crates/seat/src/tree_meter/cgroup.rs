//! The kernel's CPU account of a control group of the keeper's programs.
//!
//! It has the same source as the account of reaped processes and covers every process of the group. For a running
//! process, it lacks the time since the last clock tick. A process that may write to the parent group can leave the
//! group, so this meter is a fallback. It makes no charge itself; [`super::TreeMeter`] reads it.

use std::ffi::CStr;
use std::fs::File;

use nix::fcntl::OFlag;
use nix::unistd::Pid;

use super::super::cgroup::{ControlGroup, Hierarchy};
use super::super::fault::{HostError, in_words};
use super::super::processes::proc_text;
use super::Counter;
use referee_time::CpuTime;

/// The two versions of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CgroupVersion {
    First,
    Second,
}

impl CgroupVersion {
    pub(super) const fn hierarchy(self) -> Hierarchy {
        match self {
            Self::First => Hierarchy::First("cpuacct"),
            Self::Second => Hierarchy::Second,
        }
    }

    /// The file with the account.
    pub(super) const fn account(self) -> &'static CStr {
        match self {
            Self::First => c"cpuacct.usage",
            Self::Second => c"cpu.stat",
        }
    }

    /// Parses that file.
    fn read(self, text: &str) -> Option<CpuTime> {
        match self {
            Self::First => text.trim().parse().ok().map(|nanos: u64| CpuTime::from_micros(nanos / 1000)),
            Self::Second => {
                let micros = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
                micros.trim().parse().ok().map(CpuTime::from_micros)
            }
        }
    }

    /// Reads the CPU time of a group from its file.
    pub(super) fn on_account(self, account: &File) -> Result<CpuTime, HostError> {
        let doing = "read the account of the control group";
        let text = proc_text(account).map_err(HostError::when(doing))?;
        self.read(&text).ok_or_else(|| HostError::when(doing)("it has another form than expected"))
    }
}

/// The account of one keeper's programs.
pub(super) struct CgroupLedger {
    version: CgroupVersion,
    group: ControlGroup,
    account: File,
    before: CpuTime,
}

impl CgroupLedger {
    /// The account of a new group, made inside `outer` if that is of the same tree, since a process can be in only one
    /// group of a tree. The error says why none is available.
    pub(super) fn open(version: CgroupVersion, outer: Option<&ControlGroup>) -> Result<Self, String> {
        let group = match (version, outer) {
            (CgroupVersion::Second, Some(outer)) => ControlGroup::make_within(outer)?,
            (CgroupVersion::First | CgroupVersion::Second, _) => ControlGroup::make(version.hierarchy())?,
        };
        let account = group.file(version.account(), OFlag::O_RDONLY).map_err(in_words)?;
        Ok(Self { version, group, account, before: CpuTime::ZERO })
    }

    fn on_account(&self) -> Result<CpuTime, HostError> {
        self.version.on_account(&self.account)
    }
}

impl Counter for CgroupLedger {
    fn adopt(&mut self, launcher: Pid) -> Result<(), HostError> {
        self.group.adopt(launcher)
    }

    fn begin(&mut self) -> Result<(), HostError> {
        self.before = self.on_account()?;
        Ok(())
    }

    fn used(&mut self) -> Result<CpuTime, HostError> {
        Ok(self.on_account()?.saturating_sub(self.before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_read_in_its_own_unit() {
        let micros = |micros| Some(CpuTime::from_micros(micros));
        assert_eq!(CgroupVersion::First.read("123456789\n"), micros(123_456));
        assert_eq!(CgroupVersion::Second.read("usage_usec 42\nuser_usec 40\nsystem_usec 2\n"), micros(42));
        assert_eq!(CgroupVersion::Second.read("user_usec 40\n"), None);
        assert_eq!(CgroupVersion::First.read(""), None);
    }
}
