//! Tells whether the folder of a prepared agent is still as its preparation left it. It reads no files.
//!
//! Programs that clean up temporary files, and people who do, take the copy of a submission while it plays; without its
//! files, a program looks as if it had never worked. The status change time of a folder (`ctime`, inode(7)) changes
//! with every entry that is added or removed.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A folder and all folders below it, with what changes when an entry of one is added or removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FolderStamps(Vec<(PathBuf, FolderStamp)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FolderStamp {
    device: u64,
    inode: u64,
    changed: (i64, i64),
}

impl FolderStamps {
    /// Those of `folder`; none where it is missing, as for agents that need none.
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let mut stamps = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let stamp = match FolderStamp::of(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                stamp => stamp?,
            };
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    folders.push(entry.path());
                }
            }
            stamps.push((folder, stamp));
        }
        Ok(Self(stamps))
    }

    /// A folder in which an entry was added or removed since, or which is gone.
    pub(super) fn changed(&self) -> Option<&Path> {
        let changed = self.0.iter().find(|(folder, stamp)| FolderStamp::of(folder).ok().as_ref() != Some(stamp));
        changed.map(|(folder, _)| folder.as_path())
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

    #[test]
    fn what_is_removed_at_any_depth_is_noticed() {
        for gone in ["homework.py", "data/openings/book.txt", "data"] {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir_all(folder.path().join("data/openings")).unwrap();
            for file in ["homework.py", "data/openings/book.txt", "data/map"] {
                fs::write(folder.path().join(file), "x").unwrap();
            }
            let stamps = FolderStamps::of(folder.path()).unwrap();
            fs::read(folder.path().join("data/map")).unwrap();
            assert_eq!(stamps.changed(), None);
            // A change within the same tick of the file system's clock would not show.
            let before = stamps.0.iter().map(|(_, stamp)| stamp.changed).max().unwrap();
            let tick = tempfile::tempdir_in(folder.path().parent().unwrap()).unwrap();
            while FolderStamp::of(tick.path()).unwrap().changed <= before {
                fs::write(tick.path().join("tick"), "").unwrap();
                fs::remove_file(tick.path().join("tick")).unwrap();
            }
            let gone = folder.path().join(gone);
            let removed = if gone.is_dir() { fs::remove_dir_all(&gone) } else { fs::remove_file(&gone) };
            removed.unwrap();
            assert!(stamps.changed().is_some(), "{}", gone.display());
        }
    }

    #[test]
    fn an_agent_without_a_folder_misses_none() {
        let folder = tempfile::tempdir().unwrap();
        let stamps = FolderStamps::of(&folder.path().join("none")).unwrap();
        assert_eq!(stamps, FolderStamps::default());
    }
}
