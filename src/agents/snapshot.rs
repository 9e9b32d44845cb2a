//! The files of a submission, read once: digested and, for a folder, copied on the way.
//!
//! What must always hold: links are not followed and nothing but regular files is opened; what is copied is what was
//! digested, byte by byte; more than any homework needs is refused before it fills the disk.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::digest::{Digest, FilesDigest};
use super::error::{AgentError, SubmissionFault};
use super::shown;

/// The limits of a submission.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) files: usize,
    pub(super) bytes: u64,
    pub(super) depth: usize,
}

/// A homework is some source files; a trained network or an opening book may come with it.
pub(super) const LIMITS: Limits = Limits {
    files: 5_000,
    bytes: 256 << 20,
    depth: 16,
};

/// What came of reading a folder.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) digest: Digest,
    /// What was left out because it is not a file, by its name within the folder.
    pub(super) left_out: Vec<String>,
}

/// Digests every regular file below `folder` and copies it to the same place below `copy`.
pub(super) fn take(folder: &Path, copy: &Path, limits: Limits) -> Result<Snapshot, AgentError> {
    let mut left_out = Vec::new();
    let files = list_files(folder, limits, &mut left_out)?;
    let mut digest = FilesDigest::new();
    let mut bytes_left = limits.bytes;
    for name in files {
        let content = read(folder, &name, &mut bytes_left, limits)?;
        digest.add(name.as_os_str().as_bytes(), &content);
        write(&copy.join(&name), &content)?;
    }
    Ok(Snapshot {
        digest: digest.finish(),
        left_out,
    })
}

/// Digests one file as a submission of its own.
pub(super) fn digest_file(file: &Path) -> Result<Digest, AgentError> {
    let (folder, name) = (
        file.parent().unwrap_or(file),
        PathBuf::from(file.file_name().unwrap_or_default()),
    );
    let mut digest = FilesDigest::new();
    let content = read(folder, &name, &mut LIMITS.bytes.clone(), LIMITS)?;
    digest.add(name.as_os_str().as_bytes(), &content);
    Ok(digest.finish())
}

fn too_large(folder: &Path, limit: String) -> AgentError {
    AgentError::Submission {
        path: folder.to_owned(),
        fault: SubmissionFault::TooLarge { limit },
    }
}

fn unreadable(folder: &Path, name: &Path, error: &io::Error) -> AgentError {
    AgentError::Submission {
        path: folder.to_owned(),
        fault: SubmissionFault::Unreadable {
            file: name.to_string_lossy().into_owned(),
            error: error.to_string(),
        },
    }
}

/// The regular files below `folder` by their relative names, in the order of the bytes of these.
fn list_files(folder: &Path, limits: Limits, left_out: &mut Vec<String>) -> Result<Vec<PathBuf>, AgentError> {
    let mut files = Vec::new();
    let mut entries = 0;
    let mut folders = vec![PathBuf::new()];
    while let Some(within) = folders.pop() {
        if within.components().count() > limits.depth {
            return Err(too_large(folder, format!("{} folders within each other", limits.depth)));
        }
        let listed = fs::read_dir(folder.join(&within)).map_err(|error| unreadable(folder, &within, &error))?;
        for entry in listed {
            let entry = entry.map_err(|error| unreadable(folder, &within, &error))?;
            let name = within.join(entry.file_name());
            let kind = entry.file_type().map_err(|error| unreadable(folder, &name, &error))?;
            entries += 1;
            if entries > limits.files {
                return Err(too_large(folder, format!("{} files", limits.files)));
            }
            if kind.is_dir() {
                folders.push(name);
            } else if kind.is_file() {
                files.push(name);
            } else {
                left_out.push(shown::path(&name));
            }
        }
    }
    files.sort_by(|one, other| one.as_os_str().as_bytes().cmp(other.as_os_str().as_bytes()));
    left_out.sort();
    Ok(files)
}

fn read(folder: &Path, name: &Path, bytes_left: &mut u64, limits: Limits) -> Result<Vec<u8>, AgentError> {
    let mut content = Vec::new();
    let mut read_bounded = || -> io::Result<()> {
        // The file may have become a link or a FIFO since it was listed: follow neither, wait for neither.
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
            .open(folder.join(name))?;
        file.take(bytes_left.saturating_add(1)).read_to_end(&mut content)?;
        Ok(())
    };
    read_bounded().map_err(|error| unreadable(folder, name, &error))?;
    match bytes_left.checked_sub(content.len() as u64) {
        Some(left) => *bytes_left = left,
        None => return Err(too_large(folder, format!("{} MiB", limits.bytes >> 20))),
    }
    Ok(content)
}

fn write(path: &Path, content: &[u8]) -> Result<(), AgentError> {
    let write = || -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, content)?;
        // Readable whatever its author's umask was, and executable because it may be a program that the agent starts.
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
    };
    write().map_err(|error| AgentError::System {
        action: "write",
        path: path.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    fn taken(folder: &Path) -> (Digest, Vec<String>, tempfile::TempDir) {
        let copy = tempfile::tempdir().unwrap();
        let snapshot = take(folder, copy.path(), LIMITS).unwrap();
        (snapshot.digest, snapshot.left_out, copy)
    }

    #[test]
    fn a_copy_has_the_digest_of_the_original() {
        let original = folder(&[
            ("homework.py", "import game\n"),
            ("game.py", ""),
            ("data/b", "x"),
            ("data.a", "y"),
        ]);
        let (digest, _, copy) = taken(original.path());
        assert_eq!(taken(copy.path()).0, digest);
        assert_eq!(fs::read(copy.path().join("data/b")).unwrap(), b"x");
    }

    #[test]
    fn every_byte_and_every_name_counts() {
        let digests = [
            folder(&[("a", "x"), ("b", "")]),
            folder(&[("a", "x"), ("b", "\n")]),
            folder(&[("a", "x"), ("c", "")]),
            folder(&[("a", "x"), ("b/b", "")]),
            folder(&[("a", "x")]),
        ]
        .map(|folder| taken(folder.path()).0);
        for (index, digest) in digests.iter().enumerate() {
            assert!(!digests[..index].contains(digest), "{index}");
        }
    }

    #[test]
    fn a_file_alone_is_a_folder_with_nothing_else() {
        let alone = folder(&[("bot.py", "pass")]);
        let (digest, ..) = taken(alone.path());
        assert_eq!(digest_file(&alone.path().join("bot.py")).unwrap(), digest);
    }

    #[test]
    fn links_are_left_out_and_never_followed() {
        let folder = folder(&[("homework.py", "")]);
        let plain = taken(folder.path()).0;
        symlink("/etc/passwd", folder.path().join("secret")).unwrap();
        symlink("/", folder.path().join("root")).unwrap();
        let (digest, left_out, copy) = taken(folder.path());
        assert_eq!(
            (digest, left_out),
            (plain, vec!["`root`".to_owned(), "`secret`".to_owned()])
        );
        assert!(!copy.path().join("secret").exists());
    }

    #[test]
    fn more_than_any_homework_needs_is_refused() {
        let folder = folder(&[("a/b/c", "12345"), ("d", "")]);
        let cases = [
            (Limits { files: 3, ..LIMITS }, "3 files"),
            (Limits { bytes: 4, ..LIMITS }, "0 MiB"),
            (Limits { depth: 1, ..LIMITS }, "1 folders within each other"),
        ];
        for (limits, limit) in cases {
            let copy = tempfile::tempdir().unwrap();
            let expected = format!(
                "{}: the submission has more than {limit}: hand in the sources and their data alone",
                shown::path(folder.path())
            );
            assert_eq!(
                take(folder.path(), copy.path(), limits).unwrap_err().to_string(),
                expected
            );
        }
    }
}
