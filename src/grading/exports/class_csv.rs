//! `gradebook.csv`: the class for a spreadsheet.
//!
//! What must always hold: no cell is a formula. A spreadsheet takes a cell for one whose first character is `=`, `+`, `-`,
//! `@` or one of their wide forms, also behind blanks, however the cell is quoted
//! (<https://owasp.org/www-community/attacks/CSV_Injection>); such a cell, and one that begins with an apostrophe, gets an
//! apostrophe before it. So whoever reads the file with a program takes one apostrophe off the front of a cell.

use crate::grading::feedback::{earned, remark};
use crate::grading::{Gradebook, State, StudentGrade};
use crate::protocol::plain;

/// One row a student: name, total, each part of the grade by its name, state (`graded`, `unfinished`, `rejected`), and a
/// summary of the reasons; lines end in LF.
pub fn class_csv(gradebook: &Gradebook) -> String {
    let parts = gradebook.criteria.iter().map(|criterion| criterion.name.clone());
    let head: Vec<String> = ["student", "total"]
        .map(str::to_owned)
        .into_iter()
        .chain(parts)
        .chain(["state".to_owned(), "reasons".to_owned()])
        .collect();
    let rows = gradebook.students.iter().map(row);
    csv_text(
        std::iter::once(head)
            .chain(rows)
            .map(|row| row.iter().map(|cell| guarded(cell)).collect()),
    )
}

fn row(student: &StudentGrade) -> Vec<String> {
    let state = match &student.state {
        State::Graded => "graded",
        State::Unfinished { .. } => "unfinished",
        State::Rejected { .. } => "rejected",
    };
    let parts = student.criteria.iter().map(|items| earned(items).to_string());
    [student.name.clone(), student.points.to_string()]
        .into_iter()
        .chain(parts)
        .chain([state.to_owned(), remark(student)])
        .collect()
}

/// A cell that no spreadsheet computes.
fn guarded(cell: &str) -> String {
    let cell = plain(cell);
    let is_formula = cell
        .trim_start()
        .starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    if is_formula || cell.starts_with('\'') {
        format!("'{cell}")
    } else {
        cell
    }
}

/// Rows of cells as CSV, quoted where they have to be.
pub(super) fn csv_text(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).expect("writing to memory does not fail");
    }
    let bytes = writer.into_inner().expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("the cells are texts")
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
            assert_eq!(guarded(cell), expected);
        }
    }

    proptest! {
        #[test]
        fn no_cell_is_a_formula_and_each_can_be_had_back(cell in "[=+@'a\u{ff1d} -]{0,8}|\\PC{0,8}") {
            let guarded = guarded(&cell);
            let is_formula = guarded.trim_start().starts_with(['=', '+', '-', '@', '\u{ff1d}']);
            prop_assert!(!is_formula);
            let back = guarded.strip_prefix('\'').unwrap_or(&guarded);
            prop_assert_eq!(back, plain(&cell));
        }
    }
}
