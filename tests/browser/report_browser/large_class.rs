//! The page of a large class: what a reader meets before opening anything.

use serde_json::json;

use super::assert_no_sideways_scroll;
use crate::chromium::{Browser, Medium};
use crate::report_pages::graded::graded_with;
use crate::report_pages::{Run, competition};

/// The longest page at first sight, in CSS pixels.
const LONGEST_PAGE: u64 = 10_000;

/// The most pages of paper, of which the rounds alone would be eighty.
const MOST_PAPER: usize = 40;

fn sixty(format: &str) -> Run {
    let names: Vec<String> = (1..=60).map(|number| format!("student-{number:02}")).collect();
    competition(format, &names)
}

/// Opens the page of `run` on a desk and on a phone.
fn assert_bounded(browser: &mut Browser, run: &Run, what: &str) {
    let page = run.page();
    for width in [1280, 390] {
        browser.set_size(width, 900);
        browser.open(&page, "");
        browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
        let height = browser.evaluate("document.documentElement.scrollHeight");
        let height = height.as_u64().unwrap();
        assert!(height < LONGEST_PAGE, "{what}: {height} pixels at a width of {width}");
        assert_no_sideways_scroll(browser, &format!("{what} at {width}"));
    }
}

#[test]
#[ignore = "long: a browser"]
fn a_competition_of_sixty_is_a_page_of_bounded_height() {
    let Some(mut browser) = Browser::start() else { return };
    for format in ["swiss", "knockout", "double-knockout", "elimination", "gauntlet"] {
        assert_bounded(&mut browser, &sixty(format), format);
    }
    assert_bounded(&mut browser, &sixty("round-robin"), "round robin");
    let order = browser.evaluate("[...document.querySelectorAll('main > section:not([hidden])')].map((it) => it.id)");
    let expected = ["standings", "crosstable", "rounds", "games", "agents", "conditions"];
    assert_eq!(order, json!(expected), "the rounds come after the crosstable");

    // Nothing is lost: the rounds have every game, and a link to an agent opens it.
    browser.evaluate("void (document.querySelector('#rounds details').open = true)");
    browser.wait_for("document.querySelectorAll('#rounds a').length === 1770", 20);
    browser.evaluate("location.hash = `#agent=${referee.view.agents[59].name}`");
    browser.wait_for("document.querySelector('#agent-59')?.open", 20);
}

#[test]
#[ignore = "long: a browser"]
fn a_grading_of_sixty_is_a_page_of_bounded_height() {
    let Some(mut browser) = Browser::start() else { return };
    let Some(run) = graded_with(59) else { return };
    assert_bounded(&mut browser, &run, "a grading");
    assert_eq!(browser.evaluate("document.querySelectorAll('#grades tbody tr').length"), json!(60));
    browser.evaluate("location.hash = `#student=${encodeURIComponent(referee.view.grades.students[59].name)}`");
    browser.wait_for("document.querySelector('#student-59')?.open", 20);
    assert_eq!(
        browser.text("#student-59 p"),
        "rejected: no program found in notes.md (rename the program to homework.py, homework2.py, homework3.py, \
         homework.cpp, homework11.cpp or homework.java)"
    );
}

#[test]
#[ignore = "long: a browser"]
fn details_are_open_on_paper_and_closed_again_after_it() {
    let Some(mut browser) = Browser::start() else { return };
    let open = "document.querySelectorAll('main details[open]').length";
    let whole = |selector: &str| {
        format!("[...document.querySelectorAll('{selector}')].filter((it) => it.checkVisibility()).length")
    };
    let mut pages = vec![(sixty("round-robin"), vec![("#crosstable tbody tr", 60), ("#rounds", 0)])];
    // An answer and a game of the one who was graded, of the others nothing.
    pages.extend(graded_with(59).map(|run| (run, vec![("#grades .students tbody tr", 120)])));
    for (run, parts) in pages {
        browser.set_medium(Medium::Screen { dark: false });
        browser.open(&run.page(), "");
        browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
        let before = browser.evaluate(open);
        browser.set_medium(Medium::Print);
        browser.evaluate("void dispatchEvent(new Event('beforeprint'))");
        for (selector, count) in &parts {
            assert_eq!(browser.evaluate(&whole(selector)), json!(count), "{selector}");
        }
        let headings = browser.evaluate(&whole("main details:not([open], #agents details, #rounds details) > summary"));
        assert_eq!(headings, json!(0), "a closed heading says nothing on paper");
        // A4 is 794 CSS pixels wide, with margins of 57.
        browser.set_size(794 - 2 * 57, 900);
        assert_no_sideways_scroll(&mut browser, "on paper");
        let wide = "[...document.querySelectorAll('.wide')].filter((it) => it.scrollWidth > innerWidth).length";
        assert_eq!(browser.evaluate(wide), json!(0), "a table is cut off on paper");
        browser.evaluate("void dispatchEvent(new Event('afterprint'))");
        assert_eq!(browser.evaluate(open), before);
        let pages = browser.pdf().windows(11).filter(|bytes| bytes == b"/Type /Page").count();
        assert!((2..=MOST_PAPER).contains(&pages), "{pages} pages");
    }
}
