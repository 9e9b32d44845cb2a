//! Splits an `output.txt` into lines and words, and notes every departure from the exact format. It interprets no move;
//! the games' `texts.rs` and `plays` call it.

use super::Answer;
use super::finding::{Finding, Location, Refusal, Tolerance, quote};
use super::rules::{EXACT_FORMAT, PLAIN_TEXT};

/// A word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnswerWord<'a> {
    pub(crate) place: Location,
    pub(crate) text: &'a [u8],
}

impl AnswerWord<'_> {
    pub(crate) fn quoted(&self) -> String {
        quote(self.text)
    }

    /// The finding that it is one word too many.
    pub(crate) fn extra_word(&self) -> Finding {
        Finding::new("extra-word", format!("{} is an extra word", self.quoted())).at(self.place)
    }

    /// The finding that it is one line too many.
    pub(crate) fn extra_line(&self) -> Finding {
        Finding::new("extra-line", format!("{} is an extra line", self.quoted())).at(self.place)
    }

    /// The finding that it is not what was expected.
    pub(crate) fn unexpected(&self, code: &'static str, expected: &str) -> Finding {
        Finding::new(code, format!("expected {expected}, found {}", self.quoted())).at(self.place)
    }
}

/// A line that has at least one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnswerLine<'a> {
    /// The whole line without line end.
    pub(crate) whole: AnswerWord<'a>,
    pub(crate) words: Vec<AnswerWord<'a>>,
}

/// Collects departures from the exact format: as warnings, or in an exact reading as a refusal.
///
/// It keeps one warning per kind, however often it occurs, so that an agent does not control the size of a record.
#[derive(Debug)]
pub(crate) struct FormatDeviations {
    tolerance: Tolerance,
    noted: Vec<Finding>,
}

impl FormatDeviations {
    pub(crate) fn new(tolerance: Tolerance) -> Self {
        Self { tolerance, noted: Vec::new() }
    }

    /// Notes a departure that an exact reading refuses.
    pub(crate) fn note(&mut self, finding: Finding) -> Result<(), Refusal> {
        let finding = finding.under(&EXACT_FORMAT);
        match self.tolerance {
            Tolerance::Tolerant => {
                self.remark(finding);
                Ok(())
            }
            Tolerance::Exact => Err(Refusal::Format(finding)),
        }
    }

    /// Notes a departure that no reading refuses.
    pub(crate) fn remark(&mut self, finding: Finding) {
        match self.noted.iter_mut().find(|noted| noted.code == finding.code) {
            Some(noted) => noted.more = noted.more.saturating_add(1),
            None => self.noted.push(finding),
        }
    }

    /// The play as written, if `text` equals the exact format of a single play and need not be rewritten.
    pub(crate) fn exact(&self, text: &[u8]) -> Option<String> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let exact = self.noted.is_empty().then(|| str::from_utf8(text));
        exact?.ok().map(str::to_owned)
    }

    pub(crate) fn into_warnings(self) -> Vec<Finding> {
        self.noted
    }

    /// The answer `text`, which means `mv`; `written` writes it where `text` is not in the exact format.
    pub(crate) fn into_answer<M>(self, mv: M, text: &[u8], written: impl FnOnce() -> String) -> Answer<M> {
        Answer { mv, written: self.exact(text).unwrap_or_else(written), warnings: self.noted }
    }
}

/// Whether it is white space within a line. A CR belongs to the line end.
const fn is_blank(byte: u8) -> bool {
    const VERTICAL_TAB: u8 = 0x0b;
    const FORM_FEED: u8 = 0x0c;
    matches!(byte, b' ' | b'\t' | VERTICAL_TAB | FORM_FEED)
}

/// `line` without white space and CR at its end.
pub(crate) fn trim_end(line: &[u8]) -> &[u8] {
    let is_kept = |&byte: &u8| !is_blank(byte) && byte != b'\r';
    let end = line.iter().rposition(is_kept).map_or(0, |last| last + 1);
    &line[..end]
}

/// Whether `text` contains at most white space and line ends.
pub fn is_blank_text(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').all(|line| trim_end(line).is_empty())
}

/// Splits `text` into its nonblank lines. The result is never empty.
pub(crate) fn lines<'a>(text: &'a [u8], departures: &mut FormatDeviations) -> Result<Vec<AnswerLine<'a>>, Refusal> {
    let mut lines = Vec::new();
    for (number, line) in numbered(text)? {
        lines.extend(read_line(number, line, departures, note_stray_blanks)?);
    }
    Ok(lines)
}

/// The first nonblank line, for a game that reads no further and judges the blanks within the line itself.
pub(crate) fn first_line<'a>(text: &'a [u8], departures: &mut FormatDeviations) -> Result<AnswerWord<'a>, Refusal> {
    let mut first = None;
    for (number, line) in numbered(text)? {
        if first.is_none() {
            first = read_line(number, line, departures, |_, _, _| Ok(()))?;
            continue;
        }
        let text = trim_end(line);
        let further = AnswerWord { place: place(number, 0, text.len()), text };
        let found = if text.is_empty() {
            Finding::new("empty-line", "the line is empty")
        } else {
            let message = format!("{} is an extra line", further.quoted());
            Finding::new("further-line", message).hint("an answer is one line")
        };
        departures.note(found.at(further.place))?;
    }
    first.map(|line| line.whole).ok_or(Refusal::Empty)
}

/// The lines of `text` with their numbers.
fn numbered(text: &[u8]) -> Result<impl Iterator<Item = (u32, &[u8])>, Refusal> {
    if is_blank_text(text) {
        return Err(Refusal::Empty);
    }
    // Of UTF-8, and of UTF-16 in both orders of bytes.
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    if let Some(mark) = marks.into_iter().find(|mark| text.starts_with(mark)) {
        let found = Finding::new("byte-order-mark", "the file starts with a byte order mark");
        let hint = if mark.len() == 2 { "this is UTF-16: write plain ASCII text" } else { "write plain ASCII text" };
        return Err(Refusal::Format(found.at(place(1, 0, mark.len())).under(&PLAIN_TEXT).hint(hint)));
    }
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    Ok((1..).zip(text.split(|&byte| byte == b'\n')))
}

/// A line, unless it is blank; `note_gaps` gets its words and the line, in which they are.
fn read_line<'a>(
    number: u32,
    line: &'a [u8],
    departures: &mut FormatDeviations,
    note_gaps: impl FnOnce(&[AnswerWord<'a>], &[u8], &mut FormatDeviations) -> Result<(), Refusal>,
) -> Result<Option<AnswerLine<'a>>, Refusal> {
    let bare = line.strip_suffix(b"\r").unwrap_or(line);
    if bare.len() < line.len() {
        let found = Finding::new("carriage-return", "the line ends in CR LF").at(place(number, bare.len(), 1));
        departures.note(found.hint("lines must end in LF"))?;
    }
    if let Some(offset) = trim_end(bare).iter().position(|&byte| byte == b'\r') {
        let found = Finding::new("carriage-return-within", "the line contains a CR").at(place(number, offset, 1));
        return Err(Refusal::Format(found.hint("lines end in LF").under(&EXACT_FORMAT)));
    }
    let words = words(number, trim_end(bare));
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        departures.note(Finding::new("empty-line", "the line is empty").at(place(number, 0, bare.len())))?;
        return Ok(None);
    };
    let (start, end) = (start_of(first), end_of(last));
    if start > 0 {
        departures.note(Finding::new("leading-blanks", "blanks before the first word").at(place(number, 0, start)))?;
    }
    note_gaps(&words, bare, departures)?;
    if end < bare.len() {
        let found = Finding::new("trailing-blanks", "blanks after the last word");
        departures.note(found.at(place(number, end, bare.len() - end)))?;
    }
    let whole = AnswerWord { place: place(number, start, end - start), text: &bare[start..end] };
    Ok(Some(AnswerLine { whole, words }))
}

/// Notes whatever parts two words and is not one blank.
fn note_stray_blanks(words: &[AnswerWord<'_>], line: &[u8], departures: &mut FormatDeviations) -> Result<(), Refusal> {
    for pair in words.windows(2) {
        let gap = &line[end_of(&pair[0])..start_of(&pair[1])];
        if gap != b" " {
            let found = Finding::new("stray-blanks", "more than one blank, or a tab, between two words");
            departures.note(
                found.at(place(pair[0].place.line, end_of(&pair[0]), gap.len())).hint("one blank between two words"),
            )?;
        }
    }
    Ok(())
}

fn words(number: u32, line: &[u8]) -> Vec<AnswerWord<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    for stretch in line.split(|&byte| is_blank(byte)) {
        if !stretch.is_empty() {
            words.push(AnswerWord { place: place(number, start, stretch.len()), text: stretch });
        }
        start += stretch.len() + 1;
    }
    words
}

/// A place from a line number, a zero-based offset and a length.
fn place(line: u32, offset: usize, length: usize) -> Location {
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Location { line, column: narrow(offset).saturating_add(1), length: narrow(length) }
}

fn start_of(word: &AnswerWord<'_>) -> usize {
    word.place.column as usize - 1
}

fn end_of(word: &AnswerWord<'_>) -> usize {
    start_of(word) + word.text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn codes(text: &[u8]) -> Vec<String> {
        let mut departures = FormatDeviations::new(Tolerance::Tolerant);
        lines(text, &mut departures).unwrap();
        departures.into_warnings().into_iter().map(|found| found.code.into_owned()).collect()
    }

    #[test]
    fn each_departure_is_noted_by_its_name() {
        let table: [(&[u8], &[&str]); 8] = [
            (b"J f6 d4\nJ d4 f2\n", &[]),
            (b"E c3 b4", &[]),
            (b" E c3 b4\n", &["leading-blanks"]),
            (b"E c3 b4 \n", &["trailing-blanks"]),
            (b"E  c3\tb4\n", &["stray-blanks"]),
            (b"\nE c3 b4\n\n", &["empty-line"]),
            (b"E c3 b4\r\n", &["carriage-return"]),
            (b"E c3 b4 \r\r\n", &["carriage-return", "trailing-blanks"]),
        ];
        for (text, expected) in table {
            assert_eq!(codes(text), expected, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn departures_of_a_kind_are_one_warning_with_a_count_and_the_first_place() {
        let text = [b"E c3 b4\n", "\n".repeat(65_000).as_bytes()].concat();
        let mut departures = FormatDeviations::new(Tolerance::Tolerant);
        lines(&text, &mut departures).unwrap();
        let told: Vec<String> = departures.into_warnings().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["line 2, column 1: the line is empty, and 64999 more of this kind"]);
    }

    #[test]
    fn every_blank_parts_words_and_a_carriage_return_does_not() {
        for blank in [" ", "\t", "\x0b", "\x0c"] {
            let text = format!("{blank}E{blank}c3 b4{blank}\n{blank}\n");
            let found = lines(text.as_bytes(), &mut FormatDeviations::new(Tolerance::Tolerant)).unwrap();
            assert_eq!((found.len(), found[0].words.len()), (1, 3), "{blank:?}");
        }
        for text in ["E\rc3 b4", "\rE c3 b4", "E c3 b4\rE c3 b4\n"] {
            let refused = lines(text.as_bytes(), &mut FormatDeviations::new(Tolerance::Tolerant));
            let Err(Refusal::Format(found)) = refused else { panic!("{text:?} is read as {refused:?}") };
            assert_eq!(found.code, "carriage-return-within", "{text:?}");
        }
    }

    #[test]
    fn an_editor_of_windows_is_recognised_by_its_marks() {
        let marks: [(&[u8], &str); 3] = [
            (b"\xef\xbb\xbf", "write plain ASCII text"),
            (b"\xff\xfeE\0", "this is UTF-16: write plain ASCII text"),
            (b"\xfe\xff\0E", "this is UTF-16: write plain ASCII text"),
        ];
        for (text, hint) in marks {
            let refused = lines(text, &mut FormatDeviations::new(Tolerance::Tolerant));
            let Err(Refusal::Format(found)) = refused else { panic!("{text:?} is read as {refused:?}") };
            assert_eq!((found.code.as_ref(), found.hint.as_deref()), ("byte-order-mark", Some(hint)));
        }
    }

    #[test]
    fn white_space_alone_is_empty() {
        for text in ["", "\n", " \r\n\t\n", "\x0b\n\x0c", "\r\r"] {
            assert_eq!(lines(text.as_bytes(), &mut FormatDeviations::new(Tolerance::Tolerant)), Err(Refusal::Empty));
        }
    }

    proptest! {
        #[test]
        fn every_word_stands_where_it_is_said_to(text in "[ a-c\t\x0b\x0c\r\n]{0,60}") {
            let mut deviations = FormatDeviations::new(Tolerance::Tolerant);
            let Ok(found) = lines(text.as_bytes(), &mut deviations) else { return Ok(()) };
            let raw: Vec<&[u8]> = text.as_bytes().split(|&byte| byte == b'\n').collect();
            for word in found.iter().flat_map(|line| &line.words) {
                let line = raw[word.place.line as usize - 1];
                prop_assert_eq!(&line[start_of(word)..end_of(word)], word.text);
            }
        }

        #[test]
        fn an_exact_reading_accepts_exactly_what_a_tolerant_one_does_not_remark_on(
            text in "[ a-c\t\x0b\x0c\r\n]{0,30}",
        ) {
            let mut departures = FormatDeviations::new(Tolerance::Tolerant);
            let tolerant = lines(text.as_bytes(), &mut departures);
            let clean = tolerant.is_ok() && departures.into_warnings().is_empty();
            prop_assert_eq!(lines(text.as_bytes(), &mut FormatDeviations::new(Tolerance::Exact)).is_ok(), clean);
        }
    }
}
