//! GitHub Classroom: *Download*, *Student repositories*, or `gh classroom clone student-repos`.
//!
//! A folder `homework-1-ginagood` for each repository: the assignment and the login of the student or the name of the
//! group. They are repositories (with `.git`), or `grades.csv` or `classroom_roster.csv`, which Classroom hands out,
//! too, is beside them and names the students; those of a group share a repository.
//!
//! Sources: GitHub Docs, *REST API endpoints for GitHub Classroom*, *Get assignment grades*: its fields are the
//! headings of `grades.csv`, as the tests of `gh-classroom` show it; programs that read `classroom_roster.csv` name its
//! headings: `identifier`, `github_username`, `github_id`, `name`, for groups also `group_name`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    AttemptParts, Download, DownloadLayout, Listing, PlatformPerson, SubmissionTime, UploadAttempt, unread_time,
};
use crate::agents::FileNames;

/// What a table says of one login.
#[derive(Clone, Default)]
struct ClassroomRow {
    repository: String,
    identifier: String,
    /// What the student is called on GitHub, by their own choice.
    name: String,
    submitted: Option<SubmissionTime>,
    /// Text in the place of that time that is none.
    unread: Option<String>,
}

pub(super) fn recognize(listing: &Listing, _names: &FileNames) -> Option<Download> {
    let rows = rows(listing);
    let entries = listing.submissions();
    let is_repository = |within: &Option<Vec<String>>| {
        let git = |name: &String| name == ".git";
        within.as_ref().is_some_and(|within| within.iter().any(git))
    };
    if entries.is_empty() || entries.iter().any(|entry| entry.within.is_none()) {
        return None;
    }
    if rows.is_empty() && !entries.iter().all(|entry| is_repository(&entry.within)) {
        return None;
    }
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let start = assignment_start(&names, &rows);
    let attempts = names.iter().map(|name| {
        let of_repository = rows.iter().filter(|(_, row)| row.repository == **name);
        let mut members: Vec<(&str, &ClassroomRow)> = of_repository.map(|(login, row)| (login.as_str(), row)).collect();
        if members.is_empty() {
            // A login that only ends like this one is of somebody else.
            let by_login = rows.iter().find(|(login, _)| login.eq_ignore_ascii_case(&name[start..]));
            members.extend(by_login.map(|(login, row)| (login.as_str(), row)));
        }
        let unknown = ClassroomRow::default();
        if members.is_empty() {
            members.push((&name[start..], &unknown));
        }
        UploadAttempt {
            people: members.iter().map(|(login, row)| row.person(login)).collect(),
            submitted: members.iter().filter_map(|(_, row)| row.submitted).max(),
            is_late: false,
            parts: AttemptParts::Entry((*name).to_owned()),
        }
    });
    let attempts = attempts.collect();
    let unread = rows.iter().filter_map(|(login, row)| Some((login, row.unread.as_ref()?)));
    let remarks =
        unread.map(|(login, text)| unread_time(text, &format!("`submission_timestamp` of `{login}` in `grades.csv`")));
    Some(Download { remarks: remarks.collect(), ..Download::new(DownloadLayout::GithubClassroom, attempts) })
}

impl ClassroomRow {
    fn person(&self, login: &str) -> PlatformPerson {
        let (name, email) = match self.identifier.as_str() {
            email if email.contains('@') => (self.name.as_str(), email),
            "" => (self.name.as_str(), ""),
            name => (name, ""),
        };
        PlatformPerson {
            name: name.to_owned(),
            email: email.to_owned(),
            // Of an account that the student has made, so it may look like the number of another one.
            number: login.to_owned(),
            login: login.to_owned(),
            ..PlatformPerson::default()
        }
    }
}

/// How many bytes of all names are the assignment's, up to a `-`: those that leave the most logins of the tables, else
/// all that the names have in common.
fn assignment_start(names: &[&str], rows: &BTreeMap<String, ClassroomRow>) -> usize {
    let Some((first, others)) = names.split_first() else {
        return 0;
    };
    let ends = first.match_indices('-').map(|(at, _)| at + 1).filter(|&end| first.len() > end);
    let common = ends.filter(|&end| others.iter().all(|other| other.starts_with(&first[..end]) && other.len() > end));
    let logins: BTreeSet<String> = rows.keys().map(|login| login.to_lowercase()).collect();
    let known = |start: usize| names.iter().filter(|name| logins.contains(&name[start..].to_lowercase())).count();
    let common: Vec<usize> = common.collect();
    let best = common.iter().copied().rev().max_by_key(|&start| known(start)).filter(|&start| known(start) > 0);
    let longest = common.last().copied().filter(|_| !others.is_empty());
    best.or(longest).unwrap_or(0)
}

/// What the tables say, by login.
fn rows(listing: &Listing) -> BTreeMap<String, ClassroomRow> {
    let mut rows: BTreeMap<String, ClassroomRow> = BTreeMap::new();
    for name in ["classroom_roster.csv", "grades.csv"] {
        let Some(text) = listing.texts.get(name) else { continue };
        let mut table = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let Ok(head) = table.headers().cloned() else { continue };
        for cells in table.records().flatten() {
            let cell = |heading: &str| {
                let at = head.iter().position(|found| found.trim_start_matches('\u{feff}') == heading);
                at.and_then(|at| cells.get(at)).unwrap_or_default().trim().to_owned()
            };
            let login = cell("github_username");
            if login.is_empty() {
                continue;
            }
            let row = rows.entry(login).or_default();
            let said = [cell("roster_identifier"), cell("identifier")];
            let said = said.into_iter().find(|text| !text.is_empty());
            if let (true, Some(said)) = (row.identifier.is_empty(), said) {
                row.identifier = said;
            }
            if row.name.is_empty() {
                row.name = cell("name");
            }
            let repository = cell("student_repository_name");
            // Some write the organization before it.
            if let Some(name) = repository.rsplit('/').next().filter(|name| !name.is_empty()) {
                name.clone_into(&mut row.repository);
            }
            let written = cell("submission_timestamp");
            row.submitted = row.submitted.or_else(|| SubmissionTime::utc(&written));
            row.unread = Some(written).filter(|text| row.submitted.is_none() && !text.is_empty());
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::tests::{listing, told};
    use super::*;

    #[test]
    fn repositories_are_recognized_by_their_common_start() {
        let (layout, lines) =
            told(&["homework-1-gina-good/.git,homework.py", "homework-1-go-far/.git,homework.py"], &[]).unwrap();
        assert_eq!(layout, DownloadLayout::GithubClassroom);
        assert_eq!(lines, ["gina-good|gina-good|||homework-1-gina-good/", "go-far|go-far|||homework-1-go-far/"]);
    }

    #[test]
    fn a_file_beside_repositories_is_not_of_github_classroom() {
        let names = ["homework-1-ada/.git,homework.py", "homework-1-bob"];
        assert_eq!(told(&names, &[("grades.csv", "github_username\nada\n")]), None);
    }

    #[test]
    fn the_tables_name_the_students() {
        let grades = "assignment_name,github_username,roster_identifier,student_repository_name,submission_timestamp\n\
            homework 1,ginagood,gina@example.edu,homework-1-ginagood,2026-11-20T23:45:00Z\n\
            homework 1,roe,\"Roe, Ann\",course/homework-1-roe,\n\
            homework 1,ada,Ada,homework-1-team,2026-11-20T23:45:00Z\n\
            homework 1,bob,Bob,homework-1-team,2026-11-20T23:46:00Z\n";
        let (_, lines) = told(
            &["homework-1-ginagood/homework.py", "homework-1-roe/homework.py", "homework-1-team/homework.py"],
            &[("grades.csv", grades)],
        )
        .unwrap();
        assert_eq!(
            lines,
            [
                "Ada + Bob|ada||2026-11-20 23:46 UTC|homework-1-team/",
                "Roe, Ann|roe|||homework-1-roe/",
                "ginagood|ginagood|gina@example.edu|2026-11-20 23:45 UTC|homework-1-ginagood/",
            ]
        );
    }

    #[test]
    fn a_time_that_cannot_be_read_is_a_remark() {
        let grades = "github_username,submission_timestamp\nada,20/11/2026\nbob,\ncyd,2026-11-20T23:45:00Z\n";
        let listing = listing(&["hw-1-ada/a.py", "hw-1-bob/a.py"], &[("grades.csv", grades)]);
        let remark = "cannot read the time `20/11/2026`, `submission_timestamp` of `ada` in `grades.csv`: it is \
            unknown when that was handed in, unless a roster says it in its column `submitted`";
        assert_eq!(recognize(&listing, &FileNames::default()).unwrap().remarks, [remark]);
    }

    #[test]
    fn a_login_that_ends_like_another_one_is_of_somebody_else() {
        let grades = "github_username,roster_identifier,name\nginagood,gina@example.edu,Gina\nroe,,ann@example.edu\n";
        let names = ["hw-1-eve-ginagood/a.py", "hw-1-ginagood/a.py", "hw-1-roe/a.py"];
        let (_, lines) = told(&names, &[("grades.csv", grades)]).unwrap();
        assert_eq!(
            lines,
            [
                "Gina|ginagood|gina@example.edu||hw-1-ginagood/",
                "ann@example.edu|roe|||hw-1-roe/",
                "eve-ginagood|eve-ginagood|||hw-1-eve-ginagood/",
            ]
        );
    }

    /// A repository keeps its name when its owner takes another login.
    #[test]
    fn a_repository_belongs_to_the_login_in_its_row() {
        let grades = "github_username,roster_identifier,student_repository_name\nnew,Ann,homework-1-old\n\
            old,Bob,homework-1-bob\n";
        let names = ["homework-1-old/homework.py", "homework-1-bob/homework.py"];
        let (_, lines) = told(&names, &[("grades.csv", grades)]).unwrap();
        assert_eq!(lines, ["Ann|new|||homework-1-old/", "Bob|old|||homework-1-bob/"]);
    }
}
