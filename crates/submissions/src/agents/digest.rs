//! The digest of an agent's files, which identifies the agent. It reads no files itself; `snapshot` feeds it.

use std::fmt::{self, Write as _};
use std::io::{self, Read};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// SHA-256 over the names and contents of an agent's files, in hexadecimal: the same digest means the same agent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// The 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The digest of a built-in agent: that of its canonical text.
    pub(super) fn of_builtin(text: &str) -> Self {
        Self::finish(Sha256::new_with_prefix(b"referee builtin 1\n").chain_update(text))
    }

    /// The digest of a text.
    pub(super) fn of_text(text: &str) -> Self {
        Self::finish(Sha256::new_with_prefix(text))
    }

    fn finish(hash: Sha256) -> Self {
        let mut digits = String::with_capacity(64);
        for byte in hash.finalize() {
            write!(digits, "{byte:02x}").expect("a string takes every text");
        }
        Self(digits)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Hashes files in the order of their names.
///
/// Each file is hashed separately and enters as name length, name and hash, so that different lists of files cannot
/// collide.
pub(super) struct FilesDigest(Sha256);

impl FilesDigest {
    pub(super) fn new() -> Self {
        Self(Sha256::new_with_prefix(b"referee files 1\n"))
    }

    /// Adds a file, copying it from `content` to `copy`; returns its length.
    pub(super) fn add(&mut self, name: &[u8], content: &mut impl Read, copy: &mut impl io::Write) -> io::Result<u64> {
        let mut hash = Sha256::new();
        let mut length = 0;
        let mut portion = vec![0; 64 << 10];
        loop {
            let read = match content.read(&mut portion) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hash.update(&portion[..read]);
            copy.write_all(&portion[..read])?;
            length += read as u64;
        }
        self.0.update((name.len() as u64).to_le_bytes());
        self.0.update(name);
        self.0.update(hash.finalize());
        Ok(length)
    }

    pub(super) fn finish(self) -> Digest {
        Digest::finish(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(files: &[(&str, &str)]) -> Digest {
        let mut digest = FilesDigest::new();
        for (name, content) in files {
            digest.add(name.as_bytes(), &mut content.as_bytes(), &mut io::sink()).unwrap();
        }
        digest.finish()
    }

    #[test]
    fn names_and_contents_cannot_run_together() {
        let lists: [&[(&str, &str)]; 6] =
            [&[], &[("a", "")], &[("a", "b")], &[("ab", "")], &[("a", ""), ("b", "")], &[("a", "b"), ("", "")]];
        for (index, list) in lists.iter().enumerate() {
            for other in &lists[index + 1..] {
                assert_ne!(digest(list), digest(other), "{list:?} {other:?}");
            }
        }
    }

    #[test]
    fn the_digest_of_known_files_never_changes() {
        // Computed with an independent implementation: sha256("referee files 1\n", 11 as 8 bytes, "homework.py",
        // sha256("pass\n")).
        let known = "5fa81e97aa06639490f111b1da801e3b2ff87d47055d0bf7ef7c994fdce5daa8";
        assert_eq!(digest(&[("homework.py", "pass\n")]).as_str(), known);
    }
}
