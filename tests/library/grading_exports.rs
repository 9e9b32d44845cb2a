//! Every export conforms to its platform's format, for any gradebook.

use std::collections::BTreeSet;

use proptest::prelude::*;
use referee_course::assignment::Points;
use referee_course::grading::exports::{
    EXPORTS, ExportFiles, GRADEBOOK_SCHEMA, GradeExport, GradebookFormat, class_csv, class_json, export_all,
    file_names, gradescope, junit, vocareum_grades, vocareum_report,
};
use referee_course::grading::{Gradebook, GradebookItem, ItemState, StudentGrade};
use referee_games::protocol::plain;

use crate::gradebooks::{any_gradebook, hostile, sample};
use crate::schemas;

fn items(student: &StudentGrade) -> impl Iterator<Item = &GradebookItem> {
    student.criteria.iter().flatten()
}

fn check_gradescope(book: &Gradebook, student: &StudentGrade) {
    let results = schemas::gradescope::check(&gradescope(book, student));
    assert_eq!(results.score, student.points);
    assert!(results.tests.iter().map(|test| test.score).eq(items(student).map(|item| item.points)));
    assert_eq!(results.tests.iter().map(|test| test.score).sum::<Points>(), results.score);
}

fn check_vocareum(book: &Gradebook, student: &StudentGrade) {
    let grades = schemas::vocareum::check_grades(&vocareum_grades(book, student));
    assert!(grades.iter().map(|(name, _)| name.clone()).eq(book.criteria.iter().map(|head| plain(&head.name))));
    assert_eq!(grades.iter().map(|(_, points)| *points).sum::<Points>(), student.points);
    schemas::vocareum::check_report(&vocareum_report(book, student));
}

fn check_junit(book: &Gradebook) {
    let suites = schemas::junit::check(&junit(book));
    assert_eq!(suites.len(), book.students.len());
    for ((name, [tests, failures, errors, skipped]), student) in suites.iter().zip(&book.students) {
        assert_eq!(*name, plain(&student.name));
        let lost = items(student).filter(|item| !item.is_earned()).count();
        assert_eq!(*tests, items(student).count());
        assert_eq!(failures + errors + skipped, lost);
        let missing = |item: &&GradebookItem| matches!(item.state, ItemState::Missing) && !item.is_earned();
        assert_eq!(errors + skipped, items(student).filter(missing).count());
    }
}

fn check_csv(book: &Gradebook) {
    let text = class_csv(book);
    assert!(text.chars().all(|character| !character.is_control() || character == '\n'), "{text:?}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let unguarded = |cell: &str| cell.strip_prefix('\'').unwrap_or(cell).to_owned();
    let head: Vec<String> = reader.headers().unwrap().iter().map(unguarded).collect();
    let parts: Vec<String> = book.criteria.iter().map(|head| plain(&head.name)).collect();
    assert_eq!(head[..2], ["student", "total"]);
    assert_eq!(head[2..2 + parts.len()], parts);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), book.students.len());
    for (row, student) in rows.iter().zip(&book.students) {
        assert_eq!(row.len(), head.len());
        assert!(row.iter().all(|cell| !cell.trim_start().starts_with(['=', '+', '-', '@'])), "{row:?}");
        assert_eq!(unguarded(&row[0]), plain(&student.name));
        let points: Vec<Points> = row.iter().skip(1).take(1 + parts.len()).map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(points[0], student.points);
        assert_eq!(points[1..].iter().copied().sum::<Points>(), student.points);
    }
}

fn check_json(book: &Gradebook) {
    let value: serde_json::Value = serde_json::from_str(&class_json(book)).unwrap();
    assert_eq!(value["schema"], GRADEBOOK_SCHEMA);
    let students = value["students"].as_array().unwrap();
    let expected = book.students.iter().map(|student| (student.name.clone(), student.points));
    let found = students.iter().map(|student| {
        let points = serde_json::from_value(student["points"].clone()).unwrap();
        (student["name"].as_str().unwrap().to_owned(), points)
    });
    assert!(found.eq(expected));
}

fn check_files(book: &Gradebook) {
    let formats: Vec<&GradebookFormat> =
        EXPORTS.iter().filter(|format| GradeExport::named(format.name, None, None).is_ok()).collect();
    let exports: Vec<GradeExport> =
        formats.iter().map(|format| GradeExport::named(format.name, None, None).unwrap()).collect();
    let exported = export_all(book, &exports).unwrap();
    let paths: BTreeSet<String> = exported.files.iter().map(|file| file.path.to_lowercase()).collect();
    assert_eq!(paths.len(), exported.files.len());
    let names = file_names(book);
    let expected = formats.iter().flat_map(|format| match &format.files {
        ExportFiles::Student(_) => names.iter().flat_map(|name| format.paths(name)).collect(),
        ExportFiles::Class(_) | ExportFiles::Column(_) => format.paths(""),
    });
    assert_eq!(paths, expected.map(|path| path.to_lowercase()).collect());
    for path in &paths {
        let parts: Vec<&str> = path.split('/').collect();
        assert!(parts.len() <= 2 && parts.iter().all(|part| !part.starts_with('.')), "{path}");
        assert!(path.chars().all(|character| character.is_alphanumeric() || " -_.+,=@/".contains(character)), "{path}");
    }
}

fn check_all(book: &Gradebook) {
    for student in &book.students {
        check_gradescope(book, student);
        check_vocareum(book, student);
    }
    check_junit(book);
    check_csv(book);
    check_json(book);
    check_files(book);
}

#[test]
fn the_sample_is_accepted_everywhere() {
    check_all(&sample());
}

#[test]
fn every_crime_is_accepted_everywhere() {
    check_all(&hostile());
}

#[test]
fn points_are_exact() {
    let book = sample();
    assert!(gradescope(&book, &book.students[0]).contains("\"score\": 4.5,\n"));
}

#[test]
fn names_that_differ_in_case_alone_get_files_of_their_own() {
    let mut book = sample();
    book.students[1].name = "ADA".to_owned();
    book.students[2].name = "../ada".to_owned();
    assert_eq!(file_names(&book), ["ada", "ADA-2", "_ada"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_gradebook_is_accepted_everywhere_and_nobody_is_lost(book in any_gradebook()) {
        check_all(&book);
    }
}
