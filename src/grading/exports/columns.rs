//! The grade column of Brightspace, Moodle and Blackboard: filled into the file that the platform itself hands out for
//! offline grading, or, where the platform takes one, in a new file. Pure functions; [`super::export_all`] calls them.
//!
//! The formats, and where they are described:
//! - Brightspace (*Grades*, *Export* and *Import*): `OrgDefinedId` or `Username` or both (*Key Field*), names, one
//!   column `Item Points Grade <Numeric MaxPoints:100 Weight:10 Category:HW>` for each item, `End-of-Line Indicator`;
//!   ids and usernames begin with `#`, and each line ends in `#`. A new file needs only `OrgDefinedId`, the item and
//!   the end of line. D2L, *Importing grades*, and *Grades sample import file* there.
//! - Moodle, the grading worksheet of an assignment (*Download grading worksheet*, *Upload grading worksheet*):
//!   `Identifier` (`Participant 123`), `Full name` and `Email address` unless the assignment is anonymous, `Grade`,
//!   `Maximum grade`, `Grade can be changed`, `Last modified (grade)`; Moodle refuses a file without the last one, and
//!   older versions write `Maximum Grade`. A new file is for *Import* of the gradebook,
//!   which maps `Email address` to the student. Moodle, `mod/assign/feedback/offline/importgradeslib.php` and
//!   `mod/assign/gradingtable.php`.
//! - Blackboard (*Work Offline*, *Download* and *Upload*): `Last Name`, `First Name`, `Username`, for the whole Grade
//!   Center also `Student ID`, and `Item [Total Pts: 100 Score] |12345`, where points may be `up to 100`; separated by
//!   commas, or by tabs in UTF-16; older sites leave out `Score`. Blackboard finds a student by the username alone and
//!   the item by the number in its heading; without it, it makes a column of text, so a new file is not possible. The
//!   filled file is in UTF-8, as scripts of Blackboard's users upload it. Blackboard Help, *Uploading or Downloading
//!   Grade Center Items for Working Offline*.
//!
//! It finds the column and the students; [`super::template`] fills the points in.

use super::template::{CsvSheet, FilledFile, ListedStudent, Row, Rows, TemplateError, TemplateWarning, Unclosed, fill};
use crate::assignment::Points;
use crate::export::{csv_text, safe_cell};
use crate::grading::{Gradebook, GradingState, StudentGrade};
use crate::protocol::quote;

/// A platform whose gradebook has a column for the assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradeColumn {
    /// <https://www.d2l.com/brightspace>.
    Brightspace,
    /// <https://moodle.org>.
    Moodle,
    /// <https://www.blackboard.com>.
    Blackboard,
}

impl GradeColumn {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Brightspace, Self::Moodle, Self::Blackboard];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brightspace => "brightspace",
            Self::Moodle => "moodle",
            Self::Blackboard => "blackboard",
        }
    }

    /// Its name for people.
    const fn title(self) -> &'static str {
        match self {
            Self::Brightspace => "Brightspace",
            Self::Moodle => "Moodle",
            Self::Blackboard => "Blackboard",
        }
    }

    /// The headings that identify its file. That of Brightspace may have `Username` instead of the first.
    const fn headings(self) -> [&'static str; 2] {
        match self {
            Self::Brightspace => ["OrgDefinedId", "End-of-Line Indicator"],
            Self::Moodle => ["Identifier", "Grade"],
            Self::Blackboard => ["Last Name", "Username"],
        }
    }

    fn has_headings(self, found: &[String]) -> bool {
        let has = |wanted: &str| place(found, wanted).is_some();
        let [first, second] = self.headings();
        let has_first = has(first) || self == Self::Brightspace && has("Username");
        has_first && has(second)
    }

    /// The platform that handed out this file; `None` if it is none of them.
    ///
    /// ```
    /// use referee::grading::exports::GradeColumn;
    ///
    /// let worksheet = "Identifier,\"Full name\",\"Email address\",Status,Grade\n";
    /// assert_eq!(GradeColumn::of_template(worksheet), Some(GradeColumn::Moodle));
    /// ```
    pub fn of_template(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|platform| platform.sheet(text).is_ok())
    }

    /// The rows of its file, the headings first, and the delimiter.
    fn sheet(self, text: &str) -> Result<CsvSheet<'_>, TemplateError> {
        let missing = || TemplateError::NoHeadings { platform: self.title(), headings: self.headings() };
        for delimiter in [',', '\t', ';'] {
            let sheet = CsvSheet::read(text, delimiter).map_err(|Unclosed { line }| TemplateError::Unclosed { line });
            let Ok(sheet) = sheet else { continue };
            if self.has_headings(&sheet.rows.first().map(Row::values).unwrap_or_default()) {
                return Ok(sheet);
            }
        }
        Err(missing())
    }

    /// The title of the item whose points this column has; `None` if it is another column.
    fn item(self, heading: &str) -> Option<&str> {
        let title = match self {
            Self::Brightspace => heading.split_once(" Points Grade").map(|(title, _)| title),
            Self::Moodle => (heading == "Grade").then_some(heading),
            Self::Blackboard => heading.split_once(" [Total Pts:").map(|(title, _)| title),
        };
        title.map(str::trim)
    }

    /// The maximum in a heading or a row; empty if there is none.
    fn maximum(self, heading: &str) -> &str {
        let number = |text: &str| text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let after = match self {
            Self::Brightspace => heading.split_once("MaxPoints:").map(|(_, after)| after.trim_start()),
            Self::Blackboard => {
                heading.split_once("[Total Pts:").map(|(_, after)| after.trim_start().trim_start_matches("up to "))
            }
            Self::Moodle => None,
        };
        after.map_or("", |after| &after[..number(after)])
    }

    fn person(self, value: &impl Fn(&str) -> String) -> ListedStudent {
        let bare = |heading| value(heading).trim_start_matches('#').to_owned();
        let name = || match (value("Last Name"), value("First Name")) {
            (last, first) if !last.is_empty() && !first.is_empty() => format!("{last}, {first}"),
            (last, first) => last + &first,
        };
        match self {
            Self::Brightspace => ListedStudent {
                name: name(),
                id: bare("OrgDefinedId"),
                other_id: value("Email"),
                login: bare("Username"),
            },
            Self::Moodle => ListedStudent {
                name: Some(value("Full name")).filter(|name| !name.is_empty()).unwrap_or_else(|| value("Identifier")),
                id: value("Identifier"),
                other_id: value("Email address"),
                login: value("ID number"),
            },
            Self::Blackboard => ListedStudent {
                name: name(),
                id: value("Student ID"),
                other_id: String::new(),
                login: value("Username"),
            },
        }
    }
}

/// Fills the points into `template`, a file that `platform` handed out. `wanted` selects the item by title or heading;
/// without it, that with the gradebook's title is used, or the only one.
///
/// # Errors
///
/// [`TemplateError`].
pub fn grade_column(
    platform: GradeColumn,
    gradebook: &Gradebook,
    template: &str,
    wanted: Option<&str>,
) -> Result<FilledFile, TemplateError> {
    let mut sheet = platform.sheet(template)?;
    let headings = sheet.rows[0].values();
    let column = column(platform, &headings, wanted, &gradebook.title)?;
    let mut people = Vec::new();
    let mut locked = Vec::new();
    for (index, row) in sheet.rows.iter().enumerate().skip(1) {
        let value = |heading: &str| place(&headings, heading).map_or_else(String::new, |column| row.value(column));
        let person = platform.person(&value);
        if person != ListedStudent::default() {
            people.push((index, person));
        }
        if platform == GradeColumn::Moodle && value("Grade can be changed").eq_ignore_ascii_case("no") {
            locked.push(index);
        }
    }
    let mut warnings = Vec::new();
    let here: Points = gradebook.criteria.iter().map(|criterion| criterion.of).sum();
    let maximum = match (place(&headings, "Maximum grade"), sheet.rows.get(1)) {
        (Some(column), Some(row)) => row.value(column),
        _ => platform.maximum(&headings[column]).to_owned(),
    };
    if !maximum.is_empty() && maximum.replace(',', ".").parse() != Ok(here) {
        warnings.push(TemplateWarning::OtherPoints { platform: maximum, here: here.to_string() });
    }
    let rows = Rows { people: &people, column, locked: &locked };
    fill(&mut sheet, &rows, gradebook, &mut warnings);
    Ok(FilledFile { text: sheet.write(), column: headings[column].clone(), warnings })
}

/// The column with this heading; platforms have changed the case of some.
fn place(headings: &[String], wanted: &str) -> Option<usize> {
    headings.iter().position(|known| known.eq_ignore_ascii_case(wanted))
}

fn column(
    platform: GradeColumn,
    headings: &[String],
    wanted: Option<&str>,
    title: &str,
) -> Result<usize, TemplateError> {
    let items = headings.iter().enumerate();
    let items: Vec<(usize, &str)> = items.filter_map(|(at, heading)| Some((at, platform.item(heading)?))).collect();
    let fits = |(at, item): &&(usize, &str)| match wanted {
        Some(wanted) => headings[*at] == wanted || item.eq_ignore_ascii_case(wanted.trim()),
        None => item.eq_ignore_ascii_case(title.trim()),
    };
    let fit: Vec<usize> = items.iter().filter(fits).map(|(at, _)| *at).collect();
    match (fit.as_slice(), items.as_slice(), wanted) {
        ([column], _, _) | ([], [(column, _)], None) => Ok(*column),
        _ => Err(TemplateError::NoColumn {
            wanted: wanted.unwrap_or(title).to_owned(),
            found: fit.len(),
            columns: items.iter().map(|(at, _)| quote(headings[*at].as_bytes())).collect(),
        }),
    }
}

/// A new file with the points of every finished student of whom the roster or the platform says an id (Brightspace) or
/// an e-mail (Moodle).
pub fn new_grade_column(platform: GradeColumn, gradebook: &Gradebook) -> FilledFile {
    let title = safe_cell(&gradebook.title).into_owned();
    let of: Points = gradebook.criteria.iter().map(|criterion| criterion.of).sum();
    let (head, column) = match platform {
        GradeColumn::Brightspace => {
            let item = format!("{title} Points Grade <Numeric MaxPoints:{of}>");
            let head = ["OrgDefinedId".to_owned(), item.clone(), "End-of-Line Indicator".to_owned()];
            (head.to_vec(), item)
        }
        GradeColumn::Moodle | GradeColumn::Blackboard => {
            let head = ["Email address".to_owned(), "Full name".to_owned(), title.clone()];
            (head.to_vec(), title)
        }
    };
    let mut rows = vec![head];
    let mut warnings = Vec::new();
    for student in &gradebook.students {
        match row(platform, student) {
            Ok(row) => rows.push(row),
            Err(warning) => warnings.push(warning),
        }
    }
    FilledFile { text: csv_text(rows), column, warnings }
}

fn row(platform: GradeColumn, student: &StudentGrade) -> Result<Vec<String>, TemplateWarning> {
    let name = student.name.clone();
    if matches!(student.state, GradingState::Unfinished { .. }) {
        return Err(TemplateWarning::Unfinished { student: name });
    }
    let points = student.points.to_string();
    let identity = &student.identity;
    let (known, what) = match platform {
        GradeColumn::Brightspace => (&identity.id, "id"),
        GradeColumn::Moodle | GradeColumn::Blackboard => (&identity.email, "e-mail"),
    };
    if known.is_empty() {
        return Err(TemplateWarning::NotIdentified { student: name, what });
    }
    let known = safe_cell(known).into_owned();
    Ok(match platform {
        GradeColumn::Brightspace => vec![format!("#{known}"), points, "#".to_owned()],
        GradeColumn::Moodle | GradeColumn::Blackboard => vec![known, safe_cell(&name).into_owned(), points],
    })
}
