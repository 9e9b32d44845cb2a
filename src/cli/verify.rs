//! `referee verify`: judges records again through [`referee_matches::referee`].

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::output::SoundOutput;
use super::record::{Record, read_record};
use super::{CommandOutcome, Failure};
use crate::runs::{WantedRecord, assignment_of, is_record, no_record, open_run};
use referee_games::GameRef;
use referee_matches::ladder::expected_pairing;
use referee_matches::referee::{Difference, verify, verify_answer};
use referee_messages::{counted, plain};
use referee_records::{
    AnswerRecord, GameRecord, GameSummary, LadderGame, Manifest, ManifestIndex, RecordError, RunFolder, RunKind,
};

/// Check that recorded games and answers follow the rules
///
/// Judges them again from their records alone: every move, clock and verdict must be the same.
#[derive(Debug, Args)]
pub(super) struct VerifyCommand {
    /// Run directories, or single records
    #[arg(required = true, value_name = "RUN|RECORD")]
    paths: Vec<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// How many games are judged together, on all processors, before differences are reported.
const BATCH: usize = 1024;

/// The result: what was judged again, and what is odd.
#[derive(Serialize)]
struct Verification<'a> {
    games: usize,
    turns: usize,
    answers: usize,
    different: Vec<OddRecord>,
    unreadable: Vec<String>,
    runs: Vec<VerifiedRun>,
    #[serde(skip)]
    json: bool,
    #[serde(skip)]
    output: SoundOutput<'a>,
}

/// A record that does not follow from the rules or belongs to no game of its run.
#[derive(Serialize)]
struct OddRecord {
    path: String,
    difference: String,
}

/// How much of a run there was to verify.
#[derive(Serialize)]
struct VerifiedRun {
    run: String,
    games: FinishedCount,
    answers: FinishedCount,
}

/// How many of the planned items are finished, with readable records.
#[derive(Serialize)]
struct FinishedCount {
    finished: usize,
    planned: usize,
}

impl<'a> Verification<'a> {
    fn new(json: bool, output: SoundOutput<'a>) -> Self {
        let (different, unreadable, runs) = (vec![], vec![], vec![]);
        Self { games: 0, turns: 0, answers: 0, different, unreadable, runs, json, output }
    }

    /// Prints a line for people.
    fn line(&self, line: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { self.output.say(&format!("{line}\n")) }
    }

    /// Counts a game, if its record is readable.
    fn add_game(&mut self, path: &Path, judged: Result<JudgedGame, RecordError>) -> Result<(), Failure> {
        let Some((turns, difference)) = self.readable(judged)? else { return Ok(()) };
        self.games += 1;
        self.turns += turns;
        difference.map_or(Ok(()), |difference| self.odd(path, "", &plain(&difference)))
    }

    /// Counts an answer, if its record is readable.
    fn add_answer(
        &mut self,
        path: &Path,
        record: Result<AnswerRecord, RecordError>,
        manifest: Option<&Manifest>,
    ) -> Result<(), Failure> {
        let Some(record) = self.readable(record)? else { return Ok(()) };
        self.answers += 1;
        let foreign = manifest.and_then(|manifest| manifest.contradiction_of_answer(&record));
        let difference = foreign.or_else(|| verify_answer(&record).err());
        difference.map_or(Ok(()), |difference| self.odd(path, "", &plain(&difference)))
    }

    /// The record, if readable; otherwise reports why. Without the rules of its game, no other record can be read
    /// either.
    fn readable<T>(&mut self, record: Result<T, RecordError>) -> Result<Option<T>, Failure> {
        match record {
            Ok(record) => Ok(Some(record)),
            Err(error @ RecordError::Rules { .. }) => Err(error.into()),
            Err(error) => {
                let said = plain(&error.to_string());
                self.output.note(&said);
                self.unreadable.push(said);
                Ok(None)
            }
        }
    }

    fn odd(&mut self, path: &Path, said: &str, difference: &str) -> Result<(), Failure> {
        let path = plain(&path.display().to_string());
        self.line(&format!("{path}: {said}{difference}"))?;
        self.different.push(OddRecord { path, difference: difference.to_owned() });
        Ok(())
    }
}

impl VerifyCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let mut count = Verification::new(self.json, output);
        for path in &self.paths {
            if path.is_dir() {
                verify_run(path, &mut count)?;
            } else {
                verify_record(path, &mut count)?;
            }
        }
        let (different, unreadable) = (count.different.len(), count.unreadable.len());
        let has_records = count.games + count.answers > 0 || unreadable == 0;
        let answers = match count.answers {
            0 => String::new(),
            some => format!("{}, ", counted(some, "answer")),
        };
        let (games, turns) = (counted(count.games, "game"), counted(count.turns, "turn"));
        if self.json {
            output.print_json(&count)?;
        } else if has_records {
            count.line(&format!("{games}, {turns}, {answers}{different} different"))?;
        }
        match different {
            _ if unreadable > 0 => Err(Failure::Input(format!("{} cannot be read", counted(unreadable, "record")))),
            0 => Ok(CommandOutcome::Yes),
            _ => Ok(CommandOutcome::No),
        }
    }
}

/// Judges the game or the answer in one file again.
fn verify_record(path: &Path, count: &mut Verification<'_>) -> Result<(), Failure> {
    let record = match read_record(path, count.output.games) {
        Ok(Record::Answer(record)) => return count.add_answer(path, Ok(*record), None),
        Ok(Record::Game(record)) => Ok(*record),
        Err(error) if is_record(path) => Err(error),
        Err(error) => return Err(no_record(path, WantedRecord::GameOrAnswer, error).into()),
    };
    count.add_game(path, judge_again(record, None))
}

/// Judges every finished game and every answer of a run again. Other files among its records count as different.
fn verify_run(path: &Path, count: &mut Verification<'_>) -> Result<(), Failure> {
    let (run, manifest) = open_run(path, count.output.games)?;
    let (finished, index) = (run.finished(&manifest), ManifestIndex::of(&manifest));
    let opening_plies =
        assignment_of(&run)?.and_then(|assignment| assignment.ladder).map(|ladder| ladder.opening_plies);
    let (games_before, answers_before) = (count.games, count.answers);
    let planned = RunIndex { folder: &run, index: &index, manifest: &manifest, opening_plies };
    for batch in finished.chunks(BATCH) {
        let judged = batch.par_iter().map(|id| judge_again(run.game(id), Some(&planned)));
        for (id, judged) in batch.iter().zip(judged.collect::<Vec<_>>()) {
            count.add_game(&run.path_of(id), judged)?;
        }
    }
    let answered = run.answered(&manifest);
    for id in &answered {
        count.add_answer(&run.path_of_answer(id), run.answer(id), Some(&manifest))?;
    }
    for stranger in run.foreign_files(&manifest)? {
        count.odd(path, "not part of this run: ", &plain(&stranger))?;
    }
    let games = FinishedCount { finished: count.games - games_before, planned: run.games_in_all(&manifest) };
    let answers = FinishedCount { finished: count.answers - answers_before, planned: manifest.answers.len() };
    let done = match (games.planned, answers.planned) {
        (_, 0) => games.in_words("game"),
        (0, _) => answers.in_words("answer"),
        _ => format!("{}, {}", games.in_words("game"), answers.in_words("answer")),
    };
    count.line(&format!("{}: {done} finished", path.display()))?;
    count.runs.push(VerifiedRun { run: path.display().to_string(), games, answers });
    Ok(())
}

impl FinishedCount {
    fn in_words(&self, things: &str) -> String {
        format!("{} of {}", self.finished, counted(self.planned, things))
    }
}

/// The difference between a record and the rules of `game`, which may be to blame where they are a program.
fn differing(game: GameRef, difference: &Difference) -> String {
    match game.rules_program() {
        None => difference.to_string(),
        Some(_) => format!(
            "{difference}; a rules program that answers the same question differently from time to time causes this, \
             too: `referee game check RULES` tries that"
        ),
    }
}

/// The record at `path`, of a game of `game`, that has this difference from the rules.
pub(super) fn against_rules(path: &Path, game: GameRef, difference: &Difference) -> Failure {
    Failure::Input(format!("`{}` does not follow the rules: {}", path.display(), differing(game, difference)))
}

/// What a run says of its games.
struct RunIndex<'a> {
    folder: &'a RunFolder,
    index: &'a ManifestIndex<'a>,
    manifest: &'a Manifest,
    /// The length of openings in a ladder, whose games are not listed with theirs.
    opening_plies: Option<u32>,
}

impl RunIndex<'_> {
    fn contradiction(&self, record: &GameRecord) -> Option<String> {
        let contradiction = self.index.contradiction(record).or_else(|| self.other_opening(record));
        contradiction.or_else(|| self.other_summary(record))
    }

    /// That the pack of `record` sums it up otherwise than it is, which standings would believe.
    fn other_summary(&self, record: &GameRecord) -> Option<String> {
        let packed = self.folder.packed_summary(&record.id)?;
        let is_same = packed.summary == GameSummary::of(record);
        (!is_same).then(|| "its pack has another summary of it".to_owned())
    }

    /// That `record` does not begin as the ladder draws the opening of this game.
    fn other_opening(&self, record: &GameRecord) -> Option<String> {
        let LadderGame { pair, second } = record.id.parse().ok().filter(|_| self.manifest.kind == RunKind::Ladder)?;
        match expected_pairing(self.manifest, pair, self.opening_plies?) {
            Ok(games) => {
                let expected = games?.into_iter().nth(usize::from(second))?;
                let is_same =
                    expected.first == record.first && expected.start.is_none_or(|start| start == record.start);
                (!is_same).then(|| "the record has another opening than the ladder draws for its game".to_owned())
            }
            Err(reason) => Some(format!("its opening cannot be drawn: {reason}")),
        }
    }
}

/// The number of turns of a game that was judged again, and what is odd about it.
type JudgedGame = (usize, Option<String>);

fn judge_again(record: Result<GameRecord, RecordError>, run: Option<&RunIndex<'_>>) -> Result<JudgedGame, RecordError> {
    let record = record?;
    let foreign = run.and_then(|run| run.contradiction(&record));
    let again = || verify(&record).err().map(|difference| differing(record.game, &difference));
    Ok((record.turns.len(), foreign.or_else(again)))
}
