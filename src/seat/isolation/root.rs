//! The file system of a sealed program: what it may see, mounted read-only under a new root, and nothing else.
//!
//! ```text
//! /                         in memory, read-only
//! ├── usr, lib, bin, etc …  the system's own, read-only
//! ├── (interpreter, folder) under the paths that they have outside, read-only
//! ├── dev                   null, zero, full, random, urandom; shm ─► the working directory
//! ├── proc                  of the PID namespace, read-only
//! └── tmp/referee-seat-…    in memory, of a limited size, writable: the working directory is in it
//! ```
//!
//! The keeper itself sees the machine as it is, apart from `/proc`, which is that of its namespace: it needs to know its
//! processes by the numbers that they have here.
//!
//! What must always hold: nothing but the seat's own directory can be written, by whatever right; and what was in it is
//! gone with the keeper, however that ends.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, open};
use nix::mount::{MsFlags, mount};
use nix::sys::stat::Mode;
use nix::sys::utsname::uname;

use super::calls::make_read_only;
use super::views::{DEVICES, Views};
use crate::seat::fault::Fault;
use crate::seat::limits::Limits;

/// By how much the file system of the working directory is larger than its limit: a program that has passed the limit
/// can be told from one that has just reached it.
const SLACK_BYTES: u64 = 1 << 20;
const SLACK_FILES: u64 = 64;

/// Handles on a new root.
#[derive(Debug)]
pub(super) struct Root {
    /// The root itself.
    pub(super) root: OwnedFd,
    /// The seat's directory in it.
    pub(super) files: OwnedFd,
}

/// Builds it at `directory`, in which the seat's files will be, and under the same path within the new root.
pub(super) fn build(directory: &Path, views: &Views, limits: &Limits) -> Result<Root, Fault> {
    leave_the_outside().map_err(Fault::when("have mounts of its own"))?;
    mount_proc().map_err(Fault::when("mount `/proc` of its PID namespace"))?;
    limit_processes(limits);
    let site = Site::new(directory).map_err(Fault::when("mount a root directory"))?;
    for view in views.readable() {
        site.show(view)
            .map_err(Fault::when("mount what the program may read"))?;
    }
    site.show(Path::new("/proc")).map_err(Fault::when("mount `/proc`"))?;
    site.furnish_devices(directory).map_err(Fault::when("make devices"))?;
    let place = site.place(directory);
    fs::create_dir_all(&place).map_err(Fault::when("make a place for the working directory"))?;
    let root = open_directory(directory).map_err(Fault::when("open the root directory"))?;
    make_read_only(&root).map_err(Fault::when("make the root directory read-only"))?;
    let files = mount_files(&place, limits).map_err(Fault::when("mount the working directory"))?;
    Ok(Root { root, files })
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

fn mount_files(place: &Path, limits: &Limits) -> nix::Result<OwnedFd> {
    let options = format!(
        "mode=0700,size={},nr_inodes={}",
        limits.directory_bytes.saturating_add(SLACK_BYTES),
        limits.directory_files.saturating_add(SLACK_FILES),
    );
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("tmpfs"), place, Some("tmpfs"), flags, Some(options.as_str()))?;
    open_directory(place)
}

fn open_directory(path: &Path) -> nix::Result<OwnedFd> {
    open(
        path,
        OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC,
        Mode::empty(),
    )
}

/// Where a new root is being built.
struct Site<'a> {
    root: &'a Path,
}

impl<'a> Site<'a> {
    fn new(root: &'a Path) -> nix::Result<Self> {
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(Some("tmpfs"), root, Some("tmpfs"), flags, Some("mode=0755,size=4m"))?;
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
