//! Every kind of page, checked by axe-core.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::chromium::{Browser, Medium};
use crate::play_browser::Server;
use crate::report_pages::graded::graded;
use crate::report_pages::{Run, competition, hostile, said};
use crate::served::Served;
use crate::skips::{AXE, skip};
use crate::toolbox::{PYTHON3, has};

const AXE_CORE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/.ci/pages/node_modules/axe-core/axe.min.js"
);

/// A browser and the text of axe-core, where both are installed.
fn tools() -> Option<(Browser, String)> {
    let Ok(axe) = fs::read_to_string(AXE_CORE) else {
        skip(&AXE, "axe-core is not installed");
        return None;
    };
    Some((Browser::start()?, axe))
}

/// Asserts that the open page breaks no rule of axe-core, in light and dark, with everything unfolded.
fn assert_accessible(browser: &mut Browser, axe: &str, page: &str) {
    // Details may be in details.
    for _ in 0..2 {
        browser.evaluate("void document.querySelectorAll('details').forEach((it) => (it.open = true))");
        browser.evaluate("new Promise(requestAnimationFrame).then(() => null)");
    }
    browser.evaluate(&format!("void (() => {{ {axe} }})()"));
    for dark in [false, true] {
        browser.set_medium(Medium::Screen { dark });
        let judged = browser.evaluate(
            "axe.run().then(({ violations, passes }) => [violations.map(({ id, nodes }) => \
             [id, nodes.map(({ html }) => html.slice(0, 200))]), passes.length])",
        );
        assert_eq!(judged[0], json!([]), "{page}, dark: {dark}");
        assert!(judged[1].as_u64() > Some(10), "{page}: axe-core has looked at the page");
    }
}

fn assert_report_is_accessible(browser: &mut Browser, axe: &str, page: &Path, name: &str) {
    browser.open(page, "");
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
    assert_accessible(browser, axe, name);
}

#[test]
fn reports_break_no_rule_of_axe() {
    let Some((mut browser, axe)) = tools() else { return };
    for format in ["round-robin", "knockout", "swiss"] {
        let run = competition(format, &[]);
        assert_report_is_accessible(&mut browser, &axe, &run.page(), format);
    }
    let match_run = Run::play("halma");
    assert_report_is_accessible(&mut browser, &axe, &match_run.page(), "a match");
    let lost = hostile();
    assert_report_is_accessible(&mut browser, &axe, &lost.page(), "a game lost by an illegal answer");
    if let Some(run) = graded() {
        assert_report_is_accessible(&mut browser, &axe, &run.page(), "a grading");
    }
    if has(PYTHON3) {
        let run = Run::empty();
        let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rules/checkers.py");
        let out = run.path().to_str().map(str::to_owned).unwrap_or_default();
        let more = ["--games", "1", "--time", "60", "--seed", "5", "--out", &out];
        said(
            &[
                &["play", "builtin:random", "builtin:random", "--game", rules][..],
                &more,
            ]
            .concat(),
        );
        assert_report_is_accessible(&mut browser, &axe, &run.page(), "a custom game");
    }
}

#[test]
fn served_pages_break_no_rule_of_axe() {
    let Some((mut browser, axe)) = tools() else { return };
    let run = Run::play("checkers");
    let served = Served::start(run.path(), &[]);
    for address in ["", "?hall"] {
        browser.goto(&format!("{}{address}", served.url()));
        browser.wait_for("document.getElementById('now').dataset.state === 'over'", 60);
        browser.wait_for("document.querySelector('.podium li')", 60);
        assert_accessible(&mut browser, &axe, &format!("a served run{address}"));
    }
}

#[test]
fn the_page_of_a_player_breaks_no_rule_of_axe() {
    let Some((mut browser, axe)) = tools() else { return };
    let run = Run::empty();
    let server = Server::start("builtin:random", "checkers", &run.path().join("run"));
    browser.goto(&server.url);
    browser.wait_for("sitting.state !== null", 20);
    assert_accessible(&mut browser, &axe, "before the game");
    browser.click("#begin button");
    browser.wait_for("document.querySelector('#table').dataset.ready", 20);
    assert_accessible(&mut browser, &axe, "during the game");
    browser.click("#resign");
    browser.click("#resign");
    browser.wait_for("sitting.state.phase.is === 'over'", 20);
    assert_accessible(&mut browser, &axe, "after the game");
}

#[test]
fn a_student_and_the_boards_of_single_moves_are_a_link_away() {
    let Some(mut browser) = Browser::start() else { return };
    let Some(run) = graded() else { return };
    browser.open(&run.page(), "");
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
    browser.evaluate("void document.querySelectorAll('#grades details').forEach((it) => (it.open = false))");
    browser.click("#grades tbody a");
    browser.wait_for("document.getElementById('student-0').open", 20);
    let remark = browser.text("#grades td:last-child");
    assert_eq!(remark, "2x wrong format", "the remark says what the terminal says");
    browser.click("#student-0 details summary");
    browser.wait_for("document.querySelector('#student-0 .position .board')", 20);
    assert_eq!(browser.text("#student-0 .position figcaption"), "black to move");
    let pieces = browser.evaluate(
        "[...document.querySelectorAll('#student-0 .position .square')].filter(({ dataset }) => \
         dataset.piece !== '.').length",
    );
    assert_eq!(pieces, Value::from(24));
}
