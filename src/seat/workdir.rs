//! The working directory: made, filled, read and swept by the keeper alone, relative to handles.
//!
//! Two directories, the outer one private and with a random name, the inner one, `work`, the agent's current
//! directory. After every run the inner one is made *anew* and only what may live on is carried over: that undoes in
//! one stroke whatever the agent has done to the directory itself (removed it, renamed it, changed its mode, its
//! times, its attributes), and its path stays the same. `playdata.txt` is carried over by its content alone, in a new
//! file, for the same reason.
//!
//! The outer directory is on disk, or, where a seat is sealed, a file system in memory of the keeper's namespaces, which
//! ends with them.
//!
//! What must always hold: nothing is opened through a link, nothing blocks, nothing large is read; the outer directory
//! is gone when the keeper is.

use std::ffi::CStr;
use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, open, openat, renameat};
use nix::sys::stat::{FchmodatFlags, FileStat, Mode, SFlag, fchmod, fchmodat, fstat, fstatat, mkdirat};
use nix::sys::statfs::fstatfs;
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};

use super::fault::{Fault, in_words};
use super::holdings::Holdings;
use super::limits::Limits;
use super::report::{Bytes, OutputFile};
use super::sweep::{entries, sweep};
use super::system::clear_attributes;

const WORK: &CStr = c"work";
const NEXT: &CStr = c"work.next";
const INPUT: &CStr = c"input.txt";
const PLAYDATA: &CStr = c"playdata.txt";
/// What an agent answers with.
pub(super) const OUTPUT: &CStr = c"output.txt";
/// What a calibration is kept in.
pub(super) const CALIBRATION: &CStr = c"calibration.txt";

/// The largest `calibration.txt` that is read.
const CALIBRATION_CAP_BYTES: u64 = 1 << 20;
/// The largest `playdata.txt` that lives on.
const PLAYDATA_CAP_BYTES: u64 = 16 << 20;

/// How many names of files that were removed are told, and how much of each.
const REMOVED_NAMES: usize = 10;
const REMOVED_CHARACTERS: usize = 80;

/// The working directory of one seat.
#[derive(Debug)]
pub(super) struct Workdir {
    storage: Storage,
    path: PathBuf,
    outer: OwnedFd,
    work: OwnedFd,
    calibration: Option<Vec<u8>>,
    limits: Limits,
}

/// Where the outer directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    Disk,
    Memory,
}

/// Makes a directory in `scratch` that nobody else may enter.
pub(super) fn make_private(scratch: &Path) -> Result<PathBuf, Fault> {
    let made = tempfile::Builder::new()
        .prefix("referee-seat-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(scratch);
    // By its real path: where links lead outside says nothing of where they lead under another root.
    let real = made.and_then(|made| made.path().canonicalize().inspect(|_| drop(made.keep())));
    real.map_err(Fault::when::<io::Error>("make a working directory"))
}

impl Workdir {
    /// One in `path`, an empty directory on disk.
    pub(super) fn on_disk(path: PathBuf, calibration: Option<Vec<u8>>, limits: &Limits) -> Result<Self, Fault> {
        let outer = open(&path, directory_flags(), Mode::empty()).map_err(Fault::when("make a working directory"))?;
        Self::furnish(Storage::Disk, path, outer, calibration, limits)
    }

    /// One in `outer`, which is a file system of its own, and has the path `path` for the program.
    pub(super) fn in_memory(
        path: PathBuf,
        outer: OwnedFd,
        calibration: Option<Vec<u8>>,
        limits: &Limits,
    ) -> Result<Self, Fault> {
        Self::furnish(Storage::Memory, path, outer, calibration, limits)
    }

    fn furnish(
        storage: Storage,
        path: PathBuf,
        outer: OwnedFd,
        calibration: Option<Vec<u8>>,
        limits: &Limits,
    ) -> Result<Self, Fault> {
        let work = make_directory(outer.as_fd(), WORK).map_err(Fault::when("make a working directory"))?;
        let workdir = Self {
            storage,
            path,
            outer,
            work,
            calibration,
            limits: *limits,
        };
        workdir
            .put_calibration()
            .map_err(Fault::when("write calibration.txt"))?;
        Ok(workdir)
    }

    /// Whether looking at all of it takes time.
    pub(super) fn is_on_disk(&self) -> bool {
        self.storage == Storage::Disk
    }

    /// What the working directory takes of the machine's memory.
    pub(super) fn bytes_in_memory(&self) -> u64 {
        match self.storage {
            Storage::Disk => 0,
            Storage::Memory => self.in_file_system().unwrap_or_default().bytes,
        }
    }

    /// What is in it now; counting may end as soon as one of these is passed.
    pub(super) fn holds(&self, bytes: u64, files: u64) -> Holdings {
        let enough = Holdings { bytes, files };
        match self.storage {
            // Opened anew, for a listing of it has a place where it has got to.
            Storage::Disk => openat(&self.work, c".", directory_flags(), Mode::empty())
                .map_or_else(|_| Holdings::default(), |work| Holdings::of(&work, enough)),
            Storage::Memory => self.in_file_system().unwrap_or_default(),
        }
    }

    fn in_file_system(&self) -> nix::Result<Holdings> {
        let found = fstatfs(&self.outer)?;
        let blocks = found.blocks().saturating_sub(found.blocks_free());
        Ok(Holdings {
            bytes: blocks.saturating_mul(u64::try_from(found.block_size()).unwrap_or(0)),
            // Less the two directories.
            files: found.files().saturating_sub(found.files_free()).saturating_sub(2),
        })
    }

    /// The outer directory.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the agent's current directory.
    pub(super) fn work_path(&self) -> PathBuf {
        self.path.join("work")
    }

    /// A handle on the agent's current directory.
    pub(super) fn work(&self) -> BorrowedFd<'_> {
        self.work.as_fd()
    }

    /// Writes `input.txt`.
    pub(super) fn put_input(&self, input: &[u8]) -> Result<(), Fault> {
        self.put(INPUT, input).map_err(Fault::when("write input.txt"))
    }

    /// Takes `calibration.txt` away, for the run that is to write it.
    pub(super) fn take_calibration(&self) -> Result<(), Fault> {
        match unlinkat(&self.work, CALIBRATION, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => Ok(()),
            Err(errno) => Err(Fault::when("remove calibration.txt")(errno)),
        }
    }

    /// Makes the directory fit for looking into it after a run, whatever mode the agent gave it.
    pub(super) fn unlock(&self) -> nix::Result<()> {
        unlock(&self.work)
    }

    /// Reads `name`, which is [`OUTPUT`] or [`CALIBRATION`].
    pub(super) fn find(&self, name: &CStr) -> OutputFile {
        let found = match fstatat(&self.work, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(found) => found,
            Err(Errno::ENOENT) => {
                return OutputFile::Missing {
                    lookalike: self.lookalike(name),
                };
            }
            Err(errno) => return unreadable(errno),
        };
        // The kind is looked at before anything is opened, for opening a device can already be too much. All the
        // agent's processes are gone by now, so nothing changes in between; and if it did, the flags hold.
        match kind_in_words(&found) {
            Some(found) => OutputFile::NotAFile {
                found: found.to_owned(),
            },
            None => self.read(name).unwrap_or_else(unreadable),
        }
    }

    fn read(&self, name: &CStr) -> nix::Result<OutputFile> {
        let cap = if name == OUTPUT {
            self.limits.output_bytes
        } else {
            CALIBRATION_CAP_BYTES
        };
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let file = openat(&self.work, name, flags, Mode::empty())?;
        let size = size_of(&fstat(&file)?);
        if size > cap {
            return Ok(OutputFile::TooLarge { bytes: size });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
        let read = File::from(file).take(cap).read_to_end(&mut bytes);
        Ok(match read {
            Ok(_) => OutputFile::Content { bytes: Bytes(bytes) },
            Err(error) => OutputFile::Unreadable {
                error: error.to_string().to_lowercase(),
            },
        })
    }

    fn lookalike(&self, name: &CStr) -> Option<String> {
        let names = entries(self.work(), c"").ok()?;
        let alike = names
            .iter()
            .find(|other| other.as_bytes().eq_ignore_ascii_case(name.to_bytes()))?;
        Some(shown(alike))
    }

    /// The names of what the next [`Self::renew`] will remove although the agent may have wanted to keep it.
    pub(super) fn strays(&self, task_output: &CStr) -> Vec<String> {
        let Ok(names) = entries(self.work(), c"") else {
            return Vec::new();
        };
        let expected = [INPUT, CALIBRATION, task_output];
        names
            .iter()
            .filter(|name| !expected.contains(&name.as_c_str()))
            .filter(|name| name.as_c_str() != PLAYDATA || !self.playdata_may_stay())
            .take(REMOVED_NAMES)
            .map(|name| shown(name))
            .collect()
    }

    /// Makes the directory as new: only a fit `playdata.txt` and the given `calibration.txt` are in it.
    pub(super) fn renew(&mut self) -> Result<(), Fault> {
        match (self.refresh(), self.storage) {
            (Ok(()), _) => Ok(()),
            // The program had nothing but this directory to itself, in which nothing can stand in the way of that.
            (Err(errno), Storage::Memory) => Err(Fault::when("empty the working directory")(errno)),
            // It has made a shambles that cannot be mended in place; it gets another place, and loses its playdata.
            (Err(_), Storage::Disk) => {
                let beside = self.path.parent().unwrap_or(Path::new("/")).to_owned();
                let fresh = Self::on_disk(make_private(&beside)?, self.calibration.take(), &self.limits)?;
                *self = fresh;
                Ok(())
            }
        }
    }

    fn refresh(&mut self) -> nix::Result<()> {
        // The program may own this one, too, and it stays.
        clear_attributes(self.outer.as_fd())?;
        unlock(&self.work)?;
        // First of all, for there may be no room for anything.
        sweep(self.work(), PLAYDATA)?;
        let next = make_directory(self.outer.as_fd(), NEXT)?;
        // Only now: another link to it within the directory is gone, so that one more link is one outside.
        if self.playdata_may_stay() {
            self.copy_playdata(&next)?;
        }
        sweep(self.outer.as_fd(), NEXT)?;
        renameat(&self.outer, NEXT, &self.outer, WORK)?;
        let last = std::mem::replace(&mut self.work, next);
        if fstat(&last)?.st_nlink > 0 {
            remove_wherever(&last);
        }
        self.put_calibration()
    }

    /// Whether there is a `playdata.txt` that may live on: a regular file of this user, of one link, not too large.
    fn playdata_may_stay(&self) -> bool {
        // Half of the directory at most, for there have to be two of it for a moment.
        let cap = PLAYDATA_CAP_BYTES.min(self.limits.directory_bytes / 2);
        fstatat(&self.work, PLAYDATA, AtFlags::AT_SYMLINK_NOFOLLOW).is_ok_and(|found| {
            let own = found.st_uid == geteuid().as_raw();
            kind_in_words(&found).is_none() && own && found.st_nlink == 1 && size_of(&found) <= cap
        })
    }

    /// Its content alone: a file has a mode, times, attributes and holes, too, in which things can be kept.
    fn copy_playdata(&self, next: &OwnedFd) -> nix::Result<()> {
        // All of the program's processes are gone, so it still is the regular file that it was a moment ago.
        fchmodat(&self.work, PLAYDATA, Mode::S_IRWXU, FchmodatFlags::FollowSymlink)?;
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let mut old = File::from(openat(&self.work, PLAYDATA, flags, Mode::empty())?);
        let mut new = File::from(create(next, PLAYDATA)?);
        io::copy(&mut old, &mut new).map(drop).map_err(|error| errno_of(&error))
    }

    fn put_calibration(&self) -> nix::Result<()> {
        match &self.calibration {
            Some(calibration) => self.put(CALIBRATION, calibration),
            None => Ok(()),
        }
    }

    /// Writes a file that must not exist: never through anything that is there.
    fn put(&self, name: &CStr, content: &[u8]) -> nix::Result<()> {
        let file = create(&self.work, name)?;
        File::from(file).write_all(content).map_err(|error| errno_of(&error))
    }
}

impl Drop for Workdir {
    /// Best effort: what cannot be removed here is nobody's to lose a game by.
    fn drop(&mut self) {
        if self.storage == Storage::Memory {
            return;
        }
        let emptied = unlock(&self.outer)
            .and_then(|()| unlock(&self.work))
            .and_then(|()| sweep(self.work(), c""))
            .and_then(|()| sweep(self.outer.as_fd(), c""));
        if emptied.is_ok() {
            remove_wherever(&self.outer);
        }
    }
}

/// A file that must not exist.
fn create(directory: &OwnedFd, name: &CStr) -> nix::Result<OwnedFd> {
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    openat(directory, name, flags, Mode::from_bits_truncate(0o644))
}

fn errno_of(error: &io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::EIO, Errno::from_raw)
}

fn directory_flags() -> OFlag {
    OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC
}

fn make_directory(parent: BorrowedFd<'_>, name: &CStr) -> nix::Result<OwnedFd> {
    mkdirat(parent, name, Mode::S_IRWXU)?;
    openat(parent, name, directory_flags(), Mode::empty())
}

/// A handle stays good whatever is done to the directory, but what is in it can only be reached with the right mode.
fn unlock(directory: &OwnedFd) -> nix::Result<()> {
    if fstat(directory)?.st_mode & 0o7777 != 0o700 {
        fchmod(directory, Mode::S_IRWXU)?;
    }
    Ok(())
}

/// Removes an empty directory by the path that it has now, which need not be the one that it was made under.
fn remove_wherever(directory: &OwnedFd) {
    let by_handle = format!("/proc/self/fd/{}", directory.as_raw_fd());
    if let Ok(path) = std::fs::read_link(by_handle) {
        // Not empty, or moved again, or on another file system: then it is somebody's.
        drop(std::fs::remove_dir(path));
    }
}

/// What an entry is, or `None` if it is a regular file.
fn kind_in_words(found: &FileStat) -> Option<&'static str> {
    let kind = SFlag::from_bits_truncate(found.st_mode & SFlag::S_IFMT.bits());
    Some(match kind {
        SFlag::S_IFREG => return None,
        SFlag::S_IFLNK => "a symbolic link",
        SFlag::S_IFDIR => "a directory",
        SFlag::S_IFIFO => "a FIFO",
        SFlag::S_IFSOCK => "a socket",
        _ => "a device",
    })
}

fn size_of(found: &FileStat) -> u64 {
    u64::try_from(found.st_size).unwrap_or(0)
}

fn unreadable(errno: Errno) -> OutputFile {
    OutputFile::Unreadable { error: in_words(errno) }
}

fn shown(name: &CStr) -> String {
    name.to_string_lossy().chars().take(REMOVED_CHARACTERS).collect()
}
