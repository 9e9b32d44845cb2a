//! Writes a page and the files beside it to disk. `cli/report` calls it.
//!
//! For reports of any size: games are packed as they are read and are never all in memory unpacked. A page contains up
//! to [`MAX_GAMES_INSIDE`] games and [`MAX_BYTES_INSIDE`]; otherwise they go into files beside it. A page must never
//! name a file that is incomplete or belongs to another report: files have their digests in their names and are written
//! before the page. Afterwards, files of earlier reports must be removed, and nothing else.

use std::fs;
use std::path::Path;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::anonymization::Naming;
use super::assemble::{Report, ReportError, ReportSource};
use super::bundle::{GAMES_IN_BUNDLE, bundle};
use super::page::{TurnSource, page};
use super::view::ReplayView;
use referee_records::{RecordError, RunFolder, remove_file, write_files};

/// The maximum number of games in a page.
pub const MAX_GAMES_INSIDE: usize = 2_000;

/// The maximum bytes of games in a page, which should stay below 10 MB.
const MAX_BYTES_INSIDE: usize = 8_000_000;

/// The start of a file beside a page.
const HEAD: &str = "referee.bundle(";

/// Writes a page of `run` to `path`, and files beside it if it would be too large. Otherwise like
/// [`ReportSource::report`].
///
/// # Errors
///
/// [`ReportError`], also if files cannot be written.
pub fn write_report(run: &ReportSource<'_>, naming: Naming, path: &Path) -> Result<Report, ReportError> {
    let mut shelf = PackedGames::beside(path);
    let report = run.report(naming, &mut |replays| shelf.add(replays))?;
    shelf.add_last()?;
    let source =
        if shelf.files.is_empty() { TurnSource::Inside(&shelf.inside) } else { TurnSource::Beside(&shelf.files) };
    let text = page(&report.view, source).expect("a view has nothing that JSON lacks");
    write_files(shelf.parent, [(shelf.name.as_str(), text.as_str())])?;
    shelf.remove_old()?;
    Ok(report)
}

/// The page of the run in `folder`, with all its games inside: for runs of a few games.
///
/// # Errors
///
/// [`ReportError`] if the run cannot be read.
pub fn whole_page(folder: &RunFolder, naming: Naming) -> Result<String, ReportError> {
    let mut all = Vec::new();
    let report = ReportSource::read(folder, None)?.report(naming, &mut |replays| {
        all.extend(replays);
        Ok(())
    })?;
    let bundles: Vec<String> = all.chunks(GAMES_IN_BUNDLE).map(bundle).collect();
    Ok(page(&report.view, TurnSource::Inside(&bundles)).expect("a view has nothing that JSON lacks"))
}

/// The packed games of a page.
struct PackedGames<'a> {
    parent: &'a Path,
    /// The name of the page's file, and of the folder beside it.
    name: String,
    folder: String,
    /// The last games, too few for a bundle.
    waiting: Vec<ReplayView>,
    inside: Vec<String>,
    bytes: usize,
    /// Paths relative to the page; empty while all games are inside.
    files: Vec<String>,
}

impl<'a> PackedGames<'a> {
    fn beside(page: &'a Path) -> Self {
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let parent = page.parent().filter(|parent| !parent.as_os_str().is_empty());
        Self {
            parent: parent.unwrap_or_else(|| ".".as_ref()),
            name: text(page.file_name()),
            folder: format!("{}-games", text(page.file_stem())),
            waiting: Vec::new(),
            inside: Vec::new(),
            bytes: 0,
            files: Vec::new(),
        }
    }

    /// Packs the next games, on all processors.
    fn add(&mut self, replays: Vec<ReplayView>) -> Result<(), RecordError> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend(replays);
        let whole = waiting.len() - waiting.len() % GAMES_IN_BUNDLE;
        self.waiting = waiting.split_off(whole);
        let bundles: Vec<String> = waiting.par_chunks(GAMES_IN_BUNDLE).map(bundle).collect();
        bundles.into_iter().try_for_each(|text| self.put(text))
    }

    fn add_last(&mut self) -> Result<(), RecordError> {
        if self.waiting.is_empty() { Ok(()) } else { self.put(bundle(&self.waiting)) }
    }

    fn put(&mut self, text: String) -> Result<(), RecordError> {
        self.bytes += text.len();
        self.inside.push(text);
        let bundles = self.files.len() + self.inside.len();
        let fits = bundles * GAMES_IN_BUNDLE <= MAX_GAMES_INSIDE && self.bytes <= MAX_BYTES_INSIDE;
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

    /// Removes the files of an earlier report, and their folder if it is then empty.
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
        // Fails if it is not empty.
        drop(fs::remove_dir(&folder));
        Ok(())
    }
}

/// At least four digits, a dash, 16 hexadecimal digits, and `.js`.
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
    is_file && fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *HEAD.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(number: usize) -> ReplayView {
        ReplayView { id: format!("g{number:04}"), ..ReplayView::default() }
    }

    /// Batches are of any size, since games that cannot be read are left out.
    #[test]
    fn bundles_do_not_depend_on_how_many_games_come_at_a_time() {
        let replays: Vec<ReplayView> = (0..200).map(replay).collect();
        let expected: Vec<String> = replays.chunks(GAMES_IN_BUNDLE).map(bundle).collect();
        for size in [1, 39, 40, 41, 123, 200] {
            let mut shelf = PackedGames::beside(Path::new("page.html"));
            for batch in replays.chunks(size) {
                shelf.add(batch.to_vec()).unwrap();
            }
            shelf.add_last().unwrap();
            assert_eq!(shelf.inside, expected, "{size}");
        }
    }

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
