//! Prints what `grade` and `compete` understood of a class before anything runs. It builds nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::output::note;
use crate::console::{Stream, Terminal};
use referee_course::grading::roster_table;
use referee_messages::{counted, plain};
use referee_records::StudentRecord;
use referee_submissions::agents::{AgentError, AgentSource, ClassEntry, FileNames, SubmissionContent, SubmissionFault};
use referee_submissions::intake::{ClassIntake, StudentFacts};

/// How many names of files are shown.
const FILES_SHOWN: usize = 4;

/// Notes the layout of a download, and what is odd about a class.
pub(super) fn note_class(class: &ClassIntake) {
    for remark in &class.class.remarks {
        note(&plain(remark));
    }
    if let Some(layout) = class.layout {
        note(&format!(
            "a download of {layout}: {}",
            counted(class.class.entries.len() - missing(&class.class.entries), "submission")
        ));
    }
}

/// One line a student: name, number, e-mail, time, files, fault. Columns that would be empty are left out.
pub(super) fn roster_text(
    entries: &[ClassEntry],
    facts: &BTreeMap<String, StudentFacts>,
    students: &[StudentRecord],
    names: &FileNames,
) -> String {
    let head = ["student", "id", "e-mail", "handed in", "files", "fault"].map(str::to_owned);
    let rows: Vec<[String; 6]> = entries
        .iter()
        .map(|entry| {
            let submission = entry.student.as_str();
            let facts = facts.get(submission).cloned().unwrap_or_default();
            let theirs = |one: &&StudentRecord| one.submission == submission;
            let students: Vec<&StudentRecord> = students.iter().filter(theirs).collect();
            row(entry, &facts, &students, names)
        })
        .collect();
    let missing = missing(entries);
    let nothing = entries.iter().filter(|entry| has_handed_in_nothing(entry)).count();
    let faulty = rows.iter().filter(|row| !row[5].is_empty()).count() - missing;
    let kept: Vec<usize> =
        (0..head.len()).filter(|&column| column == 0 || rows.iter().any(|row| !row[column].is_empty())).collect();
    let pick = |row: &[String; 6]| kept.iter().map(|&column| row[column].clone()).collect::<Vec<_>>();
    // Where it is no terminal, wide enough for any table.
    let columns = u16::try_from(Terminal::of(Stream::Stdout).look().columns).unwrap_or(200);
    let cells: Vec<Vec<String>> = rows.iter().map(pick).collect();
    let table = roster_table(&pick(&head), &cells, columns);
    let submissions = counted(rows.len() - missing, "submission");
    let missing = match nothing {
        0 => String::new(),
        some => format!("; {} handed in nothing", counted(some, "student")),
    };
    format!("{table}\n{submissions}, {faulty} with a fault{missing}; nothing was run (`--dry-run`)\n")
}

/// How many are on the roster alone.
fn missing(entries: &[ClassEntry]) -> usize {
    entries.iter().filter(|entry| is_missing(entry)).count()
}

/// Whether the student is on the roster alone.
pub(super) const fn is_missing(entry: &ClassEntry) -> bool {
    has_handed_in_nothing(entry) || matches!(entry.spec, Err(SubmissionFault::SeveralLines { .. }))
}

const fn has_handed_in_nothing(entry: &ClassEntry) -> bool {
    matches!(entry.spec, Err(SubmissionFault::NothingHandedIn))
}

/// A submission of one student has what the roster says of them.
fn row(entry: &ClassEntry, facts: &StudentFacts, students: &[&StudentRecord], names: &FileNames) -> [String; 6] {
    let time = facts.submitted.map_or_else(String::new, |time| time.to_string());
    let late = match (facts.is_late, time.is_empty()) {
        (false, _) => "",
        (true, true) => "late",
        (true, false) => " (late)",
    };
    let (files, fault) = match &entry.spec {
        Ok(spec) => match spec.source() {
            AgentSource::Submission(path) => (files(path), fault(path, names)),
            AgentSource::Path(_) | AgentSource::Builtin(_) => (String::new(), None),
        },
        Err(fault) => (String::new(), Some(fault.clone())),
    };
    let fault = fault.map_or_else(String::new, |fault| fault.message());
    let (student, id, email) = match students {
        [one] => (one.name.as_str(), &one.identity.id, &one.identity.email),
        [] | [_, ..] => (entry.student.as_str(), &facts.id, &facts.email),
    };
    [student, id, email, &format!("{time}{late}"), &files, &fault].map(plain)
}

/// What is known without building anything.
fn fault(path: &Path, names: &FileNames) -> Option<SubmissionFault> {
    match SubmissionContent::find(path, names) {
        Err(AgentError::Submission { fault, .. }) => Some(fault),
        Ok(_) | Err(_) => None,
    }
}

fn files(path: &Path) -> String {
    let mut names: Vec<String> = if path.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let name = |entry: fs::DirEntry| {
            let slash = if entry.path().is_dir() { "/" } else { "" };
            entry.file_name().to_string_lossy().into_owned() + slash
        };
        entries.map(name).collect()
    } else {
        vec![path.file_name().unwrap_or_default().to_string_lossy().into_owned()]
    };
    names.sort_unstable();
    let more = names.len().saturating_sub(FILES_SHOWN);
    names.truncate(FILES_SHOWN);
    let names = names.join(", ");
    if more > 0 { format!("{names} and {more} more") } else { names }
}
