//! Files of people and of strangers, read no further than they can mean anything.
//!
//! For: records, manifests, assignments, and every other file that a user names or a folder has. What must always hold:
//! no more than the limit is kept in memory, and nothing that is not a file is waited for.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use libc::O_NONBLOCK;

/// More than any record has: both agents may leave the longest answers for 3,000 turns.
pub const LARGEST_RECORD_BYTES: u64 = 1 << 29;

/// More than any assignment that means anything.
pub const LARGEST_ASSIGNMENT_BYTES: u64 = 64 << 10;

/// Reads a whole file of at most `limit` bytes. A larger one is not read at all.
///
/// # Errors
///
/// The system's; one of the kind [`ErrorKind::FileTooLarge`] where the file is larger; and one of the kind
/// [`ErrorKind::InvalidInput`] where it is no file: a directory, a pipe or a device.
pub fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // A pipe would be waited for until somebody writes to it.
    let file = OpenOptions::new().read(true).custom_flags(O_NONBLOCK).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file"));
    }
    read_file(&file, metadata.len(), limit)
}

/// Reads a whole text file of at most `limit` bytes.
///
/// # Errors
///
/// Those of [`read_bounded`], and one of the kind [`ErrorKind::InvalidData`] where it is not UTF-8.
pub fn read_bounded_text(path: &Path, limit: u64) -> io::Result<String> {
    let bytes = read_bounded(path, limit)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Reads a stream to its end: standard input, or a pipe that a user names instead of a file.
///
/// # Errors
///
/// The system's, and one of the kind [`ErrorKind::FileTooLarge`] where there are more than `limit` bytes.
pub fn read_stream(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    read_with_room(stream, 0, limit)
}

fn read_file(file: &File, size: u64, limit: u64) -> io::Result<Vec<u8>> {
    if size > limit {
        return Err(too_large(limit));
    }
    read_with_room(file, size, limit)
}

/// With room for all of it and a byte more, the end is found without asking for more room.
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
        assert_eq!(
            read_stream(io::repeat(0), 4).unwrap_err().kind(),
            ErrorKind::FileTooLarge
        );
        // A terabyte that takes no room on the disk: to read it, or to make room for it, would not end well.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let refused = read_bounded(&path, LARGEST_RECORD_BYTES).unwrap_err();
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
