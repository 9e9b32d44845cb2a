//! An excerpt of a foreign text with every byte visible, and the place at fault marked.
//!
//! It shows an `output.txt` to its program's author, on a terminal, on a page or in JSON. It draws no frames or
//! colours; `messages` and pages do. Text of an excerpt must be printable ASCII and `·`, for any bytes. Each byte must
//! have its own part of it, so that the mark covers exactly the bytes of the place. An excerpt must have at most
//! [`LINES`](Excerpt::LINES) lines of at most [`COLUMNS`](Excerpt::COLUMNS) columns.

use std::ops::Range;

use serde::Serialize;

use super::finding::Location;

/// The lines of a text around a place.
///
/// ```
/// use referee_games::protocol::{Excerpt, Location};
///
/// let place = Location { line: 1, column: 6, length: 2 };
/// let excerpt = Excerpt::of(b"E c3\tb9 \r\n", Some(place));
/// let line = &excerpt.lines[0];
/// assert_eq!(line.text, r"E c3\tb9·\r");
/// assert_eq!(line.mark, Some(6..8), "the tab takes two columns");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The size of the whole text.
    pub bytes: usize,
    /// The number of lines of the whole text; a LF at its very end begins no further line.
    pub lines_in_all: usize,
    /// The shown lines.
    pub lines: Vec<ExcerptLine>,
}

/// A line of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExcerptLine {
    /// Its number, from 1.
    pub number: usize,
    /// The shown text: printable ASCII unchanged, `\` as `\\`, tab and CR as `\t` and `\r`, any other byte as `\x1b`,
    /// and blanks as `·` where they would be overlooked: at either end of the line, and next to each other.
    pub text: String,
    /// The columns of `text`, from 0, of the marked place; empty for a place between two bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Range<usize>>,
    /// The number of bytes of the line before `text` ...
    pub cut_before: usize,
    /// ... and after it, without the line end.
    pub cut_after: usize,
}

impl Excerpt {
    /// The maximum number of lines.
    pub const LINES: usize = 10;
    /// The maximum width of a line.
    pub const COLUMNS: usize = 100;

    /// The lines of `text` around `place`, or its first lines if there is no place or it lies outside the text.
    pub fn of(text: &[u8], place: Option<Location>) -> Self {
        let body = text.strip_suffix(b"\n").unwrap_or(text);
        let all: Vec<&[u8]> = if text.is_empty() { Vec::new() } else { body.split(|&byte| byte == b'\n').collect() };
        let marked = place.and_then(|place| stretch(&all, place));
        let first = marked.as_ref().map_or(0, |(index, _)| first_line(*index, all.len()));
        let lines = all.iter().enumerate().skip(first).take(Self::LINES);
        let lines = lines.map(|(index, line)| {
            let mark = marked.as_ref().filter(|(at, _)| *at == index);
            ExcerptLine::of(index + 1, line, mark.map(|(_, bytes)| bytes.clone()))
        });
        Self { bytes: text.len(), lines_in_all: all.len(), lines: lines.collect() }
    }
}

/// The index of the line and the bytes of `place`, if it exists.
fn stretch(lines: &[&[u8]], place: Location) -> Option<(usize, Range<usize>)> {
    let index = (place.line as usize).checked_sub(1)?;
    let line = lines.get(index)?;
    let start = (place.column as usize).checked_sub(1).filter(|&start| start <= line.len())?;
    let end = start.saturating_add(place.length as usize).min(line.len());
    Some((index, start..end))
}

/// The first shown line around the line `marked`, which is kept off the edges if there is more text.
fn first_line(marked: usize, lines: usize) -> usize {
    marked.saturating_sub(Excerpt::LINES / 2).min(lines.saturating_sub(Excerpt::LINES))
}

impl ExcerptLine {
    fn of(number: usize, line: &[u8], mark: Option<Range<usize>>) -> Self {
        let start = mark.as_ref().map_or(0, |mark| first_byte(line, mark.start));
        let mut text = String::new();
        let mut width = 0;
        let mut columns = Vec::new();
        for index in start..line.len() {
            let shown = visible(line, index);
            let next = width + shown.chars().count();
            if next > Excerpt::COLUMNS {
                break;
            }
            text.push_str(&shown);
            columns.push(width);
            width = next;
        }
        let column_of = |byte: usize| columns.get(byte - start).copied().unwrap_or(width);
        let mark = mark.map(|mark| column_of(mark.start)..column_of(mark.end));
        Self { number, text, mark, cut_before: start, cut_after: line.len() - start - columns.len() }
    }
}

/// The first shown byte of `line`, so that the byte at `mark` is visible with some context.
fn first_byte(line: &[u8], mark: usize) -> usize {
    let room = Excerpt::COLUMNS / 2;
    let mut columns = 0;
    for index in (0..mark).rev() {
        columns += visible(line, index).chars().count();
        if columns > room {
            return index + 1;
        }
    }
    0
}

/// The shown form of the byte of `line` at `index`.
fn visible(line: &[u8], index: usize) -> String {
    match line[index] {
        b' ' if is_overlooked(line, index) => "·".to_owned(),
        b'\\' => r"\\".to_owned(),
        b'\t' => r"\t".to_owned(),
        b'\r' => r"\r".to_owned(),
        byte @ b' '..=b'~' => char::from(byte).to_string(),
        byte => format!(r"\x{byte:02x}"),
    }
}

/// Whether the blank at `index` could be overlooked, because it is not simply between two words.
fn is_overlooked(line: &[u8], index: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace());
    let before = index.checked_sub(1).and_then(|before| line.get(before));
    !is_word(before) || !is_word(line.get(index + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bytes for the text of an excerpt.
    fn bytes_of(shown: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = shown.chars();
        while let Some(character) = rest.next() {
            bytes.push(match character {
                '·' => b' ',
                '\\' => match rest.next().unwrap() {
                    '\\' => b'\\',
                    't' => b'\t',
                    'r' => b'\r',
                    'x' => {
                        let digits: String = rest.by_ref().take(2).collect();
                        u8::from_str_radix(&digits, 16).unwrap()
                    }
                    other => panic!("\\{other} is no escape"),
                },
                other => u8::try_from(other).unwrap(),
            });
        }
        bytes
    }

    fn columns(text: &str, columns: Range<usize>) -> String {
        text.chars().skip(columns.start).take(columns.len()).collect()
    }

    /// Arbitrary bytes, with a preference for those of answers.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![
            4 => prop::sample::select(b"EJ abc123,\n\r\t\\".to_vec()),
            1 => any::<u8>(),
        ];
        prop::collection::vec(byte, 0..400)
    }

    fn place() -> impl Strategy<Value = Location> {
        let length = prop_oneof![0_u32..12, 0_u32..400];
        (0_u32..30, 0_u32..200, length).prop_map(|(line, column, length)| Location { line, column, length })
    }

    proptest! {
        #[test]
        fn the_bytes_of_the_line_are_shown_harmlessly_and_within_bounds(
            text in text(),
            place in prop::option::of(place()),
        ) {
            let raw: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            let excerpt = Excerpt::of(&text, place);
            prop_assert!(excerpt.lines.len() <= Excerpt::LINES);
            for line in excerpt.lines {
                prop_assert!(line.text.chars().all(|shown| matches!(shown, ' '..='~' | '·')), "{:?}", line.text);
                prop_assert!(line.text.chars().count() <= Excerpt::COLUMNS);
                let whole = raw[line.number - 1];
                let shown = bytes_of(&line.text);
                prop_assert_eq!(&whole[line.cut_before..line.cut_before + shown.len()], &shown[..]);
                prop_assert_eq!(line.cut_before + shown.len() + line.cut_after, whole.len());
            }
        }

        #[test]
        fn the_mark_covers_exactly_the_bytes_of_the_place(text in text(), place in place()) {
            let raw: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            let excerpt = Excerpt::of(&text, Some(place));
            let (row, column) = (place.line as usize, place.column as usize);
            let exists = (1..=excerpt.lines_in_all).contains(&row) && (1..=raw[row - 1].len() + 1).contains(&column);
            let marked: Vec<_> = excerpt.lines.iter().filter(|line| line.mark.is_some()).collect();
            prop_assert_eq!(marked.len(), usize::from(exists));
            for line in marked {
                prop_assert_eq!(line.number, row);
                let meant = &raw[row - 1][column - 1..];
                let meant = &meant[..meant.len().min(place.length as usize)];
                let covered = bytes_of(&columns(&line.text, line.mark.clone().unwrap()));
                // A place longer than the excerpt's line is marked up to the edge.
                let is_cut = line.cut_after > 0 && covered.len() < meant.len();
                prop_assert!(meant.starts_with(&covered), "{covered:?} is not the beginning of {meant:?}");
                prop_assert!(is_cut || covered.len() == meant.len(), "{covered:?} is not all of {meant:?}");
                prop_assert!(meant.is_empty() || !covered.is_empty(), "nothing of the place is in sight");
                let before = bytes_of(&columns(&line.text, 0..line.mark.clone().unwrap().start));
                prop_assert_eq!(line.cut_before + before.len(), column - 1);
            }
        }
    }

    #[test]
    fn every_kind_of_byte_is_visible() {
        let excerpt = Excerpt::of(b" E  c3 b4\\\t\0\x1b[2J\xff\xc3\xa9 \r\n", None);
        assert_eq!(excerpt.lines[0].text, r"·E··c3 b4\\\t\x00\x1b[2J\xff\xc3\xa9·\r");
        assert_eq!(excerpt.lines_in_all, 1);
    }

    #[test]
    fn an_empty_text_has_no_lines_and_a_lone_line_end_has_one() {
        assert_eq!(Excerpt::of(b"", None).lines, []);
        let lone = Excerpt::of(b"\n", Some(Location { line: 1, column: 1, length: 0 }));
        assert_eq!((lone.lines_in_all, lone.lines[0].mark.clone()), (1, Some(0..0)));
    }

    #[test]
    fn a_place_far_along_a_long_text_is_in_sight() {
        let line = [&[b'x'; 3000][..], b"Z", &[b'y'; 3000]].concat();
        let text = [vec![b'\n'; 500], line, vec![b'\n'; 500]].concat();
        let excerpt = Excerpt::of(&text, Some(Location { line: 501, column: 3001, length: 1 }));
        let numbers: Vec<_> = excerpt.lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, (496..=505).collect::<Vec<_>>());
        let line = &excerpt.lines[5];
        assert_eq!((line.cut_before, line.cut_after, line.mark.clone()), (2950, 2951, Some(50..51)));
        assert_eq!(columns(&line.text, 50..51), "Z");
    }
}
