//! The examples in `docs/exports.md` must equal the program's output. `SNAPSHOTS=overwrite` updates them.

use std::fmt::Write;

use referee_course::grading::exports::{
    EXPORTS, ExportFiles, GradeColumn, class_csv, class_json, grade_column, gradescope, junit, new_grade_column,
    vocareum_grades,
};
use referee_course::grading::{Gradebook, class_markdown, student_text};
use referee_records::StudentIdentity;
use snapbox::assert_data_eq;

use crate::gradebooks::sample;
use crate::invocation::assert_contains;

const TEMPLATE: &str = include_str!("schemas/canvas.csv");

const BLACKBOARD: &str = "\"Last Name\",\"First Name\",\"Username\",\"Student ID\",\"Availability\",\"Homework 2 \
    [Total Pts: \
    7 Score] |4712\"\n\"Lovelace\",\"Ada\",\"alovelace\",\"900101\",\"Yes\",\"\"\n\
        \"Noether\",\"Emmy\",\"enoether\",\"900102\",\"Yes\",\
    \"\"\n";

/// The gradebook with what a roster says of Ada.
fn with_roster(mut book: Gradebook) -> Gradebook {
    book.students[0].identity =
        StudentIdentity { id: "900101".to_owned(), email: "ada@example.edu".to_owned(), ..StudentIdentity::default() };
    book
}

/// Longer than any fence in an example.
const FENCE: &str = "````";

/// The example of this name, and the language that it is in.
fn example(name: &str) -> (&'static str, String) {
    let mut book = sample();
    let ada = book.students[0].clone();
    match name {
        "csv" => ("csv", class_csv(&book)),
        "json" => {
            book.students.truncate(1);
            book.students[0].criteria = vec![vec![ada.criteria[0][0].clone()], vec![]];
            ("json", class_json(&book))
        }
        "summary" => ("markdown", class_markdown(&book)),
        "feedback" => ("text", student_text(&book, &ada)),
        "gradescope" => ("json", gradescope(&book, &ada)),
        "vocareum" => ("csv", vocareum_grades(&book, &ada)),
        "canvas-template" => ("csv", TEMPLATE.to_owned()),
        "canvas" => ("csv", grade_column(GradeColumn::Canvas, &book, TEMPLATE, None).unwrap().text),
        "brightspace" => ("csv", new_grade_column(GradeColumn::Brightspace, &with_roster(book)).text),
        "moodle" => ("csv", new_grade_column(GradeColumn::Moodle, &with_roster(book)).text),
        "blackboard-template" => ("csv", BLACKBOARD.to_owned()),
        "blackboard" => {
            let filled = grade_column(GradeColumn::Blackboard, &with_roster(book), BLACKBOARD, None);
            ("csv", filled.unwrap().text)
        }
        "junit" => ("xml", junit(&book)),
        other => panic!("there is no example `{other}`"),
    }
}

/// The document with the example below each mark, whatever was there.
fn with_examples(document: &str) -> String {
    let mut written = String::new();
    let mut lines = document.lines().peekable();
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        let Some(name) = line.strip_prefix("<!-- example: ").and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        if lines.peek().is_some_and(|next| next.starts_with(FENCE)) {
            lines.next();
            lines.by_ref().find(|line| *line == FENCE).unwrap();
        }
        let (language, text) = example(name);
        write!(written, "{FENCE}{language}\n{text}{FENCE}\n").unwrap();
    }
    written
}

#[test]
fn the_documented_examples_are_what_is_made() {
    let document = include_str!("../../docs/exports.md");
    assert_data_eq!(with_examples(document), snapbox::file!["../../docs/exports.md": Text].raw());
}

#[test]
fn every_export_is_documented() {
    let document = include_str!("../../docs/exports.md");
    for format in &EXPORTS {
        let name = format.name;
        assert!(document.contains(&format!("\n## `{name}`\n")), "{name}");
        assert_contains(document, &format!("\n<!-- example: {name} -->\n{FENCE}"));
        let scope = match format.files {
            ExportFiles::Class(_) | ExportFiles::Column(_) => "the class",
            ExportFiles::Student(_) => "each student",
        };
        let files: Vec<String> = format.paths("<student>").iter().map(|path| format!("`{path}`")).collect();
        assert_contains(document, &format!("\n| `{name}` | {scope} | {}", files.join(", ")));
    }
}
