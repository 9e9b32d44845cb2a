//! A page and the files beside it, on a disk.
//!
//! For: a report of any size, whose games are packed as they are read and are never all held unpacked. Up to
//! [`MOST_GAMES_INSIDE`] games and [`MOST_BYTES_INSIDE`] the page has them in itself; above, they go into files beside
//! it.
//!
//! What must always hold: a page never names a file that is not there whole, nor one of another report, since the files
//! carry their digests in their names and are written before it; what an earlier report left beside the page is removed
//! after it, and nothing else is.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::anonymization::Naming;
use super::assemble::{Report, ReportError, report};
use super::bundle::{Bundle, GAMES_IN_BUNDLE};
use super::page::{TurnSource, page};
use crate::assignment::Assignment;
use crate::records::{RecordError, RunFolder, remove_file, write_files};

/// The most games that a page has in itself.
pub const MOST_GAMES_INSIDE: usize = 2_000;

/// The most bytes of games that a page has in itself: a page is to be below 10 MB.
pub const MOST_BYTES_INSIDE: usize = 8_000_000;

/// How a file beside a page begins.
const HEAD: &str = "referee.bundle(";

/// Writes the page of the run in `folder` as `path`, and files beside it where the page would be too large. The rest is
/// as for [`report`].
///
/// # Errors
///
/// [`ReportError`], where files cannot be written, too.
pub fn write_report(
    folder: &RunFolder,
    assignment: Option<&Assignment>,
    naming: Naming,
    path: &Path,
) -> Result<Report, ReportError> {
    let mut shelf = Shelf::beside(path);
    let report = report(folder, assignment, naming, &mut |replay| {
        shelf.bundle.add(&replay);
        if shelf.bundle.games() == GAMES_IN_BUNDLE {
            shelf.close_bundle()?;
        }
        Ok(())
    })?;
    if shelf.bundle.games() > 0 {
        shelf.close_bundle()?;
    }
    let source = if shelf.files.is_empty() {
        TurnSource::Inside(&shelf.inside)
    } else {
        TurnSource::Beside(&shelf.files)
    };
    let text = page(&report.view, source).expect("a view has nothing that JSON lacks");
    write_files(shelf.parent, [(shelf.name.as_str(), text.as_str())])?;
    shelf.remove_old()?;
    Ok(report)
}

/// The games of a page, packed.
struct Shelf<'a> {
    parent: &'a Path,
    /// The name of the page's file, and that of the folder beside it.
    name: String,
    folder: String,
    bundle: Bundle,
    inside: Vec<String>,
    bytes: usize,
    /// Paths from the page; empty as long as all is inside.
    files: Vec<String>,
}

impl<'a> Shelf<'a> {
    fn beside(page: &'a Path) -> Self {
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let parent = page.parent().filter(|parent| !parent.as_os_str().is_empty());
        Self {
            parent: parent.unwrap_or_else(|| ".".as_ref()),
            name: text(page.file_name()),
            folder: format!("{}-games", text(page.file_stem())),
            bundle: Bundle::new(),
            inside: Vec::new(),
            bytes: 0,
            files: Vec::new(),
        }
    }

    fn close_bundle(&mut self) -> Result<(), RecordError> {
        let text = std::mem::replace(&mut self.bundle, Bundle::new()).text();
        self.bytes += text.len();
        self.inside.push(text);
        let bundles = self.files.len() + self.inside.len();
        let fits = bundles * GAMES_IN_BUNDLE <= MOST_GAMES_INSIDE && self.bytes <= MOST_BYTES_INSIDE;
        if !self.files.is_empty() || !fits {
            for text in std::mem::take(&mut self.inside) {
                self.put_beside(&text)?;
            }
        }
        Ok(())
    }

    fn put_beside(&mut self, bundle: &str) -> Result<(), RecordError> {
        let number = self.files.len();
        let text = format!("{HEAD}{number},\"{bundle}\");\n");
        let digest = <[u8; 32]>::from(Sha256::digest(&text));
        let digest = digest.first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
        let path = format!("{}/{number:04}-{digest:016x}.js", self.folder);
        write_files(self.parent, [(path.as_str(), text.as_str())])?;
        self.files.push(path);
        Ok(())
    }

    /// Removes what an earlier report has left, and the folder where nothing else is in it.
    fn remove_old(&self) -> Result<(), RecordError> {
        let folder = self.parent.join(&self.folder);
        let Ok(entries) = fs::read_dir(&folder) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{}/{name}", self.folder);
            if is_name_of_ours(&name) && !self.files.contains(&path) && is_text_of_ours(&entry.path()) {
                remove_file(&entry.path())?;
            }
        }
        // It stays where it is not empty.
        drop(fs::remove_dir(&folder));
        Ok(())
    }
}

/// Four digits or more, a dash, 16 digits of base 16, and `.js`.
fn is_name_of_ours(name: &str) -> bool {
    let parts = name.strip_suffix(".js").and_then(|stem| stem.split_once('-'));
    parts.is_some_and(|(number, digest)| {
        let is_number = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        is_number && digest.len() == 16 && digest.bytes().all(is_hex)
    })
}

fn is_text_of_ours(path: &Path) -> bool {
    use std::io::Read;
    let is_file = fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    let mut head = [0; HEAD.len()];
    is_file
        && fs::File::open(path)
            .and_then(|mut file| file.read_exact(&mut head))
            .is_ok()
        && head == *HEAD.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_this_program_gives_are_ours() {
        for (name, ours) in [
            ("0001-0123456789abcdef.js", true),
            ("12345-0123456789abcdef.js", true),
            ("0001-0123456789abcdeF.js", false),
            ("0001-0123456789abcde.js", false),
            ("001-0123456789abcdef.js", false),
            ("notes.js", false),
            ("0001-0123456789abcdef.txt", false),
        ] {
            assert_eq!(is_name_of_ours(name), ours, "{name}");
        }
    }
}
