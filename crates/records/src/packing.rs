//! Packs records: writes [`GamePacks`](super::pack::GamePacks). `runs/ladder` calls it.
//!
//! A record is removed only after its pack was read back, so a kill at any moment leaves it in one place or in both.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::bounded::{MAX_RECORD_BYTES, read_bounded};
use super::files::{remove_file, unfinished};
use super::pack::{GamePack, PackedSummaries, SUMMARIES, pack_name};
use super::skim::skim;
use super::store::GAMES;
use super::{RecordError, RunFolder};

/// How many games a pack has at most: an archive's directory is read whole.
pub const GAMES_IN_PACK: usize = 5_000;

impl RunFolder {
    /// Packs the games `ids`, at most [`GAMES_IN_PACK`], into one file, and removes their own. Records that cannot be
    /// read stay as they are. Only one process at a time may pack. Returns how many were packed.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the pack cannot be written or does not read back the same; then nothing was removed.
    pub fn pack(&self, ids: &[String]) -> Result<usize, RecordError> {
        let games = self.path().join(GAMES);
        let failed = |source| RecordError::Write { path: games.clone(), source };
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        // In memory, a few megabytes: what cannot be written is noticed at once, and here.
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let mut packed = Vec::new();
        let mut summaries = PackedSummaries::new();
        for id in ids.iter().take(GAMES_IN_PACK) {
            let Ok(game) = id.parse() else { continue };
            let path = self.path_of(id);
            let Ok(text) = read_bounded(&path, MAX_RECORD_BYTES) else { continue };
            if self.packs.text(&games, id).is_some_and(|packed| packed.is_ok_and(|packed| packed == text)) {
                // As a process leaves it that is killed before it removes what it has packed.
                remove_file(&path)?;
                continue;
            }
            let Some(skimmed) = skim(&text, &path).ok().filter(|skimmed| skimmed.summary.id == *id) else { continue };
            summaries.add(game, skimmed);
            let added = archive.start_file(format!("{id}.json"), options).map_err(io::Error::from);
            added.and_then(|()| archive.write_all(&text)).map_err(failed)?;
            packed.push(path);
        }
        if packed.is_empty() {
            return Ok(0);
        }
        let finish = || -> io::Result<()> {
            archive.start_file(SUMMARIES, options)?;
            serde_json::to_writer(&mut archive, &summaries)?;
            let file = unfinished(&games, archive.finish()?.get_ref())?;
            read_back(file.path(), &packed)?;
            name_pack(file, &games)?;
            File::open(&games)?.sync_all()
        };
        finish().map_err(failed)?;
        for path in &packed {
            remove_file(path)?;
        }
        Ok(packed.len())
    }
}

/// Fails unless the pack at `path` has all `records` as their files are.
fn read_back(path: &Path, records: &[PathBuf]) -> io::Result<()> {
    let (pack, entries) = GamePack::open(path)?;
    let entries: HashMap<String, usize> = entries.into_iter().map(|(game, entry)| (game.to_string(), entry)).collect();
    for record in records {
        let id = record.file_stem().unwrap_or_default().to_string_lossy();
        let entry = *entries.get(id.as_ref()).ok_or(ErrorKind::NotFound)?;
        if pack.text(entry, MAX_RECORD_BYTES)? != read_bounded(record, MAX_RECORD_BYTES)? {
            return Err(io::Error::other(format!("the record `{id}` does not read back the same")));
        }
    }
    Ok(())
}

/// Gives a pack the first free number, so that numbers have no gaps.
fn name_pack(mut file: NamedTempFile, games: &Path) -> io::Result<()> {
    for index in 0.. {
        match file.persist_noclobber(games.join(pack_name(index))) {
            Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => file = taken.file,
            named => return named.map(drop).map_err(|refused| refused.error),
        }
    }
    unreachable!("numbers do not end")
}
