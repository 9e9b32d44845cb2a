//! The memory of a seat's programs as the kernel keeps it: a control group with a limit, wherever one can be made.
//!
//! For: memory that the `limiter` cannot see from outside (the kernel's records of mappings and of watched descriptors,
//! and whatever is gone before a look). The kernel counts all that was asked of it on the group's behalf and ends a
//! process of it that asks for more. Deliberately not here: the looks of the `limiter`, which go on beside it, for they
//! come first in the usual cases and tell how much it was; they count what was swapped as well, which this does not
//! limit. Where no group can be made, they are all there is.
//!
//! What must always hold: a process that is killed for its own group's limit is the program's fault; one that is killed
//! because the machine, or a group around all of this, has no memory left, is nobody's whom the referee may blame.

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

/// Beyond the limit of the program, for what the kernel needs for honest ones as well: stacks and records of up to a
/// few hundred processes, files that are written back, and pages that are given back a moment late.
const MARGIN_BYTES: u64 = 32 << 20;

/// A group with the program's limit, and what has happened in it.
#[derive(Debug)]
pub(super) struct Allotment {
    group: ControlGroup,
    hierarchy: Hierarchy,
    /// Where the kernel counts the processes that it has killed.
    kills: File,
    /// Where it counts how often the limit was in the way.
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
    /// One for programs of these limits, tried on a process. The error is the reason why there is none to be had.
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

    /// In the nearest group around this process that gives its groups limits of memory: no process may be in such a
    /// one.
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
                // Half of a program is none.
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

    /// The group, if it is of the second version, where a process has but one.
    pub(super) fn of_second_version(&self) -> Option<&ControlGroup> {
        (self.hierarchy == Hierarchy::Second).then_some(&self.group)
    }

    pub(super) fn adopt(&self, launcher: Pid) -> Result<(), HostError> {
        self.group.adopt(launcher)
    }

    /// A run begins.
    pub(super) fn begin(&mut self) -> Result<(), HostError> {
        self.before = self
            .events()
            .ok_or_else(|| HostError::when("read the events of the control group")(FORM))?;
        Ok(())
    }

    /// Whether the kernel has ended a process of this run for the limit.
    pub(super) fn passed(&self) -> Option<Exceeded> {
        let Events { kills, failures } = self.since();
        let limit_bytes = self.limits.memory_bytes;
        (kills > 0 && failures > 0).then(|| Exceeded::Memory {
            used_bytes: limit_bytes.saturating_add(MARGIN_BYTES),
            limit_bytes,
        })
    }

    /// Whether it has ended one although the limit was not in the way.
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
