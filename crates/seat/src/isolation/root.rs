//! The file system of a sealed program: a new root with only the visible paths, mounted read-only. [`super::set_up`]
//! builds it once a seat; the keeper renews the working directory between runs.
//!
//! ```text
//! /                         in memory, read-only
//! ├── usr, lib, bin, etc …  of the system, read-only
//! ├── (interpreter, folder) at their outside paths, read-only
//! ├── dev                   null, zero, full, random, urandom; shm ─► the working directory
//! ├── proc                  of the PID namespace, read-only; what is not for everybody to read is masked
//! └── tmp/referee-seat.…    read-only
//!     └── work              the working directory: in memory, limited in size, writable, new for each run
//! ```
//!
//! **The working directory** of a submission is an overlay (`overlayfs`; any user may mount it in a user namespace
//! since Linux 5.11). Its lower layer has the submission's files, read-only. Its upper layer is a file system in
//! memory for the changes of a run, unreachable by path because the overlay covers it. Only files that a run writes to
//! are copied. Mounting both again takes a quarter of a millisecond of the opponent's turn and discards every change of
//! the last run, even if a process still holds a file of it.
//!
//! Files written there can be neither executed nor mapped as code. Over each native library of the submission lies a
//! read-only mount of the original, which can be mapped (`libraries`).
//!
//! The keeper itself sees the whole machine, except that `/proc` is that of its namespace: it needs its processes'
//! numbers there.
//!
//! Only the seat's own directory may be writable, even for root, and its contents must vanish with the keeper, however
//! the keeper ends.

use std::ffi::CStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, open};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::stat::{Mode, SFlag, fstatat, mkdirat, mknodat};
use nix::sys::utsname::uname;
use nix::unistd::geteuid;

use super::calls::make_read_only;
use super::libraries::Libraries;
use super::views::{DEVICES, PROC_SYS, Views};
use crate::RESERVED;
use crate::fault::HostError;
use crate::limits::Limits;
use crate::system::by_handle;

/// How much the working directory's file system exceeds its limit, to distinguish a program that passed the limit from
/// one that just reached it.
const SLACK_BYTES: u64 = 1 << 20;
const SLACK_FILES: u64 = 64;

/// A new root.
#[derive(Debug)]
pub(super) struct Root {
    /// A handle to it.
    pub(super) directory: OwnedFd,
    /// The directory in it in which the working directories are mounted, and nothing else is.
    pub(super) around_work: OwnedFd,
    /// Makes the working directories in it.
    pub(super) mounts: Mounts,
    /// Whether the kernel limits the number of processes in its namespaces.
    pub(super) limits_processes: bool,
}

/// Builds it at `directory`, which will contain the seat's files at the same path inside and outside.
pub(super) fn build(
    directory: &Path,
    views: &Views,
    template: Option<&Path>,
    limits: &Limits,
) -> Result<Root, HostError> {
    detach_old_root().map_err(HostError::when("have mounts of its own"))?;
    // Made of this namespace's mounts: foreign ones cannot be a layer.
    let template =
        template.map(open_directory).transpose().map_err(HostError::when("open the files of the submission"))?;
    mount_proc().map_err(HostError::when("mount `/proc` of its PID namespace"))?;
    let limits_processes = limit_processes(limits);
    let site = RootBuilder::new(directory).map_err(HostError::when("mount a root directory"))?;
    for view in views.readable() {
        site.show(view).map_err(HostError::when("mount what the program may read"))?;
    }
    site.show(Path::new("/proc")).and_then(|()| site.mask_proc(directory)).map_err(HostError::when("mount `/proc`"))?;
    site.create_devices(directory).map_err(HostError::when("make devices"))?;
    let work = site.place(&directory.join("work"));
    site.make_directory(&directory.join("work")).map_err(HostError::when("make a place for the working directory"))?;
    let libraries = template
        .as_ref()
        .map(|template| Libraries::find(template, &directory.join(LIBRARIES)))
        .transpose()
        .map_err(HostError::when("mount the libraries of the submission"))?
        .flatten();
    let mounted = open_directory(directory).map_err(HostError::when("open the root directory"))?;
    make_read_only(&mounted).map_err(HostError::when("make the root directory read-only"))?;
    let opened = |path: &Path| open_directory(path).map_err(HostError::when("open the root directory"));
    let root = opened(&site.root)?;
    let around_work = opened(&site.place(directory))?;
    let lower = template.map(|directory| LowerLayer::new(directory, libraries));
    let mut mounts = Mounts::new(work, lower, limits);
    // A failure here only lowers the level; later it would void a game.
    mounts.renew().map_err(HostError::when("mount the working directory"))?;
    Ok(Root { directory: root, around_work, mounts, limits_processes })
}

/// Keeps later mounts within this namespace.
pub(super) fn detach_old_root() -> nix::Result<()> {
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None::<&str>)
}

pub(super) fn mount_proc() -> nix::Result<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), "/proc", Some("proc"), flags, None::<&str>)
}

/// Tests whether anything can be mounted at all.
pub(super) fn mount_nothing() -> nix::Result<()> {
    mount(Some("tmpfs"), "/tmp", Some("tmpfs"), MsFlags::empty(), None::<&str>)
}

/// Tests whether a working directory can be mounted; nobody may need the contents of `/tmp`.
pub(super) fn mount_empty_overlay() -> nix::Result<()> {
    let top = open_directory("/tmp")?;
    for name in ["work", "lower"] {
        mkdirat(&top, name, Mode::S_IRWXU)?;
    }
    let lower = LowerLayer { directory: open_directory("/tmp/lower")?, hidden: RESERVED.to_vec(), libraries: None };
    mount_overlay(Path::new("/tmp/work"), &top, &lower)
}

/// Limits the processes in this PID namespace by their highest number; returns whether the kernel limits them.
///
/// The kernel also limits them by user (`Limits::apply`), but not for root. Where neither is possible, a control group
/// may (`process_cap`).
fn limit_processes(limits: &Limits) -> bool {
    // The first 300 numbers are assigned only once (`RESERVED_PIDS`).
    const RESERVED: u64 = 301;
    let by_number = numbers_are_limited_by_namespace() && {
        let highest = RESERVED + limits.processes_with_slack();
        // The kernel may refuse a value that is low for its number of processors.
        fs::write("/proc/sys/kernel/pid_max", highest.to_string()).is_ok()
    };
    by_number || !geteuid().is_root()
}

/// Since Linux 6.14. Before, this was the limit of the whole machine, and root could change it from inside.
fn numbers_are_limited_by_namespace() -> bool {
    let Ok(system) = uname() else { return false };
    let release = system.release().to_string_lossy().into_owned();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|number| number.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(6), Some(14))
}

/// Makes the working directories of a sealed seat, one after the other, at the same path.
#[derive(Debug)]
pub(crate) struct Mounts {
    work: PathBuf,
    /// The file system in memory that is mounted there, below the overlay if there is one.
    memory: Option<OwnedFd>,
    lower: Option<LowerLayer>,
    /// The mount options of the file system in memory.
    options: String,
}

/// The files of a submission, as lower layer.
#[derive(Debug)]
struct LowerLayer {
    directory: OwnedFd,
    /// The reserved names among them, to be hidden.
    hidden: Vec<&'static CStr>,
    /// The files that can be mapped as code.
    libraries: Option<Libraries>,
}

impl LowerLayer {
    fn new(directory: OwnedFd, libraries: Option<Libraries>) -> Self {
        let is_there = |name: &&CStr| fstatat(&directory, *name, AtFlags::AT_SYMLINK_NOFOLLOW).is_ok();
        Self { hidden: RESERVED.into_iter().filter(is_there).collect(), directory, libraries }
    }
}

impl Mounts {
    fn new(work: PathBuf, lower: Option<LowerLayer>, limits: &Limits) -> Self {
        let options = format!(
            "mode=0700,size={},nr_inodes={}",
            limits.directory_bytes.saturating_add(SLACK_BYTES),
            limits.directory_files.saturating_add(SLACK_FILES),
        );
        Self { work, memory: None, lower, options }
    }

    /// Mounts a new working directory in place of the last one, with only the submission's files. The old one vanishes
    /// when its last handle is closed.
    pub(crate) fn renew(&mut self) -> nix::Result<OwnedFd> {
        if let Some(memory) = self.memory.take() {
            // With everything that is mounted on it.
            umount2(by_handle(&memory).as_str(), MntFlags::MNT_DETACH)?;
        }
        let (tmpfs, options) = (Some("tmpfs"), Some(self.options.as_str()));
        mount(tmpfs, &self.work, tmpfs, WORK_FLAGS, options)?;
        let mut work = open_directory(&self.work)?;
        if let Some(lower) = &self.lower {
            mount_overlay(&self.work, &work, lower)?;
            self.memory = Some(std::mem::replace(&mut work, open_directory(&self.work)?));
            if let Some(libraries) = &lower.libraries {
                libraries.mount_over(&work)?;
            }
        } else {
            self.memory = Some(work.try_clone().map_err(|_| Errno::last())?);
        }
        Ok(work)
    }
}

/// Nothing written there can be executed, even by root.
const WORK_FLAGS: MsFlags = MsFlags::MS_NOSUID.union(MsFlags::MS_NODEV).union(MsFlags::MS_NOEXEC);

/// Mounts an overlay whose upper layer is in `layers`.
fn mount_overlay(work: &Path, layers: &OwnedFd, lower: &LowerLayer) -> nix::Result<()> {
    let [upper, scratch] = ["upper", "scratch"];
    for layer in [upper, scratch] {
        mkdirat(layers, layer, Mode::S_IRWXU)?;
    }
    for name in &lower.hidden {
        // The kernel's marker for a removed file of the lower layer (a "whiteout").
        let hidden = Path::new(upper).join(std::ffi::OsStr::from_bytes(name.to_bytes()));
        mknodat(layers, &hidden, SFlag::S_IFCHR, Mode::empty(), 0)?;
    }
    // By handles, because a path may contain characters with a meaning in mount options.
    let (lower, layers) = (by_handle(&lower.directory), by_handle(layers));
    let options = format!("userxattr,lowerdir={lower},upperdir={layers}/{upper},workdir={layers}/{scratch}");
    mount(Some("overlay"), work, Some("overlay"), WORK_FLAGS, Some(options.as_str()))
}

pub(super) fn open_directory(path: impl AsRef<Path>) -> nix::Result<OwnedFd> {
    open(path.as_ref(), OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())
}

/// A new root under construction.
struct RootBuilder {
    root: PathBuf,
}

/// The contents of the file system in which a root is built: the root, and, outside of it, the mount point of the
/// originals of libraries, and what lies over parts of `/proc`.
const ROOT: &str = "root";
const LIBRARIES: &str = "libraries";
const MASKS: &str = "masks";

/// Makes the directory `within` and its parents below `base`. Fails if `base` is gone: making that anew would leave a
/// new directory on the host.
fn make_below(base: &Path, within: &Path) -> io::Result<()> {
    let mut made = base.to_owned();
    for name in within {
        made.push(name);
        match fs::create_dir(&made) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other?,
        }
    }
    Ok(())
}

impl RootBuilder {
    fn new(directory: &Path) -> io::Result<Self> {
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(Some("tmpfs"), directory, Some("tmpfs"), flags, Some("mode=0755,size=4m"))?;
        let root = directory.join(ROOT);
        fs::create_dir(&root)?;
        Ok(Self { root })
    }

    /// The place of `path` during construction.
    fn place(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Makes a directory at the place of an outside path.
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        make_below(&self.root, path.strip_prefix("/").unwrap_or(path))
    }

    /// Makes an outside path visible at the same path inside.
    fn show(&self, path: &Path) -> io::Result<()> {
        let place = self.place(path);
        if place.symlink_metadata().is_ok() {
            // Already visible as part of an outer folder.
            return Ok(());
        }
        if let Some(above) = path.parent() {
            self.make_directory(above)?;
        }
        let metadata = path.symlink_metadata()?;
        if metadata.is_symlink() && path.components().count() == 2 {
            // On most systems `/lib` links to `usr/lib`.
            return symlink(fs::read_link(path)?, place);
        }
        if path.is_dir() {
            fs::create_dir(&place)?;
        } else {
            File::create(&place)?;
        }
        // Including everything mounted below: revealing what a mount hides is not permitted.
        let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(path), &place, None::<&str>, flags, None::<&str>).map_err(io::Error::from)
    }

    /// Covers what belongs to no process and not everybody may read, and all folders but what [`PROC_SYS`] names, as
    /// the runtimes of containers do, by what nobody may open; and the keeper, of which root could count the
    /// descriptors. The rest are counters that every user can read; each of them covered would be one more mount.
    fn mask_proc(&self, directory: &Path) -> io::Result<()> {
        let masks = directory.join(MASKS);
        let [file, folder, sys] = ["file", "folder", "sys"].map(|name| masks.join(name));
        for place in [&masks, &folder, &sys] {
            fs::create_dir(place)?;
        }
        File::create(&file)?;
        for mask in [&file, &folder] {
            fs::set_permissions(mask, Permissions::from_mode(0o000))?;
        }
        let bind = |mask: &Path, place: &Path| mount(Some(mask), place, None::<&str>, MsFlags::MS_BIND, None::<&str>);
        let proc = self.place(Path::new("/proc"));
        for entry in fs::read_dir(&proc)? {
            let entry = entry?;
            let (name, about) = (entry.file_name(), entry.metadata()?);
            let is_process = name.as_encoded_bytes()[0].is_ascii_digit() && name != "1";
            let is_for_all = about.is_file() && about.permissions().mode() & 0o004 != 0;
            if !is_process && name != "sys" && !is_for_all && !about.is_symlink() {
                bind(if about.is_dir() { &folder } else { &file }, &entry.path())?;
            }
        }
        for path in PROC_SYS.iter().map(Path::new).filter(|path| path.exists()) {
            let within = path.strip_prefix("/proc/sys").map_err(io::Error::other)?;
            make_below(&sys, within)?;
            bind(path, &sys.join(within))?;
        }
        let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
        Ok(mount(Some(&sys), &proc.join("sys"), None::<&str>, flags, None::<&str>)?)
    }

    fn create_devices(&self, directory: &Path) -> io::Result<()> {
        for device in DEVICES.iter().map(Path::new).filter(|device| device.exists()) {
            self.show(device)?;
        }
        let links = [
            ("/dev/fd", PathBuf::from("/proc/self/fd")),
            ("/dev/stdin", PathBuf::from("/proc/self/fd/0")),
            ("/dev/stdout", PathBuf::from("/proc/self/fd/1")),
            ("/dev/stderr", PathBuf::from("/proc/self/fd/2")),
            // Named shared memory and semaphores, which Python's multiprocessing uses, are files here. In the working
            // directory they count against its limit and end with the run.
            ("/dev/shm", directory.join("work")),
        ];
        for (name, target) in links {
            symlink(target, self.place(Path::new(name)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_made_within_a_root_and_never_in_place_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("scratch/root");
        let within = Path::new("a/b");
        let failed = make_below(&root, within).unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::NotFound);
        assert!(!folder.path().join("scratch").exists());

        fs::create_dir_all(&root).unwrap();
        make_below(&root, within).unwrap();
        make_below(&root, within).unwrap();
        assert!(root.join(within).is_dir());
    }
}
