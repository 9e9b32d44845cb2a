//! Feedback: a page for each student that says which points were lost, and why.
//!
//! It turns a grade into a page that its student understands without help, as plain text and Markdown. It does not word
//! verdicts ([`referee_messages`]) or write files; the exports and `cli` do. Every item must be on the page with its
//! reason. Every lost item must be explained in full, or listed after one lost by the same fault. Text from a student
//! or a student's program must stay text.

mod details;
mod html;
mod markdown;
mod page;
mod plain_text;
mod reason;
mod side_by_side;
mod student;

pub(super) use page::{FeedbackPage, HeadingLevel};
pub(super) use plain_text::{table, wrapped};
pub use reason::short_remark;
pub(super) use reason::{Loss, names, reason, remark};
pub(super) use side_by_side::{last_words, side_by_side};
pub(super) use student::{charged, conditions, earned};

use self::student::{late_lines, state_lines, student_page};
use super::{Gradebook, GradebookItem, StudentGrade};
use details::detail;

/// A student's page as plain text: ASCII except for quotes, lines of at most 100 columns where they can be broken.
///
/// It contains everything that [`Gradebook`] knows of the student, who must be in the gradebook.
pub fn student_text(gradebook: &Gradebook, student: &StudentGrade) -> String {
    student_page(gradebook, student).to_text()
}

/// The same page as Markdown, in GitHub's dialect.
pub fn student_markdown(gradebook: &Gradebook, student: &StudentGrade) -> String {
    student_page(gradebook, student).to_markdown()
}

/// The same page as one HTML file, to be mailed, published or printed.
pub fn student_html(gradebook: &Gradebook, student: &StudentGrade) -> String {
    let title = format!("{}: {}", gradebook.title, student.name);
    student_page(gradebook, student).to_html(&title)
}

/// The text about one item: its reason if it is earned, else all details.
pub(super) fn item_text(gradebook: &Gradebook, student: &StudentGrade, item: &GradebookItem) -> String {
    if item.is_earned() {
        return reason(gradebook, student, item);
    }
    let mut page = FeedbackPage::default();
    detail(&mut page, gradebook, student, item);
    page.to_text().trim_end().to_owned()
}

/// The text about a whole grade, without its items.
pub(super) fn grade_text(gradebook: &Gradebook, student: &StudentGrade) -> String {
    let mut page = FeedbackPage::default();
    page.paragraph(format!("{}: {} of {} {}", gradebook.title, student.points, student.of, student.of.noun()));
    late_lines(&mut page, student);
    state_lines(&mut page, student);
    page.list(student.remarks.clone());
    page.paragraph(conditions(gradebook));
    page.to_text().trim_end().to_owned()
}
