//! Names and answers that try to become markup or scripts.

use referee_games::protocol::plain;
use serde_json::json;

use super::{address, assert_no_sideways_scroll, open_game};
use crate::chromium::Browser;
use crate::report_pages::{Run, competition, hostile, hostile_names};

/// Nothing in the page is there but what the page has made, and it is no wider than it should be.
fn assert_harmless(browser: &mut Browser, what: &str) {
    browser.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))");
    assert_eq!(browser.evaluate("document.querySelectorAll('script').length"), 4, "{what}");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('img, iframe, [onload], main b:not(figcaption b)').length"),
        0,
        "{what}"
    );
    let text = browser.evaluate("document.documentElement.textContent");
    let text = text.as_str().unwrap();
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{what}: escapes and marks of direction");
    assert_no_sideways_scroll(browser, what);
}

/// The texts of what `selector` finds, sorted.
fn sorted_texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let texts =
        browser.evaluate(&format!("[...document.querySelectorAll({})].map((it) => it.textContent)", json!(selector)));
    let mut texts: Vec<String> = serde_json::from_value(texts).unwrap();
    texts.sort();
    texts
}

fn expected_names() -> Vec<String> {
    let mut names: Vec<String> = hostile_names().iter().map(|name| plain(name)).collect();
    names.sort();
    names
}

#[test]
#[ignore = "long: a browser"]
fn names_and_answers_are_shown_as_text() {
    let Some(mut browser) = Browser::start() else { return };
    let run = hostile();
    let page = run.page();
    open_game(&mut browser, &page, "g0001", 1);
    assert_eq!(browser.evaluate("document.title"), "Games of checkers");
    assert_harmless(&mut browser, "a run");
    assert_eq!(sorted_texts(&mut browser, "#agents strong"), expected_names());
    assert_eq!(sorted_texts(&mut browser, ".crosstable tbody th .cut"), expected_names());
    let output = browser.text(".fault pre");
    assert!(output.contains(r"<script>alert(1)</script>\x1b[2J\xff"), "{output}");
    assert_eq!(browser.noticed(), [address(&page)]);
}

#[test]
#[ignore = "long: a browser"]
fn so_they_are_in_brackets_and_on_the_page_of_one() {
    let Some(mut browser) = Browser::start() else { return };
    let names = hostile_names();
    let run = competition("knockout", &names);
    let page = run.page();
    browser.open(&page, "");
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 10);
    assert_harmless(&mut browser, "a knockout");
    let mut cards = sorted_texts(&mut browser, ".bracket section:first-of-type .card .cut");
    cards.dedup();
    assert_eq!(cards, expected_names());
    assert_eq!(browser.evaluate("document.querySelectorAll('.bracket .card').length"), 3);
    assert_eq!(browser.evaluate("document.querySelectorAll('.ways path').length"), 2);
    assert_eq!(browser.noticed(), [address(&page)]);

    for name in &names {
        let out = run.path().join("own.html");
        run.student_page(name, &out);
        browser.open(&out, "");
        browser.wait_for("document.querySelector('.replay')?.dataset.at", 10);
        assert_harmless(&mut browser, "the page of one");
        assert_eq!(browser.text("#run bdi"), plain(name));
        assert_eq!(browser.evaluate("document.querySelectorAll('#standings tbody tr').length"), 1);
        let clocks =
            browser.evaluate("[...document.querySelectorAll('.clock .time')].filter((it) => it.textContent).length");
        assert_eq!(clocks, 1, "its own clock alone");
        assert_eq!(browser.noticed(), [address(&out)]);
    }
}

#[test]
#[ignore = "long: a browser"]
fn the_page_of_one_shows_what_its_program_left_behind() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("checkers");
    let out = run.path().join("own.html");
    run.student_page("random", &out);
    browser.open(&out, "#game=game0001&ply=1");
    super::wait_for_game(&mut browser, "game0001", 1);
    let record = run.record("g0001");
    let own = if record.players.black.name == "random" { 1 } else { 2 };
    browser.evaluate(&format!("referee.open('game0001', {own})"));
    assert_eq!(browser.text(".left-behind h4"), "your output.txt on this turn");
    browser.evaluate(&format!("referee.open('game0001', {})", 3 - own));
    assert_eq!(browser.evaluate("document.querySelectorAll('.left-behind *').length"), 0);
}
