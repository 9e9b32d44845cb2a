//! A working directory on disk: a private outer directory with a random name, and the agent's current directory `work`
//! inside it. [`super::Workdir`] fills it.
//!
//! The outer directory must vanish with the keeper, and its own state must reveal nothing of an earlier run.
//!
//! Removing what a program leaves behind can take the disk a hundred times as long as making it did. So between two
//! runs only [`SWEPT_AT_ONCE`] entries are removed; if there are more, the directory is renamed into `aside`, which is
//! removed at the end of the game, and counts against the limits of later runs.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, openat, renameat};
use nix::sys::stat::{Mode, fstat, fstatat};
use nix::sys::statvfs::fstatvfs;
use nix::sys::time::TimeSpec;

use super::template::{changed, has_reliable_timestamps};
use super::{INPUT, make_directory, unlock};
use crate::dir_usage::DirUsage;
use crate::scratch::ScratchDir;
use crate::sweep::{FOLDER, sweep};
use crate::system::{by_handle, clear_attributes};

/// Free space required beyond all that a program may write, for the disk not to count as full.
pub(crate) const RESERVE_BYTES: u64 = 1 << 20;

const WORK: &CStr = c"work";
const NEXT: &CStr = c"work.next";
const ASIDE: &CStr = c"aside";

/// How many entries that a run left are removed before the next one. On a busy disk one can take some milliseconds.
pub(super) const SWEPT_AT_ONCE: u64 = 512;

/// The known state of a directory on disk.
#[derive(Debug)]
pub(super) struct Disk {
    /// When the run began, by the clock of this file system; `None` if its timestamps do not show every change.
    beginning: Option<TimeSpec>,
    /// The device of its files, if known. The directory's own device may differ.
    device: Option<u64>,
    /// The number of directories in `aside`, and what they hold.
    set_aside: (u32, DirUsage),
}

/// What became of the entries that a run left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leftovers {
    /// All but `playdata.txt` are removed.
    Removed,
    /// They are too many to remove now.
    TooMany,
}

/// The free space of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FreeSpace {
    pub(crate) bytes: u64,
    /// Whether it has room for another file.
    has_files: bool,
}

impl FreeSpace {
    pub(super) fn of(directory: BorrowedFd<'_>) -> Option<Self> {
        fstatvfs(directory).ok().map(|disk| Self {
            bytes: disk.blocks_available().saturating_mul(disk.fragment_size()),
            // File systems that allocate inodes dynamically report none.
            has_files: disk.files() == 0 || disk.files_available() > 0,
        })
    }

    /// Whether there is less space than [`RESERVE_BYTES`], or none for another file.
    pub(crate) fn is_full(self) -> bool {
        self.bytes < RESERVE_BYTES || !self.has_files
    }
}

impl Disk {
    /// Makes the directory `work` in the empty directory `outer`, and returns a handle to it.
    pub(super) fn new(outer: &ScratchDir) -> nix::Result<(Self, OwnedFd)> {
        let work = make_directory(outer.handle(), WORK)?;
        let disk = Self { beginning: None, device: None, set_aside: (0, DirUsage::default()) };
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

    /// What earlier runs left that is not removed yet.
    pub(super) fn set_aside(&self) -> DirUsage {
        self.set_aside.1
    }

    /// Gives the next `work` its name. Removes everything else, wherever the program moved `last`, or sets it aside.
    pub(super) fn put_in_place(
        &mut self,
        outer: BorrowedFd<'_>,
        last: &OwnedFd,
        leftovers: Leftovers,
        enough: DirUsage,
    ) -> nix::Result<()> {
        match leftovers {
            Leftovers::Removed => sweep(last.as_fd(), &[])?,
            Leftovers::TooMany => self.put_aside(outer, last, enough)?,
        }
        // A bare program may have made an `aside` of its own.
        let spared: &[&CStr] = if self.set_aside.0 > 0 { &[NEXT, ASIDE] } else { &[NEXT] };
        sweep(outer, spared)?;
        renameat(outer, NEXT, outer, WORK)?;
        if leftovers == Leftovers::Removed && fstat(last)?.st_nlink > 0 {
            remove_wherever(last.as_fd());
        }
        Ok(())
    }

    /// Counting may stop above `enough`.
    fn put_aside(&mut self, outer: BorrowedFd<'_>, last: &OwnedFd, enough: DirUsage) -> nix::Result<()> {
        expect_in_place(outer, last)?;
        let (count, usage) = self.set_aside;
        let aside = match count {
            0 => make_directory(outer, ASIDE)?,
            _ => openat(outer, ASIDE, FOLDER, Mode::empty())?,
        };
        renameat(outer, WORK, &aside, count.to_string().as_str())?;
        // Reopened, because a listing keeps its position.
        let listed = openat(last, c".", FOLDER, Mode::empty())?;
        self.set_aside = (count + 1, usage + DirUsage::measure(&listed, enough));
        Ok(())
    }
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

/// Removes everything, wherever the program moved it. Best effort: a failure here must cost nobody a game.
pub(super) fn empty_wherever(work: &OwnedFd, outer: &ScratchDir) {
    let emptied = unlock(outer.handle())
        .and_then(|()| unlock(work.as_fd()))
        .and_then(|()| sweep(work.as_fd(), &[]))
        .and_then(|()| sweep(outer.handle(), &[]));
    if emptied.is_ok() {
        remove_wherever(outer.handle());
    }
}

/// Removes an empty directory by its current path, which may differ from the original one.
fn remove_wherever(directory: BorrowedFd<'_>) {
    if let Ok(path) = std::fs::read_link(by_handle(&directory)) {
        // Nonempty, moved again, or on another file system: then somebody uses it.
        drop(std::fs::remove_dir(path));
    }
}
