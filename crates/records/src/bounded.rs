//! Reads files of users and strangers up to a limit: records, manifests, assignments, and any file that a user names.
//!
//! It interprets nothing; every crate that reads foreign files calls it. It must keep no more than the limit in memory
//! and never wait for anything that is not a regular file.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use libc::O_NONBLOCK;

/// More than any record: both agents may leave the longest answers for 3,000 turns.
pub const MAX_RECORD_BYTES: u64 = 1 << 29;

/// More than any sensible assignment.
pub const MAX_ASSIGNMENT_BYTES: u64 = 64 << 10;

/// Reads a whole file of at most `limit` bytes. Does not read a larger one.
///
/// # Errors
///
/// The system's; [`ErrorKind::FileTooLarge`] if the file is larger; [`ErrorKind::InvalidInput`] if it is a directory, a
/// pipe or a device.
pub fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe would block until somebody writes to it.
    let file = OpenOptions::new().read(true).custom_flags(O_NONBLOCK).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file"));
    }
    if metadata.len() > limit {
        return Err(too_large(limit));
    }
    read_with_room(file, metadata.len(), limit)
}

/// Reads a whole text file of at most `limit` bytes.
///
/// # Errors
///
/// Those of [`read_bounded`], and [`ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_bounded_text(path: &Path, limit: u64) -> io::Result<String> {
    let bytes = read_bounded(path, limit)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Reads a stream to its end: stdin, or a pipe that a user named.
///
/// # Errors
///
/// The system's, and [`ErrorKind::FileTooLarge`] for more than `limit` bytes.
pub fn read_stream(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    read_with_room(stream, 0, limit)
}

/// One spare byte of capacity lets the end be detected without reallocating.
fn read_with_room(source: impl Read, room: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::with_capacity(usize::try_from(room).unwrap_or_default() + 1);
    source.take(limit + 1).read_to_end(&mut content)?;
    if content.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(content)
}

fn too_large(limit: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {limit} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_can_mean_anything() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_bounded(&path, 5).unwrap(), b"12345");
        assert_eq!(read_bounded(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_stream(&b"12345"[..], 5).unwrap(), b"12345");
        assert_eq!(read_stream(io::repeat(0), 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        // A sparse file of a terabyte: reading it, or allocating memory for it, would end badly.
        std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let refused = read_bounded(&path, MAX_RECORD_BYTES).unwrap_err();
        assert_eq!(refused.to_string(), "it is larger than 536870912 bytes");
    }

    #[test]
    fn what_is_no_file_is_refused_without_waiting_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for path in [&*pipe, folder.path(), Path::new("/dev/zero")] {
            let refused = read_bounded(path, 5).unwrap_err();
            assert_eq!(refused.to_string(), "it is not a file", "{}", path.display());
        }
    }
}
