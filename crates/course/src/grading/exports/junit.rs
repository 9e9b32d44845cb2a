//! `JUnit` XML: the class for viewers of test results (continuous integration, editors). A pure function;
//! [`super::export_all`] calls it.
//!
//! There is no standard. This follows two schemas at once, that of Jenkins
//! (<https://github.com/pytest-dev/pytest/blob/main/testing/example_scripts/junit-10.xsd> is a copy) and the strict one
//! of Ant (<https://github.com/windyroad/JUnit-Schema/blob/master/JUnit.xsd>): `testsuites` without attributes, a
//! `testsuite` per student, a `testcase` per item with at most one of `skipped` (not played yet), `error` (the
//! submission was rejected) and `failure`; seconds with three decimals. The strict one requires of each suite a number,
//! a package, a host, a time in UTC without zone, and `properties`, `system-out` and `system-err` in this order.
//!
//! The text must be well-formed XML 1.0 whatever it contains; characters invalid in XML
//! (<https://www.w3.org/TR/xml/#charsets>) become U+FFFD.

use std::fmt::Write;

use crate::grading::feedback::{Loss, charged, grade_text, item_text, reason};
use crate::grading::{Gradebook, GradebookItem, GradingState, ItemState, StudentGrade};
use referee_games::protocol::plain;
use referee_time::CpuTime;

/// The class as a `JUnit` report.
pub fn junit(gradebook: &Gradebook) -> String {
    let suites = gradebook.students.iter().enumerate();
    let suites = suites.map(|(number, student)| suite(gradebook, student, number));
    let suites: String = suites.collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{suites}</testsuites>\n")
}

/// The outcome of one item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JunitOutcome {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl JunitOutcome {
    fn of(student: &StudentGrade, item: &GradebookItem) -> Self {
        match (&item.state, &student.state) {
            _ if item.is_earned() => Self::Passed,
            (ItemState::Missing, GradingState::Rejected { .. }) => Self::Error,
            (ItemState::Missing, GradingState::Graded | GradingState::Unfinished { .. }) => Self::Skipped,
            (ItemState::Answer(_) | ItemState::Game(_) | ItemState::WinRate(_), _) => Self::Failure,
        }
    }
}

/// The number of tests by outcome, and their time, as attributes of a suite.
fn counts(student: &StudentGrade) -> String {
    let items = || student.criteria.iter().flatten();
    let count = |outcome| items().filter(|item| JunitOutcome::of(student, item) == outcome).count();
    let [failures, errors, skipped] = [JunitOutcome::Failure, JunitOutcome::Error, JunitOutcome::Skipped].map(count);
    let (tests, time) = (items().count(), seconds(items().filter_map(charged).sum()));
    format!(r#"tests="{tests}" failures="{failures}" errors="{errors}" skipped="{skipped}" time="{time}""#)
}

/// Seconds in the format of the schema.
fn seconds(time: CpuTime) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// When the last of the run was played, in UTC.
fn timestamp(gradebook: &Gradebook) -> String {
    let seconds = i64::try_from(gradebook.last_began_unix_s).unwrap_or(0);
    let moment = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    jiff::tz::Offset::UTC.to_datetime(moment).to_string()
}

fn suite(gradebook: &Gradebook, student: &StudentGrade, number: usize) -> String {
    let mut written = format!(
        "  <testsuite id=\"{number}\" package=\"{}\" name=\"{}\" {} timestamp=\"{}\" hostname=\"{}\">\n    \
         <properties/>\n",
        attribute(&gradebook.title),
        attribute(&student.name),
        counts(student),
        timestamp(gradebook),
        attribute(&gradebook.host.name),
    );
    let parts = gradebook.criteria.iter().zip(&student.criteria);
    for (head, item) in parts.flat_map(|(head, items)| items.iter().map(move |item| (head, item))) {
        write!(
            written,
            r#"    <testcase classname="{}" name="{}" time="{}""#,
            attribute(&head.name),
            attribute(&item.title),
            seconds(charged(item).unwrap_or_default()),
        )
        .expect("writing to a text does not fail");
        written.push_str(&outcome(gradebook, student, item));
    }
    let about = content(&grade_text(gradebook, student));
    written + &format!("    <system-out>{about}</system-out>\n    <system-err/>\n  </testsuite>\n")
}

/// The rest of a `testcase`, after its attributes.
fn outcome(gradebook: &Gradebook, student: &StudentGrade, item: &GradebookItem) -> String {
    let message = match &student.state {
        GradingState::Rejected { fault, .. } => attribute(&fault.to_string()),
        GradingState::Graded | GradingState::Unfinished { .. } => attribute(&reason(gradebook, student, item)),
    };
    let kind = Loss::of(item).map_or("", |loss| loss.kind);
    let inner = match JunitOutcome::of(student, item) {
        JunitOutcome::Passed => return "/>\n".to_owned(),
        JunitOutcome::Skipped => format!(r#"<skipped message="{message}"/>"#),
        JunitOutcome::Error => format!(r#"<error type="rejected" message="{message}"/>"#),
        JunitOutcome::Failure => {
            let detail = content(&item_text(gradebook, student, item));
            format!(r#"<failure type="{kind}" message="{message}">{detail}</failure>"#)
        }
    };
    format!(">\n      {inner}\n    </testcase>\n")
}

/// A text on one line, escaped for an attribute.
fn attribute(text: &str) -> String {
    content(&plain(text)).replace('"', "&quot;")
}

/// A text, escaped for content.
fn content(text: &str) -> String {
    let is_invalid = |c: char| (c < ' ' && c != '\n' && c != '\t') || ('\u{fffe}'..='\u{ffff}').contains(&c);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(is_invalid, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(content("a<b>&\u{0}\u{1b}\u{ffff}\r\n"), "a&lt;b&gt;&amp;\u{fffd}\u{fffd}\u{fffd}\u{fffd}\n");
        assert_eq!(attribute("\"\u{0}\n"), r"&quot;\0\n");
    }
}
