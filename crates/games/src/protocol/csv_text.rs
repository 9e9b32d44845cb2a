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
    fn the_most_frequent_separator_of_the_headings_counts() {
        let table: [(&[u8], u8); 5] =
            [(b"a,b;c,d\n1;2;3;4\n", b','), (b"a;b\n1,2;3,4\n", b';'), (b"a\tb", b'\t'), (b"a;b,c", b','), (b"", b',')];
        for (text, separator) in table {
            assert_eq!(csv_separator(text), separator, "{text:?}");
        }
    }
}
