//! Files and folders that get their names when they are whole. It knows no format; this crate,
//! and those that write files below a run or a cache, call it.

use std::collections::HashSet;
use std::fs::{self, DirEntry, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;
use tempfile::NamedTempFile;

use super::RecordError;
use super::bounded::{MAX_RECORD_BYTES, read_bounded};
use super::process::ProcessIdentity;

/// The prefix of a file or folder that is not complete. Its writer follows, up to a dash.
pub(super) const UNFINISHED: &str = ".unfinished-";

/// An unfinished file of another machine has no writer any more if it has not changed for so long.
const LONGEST_WRITE: Duration = Duration::from_hours(24);

/// How often a file is written again while the disk is full, and how long after each other.
const FULL_DISK_RETRIES: u32 = 50;
const FULL_DISK_PAUSE: Duration = Duration::from_millis(100);

/// The identity of this process, for the names of its unfinished files.
static THIS: LazyLock<ProcessIdentity> = LazyLock::new(ProcessIdentity::this);

/// The prefix of this process's unfinished files and folders.
static PREFIX: LazyLock<String> = LazyLock::new(|| format!("{UNFINISHED}{}-", *THIS));

/// The folders from which this process has already removed the leftovers of dead ones.
static CLEANED: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

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
    let mut text = serde_json::to_vec(value)
        .map_err(|error| RecordError::Write { path: path.to_owned(), source: error.into() })?;
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
    remove_leftovers_once(folder);
    let unfinished = with_mode(0o755).tempdir_in(folder).map_err(|error| failed(folder, error))?;
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
                let there = read_bounded(&path, MAX_RECORD_BYTES);
                let same = there.is_ok_and(|there| there == text);
                Ok(if same { Kept::Again } else { Kept::Superseded })
            }
            Err(refused) => Err(refused.error),
        }
    };
    write().map_err(|source| RecordError::Write { path: path.clone(), source })
}

/// A hidden, synced file with `text` in `folder`, deleted with its value unless it gets a name.
pub(super) fn unfinished(folder: &Path, text: &[u8]) -> io::Result<NamedTempFile> {
    retried_while_full(FULL_DISK_PAUSE, || {
        let mut file = unfinished_file(folder)?;
        file.write_all(text)?;
        file.as_file().sync_all()?;
        Ok(file)
    })
}

/// Retries `write` while the disk is full: an agent that has filled it is ended within a moment, and its files with it.
fn retried_while_full<T>(pause: Duration, mut write: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..FULL_DISK_RETRIES {
        match write() {
            Err(error) if error.kind() == io::ErrorKind::StorageFull => std::thread::sleep(pause),
            done => return done,
        }
    }
    write()
}

/// An empty hidden file in `folder`, which everybody may read, deleted with its value unless it gets a name.
pub(super) fn unfinished_file(folder: &Path) -> io::Result<NamedTempFile> {
    remove_leftovers_once(folder);
    with_mode(0o644).tempfile_in(folder)
}

fn with_mode(mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX.as_str()).permissions(Permissions::from_mode(mode));
    builder
}

/// Where this process writes for the first time, it removes what dead ones left.
fn remove_leftovers_once(folder: &Path) {
    let mut cleaned = CLEANED.lock();
    if !cleaned.contains(folder) {
        cleaned.insert(folder.to_owned());
        drop(cleaned);
        remove_unfinished(folder);
    }
}

/// Removes the unfinished files and folders of dead processes in `folder`. One that cannot be removed stays: it is in
/// nobody's way.
pub(super) fn remove_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_abandoned(&entry) {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|found| found.is_dir());
            drop(if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) });
        }
    }
}

/// Whether it is unfinished, and its writer is certainly dead or of another machine and long silent.
fn is_abandoned(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(UNFINISHED)) else {
        return false;
    };
    let writer = rest.rsplit_once('-').and_then(|(writer, _)| writer.parse::<ProcessIdentity>().ok());
    let changed = entry.metadata().and_then(|found| found.modified()).ok();
    let is_old = changed.and_then(|changed| changed.elapsed().ok()).is_some_and(|age| age > LONGEST_WRITE);
    is_old || writer.is_some_and(|writer| writer.is_gone(&THIS))
}

/// What was done with a file; `None` if that does not exist.
pub(super) fn if_there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// The entries of a folder; none if it does not exist.
pub(super) fn entries_of(folder: &Path) -> Result<Vec<DirEntry>, RecordError> {
    let listed = if_there(fs::read_dir(folder).and_then(Iterator::collect));
    listed.map(Option::unwrap_or_default).map_err(|source| RecordError::Read { path: folder.to_owned(), source })
}

/// Removes a file written by [`write_files`], if it exists.
///
/// # Errors
///
/// [`RecordError::Write`].
pub fn remove_file(path: &Path) -> Result<(), RecordError> {
    let removed = if_there(fs::remove_file(path)).map(drop);
    removed.map_err(|source| RecordError::Write { path: path.to_owned(), source })
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
        write_file(parent, &name.to_string_lossy(), text.as_bytes())
            .map_err(|source| RecordError::Write { path: path.clone(), source })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn a_disk_that_is_full_for_a_moment_costs_no_record() {
        let mut failures = vec![io::ErrorKind::StorageFull; 3];
        let mut write = || failures.pop().map_or(Ok("written"), |kind| Err(kind.into()));
        assert_eq!(retried_while_full(Duration::ZERO, &mut write).unwrap(), "written");
        let mut count = 0;
        let mut refuse = |kind: io::ErrorKind| {
            count += 1;
            io::Result::<()>::Err(kind.into())
        };
        retried_while_full(Duration::ZERO, || refuse(io::ErrorKind::StorageFull)).unwrap_err();
        retried_while_full(Duration::ZERO, || refuse(io::ErrorKind::PermissionDenied)).unwrap_err();
        assert_eq!(count, FULL_DISK_RETRIES + 2);
    }

    #[test]
    fn the_next_writer_removes_what_dead_ones_left_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let dead = ProcessIdentity::numbered(i32::try_from(child.id()).unwrap());
        child.kill().unwrap();
        child.wait().unwrap();
        let reused = THIS.to_string() + "0";
        let boot = THIS.to_string().split_once('_').unwrap().0.to_owned();
        let elsewhere = THIS.to_string().replacen(&boot, "0-0", 1);
        let [ours, dead, reused, elsewhere] = [THIS.to_string(), dead.to_string(), reused, elsewhere]
            .map(|writer| format!("{UNFINISHED}{writer}-aBc123"));
        let (old, strange) = (elsewhere.clone() + "4", format!("{UNFINISHED}g0001"));
        for name in [&ours, &dead, &reused, &elsewhere, &old, &strange, "g0001.json", ".lock"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join(dead.clone() + "5")).unwrap();
        fs::write(folder.path().join(dead.clone() + "5/part"), "").unwrap();
        let old = File::options().write(true).open(folder.path().join(old)).unwrap();
        old.set_modified(SystemTime::now() - 2 * LONGEST_WRITE).unwrap();
        write_file(folder.path(), "g0002.json", b"{}").unwrap();
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let mut expected = [".lock", &elsewhere, &strange, &ours, "g0001.json", "g0002.json"].map(str::to_owned);
        expected.sort();
        assert_eq!(left, expected);
    }
}
