//! Parses an agent's answer in free play: the move, optionally followed by the assignment's three numbers. It judges no
//! legality (`legality`).

use crate::protocol::finding::{Finding, Location, Refusal};
use crate::protocol::lines::{AnswerLine, AnswerWord, FormatDeviations, lines};
use crate::protocol::respell::{PASSES_ARE_AUTOMATIC, is_pass};
use crate::star_circle::reasons::MOVE_LINE;
use crate::star_circle::{Move, Square};

/// The first line of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Pass,
    Move(Move),
}

/// How many lines an answer of the assignment has.
const LINES: usize = 4;

/// Parses the format of an answer: its first line and its place.
pub(super) fn read_written(text: &[u8], notes: &mut FormatDeviations) -> Result<(Written, Location), Refusal> {
    let lines = lines(text, notes)?;
    let (first, numbers) = lines.split_first().ok_or(Refusal::Empty)?;
    let word = only_word(first, one_move)?;
    let written = read_word(&word, notes)?;
    check_numbers(numbers)?;
    Ok((written, word.place))
}

/// The word of a line that has no other; `hint` is the remedy for a line that has.
fn only_word<'a>(line: &AnswerLine<'a>, hint: fn(&[u8]) -> String) -> Result<AnswerWord<'a>, Refusal> {
    let (&word, extra) = line.words.split_first().ok_or(Refusal::Empty)?;
    match extra.first() {
        None => Ok(word),
        Some(extra) => Err(Refusal::Format(extra.extra_word().under(&MOVE_LINE).hint(hint(line.whole.text)))),
    }
}

fn read_word(word: &AnswerWord<'_>, notes: &mut FormatDeviations) -> Result<Written, Refusal> {
    if let Some(written) = read_exactly(word.text) {
        return Ok(written);
    }
    let other_case = [word.text.to_ascii_uppercase(), word.text.to_ascii_lowercase()];
    let Some(written) = other_case.iter().find_map(|text| read_exactly(text)) else {
        let found = word.unexpected("not-a-move", "a move such as `F4-H2`").under(&MOVE_LINE);
        return Err(Refusal::Format(found.hint(one_move(word.text))));
    };
    let (message, hint) = match written {
        Written::Pass => ("is not written in lower case", "a pass is `pass`"),
        Written::Move(_) => ("is not written in capitals", "rows are capitals, `A` to `H`"),
    };
    let found = Finding::new("letter-case", format!("{} {message}", word.quoted()));
    notes.note(found.at(word.place).hint(hint))?;
    Ok(written)
}

fn read_exactly(word: &[u8]) -> Option<Written> {
    if word == b"pass" {
        return Some(Written::Pass);
    }
    let &[_, _, b'-', _, _] = word else { return None };
    Some(Written::Move(Move { from: Square::read(&word[..2])?, to: Square::read(&word[3..])? }))
}

/// The lines after the move: none, or three with one number each.
fn check_numbers(lines: &[AnswerLine<'_>]) -> Result<(), Refusal> {
    let Some(last) = lines.last() else { return Ok(()) };
    if let Some(extra) = lines.get(LINES - 1) {
        let found = extra.whole.extra_line().under(&MOVE_LINE);
        return Err(Refusal::Format(found.hint(THE_FORM)));
    }
    if lines.len() + 1 < LINES {
        let message = format!("{} lines: expected 1 (the move) or 4 (the whole answer)", lines.len() + 1);
        let found = Finding::new("missing-lines", message).under(&MOVE_LINE);
        return Err(Refusal::Format(found.at(last.whole.place).hint(THE_FORM)));
    }
    lines.iter().try_for_each(check_number)
}

fn check_number(line: &AnswerLine<'_>) -> Result<(), Refusal> {
    let word = only_word(line, |_| THE_FORM.to_owned())?;
    let is_number = str::from_utf8(word.text).is_ok_and(|text| text.parse::<i64>().is_ok() && !text.starts_with('+'));
    if is_number {
        return Ok(());
    }
    let found =
        Finding::new("not-a-number", format!("expected a whole number, found {}", word.quoted())).under(&MOVE_LINE);
    Err(Refusal::Format(found.at(word.place).hint(THE_FORM)))
}

/// What an answer looks like.
const THE_FORM: &str =
    "an answer is one move, optionally followed by both utilities and the number of nodes, one per line";

/// The remedy for a line that is no move.
fn one_move(line: &[u8]) -> String {
    if is_pass(line) {
        return PASSES_ARE_AUTOMATIC.to_owned();
    }
    let text = String::from_utf8_lossy(line).to_ascii_uppercase();
    let words: Vec<&[u8]> = text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::as_bytes).collect();
    let turned = |word: &&[u8]| match **word {
        [column, row] => Square::read(&[row, column]),
        _ => None,
    };
    let squares: Vec<Square> = words.iter().filter_map(|word| Square::read(word)).collect();
    let turned: Vec<Square> = words.iter().filter_map(turned).collect();
    match (squares.as_slice(), turned.as_slice()) {
        (&[from, to], _) => format!("write `{}` and nothing else on the line", Move { from, to }),
        (_, &[from, to]) => format!("the row comes first: `{}`", Move { from, to }),
        _ => "a move is two squares with `-` between them, rows `A` to `H`, columns `1` to `8`".to_owned(),
    }
}
