//! Cells of CSV files that a spreadsheet takes for what they are.

use std::borrow::Cow;

use crate::protocol::plain;

/// `text` as the cell of a CSV file.
///
/// Spreadsheets take a cell that begins with `=`, `+`, `-` or `@` for a formula and may run it, so an apostrophe is put
/// before it: what OWASP advises against "CSV injection". Control characters, the tab and the carriage return that
/// trigger the same among them, become escapes. Numbers of our own making do not go through here.
///
/// ```
/// # use referee::export::safe_cell;
/// assert_eq!(safe_cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
/// assert_eq!(safe_cell("minimax,depth=3"), "minimax,depth=3");
/// ```
pub fn safe_cell(text: &str) -> Cow<'_, str> {
    let shown = plain(text);
    if shown.starts_with(['=', '+', '-', '@']) {
        return Cow::Owned(format!("'{shown}"));
    }
    if shown == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(shown)
    }
}

/// A whole CSV text (RFC 4180, but with LF alone) of rows whose cells are safe already.
pub fn csv_text<R: AsRef<[u8]>>(rows: impl IntoIterator<Item = impl IntoIterator<Item = R>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer
            .write_record(row)
            .expect("memory takes everything, and rows of a table have the same length");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_cell_begins_a_formula_and_every_cell_comes_back(names in proptest::collection::vec(".*", 1..5)) {
            let cells: Vec<_> = names.iter().map(|name| safe_cell(name).into_owned()).collect();
            let text = csv_text([&cells]);
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
            let read: Vec<String> = reader.records().next().unwrap().unwrap().iter().map(str::to_owned).collect();
            prop_assert_eq!(&read, &cells);
            for cell in &read {
                prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']));
            }
        }
    }

    #[test]
    fn quotes_and_commas_are_quoted() {
        assert_eq!(csv_text([["a\"b", "c,d", "e"]]), "\"a\"\"b\",\"c,d\",e\n");
    }
}
