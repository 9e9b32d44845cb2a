//! Files and folders that get their names when they are whole. It knows no format; this room,
//! and those that write files below a run or a cache, call it.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::RecordError;
use super::bounded::{LARGEST_RECORD_BYTES, read_bounded};

/// The prefix of a file that is not complete.
pub(super) const UNFINISHED: &str = ".unfinished-";

/// The result of keeping a record whose name another process may have used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is now the record of that name.
    First,
    /// An identical record was already there.
    Again,
    /// Another record was there first, and stays.
    Superseded,
}

/// Writes `value` as `name` in `folder`: to a hidden temporary file there, synced, then renamed.
pub(super) fn write_whole(folder: &Path, name: &str, value: &impl Serialize) -> Result<(), RecordError> {
    let path = folder.join(name);
    let text = text_of(value, &path)?;
    put(folder, name, &text).map_err(|source| RecordError::Write { path, source })
}

pub(super) fn text_of(value: &impl Serialize, path: &Path) -> Result<Vec<u8>, RecordError> {
    let mut text = serde_json::to_vec(value).map_err(|error| RecordError::Write {
        path: path.to_owned(),
        source: error.into(),
    })?;
    text.push(b'\n');
    Ok(text)
}

/// Writes `content` as `name` in `folder`, which is created where it is missing: whole or not at all.
///
/// # Errors
///
/// As the system says.
pub fn write_file(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    put(folder, name, content)
}

fn put(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    unfinished(folder, content)?.persist(folder.join(name))?;
    File::open(folder)?.sync_all()
}

/// Makes the folder `name` in `folder`, filled by `fill`: whole or not at all. A folder of that name that somebody else
/// made first stays.
///
/// # Errors
///
/// Those of `fill`, and what `failed` makes of the system's, with the path.
pub fn write_folder<E>(
    folder: &Path,
    name: &str,
    failed: impl Fn(&Path, io::Error) -> E,
    fill: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    let whole = folder.join(name);
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut unfinished = tempfile::Builder::new();
    let unfinished = unfinished.prefix(UNFINISHED).permissions(Permissions::from_mode(0o755));
    let unfinished = unfinished.tempdir_in(folder).map_err(|error| failed(folder, error))?;
    fill(unfinished.path())?;
    match fs::rename(unfinished.path(), &whole) {
        Err(_) if whole.exists() => Ok(()),
        renamed => renamed.map_err(|error| failed(&whole, error)),
    }
}

/// Opens the lock file of the run folder `path`; makes both where they are missing.
///
/// # Errors
///
/// As the system says.
pub fn open_lock(path: &Path) -> io::Result<File> {
    fs::create_dir_all(path)?;
    File::create(path.join(".lock"))
}

/// A new folder in `parent`, called `name`, and numbered where that is taken.
///
/// # Errors
///
/// As the system says.
pub fn new_folder(parent: &Path, name: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(parent)?;
    let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
    for name in std::iter::once(name.to_owned()).chain(numbered) {
        match fs::create_dir(parent.join(&name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| parent.join(name)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Writes `text` as `name` in `folder`, like [`write_file`], but never replaces a file: it uses link(2), or
/// renameat2(2) with `RENAME_NOREPLACE`, so that only one of several writers gets the name, on NFS too.
pub(super) fn publish(folder: &Path, name: &str, text: &[u8]) -> Result<Kept, RecordError> {
    let path = folder.join(name);
    let write = || -> io::Result<Kept> {
        match unfinished(folder, text)?.persist_noclobber(&path) {
            Ok(_) => File::open(folder)?.sync_all().map(|()| Kept::First),
            // On a network the reply to our success can be lost and the request repeated.
            Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => {
                let there = read_bounded(&path, LARGEST_RECORD_BYTES);
                let same = there.is_ok_and(|there| there == text);
                Ok(if same { Kept::Again } else { Kept::Superseded })
            }
            Err(refused) => Err(refused.error),
        }
    };
    write().map_err(|source| RecordError::Write {
        path: path.clone(),
        source,
    })
}

/// A hidden, synced file with `text` in `folder`, deleted with its value unless it gets a name.
fn unfinished(folder: &Path, text: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let readable = Permissions::from_mode(0o644);
    let mut file = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .permissions(readable)
        .tempfile_in(folder)?;
    file.write_all(text)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Removes a file written by [`write_files`], if it exists.
///
/// # Errors
///
/// [`RecordError::Write`].
pub fn remove_file(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            let path = path.to_owned();
            Err(RecordError::Write { path, source })
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes texts at paths below `folder`, each whole or not at all: output computed from records. The paths must be our
/// own.
///
/// # Errors
///
/// [`RecordError::Write`].
pub fn write_files<'a>(folder: &Path, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(), RecordError> {
    for (path, text) in files {
        let path = folder.join(path);
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            continue;
        };
        write_file(parent, &name.to_string_lossy(), text.as_bytes()).map_err(|source| RecordError::Write {
            path: path.clone(),
            source,
        })?;
    }
    Ok(())
}
