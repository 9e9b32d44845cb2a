//! The page of a large class: what a reader meets before opening anything.

use serde_json::json;

use super::assert_no_sideways_scroll;
use crate::chromium::Browser;
use crate::report_pages::competition;

/// The longest page at first sight, in CSS pixels.
const LONGEST_PAGE: u64 = 10_000;

#[test]
fn a_round_robin_of_sixty_is_a_page_of_bounded_height() {
    let Some(mut browser) = Browser::start() else { return };
    let names: Vec<String> = (1..=60).map(|number| format!("student-{number:02}")).collect();
    let run = competition("round-robin", &names);
    let page = run.page();
    for width in [1280, 390] {
        browser.set_size(width, 900);
        browser.open(&page, "");
        browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
        let height = browser.evaluate("document.documentElement.scrollHeight");
        let height = height.as_u64().unwrap();
        assert!(height < LONGEST_PAGE, "{height} pixels at a width of {width}");
        assert_no_sideways_scroll(&mut browser, &format!("at {width}"));
    }
    let order = browser.evaluate("[...document.querySelectorAll('main > section:not([hidden])')].map((it) => it.id)");
    let expected = ["standings", "crosstable", "rounds", "games", "agents", "conditions"];
    assert_eq!(order, json!(expected), "the rounds come after the crosstable");

    // Nothing is lost: the rounds have every game, and a link to an agent opens it.
    browser.evaluate("void (document.querySelector('#rounds details').open = true)");
    browser.wait_for("document.querySelectorAll('#rounds a').length === 1770", 20);
    browser.evaluate("location.hash = '#agent=59'");
    browser.wait_for("document.querySelector('#agent-59')?.open", 20);
}
