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
use std::path::Path;

use nix::fcntl::OFlag;
use nix::unistd::Pid;

use super::cgroup::{ControlGroup, Hierarchy, Place, own_place};
use super::fault::{HostError, in_words};
use super::idler::with_idler;
use super::limits::Limits;
use super::processes::proc_text;
use super::report::Exceeded;

const MEMORY: &str = "memory";

/// The kernel's name of its counter of killed processes, in either version.
const KILLS: &str = "oom_kill ";

/// Headroom above the program's limit for what the kernel needs for honest programs too: stacks and records of up to a
/// few hundred processes, files being written back, and pages that are freed a moment late.
const MARGIN_BYTES: u64 = 32 << 20;

/// A group with the program's limit, and the events in it.
#[derive(Debug)]
pub(super) struct MemoryGroup {
    group: ControlGroup,
    hierarchy: Hierarchy,
    /// The kernel's counter of processes it has killed.
    kills: File,
    /// The kernel's counter of allocations that hit the limit.
    failures: File,
    limits: Limits,
    before: Events,
}

/// What the kernel counts in a group, from its beginning or in one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Events {
    kills: u64,
    /// How often the group's own limit was in the way.
    failures: u64,
}

impl Events {
    /// What the kernel's two files say; `None` if they have another form than expected.
    fn read(hierarchy: Hierarchy, kills: &str, failures: &str) -> Option<Self> {
        Some(Self {
            kills: number_after(kills, KILLS)?,
            failures: match hierarchy {
                Hierarchy::First(_) => failures.trim().parse().ok()?,
                Hierarchy::Second => number_after(failures, "oom ")?,
            },
        })
    }

    fn since(self, before: Self) -> Self {
        Self { kills: self.kills.saturating_sub(before.kills), failures: self.failures.saturating_sub(before.failures) }
    }

    /// Whether the group's limit has cost a process its life.
    fn show_limit_kill(self) -> bool {
        self.kills > 0 && self.failures > 0
    }

    /// Whether a process was killed although that limit was not in the way.
    fn show_other_kill(self) -> bool {
        self.kills > 0 && self.failures == 0
    }
}

impl MemoryGroup {
    /// Makes a group for these limits and tries it on a process. The error says why none is available.
    pub(super) fn make(limits: Limits) -> Result<Self, String> {
        let second = Self::make_in_second(limits);
        let made = match second {
            Ok(made) => made,
            Err(why) => match own_place(Hierarchy::First(MEMORY)) {
                Ok(place) => Self::make_in(Hierarchy::First(MEMORY), &place.group, limits)?,
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
        let parent = nearest_with_memory(&place)
            .ok_or("no parent control group (version 2) of this process has the controller `memory`")?;
        Self::make_in(Hierarchy::Second, parent, limits)
    }

    fn make_in(hierarchy: Hierarchy, place: &Path, limits: Limits) -> Result<Self, String> {
        Self::limit(hierarchy, ControlGroup::make_at(hierarchy, place)?, limits)
    }

    fn limit(hierarchy: Hierarchy, group: ControlGroup, limits: Limits) -> Result<Self, String> {
        let most = limits.memory_bytes.saturating_add(MARGIN_BYTES).to_string();
        let write = |name: &CStr, text: &str| {
            let written = group.file(name, OFlag::O_WRONLY).map_err(in_words);
            written.and_then(|mut file| file.write_all(text.as_bytes()).map_err(|error| error.to_string()))
        };
        let open = |name: &CStr| group.file(name, OFlag::O_RDONLY).map_err(in_words);
        let limited = |error| format!("cannot limit the memory of a control group: {error}");
        let (kills, failures) = match hierarchy {
            Hierarchy::First(_) => {
                write(c"memory.limit_in_bytes", &most).map_err(limited)?;
                (open(c"memory.oom_control")?, open(c"memory.failcnt")?)
            }
            Hierarchy::Second => {
                write(c"memory.max", &most).map_err(limited)?;
                // A half-killed program is useless: kill the whole group.
                drop(write(c"memory.oom.group", "1"));
                (open(c"memory.events")?, open(c"memory.events")?)
            }
        };
        Ok(Self { group, hierarchy, kills, failures, limits, before: Events::default() })
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
        self.before = self.events().ok_or_else(|| HostError::when("read the events of the control group")(FORM))?;
        Ok(())
    }

    /// Whether the kernel killed a process of this run for the limit.
    pub(super) fn passed(&self) -> Option<Exceeded> {
        let limit_bytes = self.limits.memory_bytes;
        self.of_this_run()
            .show_limit_kill()
            .then(|| Exceeded::Memory { used_bytes: limit_bytes.saturating_add(MARGIN_BYTES), limit_bytes })
    }

    /// Whether the kernel killed a process although the limit was not reached.
    pub(super) fn was_killed_by_system(&self) -> bool {
        self.of_this_run().show_other_kill()
    }

    fn of_this_run(&self) -> Events {
        // The other counter only tells what a kill was for.
        let has_killed =
            proc_text(&self.kills).map_or(true, |kills| number_after(&kills, KILLS) != Some(self.before.kills));
        has_killed.then(|| self.events()).flatten().unwrap_or(self.before).since(self.before)
    }

    fn events(&self) -> Option<Events> {
        Events::read(self.hierarchy, &proc_text(&self.kills).ok()?, &proc_text(&self.failures).ok()?)
    }
}

/// The nearest group around `place` that gives its groups limits of memory, as far as groups can be seen.
fn nearest_with_memory(place: &Place) -> Option<&Path> {
    let around = place.group.ancestors();
    around
        .take_while(|group| group.starts_with(&place.top))
        .find(|group| has_memory(&group.join("cgroup.subtree_control")))
}

const FORM: &str = "it has another form than expected";

fn has_memory(subtree_control: &Path) -> bool {
    let controllers = std::fs::read_to_string(subtree_control).unwrap_or_default();
    controllers.split_ascii_whitespace().any(|name| name == MEMORY)
}

fn number_after(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    const FIRST: Hierarchy = Hierarchy::First(MEMORY);
    const BOTH: [Hierarchy; 2] = [FIRST, Hierarchy::Second];

    #[test]
    fn events_are_read_by_their_whole_names() {
        let second = "low 0\nhigh 0\nmax 31\noom 2\noom_kill 5\noom_group_kill 1\n";
        assert_eq!(number_after(second, "oom "), Some(2));
        assert_eq!(number_after(second, "oom_kill "), Some(5));
        let first = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!(number_after(first, "oom_kill "), Some(3));
        assert_eq!(number_after("", "oom "), None);
    }

    /// A group as the kernel makes it, in a folder: its files are there, and this test writes what the kernel would.
    /// Dropped before what is made of it, which would wait for these files to vanish.
    struct FakeGroup {
        tree: tempfile::TempDir,
        hierarchy: Hierarchy,
    }

    impl FakeGroup {
        fn new(hierarchy: Hierarchy) -> Self {
            let tree = tempfile::tempdir().unwrap();
            let fake = Self { tree, hierarchy };
            fs::create_dir(fake.file("")).unwrap();
            for name in ["cgroup.procs", fake.limit()] {
                fs::write(fake.file(name), "").unwrap();
            }
            fake.count(0, 0);
            fake
        }

        fn file(&self, name: &str) -> PathBuf {
            self.tree.path().join("group").join(name)
        }

        fn limit(&self) -> &'static str {
            match self.hierarchy {
                Hierarchy::First(_) => "memory.limit_in_bytes",
                Hierarchy::Second => "memory.max",
            }
        }

        fn count(&self, kills: u64, failures: u64) {
            let write = |name, text: String| fs::write(self.file(name), text).unwrap();
            match self.hierarchy {
                Hierarchy::First(_) => {
                    write("memory.oom_control", format!("oom_kill_disable 0\noom_kill {kills}\n"));
                    write("memory.failcnt", format!("{failures}\n"));
                }
                // The limit is in the way at `max`, too, where pages could be had otherwise.
                Hierarchy::Second => write("memory.events", format!("max 9\noom {failures}\noom_kill {kills}\n")),
            }
        }

        fn memory_group(&self) -> Result<MemoryGroup, String> {
            let limits = Limits { memory_bytes: 100 << 20, ..Limits::default() };
            MemoryGroup::limit(self.hierarchy, ControlGroup::existing(self.tree.path(), c"group"), limits)
        }
    }

    #[test]
    fn the_limit_of_a_group_is_that_of_the_program_and_a_margin() {
        for hierarchy in BOTH {
            let fake = FakeGroup::new(hierarchy);
            let made = fake.memory_group().unwrap();
            let limit = fs::read_to_string(fake.file(fake.limit())).unwrap();
            assert_eq!(limit, (132_u64 << 20).to_string(), "{hierarchy:?}");
            assert_eq!(made.of_second_version().is_some(), hierarchy == Hierarchy::Second);
            made.adopt(Pid::from_raw(77)).unwrap();
            assert_eq!(fs::read_to_string(fake.file("cgroup.procs")).unwrap(), "77", "{hierarchy:?}");
            drop(fake);
        }
    }

    /// Whose fault a kill is: nobody's without one, the program's if its limit was in the way, otherwise nobody's whom
    /// the referee may blame, and the game is void. What was before the run is of another one.
    #[test]
    fn a_kill_is_the_programs_fault_only_if_its_own_limit_was_in_the_way() {
        let cases =
            [((0, 0), (false, false)), ((0, 5), (false, false)), ((2, 5), (true, false)), ((1, 0), (false, true))];
        for (hierarchy, ((kills, failures), (passed, starved))) in
            BOTH.into_iter().flat_map(|one| cases.map(|case| (one, case)))
        {
            for before in [(0, 0), (3, 0), (3, 4)] {
                let fake = FakeGroup::new(hierarchy);
                let mut made = fake.memory_group().unwrap();
                fake.count(before.0, before.1);
                made.begin().unwrap();
                fake.count(before.0 + kills, before.1 + failures);
                let seen = (made.passed().is_some(), made.was_killed_by_system());
                assert_eq!(seen, (passed, starved), "{hierarchy:?}: {kills} kills, {failures} failures");
                drop(fake);
            }
        }
    }

    #[test]
    fn without_the_kernels_counters_there_is_no_group_and_none_is_left_half_made() {
        for hierarchy in BOTH {
            let files: &[&str] = match hierarchy {
                Hierarchy::First(_) => &["memory.oom_control", "memory.failcnt"],
                Hierarchy::Second => &["memory.events"],
            };
            for missing in files {
                let fake = FakeGroup::new(hierarchy);
                fs::remove_file(fake.file(missing)).unwrap();
                assert_eq!(fake.memory_group().unwrap_err(), "no such file or directory", "{missing}");
            }
            let fake = FakeGroup::new(hierarchy);
            fs::remove_file(fake.file(fake.limit())).unwrap();
            let refused = fake.memory_group().unwrap_err();
            let expected = "cannot limit the memory of a control group: no such file or directory";
            assert_eq!(refused, expected, "{hierarchy:?}");
            // A folder without the kernel's files is no control group, and what was made in it is removed.
            let place = tempfile::tempdir().unwrap();
            let refused = MemoryGroup::make_in(hierarchy, place.path(), Limits::default()).unwrap_err();
            assert!(refused.ends_with("is not a control group"), "{refused}");
            assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "{hierarchy:?}");
        }
    }

    /// A kernel that counts in another way is not taken for one that counts nothing.
    #[test]
    fn counters_of_another_form_are_our_own_failure_before_a_run_and_blame_nobody_after_it() {
        for hierarchy in BOTH {
            let fake = FakeGroup::new(hierarchy);
            let mut made = fake.memory_group().unwrap();
            let spoil = || {
                for name in ["memory.oom_control", "memory.failcnt", "memory.events"] {
                    fs::write(fake.file(name), "many\n").unwrap();
                }
            };
            made.begin().unwrap();
            fake.count(1, 1);
            assert!(made.passed().is_some());
            spoil();
            assert_eq!((made.passed().is_some(), made.was_killed_by_system()), (false, false), "{hierarchy:?}");
            let error = made.begin().unwrap_err().to_string();
            assert!(error.ends_with(FORM), "{error}");
        }
    }

    /// Only a group that hands the controller on can have groups with limits, and nothing is looked for above the
    /// mount.
    #[test]
    fn the_nearest_group_that_was_given_the_controller_is_taken() {
        let tree = tempfile::tempdir().unwrap();
        let top = tree.path().join("top");
        let own = top.join("slice/scope");
        fs::create_dir_all(&own).unwrap();
        let delegate = |group: &Path, controllers: &str| {
            fs::write(group.join("cgroup.subtree_control"), controllers).unwrap();
        };
        let place = Place { group: own.clone(), top: top.clone() };
        let found = || nearest_with_memory(&place).map(Path::to_owned);
        delegate(tree.path(), "memory\n");
        assert_eq!(found(), None, "beyond what can be seen");
        delegate(&own, "cpu pids\n");
        assert_eq!(found(), None, "none has the controller");
        delegate(&top, "cpu memory\n");
        assert_eq!(found(), Some(top.clone()));
        delegate(&top.join("slice"), "memory\n");
        assert_eq!(found(), Some(top.join("slice")));
        delegate(&own, "cpu memory pids\n");
        assert_eq!(found(), Some(own));
    }
}
