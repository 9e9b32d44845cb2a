//! A control group (cgroups(7)) that the keeper makes for its programs, and what the kernel has on account for it.
//!
//! The account is fed from the same source as that of reaped processes and sees every process of the group. It needs a
//! place where this user may make a group: a part of the tree that was delegated to him, as systemd does for
//! `systemd-run --user --scope`, or root's rights.
//!
//! What must be known of it:
//! - A process can leave the group if it may write to the group above, which is so for root and for whoever the tree was
//!   delegated to, agents included. Isolation has to keep them from it; so this is a fallback.
//! - Of a process that is on a processor, the time since the last tick of the clock is not on account yet.
//! - Moving a process takes the kernel 0.3 to 15 ms, which is done in the opponent's turn.
//!
//! What must always hold: a group is removed when its keeper ends; the one of a keeper that was killed is removed by the next
//! keeper that comes to the place. Each keeper holds a lock on its group, so nobody removes one that is in use, and
//! everything is done through handles, so that the file system may be out of sight by then.

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
use nix::unistd::{Pid, UnlinkatFlags, unlinkat};

use super::super::fault::{Fault, in_words};
use super::Counter;
use crate::time::CpuTime;

/// What the names of all groups begin with that this program makes.
const PREFIX: &str = "referee-";

/// How many names are tried before giving up.
const NAMES: u32 = 10_000;

/// A group can be removed once the kernel has done with the last process in it, which is a moment after its end.
const ATTEMPTS_TO_REMOVE: u32 = 100;

const PAUSE: Duration = Duration::from_millis(1);

/// How deep a program may have nested groups of its own before they are left to the administrator.
const DEEPEST: u32 = 8;

const DIRECTORY: OFlag = OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_CLOEXEC);

/// The two kinds of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    First,
    Second,
}

impl Version {
    /// The file with the account.
    const fn account(self) -> &'static CStr {
        match self {
            Self::First => c"cpuacct.usage",
            Self::Second => c"cpu.stat",
        }
    }

    /// What the file with the account says.
    fn read(self, text: &str) -> Option<CpuTime> {
        match self {
            Self::First => text
                .trim()
                .parse()
                .ok()
                .map(|nanos: u64| CpuTime::from_micros(nanos / 1000)),
            Self::Second => {
                let micros = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
                micros.trim().parse().ok().map(CpuTime::from_micros)
            }
        }
    }

    /// The path within the hierarchy, if the line of `/proc/self/cgroup` is about this one.
    fn path_in(self, line: &str) -> Option<&str> {
        let mut parts = line.splitn(3, ':');
        let [number, controllers, path] = [parts.next()?, parts.next()?, parts.next()?];
        let ours = match self {
            Self::First => controllers.split(',').any(|name| name == "cpuacct"),
            Self::Second => number == "0" && controllers.is_empty(),
        };
        ours.then_some(path)
    }

    /// The root and the mount point, if the line of `/proc/self/mountinfo` is about this hierarchy.
    fn mount_in(self, line: &str) -> Option<(&str, &str)> {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut what = file_system.split(' ');
        let (kind, options) = (what.next()?, what.nth(1)?);
        let ours = match self {
            Self::First => kind == "cgroup" && options.split(',').any(|name| name == "cpuacct"),
            Self::Second => kind == "cgroup2",
        };
        let mut fields = mount.split(' ').skip(3);
        let root_and_point = (fields.next()?, fields.next()?);
        ours.then_some(root_and_point)
    }
}

/// The group of one keeper's programs.
pub(super) struct Group {
    version: Version,
    parent: OwnedFd,
    name: CString,
    /// Also the lock.
    _handle: Flock<OwnedFd>,
    processes: File,
    account: File,
    before: CpuTime,
}

impl Group {
    /// Makes one. The error is the reason why there is none to be had.
    pub(super) fn make(version: Version) -> Result<Self, String> {
        let place = own_place(version)?;
        let parent = open(&place, DIRECTORY, Mode::empty())
            .map_err(|errno| format!("cannot look into `{}`: {}", place.display(), in_words(errno)))?;
        remove_abandoned(parent.as_fd());
        Self::make_in(version, parent).map_err(|errno| not_made(version, &place, errno))
    }

    fn make_in(version: Version, parent: OwnedFd) -> nix::Result<Self> {
        let mut attempts = (0..NAMES).map(|number| format!("{PREFIX}{}-{number}", Pid::this()));
        let (name, handle) = loop {
            let name = attempts.next().ok_or(Errno::EEXIST)?;
            match mkdirat(&parent, name.as_str(), Mode::from_bits_truncate(0o755)) {
                Err(Errno::EEXIST) => continue,
                other => other?,
            }
            // Until it is locked, another keeper may take it for abandoned.
            if let Some(handle) = locked(parent.as_fd(), &name) {
                break (name, handle);
            }
        };
        let file = |file: &CStr, flags| openat(&*handle, file, flags | OFlag::O_CLOEXEC, Mode::empty()).map(File::from);
        let opened = file(c"cgroup.procs", OFlag::O_WRONLY)
            .and_then(|processes| file(version.account(), OFlag::O_RDONLY).map(|account| (processes, account)));
        let name = CString::new(name).map_err(|_| Errno::EINVAL)?;
        let (processes, account) = opened.inspect_err(|_| remove(parent.as_fd(), &name))?;
        Ok(Self {
            version,
            parent,
            name,
            _handle: handle,
            processes,
            account,
            before: CpuTime::ZERO,
        })
    }

    fn on_account(&self) -> Result<CpuTime, Fault> {
        let doing = "read the account of the control group";
        let mut text = [0; 512];
        let length = self.account.read_at(&mut text, 0).map_err(Fault::when(doing))?;
        let read = str::from_utf8(&text[..length])
            .ok()
            .and_then(|text| self.version.read(text));
        read.ok_or_else(|| Fault::when(doing)("it has another form than expected"))
    }
}

impl Counter for Group {
    fn adopt(&mut self, starter: Pid) -> Result<(), Fault> {
        let moved = self.processes.write_at(starter.to_string().as_bytes(), 0);
        moved
            .map(drop)
            .map_err(Fault::when("move a process into its control group"))
    }

    fn begin(&mut self) -> Result<(), Fault> {
        self.before = self.on_account()?;
        Ok(())
    }

    fn used(&mut self) -> Result<CpuTime, Fault> {
        Ok(self.on_account()?.saturating_sub(self.before))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        remove(self.parent.as_fd(), &self.name);
    }
}

/// The group that this process is in itself, as a directory.
fn own_place(version: Version) -> Result<PathBuf, String> {
    let text = |file: &str| std::fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"));
    let groups = text("/proc/self/cgroup")?;
    let mounts = text("/proc/self/mountinfo")?;
    place(version, &groups, &mounts).ok_or_else(|| match version {
        Version::First => "no control groups of version 1 with `cpuacct` are mounted".to_owned(),
        Version::Second => "no control groups of version 2 are mounted".to_owned(),
    })
}

fn place(version: Version, groups: &str, mounts: &str) -> Option<PathBuf> {
    let path = Path::new(groups.lines().find_map(|line| version.path_in(line))?);
    mounts
        .lines()
        .filter_map(|line| version.mount_in(line))
        .find_map(|(root, point)| Some(Path::new(point).join(path.strip_prefix(root).ok()?)))
}

fn not_made(version: Version, place: &Path, errno: Errno) -> String {
    let remedy = match (version, errno) {
        (Version::Second, Errno::EACCES | Errno::EPERM) => {
            "; `systemd-run --user --scope referee ...` starts it in one that is this user's own"
        }
        (Version::First, Errno::EACCES | Errno::EPERM) => "; only root may",
        _ => "",
    };
    format!(
        "cannot make a control group in `{}`: {}{remedy}",
        place.display(),
        in_words(errno)
    )
}

/// A handle and a lock; `None` if somebody else has the lock, or the group is gone.
fn locked(parent: BorrowedFd<'_>, name: &str) -> Option<Flock<OwnedFd>> {
    let handle = openat(parent, name, DIRECTORY | OFlag::O_NOFOLLOW, Mode::empty()).ok()?;
    let lock = Flock::lock(handle, FlockArg::LockExclusiveNonblock).ok()?;
    // It may have been removed in between, by somebody who had the lock before.
    openat(
        &*lock,
        c"cgroup.procs",
        OFlag::O_RDONLY | OFlag::O_CLOEXEC,
        Mode::empty(),
    )
    .ok()?;
    Some(lock)
}

/// Removes the groups of keepers that did not come to do it.
fn remove_abandoned(parent: BorrowedFd<'_>) {
    for name in groups_in(parent) {
        let Some(name_text) = name.to_str().ok().filter(|name| name.starts_with(PREFIX)) else {
            continue;
        };
        if let Some(_lock) = locked(parent, name_text) {
            remove_tree(parent, &name, DEEPEST);
        }
    }
}

/// Removes a group as soon as it can be. One that cannot is left to the next keeper.
fn remove(parent: BorrowedFd<'_>, name: &CStr) {
    for _ in 0..ATTEMPTS_TO_REMOVE {
        if remove_tree(parent, name, DEEPEST) {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Whether it is gone. The files of a group go with it; groups in it, which a program may have made, do not.
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
    matches!(
        unlinkat(parent, name, UnlinkatFlags::RemoveDir),
        Ok(()) | Err(Errno::ENOENT)
    )
}

fn groups_in(parent: BorrowedFd<'_>) -> Vec<CString> {
    let Ok(mut listing) = Dir::openat(parent, c".", DIRECTORY, Mode::empty()) else {
        return Vec::new();
    };
    let groups = listing
        .iter()
        .flatten()
        .filter(|entry| entry.file_type() == Some(Type::Directory));
    let names = groups.map(|entry| entry.file_name().to_owned());
    names
        .filter(|name| name.as_c_str() != c"." && name.as_c_str() != c"..")
        .collect()
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
        let found = |version| place(version, GROUPS, MOUNTS);
        assert_eq!(found(Version::First), Some("/sys/fs/cgroup/cpu,cpuacct".into()));
        assert_eq!(found(Version::Second), Some("/sys/fs/cgroup/unified/app.scope".into()));
        assert_eq!(place(Version::Second, GROUPS, ""), None);
        assert_eq!(place(Version::First, "0::/\n", MOUNTS), None);
    }

    #[test]
    fn an_account_is_read_in_its_own_unit() {
        let micros = |micros| Some(CpuTime::from_micros(micros));
        assert_eq!(Version::First.read("123456789\n"), micros(123_456));
        assert_eq!(
            Version::Second.read("usage_usec 42\nuser_usec 40\nsystem_usec 2\n"),
            micros(42)
        );
        assert_eq!(Version::Second.read("user_usec 40\n"), None);
        assert_eq!(Version::First.read(""), None);
    }

    #[test]
    fn a_refusal_names_the_remedy_where_there_is_one() {
        assert_eq!(
            not_made(Version::Second, Path::new("/x"), Errno::EACCES),
            "cannot make a control group in `/x`: permission denied; `systemd-run --user --scope referee ...` starts it in \
             one that is this user's own"
        );
        assert_eq!(
            not_made(Version::First, Path::new("/x"), Errno::EROFS),
            "cannot make a control group in `/x`: read-only file system"
        );
    }
}
