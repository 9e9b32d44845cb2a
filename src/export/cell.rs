//! Cells of CSV files that a spreadsheet takes for what they are.

use std::borrow::Cow;

use crate::protocol::plain;

/// What makes a spreadsheet take a cell for a formula, and the wide forms of the same.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// `text` as the cell of a CSV file.
///
/// Spreadsheets take a cell that begins with `=`, `+`, `-`, `@` or one of their wide forms, also behind blanks and
/// however it is quoted, for a formula and may run it (<https://owasp.org/www-community/attacks/CSV_Injection>), so an
/// apostrophe is put before it; and before a cell that begins with one, so that whoever reads the file with a program
/// takes one apostrophe off the front of a cell. Control characters, the tab and the carriage return that trigger the
/// same among them, become escapes. Numbers of our own making do not go through here.
///
/// ```
/// # use referee::export::safe_cell;
/// assert_eq!(safe_cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
/// assert_eq!(safe_cell("minimax,depth=3"), "minimax,depth=3");
/// ```
pub fn safe_cell(text: &str) -> Cow<'_, str> {
    let shown = plain(text);
    if shown.trim_start().starts_with(FORMULA) || shown.starts_with('\'') {
        return Cow::Owned(format!("'{shown}"));
    }
    if shown == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(shown)
    }
}

/// A whole CSV text (RFC 4180, but with LF alone) of rows whose cells are safe already. Rows may have different
/// lengths.
pub fn csv_text<R: AsRef<[u8]>>(rows: impl IntoIterator<Item = impl IntoIterator<Item = R>>) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("memory takes everything");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_are_guarded() {
        for (cell, expected) in [
            ("=1+1", "'=1+1"),
            ("  @SUM(A1)", "'  @SUM(A1)"),
            ("-1", "'-1"),
            ("'quoted", "''quoted"),
            ("\t=1", r"\t=1"),
            ("ada", "ada"),
        ] {
            assert_eq!(safe_cell(cell), expected);
        }
    }

    proptest! {
        #[test]
        fn no_cell_is_a_formula_and_each_can_be_had_back(cell in "[=+@'a\u{ff1d} -]{0,8}|\\PC{0,8}|.*") {
            let safe = safe_cell(&cell);
            prop_assert!(!safe.trim_start().starts_with(FORMULA));
            let back = safe.strip_prefix('\'').unwrap_or(&safe);
            prop_assert_eq!(back, plain(&cell));
        }

        #[test]
        fn every_row_comes_back(names in proptest::collection::vec(".*", 1..5)) {
            let cells: Vec<_> = names.iter().map(|name| safe_cell(name).into_owned()).collect();
            let text = csv_text([&cells]);
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
            let read: Vec<String> = reader.records().next().unwrap().unwrap().iter().map(str::to_owned).collect();
            prop_assert_eq!(&read, &cells);
        }
    }

    #[test]
    fn quotes_and_commas_are_quoted() {
        assert_eq!(csv_text([["a\"b", "c,d", "e"]]), "\"a\"\"b\",\"c,d\",e\n");
    }
}
