//! Archives made byte by byte, so that they can lie.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

/// An entry of a zip.
#[derive(Clone)]
pub(crate) struct ZipEntry {
    pub(crate) name: Vec<u8>,
    pub(crate) content: Vec<u8>,
    /// Of Unix; the upper half of the external attributes.
    pub(crate) mode: u32,
    pub(crate) flags: u16,
    /// What the headers say that it is unpacked, where that is a lie.
    pub(crate) claimed: Option<u32>,
    /// Which entry's local header the directory names instead of its own.
    pub(crate) header_of: Option<usize>,
    /// When it was changed: the day of January 2025, and the hour.
    pub(crate) changed: (u16, u16),
}

impl ZipEntry {
    pub(crate) fn new(name: impl Into<Vec<u8>>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            content: content.into(),
            mode: 0o100_644,
            flags: 0,
            claimed: None,
            header_of: None,
            changed: (1, 0),
        }
    }
}

/// A zip of these entries, deflated.
pub(crate) fn zip_of(entries: &[ZipEntry]) -> Vec<u8> {
    let (mut file, mut directory, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        let start = u32::try_from(file.len()).unwrap();
        starts.push(start);
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
        deflate.write_all(&entry.content).unwrap();
        let packed = deflate.finish().unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(&entry.content);
        let size = entry.claimed.unwrap_or(u32::try_from(entry.content.len()).unwrap());
        let mut common = Vec::new();
        common.extend(entry.flags.to_le_bytes());
        common.extend(8_u16.to_le_bytes());
        let (day, hour) = entry.changed;
        common.extend((hour << 11).to_le_bytes());
        common.extend(((2025 - 1980) << 9 | 1 << 5 | day).to_le_bytes());
        common.extend(crc.sum().to_le_bytes());
        common.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend(u16::try_from(entry.name.len()).unwrap().to_le_bytes());
        common.extend([0, 0]);
        file.extend(b"PK\x03\x04\x14\x00");
        file.extend(&common);
        file.extend(&entry.name);
        file.extend(packed);
        let header = entry.header_of.map_or(start, |other| starts[other]);
        directory.extend(b"PK\x01\x02\x14\x03\x14\x00");
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(header.to_le_bytes());
        directory.extend(&entry.name);
    }
    let start = u32::try_from(file.len()).unwrap();
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend(count);
    file.extend(count);
    file.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}

/// A zip of ordinary files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let entries: Vec<ZipEntry> = files.iter().map(|(name, content)| ZipEntry::new(*name, *content)).collect();
    zip_of(&entries)
}

/// A `.tar.gz`: name, kind, content. A link leads to its content.
pub(crate) fn tar_gz(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for (name, kind, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(0o6755);
        let is_link = matches!(kind, tar::EntryType::Link | tar::EntryType::Symlink);
        let content = if is_link {
            header.as_old_mut().linkname[..content.len()].copy_from_slice(content);
            &[][..]
        } else {
            content
        };
        header.set_size(content.len() as u64);
        header.set_cksum();
        archive.append(&header, content).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}
