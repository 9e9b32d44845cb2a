//! The cache of builds, by the digest of their sources.
//!
//! It avoids compiling a class twice. `build` decides the key and what to keep. An entry must be one file, written
//! under another name and renamed, so that it is complete or missing even if two processes write it. It must end with
//! its own digest; a damaged entry must count as missing. Agents run from copies of its files; from `confined` on, none
//! can reach it.
//!
//! ```text
//! KEY.built:  {"format":4,"outcome":{"Ok":…},"files":[["program",16520]]} LF, contents, 32 bytes of SHA-256
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::digest::Digest;
use super::error::{AgentError, system};
use super::fault::BuildFault;
use referee_records::{read_bounded, write_file};
use referee_seat::Bytes;

/// Larger entries are neither written nor read: compiling is cheaper than the space.
const MAX_BYTES: u64 = 64 << 20;

const HASH_BYTES: usize = 32;

/// The version of an entry's format.
const FORMAT: u32 = 4;

/// The result of a build; the error is the program's own fault.
pub(super) type BuildOutcome = Result<Compiled, BuildFault>;

/// The compilers' remarks about a built program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Compiled {
    /// For the author: one sentence each.
    pub(super) remarks: Vec<String>,
    /// Warnings, escaped.
    pub(super) output: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct EntryHeader {
    format: u32,
    outcome: BuildOutcome,
    /// The products' names below their folder, with their sizes.
    files: Vec<(Bytes, u64)>,
}

/// Files with their names below the folder of products, and their contents.
type Products<'a> = Vec<(PathBuf, &'a [u8])>;

/// The result under `key` in the cache `folder`, with its products copied into the empty folder `products`; `None`
/// without a valid entry.
pub(super) fn cached(folder: &Path, key: &Digest, products: &Path) -> Result<Option<BuildOutcome>, AgentError> {
    let Ok(entry) = read_bounded(&folder.join(file_name(key)), MAX_BYTES) else {
        return Ok(None);
    };
    let Some((outcome, files)) = take_apart(&entry) else {
        return Ok(None);
    };
    for (name, content) in files {
        let place = products.join(name);
        write_product(&place, content).map_err(system("write", &place))?;
    }
    Ok(Some(outcome))
}

/// Stores `outcome` and all files of `products` under `key` in the cache `folder`, if it can: a folder that may not be
/// written to, or a full disk, costs no more than another build.
pub(super) fn store(folder: &Path, key: &Digest, outcome: &BuildOutcome, products: &Path) {
    if let Ok(Some(entry)) = pack_entry(outcome, products) {
        let _ = write_file(folder, &file_name(key), &entry);
    }
}

fn file_name(key: &Digest) -> String {
    format!("{key}.built")
}

/// The result and the products, if the entry is valid.
fn take_apart(entry: &[u8]) -> Option<(BuildOutcome, Products<'_>)> {
    let (text, hash) = entry.split_at_checked(entry.len().checked_sub(HASH_BYTES)?)?;
    (Sha256::digest(text).as_slice() == hash).then_some(())?;
    let end = text.iter().position(|byte| *byte == b'\n')?;
    let EntryHeader { format, outcome, files } = serde_json::from_slice(&text[..end]).ok()?;
    (format == FORMAT).then_some(())?;
    let mut contents = &text[end + 1..];
    let mut products = Vec::with_capacity(files.len());
    for (Bytes(name), length) in files {
        let (content, rest) = contents.split_at_checked(usize::try_from(length).ok()?)?;
        contents = rest;
        let name = PathBuf::from(std::ffi::OsString::from_vec(name));
        is_below(&name).then_some(())?;
        products.push((name, content));
    }
    Some((outcome, products))
}

/// The entry, unless it is too large.
fn pack_entry(outcome: &BuildOutcome, products: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut files = Vec::new();
    let mut contents = Vec::new();
    for name in files_below(products)? {
        let before = contents.len() as u64;
        let room = MAX_BYTES.saturating_sub(before);
        let read = File::open(products.join(&name))?.take(room).read_to_end(&mut contents)? as u64;
        if read == room {
            return Ok(None);
        }
        files.push((Bytes(name.into_os_string().into_vec()), read));
    }
    let header = EntryHeader { format: FORMAT, outcome: outcome.clone(), files };
    let mut entry = serde_json::to_vec(&header)?;
    entry.push(b'\n');
    entry.append(&mut contents);
    let hash = Sha256::digest(&entry);
    entry.extend_from_slice(&hash);
    Ok((entry.len() as u64 <= MAX_BYTES).then_some(entry))
}

/// The sorted relative names of the regular files below `folder`.
pub(super) fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(within) = folders.pop() {
        for entry in fs::read_dir(folder.join(&within))? {
            let entry = entry?;
            let name = within.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(name);
            } else if kind.is_file() {
                files.push(name);
            }
        }
    }
    files.sort_by(|one, other| one.as_os_str().as_bytes().cmp(other.as_os_str().as_bytes()));
    Ok(files)
}

fn is_below(name: &Path) -> bool {
    !name.as_os_str().is_empty() && name.components().all(|part| matches!(part, Component::Normal(_)))
}

fn write_product(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o755).open(path)?;
    file.write_all(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built() -> Compiled {
        Compiled { remarks: vec!["odd".to_owned()], output: None }
    }

    fn key() -> Digest {
        Digest::of_text("some sources")
    }

    /// A folder with one entry.
    fn filled() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let products = tempfile::tempdir().unwrap();
        fs::create_dir(products.path().join("a")).unwrap();
        fs::write(products.path().join("a/B.class"), "one\ntwo").unwrap();
        fs::write(products.path().join("program"), [0xff; 10]).unwrap();
        store(folder.path(), &key(), &Ok(built()), products.path());
        folder
    }

    fn got(folder: &Path) -> Option<(BuildOutcome, Vec<PathBuf>)> {
        let products = tempfile::tempdir().unwrap();
        let outcome = cached(folder, &key(), products.path()).unwrap()?;
        Some((outcome, files_below(products.path()).unwrap()))
    }

    #[test]
    fn an_entry_with_any_byte_changed_or_missing_is_none() {
        let folder = filled();
        let place = folder.path().join(format!("{}.built", key()));
        let whole = fs::read(&place).unwrap();
        for index in 0..whole.len() {
            let mut garbage = whole.clone();
            garbage[index] ^= 1;
            fs::write(&place, garbage).unwrap();
            assert_eq!(got(folder.path()), None, "byte {index}");
            fs::write(&place, &whole[..index]).unwrap();
            assert_eq!(got(folder.path()), None, "{index} bytes");
        }
        fs::write(&place, whole).unwrap();
        let files = ["a/B.class", "program"].map(PathBuf::from);
        assert_eq!(got(folder.path()), Some((Ok(built()), files.to_vec())));
    }

    #[test]
    fn an_entry_that_is_no_file_is_none_and_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join(format!("{}.built", key()));
        nix::unistd::mkfifo(&place, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(got(folder.path()), None);
    }

    #[test]
    fn no_name_leads_elsewhere() {
        for (name, below) in
            [("a", true), ("a/b", true), ("", false), ("/a", false), ("../a", false), ("a/../../b", false)]
        {
            assert_eq!(is_below(Path::new(name)), below, "{name}");
        }
    }
}
