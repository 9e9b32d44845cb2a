//! Tells whether the folder of a prepared agent still has what its preparation left in it. It reads no files.
//!
//! Programs that clean up temporary files, and people who do, take the copy of a submission while it plays; without its
//! files, a program looks as if it had never worked. The status change time of a folder (`ctime`, inode(7)) changes
//! with every entry that is added or removed, so nothing is listed while nobody touches it. What is added does no harm:
//! at isolation level `bare`, an agent can do that.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A folder and all folders below it, with their entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FolderContents(Vec<FolderListing>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct FolderListing {
    folder: PathBuf,
    stamp: FolderStamp,
    names: Vec<OsString>,
}

/// What changes when an entry is added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FolderStamp {
    device: u64,
    inode: u64,
    changed: (i64, i64),
}

impl FolderContents {
    /// Those of `folder`; none where it is missing, as for agents that need none.
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let mut listings = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let stamp = match FolderStamp::of(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                stamp => stamp?,
            };
            let mut names = Vec::new();
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    folders.push(entry.path());
                }
                names.push(entry.file_name());
            }
            listings.push(FolderListing { folder, stamp, names });
        }
        Ok(Self(listings))
    }

    /// A folder that misses an entry, or is gone.
    pub(super) fn incomplete(&self) -> Option<&Path> {
        self.0.iter().find(|listing| listing.is_incomplete()).map(|listing| listing.folder.as_path())
    }
}

impl FolderListing {
    fn is_incomplete(&self) -> bool {
        let is_there = |name: &OsString| self.folder.join(name).symlink_metadata().is_ok();
        FolderStamp::of(&self.folder).ok() != Some(self.stamp) && !self.names.iter().all(is_there)
    }
}

impl FolderStamp {
    fn of(folder: &Path) -> io::Result<Self> {
        let found = fs::symlink_metadata(folder)?;
        Ok(Self { device: found.dev(), inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with two more in it, and what it has.
    fn folder() -> (tempfile::TempDir, FolderContents) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("data/openings")).unwrap();
        for file in ["homework.py", "data/openings/book.txt", "data/map"] {
            fs::write(folder.path().join(file), "x").unwrap();
        }
        let contents = FolderContents::of(folder.path()).unwrap();
        // A change within the same tick of the file system's clock would not show.
        let latest = contents.0.iter().map(|listing| listing.stamp.changed).max().unwrap();
        let tick = tempfile::tempdir_in(folder.path().parent().unwrap()).unwrap();
        while FolderStamp::of(tick.path()).unwrap().changed <= latest {
            fs::write(tick.path().join("tick"), "").unwrap();
            fs::remove_file(tick.path().join("tick")).unwrap();
        }
        (folder, contents)
    }

    #[test]
    fn what_is_removed_at_any_depth_is_noticed() {
        for gone in ["homework.py", "data/openings/book.txt", "data"] {
            let (folder, contents) = folder();
            let gone = folder.path().join(gone);
            let removed = if gone.is_dir() { fs::remove_dir_all(&gone) } else { fs::remove_file(&gone) };
            removed.unwrap();
            assert!(contents.incomplete().is_some(), "{}", gone.display());
        }
    }

    #[test]
    fn what_is_read_or_added_does_no_harm() {
        let (folder, contents) = folder();
        fs::read(folder.path().join("data/map")).unwrap();
        fs::write(folder.path().join("data/log"), "").unwrap();
        assert_eq!(contents.incomplete(), None);
    }

    #[test]
    fn an_agent_without_a_folder_misses_none() {
        let folder = tempfile::tempdir().unwrap();
        let contents = FolderContents::of(&folder.path().join("none")).unwrap();
        assert_eq!(contents, FolderContents::default());
    }
}
