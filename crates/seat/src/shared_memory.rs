//! Measures shared memory without a file: its pages can be in use without being in any process.
//!
//! `limiter` calls it for programs that have some. Every piece is an inode in a file system of the kernel's own, in
//! which memory files and System V segments are, too. It counts up to the last byte that was ever mapped, until nobody
//! maps it any more: what a program unmaps stays in use as long as one page is mapped. What was never mapped when a
//! sample was taken is not counted, and no system call tells an ordinary user its size.

use std::collections::BTreeMap;

use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::stat::{fstat, major, minor};

use super::mappings::Mapping;

/// The kernel's own name for shared memory without a file.
const UNNAMED: &str = "/dev/zero (deleted)";

/// The pieces of one run.
#[derive(Debug)]
pub(super) struct SharedMemory {
    /// The device of the kernel's file system; `None` if it could not be asked, so that names have to do.
    device: Option<(u64, u64)>,
    known: SharedPieces,
}

/// The largest mapped size of each piece, by inode.
#[derive(Debug, Default)]
pub(super) struct SharedPieces(BTreeMap<u64, u64>);

impl SharedMemory {
    pub(super) fn new() -> Self {
        let example = memfd_create(c"", MFdFlags::MFD_CLOEXEC).and_then(fstat);
        Self {
            device: example.ok().map(|found| (major(found.st_dev), minor(found.st_dev))),
            known: SharedPieces::default(),
        }
    }

    /// Adds to `seen` what one process maps, by its `/proc/PID/maps`.
    pub(super) fn add(&self, seen: &mut SharedPieces, maps: &str) {
        let shared = |mapping: &Mapping<'_>| self.device == Some(mapping.device) || mapping.path == UNNAMED;
        for Mapping { inode, end, .. } in maps.lines().filter_map(Mapping::read).filter(shared) {
            let known = seen.0.entry(inode).or_default();
            *known = end.max(*known);
        }
    }

    /// The size of all pieces, of which those in `seen` still exist.
    pub(super) fn count(&mut self, mut seen: SharedPieces) -> u64 {
        for (inode, size) in &mut seen.0 {
            *size = self.known.0.get(inode).copied().unwrap_or(0).max(*size);
        }
        self.known = seen;
        self.known.0.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> SharedMemory {
        SharedMemory { device: Some((0, 1)), known: SharedPieces::default() }
    }

    fn count(memory: &mut SharedMemory, maps: &[&str]) -> u64 {
        let mut seen = SharedPieces::default();
        for maps in maps {
            memory.add(&mut seen, maps);
        }
        memory.count(seen)
    }

    #[test]
    fn a_piece_counts_as_large_as_it_was_ever_mapped_until_nobody_maps_it() {
        let mut memory = memory();
        let whole = "10000-20000 rw-s 00000000 00:01 7 /dev/zero (deleted)\n";
        let first = "10000-11000 rw-s 00000000 00:01 7 /dev/zero (deleted)\n";
        let last = "1f000-20000 rw-s 0000f000 00:01 8 /dev/zero (deleted)\n";
        assert_eq!(count(&mut memory, &[first]), 0x1000);
        assert_eq!(count(&mut memory, &[first, whole]), 0x10000);
        assert_eq!(count(&mut memory, &[first, last]), 0x20000, "of each all is in use");
        assert_eq!(count(&mut memory, &[last]), 0x10000);
        assert_eq!(count(&mut memory, &[first]), 0x1000, "a piece that is new");
    }

    #[test]
    fn the_kernel_tells_its_device() {
        assert!(SharedMemory::new().device.is_some());
    }

    #[test]
    fn pieces_are_known_by_their_device_whatever_they_are_called() {
        let mut memory = memory();
        let named = "10000-20000 rw-s 00000000 00:01 7 [anon_shmem:mine]\n";
        let foreign = "10000-20000 r--s 00000000 08:01 9 /usr/lib/libc.so.6\n10000-20000 rw-p 00000000 00:00 0 \n";
        assert_eq!(count(&mut memory, &[named, foreign]), 0x10000);
    }
}
