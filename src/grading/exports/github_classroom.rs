//! GitHub Classroom: the result of a runner, for its autograding reporter. A pure function; [`super::export_all`] calls
//! it.
//!
//! The format follows the reporter's source, <https://github.com/classroom-resources/autograding-grading-reporter>
//! (`src/main.js`, `src/notify-classroom.js`): this JSON in base64 in the environment variable `<RUNNER>_RESULTS`. It
//! computes only with `status`, `max_score` and `tests[].score`; it displays the other fields. The service is being
//! discontinued (see the reporter's README), so this is for courses that still run the reporter.
//!
//! No line may be a command to the workflow that prints it
//! (<https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions>: `::name::` at the start of
//! a line, formerly `##[name]` anywhere).

use serde::Serialize;

use super::json_text;
use crate::assignment::Points;
use crate::grading::feedback::{charged, item_text};
use crate::grading::{CriterionHead, Gradebook, GradebookItem, GradingState, ItemState, StudentGrade};
use crate::messages::clock;
use crate::protocol::plain;

#[derive(Serialize)]
struct RunnerResult {
    version: u32,
    status: &'static str,
    max_score: Points,
    tests: Vec<ClassroomTest>,
}

#[derive(Serialize)]
struct ClassroomTest {
    name: String,
    status: &'static str,
    score: Points,
    message: String,
    #[serde(rename = "test_code")]
    code: String,
    filename: String,
    line_no: u32,
    execution_time: String,
}

/// The result of one student: `pass` with all points, `error` for a rejected submission, else `fail`.
pub fn github_classroom(gradebook: &Gradebook, student: &StudentGrade) -> String {
    let status = match &student.state {
        GradingState::Rejected { .. } => "error",
        GradingState::Graded if student.points == student.of => "pass",
        GradingState::Graded | GradingState::Unfinished { .. } => "fail",
    };
    let parts = gradebook.criteria.iter().zip(&student.criteria);
    let tests = parts.flat_map(|(head, items)| items.iter().map(move |item| test(gradebook, student, head, item)));
    json_text(&RunnerResult { version: 1, status, max_score: student.of, tests: tests.collect() })
}

fn test(gradebook: &Gradebook, student: &StudentGrade, head: &CriterionHead, item: &GradebookItem) -> ClassroomTest {
    let status = match &item.state {
        _ if item.is_earned() => "pass",
        ItemState::Missing => "error",
        ItemState::Answer(_) | ItemState::Game(_) | ItemState::WinRate(_) => "fail",
    };
    let message = if item.is_earned() { String::new() } else { without_commands(&item_text(gradebook, student, item)) };
    ClassroomTest {
        name: without_commands(&plain(&format!("{}: {}", head.title, item.title))),
        status,
        score: item.points,
        message,
        code: without_commands(&plain(&item.title)),
        filename: plain(&item.id),
        line_no: 0,
        execution_time: charged(item).map_or_else(String::new, |time| format!("{}s", clock(time))),
    }
}

/// Inserts a space into lines that would be commands.
fn without_commands(text: &str) -> String {
    let harmless = |line: &str| {
        let start = line.len() - line.trim_start().len();
        let (blanks, rest) = line.split_at(start);
        let rest = match rest.strip_prefix("::") {
            Some(command) => format!(": :{command}"),
            None => rest.to_owned(),
        };
        format!("{blanks}{}", rest.replace("##[", "# #["))
    };
    let lines: Vec<String> = text.split('\n').map(harmless).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_the_workflow_are_broken() {
        let text = "a\n  ::set-output name=x::1\n::error::x\nx ##[error] ::y\n";
        assert_eq!(without_commands(text), "a\n  : :set-output name=x::1\n: :error::x\nx # #[error] ::y\n");
    }
}
