//! Parses answers that are squares on one line: `c2`, or `c2 c4`. It knows no rules; each game checks legality.

use super::finding::{Finding, Location, Refusal};
use super::lines::{AnswerWord, FormatDeviations, lines};
use super::respell::{WrittenSquare, is_pass};
use crate::RuleText;

/// Parses an answer of `N` squares on one line, which is the rule `line`; `form` says so in a hint. Returns the squares
/// and their place.
pub(crate) fn read_squares<S: WrittenSquare, const N: usize>(
    text: &[u8],
    notes: &mut FormatDeviations,
    line: &'static RuleText,
    form: &str,
) -> Result<([S; N], Location), Refusal> {
    let lines = lines(text, notes)?;
    let (first, further) = lines.split_first().ok_or(Refusal::Empty)?;
    let wrong = |found: Finding, hint: Option<String>| {
        let hint = hint.unwrap_or_else(|| form.to_owned());
        Refusal::Format(found.under(line).hint(hint))
    };
    let whole = &first.whole;
    let Ok(words) = <&[AnswerWord<'_>; N]>::try_from(first.words.as_slice()) else {
        let (code, place) = match first.words.get(N) {
            Some(extra) => ("extra-word", extra.place),
            None => ("missing-word", whole.place),
        };
        return Err(wrong(whole.unexpected(code, line.name).at(place), respelt::<S, N>(whole.text)));
    };
    if let Some(extra) = further.first() {
        return Err(wrong(extra.whole.extra_line(), None));
    }
    let mut squares = [read_square(&words[0], notes)?; N];
    for (square, word) in squares.iter_mut().zip(words).skip(1) {
        *square = read_square(word, notes)?;
    }
    Ok((squares, whole.place))
}

/// The answer of `N` squares that was probably meant by a text in a wrong format.
pub(crate) fn respelt<S: WrittenSquare, const N: usize>(text: &[u8]) -> Option<String> {
    if is_pass(text) {
        return Some(S::NO_PASS.to_owned());
    }
    let squares = S::find_all(str::from_utf8(text).ok()?);
    let squares = <[S; N]>::try_from(squares).ok()?;
    let squares = squares.map(|square| square.to_string()).join(" ");
    Some(format!("write `{squares}` and nothing else"))
}

/// Parses a square, noting a wrong letter case.
pub(crate) fn read_square<S: WrittenSquare>(word: &AnswerWord<'_>, notes: &mut FormatDeviations) -> Result<S, Refusal> {
    if let Some(square) = S::read(word.text) {
        return Ok(square);
    }
    let Some(square) = S::read(&word.text.to_ascii_lowercase()) else {
        let found = word.unexpected("not-a-square", S::EXPECTED).under(S::NAMES);
        return Err(Refusal::Format(found.hinted(S::misunderstood(word.text))));
    };
    let message = format!("{} is written in upper case", word.quoted());
    notes.note(Finding::new("square-case", message).at(word.place).hint("squares are written in lower case"))?;
    Ok(square)
}
