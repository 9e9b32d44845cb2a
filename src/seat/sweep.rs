//! Emptying a directory that a hostile program has had to itself.
//!
//! What must always hold: no link is followed, no directory is too deep or too full, no mode keeps anything alive, and
//! the number of open descriptors and the stack do not grow with what is found. Nested directories are moved to the
//! top instead of being descended into.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, openat, renameat};
use nix::sys::stat::{FchmodatFlags, Mode, fchmodat};
use nix::unistd::{UnlinkatFlags, unlinkat};

/// How many names are held in memory at a time.
const BATCH: usize = 1024;

/// Removes everything in `dir` but the entry called `spared`.
pub(super) fn sweep(dir: BorrowedFd<'_>, spared: &CStr) -> nix::Result<()> {
    let mut moved = 0;
    loop {
        let names = entries(dir, spared)?;
        for name in &names {
            remove(dir, name, &mut moved)?;
        }
        // There is more if the batch was full, and there may be if something was moved here from further down.
        if names.is_empty() || (names.len() < BATCH && moved == 0) {
            return Ok(());
        }
    }
}

/// Removes whatever has this name, if anything has.
pub(super) fn remove_entry(dir: BorrowedFd<'_>, name: &CStr) -> nix::Result<()> {
    if removed_at_once(dir, name)? {
        return Ok(());
    }
    sweep(open_unlocked(dir, name)?.as_fd(), c"")?;
    unlinkat(dir, name, UnlinkatFlags::RemoveDir)
}

/// The names in a directory, at most `BATCH` of them, without `.`, `..` and `spared`.
pub(super) fn entries(dir: BorrowedFd<'_>, spared: &CStr) -> nix::Result<Vec<CString>> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let mut listing = Dir::openat(dir, c".", flags, Mode::empty())?;
    let mut names = Vec::new();
    for entry in listing.iter() {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." && name != spared {
            names.push(name.to_owned());
        }
        if names.len() == BATCH {
            break;
        }
    }
    Ok(names)
}

fn remove(dir: BorrowedFd<'_>, name: &CStr, moved: &mut u32) -> nix::Result<()> {
    if removed_at_once(dir, name)? {
        return Ok(());
    }
    let inner = open_unlocked(dir, name)?;
    loop {
        let names = entries(inner.as_fd(), c"")?;
        for name in &names {
            if !removed_at_once(inner.as_fd(), name)? {
                move_up(inner.as_fd(), name, dir, moved)?;
            }
        }
        if names.len() < BATCH {
            break;
        }
    }
    unlinkat(dir, name, UnlinkatFlags::RemoveDir)
}

/// Removes a file of any kind or an empty directory; `false` if it is a directory with something in it.
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

/// Moves a directory up under a name that is free there.
fn move_up(from: BorrowedFd<'_>, name: &CStr, to: BorrowedFd<'_>, moved: &mut u32) -> nix::Result<()> {
    // A directory that goes to another parent has its own `..` rewritten, which takes the right to write it.
    open_unlocked(from, name)?;
    loop {
        *moved += 1;
        match renameat(from, name, to, format!(".swept-{moved}").as_str()) {
            Err(Errno::EEXIST | Errno::ENOTEMPTY | Errno::ENOTDIR) => {}
            other => return other,
        }
    }
}

/// Opens a directory whatever its mode is, and gives it mode 0700.
pub(super) fn open_unlocked(dir: BorrowedFd<'_>, name: &CStr) -> nix::Result<OwnedFd> {
    let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    // A handle of the O_PATH kind needs no right to the directory itself. The mode is changed through it, so that it
    // cannot be something else by then, and `fchmod` refuses such a handle, so it goes through its name in /proc.
    let handle = openat(dir, name, flags | OFlag::O_PATH, Mode::empty())?;
    let by_handle = format!("/proc/self/fd/{}", handle.as_raw_fd());
    fchmodat(
        AT_FDCWD,
        by_handle.as_str(),
        Mode::S_IRWXU,
        FchmodatFlags::FollowSymlink,
    )?;
    openat(dir, name, flags | OFlag::O_RDONLY, Mode::empty())
}
