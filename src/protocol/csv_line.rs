//! The line of a CSV record, for messages about files that people write. It parses no CSV; readers of rosters and
//! results call it.

/// The line, from 1, of the record that begins at or behind `byte` of `text`.
///
/// Not [`csv::Position::line`]: a reader takes its position before it skips empty lines.
pub fn csv_line(text: &[u8], byte: u64) -> usize {
    let (before, from) = text.split_at(usize::try_from(byte).map_or(0, |byte| byte.min(text.len())));
    let skipped = from.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    1 + before.iter().chain(skipped).filter(|byte| **byte == b'\n').count()
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
}
