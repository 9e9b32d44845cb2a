//! Control groups (cgroups(7)) that a keeper makes for its programs.
//!
//! Makes a group where this user may, moves processes into it, and always removes it. Its users are `tree_meter`
//! (measuring) and `memory_group` (limiting). It needs a subtree delegated to the user, as systemd does for
//! `systemd-run --user --scope`, or root.
//!
//! - A process can leave the group if it may write to the parent group: root and the owner of the delegated tree may,
//!   agents included. Isolation has to prevent this; at `bare` nothing does.
//! - Moving a process takes the kernel 0.2 to 15 ms; this happens in the opponent's turn.
//!
//! A group must be removed when its keeper ends; if the keeper was killed, the next keeper in the same parent removes
//! it. Each keeper holds a lock on its group, so that nobody removes one in use. All operations go through handles, so
//! the file system may be out of sight by then.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::dir::{Dir, Type};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag, open, openat};
use nix::sys::stat::{Mode, mkdirat};
use nix::sys::statfs::{CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, fstatfs};
use nix::unistd::{Pid, UnlinkatFlags, unlinkat};

use super::fault::{HostError, in_words};

/// The prefix of all group names made by this program.
const PREFIX: &str = "referee-";

/// The number of names to try before giving up.
const NAMES: u32 = 10_000;

/// A group can be removed only after the kernel has cleaned up its last process, a moment after that process ends.
const ATTEMPTS_TO_REMOVE: u32 = 100;

const PAUSE: Duration = Duration::from_millis(1);

/// The maximum depth of a program's own nested groups; deeper ones are left to the administrator.
const DEEPEST: u32 = 8;

const DIRECTORY: OFlag = OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_CLOEXEC);

/// The cgroup version: version 1 has one tree per controller, version 2 a single tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hierarchy {
    /// The tree of this controller.
    First(&'static str),
    Second,
}

impl Hierarchy {
    /// The path within the hierarchy, if this line of `/proc/self/cgroup` belongs to it.
    fn path_in(self, line: &str) -> Option<&str> {
        let mut parts = line.splitn(3, ':');
        let [number, controllers, path] = [parts.next()?, parts.next()?, parts.next()?];
        let ours = match self {
            Self::First(controller) => controllers.split(',').any(|name| name == controller),
            Self::Second => number == "0" && controllers.is_empty(),
        };
        ours.then_some(path)
    }

    /// The root and the mount point, if this line of `/proc/self/mountinfo` belongs to this hierarchy.
    fn mount_in(self, line: &str) -> Option<(&str, &str)> {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut what = file_system.split(' ');
        let (kind, options) = (what.next()?, what.nth(1)?);
        let ours = match self {
            Self::First(controller) => kind == "cgroup" && options.split(',').any(|name| name == controller),
            Self::Second => kind == "cgroup2",
        };
        let mut fields = mount.split(' ').skip(3);
        let root_and_point = (fields.next()?, fields.next()?);
        ours.then_some(root_and_point)
    }
}

/// A group of one keeper's programs.
#[derive(Debug)]
pub(super) struct ControlGroup {
    parent: OwnedFd,
    name: CString,
    /// The group's directory, locked.
    handle: Flock<OwnedFd>,
    processes: File,
}

impl ControlGroup {
    /// Makes a group inside the group of this process. The error says why none is available.
    pub(super) fn make(hierarchy: Hierarchy) -> Result<Self, String> {
        Self::make_at(hierarchy, &own_place(hierarchy)?.group)
    }

    /// Makes a group inside the group at this directory.
    pub(super) fn make_at(hierarchy: Hierarchy, place: &Path) -> Result<Self, String> {
        let parent = open(place, DIRECTORY, Mode::empty())
            .map_err(|errno| format!("cannot look into `{}`: {}", place.display(), in_words(errno)))?;
        // Elsewhere each folder made would look as if another keeper had just removed it, and would stay.
        if !is_control_group(parent.as_fd()) {
            return Err(format!("`{}` is not a control group", place.display()));
        }
        remove_abandoned(parent.as_fd());
        Self::make_in(parent).map_err(|errno| not_made(hierarchy, place, errno))
    }

    /// A folder that stands for one, in tests.
    #[cfg(test)]
    pub(super) fn existing(parent: &Path, name: &CStr) -> Self {
        let parent = open(parent, DIRECTORY, Mode::empty()).expect("the test has made it");
        let handle = locked(parent.as_fd(), name.to_str().expect("a plain name")).expect("it has a `cgroup.procs`");
        let processes = file_in(handle.as_fd(), c"cgroup.procs", OFlag::O_WRONLY).expect("it was there just now");
        Self { parent, name: name.to_owned(), handle, processes }
    }

    /// Makes a group inside another; the outer limits apply too.
    pub(super) fn make_within(outer: &Self) -> Result<Self, String> {
        let parent = outer.handle.try_clone().map_err(|error| error.to_string())?;
        Self::make_in(parent).map_err(|errno| format!("cannot make a control group in another: {}", in_words(errno)))
    }

    fn make_in(parent: OwnedFd) -> nix::Result<Self> {
        let mut attempts = (0..NAMES).map(|number| format!("{PREFIX}{}-{number}", Pid::this()));
        let (name, handle) = loop {
            let name = attempts.next().ok_or(Errno::EEXIST)?;
            match mkdirat(&parent, name.as_str(), Mode::from_bits_truncate(0o755)) {
                Err(Errno::EEXIST) => continue,
                other => other?,
            }
            // Until it is locked, another keeper may consider it abandoned.
            if let Some(handle) = locked(parent.as_fd(), &name) {
                break (name, handle);
            }
        };
        let name = CString::new(name).map_err(|_| Errno::EINVAL)?;
        let processes =
            file_in(handle.as_fd(), c"cgroup.procs", OFlag::O_WRONLY).inspect_err(|_| remove(parent.as_fd(), &name))?;
        Ok(Self { parent, name, handle, processes })
    }

    /// One of the group's control files.
    pub(super) fn file(&self, name: &CStr, flags: OFlag) -> nix::Result<File> {
        file_in(self.handle.as_fd(), name, flags)
    }

    /// Moves a process into the group.
    pub(super) fn adopt(&self, process: Pid) -> Result<(), HostError> {
        let moved = self.processes.write_at(process.to_string().as_bytes(), 0);
        moved.map(drop).map_err(HostError::when("move a process into its control group"))
    }

    /// Moves this process into the group.
    pub(super) fn enter(&self) -> Result<(), HostError> {
        // The kernel's name for the writer, in any PID namespace.
        self.adopt(Pid::from_raw(0))
    }

    /// Moves this process out of the group, into its parent.
    pub(super) fn leave(&self) -> nix::Result<()> {
        let outside = file_in(self.parent.as_fd(), c"cgroup.procs", OFlag::O_WRONLY)?;
        outside.write_at(b"0", 0).map(drop).map_err(|_| Errno::last())
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        remove(self.parent.as_fd(), &self.name);
    }
}

fn is_control_group(folder: BorrowedFd<'_>) -> bool {
    let kind = fstatfs(folder).map(|found| found.filesystem_type());
    kind.is_ok_and(|kind| [CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC].contains(&kind))
}

fn file_in(group: BorrowedFd<'_>, name: &CStr, flags: OFlag) -> nix::Result<File> {
    openat(group, name, flags | OFlag::O_CLOEXEC, Mode::empty()).map(File::from)
}

/// The location of a group in the mounted hierarchy.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The group's directory.
    pub(super) group: PathBuf,
    /// The mount point; nothing above it is visible.
    pub(super) top: PathBuf,
}

/// The group of this process.
pub(super) fn own_place(hierarchy: Hierarchy) -> Result<Place, String> {
    let text = |file: &str| std::fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"));
    let groups = text("/proc/self/cgroup")?;
    let mounts = text("/proc/self/mountinfo")?;
    place(hierarchy, &groups, &mounts).ok_or_else(|| match hierarchy {
        Hierarchy::First(controller) => format!("no control groups of version 1 with `{controller}` are mounted"),
        Hierarchy::Second => "no control groups of version 2 are mounted".to_owned(),
    })
}

fn place(hierarchy: Hierarchy, groups: &str, mounts: &str) -> Option<Place> {
    let path = Path::new(groups.lines().find_map(|line| hierarchy.path_in(line))?);
    let mut mounts = mounts.lines().filter_map(|line| hierarchy.mount_in(line));
    mounts.find_map(|(root, point)| {
        Some(Place { group: Path::new(point).join(path.strip_prefix(root).ok()?), top: point.into() })
    })
}

fn not_made(hierarchy: Hierarchy, place: &Path, errno: Errno) -> String {
    let remedy = match (hierarchy, errno) {
        (Hierarchy::Second, Errno::EACCES | Errno::EPERM) => {
            "; start it in a user scope with `systemd-run --user --scope referee ...`"
        }
        (Hierarchy::First(_), Errno::EACCES | Errno::EPERM) => "; only root can",
        _ => "",
    };
    format!("cannot make a control group in `{}`: {}{remedy}", place.display(), in_words(errno))
}

/// A locked handle; `None` if another process holds the lock or the group is gone.
fn locked(parent: BorrowedFd<'_>, name: &str) -> Option<Flock<OwnedFd>> {
    let handle = openat(parent, name, DIRECTORY | OFlag::O_NOFOLLOW, Mode::empty()).ok()?;
    let lock = Flock::lock(handle, FlockArg::LockExclusiveNonblock).ok()?;
    // The previous lock holder may have removed it in between.
    openat(&*lock, c"cgroup.procs", OFlag::O_RDONLY | OFlag::O_CLOEXEC, Mode::empty()).ok()?;
    Some(lock)
}

/// Whether a keeper names its group so. Nobody locks a group of another name, such as one around a whole run, so it
/// would look abandoned, and so would the groups of the keepers in it.
fn is_of_a_keeper(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(process, number)| process.parse::<u32>().is_ok() && number.parse::<u32>().is_ok())
}

/// Removes the groups of keepers that were killed.
fn remove_abandoned(parent: BorrowedFd<'_>) {
    for name in groups_in(parent) {
        let Some(name_text) = name.to_str().ok().filter(|name| is_of_a_keeper(name)) else {
            continue;
        };
        if let Some(_lock) = locked(parent, name_text) {
            remove_tree(parent, &name, DEEPEST);
        }
    }
}

/// Removes a group as soon as possible. If that fails, the next keeper does it.
fn remove(parent: BorrowedFd<'_>, name: &CStr) {
    for _ in 0..ATTEMPTS_TO_REMOVE {
        if remove_tree(parent, name, DEEPEST) {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Removes a group and the nested groups that a program made; returns whether it is gone. A group's own files vanish
/// with it.
fn remove_tree(parent: BorrowedFd<'_>, name: &CStr, depth: u32) -> bool {
    match unlinkat(parent, name, UnlinkatFlags::RemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => return true,
        Err(_) if depth == 0 => return false,
        Err(_) => {}
    }
    if let Ok(group) = openat(parent, name, DIRECTORY | OFlag::O_NOFOLLOW, Mode::empty()) {
        for inner in groups_in(group.as_fd()) {
            remove_tree(group.as_fd(), &inner, depth - 1);
        }
    }
    matches!(unlinkat(parent, name, UnlinkatFlags::RemoveDir), Ok(()) | Err(Errno::ENOENT))
}

fn groups_in(parent: BorrowedFd<'_>) -> Vec<CString> {
    let Ok(mut listing) = Dir::openat(parent, c".", DIRECTORY, Mode::empty()) else {
        return Vec::new();
    };
    let groups = listing.iter().flatten().filter(|entry| entry.file_type() == Some(Type::Directory));
    let names = groups.map(|entry| entry.file_name().to_owned());
    names.filter(|name| name.as_c_str() != c"." && name.as_c_str() != c"..").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: &str = "4:memory:/x\n2:cpu,cpuacct:/\n0::/user.slice/app.scope\n";
    const MOUNTS: &str = "\
        31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
        33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:4 - cgroup cgroup rw,cpu,cpuacct\n\
        36 31 0:33 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
        41 31 0:38 /user.slice /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

    #[test]
    fn the_own_group_is_found_in_either_hierarchy() {
        let found = |hierarchy| place(hierarchy, GROUPS, MOUNTS).map(|found| (found.group, found.top));
        let expected = |group: &str, top: &str| Some((PathBuf::from(group), PathBuf::from(top)));
        assert_eq!(
            found(Hierarchy::First("cpuacct")),
            expected("/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct")
        );
        assert_eq!(found(Hierarchy::First("memory")), expected("/sys/fs/cgroup/memory/x", "/sys/fs/cgroup/memory"));
        assert_eq!(found(Hierarchy::Second), expected("/sys/fs/cgroup/unified/app.scope", "/sys/fs/cgroup/unified"));
        assert_eq!(found(Hierarchy::First("pids")), None);
        assert_eq!(place(Hierarchy::Second, GROUPS, ""), None);
        assert_eq!(place(Hierarchy::First("cpuacct"), "0::/\n", MOUNTS), None);
    }

    fn handle(folder: &Path) -> OwnedFd {
        open(folder, DIRECTORY, Mode::empty()).unwrap()
    }

    #[test]
    fn a_group_that_is_in_use_or_already_gone_is_not_taken_for_an_abandoned_one() {
        let tree = tempfile::tempdir().unwrap();
        let parent = handle(tree.path());
        let make = |name: &str| {
            std::fs::create_dir(tree.path().join(name)).unwrap();
            std::fs::write(tree.path().join(name).join("cgroup.procs"), "").unwrap();
        };
        make("referee-1-0");
        let lock = locked(parent.as_fd(), "referee-1-0").unwrap();
        assert!(locked(parent.as_fd(), "referee-1-0").is_none(), "somebody has it");
        drop(lock);
        assert!(locked(parent.as_fd(), "referee-1-0").is_some());
        // Removed by another keeper between the listing and the lock, or between the lock and the look.
        assert!(locked(parent.as_fd(), "referee-2-0").is_none());
        std::fs::create_dir(tree.path().join("referee-3-0")).unwrap();
        assert!(locked(parent.as_fd(), "referee-3-0").is_none());
        // Nobody is led elsewhere.
        std::os::unix::fs::symlink("referee-1-0", tree.path().join("referee-4-0")).unwrap();
        assert!(locked(parent.as_fd(), "referee-4-0").is_none());
    }

    #[test]
    fn what_a_dead_keeper_left_is_removed_and_never_a_group_around_a_live_one() {
        let tree = tempfile::tempdir().unwrap();
        let parent = handle(tree.path());
        let of_others = ["referee-test-7", "referee-grading", "referee-7", "referee-7-0-x", "other-7-0"];
        for group in of_others.iter().chain(&["referee-7-0"]) {
            // In a folder the kernel's files stay, so only the group inside can be removed.
            std::fs::create_dir_all(tree.path().join(group).join("referee-8-0")).unwrap();
            std::fs::write(tree.path().join(group).join("cgroup.procs"), "").unwrap();
        }
        remove_abandoned(parent.as_fd());
        let is_left = |group: &str| tree.path().join(group).join("referee-8-0").exists();
        assert!(!is_left("referee-7-0"));
        for group in of_others {
            assert!(is_left(group), "{group} is not of a keeper");
        }
    }

    #[test]
    fn a_group_is_removed_with_the_groups_in_it_and_by_whoever_comes_first() {
        let tree = tempfile::tempdir().unwrap();
        let parent = handle(tree.path());
        std::fs::create_dir_all(tree.path().join("group/a/b/c")).unwrap();
        std::fs::create_dir_all(tree.path().join("group/d")).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| remove(parent.as_fd(), c"group"));
            }
        });
        assert!(!tree.path().join("group").exists());
        assert!(remove_tree(parent.as_fd(), c"group", DEEPEST), "it is gone already");
        // Deeper than a program may have nested its own: left to the administrator.
        let deep: PathBuf = std::iter::repeat_n("d", DEEPEST as usize + 2).collect();
        std::fs::create_dir_all(tree.path().join("group").join(deep)).unwrap();
        assert!(!remove_tree(parent.as_fd(), c"group", DEEPEST));
        // What still has processes cannot be removed, which is no reason to fail.
        std::fs::create_dir(tree.path().join("busy")).unwrap();
        std::fs::write(tree.path().join("busy/process"), "").unwrap();
        remove(parent.as_fd(), c"busy");
        assert!(tree.path().join("busy").exists());
    }

    #[test]
    fn a_refusal_names_the_remedy_where_there_is_one() {
        assert_eq!(
            not_made(Hierarchy::Second, Path::new("/x"), Errno::EACCES),
            "cannot make a control group in `/x`: permission denied; start it in a user scope with `systemd-run \
             --user --scope referee ...`"
        );
        assert_eq!(
            not_made(Hierarchy::First("memory"), Path::new("/x"), Errno::EROFS),
            "cannot make a control group in `/x`: read-only file system"
        );
    }
}
