//! Grade columns for Brightspace, Moodle and Blackboard: filled into files in the shape that each hands out.

use referee_course::grading::exports::{GradeColumn, TemplateError, grade_column, new_grade_column};
use referee_course::grading::{Gradebook, GradingState};
use referee_records::StudentIdentity;

use crate::gradebooks::{class, item, legal, student};
use crate::invocation::{assert_contains, assert_ends};

/// Ada with 2 points, Bob with none, Cy unfinished, and one whose name is a formula.
fn gradebook() -> Gradebook {
    let graded = |name: &str, id: &str, email: &str, earned| {
        let items = vec![vec![item("a", "a", "2", earned, legal())]];
        let mut grade = student(name, GradingState::Graded, items);
        grade.identity = StudentIdentity { id: id.to_owned(), email: email.to_owned(), ..StudentIdentity::default() };
        grade
    };
    let mut cy = graded("Cy Unfinished", "3", "cy@x.edu", false);
    cy.state = GradingState::Unfinished { missing: 1 };
    Gradebook {
        students: vec![
            graded("=1+1", "=4", "=cmd@x.edu", true),
            graded("Ada Lovelace", "1", "ada@x.edu", true),
            graded("Bob Roe", "0002", "", false),
            cy,
        ],
        ..class()
    }
}

#[test]
fn the_export_of_brightspace_is_filled_in_by_id() {
    let template = "OrgDefinedId,Username,Last Name,First Name,Email,Homework 2 Points Grade <Numeric MaxPoints:7 \
        Weight:10 Category:HW>,Quiz Points Grade <Numeric MaxPoints:5>,End-of-Line Indicator\r\n\
        #1,#ada,Lovelace,Ada,ada@x.edu,,3,#\r\n#0002,#bob,Roe,Bob,bob@x.edu,1,,#\r\n\
            #3,#cy,Unfinished,Cy,cy@x.edu,,,#\r\n\
        #9,#zed,Zed,Zoe,zed@x.edu,5,,#\r\n";
    assert_eq!(GradeColumn::of_template(template), Some(GradeColumn::Brightspace));
    let filled = grade_column(GradeColumn::Brightspace, &gradebook(), template, None).unwrap();
    let expected = template.replace("ada@x.edu,,3", "ada@x.edu,2,3").replace("bob@x.edu,1,", "bob@x.edu,0,");
    assert_eq!(filled.text, expected);
    assert_eq!(
        filled.warnings,
        [
            "no row matches `=1+1` by id, e-mail or name: if the row is missing, download the file again; else grade \
             again with a `--roster` that has the id, login or e-mail in the row",
            "the grading of `Cy Unfinished` is not finished: its cell was not changed",
            "no submission for the row `Zed, Zoe`: its cell was not changed",
        ]
    );
    let ids_alone = "OrgDefinedId,Homework 2 Points Grade <Numeric MaxPoints:7>,End-of-Line Indicator\r\n#1,,#\r\n";
    let filled = grade_column(GradeColumn::Brightspace, &gradebook(), ids_alone, None).unwrap();
    assert_ends(&filled.text, "#1,2,#\r\n");
    let quiz = grade_column(GradeColumn::Brightspace, &gradebook(), template, Some("quiz")).unwrap();
    assert_contains(&quiz.text, "#1,#ada,Lovelace,Ada,ada@x.edu,,2,#");
    assert_contains(&quiz.warnings[0], "the maximum points are `5` on the platform, but 7 here");
    let unknown = grade_column(GradeColumn::Brightspace, &gradebook(), template, Some("other")).unwrap_err();
    assert!(unknown.to_string().contains("Homework 2 Points Grade"), "{unknown}");
}

#[test]
fn the_column_of_another_assignment_of_brightspace_is_filled_in_only_by_name() {
    let template = "OrgDefinedId,Midterm Points Grade <Numeric MaxPoints:5>,End-of-Line Indicator\n#1,,#\n";
    let filled = |column| grade_column(GradeColumn::Brightspace, &gradebook(), template, column);
    assert_eq!(
        filled(None).unwrap_err().to_string(),
        "expected one column for `Homework 2`, found 0: name one of `Midterm Points Grade <Numeric MaxPoints:…` with \
         `--column TITLE`"
    );
    assert_ends(&filled(Some("Midterm")).unwrap().text, "#1,2,#\n");
    let without = grade_column(GradeColumn::Brightspace, &gradebook(), "Username,End-of-Line Indicator\n#1,#\n", None);
    assert_ends(without.unwrap_err().to_string(), "found 0: add it on the platform and download the file again");
}

#[test]
fn the_worksheet_of_moodle_is_filled_in_unless_a_grade_is_locked() {
    let template = "\u{feff}Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be \
        changed\",\"Last modified (grade)\",\"Feedback comments\"\n\
        \"Participant 11\",\"Ada Lovelace\",ada@x.edu,\"Submitted, late\",,7.00,Yes,-,\n\
        \"Participant 12\",\"Bob Roe\",bob@x.edu,-,4.00,7.00,No,-,\"well, done\"\n";
    assert_eq!(GradeColumn::of_template(template), Some(GradeColumn::Moodle));
    let filled = grade_column(GradeColumn::Moodle, &gradebook(), template, None).unwrap();
    assert_eq!(filled.text, template.replace("late\",,7.00", "late\",2,7.00"));
    assert!(
        filled.warnings.contains(&"the cell of `Bob Roe` contains `4.00` and was not changed".to_owned()),
        "{:?}",
        filled.warnings
    );
}

#[test]
fn the_download_of_blackboard_keeps_its_heading_and_its_tabs() {
    let template = "\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Student ID\"\t\"Last Access\"\t\"Availability\"\t\
        \"Homework 2 [Total Pts: 7 Score] |123456\"\n\"Lovelace\"\t\"Ada\"\t\"alove\"\t\"1\"\t\"\"\t\"Yes\"\t\"\"\n\
        \"Roe\"\t\"Bob\"\t\"broe\"\t\"0002\"\t\"\"\t\"Yes\"\t\"Needs Grading\"\n";
    assert_eq!(GradeColumn::of_template(template), Some(GradeColumn::Blackboard));
    let filled = grade_column(GradeColumn::Blackboard, &gradebook(), template, None).unwrap();
    let expected = template
        .replace("\"1\"\t\"\"\t\"Yes\"\t\"\"", "\"1\"\t\"\"\t\"Yes\"\t\"2\"")
        .replace("\"Needs Grading\"", "\"0\"");
    assert_eq!(filled.text, expected);
    assert_eq!(filled.column, "Homework 2 [Total Pts: 7 Score] |123456");
}

#[test]
fn the_download_of_one_column_of_blackboard_has_no_student_id() {
    let template = "\u{feff}\"Last Name\",\"First Name\",\"Username\",\"Homework 2 [EXTRA CREDIT] [Total Pts: up to 7 \
        Score] |9\",\"Grading Notes\",\"Notes Format\",\"Feedback to Learner\",\"Feedback Format\"\n\
        \"Lovelace\",\"Ada\",\"alove\",\"\",\"\",\"SMART_TEXT\",\"\",\"SMART_TEXT\"\n";
    assert_eq!(GradeColumn::of_template(template), Some(GradeColumn::Blackboard));
    let filled = grade_column(GradeColumn::Blackboard, &gradebook(), template, None).unwrap();
    assert_eq!(filled.text, template.replace("\"alove\",\"\"", "\"alove\",\"2\""));
    assert!(!filled.warnings.iter().any(|line| line.contains("worth")), "{filled:?}");
}

#[test]
fn the_export_of_brightspace_may_have_one_key_alone() {
    for key in ["OrgDefinedID", "Username"] {
        let template =
            format!("{key},Homework 2 Points Grade <Numeric MaxPoints:7>,End-of-Line Indicator\n#1,,#\n#2,3,#\n");
        assert_eq!(GradeColumn::of_template(&template), Some(GradeColumn::Brightspace));
        let filled = grade_column(GradeColumn::Brightspace, &gradebook(), &template, None).unwrap();
        assert_eq!(filled.text, template.replace("#1,,", "#1,2,"), "{key}");
    }
}

#[test]
fn a_participant_of_moodle_is_the_one_of_that_number_and_name() {
    let rows = "\"Participant 12\",\"Ada Byron\",,7.00\n\"Participant 13\",\"Ada Byron\",,7.00\n\
        \"Participant 1\",\"Eve Roe\",,7.00\n";
    let template = format!("Identifier,\"Full name\",Grade,\"Maximum grade\"\n{rows}");
    let filled_for = |origin: &str| {
        let mut gradebook = gradebook();
        // Ada has a student number that is no number of a participant.
        gradebook.students.retain(|student| student.name == "Ada Lovelace");
        gradebook.students[0].origin = format!("class/{origin}");
        grade_column(GradeColumn::Moodle, &gradebook, &template, None).unwrap().text
    };
    for (origin, line) in [
        ("Ada Byron_13_assignsubmission_file", "13\",\"Ada Byron\","),
        ("Ada Byron_12_assignsubmission_file_", "12\",\"Ada Byron\","),
        // The number of a group.
        ("Team 7_12_assignsubmission_file", "nothing"),
        ("Ada Lovelace", "nothing"),
    ] {
        let expected = template.replace(&format!("{line},"), &format!("{line}2,"));
        assert_eq!(filled_for(origin), expected, "{origin}");
    }
    let anonymous =
        "Identifier,Status,Grade,\"Maximum grade\"\n\"Participant 12\",-,,7.00\n\"Participant 1\",-,,7.00\n";
    let mut gradebook = gradebook();
    gradebook.students.retain(|student| student.name == "Ada Lovelace");
    gradebook.students[0].name = "Participant".to_owned();
    gradebook.students[0].submission = "Participant".to_owned();
    gradebook.students[0].origin = "class/Participant_12_assignsubmission_file".to_owned();
    let filled = grade_column(GradeColumn::Moodle, &gradebook, anonymous, None).unwrap();
    assert_eq!(filled.text, anonymous.replace("12\",-,,", "12\",-,2,"));
}

#[test]
fn a_new_file_has_the_known_students_and_no_formula() {
    let brightspace = new_grade_column(GradeColumn::Brightspace, &gradebook());
    assert_eq!(
        brightspace.text,
        "OrgDefinedId,Homework 2 Points Grade <Numeric MaxPoints:7>,End-of-Line \
            Indicator\n#'=4,2,#\n#1,2,#\n#0002,0,#\n"
    );
    let moodle = new_grade_column(GradeColumn::Moodle, &gradebook());
    assert_eq!(moodle.text, "Email address,Full name,Homework 2\n'=cmd@x.edu,'=1+1,2\nada@x.edu,Ada Lovelace,2\n");
    assert_eq!(
        moodle.warnings,
        [
            "no e-mail of `Bob Roe` is known: give it with `--roster`, or fill in the platform's own file with \
             `--template`",
            "the grading of `Cy Unfinished` is not finished: its cell was not changed",
        ]
    );
}

#[test]
fn a_file_of_no_platform_is_refused() {
    for text in ["", "Student,Number\nx,1\n", "\"Identifier\n"] {
        assert_eq!(GradeColumn::of_template(text), None, "{text}");
    }
    assert_eq!(GradeColumn::of_template("Student;ID\nx;1\n"), Some(GradeColumn::Canvas));
    assert_eq!(GradeColumn::of_template("Student,ID\n\"Doe, Jane,1\n"), Some(GradeColumn::Canvas));
    let refused = grade_column(GradeColumn::Moodle, &gradebook(), "Student,ID\nx,1\n", None);
    assert!(matches!(refused, Err(TemplateError::NoHeadings { .. })), "{refused:?}");
}
