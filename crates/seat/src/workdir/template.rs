//! Restores a submission's files in a working directory on disk before every run.
//!
//! For machines on which nothing can be mounted; sealed seats use an overlay instead (`isolation`). Untouched files are
//! moved into the next directory, and only the rest is copied, so that a large data file costs nothing while nobody
//! writes to it. [`super::Workdir`] calls it. The originals must only be read. They must never have a second link,
//! through which a program could change them. A file that a run changed in any way must be copied again.
//!
//! **Detecting changes.** The kernel updates the status change time (`ctime`, inode(7)) at every change of a file's
//! content, mode, links, name or attributes, and no program can set it. A file is untouched if it still has the same
//! inode, size and `ctime`, and the `ctime` is before the start of the run by the clock of the same file system: a
//! change within the same clock tick would not show. Where changes through a shared mapping do not update it (`tmpfs`
//! before Linux 6.6, and unlisted file systems), everything is copied.

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
use crate::dir_usage::DirUsage;
use crate::fault::HostError;
use crate::sweep::{FOLDER, open_unlocked};

/// The maximum depth of folders.
const DEEPEST: usize = 64;

/// The minimum size of a file on disk, and its unit.
const BLOCK_BYTES: u64 = 4096;

/// A folder and its contents.
#[derive(Debug)]
pub(super) struct Template {
    directory: OwnedFd,
    entries: Vec<TemplateEntry>,
}

#[derive(Debug)]
struct TemplateEntry {
    name: CString,
    kind: EntryKind,
    /// Its stamp in the working directory; `None` if it must be copied.
    left: Option<ChangeStamp>,
}

#[derive(Debug)]
enum EntryKind {
    File { bytes: u64, mode: Mode, modified: TimeSpec },
    Folder(Vec<TemplateEntry>),
}

/// Metadata that changes with every modification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChangeStamp {
    inode: u64,
    bytes: i64,
    changed: TimeSpec,
}

impl ChangeStamp {
    pub(super) fn of(directory: BorrowedFd<'_>, name: &CStr) -> nix::Result<Self> {
        fstatat(directory, name, AtFlags::AT_SYMLINK_NOFOLLOW).map(|found| Self {
            inode: found.st_ino,
            bytes: found.st_size,
            changed: changed(&found),
        })
    }
}

/// When a file was last changed in any respect.
pub(super) fn changed(found: &FileStat) -> TimeSpec {
    TimeSpec::new(found.st_ctime, found.st_ctime_nsec)
}

/// Whether timestamps in this directory show every change.
pub(super) fn has_reliable_timestamps(directory: BorrowedFd<'_>) -> bool {
    let trusted = [EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC];
    fstatfs(directory).is_ok_and(|found| trusted.contains(&found.filesystem_type()))
}

impl Template {
    /// The template in the folder `path`, without files whose names are `reserved`.
    pub(super) fn open(path: &Path, reserved: &[&CStr]) -> Result<Self, HostError> {
        let failed = HostError::when::<Errno>("read the files of the submission");
        let directory = open(path, FOLDER, Mode::empty()).map_err(&failed)?;
        let mut entries = list(directory.as_fd(), DEEPEST).map_err(&failed)?;
        entries.retain(|entry| !reserved.contains(&entry.name.as_c_str()));
        Ok(Self { directory, entries })
    }

    /// Whether the top folder contains a file or folder of this name.
    pub(super) fn has(&self, name: &CStr) -> bool {
        self.entries.iter().any(|entry| entry.name.as_c_str() == name)
    }

    /// Its total size.
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

    /// Moves the files from `old` to `new` that are untouched since `since`, by the clock of their file system.
    pub(super) fn keep(&mut self, old: BorrowedFd<'_>, new: BorrowedFd<'_>, since: TimeSpec) -> nix::Result<()> {
        keep(&mut self.entries, old, new, since)
    }

    /// Forgets the contents of all working directories.
    pub(super) fn forget(&mut self) {
        forget(&mut self.entries);
    }

    /// Copies the files into `new` that were not moved.
    pub(super) fn complete(&mut self, new: BorrowedFd<'_>) -> nix::Result<()> {
        complete(&mut self.entries, self.directory.as_fd(), new)
    }
}

fn list(directory: BorrowedFd<'_>, depth: usize) -> nix::Result<Vec<TemplateEntry>> {
    let deeper = depth.checked_sub(1).ok_or(Errno::ELOOP)?;
    let mut listing = Dir::openat(directory, c".", FOLDER, Mode::empty())?;
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
                // It is a copy, so the program may change it.
                mode: Mode::from_bits_truncate(found.st_mode & 0o777) | Mode::S_IRUSR | Mode::S_IWUSR,
                modified: TimeSpec::new(found.st_mtime, found.st_mtime_nsec),
            }
        } else if kind == SFlag::S_IFDIR {
            let inner = openat(directory, name.as_c_str(), FOLDER, Mode::empty())?;
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
            // A move changes the stamp too.
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
                    // An untouched file was already moved into it.
                    Err(Errno::EEXIST) => {}
                    other => other?,
                }
                let inner = openat(new, name, FOLDER, Mode::empty())?;
                let originals = openat(originals, name, FOLDER, Mode::empty())?;
                complete(entries, originals.as_fd(), inner.as_fd())?;
            }
        }
        entry.left = ChangeStamp::of(new, name).ok();
    }
    Ok(())
}

/// Preserves mode and time: Python's compiled modules are valid only for one time of their source.
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
            EntryKind::Folder(entries) => openat(directory, name, FOLDER, Mode::empty())
                .is_ok_and(|inner| entries.iter().all(|entry| entry.is_untouched(inner.as_fd(), since))),
        }
    }
}
