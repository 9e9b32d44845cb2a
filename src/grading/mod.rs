//! Grading: what an assignment asks of each submission, and what each has earned.
//!
//! For: from an assignment and its submissions to a run's manifest, and from the run's records to points, with
//! the reason of each. Deliberately not here: playing ([`crate::tournament`]) and judging ([`crate::referee`]).
//!
//! What must always hold: a gradebook follows from the assignment, the manifest and the records alone; every point that
//! is not earned has its reason; a submission that cannot take part is in it like any other.

mod answered;
mod calibrate;
mod enrol;
pub mod exports;
mod feedback;
mod gradebook;
mod plan;
mod recheck;
mod summary;
mod tally;

pub use answered::{answer_item, answer_lines};
pub use calibrate::calibrate;
pub use enrol::{Enrolled, enrol};
pub use feedback::{student_markdown, student_text};
pub use gradebook::{
    AnswerItem, CriterionHead, DrawnGames, FinalTurn, GameItem, Gradebook, GradingState, Item, ItemState, Review,
    StudentGrade, VoidItem, WinRateItem,
};
pub use plan::{Continued, Grading, file_stem, go_on, reference, solved};
pub use recheck::{is_again, rechecks};
pub use summary::{class_markdown, class_text, review_lines, review_list, summary_table};
pub use tally::gradebook;
