//! Reads and checks the texts of questions. It pairs no files; its parent module calls it.

use std::path::Path;

use super::{fault, shown};
use crate::assignment::{AssignmentError, ErrorSpan, RightAnswers};
use referee_games::protocol::{InputError, InputPurpose, TimeLeft};
use referee_games::{GameRef, Status};
use referee_records::read_bounded;
use referee_time::CpuTime;

/// More than any sensible `input.txt` or `output.txt`.
const MAX_TEXT_BYTES: u64 = 64 << 10;

/// Makes `text` the same position with `time` left, as the rules write it, whatever time and mode it has: an agent must
/// not be told another time than it gets.
pub(super) fn set_time(text: &mut String, game: GameRef, time: CpuTime) {
    if let Ok(input) = game.read_input(text.as_bytes()) {
        let written = input.position.write_input(InputPurpose::Single, TimeLeft { own: time, opponent: time });
        // Rules that fail write nothing; it is told when they are asked for a move.
        if !written.is_empty() {
            *text = written;
        }
    }
}

/// Reads an input and checks it against the rules of `game`, if known.
pub(super) fn read_input(path: &Path, game: Option<GameRef>, right: RightAnswers) -> Result<String, AssignmentError> {
    let text = read_text(path)?;
    match game.and_then(|game| question_error(path, &text, game, right)) {
        None => Ok(text),
        Some(fault) => Err(fault),
    }
}

/// Reads the right answer.
pub(super) fn read_answer(path: &Path) -> Result<String, AssignmentError> {
    let text = read_text(path)?;
    if text.trim().is_empty() {
        let message = format!("the expected output {} is empty", shown(path));
        return Err(fault(path, message, "write the correct `output.txt` into it"));
    }
    Ok(text)
}

fn read_text(path: &Path) -> Result<String, AssignmentError> {
    let unreadable = |error: String| {
        let message = format!("cannot read {}: {error}", shown(path));
        fault(path, message, "replace it with a text file, or remove it")
    };
    // Opening a pipe would block until somebody writes to it.
    if !path.is_file() {
        return Err(unreadable("it is no file".to_owned()));
    }
    let bytes = read_bounded(path, MAX_TEXT_BYTES).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    // What editors on Windows add is no part of it.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
}

/// Why `text` is not a valid question of `game`.
fn question_error(path: &Path, text: &str, game: GameRef, right: RightAnswers) -> Option<AssignmentError> {
    let status = game.read_input(text.as_bytes()).map(|input| input.position.status());
    let (at, message, remedy) = match (status, right) {
        // "No move" can be the right answer to a case.
        (Ok(Status::ToMove), _) | (Ok(_), RightAnswers::Files | RightAnswers::Solver) => return None,
        (Ok(Status::MustPass | Status::Over(_)), RightAnswers::LegalMoves) => {
            let message = "the side to move has no legal move".to_owned();
            ((1, None), message, "use another position".to_owned())
        }
        (Err(InputError { line, column, message }), _) => {
            ((line, column), message, format!("write an `input.txt` of {game}"))
        }
    };
    Some(fault_at(path, text, at, message, remedy))
}

/// A fault in the line, from 1, and the column in bytes, from 1, of `text`.
fn fault_at(file: &Path, text: &str, at: (usize, Option<usize>), message: String, remedy: String) -> AssignmentError {
    let (line, column) = at;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    let stretch = column.map_or(start..start + length, |column| start + column - 1..start + column);
    AssignmentError { file: file.to_owned(), place: Some(ErrorSpan::of(text, stretch)), message, remedy }
}
