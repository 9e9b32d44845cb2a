//! The files of a submission, put into a working directory on disk again before every run.
//!
//! For: machines on which nothing can be mounted. What a run has not touched is moved into the next directory, and only
//! the rest is copied, so that a large data file costs nothing as long as nobody writes to it. Deliberately not here:
//! sealed seats, which see the files through an overlay (`isolation`).
//! What must always hold: the originals are only read; there is no second link to them, by which a program could change
//! them; and a file that a run has changed in any way is copied anew.
//!
//! **How a change is seen.** The kernel sets the time of the last status change (`ctime`, inode(7)) at every change of
//! a file's content, mode, links, name or attributes, and no program can set it. A file counts as untouched if it has
//! the inode, the size and the `ctime` that it was left with, and that `ctime` is before the beginning of the run by
//! the clock of the same file system: within one tick of that clock a change would not show. Where the kernel is known
//! not to set it for changes through a shared mapping (`tmpfs` before Linux 6.6 and what is not listed), all is copied.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, open, openat, renameat};
use nix::sys::stat::{FileStat, Mode, SFlag, fchmod, fstatat, futimens, mkdirat};
use nix::sys::statfs::{BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, XFS_SUPER_MAGIC, fstatfs};
use nix::sys::time::TimeSpec;

use super::{errno_of, make_directory, size_of};
use crate::seat::dir_usage::DirUsage;
use crate::seat::fault::HostError;
use crate::seat::sweep::open_unlocked;

/// How many folders may be within each other.
const DEEPEST: usize = 64;

/// What a file takes at least, and in multiples of what.
const BLOCK_BYTES: u64 = 4096;

/// A folder, and what is in it.
#[derive(Debug)]
pub(super) struct Template {
    directory: OwnedFd,
    entries: Vec<TemplateEntry>,
}

#[derive(Debug)]
struct TemplateEntry {
    name: CString,
    kind: EntryKind,
    /// As it was left in the working directory; `None` if it has to be copied.
    left: Option<ChangeStamp>,
}

#[derive(Debug)]
enum EntryKind {
    File { bytes: u64, mode: Mode, modified: TimeSpec },
    Folder(Vec<TemplateEntry>),
}

/// What changes with any change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChangeStamp {
    inode: u64,
    bytes: i64,
    changed: TimeSpec,
}

impl ChangeStamp {
    fn of(directory: BorrowedFd<'_>, name: &CStr) -> nix::Result<Self> {
        fstatat(directory, name, AtFlags::AT_SYMLINK_NOFOLLOW).map(|found| Self {
            inode: found.st_ino,
            bytes: found.st_size,
            changed: changed(&found),
        })
    }
}

/// When a file was last changed, in whatever respect.
pub(super) fn changed(found: &FileStat) -> TimeSpec {
    TimeSpec::new(found.st_ctime, found.st_ctime_nsec)
}

/// Whether the times of changes tell every change in this directory.
pub(super) fn tells_changes(directory: BorrowedFd<'_>) -> bool {
    let trusted = [
        EXT4_SUPER_MAGIC,
        XFS_SUPER_MAGIC,
        BTRFS_SUPER_MAGIC,
        OVERLAYFS_SUPER_MAGIC,
    ];
    fstatfs(directory).is_ok_and(|found| trusted.contains(&found.filesystem_type()))
}

impl Template {
    /// The one in the folder `path`, without the files of the names `reserved`.
    pub(super) fn open(path: &Path, reserved: &[&CStr]) -> Result<Self, HostError> {
        let failed = HostError::when::<Errno>("read the files of the submission");
        let directory = open(path, folder_flags(), Mode::empty()).map_err(&failed)?;
        let mut entries = list(directory.as_fd(), DEEPEST).map_err(&failed)?;
        entries.retain(|entry| !reserved.contains(&entry.name.as_c_str()));
        Ok(Self { directory, entries })
    }

    /// Whether there is a file or a folder of this name in the folder itself.
    pub(super) fn has(&self, name: &CStr) -> bool {
        self.entries.iter().any(|entry| entry.name.as_c_str() == name)
    }

    /// What all of it takes.
    pub(super) fn dir_usage(&self) -> DirUsage {
        let mut sum = DirUsage::default();
        let mut waiting: Vec<&TemplateEntry> = self.entries.iter().collect();
        while let Some(entry) = waiting.pop() {
            sum.files += 1;
            sum.bytes += match &entry.kind {
                EntryKind::File { bytes, .. } => bytes.next_multiple_of(BLOCK_BYTES),
                EntryKind::Folder(entries) => {
                    waiting.extend(entries);
                    BLOCK_BYTES
                }
            };
        }
        sum
    }

    /// Moves into `new` what has not been touched in `old` since `since`, by the clock of their file system.
    pub(super) fn keep(&mut self, old: BorrowedFd<'_>, new: BorrowedFd<'_>, since: TimeSpec) -> nix::Result<()> {
        keep(&mut self.entries, old, new, since)
    }

    /// From here on nothing is known of what is in any working directory.
    pub(super) fn forget(&mut self) {
        forget(&mut self.entries);
    }

    /// Copies into `new` what has not been moved there.
    pub(super) fn complete(&mut self, new: BorrowedFd<'_>) -> nix::Result<()> {
        complete(&mut self.entries, self.directory.as_fd(), new)
    }
}

fn folder_flags() -> OFlag {
    OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC
}

fn list(directory: BorrowedFd<'_>, depth: usize) -> nix::Result<Vec<TemplateEntry>> {
    let deeper = depth.checked_sub(1).ok_or(Errno::ELOOP)?;
    let mut listing = Dir::openat(directory, c".", folder_flags(), Mode::empty())?;
    let mut entries = Vec::new();
    for entry in listing.iter() {
        let name = entry?.file_name().to_owned();
        if [c".", c".."].contains(&name.as_c_str()) {
            continue;
        }
        let found = fstatat(directory, name.as_c_str(), AtFlags::AT_SYMLINK_NOFOLLOW)?;
        let kind = SFlag::from_bits_truncate(found.st_mode & SFlag::S_IFMT.bits());
        let kind = if kind == SFlag::S_IFREG {
            EntryKind::File {
                bytes: size_of(&found),
                // Whoever is to change it may: it is a copy.
                mode: Mode::from_bits_truncate(found.st_mode & 0o777) | Mode::S_IRUSR | Mode::S_IWUSR,
                modified: TimeSpec::new(found.st_mtime, found.st_mtime_nsec),
            }
        } else if kind == SFlag::S_IFDIR {
            let inner = openat(directory, name.as_c_str(), folder_flags(), Mode::empty())?;
            EntryKind::Folder(list(inner.as_fd(), deeper)?)
        } else {
            continue;
        };
        entries.push(TemplateEntry { name, kind, left: None });
    }
    Ok(entries)
}

fn keep(entries: &mut [TemplateEntry], old: BorrowedFd<'_>, new: BorrowedFd<'_>, since: TimeSpec) -> nix::Result<()> {
    for entry in entries {
        let name = entry.name.as_c_str();
        if entry.is_untouched(old, since) && renameat(old, name, new, name).is_ok() {
            // A move is a change, too.
            entry.left = ChangeStamp::of(new, name).ok();
            continue;
        }
        entry.left = None;
        if let EntryKind::Folder(entries) = &mut entry.kind {
            let inner = make_directory(new, name)?;
            match open_unlocked(old, name) {
                Ok(old) => keep(entries, old.as_fd(), inner.as_fd(), since)?,
                Err(_) => forget(entries),
            }
        }
    }
    Ok(())
}

fn forget(entries: &mut [TemplateEntry]) {
    for entry in entries {
        entry.left = None;
        if let EntryKind::Folder(entries) = &mut entry.kind {
            forget(entries);
        }
    }
}

fn complete(entries: &mut [TemplateEntry], originals: BorrowedFd<'_>, new: BorrowedFd<'_>) -> nix::Result<()> {
    for entry in entries.iter_mut().filter(|entry| entry.left.is_none()) {
        let name = entry.name.as_c_str();
        match &mut entry.kind {
            EntryKind::File { mode, modified, .. } => copy(originals, new, name, *mode, *modified)?,
            EntryKind::Folder(entries) => {
                match mkdirat(new, name, Mode::S_IRWXU) {
                    // Something untouched was moved into it.
                    Err(Errno::EEXIST) => {}
                    other => other?,
                }
                let inner = openat(new, name, folder_flags(), Mode::empty())?;
                let originals = openat(originals, name, folder_flags(), Mode::empty())?;
                complete(entries, originals.as_fd(), inner.as_fd())?;
            }
        }
        entry.left = ChangeStamp::of(new, name).ok();
    }
    Ok(())
}

/// With its mode and time: compiled modules of Python are good for a source of one time alone.
fn copy(from: BorrowedFd<'_>, to: BorrowedFd<'_>, name: &CStr, mode: Mode, modified: TimeSpec) -> nix::Result<()> {
    let reading = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let mut original = File::from(openat(from, name, reading, Mode::empty())?);
    let writing = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let mut copy = File::from(openat(to, name, writing, mode)?);
    io::copy(&mut original, &mut copy).map_err(|error| errno_of(&error))?;
    fchmod(&copy, mode)?;
    futimens(&copy, &modified, &modified)
}

impl TemplateEntry {
    fn is_untouched(&self, directory: BorrowedFd<'_>, since: TimeSpec) -> bool {
        let name = self.name.as_c_str();
        let Some(left) = self.left.filter(|left| left.changed < since) else {
            return false;
        };
        if ChangeStamp::of(directory, name) != Ok(left) {
            return false;
        }
        match &self.kind {
            EntryKind::File { .. } => true,
            EntryKind::Folder(entries) => openat(directory, name, folder_flags(), Mode::empty())
                .is_ok_and(|inner| entries.iter().all(|entry| entry.is_untouched(inner.as_fd(), since))),
        }
    }
}
