//! The headings of `gradebook.csv` beside those of the criteria, which are named in the assignment and must differ from
//! them. `grading` writes the file.

/// Who the student is; all but the first are left out where nothing is known.
pub const STUDENT_COLUMNS: [&str; 6] = ["student", "id", "login", "email", "section", "group"];

/// All points.
pub const TOTAL_COLUMN: &str = "total";

/// What lateness cost, with rules for it.
pub const LATE_COLUMNS: [&str; 5] = ["before_penalty", "penalty", "late_seconds", "free_days_used", "late"];

/// The games drawn on the board, if there are games.
pub const DRAWN_COLUMNS: [&str; 2] = ["drawn", "drawn_won"];

/// What else is to be said, after the criteria.
pub const STATE_COLUMNS: [&str; 2] = ["state", "reasons"];

/// Whether a criterion of this name would be a second column of that heading.
pub(super) fn is_gradebook_column(name: &str) -> bool {
    let all: [&[&str]; 5] = [&STUDENT_COLUMNS, &[TOTAL_COLUMN], &LATE_COLUMNS, &DRAWN_COLUMNS, &STATE_COLUMNS];
    all.iter().any(|columns| columns.contains(&name))
}
