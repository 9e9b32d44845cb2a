//! The working directory: made, filled, read and emptied by the keeper alone, relative to handles.
//!
//! Before every run it is *new*: the files of the submission as they were handed in (`template`), `calibration.txt` as
//! it was given, and what may live on of the last run, which is `playdata.txt`, by its content alone, in a new file.
//! That undoes in one stroke whatever the agent has done to the directory itself (removed it, renamed it, changed its
//! mode, its times, its attributes) and to its files, and its path stays the same.
//!
//! Where it is:
//! - On disk ([`disk`]), in an outer directory that is private and has a random name.
//! - Where a seat is sealed, in a file system of its own in memory that is mounted for one run and is gone with it;
//!   files of a submission are the lower layer of an overlay, of which nothing is ever copied but what a run changes.
//!   ([`Mounts`])
//!
//! What must always hold: nothing is opened through a link, nothing blocks, nothing large is read; whatever an agent
//! has done to it costs at most its own `playdata.txt`; what was handed in counts for no limit; all is gone when the
//! keeper is.

mod disk;
mod template;

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{FchmodatFlags, FileStat, Mode, SFlag, fchmod, fchmodat, fstat, fstatat, mkdirat};
use nix::sys::statfs::fstatfs;
use nix::unistd::geteuid;

use super::Persistence;
use super::dir_usage::DirUsage;
use super::fault::{HostError, in_words};
use super::isolation::Mounts;
use super::limits::Limits;
use super::report::{Bytes, OutputFile};
use super::scratch::{Scratch, ScratchDir};
use super::sweep::{entries, remove_entry, sweep};
use super::unlinked::UnlinkedScope;
use disk::Disk;
pub(super) use disk::RESERVE_BYTES;
use template::Template;

const INPUT: &CStr = c"input.txt";
const PLAYDATA: &CStr = c"playdata.txt";
/// What an agent answers with.
pub(super) const OUTPUT: &CStr = c"output.txt";
/// What a calibration is kept in.
pub(super) const CALIBRATION: &CStr = c"calibration.txt";

/// What no file of a submission may be taken for.
pub(super) const RESERVED: [&CStr; 4] = [INPUT, OUTPUT, PLAYDATA, CALIBRATION];

/// The largest `calibration.txt` that is read.
const CALIBRATION_CAP_BYTES: u64 = 1 << 20;
/// The largest `playdata.txt` that lives on.
const PLAYDATA_CAP_BYTES: u64 = 16 << 20;

/// More than any game's `input.txt` has.
const ROOM_FOR_INPUT: usize = 4096;

/// How many names of files that were removed are told, and how much of each.
const REMOVED_NAMES: usize = 10;
const REMOVED_CHARACTERS: usize = 80;

/// The working directory of one seat.
#[derive(Debug)]
pub(super) struct Workdir {
    storage: Storage,
    /// The outer directory on disk, which has the same path for the program.
    outer: ScratchDir,
    work: OwnedFd,
    contents: Contents,
    template: Option<Template>,
    /// What is in it without the program's doing.
    handed_in: DirUsage,
}

/// What is put into it, and how much of what a program adds may stay.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) template: Option<PathBuf>,
    pub(super) calibration: Option<Vec<u8>>,
    pub(super) persistence: Persistence,
    pub(super) limits: Limits,
}

#[derive(Debug)]
enum Storage {
    Disk(Disk),
    Memory(Mounts),
}

/// Makes an outer directory in `scratch`.
pub(super) fn make_outer(scratch: &Path) -> Result<ScratchDir, HostError> {
    ScratchDir::new_in(scratch, Scratch::Seat).map_err(HostError::when("make a working directory"))
}

impl Workdir {
    /// One in `outer`, an empty directory.
    pub(super) fn on_disk(outer: ScratchDir, contents: Contents) -> Result<Self, HostError> {
        let (disk, work) = Disk::new(&outer).map_err(HostError::when("make a working directory"))?;
        Self::furnish(Storage::Disk(disk), outer, work, contents)
    }

    /// One of those that `mounts` makes below the path of `outer`.
    pub(super) fn in_memory(outer: ScratchDir, mounts: Mounts, contents: Contents) -> Result<Self, HostError> {
        let work = mounts.renew().map_err(HostError::when("mount a working directory"))?;
        Self::furnish(Storage::Memory(mounts), outer, work, contents)
    }

    fn furnish(storage: Storage, outer: ScratchDir, work: OwnedFd, contents: Contents) -> Result<Self, HostError> {
        let template = contents.template.as_deref();
        let mut workdir = Self {
            storage,
            outer,
            work,
            template: template.map(|folder| Template::open(folder, &RESERVED)).transpose()?,
            contents,
            handed_in: DirUsage::default(),
        };
        workdir.lay_out()?;
        Ok(workdir)
    }

    /// Puts everything into a new directory that a program finds there, apart from what lives on.
    fn lay_out(&mut self) -> Result<(), HostError> {
        self.handed_in = match (&self.storage, &mut self.template) {
            (Storage::Disk(_), None) => DirUsage::default(),
            (Storage::Disk(_), Some(template)) => {
                template
                    .complete(self.work.as_fd())
                    .map_err(HostError::when("copy the files of the submission"))?;
                template.dir_usage()
            }
            (Storage::Memory(_), _) => self.in_file_system().unwrap_or_default(),
        };
        self.put_calibration().map_err(HostError::when("write calibration.txt"))
    }

    /// Whether looking at all of it takes time.
    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self.storage, Storage::Disk(_))
    }

    /// What the working directory takes of the machine's memory.
    pub(super) fn bytes_in_memory(&self) -> u64 {
        match self.storage {
            Storage::Disk(_) => 0,
            Storage::Memory(_) => self.in_file_system().unwrap_or_default().bytes,
        }
    }

    /// Where deleted files count that are still open; `None` where they are counted with the others.
    pub(super) fn site(&self) -> Option<UnlinkedScope<'_>> {
        let Storage::Disk(disk) = &self.storage else {
            return None;
        };
        let device = disk.device().or_else(|| Some(fstat(&self.work).ok()?.st_dev))?;
        Some(UnlinkedScope {
            device,
            folder: self.path(),
        })
    }

    /// Whether the disk that it is on has no room, which is never the doing of a program that has kept to its limits.
    pub(super) fn is_full(&self) -> bool {
        self.is_on_disk() && disk::is_full(self.work.as_fd())
    }

    /// What is in it now beyond what was handed in; counting may end as soon as one of these is passed.
    pub(super) fn holds(&self, bytes: u64, files: u64) -> DirUsage {
        let found = match self.storage {
            // Opened anew, for a listing of it has a place where it has got to.
            Storage::Disk(_) => openat(&self.work, c".", directory_flags(), Mode::empty()).map_or_else(
                |_| DirUsage::default(),
                |work| DirUsage::of(&work, DirUsage { bytes, files } + self.handed_in),
            ),
            Storage::Memory(_) => self.in_file_system().unwrap_or_default(),
        };
        found.beyond(self.handed_in)
    }

    fn in_file_system(&self) -> nix::Result<DirUsage> {
        let found = fstatfs(&self.work)?;
        let blocks = found.blocks().saturating_sub(found.blocks_free());
        Ok(DirUsage {
            bytes: blocks.saturating_mul(u64::try_from(found.block_size()).unwrap_or(0)),
            files: found.files().saturating_sub(found.files_free()),
        })
    }

    /// The outer directory.
    pub(super) fn path(&self) -> &Path {
        self.outer.path()
    }

    /// The path of the agent's current directory.
    pub(super) fn work_path(&self) -> PathBuf {
        self.outer.path().join("work")
    }

    /// A handle on the agent's current directory.
    pub(super) fn work(&self) -> BorrowedFd<'_> {
        self.work.as_fd()
    }

    /// Writes `input.txt`.
    pub(super) fn put_input(&mut self, input: &[u8]) -> Result<(), HostError> {
        self.put(INPUT, input).map_err(HostError::when("write input.txt"))?;
        if let Storage::Disk(disk) = &mut self.storage {
            disk.begin(self.work.as_fd());
        }
        Ok(())
    }

    /// Takes `calibration.txt` away, for the run that is to write it.
    pub(super) fn take_calibration(&self) -> Result<(), HostError> {
        remove_entry(self.work(), CALIBRATION).map_err(HostError::when("remove calibration.txt"))
    }

    /// Makes the directory fit for looking into it after a run, whatever mode the agent gave it.
    pub(super) fn unlock(&self) -> nix::Result<()> {
        unlock(self.work.as_fd())
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
            self.contents.limits.output_bytes
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
        let handed_in = |name: &CStr| self.template.as_ref().is_some_and(|template| template.has(name));
        names
            .iter()
            .filter(|_| self.contents.persistence == Persistence::Playdata)
            .filter(|name| !expected.contains(&name.as_c_str()) && !handed_in(name))
            .filter(|name| name.as_c_str() != PLAYDATA || !self.playdata_may_stay())
            .take(REMOVED_NAMES)
            .map(|name| shown(name))
            .collect()
    }

    /// Makes the directory what a program is to find at its next run.
    pub(super) fn renew(&mut self) -> Result<(), HostError> {
        let is_done = match self.contents.persistence {
            Persistence::Playdata => false,
            Persistence::Everything => self.renew_task().is_ok(),
        };
        if is_done { Ok(()) } else { self.renew_all() }
    }

    fn renew_all(&mut self) -> Result<(), HostError> {
        match &self.storage {
            Storage::Disk(_) => self.renew_on_disk(),
            Storage::Memory(_) => self.mount_anew(),
        }
    }

    /// Renews what belongs to one run, where all else lives on: only where the directory is still in its place.
    fn renew_task(&self) -> nix::Result<()> {
        if let Storage::Disk(_) = self.storage {
            disk::expect_in_place(self.outer.handle(), &self.work)?;
        }
        unlock(self.work.as_fd())?;
        [INPUT, OUTPUT, CALIBRATION]
            .into_iter()
            .try_for_each(|name| remove_entry(self.work(), name))?;
        // Whether there is room for `input.txt` has to be known now: the next run is made ready in this directory.
        self.put(INPUT, &[0; ROOM_FOR_INPUT])?;
        remove_entry(self.work(), INPUT)?;
        self.put_calibration()
    }

    /// In a new file system: whatever the program has done to the old one, and whatever still holds some of it.
    fn mount_anew(&mut self) -> Result<(), HostError> {
        let Storage::Memory(mounts) = &self.storage else {
            return Ok(());
        };
        let playdata = self.playdata_may_stay().then(|| self.open_playdata().ok()).flatten();
        self.work = mounts.renew().map_err(HostError::when("mount a working directory"))?;
        self.lay_out()?;
        playdata.map_or(Ok(()), |playdata| {
            copy_playdata(playdata, &self.work).map_err(HostError::when("write playdata.txt"))
        })
    }

    fn renew_on_disk(&mut self) -> Result<(), HostError> {
        if self.refresh().is_err() {
            // It has made a shambles that cannot be mended in place: it gets another place, and loses its playdata.
            let beside = self.path().parent().unwrap_or(Path::new("/"));
            let outer = make_outer(beside)?;
            let (disk, work) = Disk::new(&outer).map_err(HostError::when("make a working directory"))?;
            self.storage = Storage::Disk(disk);
            let last = std::mem::replace(&mut self.work, work);
            disk::empty_wherever(&last, &std::mem::replace(&mut self.outer, outer));
            if let Some(template) = &mut self.template {
                template.forget();
            }
        }
        self.lay_out()
    }

    /// Makes the directory anew, with the files of the submission that were not touched in it.
    fn refresh(&mut self) -> nix::Result<()> {
        let Storage::Disk(disk) = &mut self.storage else {
            return Ok(());
        };
        unlock(self.work.as_fd())?;
        let next = disk::make_next(self.outer.handle())?;
        match (&mut self.template, disk.beginning()) {
            (None, _) => {}
            (Some(template), Some(beginning)) => template.keep(self.work.as_fd(), next.as_fd(), beginning)?,
            (Some(template), None) => template.forget(),
        }
        // Before anything is copied, for there may be no room for it.
        sweep(self.work.as_fd(), PLAYDATA)?;
        // Only now: another link to it within the directory is gone, so that one more link is one outside.
        if self.playdata_may_stay() {
            copy_playdata(self.open_playdata()?, &next)?;
        }
        let last = std::mem::replace(&mut self.work, next);
        disk::put_in_place(self.outer.handle(), &last)
    }

    /// Whether there is a `playdata.txt` that may live on: a regular file of this user, of one link, not too large.
    fn playdata_may_stay(&self) -> bool {
        // Half of the directory at most, for there have to be two of it for a moment.
        let cap = PLAYDATA_CAP_BYTES.min(self.contents.limits.directory_bytes / 2);
        fstatat(&self.work, PLAYDATA, AtFlags::AT_SYMLINK_NOFOLLOW).is_ok_and(|found| {
            let own = found.st_uid == geteuid().as_raw();
            kind_in_words(&found).is_none() && own && found.st_nlink == 1 && size_of(&found) <= cap
        })
    }

    /// All of the program's processes are gone, so it still is the regular file that it was a moment ago.
    fn open_playdata(&self) -> nix::Result<File> {
        fchmodat(&self.work, PLAYDATA, Mode::S_IRWXU, FchmodatFlags::FollowSymlink)?;
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        openat(&self.work, PLAYDATA, flags, Mode::empty()).map(File::from)
    }

    fn put_calibration(&self) -> nix::Result<()> {
        match &self.contents.calibration {
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
    fn drop(&mut self) {
        match &self.storage {
            Storage::Disk(_) => disk::empty_wherever(&self.work, &self.outer),
            // It ends with the namespace that it is mounted in.
            Storage::Memory(_) => {}
        }
    }
}

/// Its content alone: a file has a mode, times, attributes and holes, too, in which things can be kept.
fn copy_playdata(mut old: File, directory: &OwnedFd) -> nix::Result<()> {
    let mut new = File::from(create(directory, PLAYDATA)?);
    io::copy(&mut old, &mut new).map(drop).map_err(|error| errno_of(&error))
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
fn unlock(directory: BorrowedFd<'_>) -> nix::Result<()> {
    if fstat(directory)?.st_mode & 0o7777 != 0o700 {
        fchmod(directory, Mode::S_IRWXU)?;
    }
    Ok(())
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
