//! The grade column of Canvas, Brightspace, Moodle and Blackboard: filled into the file that the platform itself hands
//! out for offline grading, or, where the platform takes one, in a new file. Pure functions; [`super::export_all`]
//! calls them.
//!
//! The formats, and where they are described (that of Canvas: [`super::canvas`]):
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

use super::canvas;
use super::template::{CsvSheet, FilledFile, ListedStudent, Row, Rows, TemplateError, Unclosed, fill, unsettled};
use crate::assignment::Points;
use crate::grading::{Gradebook, StudentGrade};
use referee_games::protocol::quote;
use referee_records::export::{csv_text, safe_cell};

/// A platform whose gradebook has a column for the assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradeColumn {
    /// <https://www.instructure.com/canvas>.
    Canvas,
    /// <https://www.d2l.com/brightspace>.
    Brightspace,
    /// <https://moodle.org>.
    Moodle,
    /// <https://www.blackboard.com>.
    Blackboard,
}

impl GradeColumn {
    /// All of them.
    const ALL: [Self; 4] = [Self::Canvas, Self::Brightspace, Self::Moodle, Self::Blackboard];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Canvas => "canvas",
            Self::Brightspace => "brightspace",
            Self::Moodle => "moodle",
            Self::Blackboard => "blackboard",
        }
    }

    /// The file that it must fill in, and how to name it; `None` if a new one will do.
    pub(super) const fn needed_file(self) -> Option<&'static str> {
        match self {
            Self::Canvas => Some("a gradebook exported from Canvas: name it with `--canvas`"),
            Self::Blackboard => Some("a file downloaded from Blackboard: name it with `--template`"),
            Self::Brightspace | Self::Moodle => None,
        }
    }

    /// Its name for people.
    const fn title(self) -> &'static str {
        match self {
            Self::Canvas => "Canvas",
            Self::Brightspace => "Brightspace",
            Self::Moodle => "Moodle",
            Self::Blackboard => "Blackboard",
        }
    }

    /// The headings that identify its file.
    const fn headings(self) -> [&'static str; 2] {
        match self {
            Self::Canvas => ["Student", "ID"],
            Self::Brightspace => ["OrgDefinedId", "End-of-Line Indicator"],
            Self::Moodle => ["Identifier", "Grade"],
            Self::Blackboard => ["Last Name", "Username"],
        }
    }

    /// What its file may have instead of the first heading.
    const fn other_heading(self) -> Option<&'static str> {
        match self {
            Self::Canvas => Some("LastName"),
            Self::Brightspace => Some("Username"),
            Self::Moodle | Self::Blackboard => None,
        }
    }

    /// Whether a file with one column may be filled in there whatever its title is: somebody has chosen the column, or
    /// that of Moodle has no title.
    const fn takes_only_column(self) -> bool {
        match self {
            Self::Canvas | Self::Moodle | Self::Blackboard => true,
            Self::Brightspace => false,
        }
    }

    fn has_headings(self, found: &[String]) -> bool {
        let has = |wanted: &str| place(found, wanted).is_some();
        let [first, second] = self.headings();
        (has(first) || self.other_heading().is_some_and(has)) && has(second)
    }

    /// The platform that handed out this file; `None` if it is none of them.
    ///
    /// ```
    /// use referee_course::grading::exports::GradeColumn;
    ///
    /// let worksheet = "Identifier,\"Full name\",\"Email address\",Status,Grade\n";
    /// assert_eq!(GradeColumn::of_template(worksheet), Some(GradeColumn::Moodle));
    /// ```
    pub fn of_template(text: &str) -> Option<Self> {
        // A fault in a later line is told when the file is filled in.
        let first_line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let of = |text: &str| Self::ALL.into_iter().find(|platform| platform.sheet(text).is_ok());
        of(text).or_else(|| of(first_line))
    }

    /// Its file, and the index of the row with the headings.
    fn sheet(self, text: &str) -> Result<(CsvSheet<'_>, usize), TemplateError> {
        let mut unclosed = None;
        for delimiter in [',', '\t', ';'] {
            match CsvSheet::read(text, delimiter) {
                Err(Unclosed { line }) => unclosed = unclosed.or(Some(line)),
                Ok(sheet) => {
                    let has_headings = |row: &Row<'_>| row.values().iter().any(|value| !value.is_empty());
                    let head = sheet.rows.iter().position(has_headings).unwrap_or_default();
                    if self.has_headings(&sheet.rows.get(head).map(Row::values).unwrap_or_default()) {
                        return Ok((sheet, head));
                    }
                }
            }
        }
        Err(unclosed.map_or_else(
            || TemplateError::NoHeadings { platform: self.title(), headings: self.headings() },
            |line| TemplateError::Unclosed { line },
        ))
    }

    /// The title of the item whose points this column has, and its number if it identifies the item; `None` if it is
    /// another column.
    fn item(self, heading: &str) -> Option<(&str, Option<&str>)> {
        let title = match self {
            Self::Canvas => {
                return canvas::title_and_number(heading).map(|(title, number)| (title, Some(number)));
            }
            Self::Brightspace => heading.split_once(" Points Grade").map(|(title, _)| title),
            Self::Moodle => (heading == "Grade").then_some(heading),
            Self::Blackboard => heading.split_once(" [Total Pts:").map(|(title, _)| title),
        };
        title.map(|title| (title.trim(), None))
    }

    /// The maximum in a heading; empty if there is none.
    fn maximum(self, heading: &str) -> &str {
        let number = |text: &str| text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let after = match self {
            Self::Brightspace => heading.split_once("MaxPoints:").map(|(_, after)| after.trim_start()),
            Self::Blackboard => {
                heading.split_once("[Total Pts:").map(|(_, after)| after.trim_start().trim_start_matches("up to "))
            }
            Self::Canvas | Self::Moodle => None,
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
            Self::Canvas => canvas::person(value),
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

/// Fills the points into `template`, a file that `platform` handed out. `wanted` selects the item by title, heading or
/// number; without it, that with the gradebook's title is used, or the only one, but not of Brightspace.
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
    let (mut sheet, head) = platform.sheet(template)?;
    let headings = sheet.rows[head].values();
    let column = column(platform, &headings, wanted, &gradebook.title)?;
    let mut people = Vec::new();
    let mut locked = Vec::new();
    let mut maximum = platform.maximum(&headings[column]).to_owned();
    for (index, row) in sheet.rows.iter().enumerate().skip(head + 1) {
        let value = |heading: &str| place(&headings, heading).map_or_else(String::new, |column| row.value(column));
        if platform == GradeColumn::Canvas && canvas::is_points_row(row) {
            maximum = row.value(column);
            if maximum.contains("read only") {
                return Err(TemplateError::ReadOnly(headings[column].clone()));
            }
            continue;
        }
        if platform == GradeColumn::Moodle {
            if index == head + 1 {
                maximum = value("Maximum grade");
            }
            if value("Grade can be changed").eq_ignore_ascii_case("no") {
                locked.push(index);
            }
        }
        let person = platform.person(&value);
        let is_remark = platform == GradeColumn::Canvas && canvas::is_remark(row);
        if person != ListedStudent::default() && !is_remark {
            people.push((index, person));
        }
    }
    let mut warnings = Vec::new();
    let is_of_gradebook = |(item, _): (&str, _)| item.eq_ignore_ascii_case(gradebook.title.trim());
    if wanted.is_none()
        && platform != GradeColumn::Moodle
        && !platform.item(&headings[column]).is_some_and(is_of_gradebook)
    {
        let [column, title] = [&headings[column], &gradebook.title].map(|text| quote(text.as_bytes()));
        warnings.push(format!(
            "filled in the only column, {column}, for {title}: if it is that of another assignment, download a file \
             with the right one"
        ));
    }
    let here: Points = gradebook.criteria.iter().map(|criterion| criterion.of).sum();
    if !maximum.is_empty() && maximum.replace(',', ".").parse() != Ok(here) {
        let maximum = quote(maximum.as_bytes());
        warnings.push(format!("the maximum points are {maximum} on the platform, but {here} here"));
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
    let items: Vec<(usize, &str, Option<&str>)> = (0..)
        .zip(headings)
        .filter_map(|(at, heading)| {
            let (title, number) = platform.item(heading)?;
            Some((at, title, number))
        })
        .collect();
    let fits = |(at, item, number): &&(usize, &str, Option<&str>)| match wanted.map(str::trim) {
        Some(wanted) => headings[*at] == wanted || *number == Some(wanted) || item.eq_ignore_ascii_case(wanted),
        None => item.eq_ignore_ascii_case(title.trim()),
    };
    let fit: Vec<usize> = items.iter().filter(fits).map(|(at, ..)| *at).collect();
    match (fit.as_slice(), items.as_slice(), wanted) {
        ([column], _, _) => Ok(*column),
        ([], [(column, ..)], None) if platform.takes_only_column() => Ok(*column),
        _ => Err(TemplateError::NoColumn {
            wanted: wanted.unwrap_or(title).to_owned(),
            found: fit.len(),
            columns: items.iter().map(|(at, ..)| quote(headings[*at].as_bytes())).collect(),
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
        GradeColumn::Moodle | GradeColumn::Canvas | GradeColumn::Blackboard => {
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

/// The row of a student; or why there is none.
fn row(platform: GradeColumn, student: &StudentGrade) -> Result<Vec<String>, String> {
    if let Some(warning) = unsettled(student) {
        return Err(warning);
    }
    let points = student.points.to_string();
    let (known, what) = match platform {
        GradeColumn::Brightspace => (&student.identity.id, "id"),
        GradeColumn::Moodle | GradeColumn::Canvas | GradeColumn::Blackboard => (&student.identity.email, "e-mail"),
    };
    if known.is_empty() {
        return Err(format!(
            "no {what} of {} is known: give it with `--roster`, or fill in the platform's own file with `--template`",
            quote(student.name.as_bytes())
        ));
    }
    let known = safe_cell(known).into_owned();
    Ok(match platform {
        GradeColumn::Brightspace => vec![format!("#{known}"), points, "#".to_owned()],
        GradeColumn::Moodle | GradeColumn::Canvas | GradeColumn::Blackboard => {
            vec![known, safe_cell(&student.name).into_owned(), points]
        }
    })
}
