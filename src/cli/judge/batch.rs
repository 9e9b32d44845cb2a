//! Judges a stream of answers: a JSON object per line on standard input, and one per line on standard output. `judge
//! --batch` calls it.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

use serde::Serialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::{JudgedText, judge, refused};
use crate::cli::output::SoundOutput;
use crate::cli::{CommandOutcome, Failure};
use referee_games::GameRef;
use referee_games::protocol::{Tolerance, json_fault};
use referee_messages::counted;
use referee_seat::{Bytes, OutputFile};

/// The maximum length of a line: the largest input and answer, with every byte escaped.
const LONGEST_LINE_BYTES: usize = 16 << 20;

/// Judges every line of standard input. A line that cannot be judged gets an error as reply; the others continue.
///
/// An answer of more than `limit` bytes is too large, as in a game.
pub(super) fn judge_stream(
    game: GameRef,
    tolerance: Tolerance,
    limit: u64,
    output: SoundOutput<'_>,
) -> Result<CommandOutcome, Failure> {
    let (mut all_legal, mut unreadable) = (true, 0_usize);
    let mut input = io::stdin().lock();
    for number in 1_usize.. {
        let line = read_line(&mut input, LONGEST_LINE_BYTES)
            .map_err(|error| Failure::Input(format!("standard input, line {number}: {error}")))?;
        let (id, judged) = match line {
            BatchLine::End => break,
            BatchLine::Whole(line) if line.trim_ascii().is_empty() => continue,
            BatchLine::Whole(line) => judge_line(game, tolerance, limit, &line),
            BatchLine::TooLong => (None, Err(format!("longer than {LONGEST_LINE_BYTES} bytes"))),
        };
        let judged = judged.unwrap_or_else(|message| {
            unreadable += 1;
            refused("bad-request", format!("line {number}: {message}"))
        });
        all_legal &= judged.legal;
        output.print_json(&BatchReply { id, judged })?;
    }
    match unreadable {
        0 if all_legal => Ok(CommandOutcome::Yes),
        0 => Ok(CommandOutcome::No),
        lines => {
            let lines = counted(lines, "line");
            Err(Failure::Input(format!("{lines} could not be judged: see the code `bad-request`")))
        }
    }
}

#[derive(Debug, Serialize)]
struct BatchReply {
    id: Option<Box<RawValue>>,
    #[serde(flatten)]
    judged: JudgedText,
}

/// The next item of a stream.
#[derive(Debug, PartialEq, Eq)]
enum BatchLine {
    /// A line, without its line end.
    Whole(Vec<u8>),
    /// A skipped line.
    TooLong,
    /// End of file.
    End,
}

fn read_line(input: &mut impl BufRead, longest: usize) -> io::Result<BatchLine> {
    let mut line = Vec::new();
    let most = u64::try_from(longest).unwrap_or(u64::MAX).saturating_add(1);
    if input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
        return Ok(BatchLine::End);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > longest {
        input.skip_until(b'\n')?;
        return Ok(BatchLine::TooLong);
    }
    Ok(BatchLine::Whole(line))
}

/// The `id` of the request, as written, and the judgement or the fault of the request.
fn judge_line(
    game: GameRef,
    tolerance: Tolerance,
    limit: u64,
    line: &[u8],
) -> (Option<Box<RawValue>>, Result<JudgedText, String>) {
    let mut fields: Fields = match serde_json::from_slice(line) {
        Ok(fields) => fields,
        Err(error) => return (None, Err(not_an_object(&error))),
    };
    let id = fields.remove("id");
    let judged = texts_of(&fields, limit).and_then(|(input, output)| {
        judge(game, input.as_bytes(), &output, tolerance).map_err(|message| format!("`input`: {message}"))
    });
    (id, judged)
}

type Fields = BTreeMap<String, Box<RawValue>>;

fn not_an_object(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Data => "expected an object with `id`, `input` and `output`".to_owned(),
        Category::Io | Category::Syntax | Category::Eof => {
            format!("column {}: not JSON: {}", error.column(), json_fault(error))
        }
    }
}

/// The input and the answer; an absent or `null` `output` is a missing file.
fn texts_of(fields: &Fields, limit: u64) -> Result<(String, OutputFile), String> {
    let input = text_of(fields, "input")?.ok_or("`input` is missing")?;
    let output = match text_of(fields, "output")? {
        None => OutputFile::Missing { lookalike: None },
        Some(text) if text.len() as u64 > limit => OutputFile::TooLarge { bytes: text.len() as u64 },
        Some(text) => OutputFile::Content { bytes: Bytes(text.into_bytes()) },
    };
    Ok((input, output))
}

fn text_of(fields: &Fields, name: &str) -> Result<Option<String>, String> {
    let Some(value) = fields.get(name).map(|value| value.get()).filter(|value| *value != "null") else {
        return Ok(None);
    };
    let found = match value.as_bytes().first() {
        Some(b'"') => {
            let read = serde_json::from_str(value).map(Some);
            return read.map_err(|error| format!("`{name}`: {}", json_fault(&error)));
        }
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b't' | b'f') => "a truth value",
        Some(_) | None => "a number",
    };
    Err(format!("`{name}`: expected a text, found {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let mut input: &[u8] = b"abc\nabcd\nabcdefgh\n\nabcd";
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input, 4).unwrap() {
                BatchLine::End => break,
                line => lines.push(line),
            }
        }
        let whole = |text: &[u8]| BatchLine::Whole(text.to_vec());
        assert_eq!(lines, [whole(b"abc"), whole(b"abcd"), BatchLine::TooLong, whole(b""), whole(b"abcd")]);
    }
}
