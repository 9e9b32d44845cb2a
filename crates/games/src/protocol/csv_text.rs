//! CSV files that people write: where a record is, and what separates cells. It parses no CSV; readers of rosters and
//! results call it.

/// The line, from 1, of the record that begins at or behind `byte` of `text`.
///
/// Not `csv::Position::line`: a reader takes its position before it skips empty lines.
pub fn csv_line(text: &[u8], byte: u64) -> usize {
    let (before, from) = text.split_at(usize::try_from(byte).map_or(0, |byte| byte.min(text.len())));
    let skipped = from.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    1 + before.iter().chain(skipped).filter(|byte| **byte == b'\n').count()
}

/// What is most often between the headings, in the first line: spreadsheets of many countries write semicolons, and
/// copied cells have tabs between them. The comma if nothing is.
pub fn csv_separator(text: &[u8]) -> u8 {
    let headings = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let cells = |separator: &u8| headings.split(|byte| byte == separator).count();
    // Of several maxima, `max_by_key` takes the last.
    [b'\t', b';', b','].into_iter().max_by_key(cells).unwrap_or(b',')
}

/// The length of the first cell of `text` as written; `None` if its quotation mark is not closed, neither up to the
/// end of the text nor in its own row: then the mark that begins a cell of a later row closes it, and more follows.
pub fn csv_cell_length(text: &str, separator: char) -> Option<usize> {
    let quoted = if text.starts_with('"') { quoted_length(text)? } else { 0 };
    let rest = &text[quoted..];
    let is_over = rest.trim_start_matches(' ').starts_with([separator, '\r', '\n']) || rest.trim().is_empty();
    if text[..quoted].contains('\n') && !is_over {
        return None;
    }
    let end = rest.find([separator, '\n']).unwrap_or(rest.len());
    // The CR of a line end is not part of the cell.
    let line_end = usize::from(rest[end..].starts_with('\n') && rest[..end].ends_with('\r'));
    Some(quoted + end - line_end)
}

/// The length from a quotation mark to its closing one; two in a row are one in the cell.
fn quoted_length(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        at += text[at..].find('"')? + 1;
        if !text[at..].starts_with('"') {
            return Some(at);
        }
        at += 1;
    }
}

/// The line, from 1, of the first quotation mark that is not closed. A reader would take all that follows for one cell.
pub fn csv_unclosed(text: &str, separator: char) -> Option<usize> {
    let mut rest = text;
    while !rest.is_empty() {
        let Some(length) = csv_cell_length(rest, separator) else {
            return Some(1 + text[..text.len() - rest.len()].matches('\n').count());
        };
        rest = &rest[length..];
        let end = ["\r\n", "\n"].into_iter().find(|end| rest.starts_with(end)).map_or(separator.len_utf8(), str::len);
        rest = rest.get(end..).unwrap_or_default();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_count_and_quoted_ones_do_not_begin_a_record() {
        let text = b"a,b\n\r\n\n\"x\ny\",1\n\n2,3\n";
        let mut reader = csv::Reader::from_reader(text.as_slice());
        let records = reader.records().map(|record| record.unwrap());
        let lines = records.map(|record| csv_line(text, record.position().unwrap().byte()));
        assert_eq!(lines.collect::<Vec<_>>(), [4, 7]);
    }

    #[test]
    fn the_line_of_an_unclosed_quotation_mark_is_that_of_the_mark() {
        for (text, line) in [
            ("a,b\r\n\"x\ny\",1\r\n\"say \"\"z\"\"\" ,\"\"\n\"Jim\" Bond,2\nO\"Hara,3", None),
            ("a,b\r\n1,\"Doe, Jane\n2,Roe\n", Some(2)),
            ("a,b\n\"x\ny\",\"\n", Some(3)),
            ("a,b\n1,2\n\"Doe, Jane,1\n\"Roe, Ann\",2\n", Some(3)),
        ] {
            assert_eq!(csv_unclosed(text, ','), line, "{text:?}");
        }
    }

    #[test]
    fn the_most_frequent_separator_of_the_headings_counts() {
        let table: [(&[u8], u8); 5] =
            [(b"a,b;c,d\n1;2;3;4\n", b','), (b"a;b\n1,2;3,4\n", b';'), (b"a\tb", b'\t'), (b"a;b,c", b','), (b"", b',')];
        for (text, separator) in table {
            assert_eq!(csv_separator(text), separator, "{text:?}");
        }
    }
}
