//! Lets the kernel limit the number of a seat's processes and threads, through a control group with the controller
//! `pids`, where one can be made.
//!
//! Counting is not enough against a fork bomb. `limiter` counts every few milliseconds, and between two counts a
//! program makes thousands; killing them one by one never ends if the others keep forking. With the group, `fork` fails
//! in the kernel as soon as the limit is reached, and when a run is over the limit is set to 0, so that no new process
//! appears while the old ones are killed. This module only sets limits: `limiter` reports a program that reached its
//! limit.
//!
//! The kernel's limit by user (`RLIMIT_NPROC`) does not replace it: it does not bind root, and for other users it
//! counts the processes of all their games together. A sealed seat needs no group if its namespaces limit it.
//!
//! Moving a process into a group takes the kernel up to 15 ms, so no process is moved during a game. With control
//! groups of version 1, the keeper itself enters the group once per seat, and the programs that it starts inherit it.
//! With version 2, they are already in the group that limits their memory. A program may leave the group if it may
//! write to the parent group, as root may at `bare`.

use std::ffi::CStr;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use nix::fcntl::OFlag;

use super::cgroup::{ControlGroup, Hierarchy, own_place};
use super::fault::{HostError, in_words};
use super::limits::Limits;
use super::memory_group::MemoryGroup;

const CONTROLLER: &str = "pids";
const MAXIMUM: &CStr = c"pids.max";

/// A group that limits the number of processes.
#[derive(Debug)]
pub(super) struct ProcessCap {
    maximum: File,
    most: u64,
    is_frozen: bool,
    /// The group with the keeper in it; `None` if the limit is part of another group.
    own: Option<ControlGroup>,
}

impl ProcessCap {
    /// Limits all programs that this keeper starts from now on. The error says why that is not possible.
    pub(super) fn make(limits: Limits, memory_group: Result<&MemoryGroup, &String>) -> Result<Self, String> {
        if let Ok(Some(group)) = memory_group.map(MemoryGroup::of_second_version)
            && let Ok(cap) = Self::limit(group, limits.processes_with_slack())
        {
            return Ok(cap);
        }
        let hierarchy = Hierarchy::First(CONTROLLER);
        match (own_place(hierarchy), memory_group) {
            (Ok(place), _) => Self::around_this_process(hierarchy, &place.group, limits),
            // Where only version 2 is mounted, the reason is the same, and has the remedy.
            (Err(_), Err(why)) => Err(why.clone()),
            (Err(why), Ok(_)) => Err(why),
        }
    }

    fn around_this_process(hierarchy: Hierarchy, place: &Path, limits: Limits) -> Result<Self, String> {
        let group = ControlGroup::make_at(hierarchy, place)?;
        // One more for this process.
        let mut cap = Self::limit(&group, limits.processes_with_slack() + 1)?;
        group.enter().map_err(|fault| fault.to_string())?;
        cap.own = Some(group);
        Ok(cap)
    }

    fn limit(group: &ControlGroup, most: u64) -> Result<Self, String> {
        let maximum = group.file(MAXIMUM, OFlag::O_WRONLY);
        let cap = Self {
            maximum: maximum.map_err(|errno| format!("a control group has no `pids.max`: {}", in_words(errno)))?,
            most,
            is_frozen: false,
            own: None,
        };
        let refused = |fault: HostError| fault.to_string();
        cap.allow(most).map(|()| cap).map_err(refused)
    }

    /// Forbids every further process and thread. If that fails, they are still killed one by one.
    pub(super) fn freeze(&mut self) {
        self.is_frozen = true;
        drop(self.allow(0));
    }

    /// Allows the program's processes again.
    pub(super) fn thaw(&mut self) -> Result<(), HostError> {
        if std::mem::take(&mut self.is_frozen) {
            self.allow(self.most)?;
        }
        Ok(())
    }

    fn allow(&self, most: u64) -> Result<(), HostError> {
        let written = self.maximum.write_at(most.to_string().as_bytes(), 0);
        written.map(drop).map_err(HostError::when("limit the processes of a control group"))
    }
}

impl Drop for ProcessCap {
    /// A group with a process in it cannot be removed.
    fn drop(&mut self) {
        if let Some(group) = &self.own {
            // If this fails, the next keeper removes the group.
            let _ = group.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A group as the kernel makes it, in a folder.
    fn fake(files: &[&str]) -> (tempfile::TempDir, ControlGroup) {
        let tree = tempfile::tempdir().unwrap();
        fs::create_dir(tree.path().join("group")).unwrap();
        for name in ["cgroup.procs"].iter().chain(files) {
            fs::write(tree.path().join("group").join(name), "").unwrap();
        }
        let group = ControlGroup::existing(tree.path(), c"group");
        (tree, group)
    }

    #[test]
    fn nothing_starts_between_the_end_of_a_run_and_the_next_one() {
        let (tree, group) = fake(&["pids.max"]);
        let maximum = || fs::read_to_string(tree.path().join("group/pids.max")).unwrap();
        let mut cap = ProcessCap::limit(&group, 104).unwrap();
        assert_eq!(maximum(), "104");
        cap.thaw().unwrap();
        fs::write(tree.path().join("group/pids.max"), "").unwrap();
        cap.freeze();
        assert_eq!(maximum(), "0");
        cap.thaw().unwrap();
        assert_eq!(maximum(), "104");
    }

    #[test]
    fn a_group_without_that_limit_is_refused() {
        let (_tree, group) = fake(&[]);
        let refused = ProcessCap::limit(&group, 104).unwrap_err();
        assert_eq!(refused, "a control group has no `pids.max`: no such file or directory");
    }
}
