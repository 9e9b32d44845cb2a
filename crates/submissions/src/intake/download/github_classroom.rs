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
