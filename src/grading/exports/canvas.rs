//! Canvas: fills the points into a gradebook exported from Canvas, for import. A pure function; [`super::export_all`]
//! calls it.
//!
//! The format is that of its exporter and importer,
//! <https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_exporter.rb> and `gradebook_importer.rb` beside
//! it: columns `Student` (or `LastName` and `FirstName`), `ID`, `SIS User ID`, `SIS Login ID`, `Section`; assignments
//! as `Title (12345)`, identified by number; rows for manual posting and points possible above the students; cells
//! separated by `,` or `;`.
//!
//! It finds the column and the students; [`super::template`] fills the points in.

use super::template::{CsvSheet, FilledFile, ListedStudent, Row, Rows, TemplateError, TemplateWarning, Unclosed, fill};
use crate::assignment::Points;
use crate::grading::Gradebook;
use crate::protocol::quote;

/// Fills the points of `gradebook` into `template`, an export from Canvas.
///
/// `column` selects the assignment by number, title or whole heading. Without it, the assignment with the gradebook's
/// title is used, or the only one.
///
/// # Errors
///
/// [`TemplateError`].
pub fn canvas(gradebook: &Gradebook, template: &str, column: Option<&str>) -> Result<FilledFile, TemplateError> {
    let mut sheet = read(template)?;
    let header = CanvasHeader::of(&sheet.rows)?;
    let column = header.assignment(column, &gradebook.title)?;
    let mut warnings = Vec::new();
    let mut people = Vec::new();
    for index in header.row + 1..sheet.rows.len() {
        let row = &sheet.rows[index];
        match RowKind::of(row, &header) {
            RowKind::Points => check_points(row, &header, column, gradebook, &mut warnings)?,
            RowKind::Student => people.push((index, header.person(row))),
            RowKind::Other => (),
        }
    }
    let rows = Rows { people: &people, column, locked: &[] };
    fill(&mut sheet, &rows, gradebook, &mut warnings);
    Ok(FilledFile { text: sheet.write(), column: header.headings[column].clone(), warnings })
}

fn read(template: &str) -> Result<CsvSheet<'_>, TemplateError> {
    let unclosed = |Unclosed { line }| TemplateError::Unclosed { line };
    let sheet = CsvSheet::read(template, ',').map_err(unclosed)?;
    if CanvasHeader::of(&sheet.rows).is_ok() {
        return Ok(sheet);
    }
    // Canvas uses `;` if the user's language has a decimal comma.
    CsvSheet::read(template, ';').map_err(unclosed)
}

fn check_points(
    row: &Row<'_>,
    header: &CanvasHeader,
    column: usize,
    gradebook: &Gradebook,
    warnings: &mut Vec<TemplateWarning>,
) -> Result<(), TemplateError> {
    let platform = row.value(column);
    if platform.contains("read only") {
        return Err(TemplateError::ReadOnly(header.headings[column].clone()));
    }
    let here: Points = gradebook.criteria.iter().map(|criterion| criterion.of).sum();
    if platform.replace(',', ".").parse() != Ok(here) {
        let here = here.to_string();
        warnings.push(TemplateWarning::OtherPoints { platform, here });
    }
    Ok(())
}

/// The kind of a row below the headings.
enum RowKind {
    /// The points possible.
    Points,
    /// A student.
    Student,
    /// A blank line, or the remarks about posting grades.
    Other,
}

impl RowKind {
    fn of(row: &Row<'_>, header: &CanvasHeader) -> Self {
        let values = row.values();
        let is_remark = |value: &String| value.is_empty() || value.starts_with("Manual Posting") || value == "Muted";
        if values.first().is_some_and(|first| first.contains("Points Possible")) {
            Self::Points
        } else if values.iter().all(is_remark) || header.person(row) == ListedStudent::default() {
            Self::Other
        } else {
            Self::Student
        }
    }
}

const fn no_headings() -> TemplateError {
    TemplateError::NoHeadings { platform: "Canvas", headings: ["Student", "ID"] }
}

/// The columns by purpose.
struct CanvasHeader {
    /// The index of its row.
    row: usize,
    headings: Vec<String>,
    id: usize,
}

impl CanvasHeader {
    fn of(rows: &[Row<'_>]) -> Result<Self, TemplateError> {
        let row = rows.iter().position(|row| row.values().iter().any(|value| !value.is_empty()));
        let row = row.ok_or_else(no_headings)?;
        let headings = rows[row].values();
        let has = |heading: &str| headings.iter().any(|known| known == heading);
        let id = headings.iter().position(|heading| heading == "ID");
        match id {
            Some(id) if has("Student") || has("LastName") => Ok(Self { row, headings, id }),
            _ => Err(no_headings()),
        }
    }

    fn person(&self, row: &Row<'_>) -> ListedStudent {
        let value = |heading: &str| {
            let column = self.headings.iter().position(|known| known == heading);
            column.map(|column| row.value(column)).unwrap_or_default()
        };
        let name = match (value("LastName"), value("FirstName")) {
            (last, first) if !last.is_empty() && !first.is_empty() => format!("{last}, {first}"),
            (last, first) => value("Student") + &last + &first,
        };
        ListedStudent { name, id: row.value(self.id), other_id: value("SIS User ID"), login: value("SIS Login ID") }
    }

    /// The column of the assignment.
    fn assignment(&self, wanted: Option<&str>, title: &str) -> Result<usize, TemplateError> {
        let assignments: Vec<(usize, &str, &str)> = (0..)
            .zip(&self.headings)
            .filter_map(|(column, heading)| {
                let (title, number) = title_and_number(heading)?;
                Some((column, title, number))
            })
            .collect();
        let fit: Vec<usize> = assignments
            .iter()
            .filter(|(column, known, number)| match wanted {
                Some(wanted) => [self.headings[*column].as_str(), known, number].contains(&wanted.trim()),
                None => known.eq_ignore_ascii_case(title.trim()),
            })
            .map(|(column, _, _)| *column)
            .collect();
        match (fit.as_slice(), assignments.as_slice(), wanted) {
            ([column], _, _) | ([], [(column, _, _)], None) => Ok(*column),
            _ => Err(TemplateError::NoColumn {
                wanted: wanted.unwrap_or(title).to_owned(),
                found: fit.len(),
                columns: assignments.iter().map(|(column, _, _)| quote(self.headings[*column].as_bytes())).collect(),
            }),
        }
    }
}

/// Splits `Title (12345)`.
fn title_and_number(heading: &str) -> Option<(&str, &str)> {
    let (title, number) = heading.strip_suffix(')')?.rsplit_once(" (")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((title, number))
}
