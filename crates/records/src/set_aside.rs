//! Records that no longer fit their run, because its assignment has changed. They are moved to `set-aside` in the run's
//! folder and never removed: each change makes a folder there that is a run of its own, with the manifest and the
//! assignment that its records were made for. `grading` moves them, and finds them again.

use std::fs;

use super::files::{entries_of, if_there, new_folder};
use super::{Manifest, RecordError, RunFolder};

const SET_ASIDE: &str = "set-aside";

impl RunFolder {
    /// The folders of records set aside, with their manifests, the newest first.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if one cannot be read.
    pub fn set_aside(&self) -> Result<Vec<(Self, Manifest)>, RecordError> {
        let entries = entries_of(&self.path().join(SET_ASIDE))?;
        let mut paths: Vec<_> = entries.iter().map(fs::DirEntry::path).filter(|path| Self::is_begun(path)).collect();
        paths.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
        paths.iter().rev().map(|path| Self::open_with_manifest(path, self.games())).collect()
    }

    /// Begins a folder of records set aside, which were made for `manifest` and the text of its `assignment`.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn begin_set_aside(&self, manifest: &Manifest, assignment: &str) -> Result<Self, RecordError> {
        let parent = self.path().join(SET_ASIDE);
        let path =
            new_folder(&parent, "records").map_err(|source| RecordError::Write { path: parent.clone(), source })?;
        Self::begin_by(&path, manifest, assignment, self.games())
    }

    /// Moves the record of the game or answer `id`, if there is one, to the folder `to`.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn move_record(&self, id: &str, to: &Self) -> Result<(), RecordError> {
        for (from, path) in [(self.path_of(id), to.path_of(id)), (self.path_of_answer(id), to.path_of_answer(id))] {
            if_there(fs::rename(&from, &path)).map_err(|source| RecordError::Write { path, source })?;
        }
        Ok(())
    }
}
