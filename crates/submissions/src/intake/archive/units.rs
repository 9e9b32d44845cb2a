//! The parts of an archive that are counted and refused separately: its only one, or one per student. It reads no
//! format; its parent module calls it.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::names::{NameRefusal, place};
use super::walk::{ArchiveEntryKind, PackedEntry};
use super::{FREE_BYTES, MAX_RATIO, UnpackError, UnpackedClass};
use crate::agents::{ArchiveFault, SubmissionFault, SubmissionLimits};

const LIMITS: SubmissionLimits = SubmissionLimits::ALL;

/// An archive on its way into a folder.
pub(super) struct Unpacking<'a> {
    into: &'a Path,
    scope: UnpackScope,
    units: BTreeMap<PathBuf, ArchiveUnit>,
    /// What has come of it so far.
    pub(super) done: UnpackedClass,
}

/// What an archive is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnpackScope {
    Submission,
    /// Of whose entries the first parts of this number, and one more, say whose they are.
    Class {
        root: usize,
    },
}

/// What is known of one part.
#[derive(Debug, Default)]
struct ArchiveUnit {
    entries: usize,
    bytes: u64,
    packed: u64,
    /// What there is, by its path in lower case.
    taken: BTreeMap<String, UnpackedUnits>,
}

#[derive(Debug)]
struct UnpackedUnits {
    path: String,
    is_folder: bool,
}

impl<'a> Unpacking<'a> {
    pub(super) fn new(into: &'a Path, scope: UnpackScope) -> Self {
        Self { into, scope, units: BTreeMap::new(), done: UnpackedClass::default() }
    }

    /// Writes one entry, or notes why it is refused. What is wrong with the archive of a submission ends it.
    pub(super) fn take(&mut self, entry: PackedEntry<'_>) -> Result<(), UnpackError> {
        let parts = match place(&entry.name) {
            Ok(None) => return Ok(()),
            Ok(Some(parts)) => parts,
            Err(NameRefusal { within, fault }) => return self.refuse_name(&entry.name, &within, fault),
        };
        let (unit, within) = self.divided(&parts);
        if parts.is_empty() || self.done.faults.contains_key(&unit) {
            return Ok(());
        }
        match self.write(&unit, within, &parts, entry) {
            Err(UnpackError::Fault(fault)) => self.refuse(unit, fault),
            Err(UnpackError::TooLarge(fault)) if self.scope != UnpackScope::Submission => {
                self.remove(&unit)?;
                self.done.faults.insert(unit, fault);
                Ok(())
            }
            written => written,
        }
    }

    /// To which part an entry belongs, and its place in there.
    fn divided<'p>(&self, parts: &'p [String]) -> (PathBuf, &'p [String]) {
        let depth = match self.scope {
            UnpackScope::Submission => 0,
            UnpackScope::Class { root } => root + 1,
        };
        let (unit, within) = parts.split_at(depth.min(parts.len()));
        (unit.iter().collect(), within)
    }

    fn refuse_name(&mut self, name: &str, within: &[String], fault: ArchiveFault) -> Result<(), UnpackError> {
        let (unit, _) = self.divided(within);
        match self.scope {
            UnpackScope::Class { root } if within.len() <= root => {
                self.done.strays.push(name.to_owned());
                Ok(())
            }
            UnpackScope::Class { .. } | UnpackScope::Submission => self.refuse(unit, fault),
        }
    }

    /// In a class, the student knows the part as the archive, so it has the archive's name.
    fn refuse(&mut self, unit: PathBuf, fault: ArchiveFault) -> Result<(), UnpackError> {
        if self.scope == UnpackScope::Submission {
            return Err(UnpackError::Fault(fault));
        }
        self.remove(&unit)?;
        let file = unit.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.done.faults.insert(unit, SubmissionFault::Archive { file, fault });
        Ok(())
    }

    /// What was refused takes no room on the disk. Its place stays, so that its student is found.
    fn remove(&self, unit: &Path) -> io::Result<()> {
        let path = self.into.join(unit);
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => {
                fs::remove_dir_all(&path)?;
                fs::create_dir(&path)
            }
            Ok(_) => fs::write(&path, ""),
            Err(_) => fs::create_dir_all(&path),
        }
    }

    fn write(
        &mut self,
        unit: &Path,
        within: &[String],
        parts: &[String],
        entry: PackedEntry<'_>,
    ) -> Result<(), UnpackError> {
        let PackedEntry { name, kind, is_executable, packed, declared, modified, content } = entry;
        let unit = self.units.entry(unit.to_owned()).or_default();
        let is_folder = match kind {
            ArchiveEntryKind::File => false,
            ArchiveEntryKind::Folder => true,
            ArchiveEntryKind::Special(found) => {
                return Err(UnpackError::Fault(ArchiveFault::Special { entry: name, found }));
            }
            ArchiveEntryKind::Encrypted => return Err(UnpackError::Fault(ArchiveFault::Encrypted)),
        };
        unit.claim(within, is_folder)?;
        let place: PathBuf = parts.iter().collect();
        let path = self.into.join(&place);
        if is_folder {
            return Ok(fs::create_dir_all(path)?);
        }
        if let Some(time) = modified {
            self.done.times.insert(place, time);
        }
        let mut content = content.map_err(broken)?;
        unit.packed = unit.packed.saturating_add(packed.unwrap_or(0));
        let allowed = packed.map_or(u64::MAX, |_| FREE_BYTES + unit.packed.saturating_mul(MAX_RATIO));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mode = if is_executable { 0o700 } else { 0o600 };
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
        let before = unit.bytes;
        unit.copy(&mut content, &mut file, allowed)?;
        if unit.bytes - before == declared {
            Ok(())
        } else {
            Err(broken(format!("the size of `{}` is not what it says", referee_games::protocol::plain(&name))))
        }
    }
}

fn broken(problem: String) -> UnpackError {
    UnpackError::Fault(ArchiveFault::Broken { problem })
}

impl ArchiveUnit {
    fn count(&mut self) -> Result<(), UnpackError> {
        self.entries += 1;
        if self.entries > LIMITS.files {
            return Err(UnpackError::TooLarge(LIMITS.too_many_files()));
        }
        Ok(())
    }

    /// Refuses a second entry at one place, and names that only letter case tells apart. A folder may be named again.
    /// A folder that only the paths of entries name counts as if it had an entry of its own.
    fn claim(&mut self, within: &[String], is_folder: bool) -> Result<(), UnpackError> {
        if within.len() > LIMITS.depth {
            return Err(UnpackError::TooLarge(LIMITS.too_deep()));
        }
        self.count()?;
        for depth in 1..=within.len() {
            let path = within[..depth].join("/");
            let is_implied = depth < within.len();
            let is_folder = is_implied || is_folder;
            let new = || UnpackedUnits { path: path.clone(), is_folder };
            let taken = self.taken.entry(path.to_lowercase());
            let is_new = matches!(taken, std::collections::btree_map::Entry::Vacant(_));
            let taken = taken.or_insert_with(new);
            if !(is_new || taken.is_folder && is_folder && taken.path == path) {
                let entries = [taken.path.clone(), path];
                return Err(UnpackError::Fault(ArchiveFault::Indistinct { entries }));
            }
            if is_new && is_implied {
                self.count()?;
            }
        }
        Ok(())
    }

    /// Copies at most what the part may still have.
    fn copy(&mut self, content: &mut dyn Read, file: &mut fs::File, allowed: u64) -> Result<(), UnpackError> {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = match content.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(broken(error.to_string())),
            };
            self.bytes = self.bytes.saturating_add(read as u64);
            if self.bytes > LIMITS.bytes {
                return Err(UnpackError::TooLarge(LIMITS.too_many_bytes()));
            }
            if self.bytes > allowed {
                let limit = format!("{MAX_RATIO} times the size of its archive");
                return Err(UnpackError::TooLarge(SubmissionFault::TooLarge { limit }));
            }
            file.write_all(&buffer[..read])?;
        }
    }
}
