//! Copies a compiler's products out of its private directory.
//!
//! It does not interpret the products. It must follow no link, never block, open only regular files, and overwrite
//! nothing. It must copy no more than the directory's limits allow, whatever size a file claims. The keeper calls it
//! after a build.

use std::ffi::CStr;
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{Mode, SFlag, fstat, fstatat};

use super::limits::Limits;
use super::sweep::{entries, open_unlocked};

/// Java packages and Python modules are nested folders; nobody needs more levels.
const DEEPEST: usize = 24;

/// Copies the regular files in `directory` and its subfolders to the same places below `into`, which must exist.
///
/// All compiler processes must have ended. Skips files that cannot be read, are too deep, come after the first thousand
/// names of a folder, or whose name is taken. The caller that looks for the program notices if it is missing.
pub(super) fn copy_out(directory: BorrowedFd<'_>, into: &Path, limits: &Limits) -> io::Result<()> {
    let mut allowance = CopyBudget { bytes: limits.directory_bytes, files: limits.directory_files };
    copy_all(directory, into, &mut allowance, DEEPEST)
}

/// How much may still be copied.
struct CopyBudget {
    bytes: u64,
    files: u64,
}

fn copy_all(directory: BorrowedFd<'_>, into: &Path, allowance: &mut CopyBudget, depth: usize) -> io::Result<()> {
    let Some(deeper) = depth.checked_sub(1) else {
        return Ok(());
    };
    for name in entries(directory, &[])? {
        let Some(left) = allowance.files.checked_sub(1) else {
            return Ok(());
        };
        allowance.files = left;
        let Ok(found) = fstatat(directory, name.as_c_str(), AtFlags::AT_SYMLINK_NOFOLLOW) else {
            continue;
        };
        let to = into.join(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let kind = SFlag::from_bits_truncate(found.st_mode & SFlag::S_IFMT.bits());
        if kind == SFlag::S_IFREG {
            copy_file(directory, &name, &to, allowance)?;
        } else if kind == SFlag::S_IFDIR
            && let Ok(inner) = open_unlocked(directory, &name)
        {
            make_folder(&to)?;
            copy_all(inner.as_fd(), &to, allowance, deeper)?;
        }
    }
    Ok(())
}

fn make_folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o755).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// The copy is readable and executable whatever mode the compiler set: where modes cannot be changed, a linker cannot
/// make a program executable.
fn copy_file(directory: BorrowedFd<'_>, name: &CStr, to: &Path, allowance: &mut CopyBudget) -> io::Result<()> {
    let Ok(product) = open_regular(directory, name) else {
        return Ok(());
    };
    let copy = OpenOptions::new().write(true).create_new(true).mode(0o755).open(to);
    let mut copy = match copy {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        other => other?,
    };
    copy.set_permissions(Permissions::from_mode(0o755))?;
    let copied = io::copy(&mut File::from(product).take(allowance.bytes), &mut copy)?;
    allowance.bytes -= copied;
    Ok(())
}

fn open_regular(directory: BorrowedFd<'_>, name: &CStr) -> nix::Result<OwnedFd> {
    let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
    let file = openat(directory, name, flags, Mode::empty())?;
    let is_regular = fstat(&file)?.st_mode & SFlag::S_IFMT.bits() == SFlag::S_IFREG.bits();
    is_regular.then_some(file).ok_or(Errno::EINVAL)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;

    fn handed(from: &Path, limits: &Limits) -> (tempfile::TempDir, Vec<String>) {
        let into = tempfile::tempdir().unwrap();
        fs::write(into.path().join("taken"), "old").unwrap();
        copy_out(File::open(from).unwrap().as_fd(), into.path(), limits).unwrap();
        let mut names = Vec::new();
        let mut folders = vec![into.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    names.push(path.strip_prefix(into.path()).unwrap().display().to_string());
                }
            }
        }
        names.sort_unstable();
        (into, names)
    }

    #[test]
    fn regular_files_alone_are_handed_over_and_nothing_is_overwritten() {
        let from = tempfile::tempdir().unwrap();
        let path = |name: &str| from.path().join(name);
        fs::create_dir_all(path("a/b")).unwrap();
        for name in ["program", "a/b/Board.class", "taken"] {
            fs::write(path(name), name).unwrap();
        }
        symlink("/etc/passwd", path("link")).unwrap();
        symlink("/etc", path("a/etc")).unwrap();
        mkfifo(&path("fifo"), Mode::S_IRWXU).unwrap();
        fs::create_dir_all(path(&"deep/".repeat(40))).unwrap();
        fs::write(path(&("deep/".repeat(40) + "file")), "").unwrap();
        let (into, names) = handed(from.path(), &Limits::default());
        assert_eq!(names, ["a/b/Board.class", "program", "taken"]);
        assert_eq!(fs::read_to_string(into.path().join("taken")).unwrap(), "old");
        let mode = fs::metadata(into.path().join("program")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
    }

    #[test]
    fn no_more_is_copied_than_the_directory_may_hold() {
        let from = tempfile::tempdir().unwrap();
        File::create(from.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
        let limits = Limits { directory_bytes: 1000, ..Limits::default() };
        let (into, _) = handed(from.path(), &limits);
        assert_eq!(fs::metadata(into.path().join("sparse")).unwrap().len(), 1000);
    }
}
