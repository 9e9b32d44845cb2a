//! Reads a record of either kind for `explain` and `verify`.

use std::path::Path;

use referee_games::KnownGames;
use referee_records::{AnswerRecord, GameRecord, RecordError, read_answer, read_game};

/// The kinds of records.
pub(super) enum Record {
    Game(Box<GameRecord>),
    Answer(Box<AnswerRecord>),
}

/// A file that is neither kind of record is reported as no record of a game.
pub(super) fn read_record(path: &Path, games: &KnownGames) -> Result<Record, RecordError> {
    match read_game(path, games) {
        Ok(record) => Ok(Record::Game(Box::new(record))),
        Err(error @ RecordError::NotARecord { .. }) => match read_answer(path, games) {
            Ok(record) => Ok(Record::Answer(Box::new(record))),
            Err(unusable @ RecordError::Rules { .. }) => Err(unusable),
            Err(_) => Err(error),
        },
        Err(error) => Err(error),
    }
}
