//! Grading: from an assignment and its submissions to a run's manifest, and from the run's records to points with
//! reasons.
//!
//! It plays nothing ([`referee_matches::tournament`]) and judges nothing ([`referee_matches::referee`]). `runs`,
//! `cli/gradebook` and
//! `report` call it. A gradebook must follow from the assignment, the manifest and the records alone. Every lost point
//! must have a reason. A rejected submission must be in it like any other.

mod answered;
mod enrol;
pub mod exports;
mod feedback;
mod gradebook;
mod late;
mod plan;
mod recheck;
mod reuse;
mod summary;
mod tally;

pub use answered::{answer_item, answer_lines};
pub use enrol::{EnrolledClass, enrol, to_build};
pub use feedback::{short_remark, student_html, student_markdown, student_text};
pub use gradebook::{
    AnswerItem, CriterionHead, DrawnGames, FinalTurn, GameItem, Gradebook, GradebookItem, GradingState, ItemState,
    Review, StudentGrade, VoidItem,
};
pub use late::{LateGrade, LateVerdict};
pub(crate) use plan::question;
pub use plan::{Grading, MergedClass, continue_class, file_stem, reference, solved};
pub use recheck::{is_again, rechecks};
pub use reuse::{Replay, Reuse};
pub use summary::{
    class_markdown, class_text, reference_lines, review_lines, review_list, roster_table, summary_table,
};
pub use tally::gradebook;
