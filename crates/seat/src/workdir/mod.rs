//! The working directory. Only the keeper makes, fills, reads and empties it, always relative to handles.
//!
//! Before every run it is *new*: the submission's files as handed in (`template`), the given `calibration.txt` in place
//! of one among them, and `playdata.txt`, whose content alone is copied from the last run into a new file. This undoes
//! everything the agent did to the directory (removing, renaming, changing mode, times or attributes) and to its files;
//! its path stays the same.
//!
//! Its location:
//! - On disk ([`disk`]), in a private outer directory with a random name.
//! - For a sealed seat, in its own file system in memory, mounted for one run. The submission's files are the lower
//!   layer of an overlay; only files that a run changes are copied. ([`Mounts`])
//!
//! Nothing may be opened through a link, block, or be read beyond a bound. Whatever an agent does to the directory may
//! cost at most its own `playdata.txt`. Submitted files count against no limit. Everything must vanish with the keeper.

mod disk;
mod template;

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{FchmodatFlags, FileStat, Mode, SFlag, fchmod, fchmodat, fstat, fstatat, mkdirat};
use nix::sys::statfs::fstatfs;
use nix::unistd::geteuid;

use super::dir_usage::DirUsage;
use super::fault::{HostError, in_words};
use super::isolation::Mounts;
use super::limits::Limits;
use super::report::{Bytes, OutputFile};
use super::scratch::{Scratch, ScratchDir};
use super::sweep::{FOLDER, entries, remove_entry, sweep_some};
use super::unlinked::UnlinkedScope;
use super::{CALIBRATION, OUTPUT, Persistence, RESERVED};
use disk::{Disk, Leftovers, SWEPT_AT_ONCE};
pub(super) use disk::{FreeSpace, RESERVE_BYTES};
use template::{ChangeStamp, Template};

const INPUT: &CStr = c"input.txt";
const PLAYDATA: &CStr = c"playdata.txt";

/// The maximum size of `calibration.txt`.
const CALIBRATION_CAP_BYTES: u64 = 1 << 20;
/// The maximum size of a persistent `playdata.txt`.
const PLAYDATA_CAP_BYTES: u64 = 16 << 20;

/// The block size of file systems for disks, or less.
const SMALLEST_BLOCK: u64 = 512;

/// More than the `input.txt` of any game.
const ROOM_FOR_INPUT: usize = 4096;

/// How many removed files are reported, and how much of each name.
const REMOVED_NAMES: usize = 10;
const REMOVED_CHARACTERS: usize = 80;

/// The working directory of one seat.
#[derive(Debug)]
pub(super) struct Workdir {
    storage: Storage,
    /// The outer directory on disk; the program sees it at the same path.
    outer: ScratchDir,
    work: OwnedFd,
    contents: Contents,
    template: Option<Template>,
    /// The `calibration.txt` that was there before the run of `calibrate`.
    first_calibration: Option<(ChangeStamp, OutputFile)>,
    /// Its usage before the program runs.
    handed_in: DirUsage,
}

/// The initial contents, and the limits for what a program adds.
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
    /// A working directory in `outer`, an empty directory.
    pub(super) fn on_disk(outer: ScratchDir, contents: Contents) -> Result<Self, HostError> {
        let (disk, work) = Disk::new(&outer).map_err(HostError::when("make a working directory"))?;
        Self::populate(Storage::Disk(disk), outer, work, contents)
    }

    /// A working directory that `mounts` makes below the path of `outer`.
    pub(super) fn in_memory(outer: ScratchDir, mut mounts: Mounts, contents: Contents) -> Result<Self, HostError> {
        let work = mounts.renew().map_err(HostError::when("mount a working directory"))?;
        Self::populate(Storage::Memory(mounts), outer, work, contents)
    }

    fn populate(storage: Storage, outer: ScratchDir, work: OwnedFd, contents: Contents) -> Result<Self, HostError> {
        let template = contents.template.as_deref();
        let mut workdir = Self {
            storage,
            outer,
            work,
            template: template.map(|folder| Template::open(folder, &RESERVED)).transpose()?,
            contents,
            first_calibration: None,
            handed_in: DirUsage::default(),
        };
        workdir.lay_out()?;
        Ok(workdir)
    }

    /// Fills a new directory with everything except persistent files.
    fn lay_out(&mut self) -> Result<(), HostError> {
        self.handed_in = match (&self.storage, &mut self.template) {
            (Storage::Disk(_), None) => DirUsage::default(),
            (Storage::Disk(_), Some(template)) => {
                template.complete(self.work.as_fd()).map_err(HostError::when("copy the files of the submission"))?;
                template.dir_usage()
            }
            (Storage::Memory(_), _) => self.in_file_system().unwrap_or_default(),
        };
        self.put_calibration().map_err(HostError::when("write calibration.txt"))
    }

    /// Whether examining all of it takes time.
    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self.storage, Storage::Disk(_))
    }

    /// The working directory's use of memory.
    pub(super) fn bytes_in_memory(&self) -> u64 {
        match self.storage {
            Storage::Disk(_) => 0,
            Storage::Memory(_) => self.in_file_system().unwrap_or_default().bytes,
        }
    }

    /// Where deleted but open files count; `None` if they are already counted.
    pub(super) fn site(&self) -> Option<UnlinkedScope<'_>> {
        let Storage::Disk(disk) = &self.storage else {
            return None;
        };
        let device = disk.device().or_else(|| Some(fstat(&self.work).ok()?.st_dev))?;
        Some(UnlinkedScope { device, folder: self.path() })
    }

    /// The free space of its disk, which a program within its limits never fills; `None` for one in memory.
    pub(super) fn free_space(&self) -> Option<FreeSpace> {
        self.is_on_disk().then(|| FreeSpace::of(self.work.as_fd())).flatten()
    }

    /// What earlier runs left that is to be removed at the end of the game.
    pub(super) fn set_aside(&self) -> DirUsage {
        match &self.storage {
            Storage::Disk(disk) => disk.set_aside(),
            Storage::Memory(_) => DirUsage::default(),
        }
    }

    /// Its usage beyond the submitted files, with [`Self::set_aside`]; counting may stop above either limit.
    pub(super) fn holds(&self, bytes: u64, files: u64) -> DirUsage {
        let found = match self.storage {
            // Reopened, because a listing keeps its position.
            Storage::Disk(_) => openat(&self.work, c".", FOLDER, Mode::empty()).map_or_else(
                |_| DirUsage::default(),
                |work| DirUsage::measure(&work, DirUsage { bytes, files } + self.handed_in),
            ),
            Storage::Memory(_) => self.in_file_system().unwrap_or_default(),
        };
        found.beyond(self.handed_in) + self.set_aside()
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

    /// A handle to the agent's current directory.
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

    /// Must be called before the run of `calibrate`.
    pub(super) fn expect_calibration(&mut self) {
        let stamp = ChangeStamp::of(self.work(), CALIBRATION).ok();
        self.first_calibration = stamp.map(|stamp| (stamp, self.read_entry(CALIBRATION)));
    }

    /// Whether this is no new `calibration.txt`. A change within one tick of the clock does not show in the stamp.
    fn was_there(&self, calibration: &OutputFile) -> bool {
        let stamp = ChangeStamp::of(self.work(), CALIBRATION);
        self.first_calibration.as_ref().is_some_and(|(first, content)| stamp == Ok(*first) && calibration == content)
    }

    /// Makes the directory readable after a run, whatever mode the agent gave it.
    pub(super) fn unlock(&self) -> nix::Result<()> {
        unlock(self.work.as_fd())
    }

    /// Reads `name`, which is [`OUTPUT`] or [`CALIBRATION`], if the program has written it.
    pub(super) fn find(&self, name: &CStr) -> OutputFile {
        let found = self.read_entry(name);
        if name == CALIBRATION && self.was_there(&found) {
            return OutputFile::Missing { lookalike: self.lookalike(name) };
        }
        found
    }

    fn read_entry(&self, name: &CStr) -> OutputFile {
        let found = match fstatat(&self.work, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(found) => found,
            Err(Errno::ENOENT) => {
                return OutputFile::Missing { lookalike: self.lookalike(name) };
            }
            Err(errno) => return unreadable(errno),
        };
        // Check the kind before opening: opening a device can have effects. All the agent's processes are gone, so
        // nothing changes in between; if it did, the open flags protect.
        match kind_in_words(&found) {
            Some(found) => OutputFile::NotAFile { found: found.to_owned() },
            None => self.read(name, size_of(&found)).unwrap_or_else(unreadable),
        }
    }

    /// Whether there is an `output.txt` that a full disk cannot have cut short: file systems write a block whole or not
    /// at all.
    pub(super) fn has_whole_answer(&self) -> bool {
        let found = fstatat(&self.work, OUTPUT, AtFlags::AT_SYMLINK_NOFOLLOW);
        found.is_ok_and(|found| kind_in_words(&found).is_none() && (1..SMALLEST_BLOCK).contains(&size_of(&found)))
    }

    fn read(&self, name: &CStr, size: u64) -> nix::Result<OutputFile> {
        let cap = if name == OUTPUT { self.contents.limits.output_bytes } else { CALIBRATION_CAP_BYTES };
        if size > cap {
            return Ok(OutputFile::TooLarge { bytes: size });
        }
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let open = || openat(&self.work, name, flags, Mode::empty());
        let file = open().or_else(|errno| match errno {
            // Its mode must not matter to an ordinary user if it does not matter to root.
            Errno::EACCES => {
                fchmodat(&self.work, name, Mode::S_IRUSR, FchmodatFlags::FollowSymlink).and_then(|()| open())
            }
            other => Err(other),
        })?;
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
        let read = File::from(file).take(cap).read_to_end(&mut bytes);
        Ok(match read {
            Ok(_) => OutputFile::Content { bytes: Bytes(bytes) },
            Err(error) => OutputFile::Unreadable { error: error.to_string().to_lowercase() },
        })
    }

    fn lookalike(&self, name: &CStr) -> Option<String> {
        let names = entries(self.work(), &[]).ok()?;
        let is_alike =
            |other: &&CString| other.as_c_str() != name && other.as_bytes().eq_ignore_ascii_case(name.to_bytes());
        let alike = names.iter().find(is_alike)?;
        Some(shown(alike))
    }

    /// The names of files that the next [`Self::renew`] removes although the agent may have wanted to keep them.
    pub(super) fn files_to_be_lost(&self, task_output: &CStr) -> Vec<String> {
        let names = match self.contents.persistence {
            Persistence::Playdata => entries(self.work(), &[]).unwrap_or_default(),
            Persistence::Everything => Vec::new(),
        };
        let expected = [INPUT, CALIBRATION, task_output];
        let handed_in = |name: &CStr| self.template.as_ref().is_some_and(|template| template.has(name));
        names
            .iter()
            .filter(|name| !expected.contains(&name.as_c_str()) && !handed_in(name))
            .filter(|name| name.as_c_str() != PLAYDATA || !self.playdata_may_stay())
            .take(REMOVED_NAMES)
            .map(|name| shown(name))
            .collect()
    }

    /// Prepares the directory for the next run.
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

    /// Renews the files of one run where everything else persists; only if the directory is still in its place.
    fn renew_task(&self) -> nix::Result<()> {
        if let Storage::Disk(_) = self.storage {
            disk::expect_in_place(self.outer.handle(), &self.work)?;
        }
        unlock(self.work.as_fd())?;
        [INPUT, OUTPUT].into_iter().try_for_each(|name| remove_entry(self.work(), name))?;
        // Reserve space for `input.txt` now: the next run is prepared in this directory.
        self.put(INPUT, &[0; ROOM_FOR_INPUT])?;
        remove_entry(self.work(), INPUT)?;
        self.put_calibration()
    }

    /// Uses a new file system, whatever the program did to the old one or still holds open.
    fn mount_anew(&mut self) -> Result<(), HostError> {
        let playdata = self.playdata_may_stay().then(|| self.open_playdata().ok()).flatten();
        let Storage::Memory(mounts) = &mut self.storage else {
            return Ok(());
        };
        self.work = mounts.renew().map_err(HostError::when("mount a working directory"))?;
        self.lay_out()?;
        playdata.map_or(Ok(()), |playdata| {
            copy_playdata(playdata, &self.work).map_err(HostError::when("write playdata.txt"))
        })
    }

    fn renew_on_disk(&mut self) -> Result<(), HostError> {
        if self.refresh().is_err() {
            // The directory cannot be repaired in place: it gets another place and loses its playdata.
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

    /// Makes a new directory, reusing the submission's untouched files.
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
        // Before any copy, because there may be no space for it.
        let leftovers = if sweep_some(self.work.as_fd(), &[PLAYDATA], SWEPT_AT_ONCE)? {
            Leftovers::Removed
        } else {
            Leftovers::TooMany
        };
        // Only now: other links within the directory are gone, so a second link would be outside.
        if self.playdata_may_stay() {
            copy_playdata(self.open_playdata()?, &next)?;
        }
        let last = std::mem::replace(&mut self.work, next);
        let Limits { directory_bytes: bytes, directory_files: files, .. } = self.contents.limits;
        match &mut self.storage {
            Storage::Disk(disk) => disk.put_in_place(self.outer.handle(), &last, leftovers, DirUsage { bytes, files }),
            Storage::Memory(_) => Ok(()),
        }
    }

    /// Whether `playdata.txt` may persist: a regular file of this user, with one link, not too large.
    fn playdata_may_stay(&self) -> bool {
        // At most half of the directory's limit, since two copies exist for a moment.
        let cap = PLAYDATA_CAP_BYTES.min(self.contents.limits.directory_bytes / 2);
        fstatat(&self.work, PLAYDATA, AtFlags::AT_SYMLINK_NOFOLLOW).is_ok_and(|found| {
            let own = found.st_uid == geteuid().as_raw();
            kind_in_words(&found).is_none() && own && found.st_nlink == 1 && size_of(&found) <= cap
        })
    }

    /// All of the program's processes are gone, so it is still the same regular file.
    fn open_playdata(&self) -> nix::Result<File> {
        fchmodat(&self.work, PLAYDATA, Mode::S_IRWXU, FchmodatFlags::FollowSymlink)?;
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        openat(&self.work, PLAYDATA, flags, Mode::empty()).map(File::from)
    }

    fn put_calibration(&self) -> nix::Result<()> {
        match &self.contents.calibration {
            Some(calibration) => {
                remove_entry(self.work(), CALIBRATION)?;
                self.put(CALIBRATION, calibration)
            }
            None => Ok(()),
        }
    }

    /// Writes a file that must not exist: never through an existing entry.
    fn put(&self, name: &CStr, content: &[u8]) -> nix::Result<()> {
        let file = create(&self.work, name)?;
        File::from(file).write_all(content).map_err(|error| errno_of(&error))
    }
}

impl Drop for Workdir {
    fn drop(&mut self) {
        match &self.storage {
            Storage::Disk(_) => disk::empty_wherever(&self.work, &self.outer),
            // It vanishes with its mount namespace.
            Storage::Memory(_) => {}
        }
    }
}

/// Only its content: mode, times, attributes and holes could hide data.
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

fn make_directory(parent: BorrowedFd<'_>, name: &CStr) -> nix::Result<OwnedFd> {
    mkdirat(parent, name, Mode::S_IRWXU)?;
    openat(parent, name, FOLDER, Mode::empty())
}

/// A handle survives anything done to the directory, but reading its entries requires the right mode.
fn unlock(directory: BorrowedFd<'_>) -> nix::Result<()> {
    if fstat(directory)?.st_mode & 0o7777 != 0o700 {
        fchmod(directory, Mode::S_IRWXU)?;
    }
    Ok(())
}

/// A description of an entry, or `None` for a regular file.
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
