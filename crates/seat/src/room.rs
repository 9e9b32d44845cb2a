//! Disk space for working directories: a program within its limits must not be able to fill the disk, because a full
//! disk makes a game void.
//!
//! So a seat is opened only where there is space for all that its program and those of the other open seats of this
//! process may write; `keeper` checks the first, [`Reservation`] the second. Working directories in memory need none.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::sys::statvfs::statvfs;
use parking_lot::Mutex;

use super::fault::HostError;
use super::limits::Limits;
use super::workdir::RESERVE_BYTES;

const REMEDY: &str = "free some space, or set `TMPDIR` to another directory";

/// Fails unless there is space for all that one program may write.
pub(super) fn expect_disk_space(directory: &Path, limits: &Limits) -> Result<(), HostError> {
    let doing = "make room for a working directory";
    let free = free_bytes(directory).map_err(HostError::when(doing))?;
    if free >= needed_by(limits) {
        return Ok(());
    }
    let said = format!(
        "{} MiB are free for temporary files, and a program may write {} MiB; {REMEDY}",
        free >> 20,
        limits.disk_bytes() >> 20
    );
    Err(HostError::when(doing)(said.as_str()))
}

/// The space of one open seat, until it is dropped.
#[derive(Debug)]
pub(super) struct Reservation {
    device: u64,
    bytes: u64,
}

/// The space of a disk, and how much of it open seats may need.
#[derive(Debug, Default)]
struct DiskSpace {
    /// Before any program of this process could use some: what programs use now must not keep others from starting.
    free_bytes: u64,
    reserved_bytes: u64,
}

/// By device.
static DISKS: Mutex<BTreeMap<u64, DiskSpace>> = Mutex::new(BTreeMap::new());

impl Reservation {
    /// Space for a seat in `directory` that leaves space for `spare` more.
    ///
    /// # Errors
    ///
    /// What is missing, and the remedy.
    pub(super) fn make(directory: &Path, limits: &Limits, spare: u64) -> Result<Self, String> {
        let failed =
            |error: &dyn std::fmt::Display| format!("cannot read the space of `{}`: {error}", directory.display());
        let device = directory.metadata().map_err(|error| failed(&error))?.dev();
        let free_bytes = free_bytes(directory).map_err(|error| failed(&error))?;
        let bytes = needed_by(limits);
        DISKS.lock().entry(device).or_default().reserve(bytes, spare, free_bytes)?;
        Ok(Self { device, bytes })
    }

    /// Whether there is space for so many more such seats.
    pub(super) fn leaves_space_for(&self, seats: u64) -> bool {
        let wanted = self.bytes.saturating_mul(seats);
        DISKS.lock().get(&self.device).is_some_and(|disk| disk.can_give(wanted))
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut disks = DISKS.lock();
        if let Some(disk) = disks.get_mut(&self.device) {
            disk.reserved_bytes = disk.reserved_bytes.saturating_sub(self.bytes);
            if disk.reserved_bytes == 0 {
                disks.remove(&self.device);
            }
        }
    }
}

impl DiskSpace {
    fn reserve(&mut self, bytes: u64, spare: u64, free_bytes: u64) -> Result<(), String> {
        self.free_bytes = self.free_bytes.max(free_bytes);
        if !self.can_give(bytes.saturating_mul(1 + spare)) {
            return Err(format!(
                "{} MiB are free for temporary files, and the programs that are open may write {} MiB; lower `--jobs`, \
                 {REMEDY}",
                self.free_bytes >> 20,
                self.reserved_bytes.saturating_add(bytes) >> 20
            ));
        }
        self.reserved_bytes += bytes;
        Ok(())
    }

    const fn can_give(&self, bytes: u64) -> bool {
        self.reserved_bytes.saturating_add(bytes) <= self.free_bytes
    }
}

fn needed_by(limits: &Limits) -> u64 {
    limits.disk_bytes().saturating_add(RESERVE_BYTES)
}

fn free_bytes(directory: &Path) -> nix::Result<u64> {
    statvfs(directory).map(|disk| disk.blocks_available().saturating_mul(disk.fragment_size()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_open_seats_may_need_is_added_up_whatever_they_use() {
        let mut disk = DiskSpace::default();
        assert_eq!(disk.reserve(60, 0, 130), Ok(()));
        assert!(disk.reserve(30, 2, 130).is_err(), "there would be space for one more");
        // The first program uses its part.
        assert_eq!(disk.reserve(60, 0, 70), Ok(()));
        let refused = disk.reserve(60, 0, 10).unwrap_err();
        assert!(refused.contains("lower `--jobs`"), "{refused}");
        assert!(disk.can_give(10) && !disk.can_give(11));
        // Somebody has made more room.
        assert_eq!(disk.reserve(60, 0, 200), Ok(()));
    }
}
