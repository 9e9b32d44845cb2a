//! Unpacks untrusted archives into a folder: `.zip`, `.tar` and `.tar.gz`, of one submission or of a class.
//!
//! It does not decide which files are a submission, or unpack archives within archives; [`super`], its caller, does.
//!
//! What must always hold:
//! - Nothing is written outside the folder that was asked for. It is new and private, every name is checked before it
//!   becomes a path ([`names`]), and no link is ever made in it, so that no path in it can lead elsewhere.
//! - Only regular files and folders are made; no mode of an archive is taken over but the right to execute.
//! - Sizes, counts and ratios are bounded by what was really read ([`units`]), never by what an archive says of itself.
//! - A fault in one submission of a class must not affect the others.
//!
//! **Ratios.** Deflate makes up to a thousand bytes of one, so that a small upload could take a submission's whole
//! allowance of the disk, again and again. What is more than [`FREE_BYTES`] may be at most [`MAX_RATIO`] times as
//! large as it was in the archive.

mod names;
mod units;
mod walk;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::submission_time::SubmissionTime;
use crate::agents::{ArchiveFault, SubmissionFault, SubmissionLimits};
use names::place;
use units::{UnpackScope, Unpacking};
use walk::{PackedEntry, WalkError, walk};

/// How much may come of an archive however small it is.
const FREE_BYTES: u64 = 16 << 20;

/// How many times as large as in its archive a submission may be. Sources are 3 to 20 times as large.
const MAX_RATIO: u64 = 100;

/// More than the class of any course hands in.
const CLASS_ENTRIES: usize = 1_000_000;

/// More than the class of any course hands in.
const CLASS_BYTES: u64 = 64 << 30;

/// What the name of a file says of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchiveKind {
    /// One that is unpacked here.
    Readable,
    /// One that is not, by its usual name behind its article.
    Other(&'static str),
}

/// The kind of archive that a file of this name is; `None` where it is none.
pub(super) fn kind_by_name(name: &str) -> Option<ArchiveKind> {
    const OTHERS: [(&str, &str); 11] = [
        (".7z", "a 7z"),
        (".rar", "a RAR"),
        (".tar.bz2", "a bzip2"),
        (".tbz2", "a bzip2"),
        (".bz2", "a bzip2"),
        (".tar.xz", "an xz"),
        (".txz", "an xz"),
        (".xz", "an xz"),
        (".tar.zst", "a Zstandard"),
        (".zst", "a Zstandard"),
        (".gz", "a gzip"),
    ];
    let name = name.to_lowercase();
    if [".zip", ".tar", ".tar.gz", ".tgz"].iter().any(|end| name.ends_with(end)) {
        return Some(ArchiveKind::Readable);
    }
    let other = OTHERS.iter().find(|(end, _)| name.ends_with(end));
    other.map(|(_, format)| ArchiveKind::Other(format))
}

/// A format that is read, by the first bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArchiveFormat {
    Zip,
    Tar,
    TarGz,
}

impl ArchiveFormat {
    /// The kind by the first bytes of `file`; its name does not count.
    fn of(file: &mut File) -> Result<Self, UnpackError> {
        const OTHERS: [(&[u8], &str); 5] = [
            (b"7z\xbc\xaf\x27\x1c", "a 7z"),
            (b"Rar!", "a RAR"),
            (b"BZh", "a bzip2"),
            (b"\xfd7zXZ\0", "an xz"),
            (b"\x28\xb5\x2f\xfd", "a Zstandard"),
        ];
        let mut start = Vec::new();
        file.take(512).read_to_end(&mut start)?;
        let is = |magic: &[u8]| start.starts_with(magic);
        if is(b"PK\x03\x04") || is(b"PK\x05\x06") {
            Ok(Self::Zip)
        } else if is(&[0x1f, 0x8b]) {
            Ok(Self::TarGz)
        } else if start.get(257..262) == Some(b"ustar") || (start.len() == 512 && start.iter().all(|&byte| byte == 0)) {
            Ok(Self::Tar)
        } else if let Some((_, format)) = OTHERS.iter().find(|(magic, _)| is(magic)) {
            Err(UnpackError::Fault(ArchiveFault::OtherFormat { format }))
        } else {
            let problem = "it does not begin like an archive".to_owned();
            Err(UnpackError::Fault(ArchiveFault::Broken { problem }))
        }
    }
}

/// Why something is not unpacked.
#[derive(Debug)]
pub(super) enum UnpackError {
    /// The archive is at fault.
    Fault(ArchiveFault),
    /// What is in it is too much for a submission.
    TooLarge(SubmissionFault),
    /// This machine is: nobody's submission may suffer for it.
    System(io::Error),
}

impl From<io::Error> for UnpackError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Unpacks the archive of one submission into the new folder `into`.
pub(super) fn unpack_submission(archive: &Path, into: &Path) -> Result<(), UnpackError> {
    let mut file = File::open(archive)?;
    let format = ArchiveFormat::of(&mut file)?;
    fs::create_dir(into)?;
    let packed = file.metadata()?.len();
    let unpacking = Unpacking::new(into, UnpackScope::Submission);
    let entries = SubmissionLimits::ALL.files;
    unpack(&file, format, unpacking, entries, stream_limit(packed)).map(drop).or_else(|error| {
        // What was refused takes no room on the disk.
        fs::remove_dir_all(into)?;
        Err(error)
    })
}

/// How many bytes a compressed tar may become: those of a submission, with a header and padding for every file.
fn stream_limit(packed: u64) -> u64 {
    let files = SubmissionLimits::ALL.files as u64;
    let most = SubmissionLimits::ALL.bytes + files * 2048;
    most.min(FREE_BYTES + packed.saturating_mul(MAX_RATIO))
}

/// What came of the archive of a class.
#[derive(Debug, Default)]
pub(super) struct UnpackedClass {
    /// What is wrong with a part, by its place in the folder: a part is what one student handed in, or less.
    pub(super) faults: BTreeMap<PathBuf, SubmissionFault>,
    /// The time of each file, by its place in the folder: a submission may be any folder or file of a part. Only those
    /// of a class can be believed: an archive that a student made says what the student likes.
    pub(super) times: BTreeMap<PathBuf, SubmissionTime>,
    /// Names of entries that belong to no part and were left out, lossy.
    pub(super) strays: Vec<String>,
}

/// Unpacks the archive of a class into the new folder `into`.
pub(super) fn unpack_class(archive: &Path, into: &Path) -> Result<UnpackedClass, UnpackError> {
    let mut file = File::open(archive)?;
    let format = ArchiveFormat::of(&mut file)?;
    let root = common_root(&file, format)?;
    fs::create_dir(into)?;
    let unpacking = Unpacking::new(into, UnpackScope::Class { root });
    unpack(&file, format, unpacking, CLASS_ENTRIES, CLASS_BYTES)
}

/// How many folders, one within the other, everything in the archive is in: none or one.
fn common_root(file: &File, format: ArchiveFormat) -> Result<usize, UnpackError> {
    let mut roots = std::collections::BTreeSet::new();
    let walked = walk(file, format, CLASS_ENTRIES, CLASS_BYTES, &mut |entry| {
        if let Ok(Some(parts)) = place(&entry.name) {
            match parts.as_slice() {
                [file] if !entry.is_folder() => drop(roots.insert((file.clone(), false))),
                [] => {}
                [first, ..] => drop(roots.insert((first.clone(), true))),
            }
        }
        Ok(())
    });
    walked.map_err(|error| error.into_error(CLASS_ENTRIES))?;
    let is_one_folder = roots.len() == 1 && roots.iter().all(|(_, is_folder)| *is_folder);
    Ok(usize::from(is_one_folder))
}

fn unpack(
    file: &File,
    format: ArchiveFormat,
    mut unpacking: Unpacking<'_>,
    entries: usize,
    bytes: u64,
) -> Result<UnpackedClass, UnpackError> {
    let stopped = Cell::new(None);
    let walked = walk(file, format, entries, bytes, &mut |entry: PackedEntry<'_>| {
        unpacking.take(entry).map_err(|error| {
            stopped.set(Some(error));
            io::Error::other("stopped")
        })
    });
    // A stream that is cut off by its limit looks damaged to the reader of an entry.
    match (walked, stopped.take()) {
        (Err(WalkError::TooManyBytes), _) => Err(WalkError::TooManyBytes.into_error(entries)),
        (_, Some(error)) => Err(error),
        (Err(error), None) => Err(error.into_error(entries)),
        (Ok(()), None) => Ok(unpacking.done),
    }
}

impl WalkError {
    fn into_error(self, entries: usize) -> UnpackError {
        let limits = SubmissionLimits::ALL;
        match self {
            Self::TooManyEntries => {
                UnpackError::TooLarge(SubmissionLimits { files: entries, ..limits }.too_many_files())
            }
            Self::TooManyBytes => UnpackError::TooLarge(SubmissionFault::TooLarge {
                limit: format!("{} MiB, or {MAX_RATIO} times the size of its archive", limits.bytes >> 20),
            }),
            Self::Broken(problem) => UnpackError::Fault(ArchiveFault::Broken { problem }),
        }
    }
}
