//! Gradescope: the `results.json` of an autograder. A pure function; [`super::export_all`] and `cli/grade/platform`
//! call it.
//!
//! The format: <https://gradescope-autograders.readthedocs.io/en/latest/specs/>, sections *Output format*, *Test case
//! status* and *Output String Formatting*; the leaderboard: the same site, *Leaderboards*. Every text is declared as
//! `text`, which Gradescope interprets neither as HTML nor as Markdown.

use serde_json::{Value, json};

use super::{json_text, seconds_in_all};
use crate::grading::feedback::{grade_text, item_text};
use crate::grading::{CriterionHead, Gradebook, GradebookItem, StudentGrade};
use referee_games::protocol::plain;

/// The `results.json` of one student: a test per item, numbered by criterion and place, and a leaderboard by points,
/// then CPU time.
pub fn gradescope(gradebook: &Gradebook, student: &StudentGrade) -> String {
    let parts = (1..).zip(gradebook.criteria.iter().zip(&student.criteria));
    let tests = parts.flat_map(|(part, (head, items))| {
        let items = (1..).zip(items);
        items.map(move |(place, item)| test(gradebook, student, head, item, &format!("{part}.{place}")))
    });
    json_text(&json!({
        "score": student.points,
        "execution_time": seconds_in_all(student),
        "output": grade_text(gradebook, student),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        // The grader's output is for the staff.
        "stdout_visibility": "hidden",
        "tests": tests.collect::<Vec<Value>>(),
        "leaderboard": [
            { "name": "Points", "value": f64::from(student.points.hundredths()) / 100.0 },
            { "name": "CPU seconds", "value": seconds_in_all(student), "order": "asc" },
        ],
    }))
}

fn test(
    gradebook: &Gradebook,
    student: &StudentGrade,
    head: &CriterionHead,
    item: &GradebookItem,
    number: &str,
) -> Value {
    json!({
        "score": item.points,
        "max_score": item.of,
        "status": if item.is_earned() { "passed" } else { "failed" },
        "name": plain(&format!("{}: {}", head.title, item.title)),
        "number": number,
        "output": item_text(gradebook, student, item),
        "tags": [plain(&head.name)],
        "visibility": "visible",
    })
}
