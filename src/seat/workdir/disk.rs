//! A working directory on disk: a private outer directory with a random name, and the agent's current directory `work`
//! inside it. [`super::Workdir`] fills it.
//!
//! The outer directory must vanish with the keeper, and its own state must reveal nothing of an earlier run.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, renameat};
use nix::sys::stat::{fstat, fstatat};
use nix::sys::statvfs::fstatvfs;
use nix::sys::time::TimeSpec;

use super::template::{changed, has_reliable_timestamps};
use super::{INPUT, make_directory, unlock};
use crate::seat::scratch::ScratchDir;
use crate::seat::sweep::sweep;
use crate::seat::system::clear_attributes;

/// Free space required beyond all that a program may write, for the disk not to count as full.
pub(in crate::seat) const RESERVE_BYTES: u64 = 1 << 20;

const WORK: &CStr = c"work";
const NEXT: &CStr = c"work.next";

/// The known state of a directory on disk.
#[derive(Debug)]
pub(super) struct Disk {
    /// When the run began, by the clock of this file system; `None` if its timestamps do not show every change.
    beginning: Option<TimeSpec>,
    /// The device of its files, if known. The directory's own device may differ.
    device: Option<u64>,
}

impl Disk {
    /// Makes the directory `work` in the empty directory `outer`, and returns a handle to it.
    pub(super) fn new(outer: &ScratchDir) -> nix::Result<(Self, OwnedFd)> {
        let work = make_directory(outer.handle(), WORK)?;
        let disk = Self { beginning: None, device: None };
        Ok((disk, work))
    }

    /// Called when `input.txt` was just written into `work`: after all preparation and before any action of the run.
    pub(super) fn begin(&mut self, work: BorrowedFd<'_>) {
        let found = fstatat(work, INPUT, AtFlags::AT_SYMLINK_NOFOLLOW).ok();
        self.device = found.as_ref().map(|found| found.st_dev);
        self.beginning = found.filter(|_| has_reliable_timestamps(work)).as_ref().map(changed);
    }

    pub(super) fn device(&self) -> Option<u64> {
        self.device
    }

    /// When the run that just ended began; can be taken only once.
    pub(super) fn beginning(&mut self) -> Option<TimeSpec> {
        self.beginning.take()
    }
}

/// Whether there is less space than [`RESERVE_BYTES`], or none for another file.
pub(super) fn is_full(directory: BorrowedFd<'_>) -> bool {
    fstatvfs(directory).is_ok_and(|disk| {
        let room = disk.blocks_available().saturating_mul(disk.fragment_size());
        // File systems that allocate inodes dynamically report none.
        let no_files = disk.files() > 0 && disk.files_available() == 0;
        room < RESERVE_BYTES || no_files
    })
}

/// Makes the next `work`.
pub(super) fn make_next(outer: BorrowedFd<'_>) -> nix::Result<OwnedFd> {
    // The program may own the outer directory too, which persists.
    clear_attributes(outer)?;
    make_directory(outer, NEXT)
}

/// Fails unless `work` is in its original place: a bare program can move or remove it.
pub(super) fn expect_in_place(outer: BorrowedFd<'_>, work: &OwnedFd) -> nix::Result<()> {
    let (found, ours) = (fstatat(outer, WORK, AtFlags::AT_SYMLINK_NOFOLLOW)?, fstat(work)?);
    if (found.st_dev, found.st_ino) == (ours.st_dev, ours.st_ino) { Ok(()) } else { Err(Errno::ENOENT) }
}

/// Gives the next `work` its name, and removes everything else, wherever the program moved `last`.
pub(super) fn put_in_place(outer: BorrowedFd<'_>, last: &OwnedFd) -> nix::Result<()> {
    sweep(last.as_fd(), c"")?;
    sweep(outer, NEXT)?;
    renameat(outer, NEXT, outer, WORK)?;
    if fstat(last)?.st_nlink > 0 {
        remove_wherever(last.as_fd());
    }
    Ok(())
}

/// Removes everything, wherever the program moved it. Best effort: a failure here must cost nobody a game.
pub(super) fn empty_wherever(work: &OwnedFd, outer: &ScratchDir) {
    let emptied = unlock(outer.handle())
        .and_then(|()| unlock(work.as_fd()))
        .and_then(|()| sweep(work.as_fd(), c""))
        .and_then(|()| sweep(outer.handle(), c""));
    if emptied.is_ok() {
        remove_wherever(outer.handle());
    }
}

/// Removes an empty directory by its current path, which may differ from the original one.
fn remove_wherever(directory: BorrowedFd<'_>) {
    let by_handle = format!("/proc/self/fd/{}", directory.as_raw_fd());
    if let Ok(path) = std::fs::read_link(by_handle) {
        // Nonempty, moved again, or on another file system: then somebody uses it.
        drop(std::fs::remove_dir(path));
    }
}
