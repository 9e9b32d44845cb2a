//! Feedback: for each student a page that says which points were lost, and why.
//!
//! For: turning a grade into a page that its student understands alone, as plain text and as Markdown. Deliberately not
//! here: the sentences about a verdict, which are in [`crate::messages`], and writing files.
//!
//! What must always hold: every item is on the page with its reason; every lost one is told in full, or named behind
//! one that was lost by the same fault; whatever a student's program has written, and whatever a student is called, is
//! text on the page and nothing else.

mod details;
mod markdown;
mod page;
mod plain_text;
mod reason;
mod side_by_side;
mod student;

pub(super) use details::detail;
pub(super) use page::{Level, Page};
pub(super) use plain_text::{table, wrapped};
pub(super) use reason::{Loss, names, reason, remark, short_remark};
pub(super) use side_by_side::{last_words, side_by_side};
pub(super) use student::{charged, conditions, earned, state_page};

use self::student::student_page;
use super::{Gradebook, Item, StudentGrade};

/// A student's page as plain text: ASCII but for what is quoted, lines of at most 100 columns where they can be broken.
///
/// The page says everything that [`Gradebook`] knows of the student; `student` is one of its students.
pub fn student_text(gradebook: &Gradebook, student: &StudentGrade) -> String {
    student_page(gradebook, student).to_text()
}

/// The same page as Markdown, in the dialect of GitHub.
pub fn student_markdown(gradebook: &Gradebook, student: &StudentGrade) -> String {
    student_page(gradebook, student).to_markdown()
}

/// What there is to say about one item: its reason where it is earned, else everything.
pub(super) fn item_text(gradebook: &Gradebook, student: &StudentGrade, item: &Item) -> String {
    if item.is_earned() {
        return reason(gradebook, student, item);
    }
    detail(gradebook, student, item).to_text().trim_end().to_owned()
}

/// What there is to say about a whole grade, without its items.
pub(super) fn grade_text(gradebook: &Gradebook, student: &StudentGrade) -> String {
    let mut page = Page::default();
    page.paragraph(format!(
        "{}: {} of {} points",
        gradebook.title, student.points, student.of
    ));
    page.append(state_page(student));
    page.list(student.remarks.clone());
    page.paragraph(conditions(gradebook));
    page.to_text().trim_end().to_owned()
}
