//! Two directories on disk: the outer one private and with a random name, the inner one, `work`, the agent's current
//! one.
//!
//! What must always hold: the outer directory is gone when the keeper is; its own state tells nothing of an earlier
//! run.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, renameat};
use nix::sys::stat::{fstat, fstatat};
use nix::sys::statvfs::fstatvfs;
use nix::sys::time::TimeSpec;

use super::template::{changed, tells_changes};
use super::{INPUT, make_directory, unlock};
use crate::seat::scratch::ScratchDir;
use crate::seat::sweep::sweep;
use crate::seat::system::clear_attributes;

/// What has to be free besides all that a program may write, for a disk not to be full.
pub(in crate::seat) const RESERVE_BYTES: u64 = 1 << 20;

const WORK: &CStr = c"work";
const NEXT: &CStr = c"work.next";

/// What is known of a directory on disk.
#[derive(Debug)]
pub(super) struct Disk {
    /// When the run began, by the clock of this file system; `None` where its times do not tell every change.
    beginning: Option<TimeSpec>,
    /// The device that files in it are on, as far as it is known. That of a directory need not be the same.
    device: Option<u64>,
}

impl Disk {
    /// In the empty directory `outer`, with a handle on the directory `work` that is made in it.
    pub(super) fn new(outer: &ScratchDir) -> nix::Result<(Self, OwnedFd)> {
        let work = make_directory(outer.handle(), WORK)?;
        let disk = Self {
            beginning: None,
            device: None,
        };
        Ok((disk, work))
    }

    /// `input.txt` was just written into `work`: after all that was put there before the run, and before all that a run
    /// does.
    pub(super) fn begin(&mut self, work: BorrowedFd<'_>) {
        let found = fstatat(work, INPUT, AtFlags::AT_SYMLINK_NOFOLLOW).ok();
        self.device = found.as_ref().map(|found| found.st_dev);
        self.beginning = found.filter(|_| tells_changes(work)).as_ref().map(changed);
    }

    pub(super) fn device(&self) -> Option<u64> {
        self.device
    }

    /// When the run began that has just ended, asked once.
    pub(super) fn beginning(&mut self) -> Option<TimeSpec> {
        self.beginning.take()
    }
}

/// Whether there is less room than [`RESERVE_BYTES`], or none for another file.
pub(super) fn is_full(directory: BorrowedFd<'_>) -> bool {
    fstatvfs(directory).is_ok_and(|disk| {
        let room = disk.blocks_available().saturating_mul(disk.fragment_size());
        // File systems that make room for files as they are needed count none.
        let no_files = disk.files() > 0 && disk.files_available() == 0;
        room < RESERVE_BYTES || no_files
    })
}

/// Makes the directory that will be the next `work`.
pub(super) fn make_next(outer: BorrowedFd<'_>) -> nix::Result<OwnedFd> {
    // The program may own the outer one, too, and it stays.
    clear_attributes(outer)?;
    make_directory(outer, NEXT)
}

/// That `work` is where it was made: a program that may can move it away or remove it.
pub(super) fn expect_in_place(outer: BorrowedFd<'_>, work: &OwnedFd) -> nix::Result<()> {
    let (found, ours) = (fstatat(outer, WORK, AtFlags::AT_SYMLINK_NOFOLLOW)?, fstat(work)?);
    if (found.st_dev, found.st_ino) == (ours.st_dev, ours.st_ino) {
        Ok(())
    } else {
        Err(Errno::ENOENT)
    }
}

/// Gives the next `work` its name, and removes all else, wherever the program has moved `last`.
pub(super) fn put_in_place(outer: BorrowedFd<'_>, last: &OwnedFd) -> nix::Result<()> {
    sweep(last.as_fd(), c"")?;
    sweep(outer, NEXT)?;
    renameat(outer, NEXT, outer, WORK)?;
    if fstat(last)?.st_nlink > 0 {
        remove_wherever(last.as_fd());
    }
    Ok(())
}

/// Removes everything, wherever the program has moved it. Best effort: what cannot be removed here is nobody's to lose
/// a game by.
pub(super) fn empty_wherever(work: &OwnedFd, outer: &ScratchDir) {
    let emptied = unlock(outer.handle())
        .and_then(|()| unlock(work.as_fd()))
        .and_then(|()| sweep(work.as_fd(), c""))
        .and_then(|()| sweep(outer.handle(), c""));
    if emptied.is_ok() {
        remove_wherever(outer.handle());
    }
}

/// Removes an empty directory by the path that it has now, which need not be the one that it was made under.
fn remove_wherever(directory: BorrowedFd<'_>) {
    let by_handle = format!("/proc/self/fd/{}", directory.as_raw_fd());
    if let Ok(path) = std::fs::read_link(by_handle) {
        // Not empty, or moved again, or on another file system: then it is somebody's.
        drop(std::fs::remove_dir(path));
    }
}
