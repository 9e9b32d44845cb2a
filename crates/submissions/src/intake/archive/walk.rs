//! Iterates over the entries of an archive, independently of its format. It writes nothing; its parent module calls it.
//!
//! Memory must be bounded, independently of what the archive claims. Entries of a zip that share bytes must be refused:
//! a few bytes could be unpacked a thousand times (<https://www.bamsoftware.com/hacks/zipbomb/>).

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::read::MultiGzDecoder;
use tar::EntryType;
use zip::ZipReadOptions;
use zip::read::{Config, ZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;

use super::ArchiveFormat;
use crate::agents::readable;
use crate::intake::submission_time::SubmissionTime;

/// One entry of an archive.
pub(super) struct PackedEntry<'a> {
    /// Its name as it stands there, read in the encoding that it is in.
    pub(super) name: String,
    /// What it is.
    pub(super) kind: ArchiveEntryKind,
    /// Whether its owner may execute it.
    pub(super) is_executable: bool,
    /// How many bytes it takes in the archive, where the format tells.
    pub(super) packed: Option<u64>,
    /// How many bytes the archive says that it has.
    pub(super) declared: u64,
    /// When it was changed, as the archive says.
    pub(super) modified: Option<SubmissionTime>,
    /// Its bytes, or why they cannot be read.
    pub(super) content: Result<Box<dyn Read + 'a>, String>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchiveEntryKind {
    File,
    Folder,
    Special(&'static str),
    Encrypted,
}

impl PackedEntry<'_> {
    pub(super) fn is_folder(&self) -> bool {
        self.kind == ArchiveEntryKind::Folder
    }
}

/// Why an archive cannot be walked to its end.
#[derive(Debug)]
pub(super) enum WalkError {
    TooManyEntries,
    TooManyBytes,
    Broken(String),
}

impl WalkError {
    fn broken(error: impl std::fmt::Display) -> Self {
        Self::Broken(error.to_string())
    }
}

/// Shows `visit` at most `entries` entries of the archive. A compressed stream may become at most `bytes` long.
pub(super) fn walk(
    file: &File,
    format: ArchiveFormat,
    entries: usize,
    bytes: u64,
    visit: &mut dyn FnMut(PackedEntry<'_>) -> io::Result<()>,
) -> Result<(), WalkError> {
    let mut file = file;
    file.seek(SeekFrom::Start(0)).map_err(WalkError::broken)?;
    match format {
        ArchiveFormat::Zip => walk_zip(file, entries, visit),
        ArchiveFormat::Tar => walk_tar(file, entries, bytes, visit),
        ArchiveFormat::TarGz => walk_tar(MultiGzDecoder::new(BufReader::new(file)), entries, bytes, visit),
    }
}

fn walk_zip(
    file: &File,
    entries: usize,
    visit: &mut dyn FnMut(PackedEntry<'_>) -> io::Result<()>,
) -> Result<(), WalkError> {
    let mut zip = ZipIterable::try_new(BufReader::new(file), Config::default()).map_err(unreadable_zip)?;
    if zip.len() > entries {
        return Err(WalkError::TooManyEntries);
    }
    expect_no_shared_bytes(&mut zip)?;
    let files = zip.files().map_err(WalkError::broken)?;
    while let Some(entry) = files.next() {
        let entry = entry.map_err(WalkError::broken)?;
        let name = name_in_zip(&entry);
        let kind = kind_in_zip(&entry, &name);
        let is_executable = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
        let (packed, declared) = (entry.compressed_size(), entry.size());
        let modified = entry.last_modified().and_then(|time| {
            let rest = [time.month(), time.day(), time.hour(), time.minute(), time.second()];
            SubmissionTime::of_clock(time.year(), rest)
        });
        let content = match kind {
            ArchiveEntryKind::File => match entry.with_reader(files.reader_mut(), ZipReadOptions::default()) {
                Ok(content) => Ok(Box::new(content) as Box<dyn Read>),
                Err(ZipError::CompressionMethodNotSupported(method)) => {
                    Err(format!("its entries are compressed by method {method}, not by deflate"))
                }
                Err(error) => Err(error.to_string()),
            },
            ArchiveEntryKind::Folder | ArchiveEntryKind::Special(_) | ArchiveEntryKind::Encrypted => {
                Ok(Box::new(io::empty()) as Box<dyn Read>)
            }
        };
        visit(PackedEntry { name, kind, is_executable, packed: Some(packed), declared, modified, content })
            .map_err(WalkError::broken)?;
    }
    Ok(())
}

/// The directory of a zip is at its end.
fn unreadable_zip(error: ZipError) -> WalkError {
    match error {
        ZipError::InvalidArchive(problem) if problem.contains("EOCD") => WalkError::Broken(CUT_OFF.to_owned()),
        error => WalkError::broken(error),
    }
}

fn cut_off(error: io::Error) -> WalkError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => WalkError::Broken(CUT_OFF.to_owned()),
        _ => WalkError::broken(error),
    }
}

const CUT_OFF: &str = "its end is missing, as if the upload or the download was cut off";

/// A local header has at least 30 bytes and the name, and the content comes behind it.
fn expect_no_shared_bytes<R: Read + Seek>(zip: &mut ZipIterable<R>) -> Result<(), WalkError> {
    let mut spans = Vec::new();
    for entry in zip.files().map_err(WalkError::broken)? {
        let entry = entry.map_err(WalkError::broken)?;
        let start = entry.header_start();
        let length = 30_u64.saturating_add(entry.name_raw().len() as u64);
        spans.push((start, start.saturating_add(length).saturating_add(entry.compressed_size())));
    }
    spans.sort_unstable();
    if spans.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return Err(WalkError::Broken("some of its entries share their bytes".to_owned()));
    }
    Ok(())
}

/// By the flag of the entry UTF-8 or code page 437, which has a character for every byte. Many programs write UTF-8
/// without the flag.
fn name_in_zip(entry: &ZipFileEntry<'_>) -> String {
    let raw = entry.name_raw();
    match std::str::from_utf8(raw) {
        Ok(name) => name.to_owned(),
        Err(_) => entry.name().map_or_else(|_| readable(raw), std::borrow::Cow::into_owned),
    }
}

fn kind_in_zip(entry: &ZipFileEntry<'_>, name: &str) -> ArchiveEntryKind {
    const KIND: u32 = 0o170_000;
    match entry.unix_mode().map_or(0, |mode| mode & KIND) {
        0o120_000 => ArchiveEntryKind::Special("a link"),
        0o040_000 => ArchiveEntryKind::Folder,
        0 | 0o100_000 if name.ends_with(['/', '\\']) => ArchiveEntryKind::Folder,
        0 | 0o100_000 if entry.encrypted() => ArchiveEntryKind::Encrypted,
        0 | 0o100_000 => ArchiveEntryKind::File,
        0o010_000 => ArchiveEntryKind::Special("a FIFO"),
        0o140_000 => ArchiveEntryKind::Special("a socket"),
        _ => ArchiveEntryKind::Special("a device"),
    }
}

fn walk_tar(
    stream: impl Read,
    entries: usize,
    bytes: u64,
    visit: &mut dyn FnMut(PackedEntry<'_>) -> io::Result<()>,
) -> Result<(), WalkError> {
    let exhausted = Cell::new(false);
    let stream = Allowance { stream, left: bytes, exhausted: &exhausted };
    let mut count = 0;
    let step = || -> Result<(), WalkError> {
        let mut archive = tar::Archive::new(stream);
        for entry in archive.entries().map_err(WalkError::broken)? {
            let mut entry = entry.map_err(WalkError::broken)?;
            count += 1;
            if count > entries {
                return Err(WalkError::TooManyEntries);
            }
            let Some(kind) = kind_in_tar(entry.header().entry_type()) else {
                continue;
            };
            let name = readable(&entry.path_bytes());
            let is_executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
            let modified = entry.header().mtime().ok().and_then(|seconds| {
                let seconds = i64::try_from(seconds).ok()?;
                SubmissionTime::of_unix(seconds)
            });
            visit(PackedEntry {
                name,
                kind,
                is_executable,
                modified,
                packed: None,
                declared: entry.size(),
                content: Ok(Box::new(&mut entry)),
            })
            .map_err(WalkError::broken)?;
        }
        // The checksum of a compressed stream comes behind the end of the archive.
        io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(cut_off)?;
        Ok(())
    };
    let outcome = step();
    if exhausted.get() {
        return Err(WalkError::TooManyBytes);
    }
    outcome
}

/// `None` for what only describes other entries.
fn kind_in_tar(kind: EntryType) -> Option<ArchiveEntryKind> {
    match kind {
        EntryType::Regular | EntryType::Continuous => Some(ArchiveEntryKind::File),
        EntryType::Directory => Some(ArchiveEntryKind::Folder),
        EntryType::Link | EntryType::Symlink => Some(ArchiveEntryKind::Special("a link")),
        EntryType::Fifo => Some(ArchiveEntryKind::Special("a FIFO")),
        EntryType::Char | EntryType::Block => Some(ArchiveEntryKind::Special("a device")),
        EntryType::GNUSparse => Some(ArchiveEntryKind::Special("a file of holes")),
        EntryType::XGlobalHeader | EntryType::XHeader | EntryType::GNULongName | EntryType::GNULongLink => None,
        _ => Some(ArchiveEntryKind::Special("an entry of an unknown kind")),
    }
}

/// A stream that ends with an error where it is longer than it may be.
struct Allowance<'a, R> {
    stream: R,
    left: u64,
    exhausted: &'a Cell<bool>,
}

impl<R: Read> Read for Allowance<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        let Some(left) = self.left.checked_sub(read as u64) else {
            self.exhausted.set(true);
            return Err(io::Error::other("more than may be unpacked"));
        };
        self.left = left;
        Ok(read)
    }
}
