//! The file system of a sealed program: what it may see, mounted read-only under a new root, and nothing else.
//!
//! ```text
//! /                         in memory, read-only
//! ├── usr, lib, bin, etc …  the system's own, read-only
//! ├── (interpreter, folder) under the paths that they have outside, read-only
//! ├── dev                   null, zero, full, random, urandom; shm ─► the working directory
//! ├── proc                  of the PID namespace, read-only
//! └── tmp/referee-seat.…    read-only, too
//!     └── work              the working directory: in memory, of a limited size, writable, another one for each run
//! ```
//!
//! **The working directory** of a submission is an overlay (the kernel's `overlayfs`, which anybody may mount in a user
//! namespace since Linux 5.11): below, the submission's files, which nothing can change; above, a file system in memory
//! that no path of the program leads to, for what a run adds, changes and removes. Nothing is copied but the files that
//! a run writes to. Mounting both anew takes a quarter of a millisecond of the opponent's turn, and leaves nothing of
//! what a run has done, whatever that was, and whatever may still hold some of it: the file system before is let go.
//!
//! The keeper itself sees the machine as it is, apart from `/proc`, which is that of its namespace: it needs to know
//! its processes by the numbers that they have here.
//!
//! What must always hold: nothing but the seat's own directory can be written, by whatever right; and what was in it is
//! gone with the keeper, however that ends.

use std::ffi::CStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, open};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::stat::{Mode, SFlag, fstatat, mkdirat, mknodat};
use nix::sys::utsname::uname;

use super::calls::make_read_only;
use super::views::{DEVICES, Views};
use crate::seat::fault::HostError;
use crate::seat::limits::Limits;
use crate::seat::workdir::RESERVED;

/// By how much the file system of the working directory is larger than its limit: a program that has passed the limit
/// can be told from one that has just reached it.
const SLACK_BYTES: u64 = 1 << 20;
const SLACK_FILES: u64 = 64;

/// A new root.
#[derive(Debug)]
pub(super) struct Root {
    /// A handle on it.
    pub(super) root: OwnedFd,
    /// What makes the working directories in it.
    pub(super) mounts: Mounts,
}

/// Builds it at `directory`, in which the seat's files will be, and under the same path within the new root.
pub(super) fn build(
    directory: &Path,
    views: &Views,
    template: Option<&Path>,
    limits: &Limits,
) -> Result<Root, HostError> {
    leave_the_outside().map_err(HostError::when("have mounts of its own"))?;
    // Of this namespace's own mounts: others cannot be a layer.
    let template = template
        .map(open_directory)
        .transpose()
        .map_err(HostError::when("open the files of the submission"))?;
    mount_proc().map_err(HostError::when("mount `/proc` of its PID namespace"))?;
    limit_processes(limits);
    let site = RootBuilder::new(directory).map_err(HostError::when("mount a root directory"))?;
    for view in views.readable() {
        site.show(view)
            .map_err(HostError::when("mount what the program may read"))?;
    }
    site.show(Path::new("/proc"))
        .map_err(HostError::when("mount `/proc`"))?;
    site.furnish_devices(directory)
        .map_err(HostError::when("make devices"))?;
    let work = site.place(&directory.join("work"));
    fs::create_dir_all(&work).map_err(HostError::when("make a place for the working directory"))?;
    let mounted = open_directory(directory).map_err(HostError::when("open the root directory"))?;
    make_read_only(&mounted).map_err(HostError::when("make the root directory read-only"))?;
    let root = open_directory(&site.root).map_err(HostError::when("open the root directory"))?;
    let mounts = Mounts::new(work, directory.join(LAYERS), template, limits);
    // Here it still lowers the level; later it would be a failure.
    mounts.renew().map_err(HostError::when("mount the working directory"))?;
    Ok(Root { root, mounts })
}

/// Whatever is mounted from now on stays within this namespace.
pub(super) fn leave_the_outside() -> nix::Result<()> {
    mount(
        None::<&str>,
        "/",
        None::<&str>,
        MsFlags::MS_REC | MsFlags::MS_PRIVATE,
        None::<&str>,
    )
}

pub(super) fn mount_proc() -> nix::Result<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), "/proc", Some("proc"), flags, None::<&str>)
}

/// For trying whether anything can be mounted at all.
pub(super) fn mount_nothing() -> nix::Result<()> {
    mount(Some("tmpfs"), "/tmp", Some("tmpfs"), MsFlags::empty(), None::<&str>)
}

/// For trying whether a working directory can be mounted, where nothing is in `/tmp` that anybody needs.
pub(super) fn mount_empty_overlay() -> nix::Result<()> {
    let top = open_directory("/tmp")?;
    for name in ["work", "layers", "lower"] {
        mkdirat(&top, name, Mode::S_IRWXU)?;
    }
    let lower = Lower {
        directory: open_directory("/tmp/lower")?,
        hidden: RESERVED.to_vec(),
    };
    mount_overlay(Path::new("/tmp/work"), Path::new("/tmp/layers"), &lower)
}

/// Has the kernel keep the limit on processes in this PID namespace, by the numbers that it has for them.
///
/// It does so by user as well (`Limits::impose`), but not for root. Where this is not possible, the limiter is left.
fn limit_processes(limits: &Limits) {
    // The first 300 numbers are given away only once (`RESERVED_PIDS`).
    const RESERVED: u64 = 301;
    if numbers_are_limited_by_namespace() {
        let highest = RESERVED + limits.processes_with_slack();
        // It may be less than the kernel thinks right for so many processors.
        drop(fs::write("/proc/sys/kernel/pid_max", highest.to_string()));
    }
}

/// Since Linux 6.14. Before, this limit was that of the whole machine, and root could change it from in here.
fn numbers_are_limited_by_namespace() -> bool {
    let Ok(system) = uname() else { return false };
    let release = system.release().to_string_lossy().into_owned();
    let mut numbers = release
        .split(|c: char| !c.is_ascii_digit())
        .map_while(|number| number.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(6), Some(14))
}

/// Makes the working directories of a sealed seat, one after the other, all in the same place.
#[derive(Debug)]
pub(in crate::seat) struct Mounts {
    work: PathBuf,
    /// Where the upper layer of an overlay is, out of the program's sight.
    layers: PathBuf,
    lower: Option<Lower>,
    /// Of the file system in memory.
    options: String,
}

/// The files of a submission.
#[derive(Debug)]
struct Lower {
    directory: OwnedFd,
    /// The reserved names that they have and that are not to be seen.
    hidden: Vec<&'static CStr>,
}

impl Mounts {
    fn new(work: PathBuf, layers: PathBuf, template: Option<OwnedFd>, limits: &Limits) -> Self {
        let lower = template.map(|directory| Lower {
            hidden: RESERVED
                .into_iter()
                .filter(|name| fstatat(&directory, *name, AtFlags::AT_SYMLINK_NOFOLLOW).is_ok())
                .collect(),
            directory,
        });
        let options = format!(
            "mode=0700,size={},nr_inodes={}",
            limits.directory_bytes.saturating_add(SLACK_BYTES),
            limits.directory_files.saturating_add(SLACK_FILES),
        );
        Self {
            work,
            layers,
            lower,
            options,
        }
    }

    /// Mounts a new working directory in the place of the last one, of which nothing is left once nobody holds a handle
    /// on it any more. Nothing but the files of the submission is in it.
    pub(in crate::seat) fn renew(&self) -> nix::Result<OwnedFd> {
        unmount(&self.work)?;
        match &self.lower {
            None => self.mount_in_memory(&self.work)?,
            Some(lower) => {
                unmount(&self.layers)?;
                self.mount_in_memory(&self.layers)?;
                mount_overlay(&self.work, &self.layers, lower)?;
            }
        }
        open_directory(&self.work)
    }

    fn mount_in_memory(&self, place: &Path) -> nix::Result<()> {
        mount(
            Some("tmpfs"),
            place,
            Some("tmpfs"),
            WORK_FLAGS,
            Some(self.options.as_str()),
        )
    }
}

/// Nothing that was written there can be executed, by whatever right.
const WORK_FLAGS: MsFlags = MsFlags::MS_NOSUID.union(MsFlags::MS_NODEV).union(MsFlags::MS_NOEXEC);

/// Where nothing is mounted any more, nothing has to be unmounted.
fn unmount(place: &Path) -> nix::Result<()> {
    match umount2(place, MntFlags::MNT_DETACH) {
        Err(Errno::EINVAL) => Ok(()),
        other => other,
    }
}

fn mount_overlay(work: &Path, layers: &Path, lower: &Lower) -> nix::Result<()> {
    // By handles, for a path may have characters that mean something in a list of options.
    let layers = open_directory(layers)?;
    let [upper, scratch] = ["upper", "scratch"];
    for layer in [upper, scratch] {
        mkdirat(&layers, layer, Mode::S_IRWXU)?;
    }
    for name in &lower.hidden {
        // What the kernel leaves where a file of the lower layer was removed (a "whiteout").
        let hidden = Path::new(upper).join(std::ffi::OsStr::from_bytes(name.to_bytes()));
        mknodat(&layers, &hidden, SFlag::S_IFCHR, Mode::empty(), 0)?;
    }
    let by_handle = |handle: &OwnedFd| format!("/proc/self/fd/{}", handle.as_raw_fd());
    let (lower, layers) = (by_handle(&lower.directory), by_handle(&layers));
    let options = format!("userxattr,lowerdir={lower},upperdir={layers}/{upper},workdir={layers}/{scratch}");
    mount(
        Some("overlay"),
        work,
        Some("overlay"),
        WORK_FLAGS,
        Some(options.as_str()),
    )
}

fn open_directory(path: impl AsRef<Path>) -> nix::Result<OwnedFd> {
    open(
        path.as_ref(),
        OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC,
        Mode::empty(),
    )
}

/// Where a new root is being built.
struct RootBuilder {
    root: PathBuf,
}

/// What is in the file system that a root directory is built in: the root, and where layers are mounted.
const ROOT: &str = "root";
const LAYERS: &str = "layers";

impl RootBuilder {
    fn new(directory: &Path) -> io::Result<Self> {
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(
            Some("tmpfs"),
            directory,
            Some("tmpfs"),
            flags,
            Some("mode=0755,size=4m"),
        )?;
        fs::create_dir(directory.join(LAYERS))?;
        let root = directory.join(ROOT);
        fs::create_dir(&root)?;
        Ok(Self { root })
    }

    /// Where `path` is while the root is being built.
    fn place(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Shows a path of the outside under the same path inside.
    fn show(&self, path: &Path) -> io::Result<()> {
        let place = self.place(path);
        if place.symlink_metadata().is_ok() {
            // Within something that is shown already, such as a folder within a folder.
            return Ok(());
        }
        if let Some(above) = place.parent() {
            fs::create_dir_all(above)?;
        }
        let metadata = path.symlink_metadata()?;
        if metadata.is_symlink() && path.components().count() == 2 {
            // As `/lib` is one to `usr/lib` on most systems today.
            return symlink(fs::read_link(path)?, place);
        }
        if path.is_dir() {
            fs::create_dir(&place)?;
        } else {
            File::create(&place)?;
        }
        // With all that is mounted below: showing what a mount hides is not permitted.
        let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(path), &place, None::<&str>, flags, None::<&str>).map_err(io::Error::from)
    }

    fn furnish_devices(&self, directory: &Path) -> io::Result<()> {
        for device in DEVICES.iter().map(Path::new).filter(|device| device.exists()) {
            self.show(device)?;
        }
        let links = [
            ("/dev/fd", PathBuf::from("/proc/self/fd")),
            ("/dev/stdin", PathBuf::from("/proc/self/fd/0")),
            ("/dev/stdout", PathBuf::from("/proc/self/fd/1")),
            ("/dev/stderr", PathBuf::from("/proc/self/fd/2")),
            // Shared memory and semaphores by name, which Python's multiprocessing is made of, are files here. In the
            // working directory they count, and end with the run.
            ("/dev/shm", directory.join("work")),
        ];
        for (name, target) in links {
            symlink(target, self.place(Path::new(name)))?;
        }
        Ok(())
    }
}
