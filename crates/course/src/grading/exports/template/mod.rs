//! Files that a platform hands out for grading, filled in: which student a row belongs to, and the points in a column.
//! `columns` reads the headings of each platform.
//!
//! Only bytes in the chosen column may change, and only in rows that certainly belong to students whose grading is
//! finished. Everybody else must be named in a warning.

mod roster;
mod sheet;

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
    /// Students without points, and other oddities, for the person who uploads the file: a sentence each, lower case,
    /// without a full stop.
    pub warnings: Vec<String>,
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
pub(super) fn fill(sheet: &mut CsvSheet<'_>, rows: &Rows<'_>, gradebook: &Gradebook, warnings: &mut Vec<String>) {
    let (column, locked) = (rows.column, rows.locked);
    let (rows, people): (Vec<usize>, Vec<ListedStudent>) = rows.people.iter().cloned().unzip();
    let shown = |person: usize| quoted(&people[person].shown());
    let mut is_known = vec![false; people.len()];
    for (student, found) in gradebook.students.iter().zip(match_all(&people, &gradebook.students)) {
        let name = quoted(&student.name);
        warnings.push(match found {
            RosterMatch::Nobody => format!(
                "no row {}: if the row is missing, download the file again; else {WITH_ROSTER}",
                unmatched(&name, student)
            ),
            RosterMatch::Several(fitting) => {
                for &person in &fitting {
                    is_known[person] = true;
                }
                let rows: Vec<String> = fitting.into_iter().map(shown).collect();
                format!("several rows match {name}: {}: {WITH_ROSTER}", rows.join(", "))
            }
            RosterMatch::Contested(person) => {
                is_known[person] = true;
                format!("{name} and another submission match the row {}: grade only one of them", shown(person))
            }
            RosterMatch::Found(person) => {
                is_known[person] = true;
                let row = &mut sheet.rows[rows[person]];
                let value = row.value(column);
                if let Some(warning) = unsettled(student) {
                    warning
                } else if is_kept(&value) || locked.contains(&rows[person]) {
                    format!("the cell of {} contains {} and was not changed", shown(person), quoted(&value))
                } else {
                    row.set(column, student.points.to_string());
                    continue;
                }
            }
        });
    }
    let unknown = people.iter().zip(is_known).filter(|(person, is_known)| !is_known && !is_test_student(person));
    warnings.extend(
        unknown.map(|(person, _)| {
            format!("no submission for the row {}: its cell was not changed", quoted(&person.shown()))
        }),
    );
}

/// What identifies a student in the file.
const WITH_ROSTER: &str = "grade again with a `--roster` that has the id, login or e-mail in the row";

fn quoted(text: &str) -> String {
    quote(text.as_bytes())
}

/// Why no points are entered for a student.
pub(super) fn unsettled(student: &StudentGrade) -> Option<String> {
    let name = quoted(&student.name);
    match &student.state {
        GradingState::Graded => None,
        GradingState::Unfinished { .. } => {
            Some(format!("the grading of {name} is not finished: its cell was not changed"))
        }
        GradingState::Rejected { fault, .. } => {
            (fault.code == SubmissionFault::SEVERAL_LINES).then(|| format!("no points for {name}: {fault}"))
        }
    }
}

/// That no row fits `student`, by what a platform or a roster says, or else by the name alone.
fn unmatched(name: &str, student: &StudentGrade) -> String {
    let StudentIdentity { id, login, email, .. } = &student.identity;
    let all = [("id", id), ("login", login), ("e-mail", email)];
    let known: Vec<&str> = all.into_iter().filter(|(_, text)| !text.is_empty()).map(|(what, _)| what).collect();
    match known.as_slice() {
        [] => format!("has {name} as id, login, e-mail or name"),
        [_, ..] => format!("matches {name} by {} or name", known.join(", ")),
    }
}

/// Whether a cell marks that there is nothing to grade: excused, or not assigned.
fn is_kept(value: &str) -> bool {
    ["EX", "N/A"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether it is the test student that Canvas makes for teachers.
fn is_test_student(person: &ListedStudent) -> bool {
    ["Student, Test", "Test Student"].contains(&person.name.as_str())
}
