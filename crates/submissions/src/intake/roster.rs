//! Reads the roster of a course: who should have handed in. [`super::roster_match`] compares a class with it.
//!
//! A roster is a CSV file with a line for each student, and columns in any order. The gradebook of Canvas is one, too.

use std::collections::BTreeMap;
use std::path::Path;

use super::IntakeError;
use super::roster_line::RosterLine;
use super::submission_time::SubmissionTime;
use referee_games::protocol::{csv_line, csv_separator, csv_unclosed, letters, plain};
use referee_records::read_bounded;

/// Larger than the roster of any course.
const MAX_BYTES: u64 = 16 << 20;

/// What a column says, by the letters and digits of its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RosterColumn {
    Id,
    Login,
    Name,
    FirstName,
    LastName,
    Email,
    Section,
    Group,
    Submitted,
    /// Of the grading worksheet of Moodle, in words.
    LastModified,
    Deadline,
    Extension,
    LateDays,
}

impl RosterColumn {
    /// Whether it says whom a line is about.
    const fn says_who(self) -> bool {
        matches!(self, Self::Id | Self::Login | Self::Name | Self::FirstName | Self::LastName | Self::Email)
    }

    fn of(heading: &str) -> Option<Self> {
        const HEADINGS: [(RosterColumn, &str); 13] = [
            (
                RosterColumn::Id,
                "id studentid sid sisuserid sisid orgdefinedid number studentnumber userid idnumber identifier \
                 rosteridentifier",
            ),
            (RosterColumn::Login, "login username user loginid sisloginid githubusername netid account"),
            (RosterColumn::Name, "name fullname student studentname sortablename displayname"),
            (RosterColumn::FirstName, "firstname givenname forename first"),
            (RosterColumn::LastName, "lastname surname familyname last"),
            (RosterColumn::Email, "email emailaddress mail"),
            (RosterColumn::Section, "section sections class"),
            (RosterColumn::Group, "group groupname groups team"),
            (RosterColumn::Submitted, "submitted submittedat handedin submissiontime"),
            (RosterColumn::LastModified, "lastmodifiedsubmission"),
            (RosterColumn::Deadline, "deadline duedate"),
            (RosterColumn::Extension, "extension"),
            (RosterColumn::LateDays, "latedays freedays latedaysleft"),
        ];
        let heading = letters(heading);
        let known = HEADINGS.iter().find(|(_, names)| names.split(' ').any(|name| name == heading));
        known.map(|(column, _)| *column)
    }
}

/// The lines of the roster in `path`.
pub(super) fn read(path: &Path) -> Result<Vec<RosterLine>, IntakeError> {
    let failed = |problem: String| IntakeError::Roster { path: path.to_owned(), problem };
    let bytes = read_bounded(path, MAX_BYTES).map_err(|error| failed(error.to_string()))?;
    let text =
        String::from_utf8(bytes).map_err(|_| failed("it is not in UTF-8: save it as CSV in UTF-8".to_owned()))?;
    parse(text.trim_start_matches('\u{feff}')).map_err(failed)
}

fn parse(text: &str) -> Result<Vec<RosterLine>, String> {
    if text.trim().is_empty() {
        let expected = "expected headings such as `id`, `name` and `email`, and a line for each student";
        return Err(format!("it is empty: {expected}"));
    }
    let separator = csv_separator(text.as_bytes());
    if let Some(line) = csv_unclosed(text, char::from(separator)) {
        return Err(format!("line {line}: a quotation mark that begins here is not closed: close or remove it"));
    }
    let mut table = csv::ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(text.as_bytes());
    let headings = table.headers().map_err(|error| error.to_string())?.clone();
    let columns: Vec<Option<RosterColumn>> = headings.iter().map(RosterColumn::of).collect();
    if !columns.iter().flatten().any(|column| column.says_who()) {
        let found: Vec<String> = headings.iter().map(|heading| format!("`{}`", plain(heading))).collect();
        return Err(format!(
            "line 1: expected headings such as `id`, `name`, `email`, `section` and `group`, found {}",
            found.join(", ")
        ));
    }
    let is_of_canvas = ["ID", "SIS Login ID"].map(|heading| headings.iter().any(|found| found == heading)) == [true; 2];
    let mut lines = Vec::new();
    for cells in table.records() {
        let cells = cells.map_err(|error| error.to_string())?;
        let row = RosterRow { text, columns: &columns, cells: &cells };
        let line = row.line()?;
        let is_student = !is_of_canvas || !is_no_student(&line.name);
        if is_student && !line.shown().is_empty() {
            lines.push((row.byte(), line));
        }
    }
    if lines.is_empty() {
        return Err("it has no student: expected a line for each".to_owned());
    }
    expect_one_line_each(text.as_bytes(), &lines)?;
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

/// One row of the file, with the columns of its headings.
struct RosterRow<'a> {
    text: &'a str,
    columns: &'a [Option<RosterColumn>],
    cells: &'a csv::StringRecord,
}

impl RosterRow<'_> {
    /// Where it begins in the file.
    fn byte(&self) -> u64 {
        self.cells.position().map_or(0, csv::Position::byte)
    }

    /// A fault of this line.
    fn fault(&self, problem: &str) -> String {
        format!("line {}: {problem}", csv_line(self.text.as_bytes(), self.byte()))
    }

    fn cell(&self, wanted: RosterColumn) -> String {
        let at = self.columns.iter().position(|column| *column == Some(wanted));
        at.and_then(|at| self.cells.get(at)).unwrap_or_default().trim().to_owned()
    }

    /// What `read` makes of a cell, called `name` in messages; `None` if the cell is empty.
    fn read<T>(
        &self,
        column: RosterColumn,
        (name, expected): (&str, &str),
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let cell = self.cell(column);
        if cell.is_empty() {
            return Ok(None);
        }
        let wrong = || self.fault(&format!("`{name}`: expected {expected}, found `{}`", plain(&cell)));
        read(&cell).map(Some).ok_or_else(wrong)
    }

    fn line(&self) -> Result<RosterLine, String> {
        let moment = |text: &str| is_moment(text).then(|| text.to_owned());
        // Moodle writes `-` for those who handed in nothing.
        let last_modified = |text: &str| match text {
            "-" => Some(None),
            text => SubmissionTime::written(text).map(|time| Some(time.iso())),
        };
        let last_modified = self.read(RosterColumn::LastModified, ("last modified", A_TIME_IN_WORDS), last_modified)?;
        let submitted = self.read(RosterColumn::Submitted, ("submitted", A_MOMENT), moment)?;
        let (first_name, last_name) = (self.cell(RosterColumn::FirstName), self.cell(RosterColumn::LastName));
        let parts = format!("{first_name} {last_name}").trim().to_owned();
        let line = RosterLine {
            id: self.cell(RosterColumn::Id),
            login: self.cell(RosterColumn::Login),
            name: Some(self.cell(RosterColumn::Name)).filter(|whole| !whole.is_empty()).unwrap_or(parts),
            first_name,
            last_name,
            email: self.cell(RosterColumn::Email),
            section: self.cell(RosterColumn::Section),
            group: self.cell(RosterColumn::Group),
            submitted: submitted.or(last_modified.flatten()),
            deadline: self.read(RosterColumn::Deadline, ("deadline", A_MOMENT), moment)?,
            extension_minutes: self.read(RosterColumn::Extension, ("extension", A_DURATION), minutes)?,
            late_days: self
                .read(RosterColumn::LateDays, ("late days", "a whole number of days"), |text| text.parse().ok())?,
        };
        if line.deadline.is_some() && line.extension_minutes.is_some() {
            return Err(self.fault("`deadline` and `extension`: keep one of them"));
        }
        Ok(line)
    }
}

/// Whether a row of the gradebook of Canvas has no student of the course: that of the maximum points, and the student
/// that Canvas adds for a teacher to try things with.
fn is_no_student(name: &str) -> bool {
    name.contains("Points Possible") || name == "Student, Test"
}

/// A cell of a line.
type RosterCell = fn(&RosterLine) -> &str;

/// Two lines of one student would be two students, of whom one is missing. Two students may have one name.
fn expect_one_line_each(text: &[u8], lines: &[(u64, RosterLine)]) -> Result<(), String> {
    let columns: [(&str, RosterCell); 3] =
        [("id", |line| &line.id), ("login", |line| &line.login), ("e-mail", |line| &line.email)];
    let mut taken: BTreeMap<(&str, String), u64> = BTreeMap::new();
    for (byte, line) in lines {
        let mut earlier = |column, content: String| {
            let first = *taken.entry((column, content)).or_insert(*byte);
            let places = || format!("lines {} and {}", csv_line(text, first), csv_line(text, *byte));
            (first != *byte).then(places)
        };
        for (column, cell) in columns {
            let cell = cell(line);
            if let Some(places) =
                Some(cell).filter(|cell| !cell.is_empty()).and_then(|cell| earlier(column, cell.to_lowercase()))
            {
                return Err(format!(
                    "{places} have the same {column}, `{}`: keep one line for each student, with its own {column}",
                    plain(cell)
                ));
            }
        }
        if let Some(places) = earlier("line", format!("{line:?}")) {
            return Err(format!(
                "{places} are the same, `{}`: remove one, or tell two students of one name apart by an `id`, `login` \
                 or `email`",
                plain(line.shown())
            ));
        }
    }
    Ok(())
}

const A_MOMENT: &str = "a date and time with its offset from UTC, such as `2026-11-20T23:59:00-08:00`";

const A_TIME_IN_WORDS: &str = "a time such as `Friday, 20 November 2026, 11:45 PM`";

const A_DURATION: &str = "a time such as `2 days`, `36 hours` or `90 min`";

/// Whether it is a time that needs no clock to be understood.
fn is_moment(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok()
}

/// The minutes of `2 days`, `36h` or `90 min`; a bare number counts days.
fn minutes(text: &str) -> Option<u32> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let minutes = match letters(unit).as_str() {
        "" | "d" | "day" | "days" => 24 * 60,
        "h" | "hour" | "hours" => 60,
        "m" | "min" | "minute" | "minutes" => 1,
        _ => return None,
    };
    number.parse::<u32>().ok()?.checked_mul(minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each case is a roster and, behind `>`, its lines (id, name, e-mail, section and group) or its fault.
    #[test]
    fn columns_may_stand_in_any_order_and_spelling_and_each_student_has_one_line() {
        for case in include_str!("roster-cases.txt").split("\n\n") {
            let (roster, expected) = case.split_once("> ").unwrap();
            let read = parse(&roster.replace("\\t", "\t").replace("\\r", "\r"));
            let told = read.map(|lines| {
                let lines = lines.iter().map(|line| {
                    let parts = format!("{} {}", line.first_name, line.last_name);
                    assert!(parts == " " || parts == line.name, "{case}");
                    [&line.id, &line.name, &line.email, &line.section, &line.group].map(String::as_str).join("|")
                });
                lines.collect::<Vec<_>>().join(" ")
            });
            assert_eq!(told.unwrap_or_else(|fault| fault), expected.trim_end(), "{case}");
        }
    }
}
