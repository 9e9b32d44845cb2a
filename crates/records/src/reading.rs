//! Reads records from files and packs. It knows no run: `store` says where its records are, and commands read files
//! that users name.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::bounded::{MAX_RECORD_BYTES, read_bounded};
use super::pack::GamePacks;
use super::{AnswerRecord, GameRecord, RecordError, SCHEMA};
use referee_games::{GameId, GameRef, KnownGames, UnknownRecordedGame};

/// Reads one game record.
///
/// # Errors
///
/// [`RecordError`] if the file cannot be read, is not a record, or is too new, or if its rules cannot be used.
pub fn read_game(path: &Path, games: &KnownGames) -> Result<GameRecord, RecordError> {
    game_in(path, &run_of(path), games, &GamePacks::default())
}

/// Reads the record of one answer.
///
/// # Errors
///
/// [`RecordError`], like [`read_game`].
pub fn read_answer(path: &Path, games: &KnownGames) -> Result<AnswerRecord, RecordError> {
    answer_in(path, &run_of(path), games)
}

pub(super) fn game_in(
    path: &Path,
    run: &Path,
    games: &KnownGames,
    packs: &GamePacks,
) -> Result<GameRecord, RecordError> {
    let text = or_packed(read_bounded(path, MAX_RECORD_BYTES), packs, path);
    let text = text.map_err(|source| RecordError::Read { path: path.to_owned(), source })?;
    let record: GameRecord<GameId> = parsed(&text, path)?;
    let game = known(&record.game, path, run, games)?;
    Ok(record.with_game(game))
}

pub(super) fn answer_in(path: &Path, run: &Path, games: &KnownGames) -> Result<AnswerRecord, RecordError> {
    let record: AnswerRecord<GameId> = read(path)?;
    let game = known(&record.game, path, run, games)?;
    Ok(record.with_game(game))
}

/// The game that the file `path` of `run` names.
pub(super) fn known(id: &GameId, path: &Path, run: &Path, games: &KnownGames) -> Result<GameRef, RecordError> {
    games.recorded(id, run).map_err(|unknown| {
        let path = path.to_owned();
        match unknown {
            UnknownRecordedGame::Rules(unavailable) => RecordError::Rules { path, unavailable },
            UnknownRecordedGame::Game(_) | UnknownRecordedGame::Variant(_) => {
                RecordError::NotARecord { path, reason: unknown.to_string() }
            }
        }
    })
}

/// A record is in a folder of its run's, or in a pack there.
pub(super) fn run_of(record: &Path) -> PathBuf {
    let folder = record.canonicalize().ok().as_deref().unwrap_or(record).parent().map(Path::to_owned);
    let folder = folder.and_then(|folder| folder.canonicalize().ok());
    folder.and_then(|folder| Some(folder.parent()?.to_owned())).unwrap_or_default()
}

/// The `text` of the file `path`, or what a pack beside it has under its name.
pub(super) fn or_packed(text: io::Result<Vec<u8>>, packs: &GamePacks, path: &Path) -> io::Result<Vec<u8>> {
    let missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    match (&text, path.parent(), path.file_name().and_then(OsStr::to_str).and_then(|name| name.strip_suffix(".json"))) {
        (Err(error), Some(folder), Some(id)) if missing(error) => packs.text(folder, id).unwrap_or(text),
        _ => text,
    }
}

pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, RecordError> {
    let text = read_bounded(path, MAX_RECORD_BYTES);
    parsed(&text.map_err(|source| RecordError::Read { path: path.to_owned(), source })?, path)
}

/// The record with the `text` of the file `path`.
pub(super) fn parsed<T: DeserializeOwned>(text: &[u8], path: &Path) -> Result<T, RecordError> {
    let reason = match schema_of(text) {
        Ok(schema) if schema > u64::from(SCHEMA) => {
            return Err(RecordError::NewerSchema { path: path.to_owned(), found: schema });
        }
        Ok(_) => match serde_json::from_slice(text) {
            Ok(record) => return Ok(record),
            Err(reason) => reason,
        },
        Err(reason) => reason,
    };
    Err(RecordError::NotARecord { path: path.to_owned(), reason: reason.to_string() })
}

/// The version of a record. This program writes it first, so a large manifest is not parsed twice.
fn schema_of(text: &[u8]) -> Result<u64, serde_json::Error> {
    let digits = text.strip_prefix(b"{\"schema\":").unwrap_or_default();
    let end = digits.iter().position(|byte| !byte.is_ascii_digit());
    let number = end.and_then(|end| str::from_utf8(&digits[..end]).ok()?.parse().ok());
    number.map_or_else(|| serde_json::from_slice::<SchemaOnly>(text).map(|only| only.schema), Ok)
}

/// The only key common to every version of every format here.
#[derive(serde::Deserialize)]
struct SchemaOnly {
    schema: u64,
}
