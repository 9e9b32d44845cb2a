//! The roster of a course: who should have handed in. Its parent module compares a class with it.
//!
//! A roster is a CSV file with a line for each student, and columns in any order. It does not grade missing students.
//!
//! A roster must never rename a submission or give it to another student. It adds missing students, reports submissions
//! of others, and supplies names that the platform does not know.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::roster_line::RosterLine;
use super::submission_time::SubmissionTime;
use super::{DownloadLayout, IntakeError, StudentFacts, TakenIn};
use crate::agents::{AgentName, SubmissionFault};
use crate::protocol::{csv_line, plain};
use crate::records::read_bounded;

/// Larger than the roster of any course.
const LARGEST_BYTES: u64 = 16 << 20;

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
    fn of(heading: &str) -> Option<Self> {
        const HEADINGS: [(RosterColumn, &[&str]); 13] = [
            (
                RosterColumn::Id,
                &[
                    "id",
                    "studentid",
                    "sid",
                    "sisuserid",
                    "sisid",
                    "orgdefinedid",
                    "number",
                    "studentnumber",
                    "userid",
                    "idnumber",
                    "identifier",
                    "rosteridentifier",
                ],
            ),
            (
                RosterColumn::Login,
                &[
                    "login",
                    "username",
                    "user",
                    "loginid",
                    "sisloginid",
                    "githubusername",
                    "netid",
                    "account",
                ],
            ),
            (
                RosterColumn::Name,
                &[
                    "name",
                    "fullname",
                    "student",
                    "studentname",
                    "sortablename",
                    "displayname",
                ],
            ),
            (
                RosterColumn::FirstName,
                &["firstname", "givenname", "forename", "first"],
            ),
            (RosterColumn::LastName, &["lastname", "surname", "familyname", "last"]),
            (RosterColumn::Email, &["email", "emailaddress", "mail"]),
            (RosterColumn::Section, &["section", "sections", "class"]),
            (RosterColumn::Group, &["group", "groupname", "groups", "team"]),
            (
                RosterColumn::Submitted,
                &["submitted", "submittedat", "handedin", "submissiontime"],
            ),
            (RosterColumn::LastModified, &["lastmodifiedsubmission"]),
            (RosterColumn::Deadline, &["deadline", "duedate"]),
            (RosterColumn::Extension, &["extension"]),
            (RosterColumn::LateDays, &["latedays", "freedays", "latedaysleft"]),
        ];
        let heading = letters(heading);
        let known = HEADINGS.iter().find(|(_, names)| names.contains(&heading.as_str()));
        known.map(|(column, _)| *column)
    }
}

/// Lower-case letters and digits alone.
fn letters(text: &str) -> String {
    let kept = text.chars().filter(|character| character.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// The lines of the roster in `path`.
fn read(path: &Path) -> Result<Vec<RosterLine>, IntakeError> {
    let failed = |problem: String| IntakeError::Roster {
        path: path.to_owned(),
        problem,
    };
    let bytes = read_bounded(path, LARGEST_BYTES).map_err(|error| failed(error.to_string()))?;
    let text =
        String::from_utf8(bytes).map_err(|_| failed("it is not in UTF-8: save it as CSV in UTF-8".to_owned()))?;
    parse(text.trim_start_matches('\u{feff}')).map_err(failed)
}

/// What is most often between the headings.
fn separator(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |separator| first.bytes().filter(|&byte| byte == separator).count();
    let separators = [b'\t', b';', b','];
    separators.into_iter().max_by_key(|&byte| count(byte)).unwrap_or(b',')
}

fn parse(text: &str) -> Result<Vec<RosterLine>, String> {
    let mut table = csv::ReaderBuilder::new()
        .delimiter(separator(text))
        .flexible(true)
        .from_reader(text.as_bytes());
    let headings = table.headers().map_err(|error| error.to_string())?.clone();
    let columns: Vec<Option<RosterColumn>> = headings.iter().map(RosterColumn::of).collect();
    let says_who = |column: &RosterColumn| match column {
        RosterColumn::Id
        | RosterColumn::Login
        | RosterColumn::Name
        | RosterColumn::FirstName
        | RosterColumn::LastName
        | RosterColumn::Email => true,
        RosterColumn::Section
        | RosterColumn::Group
        | RosterColumn::Submitted
        | RosterColumn::LastModified
        | RosterColumn::Deadline
        | RosterColumn::Extension
        | RosterColumn::LateDays => false,
    };
    if !columns.iter().flatten().any(says_who) {
        let found: Vec<String> = headings.iter().map(|heading| format!("`{}`", plain(heading))).collect();
        return Err(format!(
            "line 1: expected headings such as `id`, `name`, `email`, `section` and `group`, found {}",
            found.join(", ")
        ));
    }
    let mut lines = Vec::new();
    for cells in table.records() {
        let cells = cells.map_err(|error| error.to_string())?;
        let cell = |wanted: RosterColumn| {
            let at = columns.iter().position(|column| *column == Some(wanted));
            at.and_then(|at| cells.get(at)).unwrap_or_default().trim().to_owned()
        };
        let byte = cells.position().map_or(0, csv::Position::byte);
        let line_number = || csv_line(text.as_bytes(), byte);
        let wrong = |column: &str, expected: &str, found: &str| {
            format!(
                "line {}: `{column}`: expected {expected}, found `{}`",
                line_number(),
                plain(found)
            )
        };
        let moment = |column, name| match cell(column) {
            text if text.is_empty() => Ok(None),
            text if is_moment(&text) => Ok(Some(text)),
            text => Err(wrong(name, A_MOMENT, &text)),
        };
        let last_modified = match cell(RosterColumn::LastModified) {
            text if text.is_empty() || text == "-" => None,
            text => {
                let time = SubmissionTime::written(&text);
                Some(
                    time.ok_or_else(|| wrong("last modified", A_TIME_IN_WORDS, &text))?
                        .iso(),
                )
            }
        };
        let whole_days = match cell(RosterColumn::LateDays) {
            text if text.is_empty() => None,
            text => Some(
                text.parse()
                    .map_err(|_| wrong("late days", "a whole number of days", &text))?,
            ),
        };
        let extension_minutes = match cell(RosterColumn::Extension) {
            text if text.is_empty() => None,
            text => Some(minutes(&text).ok_or_else(|| wrong("extension", A_DURATION, &text))?),
        };
        let whole = cell(RosterColumn::Name);
        let parts = format!("{} {}", cell(RosterColumn::FirstName), cell(RosterColumn::LastName));
        let line = RosterLine {
            id: cell(RosterColumn::Id),
            login: cell(RosterColumn::Login),
            name: if whole.is_empty() {
                parts.trim().to_owned()
            } else {
                whole
            },
            email: cell(RosterColumn::Email),
            section: cell(RosterColumn::Section),
            group: cell(RosterColumn::Group),
            submitted: moment(RosterColumn::Submitted, "submitted")?.or(last_modified),
            deadline: moment(RosterColumn::Deadline, "deadline")?,
            extension_minutes,
            late_days: whole_days,
        };
        if line.deadline.is_some() && line.extension_minutes.is_some() {
            return Err(format!(
                "line {}: `deadline` and `extension`: keep one of them",
                line_number()
            ));
        }
        if !line.shown().is_empty() {
            lines.push((byte, line));
        }
    }
    if lines.is_empty() {
        return Err("it has no student: expected a line for each".to_owned());
    }
    expect_one_line_each(text.as_bytes(), &lines)?;
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

/// A cell of a line.
type RosterCell = fn(&RosterLine) -> &str;

/// Two lines of one student would be two students, of whom one is missing. Two students may have one name.
fn expect_one_line_each(text: &[u8], lines: &[(u64, RosterLine)]) -> Result<(), String> {
    let columns: [(&str, RosterCell); 3] = [
        ("id", |line| &line.id),
        ("login", |line| &line.login),
        ("e-mail", |line| &line.email),
    ];
    let mut taken: BTreeMap<(&str, String), u64> = BTreeMap::new();
    for (byte, line) in lines {
        let mut earlier = |column, content: String| {
            let first = *taken.entry((column, content)).or_insert(*byte);
            let places = || format!("lines {} and {}", csv_line(text, first), csv_line(text, *byte));
            (first != *byte).then(places)
        };
        for (column, cell) in columns {
            let cell = cell(line);
            if let Some(places) = Some(cell)
                .filter(|cell| !cell.is_empty())
                .and_then(|cell| earlier(column, cell.to_lowercase()))
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

impl RosterLine {
    fn shown(&self) -> &str {
        let known = [&self.name, &self.login, &self.email, &self.id];
        known
            .into_iter()
            .find(|text| !text.is_empty())
            .map_or("", String::as_str)
    }

    fn has_another_name_than(&self, student: &str) -> bool {
        let own = AgentName::derived_from(&self.name);
        !self.name.is_empty() && !own.as_str().eq_ignore_ascii_case(student)
    }

    /// How surely this is the person whom the class knows by these texts: the lower, the surer.
    fn fits(&self, known: &KnownStudents) -> Option<u32> {
        let is = |own: &str, text: &str| !own.is_empty() && own.eq_ignore_ascii_case(text);
        let of_any = |own: &str, texts: &[String]| texts.iter().any(|text| is(own, text));
        let user = |email: &str| email.split('@').next().unwrap_or_default().to_owned();
        if of_any(&self.id, &known.ids) || of_any(&self.email, &known.emails) {
            Some(0)
        } else if of_any(&self.id, &known.names) || of_any(&self.email, &known.names) {
            Some(1)
        } else if of_any(&self.login, &known.names)
            || of_any(&self.login, &known.ids)
            || known.emails.iter().any(|email| is(&self.login, &user(email)))
            || of_any(&user(&self.email), &known.names)
        {
            Some(2)
        } else if known.names.iter().any(|name| self.is_called(name)) {
            Some(3)
        } else {
            None
        }
    }

    /// Whether the letters are those of the name, in the order `First Last`, `Last, First` or the other way round.
    fn is_called(&self, name: &str) -> bool {
        let name = letters(name);
        let turned = match self.name.split_once(',') {
            Some((last, first)) => format!("{first}{last}"),
            None => self
                .name
                .rsplit_once(' ')
                .map_or_else(String::new, |(first, last)| format!("{last}{first}")),
        };
        !name.is_empty() && (letters(&self.name) == name || letters(&turned) == name)
    }
}

/// The texts by which a class knows who handed in one submission.
struct KnownStudents {
    names: Vec<String>,
    ids: Vec<String>,
    emails: Vec<String>,
}

impl TakenIn {
    /// Adds everybody on the roster in `path` who has handed in nothing, with that fault, and remarks who has handed in
    /// without being on it. Of a group, one submission is that of all.
    ///
    /// # Errors
    ///
    /// [`IntakeError::Roster`] where the file is no roster.
    pub fn hold_against(&mut self, path: &Path) -> Result<(), IntakeError> {
        let lines = read(path)?;
        // The lines of each submission, by their places in the roster.
        let mut shares: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut present = BTreeSet::new();
        for student in self.class.entries.iter().map(|entry| entry.student.as_str()) {
            let fitting = best_fits(&lines, &self.known(student));
            match fitting.as_slice() {
                [] => self
                    .class
                    .remarks
                    .push(format!("`{}` is not on the roster", plain(student))),
                [_] => drop(shares.insert(student.to_owned(), fitting.clone())),
                _ if student.contains(" + ") => drop(shares.insert(student.to_owned(), fitting.clone())),
                several => self.class.remarks.push(format!(
                    "{} lines of the roster fit `{}`, so none of them is called missing",
                    several.len(),
                    plain(student)
                )),
            }
            present.extend(fitting);
        }
        let absent = (0..lines.len()).filter(|at| !present.contains(at));
        let mut missing = Vec::new();
        for at in absent {
            match self.of_group(&lines[at].group, &shares, &lines) {
                Some(student) => {
                    let (name, group) = (plain(lines[at].shown()), plain(&lines[at].group));
                    self.class.remarks.push(format!(
                        "`{name}` has the points of `{}`, the submission of the group `{group}`",
                        plain(&student)
                    ));
                    shares.entry(student).or_default().push(at);
                }
                None => missing.push(at),
            }
        }
        for at in missing {
            let student = self.add_missing(&lines[at], path);
            shares.insert(student, vec![at]);
        }
        self.name_lines(&lines, shares);
        Ok(())
    }

    /// The submission of the group, of several the last one.
    fn of_group(&self, group: &str, shares: &BTreeMap<String, Vec<usize>>, lines: &[RosterLine]) -> Option<String> {
        let is_theirs = |places: &Vec<usize>| places.iter().any(|&at| lines[at].group == group);
        let of_group = shares
            .iter()
            .filter(|(_, places)| !group.is_empty() && is_theirs(places));
        let time = |student: &str| {
            let facts = self.facts.get(student)?;
            facts.submitted.or(facts.file_time)
        };
        let last = of_group.max_by_key(|(student, _)| time(student));
        last.map(|(student, _)| student.clone())
    }

    /// Gives each line its name in the gradebook: that of the submission if it is of one student alone or named like
    /// the first of them, else the name on the roster. Canvas writes `goodgina`, which is a name to nobody.
    fn name_lines(&mut self, lines: &[RosterLine], shares: BTreeMap<String, Vec<usize>>) {
        let is_one = |student: &str| !student.contains(" + ");
        let own = shares.keys().filter(|student| is_one(student));
        let mut taken: BTreeSet<String> = own.map(|student| student.to_lowercase()).collect();
        taken.extend(
            self.class
                .entries
                .iter()
                .map(|entry| entry.student.as_str().to_lowercase()),
        );
        let is_canvas = self.layout == Some(DownloadLayout::Canvas);
        for (student, places) in shares {
            let is_alone = places.len() == 1;
            let named = places.iter().enumerate().map(|(number, &at)| {
                let is_better = is_canvas && is_alone && lines[at].has_another_name_than(&student);
                let name = if number == 0 && is_one(&student) && !is_better {
                    student.clone()
                } else {
                    unlike(&lines[at], &mut taken)
                };
                (name, lines[at].clone())
            });
            let named: Vec<(String, RosterLine)> = named.collect();
            self.facts.entry(student).or_default().lines = named;
        }
    }

    fn known(&self, student: &str) -> KnownStudents {
        let facts = self.facts.get(student).cloned().unwrap_or_default();
        // What was put behind a name to tell it from another one.
        let bare = student.split(" (").next().unwrap_or_default();
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let members = bare.split(" + ").chain([bare, student]);
        KnownStudents {
            names: members.map(str::to_owned).collect(),
            ids: words(&facts.id),
            emails: words(&facts.email),
        }
    }

    /// Gives the name in the class.
    fn add_missing(&mut self, line: &RosterLine, path: &Path) -> String {
        let facts = StudentFacts {
            id: line.id.clone(),
            email: line.email.clone(),
            ..StudentFacts::default()
        };
        let student = self
            .class
            .add_without_submission(line.shown(), &line.id, path, SubmissionFault::NothingHandedIn);
        self.facts.insert(student.clone(), facts);
        student
    }
}

/// A name for the line that nobody else has, in any letter case; from now on it is taken.
fn unlike(line: &RosterLine, taken: &mut BTreeSet<String>) -> String {
    let name = AgentName::derived_from(line.shown()).to_string();
    let with_id = AgentName::derived_from(&format!("{name} ({})", line.id)).to_string();
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let names = [name.clone(), with_id].into_iter().chain(numbered);
    let mut names = names.filter(|name| taken.insert(name.to_lowercase()));
    names.next().unwrap_or(name)
}

/// The lines that fit best, as indices.
fn best_fits(lines: &[RosterLine], known: &KnownStudents) -> Vec<usize> {
    let fits = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((line.fits(known)?, at)));
    let fits: Vec<(u32, usize)> = fits.collect();
    let best = fits.iter().map(|(rank, _)| *rank).min();
    fits.into_iter()
        .filter(|(rank, _)| Some(*rank) == best)
        .map(|(_, at)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Class, HandIn};
    use crate::intake::StudentFacts;

    #[test]
    fn columns_may_stand_in_any_order_and_spelling() {
        let wanted = RosterLine {
            id: "007".to_owned(),
            name: "Gina Good".to_owned(),
            email: "gina@example.edu".to_owned(),
            section: "B".to_owned(),
            group: "3".to_owned(),
            ..RosterLine::default()
        };
        for text in [
            "id,name,email,section,group\n007,Gina Good,gina@example.edu,B,3\n",
            "Group;E-Mail Address;SECTION;Student ID;First Name;Last \
             Name\r\n3;gina@example.edu;B;007;Gina;Good\r\n\r\n",
            "Full name\tColour\tOrgDefinedId\tTeam\tEmail\tSection\nGina Good\tred\t007\t3\tgina@example.edu\tB",
        ] {
            assert_eq!(parse(text), Ok(vec![wanted.clone()]), "{text}");
        }
        assert_eq!(
            parse("a,b\n1,2\n").unwrap_err(),
            "line 1: expected headings such as `id`, `name`, `email`, `section` and `group`, found `a`, `b`"
        );
        for (text, fault) in [
            (
                "name,id\nA,1\n\nA,1\n",
                "lines 2 and 4 have the same id, `1`: keep one line for each student, with its own id",
            ),
            (
                "name,email\nA,a@x.edu\nB,A@X.edu\n",
                "lines 2 and 3 have the same e-mail, `A@X.edu`: keep one line for each student, with its own e-mail",
            ),
            (
                "name\nA\nB\nA\n",
                "lines 2 and 4 are the same, `A`: remove one, or tell two students of one name apart by an `id`, \
                 `login` or `email`",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err(), fault);
        }
        assert_eq!(parse("name,id\nA,1\nA,2\nA,\n").map(|lines| lines.len()), Ok(3));
        assert_eq!(
            parse("id\n").unwrap_err(),
            "it has no student: expected a line for each"
        );
    }

    #[test]
    fn who_is_missing_has_a_line_and_who_is_no_student_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("roster.csv");
        let roster = "id,name,email,group\n1,\"Good, Gina\",,\n2,Gina Good,gina@x.edu,\n3,Roe,ann@x.edu,\n\
            4,Left Out,,\n5,One Two,,g\n6,Three Four,,g\n7,Ada,,\n";
        std::fs::write(&path, roster).unwrap();
        let hand_in = |name: &str| HandIn {
            name: name.to_owned(),
            origin: name.into(),
            submission: Ok(name.into()),
        };
        let names = ["Gina Good (2)", "ann", "onetwo", "eve", "7"];
        let facts = |id: &str, email: &str| StudentFacts {
            id: id.to_owned(),
            email: email.to_owned(),
            ..StudentFacts::default()
        };
        let mut taken = TakenIn {
            class: Class::of_hand_ins(&names.map(hand_in)),
            facts: [
                ("Gina Good (2)".to_owned(), facts("2", "")),
                ("ann".to_owned(), facts("", "ANN@x.edu")),
            ]
            .into(),
            ..TakenIn::default()
        };
        taken.hold_against(&path).unwrap();
        let missing = taken.class.entries.iter().filter(|entry| entry.spec.is_err());
        let missing: Vec<&str> = missing.map(|entry| entry.student.as_str()).collect();
        assert_eq!(missing, ["Good, Gina", "Left Out"]);
        assert_eq!(
            taken.class.remarks,
            [
                "`eve` is not on the roster",
                "`Three Four` has the points of `onetwo`, the submission of the group `g`"
            ]
        );
    }
}
