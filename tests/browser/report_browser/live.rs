//! A page that is shown a newer view: `referee.show`.

use serde_json::json;

use super::{open_game, wait_for_game};
use crate::chromium::Browser;
use crate::report_pages::{Run, competition};

/// Shows a view made from the shown one by `change`, a statement about `view`.
fn show(browser: &mut Browser, change: &str) {
    browser.evaluate(&format!(
        "(() => {{ const view = structuredClone(referee.view); {change}; return referee.show(view); }})()"
    ));
}

#[test]
#[ignore = "long: a browser"]
fn a_newer_view_leaves_the_reader_where_he_is() {
    let Some(mut browser) = Browser::start() else { return };
    let run = competition("swiss", &[]);
    let page = run.page();
    browser.open(&page, "");
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 10);
    let last = browser.evaluate("referee.view.games.at(-1).id");
    let last = last.as_str().unwrap();
    open_game(&mut browser, &page, last, 1);
    // Details that the reader has opened, the focus on a link of the agents' part, and a place further down.
    browser.evaluate("document.querySelector('#agents details:last-of-type').open = true");
    browser.wait_for("document.querySelector('#agents details:last-of-type td a')", 5);
    browser.evaluate(
        "(() => { const it = document.querySelector('#agents details:last-of-type td a'); it.focus(); \
                      it.scrollIntoView(); })()",
    );
    let place = "[document.querySelector('#agents details:last-of-type').open, \
                 document.activeElement.getAttribute('href'), document.querySelector('.replay').dataset.at]";
    let before = browser.evaluate(place);
    let top = |browser: &mut Browser| {
        let top = browser.evaluate("document.activeElement.getBoundingClientRect().top");
        top.as_f64().unwrap()
    };
    let top_before = top(&mut browser);

    // Another part grows above, and what stands in the agents' part changes.
    show(
        &mut browser,
        "view.remarks.push('one more', 'and more'); \
         const points = view.columns.findIndex(({ title }) => title === 'points'); \
         for (const agent of view.agents) agent.cells[points] = '100'",
    );
    assert_eq!(browser.evaluate(place), before, "details, focus and game");
    assert!((top(&mut browser) - top_before).abs() < 3.0, "scrolling");
    let points = browser.text("#standings tbody td:nth-child(4)");
    assert!(points.parse::<f64>().unwrap() >= 100.0, "what is new is shown: {points}");
}

#[test]
#[ignore = "long: a browser"]
fn the_same_view_again_changes_nothing() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("star-circle");
    open_game(&mut browser, &run.page(), "g0002", 3);
    browser.evaluate(
        "void (globalThis.changes = 0, new MutationObserver((them) => (changes += them.length))
            .observe(document.getElementById('standings'), { childList: true, subtree: true }))",
    );
    show(&mut browser, "");
    show(&mut browser, "");
    assert_eq!(browser.evaluate("changes"), 0);
    wait_for_game(&mut browser, "g0002", 3);
    assert_eq!(browser.evaluate("location.hash"), json!("#game=g0002&ply=3"));
}

#[test]
#[ignore = "long: a browser"]
fn the_games_of_a_page_without_any_come_later() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("checkers");
    open_game(&mut browser, &run.page(), "g0001", 0);
    browser.evaluate("void (globalThis.full = structuredClone(referee.view))");
    show(&mut browser, "view.games.splice(1)");
    assert_eq!(browser.evaluate("document.querySelectorAll('.game-list tbody tr').length"), 1);
    show(&mut browser, "view.games = full.games");
    assert_eq!(browser.evaluate("document.querySelectorAll('.game-list tbody tr').length"), 2);
    wait_for_game(&mut browser, "g0001", 0);
}
