//! Measures the disk space of deleted files that a seat's processes still use.
//!
//! A program can create a file, delete it and keep writing to it: the file has no name any more, so no listing of the
//! working directory shows it, but its space is taken until the last process closes it. So `limiter` adds what this
//! module finds to the size of the directory. Only working directories on disk need it: a file system in memory knows
//! its own size.
//!
//! Such files are found through `/proc`, in two places:
//! - Open files (`/proc/PID/fd`): the system reports the space of each.
//! - Files that are mapped into memory and closed (`/proc/PID/maps`): their size cannot be read, only up to which byte
//!   they are mapped. So each counts up to there, which is right for a library that was loaded and deleted. But a
//!   program could map one page each of many large files. So if these files could exceed the limit of the directory
//!   together, each counts as the largest file that a program may write. Unseen space is therefore at most once the
//!   limit.
//!
//! A file counts once, however many processes have it, and counting stops above the limit. Not found are files that
//! were sent into a socket and closed, and those open in a table of descriptors that one thread has for itself;
//! `confined` and `sealed` refuse the calls for both (`sendmsg(2)`, `clone(2)`).

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::dir_usage::BLOCK_BYTES;
use super::limits::Limits;
use super::mappings::Mapping;
use super::processes::ProcDir;

/// The kernel's suffix for the path of a mapped, deleted file.
const DELETED: &str = " (deleted)";

/// Where a deleted file counts: if open, on this device; if mapped, below this folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnlinkedScope<'a> {
    pub(super) device: u64,
    pub(super) folder: &'a Path,
}

/// The disk space of the deleted files that these processes hold; counting may stop above the limit of a directory. A
/// process that keeps its files from being counted is above it.
pub(super) fn unlinked_bytes<'a>(
    processes: impl Iterator<Item = &'a ProcDir>,
    site: UnlinkedScope<'_>,
    limits: &Limits,
) -> u64 {
    let enough = limits.directory_bytes;
    let mut held = HashMap::new();
    let mut mapped = HashMap::new();
    for process in processes {
        let counted = open_files(process, site, &mut held).and_then(|()| mappings(process, site, &mut mapped));
        // Other errors are those of a process that has just ended.
        let is_hidden = counted.is_err_and(|error| process.is_hidden(&error));
        if is_hidden || held.values().sum::<u64>() > enough {
            return held.values().sum::<u64>().max(enough.saturating_add(1));
        }
    }
    mapped.retain(|inode, _| !held.contains_key(inode));
    held.values().sum::<u64>().saturating_add(mapped_bytes(&mapped, limits))
}

/// The disk space of files that are mapped and not open.
fn mapped_bytes(mapped: &HashMap<u64, u64>, limits: &Limits) -> u64 {
    let count = u64::try_from(mapped.len()).unwrap_or(u64::MAX);
    let at_most = count.saturating_mul(limits.file_bytes);
    let at_least = mapped.values().sum();
    if at_most > limits.directory_bytes && count > 1 { at_most.max(at_least) } else { at_least }
}

/// By inode. A file that is just being closed counts as nothing.
fn open_files(process: &ProcDir, site: UnlinkedScope<'_>, held: &mut HashMap<u64, u64>) -> io::Result<()> {
    for handle in process.descriptors()?.flatten() {
        // Examines the target of the descriptor without opening it.
        if let Ok(found) = fs::metadata(handle.path())
            && found.is_file()
            && found.nlink() == 0
            && found.dev() == site.device
        {
            held.insert(found.ino(), found.blocks() * BLOCK_BYTES);
        }
    }
    Ok(())
}

/// By inode, each up to its last mapped byte.
fn mappings(process: &ProcDir, site: UnlinkedScope<'_>, mapped: &mut HashMap<u64, u64>) -> io::Result<()> {
    for Mapping { inode, end, path, .. } in process.maps()?.lines().filter_map(Mapping::read) {
        let deleted = path.strip_suffix(DELETED);
        if deleted.is_some_and(|path| Path::new(path).starts_with(site.folder)) {
            let known = mapped.entry(inode).or_default();
            *known = end.max(*known);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};

    use nix::unistd::Pid;

    use super::*;

    fn limits(directory_bytes: u64) -> Limits {
        Limits { file_bytes: 1000, directory_bytes, ..Limits::default() }
    }

    #[test]
    fn a_deleted_file_counts_once_and_one_that_is_there_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = File::create(&path).unwrap();
        file.write_all(&vec![1; 100_000]).unwrap();
        file.sync_all().unwrap();
        let again = file.try_clone().unwrap();
        let site = UnlinkedScope { device: file.metadata().unwrap().dev(), folder: folder.path() };
        let own = ProcDir::of(Pid::this());
        let held = || unlinked_bytes([&own, &own].into_iter(), site, &limits(u64::MAX));
        let before = held();
        fs::remove_file(&path).unwrap();
        let after = held();
        drop(again);
        // Other tests of this process delete files too, but none of this size.
        assert!(after - before.min(after) >= 100_000, "{before} {after}");
    }

    #[test]
    fn a_mapped_file_counts_though_its_name_is_no_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(OsStr::from_bytes(b"\xff.so"));
        let own = ProcDir::of(Pid::this()).maps().unwrap();
        let library =
            own.lines().find_map(|line| line.find('/').map(|at| &line[at..]).filter(|path| path.contains(".so")));
        fs::copy(library.expect("this program has the library of C"), &path).unwrap();
        let mut holder = Command::new("/bin/cat")
            .env("LD_PRELOAD", &path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = holder.stdin.take().unwrap();
        line.write_all(b"x").unwrap();
        holder.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
        let site = UnlinkedScope { device: 0, folder: folder.path() };
        let holders = [ProcDir::of(Pid::from_raw(holder.id().try_into().unwrap()))];
        let held = || unlinked_bytes(holders.iter(), site, &limits(u64::MAX));
        let before = held();
        fs::remove_file(&path).unwrap();
        let after = held();
        drop(line);
        holder.wait().unwrap();
        assert_eq!(before, 0);
        assert!(after > 4096, "{after}");
    }

    #[test]
    fn of_mapped_files_so_many_count_whole_that_they_could_exceed_the_limit() {
        let mapped = |count: u64| (0..count).map(|inode| (inode, 10)).collect();
        let counted = |count, limit| mapped_bytes(&mapped(count), &limits(limit));
        assert_eq!([0, 1, 2, 3].map(|count| counted(count, 2000)), [0, 10, 20, 3000]);
        assert_eq!(counted(1, 500), 10);
        assert_eq!(counted(2, 500), 2000);
    }
}
