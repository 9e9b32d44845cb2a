//! `gradebook.csv`: the class for a spreadsheet. A pure function; [`super::export_all`] calls it. No cell may be a
//! formula ([`safe_cell`]).

use crate::assignment::{DRAWN_COLUMNS, LATE_COLUMNS, STATE_COLUMNS, STUDENT_COLUMNS, TOTAL_COLUMN};
use crate::grading::feedback::{earned, remark};
use crate::grading::{DrawnGames, Gradebook, GradingState, LateVerdict, StudentGrade};
use referee_records::StudentIdentity;
use referee_records::export::{csv_text, safe_cell};

/// One row per student: name; id, login, e-mail, section and group, where known; total; with rules for late submissions
/// the points before the penalty, the penalty, the seconds after the deadline, the free days used and how that was
/// judged; each criterion by name, for games the number drawn on the board and how many of these earned all points, the
/// state (`graded`, `unfinished`, `rejected`), and a summary of the reasons; lines end in LF.
pub fn class_csv(gradebook: &Gradebook) -> String {
    let parts = gradebook.criteria.iter().map(|criterion| criterion.name.clone());
    let known = identities(gradebook);
    let late = gradebook.late.is_some().then_some(LATE_COLUMNS.map(str::to_owned));
    let head: Vec<String> = std::iter::once(STUDENT_COLUMNS[0].to_owned())
        .chain(known.iter().map(|(heading, _)| (*heading).to_owned()))
        .chain(std::iter::once(TOTAL_COLUMN.to_owned()))
        .chain(late.into_iter().flatten())
        .chain(parts)
        .chain(gradebook.has_games().then_some(DRAWN_COLUMNS.map(str::to_owned)).into_iter().flatten())
        .chain(STATE_COLUMNS.map(str::to_owned))
        .collect();
    let rows = gradebook.students.iter().map(|student| row(gradebook, student));
    csv_text(std::iter::once(head).chain(rows).map(|row| {
        let cells = row.iter().map(|cell| safe_cell(cell).into_owned());
        cells.collect::<Vec<_>>()
    }))
}

/// A column about who the student is: its heading and its cell.
type IdentityColumn = (&'static str, fn(&StudentIdentity) -> &String);

/// The columns that say something of some student.
fn identities(gradebook: &Gradebook) -> Vec<IdentityColumn> {
    let [_, id, login, email, section, group] = STUDENT_COLUMNS;
    let all: [IdentityColumn; 5] = [
        (id, |identity| &identity.id),
        (login, |identity| &identity.login),
        (email, |identity| &identity.email),
        (section, |identity| &identity.section),
        (group, |identity| &identity.group),
    ];
    let says_something = |(_, of): &IdentityColumn| gradebook.students.iter().any(|one| !of(&one.identity).is_empty());
    all.into_iter().filter(says_something).collect()
}

/// The points before the penalty, the penalty, the seconds after the deadline, the free days used, and how that was
/// judged.
fn late(student: &StudentGrade) -> [String; 5] {
    let none = || [student.points.to_string(), "0".to_owned(), String::new(), String::new(), String::new()];
    student.late.as_ref().map_or_else(none, |late| {
        let judged = match late.verdict {
            LateVerdict::InTime => "in-time",
            LateVerdict::Late => "late",
            LateVerdict::TooLate => "too-late",
            LateVerdict::Unknown => "unknown",
        };
        [
            late.earned.to_string(),
            late.penalty.to_string(),
            late.late_seconds.to_string(),
            late.free_days_used.to_string(),
            judged.to_owned(),
        ]
    })
}

fn row(gradebook: &Gradebook, student: &StudentGrade) -> Vec<String> {
    let state = match &student.state {
        GradingState::Graded => "graded",
        GradingState::Unfinished { .. } => "unfinished",
        GradingState::Rejected { .. } => "rejected",
    };
    let parts = student.criteria.iter().map(|items| earned(items).to_string());
    let DrawnGames { games, won } = student.drawn();
    let drawn = gradebook.has_games().then(|| [games, won].map(|games| games.to_string()));
    let known = identities(gradebook);
    let known = known.iter().map(|(_, of)| of(&student.identity).clone());
    std::iter::once(student.name.clone())
        .chain(known)
        .chain(std::iter::once(student.points.to_string()))
        .chain(gradebook.late.iter().flat_map(|_| late(student)))
        .chain(parts)
        .chain(drawn.into_iter().flatten())
        .chain([state.to_owned(), remark(student)])
        .collect()
}
