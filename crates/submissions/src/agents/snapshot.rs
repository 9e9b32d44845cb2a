//! Reads the files of a submission once: digests and, for a submission, copies them.
//!
//! [`super::AgentBuilder`] and `source_store` call it. It must follow no links and open only regular files. The copy
//! must equal the digested bytes. Anything larger than a homework must be refused before it fills memory or disk.
//!
//! Leftovers of builds, editors and archives ([`is_left_behind`]) belong to no submission: two submissions of the same
//! sources are the same agent, and a `__pycache__` from another machine is never used.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::digest::{Digest, FilesDigest};
use super::error::{AgentError, system};
use super::fault::SubmissionFault;
use super::names::FileNames;
use super::shown;

/// The limits of a submission.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionLimits {
    /// How many files and folders there may be.
    pub files: usize,
    /// How many bytes all files may have together.
    pub bytes: u64,
    /// How many folders may be within each other.
    pub depth: usize,
}

impl SubmissionLimits {
    /// Those of every submission: some source files, perhaps with a trained network or an opening book.
    pub const ALL: Self = Self { files: 5_000, bytes: 256 << 20, depth: 16 };

    /// The fault of a submission with too many files.
    pub fn too_many_files(self) -> SubmissionFault {
        SubmissionFault::TooLarge { limit: format!("{} files", self.files) }
    }

    /// The fault of a submission with too many bytes.
    pub fn too_many_bytes(self) -> SubmissionFault {
        SubmissionFault::TooLarge { limit: format!("{} MiB", self.bytes >> 20) }
    }

    /// The fault of a submission with too many nested directories.
    pub fn too_deep(self) -> SubmissionFault {
        SubmissionFault::TooLarge { limit: format!("{} nested directories", self.depth) }
    }
}

const LIMITS: SubmissionLimits = SubmissionLimits::ALL;

/// The modification time of all copies: in the year 2035. Python's compiled modules contain the time of their source,
/// so that cached ones are valid for every copy of the same sources. It lies in the future because programs that clean
/// up temporary files remove old ones.
const TIME_OF_COPIES: Duration = Duration::from_hours(66 * 365 * 24);

/// Whether a file or folder of this name is a leftover of a build, an editor, an archive or a desktop.
pub fn is_left_behind(name: &str) -> bool {
    const NAMES: [&str; 6] = ["__pycache__", ".git", ".DS_Store", "__MACOSX", "Thumbs.db", "desktop.ini"];
    NAMES.contains(&name)
}

/// The result of reading a folder.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) digest: Digest,
    /// The relative names of entries left out because they are not files.
    pub(super) left_out: Vec<String>,
}

/// The files that a course adds to every submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProvidedFiles {
    /// Their folder.
    pub(super) folder: PathBuf,
    /// Files with a program's name are not provided: a submission has its own program.
    pub(super) names: FileNames,
}

/// Digests every regular file below `folder` and the `provided` ones whose names are free, and copies them to the same
/// places below `copy`.
pub(super) fn take(folder: &Path, provided: Option<&ProvidedFiles>, copy: &Path) -> Result<Snapshot, AgentError> {
    let mut left_out = Vec::new();
    let files = list_files(folder, &mut left_out)?;
    let files = files.into_iter().map(|name| (name.clone(), name)).collect();
    let digest = copy_all(folder, files, provided, copy)?;
    Ok(Snapshot { digest, left_out })
}

/// Copies the files that a course provides to `copy`, which is made where it is missing.
///
/// # Errors
///
/// [`AgentError`], if they cannot be read or written, or are more than a submission may have.
pub fn copy_provided(folder: &Path, copy: &Path) -> Result<(), AgentError> {
    take(folder, None, copy).map(drop).map_err(of_the_course)
}

/// Copies the submission in `folder` to the existing folder `copy`, with the files that a course provides where it has
/// none of that name.
///
/// # Errors
///
/// [`AgentError`], if they cannot be read or written, or are more than a submission may have.
pub fn copy_with_provided(folder: &Path, provided: &Path, names: &FileNames, copy: &Path) -> Result<(), AgentError> {
    let provided = ProvidedFiles { folder: provided.to_owned(), names: names.clone() };
    take(folder, Some(&provided), copy).map(drop)
}

/// Digests a single file as a submission that contains only it, as `name`, and the `provided` ones; copies them to
/// `copy`.
pub(super) fn take_file(
    file: &Path,
    name: impl AsRef<OsStr>,
    provided: Option<&ProvidedFiles>,
    copy: &Path,
) -> Result<Digest, AgentError> {
    let (folder, own_name) = folder_and_name(file);
    copy_all(folder, vec![(own_name, name.as_ref().into())], provided, copy)
}

/// Digests a single file.
pub(super) fn digest_file(file: &Path) -> Result<Digest, AgentError> {
    let (folder, name) = folder_and_name(file);
    let mut digest = FilesDigest::new();
    let mut bytes_left = LIMITS.bytes;
    read_file(folder, &name, &name, &mut digest, &mut bytes_left, || Ok(io::sink()))?;
    Ok(digest.finish())
}

fn folder_and_name(file: &Path) -> (&Path, PathBuf) {
    let name = file.file_name().unwrap_or_default();
    (file.parent().unwrap_or(file), name.into())
}

/// The files of `folder`, each with its current and its new name.
fn copy_all(
    folder: &Path,
    files: Vec<(PathBuf, PathBuf)>,
    provided: Option<&ProvidedFiles>,
    copy: &Path,
) -> Result<Digest, AgentError> {
    let mut all: Vec<ListedFile<'_>> = Vec::new();
    if let Some(provided) = provided {
        let added = provided.beside(&files)?.into_iter();
        all.extend(added.map(|name| ListedFile {
            folder: &provided.folder,
            own_name: name.clone(),
            name,
            is_provided: true,
        }));
    }
    all.extend(files.into_iter().map(|(own_name, name)| ListedFile { folder, own_name, name, is_provided: false }));
    all.sort_by(|one, other| one.name.as_os_str().as_bytes().cmp(other.name.as_os_str().as_bytes()));
    let mut digest = FilesDigest::new();
    let mut bytes_left = LIMITS.bytes;
    for ListedFile { folder, own_name, name, is_provided } in all {
        let to = copy.join(&name);
        let copied = read_file(folder, &own_name, &name, &mut digest, &mut bytes_left, || create(&to));
        let finished = copied.and_then(|copied| finish(&copied, &to));
        finished.map_err(|error| if is_provided { of_the_course(error) } else { error })?;
    }
    Ok(digest.finish())
}

/// A file to copy.
struct ListedFile<'a> {
    folder: &'a Path,
    own_name: PathBuf,
    /// Its new name.
    name: PathBuf,
    is_provided: bool,
}

impl ProvidedFiles {
    /// The names of those whose places are free beside `files`.
    fn beside(&self, files: &[(PathBuf, PathBuf)]) -> Result<Vec<PathBuf>, AgentError> {
        let mut provided = list_files(&self.folder, &mut Vec::new()).map_err(of_the_course)?;
        let is_program = |name: &Path| name.to_str().is_some_and(|name| self.names.is_program(name));
        let own: BTreeSet<&Path> = files.iter().map(|(_, name)| name.as_path()).collect();
        let own_folders: BTreeSet<&Path> = own.iter().flat_map(|name| name.ancestors().skip(1)).collect();
        let has_a_place = |name: &Path| !own_folders.contains(name) && !name.ancestors().any(|part| own.contains(part));
        provided.retain(|name| !is_program(name) && has_a_place(name));
        Ok(provided)
    }
}

/// A fault of provided files is not the submission's.
fn of_the_course(error: AgentError) -> AgentError {
    match error {
        // The folder itself.
        AgentError::Submission { path, fault: SubmissionFault::Unreadable { file, error } } if file.is_empty() => {
            AgentError::Provided { path, problem: error }
        }
        AgentError::Submission { path, fault } => AgentError::Provided { path, problem: fault.message() },
        AgentError::System { path, error, .. } if error.kind() == io::ErrorKind::NotFound => {
            AgentError::Provided { path, problem: error.to_string() }
        }
        other => other,
    }
}

/// An unreadable file is the submission's fault if its author can cause the error. A file that vanishes meanwhile and a
/// failing disk are not.
fn unreadable(folder: &Path, name: &Path, error: io::Error) -> AgentError {
    use io::ErrorKind::{InvalidFilename, NotADirectory, PermissionDenied};
    let is_by_author = matches!(error.kind(), InvalidFilename | NotADirectory | PermissionDenied);
    // A file that has become a link or a socket since it was listed.
    if !is_by_author && !matches!(error.raw_os_error(), Some(libc::ELOOP | libc::ENXIO)) {
        return system("read", &folder.join(name))(error);
    }
    let fault = SubmissionFault::Unreadable { file: name.to_string_lossy().into_owned(), error: error.to_string() };
    AgentError::of_submission(folder, fault)
}

/// The relative names of the regular files below `folder`, in byte order.
fn list_files(folder: &Path, left_out: &mut Vec<String>) -> Result<Vec<PathBuf>, AgentError> {
    let mut files = Vec::new();
    let mut entries = 0;
    let mut folders = vec![PathBuf::new()];
    while let Some(within) = folders.pop() {
        if within.components().count() > LIMITS.depth {
            return Err(AgentError::of_submission(folder, LIMITS.too_deep()));
        }
        let listed = fs::read_dir(folder.join(&within)).map_err(|error| unreadable(folder, &within, error))?;
        for entry in listed {
            let entry = entry.map_err(|error| unreadable(folder, &within, error))?;
            let name = within.join(entry.file_name());
            let kind = entry.file_type().map_err(|error| unreadable(folder, &name, error))?;
            entries += 1;
            if entries > LIMITS.files {
                return Err(AgentError::of_submission(folder, LIMITS.too_many_files()));
            }
            if entry.file_name().to_str().is_some_and(is_left_behind) {
                continue;
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
    left_out.sort_unstable();
    Ok(files)
}

/// Digests a file of a folder as `name`, and writes it to the copy that `create` makes.
fn read_file<W: Write>(
    folder: &Path,
    own_name: &Path,
    name: &Path,
    digest: &mut FilesDigest,
    bytes_left: &mut u64,
    create: impl FnOnce() -> Result<W, AgentError>,
) -> Result<W, AgentError> {
    let path = folder.join(own_name);
    let too_large = || AgentError::of_submission(folder, LIMITS.too_many_bytes());
    let failed = |error| unreadable(folder, own_name, error);
    // The file may have become a link or a FIFO since the listing: follow no link, wait for nothing.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(&path).map_err(failed)?;
    // A sparse file takes no space, but its copy would.
    if file.metadata().map_err(failed)?.len() > *bytes_left {
        return Err(too_large());
    }
    let mut copy = create()?;
    let mut bounded = file.take(bytes_left.saturating_add(1));
    let read = digest.add(name.as_os_str().as_bytes(), &mut bounded, &mut copy).map_err(system("copy", &path))?;
    // It may have grown since.
    *bytes_left = bytes_left.checked_sub(read).ok_or_else(too_large)?;
    Ok(copy)
}

fn create(path: &Path) -> Result<File, AgentError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| File::create_new(path)).map_err(system("write", path))
}

/// Makes the copy readable whatever its author's umask was, and executable because the agent may start it.
fn finish(file: &File, path: &Path) -> Result<(), AgentError> {
    file.set_permissions(fs::Permissions::from_mode(0o755))
        .and_then(|()| file.set_modified(SystemTime::UNIX_EPOCH + TIME_OF_COPIES))
        .map_err(system("write", path))
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
        let snapshot = take(folder, None, copy.path()).unwrap();
        (snapshot.digest, snapshot.left_out, copy)
    }

    #[test]
    fn a_copy_has_the_digest_of_the_original() {
        let original = folder(&[("homework.py", "import game\n"), ("game.py", ""), ("data/b", "x"), ("data.a", "y")]);
        let (digest, _, copy) = taken(original.path());
        assert_eq!(taken(copy.path()).0, digest);
        assert_eq!(fs::read(copy.path().join("data/b")).unwrap(), b"x");
        let changed = fs::metadata(copy.path().join("homework.py")).unwrap().modified().unwrap();
        assert_eq!(changed, SystemTime::UNIX_EPOCH + TIME_OF_COPIES, "all copies are of the same age");
    }

    #[test]
    fn a_file_alone_is_a_folder_with_nothing_else_under_any_name() {
        let (alone, other) = (folder(&[("homework.py", "pass")]), folder(&[("ada.py", "pass")]));
        let (digest, ..) = taken(alone.path());
        assert_eq!(digest_file(&alone.path().join("homework.py")).unwrap(), digest);
        let copy = tempfile::tempdir().unwrap();
        let copied = take_file(&other.path().join("ada.py"), "homework.py", None, copy.path()).unwrap();
        assert_eq!(copied, digest);
        assert_eq!(fs::read(copy.path().join("homework.py")).unwrap(), b"pass");
    }

    #[test]
    fn a_submission_that_vanishes_while_it_is_read_is_not_at_fault() {
        let copy = tempfile::tempdir().unwrap();
        let vanished = take(&copy.path().join("vanished"), None, copy.path());
        assert!(matches!(vanished, Err(AgentError::System { .. })), "{vanished:?}");
    }

    #[test]
    fn only_what_its_author_can_cause_is_its_fault() {
        let of = |errno| unreadable(Path::new("ada"), Path::new("data"), io::Error::from_raw_os_error(errno));
        for errno in [libc::EACCES, libc::ELOOP, libc::ENOTDIR, libc::ENXIO] {
            assert!(matches!(of(errno), AgentError::Submission { .. }), "{errno}");
        }
        for errno in [libc::EIO, libc::ESTALE, libc::EMFILE, libc::ENOENT] {
            assert!(matches!(of(errno), AgentError::System { .. }), "{errno}");
        }
    }

    #[test]
    fn what_is_left_behind_belongs_to_no_submission() {
        let clean = folder(&[("homework.py", ""), ("data/x", "")]);
        let used = folder(&[
            ("homework.py", ""),
            ("data/x", ""),
            ("data/.DS_Store", "x"),
            ("__pycache__/game.cpython-39.pyc", "x"),
            (".git/HEAD", "x"),
            ("Thumbs.db", "x"),
        ]);
        let (digest, left_out, copy) = taken(used.path());
        assert_eq!((digest, left_out), (taken(clean.path()).0, vec![]));
        assert!(!copy.path().join("__pycache__").exists());
    }

    #[test]
    fn links_are_left_out_and_never_followed() {
        let folder = folder(&[("homework.py", "")]);
        let plain = taken(folder.path()).0;
        symlink("/etc/passwd", folder.path().join("secret")).unwrap();
        symlink("/", folder.path().join("root")).unwrap();
        let (digest, left_out, copy) = taken(folder.path());
        assert_eq!((digest, left_out), (plain, vec!["`root`".to_owned(), "`secret`".to_owned()]));
        assert!(!copy.path().join("secret").exists());
    }

    #[test]
    fn more_than_any_homework_needs_is_refused() {
        let (many, deep) = (folder(&[]), folder(&[(&format!("{}b", "a/".repeat(LIMITS.depth + 1)), "")]));
        (0..=LIMITS.files).for_each(|name| fs::create_dir(many.path().join(name.to_string())).unwrap());
        let large = folder(&[("homework.py", "")]);
        File::create(large.path().join("book.bin")).unwrap().set_len(2 << 30).unwrap();
        for (folder, limit) in [(many, "5000 files"), (deep, "16 nested directories"), (large, "256 MiB")] {
            let copy = tempfile::tempdir().unwrap();
            let expected = format!(
                "{}: the submission has more than {limit}: hand in only sources and their data",
                shown::path(folder.path())
            );
            let refused = take(folder.path(), None, copy.path()).unwrap_err();
            assert_eq!(refused.to_string(), expected);
            assert_eq!(refused.finding().unwrap().code, "submission-too-large");
            assert!(!copy.path().join("book.bin").exists(), "it was read");
        }
    }

    #[test]
    fn what_the_course_provides_takes_the_places_that_are_free() {
        let own = folder(&[("my_player.py", "import host, read"), ("host.py", "mine"), ("data/a", "mine")]);
        let toolset = folder(&[
            ("host.py", "theirs"),
            ("read.py", "theirs"),
            ("data", "a file where the submission has a folder"),
            ("homework.py", "a program for a start"),
            ("maps/a/b", "theirs"),
        ]);
        let provided = ProvidedFiles { folder: toolset.path().to_owned(), names: FileNames::default() };
        let copy = tempfile::tempdir().unwrap();
        let digest = take(own.path(), Some(&provided), copy.path()).unwrap().digest;
        let content = |name: &str| fs::read_to_string(copy.path().join(name)).ok();
        let expected = [
            ("host.py", Some("mine")),
            ("data/a", Some("mine")),
            ("read.py", Some("theirs")),
            ("maps/a/b", Some("theirs")),
            ("homework.py", None),
        ];
        for (name, text) in expected {
            assert_eq!(content(name).as_deref(), text, "{name}");
        }
        // The copy has the digest of the original, so it makes the same agent elsewhere.
        assert_eq!(taken(copy.path()).0, digest);
        assert_ne!(taken(own.path()).0, digest);
        fs::remove_dir_all(toolset.path()).unwrap();
        let gone = take(own.path(), Some(&provided), tempfile::tempdir().unwrap().path()).unwrap_err();
        assert!(gone.finding().is_none(), "{gone}");
    }
}
