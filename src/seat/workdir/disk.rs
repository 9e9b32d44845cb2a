//! Two directories on disk: the outer one private and with a random name, the inner one, `work`, the agent's current one.
//!
//! What must always hold: the outer directory is gone when the keeper is; its own state tells nothing of an earlier run.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::fcntl::renameat;
use nix::sys::stat::fstat;
use nix::sys::time::TimeSpec;

use super::{make_directory, template, unlock};
use crate::seat::scratch::ScratchDir;
use crate::seat::sweep::sweep;
use crate::seat::system::clear_attributes;

const WORK: &CStr = c"work";
const NEXT: &CStr = c"work.next";

/// What is known of a directory on disk.
#[derive(Debug)]
pub(super) struct Disk {
    /// When the run began, by the clock of this file system; `None` where its times do not tell every change.
    beginning: Option<TimeSpec>,
}

impl Disk {
    /// In the empty directory `outer`, with a handle on the directory `work` that is made in it.
    pub(super) fn new(outer: &ScratchDir) -> nix::Result<(Self, OwnedFd)> {
        let work = make_directory(outer.handle(), WORK)?;
        Ok((Self { beginning: None }, work))
    }

    /// `input.txt` was just written into `work`.
    pub(super) fn begin(&mut self, work: BorrowedFd<'_>) {
        self.beginning = template::beginning(work);
    }

    /// When the run began that has just ended, asked once.
    pub(super) fn beginning(&mut self) -> Option<TimeSpec> {
        self.beginning.take()
    }
}

/// Makes the directory that will be the next `work`.
pub(super) fn make_next(outer: BorrowedFd<'_>) -> nix::Result<OwnedFd> {
    // The program may own the outer one, too, and it stays.
    clear_attributes(outer)?;
    make_directory(outer, NEXT)
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

/// Removes everything, wherever the program has moved it. Best effort: what cannot be removed here is nobody's to lose a
/// game by.
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
