//! Autolab: the output of an autograder, feedback first and the scores on the last line. A pure function of the
//! gradebook; [`super::export_all`] calls it.
//!
//! The format: <https://docs.autolabproject.com/lab/>, *Writing Autograders*: the last line is a JSON object with
//! `scores` by the names of the problems, and the entries for the scoreboard's columns
//! (<https://docs.autolabproject.com/features/scoreboards/>). The line before may request another layout with an object
//! containing `_presentation`; ours never does.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::assignment::Points;
use crate::grading::feedback::earned;
use crate::grading::{Gradebook, StudentGrade, student_text};
use crate::protocol::plain;

#[derive(Serialize)]
struct Autoresult {
    scores: Scores,
    scoreboard: Vec<Points>,
}

/// Names with their points, in the order of the assignment.
struct Scores(Vec<(String, Points)>);

impl Serialize for Scores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, points) in &self.0 {
            map.serialize_entry(name, points)?;
        }
        map.end()
    }
}

/// The output for one student: the student's page, then the scores by criterion; on the scoreboard the total, then each
/// criterion.
pub fn autolab(gradebook: &Gradebook, student: &StudentGrade) -> String {
    let parts = gradebook.criteria.iter().zip(&student.criteria);
    let scores: Vec<(String, Points)> = parts.map(|(head, items)| (plain(&head.name), earned(items))).collect();
    let points = scores.iter().map(|(_, points)| *points);
    let result =
        Autoresult { scoreboard: std::iter::once(student.points).chain(points).collect(), scores: Scores(scores) };
    let line = serde_json::to_string(&result).expect("scores have texts for keys");
    format!("{}\n{line}\n", student_text(gradebook, student))
}
