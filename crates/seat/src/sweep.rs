//! Empties a directory that a hostile program controlled. Working directories, scratch directories and copies use it.
//!
//! It must follow no link, handle directories of any depth, size and mode, and use a bounded stack and number of
//! descriptors. It moves nested directories to the top instead of descending into them.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, openat, renameat};
use nix::sys::stat::{FchmodatFlags, Mode, fchmodat};
use nix::unistd::{UnlinkatFlags, unlinkat};

use super::system::by_handle;

/// The flags to open a directory with: not through a link, and not for programs that are started later.
pub(super) const FOLDER: OFlag =
    OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_NOFOLLOW).union(OFlag::O_CLOEXEC);

/// How many names are in memory at once.
const BATCH: usize = 1024;

/// Removes everything in `dir` except the entries `spared`.
pub(super) fn sweep(dir: BorrowedFd<'_>, spared: &[&CStr]) -> nix::Result<()> {
    sweep_some(dir, spared, u64::MAX).map(drop)
}

/// The same until so many entries have been touched; returns whether nothing is left.
pub(super) fn sweep_some(dir: BorrowedFd<'_>, spared: &[&CStr], most: u64) -> nix::Result<bool> {
    let mut sweep = Sweep { budget: most, moved: 0 };
    loop {
        let names = entries(dir, spared)?;
        for name in &names {
            if !sweep.remove(dir, name)? {
                return Ok(false);
            }
        }
        // A full batch means more entries, and so may directories moved here from below.
        if names.is_empty() || (names.len() < BATCH && sweep.moved == 0) {
            return Ok(true);
        }
    }
}

/// Removes the entry of this name, if it exists.
pub(super) fn remove_entry(dir: BorrowedFd<'_>, name: &CStr) -> nix::Result<()> {
    if removed_at_once(dir, name)? {
        return Ok(());
    }
    sweep(open_unlocked(dir, name)?.as_fd(), &[])?;
    unlinkat(dir, name, UnlinkatFlags::RemoveDir)
}

/// The names in a directory, at most `BATCH`, without `.`, `..` and `spared`.
pub(super) fn entries(dir: BorrowedFd<'_>, spared: &[&CStr]) -> nix::Result<Vec<CString>> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let mut listing = Dir::openat(dir, c".", flags, Mode::empty())?;
    let mut names = Vec::new();
    for entry in listing.iter() {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." && !spared.contains(&name) {
            names.push(name.to_owned());
        }
        if names.len() == BATCH {
            break;
        }
    }
    Ok(names)
}

/// A sweep under way.
struct Sweep {
    /// How many more entries it may touch.
    budget: u64,
    /// The number of directories that it has moved up.
    moved: u32,
}

impl Sweep {
    /// Whether the entry is gone, with everything in it that was not moved up.
    fn remove(&mut self, dir: BorrowedFd<'_>, name: &CStr) -> nix::Result<bool> {
        if !self.may_touch_one_more() {
            return Ok(false);
        }
        if removed_at_once(dir, name)? {
            return Ok(true);
        }
        let inner = open_unlocked(dir, name)?;
        loop {
            let names = entries(inner.as_fd(), &[])?;
            for name in &names {
                if !self.may_touch_one_more() {
                    return Ok(false);
                }
                if !removed_at_once(inner.as_fd(), name)? {
                    move_up(inner.as_fd(), name, dir, &mut self.moved)?;
                }
            }
            if names.len() < BATCH {
                break;
            }
        }
        unlinkat(dir, name, UnlinkatFlags::RemoveDir).map(|()| true)
    }

    fn may_touch_one_more(&mut self) -> bool {
        let may = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        may
    }
}

/// Removes a file of any kind or an empty directory; `false` for a nonempty directory.
fn removed_at_once(dir: BorrowedFd<'_>, name: &CStr) -> nix::Result<bool> {
    match unlinkat(dir, name, UnlinkatFlags::NoRemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => return Ok(true),
        Err(Errno::EISDIR) => {}
        Err(other) => return Err(other),
    }
    match unlinkat(dir, name, UnlinkatFlags::RemoveDir) {
        Ok(()) => Ok(true),
        Err(Errno::ENOTEMPTY | Errno::EEXIST) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Moves a directory up, to a free name.
fn move_up(from: BorrowedFd<'_>, name: &CStr, to: BorrowedFd<'_>, moved: &mut u32) -> nix::Result<()> {
    // Moving a directory to another parent rewrites its `..`, which requires write permission on it.
    open_unlocked(from, name)?;
    loop {
        *moved += 1;
        match renameat(from, name, to, format!(".swept-{moved}").as_str()) {
            Err(Errno::EEXIST | Errno::ENOTEMPTY | Errno::ENOTDIR) => {}
            other => return other,
        }
    }
}

/// Opens a directory of any mode, and sets its mode to 0700.
pub(super) fn open_unlocked(dir: BorrowedFd<'_>, name: &CStr) -> nix::Result<OwnedFd> {
    let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    // An O_PATH handle needs no permission on the directory. Changing the mode through it avoids a race; `fchmod`
    // refuses such a handle, so it goes through its name in /proc.
    let handle = openat(dir, name, flags | OFlag::O_PATH, Mode::empty())?;
    fchmodat(AT_FDCWD, by_handle(&handle).as_str(), Mode::S_IRWXU, FchmodatFlags::FollowSymlink)?;
    openat(dir, name, flags | OFlag::O_RDONLY, Mode::empty())
}
