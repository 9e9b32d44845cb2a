//! Vocareum: the files `$vocareumGradeFile` and `$vocareumReportFile` of a grading script. A pure function;
//! [`super::export_all`] and `cli/grade/platform` call it.
//!
//! The format: <https://help.vocareum.com/en/articles/14120536-using-custom-grading-scripts-in-vocareum-labs> (grade
//! file: `<Rubric Criterion Name>,<Score>` lines, the names exactly as in the rubric; report file: text or HTML), and
//! <https://help.vocareum.com/en/articles/6499658-autograding-in-vs-code-labs> (`VOC_NO_REPORT_OUTPUT` on a line of its
//! own keeps the output of the script out of the report).
//!
//! The report must not contain `<`, since it may be shown as HTML; `‹` replaces it.

use crate::grading::feedback::earned;
use crate::grading::{Gradebook, StudentGrade, student_text};
use referee_games::protocol::plain;
use referee_records::export::csv_text;

/// The grade file of one student: a line per criterion, by its name in the assignment file.
pub fn vocareum_grades(gradebook: &Gradebook, student: &StudentGrade) -> String {
    let parts = gradebook.criteria.iter().zip(&student.criteria);
    csv_text(parts.map(|(head, items)| vec![plain(&head.name), earned(items).to_string()]))
}

/// The report file of one student: the student's page.
pub fn vocareum_report(gradebook: &Gradebook, student: &StudentGrade) -> String {
    format!("VOC_NO_REPORT_OUTPUT\n{}", student_text(gradebook, student).replace('<', "‹"))
}
