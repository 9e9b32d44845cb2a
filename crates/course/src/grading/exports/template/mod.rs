//! Files that a platform hands out for grading, filled in: which student a row belongs to, and the points in a column.
//! `columns` reads the headings of each platform.
//!
//! Only bytes in the chosen column may change, and only in rows that certainly belong to students whose grading is
//! finished. Everybody else must be named in a warning.

mod roster;
mod sheet;

use std::fmt;

pub(super) use self::roster::ListedStudent;
use self::roster::{RosterMatch, match_all};
pub(super) use self::sheet::{CsvSheet, Row, Unclosed};
use crate::grading::{Gradebook, GradingState, StudentGrade};
use referee_games::protocol::quote;
use referee_records::StudentIdentity;
use referee_submissions::agents::SubmissionFault;

/// A file of a platform with points filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledFile {
    /// The whole file.
    pub text: String,
    /// The heading of the filled column.
    pub column: String,
    /// Students without points, and other oddities.
    pub warnings: Vec<TemplateWarning>,
}

/// Why a file cannot be filled in: the user's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// It is not valid CSV.
    #[error("line {line}: unclosed quotation mark: download the file from the platform again")]
    Unclosed {
        /// The line of the quotation mark, counted from 1.
        line: usize,
    },
    /// It has no column for the assignment, or several.
    #[error("expected one column for {}, found {found}: {}", quote(wanted.as_bytes()), column_remedy(columns))]
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
        "expected a file from {platform} with the columns `{}` and `{}` in the first line: download it there again",
        headings[0], headings[1]
    )]
    NoHeadings {
        /// The platform.
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
pub enum TemplateWarning {
    /// No row matches a student.
    NoRow {
        /// The student's name in the run.
        student: String,
        /// What is known of the student beside the name, and was compared.
        known: Vec<&'static str>,
    },
    /// Nothing says who a student is on the platform.
    NotIdentified {
        /// The student's name in the run.
        student: String,
        /// What is needed.
        what: &'static str,
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
    /// A submission may be that of the student, or of another one.
    Undecided {
        /// The student's name in the run.
        student: String,
        /// Why, and what to do.
        why: String,
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
    /// The only column was filled in, whose title is not that of the assignment.
    OtherColumn {
        /// Its heading.
        column: String,
        /// The title of the assignment.
        title: String,
    },
    /// The assignment has another number of points on the platform.
    OtherPoints {
        /// Its points there.
        platform: String,
        /// Its points here.
        here: String,
    },
}

/// A sentence, lower case, without a full stop.
impl fmt::Display for TemplateWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| quote(text.as_bytes());
        match self {
            Self::NoRow { student, known } => {
                match known.as_slice() {
                    [] => write!(f, "no row has {} as id, login, e-mail or name", quoted(student))?,
                    [_, ..] => write!(f, "no row matches {} by {} or name", quoted(student), known.join(", "))?,
                }
                f.write_str(
                    ": if the row is missing, download the file again; else grade again with a `--roster` that has the \
                     id, login or e-mail in the row",
                )
            }
            Self::NotIdentified { student, what } => write!(
                f,
                "no {what} of {} is known: give it with `--roster`, or fill in the platform's own file with \
                 `--template`",
                quoted(student)
            ),
            Self::SeveralRows { student, rows } => {
                let rows: Vec<String> = rows.iter().map(|row| quoted(row)).collect();
                let rows = rows.join(", ");
                write!(
                    f,
                    "several rows match {}: {rows}: grade again with a `--roster` that has the id, login or e-mail in \
                     the row",
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
                write!(f, "the grading of {} is not finished: its cell was not changed", quoted(student))
            }
            Self::Undecided { student, why } => write!(f, "no points for {}: {why}", quoted(student)),
            Self::Kept { row, value } => {
                write!(f, "the cell of {} contains {} and was not changed", quoted(row), quoted(value))
            }
            Self::NotInGradebook { row } => {
                write!(f, "no submission for the row {}: its cell was not changed", quoted(row))
            }
            Self::OtherColumn { column, title } => write!(
                f,
                "filled in the only column, {}, for {}: if it is that of another assignment, download a file with the \
                 right one",
                quoted(column),
                quoted(title)
            ),
            Self::OtherPoints { platform, here } => {
                write!(f, "the maximum points are {} on the platform, but {here} here", quoted(platform))
            }
        }
    }
}

fn column_remedy(columns: &[String]) -> String {
    match columns {
        [] => "add it on the platform and download the file again".to_owned(),
        [_, ..] => format!("name one of {} with `--column TITLE`", columns.join(", ")),
    }
}

/// The rows of a sheet to fill in.
pub(super) struct Rows<'a> {
    /// The students, with the indices of their rows.
    pub(super) people: &'a [(usize, ListedStudent)],
    /// The column with the points.
    pub(super) column: usize,
    /// The indices of rows that the platform has locked.
    pub(super) locked: &'a [usize],
}

/// Fills in the points of every student with a row of their own whose grading is finished.
pub(super) fn fill(
    sheet: &mut CsvSheet<'_>,
    rows: &Rows<'_>,
    gradebook: &Gradebook,
    warnings: &mut Vec<TemplateWarning>,
) {
    let (column, locked) = (rows.column, rows.locked);
    let (rows, people): (Vec<usize>, Vec<ListedStudent>) = rows.people.iter().cloned().unzip();
    let mut is_known = vec![false; people.len()];
    for (student, found) in gradebook.students.iter().zip(match_all(&people, &gradebook.students)) {
        let name = student.name.clone();
        let warning = match found {
            RosterMatch::Nobody => TemplateWarning::NoRow { student: name, known: known_of(student) },
            RosterMatch::Several(fitting) => {
                for &person in &fitting {
                    is_known[person] = true;
                }
                TemplateWarning::SeveralRows {
                    student: name,
                    rows: fitting.iter().map(|&person| people[person].shown()).collect(),
                }
            }
            RosterMatch::Contested(person) => {
                is_known[person] = true;
                TemplateWarning::SeveralStudents { student: name, row: people[person].shown() }
            }
            RosterMatch::Found(person) => {
                is_known[person] = true;
                let row = &mut sheet.rows[rows[person]];
                let value = row.value(column);
                if let Some(warning) = unsettled(student) {
                    warning
                } else if is_kept(&value) || locked.contains(&rows[person]) {
                    TemplateWarning::Kept { row: people[person].shown(), value }
                } else {
                    row.set(column, student.points.to_string());
                    continue;
                }
            }
        };
        warnings.push(warning);
    }
    let unknown = people.iter().zip(is_known).filter(|(person, is_known)| !is_known && !is_test_student(person));
    warnings.extend(unknown.map(|(person, _)| TemplateWarning::NotInGradebook { row: person.shown() }));
}

/// Why no points are entered for a student.
pub(super) fn unsettled(student: &StudentGrade) -> Option<TemplateWarning> {
    let name = student.name.clone();
    match &student.state {
        GradingState::Graded => None,
        GradingState::Unfinished { .. } => Some(TemplateWarning::Unfinished { student: name }),
        GradingState::Rejected { fault, .. } => (fault.code == SubmissionFault::SEVERAL_LINES)
            .then(|| TemplateWarning::Undecided { student: name, why: fault.to_string() }),
    }
}

/// What a platform or a roster says of a student.
fn known_of(student: &StudentGrade) -> Vec<&'static str> {
    let StudentIdentity { id, login, email, .. } = &student.identity;
    let all = [("id", id), ("login", login), ("e-mail", email)];
    all.into_iter().filter(|(_, text)| !text.is_empty()).map(|(what, _)| what).collect()
}

/// Whether a cell marks that there is nothing to grade: excused, or not assigned.
fn is_kept(value: &str) -> bool {
    ["EX", "N/A"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether it is the test student that Canvas makes for teachers.
fn is_test_student(person: &ListedStudent) -> bool {
    ["Student, Test", "Test Student"].contains(&person.name.as_str())
}
