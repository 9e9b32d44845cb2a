//! The kernel's memory limit for a seat's programs: a control group, wherever one can be made.
//!
//! It covers memory that `limiter` cannot see from outside: kernel records of mappings and of watched descriptors, and
//! memory that is freed between two samples. The kernel counts every allocation made on the group's behalf and kills a
//! process that exceeds the limit. `limiter` still samples beside it: it usually fires first, reports how much memory
//! was used, and counts swap, which this limit does not. Without a group, `limiter` is the only limit. The keeper makes
//! one per seat and asks it after each run.
//!
//! A process killed for its own group's limit must be the program's fault. A process killed because the machine or an
//! outer group ran out of memory must never be blamed on the program.

use std::ffi::CStr;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use nix::unistd::Pid;

use super::cgroup::{ControlGroup, Hierarchy, own_place};
use super::fault::{HostError, in_words};
use super::idler::with_idler;
use super::limits::Limits;
use super::report::Exceeded;

const MEMORY: &str = "memory";

/// Headroom above the program's limit for what the kernel needs for honest programs too: stacks and records of up to a
/// few hundred processes, files being written back, and pages that are freed a moment late.
const MARGIN_BYTES: u64 = 32 << 20;

/// A group with the program's limit, and the events in it.
#[derive(Debug)]
pub(super) struct Allotment {
    group: ControlGroup,
    hierarchy: Hierarchy,
    /// The kernel's counter of processes it has killed.
    kills: File,
    /// The kernel's counter of allocations that hit the limit.
    failures: File,
    limits: Limits,
    before: Events,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Events {
    kills: u64,
    failures: u64,
}

impl Allotment {
    /// Makes a group for these limits and tries it on a process. The error says why none is available.
    pub(super) fn make(limits: Limits) -> Result<Self, String> {
        let second = Self::make_in_second(limits);
        let made = match second {
            Ok(made) => made,
            Err(why) => match own_place(Hierarchy::First(MEMORY)) {
                Ok(place) => Self::of(Hierarchy::First(MEMORY), &place.group, limits)?,
                Err(_) => return Err(why),
            },
        };
        with_idler(|idler| made.adopt(idler)).map_err(|fault| fault.to_string())?;
        Ok(made)
    }

    /// Makes a group in the nearest ancestor whose memory controller is enabled for its children; such a group holds no
    /// processes itself.
    fn make_in_second(limits: Limits) -> Result<Self, String> {
        let place = own_place(Hierarchy::Second)?;
        let mut around = place
            .group
            .ancestors()
            .take_while(|group| group.starts_with(&place.top));
        let parent = around.find(|group| has_memory(&group.join("cgroup.subtree_control")));
        let parent: PathBuf = parent
            .ok_or("no control group of version 2 around this process has the controller `memory`")?
            .into();
        Self::of(Hierarchy::Second, &parent, limits)
    }

    fn of(hierarchy: Hierarchy, place: &Path, limits: Limits) -> Result<Self, String> {
        let group = ControlGroup::make_at(hierarchy, place)?;
        let most = limits.memory_bytes.saturating_add(MARGIN_BYTES).to_string();
        let write = |name: &CStr, text: &str| {
            let written = group.file(name, OFlag::O_WRONLY).map_err(in_words);
            written.and_then(|mut file| file.write_all(text.as_bytes()).map_err(|error| error.to_string()))
        };
        let told = |name: &CStr| group.file(name, OFlag::O_RDONLY).map_err(in_words);
        let limited = |error| format!("cannot limit the memory of a control group: {error}");
        let (kills, failures) = match hierarchy {
            Hierarchy::First(_) => {
                write(c"memory.limit_in_bytes", &most).map_err(limited)?;
                (told(c"memory.oom_control")?, told(c"memory.failcnt")?)
            }
            Hierarchy::Second => {
                write(c"memory.max", &most).map_err(limited)?;
                // A half-killed program is useless: kill the whole group.
                drop(write(c"memory.oom.group", "1"));
                (told(c"memory.events")?, told(c"memory.events")?)
            }
        };
        Ok(Self {
            group,
            hierarchy,
            kills,
            failures,
            limits,
            before: Events::default(),
        })
    }

    /// The group, if it is of version 2, where a process belongs to only one.
    pub(super) fn of_second_version(&self) -> Option<&ControlGroup> {
        (self.hierarchy == Hierarchy::Second).then_some(&self.group)
    }

    pub(super) fn adopt(&self, launcher: Pid) -> Result<(), HostError> {
        self.group.adopt(launcher)
    }

    /// Begins a run.
    pub(super) fn begin(&mut self) -> Result<(), HostError> {
        self.before = self
            .events()
            .ok_or_else(|| HostError::when("read the events of the control group")(FORM))?;
        Ok(())
    }

    /// Whether the kernel killed a process of this run for the limit.
    pub(super) fn passed(&self) -> Option<Exceeded> {
        let Events { kills, failures } = self.since();
        let limit_bytes = self.limits.memory_bytes;
        (kills > 0 && failures > 0).then(|| Exceeded::Memory {
            used_bytes: limit_bytes.saturating_add(MARGIN_BYTES),
            limit_bytes,
        })
    }

    /// Whether the kernel killed a process although the limit was not reached.
    pub(super) fn was_starved(&self) -> bool {
        let Events { kills, failures } = self.since();
        kills > 0 && failures == 0
    }

    fn since(&self) -> Events {
        let now = self.events().unwrap_or(self.before);
        Events {
            kills: now.kills.saturating_sub(self.before.kills),
            failures: now.failures.saturating_sub(self.before.failures),
        }
    }

    fn events(&self) -> Option<Events> {
        let kills = number_after(&text(&self.kills)?, "oom_kill ")?;
        let failures = text(&self.failures)?;
        Some(Events {
            kills,
            failures: match self.hierarchy {
                Hierarchy::First(_) => failures.trim().parse().ok()?,
                Hierarchy::Second => number_after(&failures, "oom ")?,
            },
        })
    }
}

const FORM: &str = "it has another form than expected";

fn has_memory(subtree_control: &Path) -> bool {
    let controllers = std::fs::read_to_string(subtree_control).unwrap_or_default();
    controllers.split_ascii_whitespace().any(|name| name == MEMORY)
}

fn text(file: &File) -> Option<String> {
    let mut text = [0; 512];
    let length = file.read_at(&mut text, 0).ok()?;
    String::from_utf8(text[..length].to_vec()).ok()
}

fn number_after(text: &str, name: &str) -> Option<u64> {
    text.lines()
        .find_map(|line| line.strip_prefix(name))?
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_by_their_whole_names() {
        let second = "low 0\nhigh 0\nmax 31\noom 2\noom_kill 5\noom_group_kill 1\n";
        assert_eq!(number_after(second, "oom "), Some(2));
        assert_eq!(number_after(second, "oom_kill "), Some(5));
        let first = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!(number_after(first, "oom_kill "), Some(3));
        assert_eq!(number_after("", "oom "), None);
    }
}
