//! The gradebook exported from Canvas, with the points filled in for import: what [`super::columns`] must know of it.
//!
//! The format is that of its exporter and importer,
//! <https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_exporter.rb> and `gradebook_importer.rb` beside
//! it: columns `Student` (or `LastName` and `FirstName`), `ID`, `SIS User ID`, `SIS Login ID`, `Section`; assignments
//! as `Title (12345)`, identified by number; rows for manual posting and points possible above the students; cells
//! separated by `,` or `;`.
//!
//! Unlike other platforms' files, it has rows that belong to no student.

use super::template::{ListedStudent, Row};

/// The row with the points possible.
pub(super) fn is_points_row(row: &Row<'_>) -> bool {
    row.value(0).contains("Points Possible")
}

/// A blank line, or the remarks about posting grades.
pub(super) fn is_remark(row: &Row<'_>) -> bool {
    let is_remark = |value: &String| value.is_empty() || value.starts_with("Manual Posting") || value == "Muted";
    row.values().iter().all(is_remark)
}

/// The student in a row with these values by heading.
pub(super) fn person(value: &impl Fn(&str) -> String) -> ListedStudent {
    let name = match (value("LastName"), value("FirstName")) {
        (last, first) if !last.is_empty() && !first.is_empty() => format!("{last}, {first}"),
        (last, first) => value("Student") + &last + &first,
    };
    ListedStudent { name, id: value("ID"), other_id: value("SIS User ID"), login: value("SIS Login ID") }
}

/// Splits `Title (12345)`.
pub(super) fn title_and_number(heading: &str) -> Option<(&str, &str)> {
    let (title, number) = heading.strip_suffix(')')?.rsplit_once(" (")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((title, number))
}
