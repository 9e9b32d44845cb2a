//! When the files of a submission were last changed, as the disk says. It follows no links and opens no files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::submission_time::SubmissionTime;

/// More files than a submission may have.
const MAX_FILES: usize = 10_000;

/// The newest time of the regular files at `path`, without following links.
pub(super) fn newest_in(path: &Path) -> Option<SubmissionTime> {
    let mut newest: Option<SystemTime> = None;
    let mut left = MAX_FILES;
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut look = |path: &Path, folders: &mut Vec<PathBuf>| {
        let Ok(found) = path.symlink_metadata() else { return };
        if found.is_dir() {
            folders.push(path.to_owned());
        } else if found.is_file() {
            newest = newest.max(found.modified().ok());
        }
    };
    look(path, &mut folders);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Some(fewer) = left.checked_sub(1) else { break };
            left = fewer;
            look(&entry.path(), &mut folders);
        }
    }
    newest.map(SubmissionTime::from)
}
