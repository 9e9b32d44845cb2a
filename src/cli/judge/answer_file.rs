//! Finds the `output.txt` that a user names, like a seat finds its agent's. It judges nothing; `judge` calls it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::cli::Failure;
use referee_seat::{Bytes, OutputFile};

/// The file at `path`, reading at most `limit` bytes.
///
/// Unlike a seat it follows links and reads pipes: they are the user's, not the agent's.
///
/// # Errors
///
/// [`Failure::Input`] if the folder does not exist or the file may not be read.
pub(super) fn find(path: &Path, limit: u64) -> Result<OutputFile, Failure> {
    let found = match File::open(path) {
        Ok(file) => read(&file, limit),
        Err(error) if error.kind() == ErrorKind::NotFound && folder_of(path).is_dir() => {
            Ok(OutputFile::Missing { lookalike: lookalike(path) })
        }
        Err(error) => Err(error),
    };
    found.map_err(|error| Failure::input(path, error))
}

fn read(file: &File, limit: u64) -> io::Result<OutputFile> {
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        let found = "a directory".to_owned();
        return Ok(OutputFile::NotAFile { found });
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    let read = bytes.len() as u64;
    Ok(if read > limit {
        OutputFile::TooLarge { bytes: metadata.len().max(read) }
    } else {
        OutputFile::Content { bytes: Bytes(bytes) }
    })
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    }
}

/// A file beside `path` whose name differs only in letter case.
fn lookalike(path: &Path) -> Option<String> {
    let wanted = path.file_name()?;
    let names = fs::read_dir(folder_of(path)).ok()?.flatten().map(|entry| entry.file_name());
    let alike = names.into_iter().find(|name| name.eq_ignore_ascii_case(wanted))?;
    Some(alike.to_string_lossy().into_owned())
}
