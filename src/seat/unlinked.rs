//! Deleted files that processes still hold, which no directory shows and which take room all the same.
//!
//! For: working directories on disk; in a file system of its own everything counts by itself. Deliberately not here:
//! what stands in a socket on its way to somebody, which no program may put there from `confined` on (`sendmsg(2)`).
//! What must always hold: each file counts once, however many hold it; counting ends where enough has been seen.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::unistd::Pid;

use super::dir_usage::BLOCK_BYTES;

/// What the kernel writes behind the path of a mapped file that has been deleted.
const DELETED: &str = " (deleted)";

/// Where a deleted file counts: on this device by its handles, below this folder by its mappings.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnlinkedScope<'a> {
    pub(super) device: u64,
    pub(super) folder: &'a Path,
}

/// What the deleted files take of the disk that these processes hold; counting may end when that is more than `enough`.
pub(super) fn unlinked_bytes(processes: impl Iterator<Item = Pid>, site: UnlinkedScope<'_>, enough: u64) -> u64 {
    let mut held = HashMap::new();
    let mut mapped = HashMap::new();
    for process in processes {
        open_files(process, site, &mut held);
        mappings(process, site, &mut mapped);
        if held.values().sum::<u64>() > enough {
            break;
        }
    }
    // Of a file that is only mapped, the part that is counts: nobody may ask for its size.
    mapped.retain(|inode, _| !held.contains_key(inode));
    held.values().chain(mapped.values()).sum()
}

/// By their inodes. What is just being closed counts as nothing.
fn open_files(process: Pid, site: UnlinkedScope<'_>, held: &mut HashMap<u64, u64>) {
    let Ok(handles) = fs::read_dir(format!("/proc/{process}/fd")) else {
        return;
    };
    for handle in handles.flatten() {
        // Looks at what the handle is on, and opens nothing.
        if let Ok(found) = fs::metadata(handle.path())
            && found.is_file()
            && found.nlink() == 0
            && found.dev() == site.device
        {
            held.insert(found.ino(), found.blocks() * BLOCK_BYTES);
        }
    }
}

/// By their inodes, each up to its last mapped byte.
fn mappings(process: Pid, site: UnlinkedScope<'_>, mapped: &mut HashMap<u64, u64>) {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
    for (inode, end, path) in maps.lines().filter_map(deleted_mapping) {
        if Path::new(path).starts_with(site.folder) {
            let known = mapped.entry(inode).or_default();
            *known = end.max(*known);
        }
    }
}

/// The inode, the end within the file, and the path of a mapping of a deleted file, from a line of `/proc/PID/maps`.
fn deleted_mapping(line: &str) -> Option<(u64, u64, &str)> {
    let line = line.strip_suffix(DELETED)?;
    let mut fields = line.splitn(6, ' ');
    let (start, end) = fields.next()?.split_once('-')?;
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let offset = number(fields.nth(1)?)?;
    let inode = fields.nth(1)?.parse().ok()?;
    let length = number(end)?.checked_sub(number(start)?)?;
    Some((inode, offset.checked_add(length)?, fields.next()?.trim_start()))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;

    use super::*;

    #[test]
    fn a_deleted_file_counts_once_and_one_that_is_there_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = File::create(&path).unwrap();
        file.write_all(&vec![1; 100_000]).unwrap();
        file.sync_all().unwrap();
        let again = file.try_clone().unwrap();
        let site = UnlinkedScope {
            device: file.metadata().unwrap().dev(),
            folder: folder.path(),
        };
        let held = || unlinked_bytes([Pid::this(), Pid::this()].into_iter(), site, u64::MAX);
        let before = held();
        fs::remove_file(&path).unwrap();
        let after = held();
        drop(again);
        // Other tests of this process delete files, too, but not of this size.
        assert!(after - before.min(after) >= 100_000, "{before} {after}");
    }

    #[test]
    fn a_mapping_of_a_deleted_file_is_read_from_its_line() {
        let line = "7f01a000-7f02a000 rw-s 00001000 08:01 1055 /tmp/a b/file (deleted)";
        assert_eq!(deleted_mapping(line), Some((1055, 0x11000, "/tmp/a b/file")));
        let padded = "7f01a000-7f02a000 rw-s 00000000 00:01 7                    /dev/zero (deleted)";
        assert_eq!(deleted_mapping(padded), Some((7, 0x10000, "/dev/zero")));
        for other in [
            "",
            "7f01a000-7f02a000 rw-p 00000000 00:00 0 ",
            "7f-80 r--p 0 08:01 9 /usr/lib/libc.so.6",
        ] {
            assert_eq!(deleted_mapping(other), None);
        }
    }
}
