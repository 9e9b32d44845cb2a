//! Detects files that were removed from the folder of a prepared agent. It reads no files.
//!
//! A program or a person that cleans up temporary files may remove the copy of a submission while it plays; the agent
//! then fails through no fault of its own. Adding or removing an entry changes the status change time of its folder
//! (`ctime`, inode(7)), so an unchanged folder needs no second look. Added files are ignored: at isolation level
//! `bare`, an agent can create some.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The entries of a folder and of all folders below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FolderContents(Vec<FolderListing>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct FolderListing {
    folder: PathBuf,
    stamp: FolderStamp,
    names: Vec<OsString>,
}

/// Metadata of a folder that changes when an entry is added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FolderStamp {
    device: u64,
    inode: u64,
    changed: (i64, i64),
}

impl FolderContents {
    /// The contents of `folder`; empty if it does not exist, as for agents without a copy.
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

    /// The first folder that lacks one of its entries or no longer exists.
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
    fn a_removal_at_any_depth_is_detected() {
        for gone in ["homework.py", "data/openings/book.txt", "data"] {
            let (folder, contents) = folder();
            let gone = folder.path().join(gone);
            let removed = if gone.is_dir() { fs::remove_dir_all(&gone) } else { fs::remove_file(&gone) };
            removed.unwrap();
            assert!(contents.incomplete().is_some(), "{}", gone.display());
        }
    }

    #[test]
    fn reading_and_adding_files_is_ignored() {
        let (folder, contents) = folder();
        fs::read(folder.path().join("data/map")).unwrap();
        fs::write(folder.path().join("data/log"), "").unwrap();
        assert_eq!(contents.incomplete(), None);
    }

    #[test]
    fn an_agent_without_a_folder_lacks_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let contents = FolderContents::of(&folder.path().join("none")).unwrap();
        assert_eq!(contents, FolderContents::default());
    }
}
