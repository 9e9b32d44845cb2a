//! A CSV file that preserves every unchanged byte.
//!
//! A CSV library forgets the quoting of cells and the line ends. Everything from a platform that we do not change must
//! stay the same.

use std::borrow::Cow;

use referee_games::protocol::csv_cell_length;

/// The rows of a CSV file, with cells as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::grading::exports) struct CsvSheet<'a> {
    mark: &'a str,
    delimiter: char,
    /// From the top; a blank line is a row with one empty cell.
    pub(in crate::grading::exports) rows: Vec<Row<'a>>,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::grading::exports) struct Row<'a> {
    cells: Vec<Cow<'a, str>>,
    end: &'a str,
}

/// A quotation mark in this line, counted from 1, that is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::grading::exports) struct Unclosed {
    pub(in crate::grading::exports) line: usize,
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

impl<'a> CsvSheet<'a> {
    /// Parses `text` with cells separated by `delimiter`.
    pub(in crate::grading::exports) fn read(text: &'a str, delimiter: char) -> Result<Self, Unclosed> {
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mark = &text[..text.len() - body.len()];
        let mut rows = Vec::new();
        let mut rest = body;
        while !rest.is_empty() {
            let row;
            (row, rest) = read_row(rest, delimiter).map_err(|from| {
                let line = 1 + body[..body.len() - from.len()].matches('\n').count();
                Unclosed { line }
            })?;
            rows.push(row);
        }
        Ok(Self { mark, delimiter, rows })
    }

    /// The sheet as text; unchanged cells as they were read.
    pub(in crate::grading::exports) fn write(&self) -> String {
        let mut text = self.mark.to_owned();
        for row in &self.rows {
            for (index, cell) in row.cells.iter().enumerate() {
                if index > 0 {
                    text.push(self.delimiter);
                }
                text.push_str(cell);
            }
            text.push_str(row.end);
        }
        text
    }
}

/// The first row of `text`, and what follows it; or the text from an unclosed quotation mark on.
fn read_row(text: &str, delimiter: char) -> Result<(Row<'_>, &str), &str> {
    let mut cells = Vec::new();
    let mut rest = text;
    loop {
        let length = csv_cell_length(rest, delimiter).ok_or(rest)?;
        let (cell, after) = rest.split_at(length);
        cells.push(Cow::Borrowed(cell));
        if let Some(after) = after.strip_prefix(delimiter) {
            rest = after;
            continue;
        }
        let end = ["\r\n", "\n", ""].into_iter().find(|end| after.starts_with(end));
        let end = &after[..end.map_or(0, str::len)];
        return Ok((Row { cells, end }, &after[end.len()..]));
    }
}

impl Row<'_> {
    /// The content of the cell in this column, trimmed; empty if the row has no such column.
    pub(in crate::grading::exports) fn value(&self, column: usize) -> String {
        let raw = self.cells.get(column).map_or("", Cow::as_ref).trim();
        match raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) {
            Some(inner) => inner.replace("\"\"", "\"").trim().to_owned(),
            None => raw.to_owned(),
        }
    }

    /// The contents of all cells.
    pub(in crate::grading::exports) fn values(&self) -> Vec<String> {
        (0..self.cells.len()).map(|column| self.value(column)).collect()
    }

    /// Sets a column to `value`, which must not need quoting, and quotes it if the cell was quoted; adds empty cells
    /// before it if missing.
    pub(in crate::grading::exports) fn set(&mut self, column: usize, value: String) {
        while self.cells.len() <= column {
            self.cells.push(Cow::Borrowed(""));
        }
        let is_quoted = self.cells[column].trim_start().starts_with('"');
        self.cells[column] = Cow::Owned(if is_quoted { format!("\"{value}\"") } else { value });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cells_are_read_as_they_are_meant() {
        let text = "\u{feff}Student,ID\r\n\"Doe, \"\"J\"\"\",  7 \r\n\n\"two\nlines\",x";
        let sheet = CsvSheet::read(text, ',').unwrap();
        let values: Vec<_> = sheet.rows.iter().map(Row::values).collect();
        assert_eq!(values[0], ["Student", "ID"]);
        assert_eq!(values[1], ["Doe, \"J\"", "7"]);
        assert_eq!(values[2], [""]);
        assert_eq!(values[3], ["two\nlines", "x"]);
        assert_eq!(CsvSheet::read("a\n\"b,c\n", ','), Err(Unclosed { line: 2 }));
        let swallowed_row = "a,b\n\"x\ny\",\"z,1\n\"Roe, Ann\",2\n";
        assert_eq!(CsvSheet::read(swallowed_row, ','), Err(Unclosed { line: 3 }));
    }

    #[test]
    fn a_quoted_cell_stays_quoted_and_one_beyond_the_end_of_its_row_is_made() {
        let mut sheet = CsvSheet::read("\"\",b\r\nc\r\n", ',').unwrap();
        for (row, column) in [(0, 0), (0, 1), (1, 2)] {
            sheet.rows[row].set(column, "9".to_owned());
        }
        assert_eq!(sheet.write(), "\"9\",9\r\nc,,9\r\n");
    }

    proptest! {
        #[test]
        fn what_was_read_is_written_byte_for_byte(text in "\u{feff}?[a,;\"\r\n ]{0,40}") {
            for delimiter in [',', ';'] {
                if let Ok(sheet) = CsvSheet::read(&text, delimiter) {
                    prop_assert_eq!(sheet.write(), &*text);
                }
            }
        }

        #[test]
        fn cells_are_those_of_the_csv_library(
            rows in prop::collection::vec(prop::collection::vec("[a,\"\n é]{1,6}", 2..5), 1..5),
        ) {
            let text = referee_records::export::csv_text(rows.iter().cloned());
            let sheet = CsvSheet::read(&text, ',').unwrap();
            let read: Vec<_> = sheet.rows.iter().map(Row::values).collect();
            let trimmed = |row: &Vec<String>| row.iter().map(|cell| cell.trim().to_owned()).collect();
            let expected: Vec<Vec<_>> = rows.iter().map(trimmed).collect();
            prop_assert_eq!(read, expected);
        }
    }
}
