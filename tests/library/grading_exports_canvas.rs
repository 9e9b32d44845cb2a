//! Filling in a Canvas gradebook: what changes, and what must not.

use proptest::prelude::*;
use referee_course::grading::Gradebook;
use referee_course::grading::exports::{FilledFile, GradeColumn, GradeExport, TemplateError, export_all, grade_column};

use crate::gradebooks::{any_gradebook, points, sample};

fn canvas(book: &Gradebook, template: &str, column: Option<&str>) -> Result<FilledFile, TemplateError> {
    grade_column(GradeColumn::Canvas, book, template, column)
}

const TEMPLATE: &str = include_str!("schemas/canvas.csv");

fn rows(text: &str, delimiter: u8) -> Vec<Vec<String>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let records = reader.records().map(Result::unwrap);
    records.map(|record| record.iter().map(str::to_owned).collect()).collect()
}

fn warnings(book: &Gradebook, template: &str) -> Vec<String> {
    let filled = canvas(book, template, None).unwrap();
    filled.warnings
}

#[test]
fn the_points_stand_in_the_column_of_the_assignment() {
    let filled = canvas(&sample(), TEMPLATE, None).unwrap();
    assert_eq!(filled.column, "Homework 2 (4712)");
    assert_eq!(filled.text, TEMPLATE.replace("Monday\",9.5,,95.0", "Monday\",9.5,4.5,95.0"));
    assert_eq!(
        warnings(&sample(), TEMPLATE),
        [
            "no row has `bob` as id, login, e-mail or name: if the row is missing, download the file again; else \
             grade again with a `--roster` that has the id, login or e-mail in the row",
            "no row has `cy` as id, login, e-mail or name: if the row is missing, download the file again; else grade \
             again with a `--roster` that has the id, login or e-mail in the row",
            "no submission for the row `Noether, Emmy`: its cell was not changed",
        ]
    );
}

#[test]
fn a_file_of_another_kind_is_filled_in_as_well() {
    // A byte order mark, line ends of Windows, semicolons, names in two columns, cells that are missing.
    let template = "\u{feff}LastName;FirstName;ID;SIS Login ID;Section;HW (1)\r\n    Points Possible;;;;;7,0\r\n\
                    \"Lovelace\";Ada;101;\"ada\";\"A; B\"\r\n\r\nNoether;Emmy;102;cy;x;3,5\r\n";
    let mut book = sample();
    book.students[2].state = referee_course::grading::GradingState::Graded;
    let filled = canvas(&book, template, None).unwrap();
    let expected = template.replace("\"A; B\"\r\n", "\"A; B\";4.5\r\n").replace("x;3,5", "x;4.5");
    assert_eq!(filled.text, expected);
    assert_eq!(
        filled.warnings,
        [
            "filled in the only column, `HW (1)`, for `Homework 2`: if it is that of another assignment, download a \
             file with the right one",
            "no row has `bob` as id, login, e-mail or name: if the row is missing, download the file again; else \
             grade again with a `--roster` that has the id, login or e-mail in the row",
        ]
    );
}

#[test]
fn what_is_not_sure_or_not_finished_is_left_as_it_was() {
    let template = TEMPLATE
        .replace("enoether", "cy")
        .replace("95.0\n", "95.0\n\"Bob\",104,,,x,1,EX,1\n")
        .replace(",10,7,", ",10,8,");
    let filled = canvas(&sample(), &template, None).unwrap();
    assert_eq!(filled.text, template.replace("9.5,,95.0", "9.5,4.5,95.0"));
    assert_eq!(
        warnings(&sample(), &template),
        [
            "the maximum points are `8` on the platform, but 7 here",
            "the cell of `Bob` contains `EX` and was not changed",
            "the grading of `cy` is not finished: its cell was not changed",
        ]
    );
    let twins = TEMPLATE.replace("enoether", "ada");
    assert_eq!(canvas(&sample(), &twins, None).unwrap().text, twins);
    assert_eq!(
        warnings(&sample(), &twins)[0],
        "several rows match `ada`: `Lovelace, Ada`, `Noether, Emmy`: grade again with a `--roster` that has the id, \
         login or e-mail in the row"
    );
    let mut again = sample();
    again.students[1].name = "101".to_owned();
    assert_eq!(
        warnings(&again, TEMPLATE)[..2],
        [
            "`ada` and another submission match the row `Lovelace, Ada`: grade only one of them",
            "`101` and another submission match the row `Lovelace, Ada`: grade only one of them",
        ]
    );
}

#[test]
fn a_column_can_be_named_by_number_title_or_heading() {
    for name in ["4711", "Homework 1", "Homework 1 (4711)"] {
        let filled = canvas(&sample(), TEMPLATE, Some(name)).unwrap();
        assert_eq!(filled.column, "Homework 1 (4711)");
    }
}

#[test]
fn a_file_that_cannot_be_filled_in_is_refused() {
    let fault = |template: &str, column| canvas(&sample(), template, column).unwrap_err().to_string();
    assert_eq!(
        fault("a,b\n", None),
        "expected a file from Canvas with the columns `Student` and `ID` in the first line: download it there again"
    );
    assert_eq!(fault("", None), fault("a,b\n", None));
    assert_eq!(
        fault(&format!("{TEMPLATE}\"x,y\n"), None),
        "line 7: unclosed quotation mark: download the file from the platform again"
    );
    assert_eq!(
        fault(TEMPLATE, Some("Homework 3")),
        "expected one column for `Homework 3`, found 0: name one of `Homework 1 (4711)`, `Homework 2 (4712)` with \
         `--column TITLE`"
    );
    assert_eq!(
        fault(&TEMPLATE.replace(",10,7,", ",10,(read only),"), None),
        "the column `Homework 2 (4712)` is read only: name the column of an assignment"
    );
    let export = GradeExport::named("canvas", Some("a,b\n"), None).unwrap();
    let refused = export_all(&sample(), &[GradeExport::named("csv", None, None).unwrap(), export]);
    assert!(matches!(refused, Err(TemplateError::NoHeadings { .. })), "{refused:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_other_cell_changes_and_everybody_is_accounted_for(
        book in any_gradebook(),
        cells in prop::collection::vec("[a-c\",; é\n]{0,6}", 40),
        order in Just([0_usize, 1, 2, 3, 4, 5, 6]).prop_shuffle(),
    ) {
        let known = book.students.iter().enumerate();
        let header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Other (1)", "Homework 2 (4712)"];
        let mut written = vec![header.map(str::to_owned).to_vec()];
        // Every other student is in Canvas, under an ID that nobody else has.
        let mut book_in_canvas = book.clone();
        for (index, _) in known.filter(|(index, _)| index % 2 == 0) {
            let student = &mut book_in_canvas.students[index];
            student.name = format!("9{index}");
            let at = |place: usize| cells[(index * 7 + place) % cells.len()].clone();
            written.push(vec![at(0), student.name.clone(), String::new(), String::new(), at(2), at(3), String::new()]);
        }
        for row in &mut written {
            *row = order.iter().map(|&column| row[column].clone()).collect();
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &written {
            writer.write_record(row).unwrap();
        }
        let template = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let filled = canvas(&book_in_canvas, &template, Some("4712")).unwrap();
        let target = order.iter().position(|&column| column == 6).unwrap();
        let id = order.iter().position(|&column| column == 1).unwrap();
        let after = rows(&filled.text, b',');
        prop_assert_eq!(after.len(), written.len());
        for (before, after) in written.iter().zip(&after).skip(1) {
            for column in (0..7).filter(|&column| column != target) {
                prop_assert_eq!(&before[column], &after[column]);
            }
            let student = book_in_canvas.students.iter().find(|student| student.name == before[id]).unwrap();
            let mut warnings = filled.warnings.iter();
            let contested = warnings.any(|warning| warning.contains(" and another submission match the row "));
            let is_finished = !matches!(student.state, referee_course::grading::GradingState::Unfinished { .. });
            if is_finished && !contested {
                prop_assert_eq!(points(&after[target]), student.points);
            }
        }
        for student in book_in_canvas.students.iter().filter(|student| !student.name.starts_with('9')) {
            let name = referee_games::protocol::quote(student.name.as_bytes());
            let named = filled.warnings.iter().any(|warning| warning.contains(&name));
            prop_assert!(named, "{:?} is not in {:?}", student.name, filled.warnings);
        }
    }
}
