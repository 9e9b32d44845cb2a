//! Private scratch directories, and the removal of those whose owners have died.
//!
//! All that this program stores under `TMPDIR` is here: the directories of seats, copies of submissions and their
//! builds. It does not know their contents. Seats, builds and several commands use it. Nobody else may enter a
//! directory. One in use must never be removed; one whose owner has died must be removed by the next command, whatever
//! it contains; another user's must never be touched.
//!
//! **Liveness.** An owner holds a lock (flock(2)) on the directory itself, which the kernel releases at its death, even
//! by `kill -9`. Between making and locking a directory it looks abandoned, so its owner checks again after locking. On
//! a file system without locks, nothing is ever removed for another process.

use std::ffi::{CStr, CString};
use std::fs::Permissions;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, Flock, FlockArg, open};
use nix::sys::stat::{Mode, SFlag, fstat, fstatat};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};

use super::isolation::SYSTEM;
use super::sweep::{FOLDER, open_unlocked, sweep};

/// The purpose of a directory; a part of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scratch {
    /// The directory of a seat.
    Seat,
    /// Copies of submissions, and their builds.
    Builds,
    /// Anything else that lives no longer than a command.
    Other,
}

impl Scratch {
    const ALL: [Self; 3] = [Self::Seat, Self::Builds, Self::Other];

    /// The prefix of its name. The dot distinguishes it from other programs' directories.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Seat => "referee-seat.",
            Self::Builds => "referee-builds.",
            Self::Other => "referee-other.",
        }
    }
}

/// A private directory of this process. Dropping it removes it with its contents.
///
/// ```
/// use referee_seat::{Scratch, ScratchDir};
///
/// let scratch = ScratchDir::new(Scratch::Builds)?;
/// std::fs::write(scratch.path().join("program"), "")?;
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct ScratchDir {
    path: PathBuf,
    lock: Lock,
}

/// A handle to the directory, locked if the file system supports it.
#[derive(Debug)]
enum Lock {
    Held(Flock<OwnedFd>),
    None(OwnedFd),
}

impl ScratchDir {
    /// Makes a directory in `TMPDIR`, else in `/tmp`.
    ///
    /// # Errors
    ///
    /// The system's; and if it would be where a sealed program sees other files than these or those of others, too, or
    /// where nothing can be executed.
    pub fn new(scratch: Scratch) -> io::Result<Self> {
        Self::new_in(&temporary_folder(), scratch)
    }

    /// Makes a directory in `folder`. Its path is canonical: links may lead elsewhere under another root.
    pub(super) fn new_in(folder: &Path, scratch: Scratch) -> io::Result<Self> {
        Self::make_in(folder, scratch).map_err(|error| {
            let told = format!("`{}`: {error}; set `TMPDIR` to another directory", folder.display());
            io::Error::new(error.kind(), told)
        })
    }

    fn make_in(folder: &Path, scratch: Scratch) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        if let Some(reason) = why_unfit(&folder) {
            return Err(io::Error::other(reason));
        }
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(scratch.prefix()).permissions(Permissions::from_mode(0o700));
        loop {
            // `ScratchDir` removes it.
            match Self::lock(builder.tempdir_in(&folder)?.keep()) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => return other,
            }
        }
    }

    /// Fails with `NotFound` if another process has removed it as abandoned.
    fn lock(path: PathBuf) -> io::Result<Self> {
        let handle = open(&path, FOLDER, Mode::empty())?;
        let lock = match Flock::lock(handle, FlockArg::LockExclusive) {
            Ok(lock) => Lock::Held(lock),
            Err((handle, _)) => Lock::None(handle),
        };
        let made = Self { path, lock };
        match fstat(made.handle())?.st_nlink {
            0 => Err(io::ErrorKind::NotFound.into()),
            _ => Ok(made),
        }
    }

    /// Its path, without symbolic links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A handle to it.
    pub(super) fn handle(&self) -> BorrowedFd<'_> {
        match &self.lock {
            Lock::Held(handle) => handle.as_fd(),
            Lock::None(handle) => handle.as_fd(),
        }
    }
}

/// `TMPDIR`, or `/tmp` if it is unset or empty. Absolute, because a keeper has another working directory.
pub(super) fn temporary_folder() -> PathBuf {
    let named = Some(std::env::temp_dir()).filter(|path| !path.as_os_str().is_empty());
    let folder = named.unwrap_or_else(|| PathBuf::from("/tmp"));
    std::path::absolute(&folder).unwrap_or(folder)
}

/// Why programs cannot have their files in `folder`, a canonical path.
fn why_unfit(folder: &Path) -> Option<&'static str> {
    if folder.starts_with("/dev") {
        return Some("a sealed program has its own `/dev` and would not find its files there");
    }
    if SYSTEM.iter().any(|part| folder.starts_with(part)) {
        return Some("every program sees this part of the system, and with it the files of others");
    }
    let flags = statvfs(folder).map_or(FsFlags::empty(), |found| found.flags());
    flags.contains(FsFlags::ST_NOEXEC).then_some("no program can be executed there (it is mounted `noexec`)")
}

impl Drop for ScratchDir {
    /// Best effort: the next command removes what remains.
    fn drop(&mut self) {
        let _ = sweep(self.handle(), &[]);
        drop(std::fs::remove_dir(&self.path));
    }
}

/// Removes the directory `path` of a process that has ended, with its contents, if this user owns it.
pub(super) fn remove(path: &Path) {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else {
        return;
    };
    let removed = || -> nix::Result<()> {
        let folder = open(folder, FOLDER, Mode::empty())?;
        let name = CString::new(name.as_bytes()).map_err(|_| Errno::EINVAL)?;
        match own(folder.as_fd(), &name)? {
            Some(handle) => empty(folder.as_fd(), &name, handle.as_fd()),
            None => Ok(()),
        }
    };
    // Best effort, as in `drop`; again, because a killed keeper may have removed something from under it meanwhile.
    let _ = removed().or_else(|_| removed());
}

/// Removes abandoned directories in `TMPDIR`, else in `/tmp`; returns their number.
///
/// Must be called once before making some.
pub fn remove_abandoned() -> usize {
    abandoned_in(&temporary_folder()).unwrap_or(0)
}

fn abandoned_in(folder: &Path) -> nix::Result<usize> {
    let mut listing = Dir::open(folder, FOLDER, Mode::empty())?;
    let is_ours = |name: &CString| {
        let begins = |scratch: &Scratch| name.as_bytes().starts_with(scratch.prefix().as_bytes());
        Scratch::ALL.iter().any(begins)
    };
    let entries = listing.iter().flatten().map(|entry| entry.file_name().to_owned());
    let names: Vec<CString> = entries.filter(is_ours).collect();
    let folder = open(folder, FOLDER, Mode::empty())?;
    let removed = names.iter().filter(|name| remove_abandoned_one(folder.as_fd(), name) == Ok(true));
    Ok(removed.count())
}

fn remove_abandoned_one(folder: BorrowedFd<'_>, name: &CStr) -> nix::Result<bool> {
    match own(folder, name)?.map(|handle| Flock::lock(handle, FlockArg::LockExclusiveNonblock)) {
        Some(Ok(lock)) => empty(folder, name, lock.as_fd()).map(|()| true),
        Some(Err(_)) | None => Ok(false),
    }
}

/// A handle to the directory of this name, if this user owns it.
fn own(folder: BorrowedFd<'_>, name: &CStr) -> nix::Result<Option<OwnedFd>> {
    let found = fstatat(folder, name, AtFlags::AT_SYMLINK_NOFOLLOW)?;
    let is_folder = found.st_mode & SFlag::S_IFMT.bits() == SFlag::S_IFDIR.bits();
    if !is_folder || found.st_uid != geteuid().as_raw() {
        return Ok(None);
    }
    open_unlocked(folder, name).map(Some)
}

fn empty(folder: BorrowedFd<'_>, name: &CStr, handle: BorrowedFd<'_>) -> nix::Result<()> {
    sweep(handle, &[])?;
    unlinkat(folder, name, UnlinkatFlags::RemoveDir)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn nobody_else_may_enter_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = ScratchDir::new_in(folder.path(), Scratch::Builds).unwrap();
        assert_eq!(fs::metadata(scratch.path()).unwrap().permissions().mode() & 0o7777, 0o700);
        fs::create_dir_all(scratch.path().join("a/b/c")).unwrap();
        fs::write(scratch.path().join("a/b/file"), "x").unwrap();
        drop(scratch);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn nothing_is_made_where_all_programs_see_it_or_none_can_be_executed() {
        let refusal = |place| ScratchDir::new_in(Path::new(place), Scratch::Seat).unwrap_err().to_string();
        assert!(refusal("/usr").contains("every program sees this part of the system"), "{}", refusal("/usr"));
        // On every usual system it is mounted so.
        if statvfs("/proc").unwrap().flags().contains(FsFlags::ST_NOEXEC) {
            assert!(refusal("/proc").contains("(it is mounted `noexec`); set `TMPDIR`"), "{}", refusal("/proc"));
        }
    }

    /// A link leads there, too; a folder that is only called so does not.
    #[test]
    fn nothing_is_made_where_a_sealed_program_has_files_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        symlink("/dev", folder.path().join("link")).unwrap();
        fs::create_dir(folder.path().join("dev")).unwrap();
        for place in [Path::new("/dev"), &folder.path().join("link")] {
            let refused = ScratchDir::new_in(place, Scratch::Seat).unwrap_err().to_string();
            assert!(refused.contains("a sealed program has its own `/dev`"), "{refused}");
        }
        ScratchDir::new_in(&folder.path().join("dev"), Scratch::Seat).unwrap();
    }

    #[test]
    fn what_the_dead_have_left_is_removed_and_what_the_living_use_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("file"), "x").unwrap();
        let living = ScratchDir::new_in(folder.path(), Scratch::Seat).unwrap();
        for kind in Scratch::ALL {
            let dead = folder.path().join(format!("{}dead", kind.prefix()));
            fs::create_dir_all(dead.join("a/b")).unwrap();
            symlink(outside.path(), dead.join("a/link")).unwrap();
            fs::set_permissions(dead.join("a"), Permissions::from_mode(0o000)).unwrap();
        }
        // None of these is ours.
        fs::create_dir(folder.path().join("referee-seat-other")).unwrap();
        fs::write(folder.path().join("referee-seat.file"), "").unwrap();
        symlink(outside.path(), folder.path().join("referee-seat.link")).unwrap();

        assert_eq!(abandoned_in(folder.path()), Ok(Scratch::ALL.len()));
        let name = living.path().file_name().unwrap().to_str().unwrap();
        let mut expected = ["referee-seat-other", "referee-seat.file", "referee-seat.link", name];
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
        assert_eq!(names(outside.path()), ["file"]);
        assert_eq!(abandoned_in(folder.path()), Ok(0));
    }

    #[test]
    #[ignore = "long: a very deep tree"]
    fn a_tree_of_any_depth_is_removed() {
        const DEPTH: usize = 5_000;
        let folder = tempfile::tempdir().unwrap();
        let scratch = ScratchDir::new_in(folder.path(), Scratch::Other).unwrap();
        let mut inner = scratch.handle().try_clone_to_owned().unwrap();
        for _ in 0..DEPTH {
            nix::sys::stat::mkdirat(&inner, "d", Mode::S_IRWXU).unwrap();
            inner = nix::fcntl::openat(&inner, "d", FOLDER, Mode::empty()).unwrap();
        }
        let path = scratch.path().to_owned();
        std::mem::forget(scratch);
        remove(&path);
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
