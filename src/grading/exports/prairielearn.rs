//! `PrairieLearn`: the `results.json` of an external grader. A pure function; [`super::export_all`] calls it.
//!
//! The format: <https://prairielearn.readthedocs.io/en/latest/externalGrading/>, section *Grading results*: a `score`
//! from 0 to 1, `gradable`, and the tests for `<pl-external-grader-results>`; at most 1 MB. A rejected submission gets
//! a score of zero instead of `gradable: false`, which would refund the attempt.

use serde::Serialize;

use super::json_text;
use crate::assignment::Points;
use crate::grading::feedback::{grade_text, item_text, reason};
use crate::grading::{CriterionHead, Gradebook, GradebookItem, StudentGrade};
use crate::protocol::plain;

/// A size in bytes that is certainly accepted.
const MAX_BYTES: usize = 900_000;

#[derive(Serialize)]
struct PrairieLearnResults {
    gradable: bool,
    score: f64,
    message: String,
    output: String,
    tests: Vec<PrairieLearnTest>,
}

#[derive(Serialize)]
struct PrairieLearnTest {
    name: String,
    description: String,
    points: Points,
    max_points: Points,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

/// The `results.json` of one student. If it is too large, the tests have no details.
pub fn prairielearn(gradebook: &Gradebook, student: &StudentGrade) -> String {
    let whole = results(gradebook, student, Details::Shown);
    if whole.len() <= MAX_BYTES {
        return whole;
    }
    results(gradebook, student, Details::LeftOut)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Details {
    Shown,
    LeftOut,
}

fn results(gradebook: &Gradebook, student: &StudentGrade, details: Details) -> String {
    let parts = gradebook.criteria.iter().zip(&student.criteria);
    let tests = parts.flat_map(|(head, items)| {
        let items = items.iter();
        items.map(move |item| test(gradebook, student, head, item, details))
    });
    json_text(&PrairieLearnResults {
        gradable: true,
        score: share(student.points, student.of),
        message: format!("{} of {} {}", student.points, student.of, student.of.noun()),
        output: grade_text(gradebook, student),
        tests: tests.collect(),
    })
}

/// The earned share of the points, from 0 to 1.
fn share(points: Points, of: Points) -> f64 {
    if of == Points::ZERO {
        return 0.0;
    }
    (f64::from(points.hundredths()) / f64::from(of.hundredths())).min(1.0)
}

fn test(
    gradebook: &Gradebook,
    student: &StudentGrade,
    head: &CriterionHead,
    item: &GradebookItem,
    details: Details,
) -> PrairieLearnTest {
    let is_told = details == Details::Shown && !item.is_earned();
    PrairieLearnTest {
        name: plain(&item.title),
        description: plain(&head.title),
        points: item.points,
        max_points: item.of,
        message: reason(gradebook, student, item),
        output: is_told.then(|| item_text(gradebook, student, item)),
    }
}
