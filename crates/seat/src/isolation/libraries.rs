//! Native libraries of a submission: the only files of a sealed working directory that can be mapped as code.
//!
//! For Python extensions, `dlopen` and `System.load`. The working directory is mounted `noexec`. Over each library of
//! the submission lies a read-only bind mount of the original, without `noexec`. The agent cannot write to a mount
//! point, rename it, remove it or link it, and a copy of it is an ordinary file of the working directory.
//!
//! Not for `confined`: nothing is mounted there, and every readable file can be mapped.
//!
//! Only submitted or built files may be mounted, never through a link, and only while no process of the agent is alive.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, open, openat};
use nix::mount::{MsFlags, mount};
use nix::sys::stat::Mode;

use crate::RESERVED;
use crate::system::by_handle;

/// The maximum number of libraries: each costs a mount per run. Further ones are ordinary files.
const MAX_LIBRARIES: usize = 64;

/// The libraries of one submission.
#[derive(Debug)]
pub(super) struct Libraries {
    originals: OwnedFd,
    paths: Vec<PathBuf>,
}

impl Libraries {
    /// Finds the libraries in `template`. If there are any, mounts `template` at `place`; the caller makes that mount
    /// read-only.
    pub(super) fn find(template: &OwnedFd, place: &Path) -> io::Result<Option<Self>> {
        let template = PathBuf::from(by_handle(template));
        let paths = paths_below(&template)?;
        if paths.is_empty() {
            return Ok(None);
        }
        fs::create_dir(place)?;
        let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(&template), place, None::<&str>, flags, None::<&str>)?;
        let originals = open(place, OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())?;
        Ok(Some(Self { originals, paths }))
    }

    /// Mounts each over the file of the same path in `work`, a newly mounted working directory.
    pub(super) fn mount_over(&self, work: &OwnedFd) -> nix::Result<()> {
        self.paths.iter().try_for_each(|path| {
            let [original, covered] = [&self.originals, work].map(|folder| open_beneath(folder, path));
            // A bind mount inherits the flags of its source: read-only, without `noexec`.
            let (original, covered) = (original?, covered?);
            let (original, covered) = (by_handle(&original), by_handle(&covered));
            mount(Some(original.as_str()), covered.as_str(), None::<&str>, MsFlags::MS_BIND, None::<&str>)
        })
    }
}

fn open_beneath(folder: &OwnedFd, path: &Path) -> nix::Result<OwnedFd> {
    let flags = OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    // Name by name: a link among them is opened itself, and has nothing beneath it.
    let mut handle = openat(folder, c".", flags, Mode::empty())?;
    for name in path {
        handle = openat(&handle, name, flags, Mode::empty())?;
    }
    Ok(handle)
}

/// The paths of the libraries relative to `folder`: the first [`MAX_LIBRARIES`] in alphabetical order.
fn paths_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(inner) = waiting.pop() {
        for entry in fs::read_dir(folder.join(&inner))? {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            let is_reserved =
                inner.as_os_str().is_empty() && RESERVED.iter().any(|own| own.to_bytes() == name.as_encoded_bytes());
            if is_reserved {
                continue;
            }
            if kind.is_dir() {
                waiting.push(inner.join(name));
            } else if kind.is_file() && is_library(name.as_encoded_bytes()) {
                found.push(inner.join(name));
            }
        }
    }
    found.sort_unstable();
    found.truncate(MAX_LIBRARIES);
    Ok(found)
}

/// Whether loaders look for files of this name: `libx.so`, `libx.so.1`, `x.cpython-311-x86_64-linux-gnu.so`.
fn is_library(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    name.ends_with(".so") || name.contains(".so.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_by_name_wherever_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        for path in ["libx.so", "a/b/libx.so.1.2", "homework.py", "so", "x.sofa", "input.txt/x.so"] {
            write(path);
        }
        fs::create_dir(folder.path().join("folder.so")).unwrap();
        std::os::unix::fs::symlink("libx.so", folder.path().join("link.so")).unwrap();
        std::os::unix::fs::symlink("a", folder.path().join("linked")).unwrap();
        let expected = ["a/b/libx.so.1.2", "libx.so"].map(PathBuf::from);
        assert_eq!(paths_below(folder.path()).unwrap(), expected);
        for number in 0..2 * MAX_LIBRARIES {
            write(&format!("many/{number}.so"));
        }
        assert_eq!(paths_below(folder.path()).unwrap().len(), MAX_LIBRARIES);
    }
}
