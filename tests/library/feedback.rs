//! The pages of students and of the class: their contents, and that every text stays text.

use proptest::prelude::*;
use referee_course::grading::{
    AnswerItem, GameItem, Gradebook, GradingState, ItemState, class_markdown, class_text, reference_lines,
    review_lines, student_markdown, student_text, summary_table,
};
use referee_games::Side;
use referee_games::protocol::plain;
use referee_messages::AnalysisWords;
use referee_records::{AnswerVerdict, Fault, Verdict, WinReason};
use referee_seat::Bytes;
use snapbox::assert_data_eq;

use crate::gradebooks::{
    answer, any_gradebook, every_crime, game, hostile, item, lost_item, not_a_square, points, sample, student, won,
};
use crate::invocation::assert_contains;

/// What may be wrong with a text that is to be harmless on a terminal.
fn assert_harmless(text: &str) {
    let bad = text.chars().find(|&character| {
        (character.is_control() && character != '\n')
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
    });
    assert_eq!(bad, None, "{text}");
}

/// Checks that no tag, link or heading is in a Markdown text but those of the page itself.
fn assert_inert(markdown: &str) {
    assert_harmless(markdown);
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => (),
            None if line.starts_with("```") => {
                fence = Some(line.trim_end_matches("text").to_owned());
            }
            None => assert_inert_line(&line.replace("&#124;", "")),
        }
    }
    assert_eq!(fence, None, "a fence is never closed: {markdown}");
}

fn assert_inert_line(line: &str) {
    let heading = line.trim_start_matches('#');
    let line = if heading.starts_with(' ') { heading } else { line };
    let mut in_code = false;
    let mut escaped = false;
    for character in line.chars() {
        match character {
            _ if escaped => escaped = false,
            '`' => in_code = !in_code,
            '\\' if !in_code => escaped = true,
            '<' | '>' | '[' | ']' | '#' | '*' | '_' => assert!(in_code, "{line}"),
            _ => (),
        }
    }
    assert!(!in_code, "{line}");
}

#[test]
fn the_page_of_a_student_reads_like_this() {
    let book = sample();
    let pages: Vec<String> = book.students.iter().map(|student| student_text(&book, student)).collect();
    assert_data_eq!(pages.join("\n#####\n\n"), snapbox::file!["snapshots/student_text.txt"].raw());
    assert_data_eq!(student_markdown(&book, &book.students[0]), snapbox::file!["snapshots/student_markdown.txt"].raw());
}

#[test]
fn the_page_of_the_class_reads_like_this() {
    assert_data_eq!(class_text(&sample()), snapbox::file!["snapshots/class_text.txt"].raw());
    assert_data_eq!(class_markdown(&sample()), snapbox::file!["snapshots/class_markdown.txt"].raw());
}

#[test]
fn an_assignment_of_one_point_has_no_points_in_the_plural() {
    let mut book = sample();
    book.criteria.truncate(1);
    book.criteria[0].of = points("1");
    let cases = vec![item("c1", "case 1", "1", false, ItemState::Missing)];
    book.students = vec![student("ada", GradingState::Graded, vec![cases])];
    assert_contains(student_text(&book, &book.students[0]), "\n0 of 1 point\n");
    assert_contains(class_text(&book), "0 to 0 of 1 point, median 0\n");
}

#[test]
fn a_class_is_counted_by_points() {
    let mut book = sample();
    book.students.remove(1);
    let [ada, cy] = book.students.as_mut_slice() else { panic!("three less one") };
    ada.criteria[1][1].of = points("5");
    (cy.points, cy.criteria[0][0].points) = (points("3.5"), points("0"));
    cy.criteria[0][0].state = ItemState::Missing;
    let text = class_text(&book);
    // The median of two is between them, and a game of five points outweighs two items of less.
    assert_contains(&text, "3.5 to 4.5 of 7 points, median 4\n");
    let at = |words: &str| text.find(words).unwrap();
    assert!(at("\n wrong format   1       1          5") < at("\n not played     2       1          3.5"), "{text}");
}

#[test]
fn the_table_fits_the_terminal() {
    let book = hostile();
    for columns in [40, 60, 80, 120] {
        let table = summary_table(&book, columns);
        assert_harmless(&table);
        assert!(table.lines().all(|line| line.chars().count() <= columns.into()), "{table}");
    }
}

#[test]
fn the_same_fault_is_explained_once_and_then_only_named() {
    let crime = every_crime().swap_remove(7);
    let games = (1..=5).map(|number| lost_item("ada", &format!("g{number}"), crime.clone())).collect();
    let mut book = sample();
    book.students = vec![student("ada", GradingState::Graded, vec![Vec::new(), games])];
    let page = student_text(&book, &book.students[0]);
    assert_eq!(page.matches("on turn 1 of g0001").count(), 1, "{page}");
    assert_data_eq!(student_markdown(&book, &book.students[0]), snapbox::file!["snapshots/repeated_fault.txt"].raw());
    assert_contains(&page, "Also in 4 more items: game g2; game g3; game g4; game g5\n");
}

#[test]
fn a_lost_game_says_what_time_had_to_do_with_it() {
    let time = Some("black lost on the board with 90.00 s of its 100.00 s unused".to_owned());
    let lost = GameItem { time, ..game(Verdict::Won { winner: Side::White, by: WinReason::NoMoves }) };
    let lost = item("games.01", "a game", "2.5", false, ItemState::Game(Box::new(lost)));
    let mut book = sample();
    book.students = vec![student("ada", GradingState::Graded, vec![Vec::new(), vec![lost]])];
    let text = student_text(&book, &book.students[0]);
    assert_contains(&text, "Time: black lost on the board with 90.00 s of its 100.00 s unused\n");
}

#[test]
fn an_analyzed_game_says_what_lost_it() {
    let sentence = "turn 3, `E c3 d4` by black, gave up a won game: `J c3 e5` captures 2 pieces (proved)".to_owned();
    let analysis = Some(AnalysisWords { sentences: vec![sentence], decisive_turn: Some(3) });
    let lost = GameItem { analysis, ..game(Verdict::Won { winner: Side::White, by: WinReason::NoMoves }) };
    let lost = item("games.01", "a game", "2.5", false, ItemState::Game(Box::new(lost)));
    let mut book = sample();
    book.students = vec![student("ada", GradingState::Graded, vec![Vec::new(), vec![lost]])];
    let text = student_text(&book, &book.students[0]);
    let line = "Analysis: turn 3, `E c3 d4` by black, gave up a won game: `J c3 e5` captures 2 pieces (proved)";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_reference_that_loses_by_faults_is_reported_to_the_staff_alone() {
    let by_reference = || {
        let verdict = Verdict::Forfeit { loser: Side::White, fault: Fault::WrongFormat { finding: not_a_square() } };
        ItemState::Game(Box::new(game(verdict)))
    };
    let book_of = |games: Vec<ItemState>| {
        let ids = (1..).map(|number| format!("ada.minimax.{number}"));
        let games = ids.zip(games).map(|(id, game)| item(&id, &id, "1", true, game)).collect();
        let mut book = sample();
        book.students = vec![student("ada", GradingState::Graded, vec![Vec::new(), games])];
        book
    };
    let book = book_of(vec![by_reference(), won(), by_reference(), won(), ItemState::Missing]);
    let name = &book.criteria[1].name;
    let line = format!(
        "the reference `minimax` lost 2 of its 4 games in `{name}` by a fault of its own, most often wrong format, and \
         these points went to the students: `referee explain games/ada.minimax.1.json` shows one"
    );
    assert_eq!(reference_lines(&book, |id| format!("games/{id}.json")), [line]);
    assert_contains(class_markdown(&book), "## References at fault");
    assert!(!student_text(&book, &book.students[0]).contains("fault of its own"));
    for games in [vec![by_reference()], vec![by_reference(), by_reference(), won(), won(), won()]] {
        assert!(reference_lines(&book_of(games), str::to_owned).is_empty());
    }
}

#[test]
fn where_no_program_ran_nothing_is_said_of_how_it_ran() {
    let mut book = sample();
    (book.isolation, book.meters) = (vec![], vec![]);
    let text = student_text(&book, &book.students[0]);
    assert!(text.contains("No program has run.") && !text.contains("Programs ran"), "{text}");
}

#[test]
fn a_wrong_case_stands_beside_the_right_one() {
    let wrong = AnswerItem {
        input: "STAR\n1\n".to_owned(),
        expected: Some("B2-C3\n0\n1\n".to_owned()),
        got: Some(Bytes(b"B2-C3\n0\n2\n".to_vec())),
        stderr: vec!["depth 3 of 4".to_owned(), r"\u{1b}[2J".to_owned()],
        ..answer(AnswerVerdict::Different { lines: vec![3] })
    };
    let mut book = sample();
    let cases = vec![item("c1", "case 1", "2", false, ItemState::Answer(Box::new(wrong)))];
    book.students = vec![student("ada", GradingState::Graded, vec![cases, Vec::new()])];
    let page = student_text(&book, &book.students[0]);
    assert_contains(&page, "      3            | 1        | 2          <<<\n");
    for line in ["end of its stderr:", "| depth 3 of 4", "| \\u{1b}[2J"] {
        assert!(page.lines().any(|said| said.trim_start() == line), "{line}: {page}");
    }
}

#[test]
fn every_hostile_run_is_reported_and_its_text_escaped() {
    let book = hostile();
    for student in &book.students {
        let text = student_text(&book, student);
        let markdown = student_markdown(&book, student);
        assert_harmless(&text);
        assert_inert(&markdown);
        assert!(text.lines().count() < 900, "{} lines", text.lines().count());
        for item in student.criteria.iter().flatten() {
            assert!(
                matches!(student.state, GradingState::Rejected { .. }) || text.contains(&plain(&item.title)),
                "{text}"
            );
        }
    }
    assert_inert(&class_markdown(&book));
    assert_harmless(&class_text(&book));
    let lines = review_lines(&book);
    assert_eq!(lines.len(), 1);
    assert_harmless(&lines[0]);
    assert!(
        lines[0].ends_with(
            "1 point lost: with only user time charged, the answer would have come too late; replayed 3 times, \
             earned 1 of them"
        ),
        "{}",
        lines[0]
    );
}

/// The text without what a page may put between its words, and without the escapes of Markdown.
fn letters(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_gradebook_makes_harmless_pages_with_everybody_on_them(book in any_gradebook()) {
        let check_class = |book: &Gradebook| {
            let text = class_text(book);
            assert_harmless(&text);
            assert_inert(&class_markdown(book));
            assert_harmless(&summary_table(book, 80));
        };
        check_class(&book);
        for student in &book.students {
            let text = student_text(&book, student);
            assert_harmless(&text);
            assert_inert(&student_markdown(&book, student));
            prop_assert!(letters(&text).contains(&letters(&plain(&student.name))), "{text}");
            let points = format!("{} of {} {}\n", student.points, student.of, student.of.noun());
            prop_assert!(text.contains(&points), "{points} is not in {text}");
        }
        let mut names = summary_table(&book, u16::MAX);
        for student in &book.students {
            let name = plain(&student.name);
            let at = names.find(name.trim());
            prop_assert!(at.is_some(), "{name} is not in {names}");
            names = names[at.unwrap() + name.trim().len()..].to_owned();
        }
    }
}
