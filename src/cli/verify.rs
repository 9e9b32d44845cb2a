//! `referee verify`: judges records again through [`crate::referee`].

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{note, say};
use super::{CommandOutcome, Failure};
use crate::games::GameId;
use crate::messages::{counted, plain};
use crate::records::{AnswerRecord, GameRecord, Manifest, ManifestIndex, RecordError, read_game};
use crate::referee::{Difference, verify, verify_answer};
use crate::runs::{WantedRecord, is_record, no_record, open_run};

/// Check that recorded games and answers follow the rules
///
/// Judges them again from their records alone: every move, clock and verdict must be the same.
#[derive(Debug, Args)]
pub(super) struct VerifyCommand {
    /// Run directories, or single records
    #[arg(required = true, value_name = "RUN|RECORD")]
    paths: Vec<PathBuf>,
}

#[derive(Default)]
struct VerifyCount {
    games: usize,
    turns: usize,
    answers: usize,
    different: usize,
    unreadable: usize,
}

impl VerifyCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let mut count = VerifyCount::default();
        for path in &self.paths {
            if path.is_dir() {
                verify_run(path, &mut count)?;
            } else {
                let record = read_game(path);
                if record.is_err() && !is_record(path) {
                    record.map_err(|error| no_record(path, WantedRecord::Game, error))?;
                } else {
                    check(path, record, None, &mut count)?;
                }
            }
        }
        let VerifyCount { games, turns, answers, different, unreadable } = count;
        let has_records = games + answers > 0 || unreadable == 0;
        let (games, turns) = (counted(games, "game"), counted(turns, "turn"));
        let answers = match answers {
            0 => String::new(),
            some => format!("{}, ", counted(some, "answer")),
        };
        if has_records {
            say(&format!("{games}, {turns}, {answers}{different} different\n"))?;
        }
        match different {
            _ if unreadable > 0 => Err(Failure::Input(format!("{} cannot be read", counted(unreadable, "record")))),
            0 => Ok(CommandOutcome::Yes),
            _ => Ok(CommandOutcome::No),
        }
    }
}

/// Judges every finished game and every answer of a run again. Other files among its records count as different.
fn verify_run(path: &Path, count: &mut VerifyCount) -> Result<(), Failure> {
    let (run, manifest) = open_run(path)?;
    let (finished, index) = (run.finished(&manifest), ManifestIndex::of(&manifest));
    for id in &finished {
        check(&run.path_of(id), run.game(id), Some(&index), count)?;
    }
    let answered = run.answered(&manifest);
    for id in &answered {
        check_answer(&run.path_of_answer(id), run.answer(id), &manifest, count)?;
    }
    for stranger in run.foreign_files(&manifest)? {
        count.different += 1;
        say(&format!("{}: not part of this run: {}\n", path.display(), plain(&stranger)))?;
    }
    let of = |done: usize, all: usize, things| format!("{done} of {}", counted(all, things));
    let games = of(finished.len(), manifest.games.len(), "game");
    let answers = of(answered.len(), manifest.answers.len(), "answer");
    let done = match (manifest.games.len(), manifest.answers.len()) {
        (_, 0) => games,
        (0, _) => answers,
        _ => format!("{games}, {answers}"),
    };
    say(&format!("{}: {done} finished\n", path.display()))
}

fn check_answer(
    path: &Path,
    record: Result<AnswerRecord, RecordError>,
    manifest: &Manifest,
    count: &mut VerifyCount,
) -> Result<(), Failure> {
    let Some(record) = readable(record, count)? else {
        return Ok(());
    };
    count.answers += 1;
    let foreign = manifest.contradiction_of_answer(&record);
    report(path, foreign.or_else(|| verify_answer(&record).err()), count)
}

/// The record, if readable; otherwise reports why. Without the rules of its game, no other record can be read either.
fn readable<T>(record: Result<T, RecordError>, count: &mut VerifyCount) -> Result<Option<T>, Failure> {
    match record {
        Ok(record) => Ok(Some(record)),
        Err(error @ RecordError::Rules { .. }) => Err(error.into()),
        Err(error) => {
            count.unreadable += 1;
            note(&plain(&error.to_string()));
            Ok(None)
        }
    }
}

fn report(path: &Path, difference: Option<String>, count: &mut VerifyCount) -> Result<(), Failure> {
    let Some(difference) = difference else { return Ok(()) };
    count.different += 1;
    say(&format!("{}: {}\n", path.display(), plain(&difference)))
}

/// The difference between a record and the rules of `game`, which may be to blame where they are a program.
pub(super) fn differing(game: GameId, difference: &Difference) -> String {
    match game.rules_program() {
        None => difference.to_string(),
        Some(_) => format!(
            "{difference}; a rules program that answers the same question differently from time to time causes this, \
             too: `referee game check RULES` tries that"
        ),
    }
}

fn check(
    path: &Path,
    record: Result<GameRecord, RecordError>,
    run: Option<&ManifestIndex<'_>>,
    count: &mut VerifyCount,
) -> Result<(), Failure> {
    let Some(record) = readable(record, count)? else {
        return Ok(());
    };
    count.games += 1;
    count.turns += record.turns.len();
    let foreign = run.and_then(|run| run.contradiction(&record));
    let judged = || verify(&record).err().map(|difference| differing(record.game, &difference));
    let difference = foreign.or_else(judged);
    report(path, difference, count)
}
