//! Measures the size of a directory while a hostile program may be changing it.
//!
//! It must follow no link, never block, and stop counting at a bound. Called for working directories and their
//! templates.

use std::ffi::CStr;
use std::ops::Add;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, openat};
use nix::sys::stat::{Mode, SFlag, fstatat};

use super::sweep::{FOLDER, open_unlocked};

/// The maximum depth of directories before they count as too many files: each level takes two descriptors.
const DEEPEST: usize = 400;

/// The block size that `stat(2)` counts in, independent of the file system.
pub(super) const BLOCK_BYTES: u64 = 512;

/// The contents of a directory and its subdirectories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DirUsage {
    /// The disk space of its files.
    pub(super) bytes: u64,
    /// The number of its files of every kind, including directories.
    pub(super) files: u64,
}

impl Add for DirUsage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { bytes: self.bytes.saturating_add(other.bytes), files: self.files.saturating_add(other.files) }
    }
}

impl DirUsage {
    /// The excess over `other`.
    pub(super) fn beyond(self, other: Self) -> Self {
        Self { bytes: self.bytes.saturating_sub(other.bytes), files: self.files.saturating_sub(other.files) }
    }

    /// Counts everything, or until more than `enough`. Unreadable entries are gone or count as empty.
    pub(super) fn measure(directory: &OwnedFd, enough: Self) -> Self {
        let mut found = Self::default();
        found.count(directory, enough, DEEPEST);
        found
    }

    fn count(&mut self, directory: &OwnedFd, enough: Self, depth: usize) {
        let Some(deeper) = depth.checked_sub(1) else {
            self.files = u64::MAX;
            return;
        };
        let listing = directory.try_clone().map_err(|_| Errno::EMFILE).and_then(Dir::from_fd);
        for entry in listing.into_iter().flat_map(IntoIterator::into_iter).flatten() {
            if self.bytes > enough.bytes || self.files > enough.files {
                return;
            }
            let name = entry.file_name();
            if name != c"." && name != c".." {
                self.add_entry(directory.as_fd(), name, enough, deeper);
            }
        }
    }

    fn add_entry(&mut self, directory: BorrowedFd<'_>, name: &CStr, enough: Self, depth: usize) {
        let Ok(found) = fstatat(directory, name, AtFlags::AT_SYMLINK_NOFOLLOW) else {
            return;
        };
        self.files += 1;
        self.bytes += u64::try_from(found.st_blocks).unwrap_or(0) * BLOCK_BYTES;
        if found.st_mode & SFlag::S_IFMT.bits() == SFlag::S_IFDIR.bits()
            && let Ok(inner) = open_inner(directory, name)
        {
            self.count(&inner, enough, depth);
        }
    }
}

/// A program may revoke access to its directories, but the owner can restore it.
fn open_inner(directory: BorrowedFd<'_>, name: &CStr) -> nix::Result<OwnedFd> {
    match openat(directory, name, FOLDER, Mode::empty()) {
        Err(Errno::EACCES) => open_unlocked(directory, name),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const ALL: DirUsage = DirUsage { bytes: u64::MAX - 1, files: u64::MAX - 1 };

    fn held(path: &std::path::Path, enough: DirUsage) -> DirUsage {
        DirUsage::measure(&fs::File::open(path).unwrap().into(), enough)
    }

    #[test]
    fn everything_counts_once_at_any_depth_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/file"), [1; 9000]).unwrap();
        std::os::unix::fs::symlink("/usr", folder.path().join("a/usr")).unwrap();
        let held = held(folder.path(), ALL);
        assert_eq!(held.files, 4);
        assert!((9000..100_000).contains(&held.bytes), "{held:?}");
    }

    #[test]
    fn counting_ends_where_it_is_enough() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..50 {
            fs::write(folder.path().join(index.to_string()), "").unwrap();
        }
        assert_eq!(held(folder.path(), DirUsage { files: 9, ..ALL }).files, 10);
    }

    #[test]
    fn directories_too_deep_to_look_into_are_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let mut path = folder.path().to_owned();
        for _ in 0..DEEPEST {
            path.push("d");
        }
        fs::create_dir_all(&path).unwrap();
        assert_eq!(held(folder.path(), ALL).files, u64::MAX);
    }
}
