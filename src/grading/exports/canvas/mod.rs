//! Canvas: fills the points into a gradebook exported from Canvas, for import. A pure function; [`super::export_all`]
//! calls it.
//!
//! The format is that of its exporter and importer,
//! <https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_exporter.rb> and `gradebook_importer.rb` beside
//! it: columns `Student` (or `LastName` and `FirstName`), `ID`, `SIS User ID`, `SIS Login ID`, `Section`; assignments
//! as `Title (12345)`, identified by number; rows for manual posting and points possible above the students; cells
//! separated by `,` or `;`.
//!
//! Only bytes in the chosen column may change, and only in rows that certainly belong to students whose grading is
//! finished. Everybody else must be named in a warning.

mod roster;
mod sheet;

use std::fmt;

pub(super) use self::roster::CanvasStudent;
use self::roster::{RosterMatch, match_all};
pub(super) use self::sheet::{CsvSheet, Row, Unclosed};
use crate::assignment::Points;
use crate::grading::{Gradebook, GradingState};
use crate::protocol::quote;

/// A Canvas gradebook with points filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The whole file.
    pub text: String,
    /// The heading of the filled column, with the number of the assignment.
    pub column: String,
    /// Students without points, and other oddities.
    pub warnings: Vec<CanvasWarning>,
}

/// Why a file cannot be filled in: the user's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CanvasError {
    /// It is not valid CSV.
    #[error("line {line}: unclosed quotation mark: export the gradebook from Canvas again")]
    Unclosed {
        /// The line where the row begins, counted from 1.
        line: usize,
    },
    /// It lacks the columns of Canvas.
    #[error(
        "expected the columns `Student` and `ID` in the first line: export the gradebook from Canvas (`Grades`, \
         `Export`)"
    )]
    NoHeader,
    /// It has no column for the assignment, or several.
    #[error("expected one column for {}, found {found}: name one of {}", quote(wanted.as_bytes()), columns.join(", "))]
    NoColumn {
        /// The assignment looked for.
        wanted: String,
        /// The number of matching columns.
        found: usize,
        /// The existing columns, quoted.
        columns: Vec<String>,
    },
    /// It is not the file of the platform.
    #[error(
        "expected a file of {platform} with the columns `{}` and `{}` in the first line: download it there again",
        headings[0], headings[1]
    )]
    NoHeadings {
        /// The platform's name on the command line.
        platform: &'static str,
        /// Two of its headings.
        headings: [&'static str; 2],
    },
    /// Canvas ignores this column.
    #[error("the column {} is read only: name the column of an assignment", quote(.0.as_bytes()))]
    ReadOnly(String),
}

/// A warning for the person who uploads the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CanvasWarning {
    /// No row matches a student.
    NotInCanvas {
        /// The student's name in the run.
        student: String,
    },
    /// No row of another platform matches a student.
    NoRow {
        /// The student's name in the run.
        student: String,
    },
    /// Nothing says who a student is on the platform.
    NotIdentified {
        /// The student's name in the run.
        student: String,
        /// What is needed.
        what: &'static str,
    },
    /// The assignment has another number of points on another platform.
    OtherMaximum {
        /// Its points there.
        platform: String,
        /// Its points here.
        here: String,
    },
    /// Several rows match a student.
    SeveralRows {
        /// The student's name in the run.
        student: String,
        /// The names in the rows.
        rows: Vec<String>,
    },
    /// A row matches several students.
    SeveralStudents {
        /// One of them, by the name in the run.
        student: String,
        /// The name in the row.
        row: String,
    },
    /// The grading of a student is not finished.
    Unfinished {
        /// The student's name in the run.
        student: String,
    },
    /// The student is excused, or does not have the assignment.
    Kept {
        /// The name in the row.
        row: String,
        /// The content of the cell.
        value: String,
    },
    /// No student of the gradebook matches a row.
    NotInGradebook {
        /// The name in the row.
        row: String,
    },
    /// The assignment has another number of points in Canvas.
    OtherPoints {
        /// Its points in Canvas.
        canvas: String,
        /// Its points here.
        here: String,
    },
}

/// A sentence, lower case, without a full stop.
impl fmt::Display for CanvasWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| quote(text.as_bytes());
        match self {
            Self::NotInCanvas { student } => write!(
                f,
                "no row matches {}: name the submission by its Canvas ID, as `12345=DIR`",
                quoted(student)
            ),
            Self::NoRow { student } => write!(
                f,
                "no row matches {}: give the id, login or e-mail with `--roster`",
                quoted(student)
            ),
            Self::NotIdentified { student, what } => write!(
                f,
                "no {what} of {} is known: give it with `--roster`, or fill in the platform's own file with \
                    `--template`",
                quoted(student)
            ),
            Self::OtherMaximum { platform, here } => write!(
                f,
                "the assignment is worth {} points on the platform, but {here} points here",
                quoted(platform)
            ),
            Self::SeveralRows { student, rows } => {
                let rows: Vec<String> = rows.iter().map(|row| quoted(row)).collect();
                let rows = rows.join(", ");
                write!(
                    f,
                    "several rows match {}: {rows}: name the submission by its ID there",
                    quoted(student)
                )
            }
            Self::SeveralStudents { student, row } => write!(
                f,
                "{} and another submission match the row {}: grade only one of them",
                quoted(student),
                quoted(row)
            ),
            Self::Unfinished { student } => {
                write!(
                    f,
                    "the grading of {} is not finished: its cell was not changed",
                    quoted(student)
                )
            }
            Self::Kept { row, value } => write!(
                f,
                "the cell of {} contains {} and was not changed",
                quoted(row),
                quoted(value)
            ),
            Self::NotInGradebook { row } => {
                write!(f, "no submission for the row {}: its cell was not changed", quoted(row))
            }
            Self::OtherPoints { canvas, here } => write!(
                f,
                "the assignment is worth {} points in Canvas, but {here} points here",
                quoted(canvas)
            ),
        }
    }
}

/// Fills the points of `gradebook` into `template`, an export from Canvas.
///
/// `column` selects the assignment by number, title or whole heading. Without it, the assignment with the gradebook's
/// title is used, or the only one.
///
/// # Errors
///
/// [`CanvasError`].
pub fn canvas(gradebook: &Gradebook, template: &str, column: Option<&str>) -> Result<Filled, CanvasError> {
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
    let rows = Rows {
        people: &people,
        column,
        kept: &[],
        is_canvas: true,
    };
    fill(&mut sheet, &rows, gradebook, &mut warnings);
    Ok(Filled {
        text: sheet.write(),
        column: header.headings[column].clone(),
        warnings,
    })
}

fn read(template: &str) -> Result<CsvSheet<'_>, CanvasError> {
    let unclosed = |Unclosed { line }| CanvasError::Unclosed { line };
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
    warnings: &mut Vec<CanvasWarning>,
) -> Result<(), CanvasError> {
    let canvas = row.value(column);
    if canvas.contains("read only") {
        return Err(CanvasError::ReadOnly(header.headings[column].clone()));
    }
    let here: Points = gradebook.criteria.iter().map(|criterion| criterion.of).sum();
    if canvas.replace(',', ".").parse() != Ok(here) {
        let here = here.to_string();
        warnings.push(CanvasWarning::OtherPoints { canvas, here });
    }
    Ok(())
}

/// The rows of a sheet to fill in.
pub(super) struct Rows<'a> {
    /// The students, with the indices of their rows.
    pub(super) people: &'a [(usize, CanvasStudent)],
    /// The column with the points.
    pub(super) column: usize,
    /// Rows that the platform has locked.
    pub(super) kept: &'a [usize],
    /// Whether the sheet is of Canvas.
    pub(super) is_canvas: bool,
}

/// Fills in the points of every student with a row of their own whose grading is finished.
pub(super) fn fill(
    sheet: &mut CsvSheet<'_>,
    rows: &Rows<'_>,
    gradebook: &Gradebook,
    warnings: &mut Vec<CanvasWarning>,
) {
    let (column, locked, is_canvas) = (rows.column, rows.kept, rows.is_canvas);
    let (rows, people): (Vec<usize>, Vec<CanvasStudent>) = rows.people.iter().cloned().unzip();
    let mut is_known = vec![false; people.len()];
    for (student, found) in gradebook.students.iter().zip(match_all(&people, &gradebook.students)) {
        let name = student.name.clone();
        let warning = match found {
            RosterMatch::Nobody if is_canvas => CanvasWarning::NotInCanvas { student: name },
            RosterMatch::Nobody => CanvasWarning::NoRow { student: name },
            RosterMatch::Several(fitting) => {
                for &person in &fitting {
                    is_known[person] = true;
                }
                CanvasWarning::SeveralRows {
                    student: name,
                    rows: fitting.iter().map(|&person| people[person].name.clone()).collect(),
                }
            }
            RosterMatch::Contested(person) => {
                is_known[person] = true;
                CanvasWarning::SeveralStudents {
                    student: name,
                    row: people[person].name.clone(),
                }
            }
            RosterMatch::Found(person) => {
                is_known[person] = true;
                let row = &mut sheet.rows[rows[person]];
                let value = row.value(column);
                if matches!(student.state, GradingState::Unfinished { .. }) {
                    CanvasWarning::Unfinished { student: name }
                } else if is_kept(&value) || locked.contains(&rows[person]) {
                    CanvasWarning::Kept {
                        row: people[person].name.clone(),
                        value,
                    }
                } else {
                    row.set(column, student.points.to_string());
                    continue;
                }
            }
        };
        warnings.push(warning);
    }
    let strangers = people.iter().zip(is_known);
    let strangers = strangers.filter(|(person, is_known)| !is_known && !is_test_student(person));
    warnings.extend(strangers.map(|(person, _)| CanvasWarning::NotInGradebook {
        row: person.name.clone(),
    }));
}

/// Whether a cell marks that there is nothing to grade: excused, or not assigned.
fn is_kept(value: &str) -> bool {
    ["EX", "N/A"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether it is the test student that Canvas makes for teachers.
fn is_test_student(person: &CanvasStudent) -> bool {
    ["Student, Test", "Test Student"].contains(&person.name.as_str())
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
        } else if values.iter().all(is_remark) || header.person(row) == CanvasStudent::default() {
            Self::Other
        } else {
            Self::Student
        }
    }
}

/// The columns by purpose.
struct CanvasHeader {
    /// The index of its row.
    row: usize,
    headings: Vec<String>,
    id: usize,
}

impl CanvasHeader {
    fn of(rows: &[Row<'_>]) -> Result<Self, CanvasError> {
        let row = rows
            .iter()
            .position(|row| row.values().iter().any(|value| !value.is_empty()));
        let row = row.ok_or(CanvasError::NoHeader)?;
        let headings = rows[row].values();
        let has = |heading: &str| headings.iter().any(|known| known == heading);
        let id = headings.iter().position(|heading| heading == "ID");
        match id {
            Some(id) if has("Student") || has("LastName") => Ok(Self { row, headings, id }),
            _ => Err(CanvasError::NoHeader),
        }
    }

    fn person(&self, row: &Row<'_>) -> CanvasStudent {
        let value = |heading: &str| {
            let column = self.headings.iter().position(|known| known == heading);
            column.map(|column| row.value(column)).unwrap_or_default()
        };
        let name = match (value("LastName"), value("FirstName")) {
            (last, first) if !last.is_empty() && !first.is_empty() => format!("{last}, {first}"),
            (last, first) => value("Student") + &last + &first,
        };
        CanvasStudent {
            name,
            id: row.value(self.id),
            sis_user_id: value("SIS User ID"),
            sis_login_id: value("SIS Login ID"),
        }
    }

    /// The column of the assignment.
    fn assignment(&self, wanted: Option<&str>, title: &str) -> Result<usize, CanvasError> {
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
            _ => Err(CanvasError::NoColumn {
                wanted: wanted.unwrap_or(title).to_owned(),
                found: fit.len(),
                columns: assignments
                    .iter()
                    .map(|(column, _, _)| quote(self.headings[*column].as_bytes()))
                    .collect(),
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
