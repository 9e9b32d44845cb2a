//! Lists the folders of submissions and of classes. It follows no links and decides nothing; the search for programs
//! and `intake` call it.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use super::snapshot::is_left_behind;

/// Something in a folder.
pub(crate) struct FolderEntry {
    pub(crate) path: PathBuf,
    /// Decoded lossily if it is not UTF-8.
    pub(crate) name: String,
    pub(crate) kind: FileType,
}

/// What is in a folder, by name, without what a build, an editor, an archive or a desktop has left there.
pub(crate) fn entries_of(folder: &Path) -> io::Result<Vec<FolderEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_left_behind(&name) {
            entries.push(FolderEntry { path: entry.path(), name, kind: entry.file_type()? });
        }
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}
