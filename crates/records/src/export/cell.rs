//! CSV cells that a spreadsheet cannot interpret as formulas. All CSV exports use it.

use std::borrow::Cow;

use referee_games::protocol::plain;

/// The first characters of formulas, and their wide forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// `text` as a safe cell of a CSV file.
///
/// Spreadsheets may execute a cell as a formula if it begins with `=`, `+`, `-`, `@` or a wide form of these, even
/// after blanks or in quotes (<https://owasp.org/www-community/attacks/CSV_Injection>). Such a cell gets a leading
/// apostrophe; so does one that begins with an apostrophe, so that programs can remove one from every cell. Control
/// characters, including tab and carriage return, which have the same effect, become escapes. Our own numbers do not
/// need this.
///
/// ```
/// # use referee_records::export::safe_cell;
/// assert_eq!(safe_cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
/// assert_eq!(safe_cell("minimax,depth=3"), "minimax,depth=3");
/// ```
pub fn safe_cell(text: &str) -> Cow<'_, str> {
    let shown = plain(text);
    if shown.trim_start().starts_with(FORMULA) || shown.starts_with('\'') {
        return Cow::Owned(format!("'{shown}"));
    }
    if shown == text { Cow::Borrowed(text) } else { Cow::Owned(shown) }
}

/// A CSV text (RFC 4180, but with LF) of rows whose cells are already safe. Rows may differ in length.
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
}
