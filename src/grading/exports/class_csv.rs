//! `gradebook.csv`: the class for a spreadsheet. A pure function; [`super::export_all`] calls it. No cell may be a
//! formula ([`safe_cell`]).

use crate::export::{csv_text, safe_cell};
use crate::grading::feedback::{earned, remark};
use crate::grading::{DrawnGames, Gradebook, GradingState, StudentGrade};

/// One row per student: name, total, each criterion by name, for games the number drawn on the board and how many of
/// these earned all points, the state (`graded`, `unfinished`, `rejected`), and a summary of the reasons; lines end in
/// LF.
pub fn class_csv(gradebook: &Gradebook) -> String {
    let parts = gradebook.criteria.iter().map(|criterion| criterion.name.clone());
    let head: Vec<String> = ["student", "total"]
        .map(str::to_owned)
        .into_iter()
        .chain(parts)
        .chain(
            gradebook
                .has_games()
                .then_some(["drawn", "drawn_won"].map(str::to_owned))
                .into_iter()
                .flatten(),
        )
        .chain(["state".to_owned(), "reasons".to_owned()])
        .collect();
    let rows = gradebook.students.iter().map(|student| row(gradebook, student));
    csv_text(std::iter::once(head).chain(rows).map(|row| {
        let cells = row.iter().map(|cell| safe_cell(cell).into_owned());
        cells.collect::<Vec<_>>()
    }))
}

fn row(gradebook: &Gradebook, student: &StudentGrade) -> Vec<String> {
    let state = match &student.state {
        GradingState::Graded => "graded",
        GradingState::Unfinished { .. } => "unfinished",
        GradingState::Rejected { .. } => "rejected",
    };
    let parts = student.criteria.iter().map(|items| earned(items).to_string());
    let DrawnGames { games, won } = student.drawn();
    let drawn = gradebook
        .has_games()
        .then(|| [games, won].map(|games| games.to_string()));
    [student.name.clone(), student.points.to_string()]
        .into_iter()
        .chain(parts)
        .chain(drawn.into_iter().flatten())
        .chain([state.to_owned(), remark(student)])
        .collect()
}
