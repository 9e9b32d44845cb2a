//! Every kind of page, checked by axe-core.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::chromium::{Browser, Medium};
use crate::play_browser::Server;
use crate::report_pages::analyzed::AnalyzedGame;
use crate::report_pages::graded::graded;
use crate::report_pages::{Run, competition, hostile, said};
use crate::served::{Player, Served};
use crate::skips::{AXE, skip};
use crate::toolbox::{PYTHON3, has};

const AXE_CORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/pages/node_modules/axe-core/axe.min.js");

/// A browser and the text of axe-core, where both are installed.
fn tools() -> Option<(Browser, String)> {
    let Ok(axe) = fs::read_to_string(AXE_CORE) else {
        skip(&AXE, "axe-core is not installed");
        return None;
    };
    Some((Browser::start()?, axe))
}

/// What a desk and a phone show, in CSS pixels.
const SIZES: [(u32, u32); 2] = [(1280, 900), (390, 844)];

/// Writes pictures of the open page into the folder that `REFEREE_PICTURES` names, to be looked at by a person.
fn photograph(browser: &mut Browser, page: &str) {
    const LONGEST_PICTURE: u32 = 4_000;
    let Some(folder) = std::env::var_os("REFEREE_PICTURES") else {
        return;
    };
    for (width, height) in SIZES {
        browser.set_size(width, height);
        let name = format!("{}-{width}.png", page.replace([' ', '?', ','], "-"));
        browser.photograph(&Path::new(&folder).join(name), LONGEST_PICTURE);
    }
}

/// Asserts that the open page breaks no rule of axe-core, in light and dark and on a phone, with everything unfolded.
fn assert_accessible(browser: &mut Browser, axe: &str, page: &str) {
    photograph(browser, page);
    browser.set_size(SIZES[0].0, SIZES[0].1);
    // Details may be in details.
    for _ in 0..2 {
        browser.evaluate("void document.querySelectorAll('details').forEach((it) => (it.open = true))");
        browser.evaluate("new Promise(requestAnimationFrame).then(() => null)");
    }
    browser.evaluate(&format!("void (() => {{ {axe} }})()"));
    // Colours do not depend on the width, and only they on the medium. To judge them takes most of the time.
    let colours = json!(["color-contrast", "link-in-text-block"]);
    let but_colours = json!({ "color-contrast": { "enabled": false }, "link-in-text-block": { "enabled": false } });
    for ((width, height), dark, rules) in [
        (SIZES[0], false, json!({})),
        (SIZES[0], true, json!({ "runOnly": colours })),
        (SIZES[1], false, json!({ "rules": but_colours })),
    ] {
        browser.set_size(width, height);
        browser.set_medium(Medium::Screen { dark });
        let judged = browser.evaluate(&format!(
            "axe.run({rules}).then(({{ violations, passes, inapplicable }}) => [violations.map(({{ id, nodes }}) => \
             [id, nodes.map(({{ html }}) => html.slice(0, 200))]), passes.length + inapplicable.length])"
        ));
        assert_eq!(judged[0], json!([]), "{page}, dark: {dark}, {width} wide");
        assert!(judged[1].as_u64() > Some(0), "{page}: axe-core has looked at the page for {rules}");
    }
    browser.set_size(SIZES[0].0, SIZES[0].1);
}

fn assert_report_is_accessible(browser: &mut Browser, axe: &str, page: &Path, name: &str) {
    open_report(browser, page);
    assert_accessible(browser, axe, name);
}

fn open_report(browser: &mut Browser, page: &Path) {
    browser.open(page, "");
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
}

#[test]
#[ignore = "long: a browser"]
fn reports_of_analyzed_games_break_no_rule_of_axe() {
    let Some((mut browser, axe)) = tools() else { return };
    let game = AnalyzedGame::play();
    game.of_students();
    game.analyze();
    assert_report_is_accessible(&mut browser, &axe, &game.run.page(), "analyzed");
}

#[test]
#[ignore = "long: a browser"]
fn reports_of_competitions_break_no_rule_of_axe() {
    let Some((mut browser, axe)) = tools() else { return };
    for format in ["round-robin", "knockout", "tied knockout", "double-knockout", "elimination", "swiss", "gauntlet"] {
        let run = competition(format, &[]);
        assert_report_is_accessible(&mut browser, &axe, &run.page(), format);
        if format == "swiss" {
            let page = run.path().join("other.html");
            run.student_page("chiara", &page);
            assert_report_is_accessible(&mut browser, &axe, &page, "the page of one agent");
            let (folder, out) = (run.path().to_str().unwrap(), page.to_str().unwrap());
            said(&["report", folder, "--anonymous", "--out", out]);
            assert_report_is_accessible(&mut browser, &axe, &page, "an anonymous page");
        }
    }
    if std::env::var_os("REFEREE_PICTURES").is_some() {
        let names: Vec<String> = (1..=60).map(|number| format!("student-{number:02}")).collect();
        open_report(&mut browser, &competition("round-robin", &names).page());
        photograph(&mut browser, "round robin of 60");
    }
}

#[test]
#[ignore = "long: a browser"]
fn other_reports_break_no_rule_of_axe() {
    let Some((mut browser, axe)) = tools() else { return };
    let match_run = Run::play("halma");
    assert_report_is_accessible(&mut browser, &axe, &match_run.page(), "a match");
    let lost = hostile();
    assert_report_is_accessible(&mut browser, &axe, &lost.page(), "a game lost by an illegal answer");
    if let Some(run) = graded() {
        assert_report_is_accessible(&mut browser, &axe, &run.page(), "a grading");
        let page = run.path().join("student.html");
        run.student_page("marian", &page);
        assert_report_is_accessible(&mut browser, &axe, &page, "the page of a student");
        let pages = tempfile::tempdir().unwrap();
        let (folder, into) = (run.path().to_str().unwrap(), pages.path().to_str().unwrap());
        said(&["gradebook", folder, "--pages", into]);
        let feedback = fs::read_dir(pages.path()).unwrap().next().unwrap().unwrap();
        browser.open(&feedback.path(), "");
        assert_accessible(&mut browser, &axe, "the feedback of a student");
    }
    if has(PYTHON3) {
        let run = Run::empty();
        let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rules/checkers.py");
        let out = run.path().to_str().map(str::to_owned).unwrap_or_default();
        let more = ["--games", "1", "--time", "60", "--seed", "5", "--out", &out];
        said(&[&["play", "builtin:random", "builtin:random", "--game", rules][..], &more].concat());
        assert_report_is_accessible(&mut browser, &axe, &run.page(), "a custom game");
    }
}

/// During a run and after it, as a page and as a hall.
#[test]
#[ignore = "long: a browser"]
fn served_pages_break_no_rule_of_axe() {
    let Some((mut browser, axe)) = tools() else { return };
    let run = Run::empty();
    let agent = "builtin:alphabeta,nodes=2000";
    let player = Player::start(run.path(), agent, &["--game", "checkers", "--games", "2"]);
    let served = Served::start(run.path(), &[]);
    for address in ["", "?hall"] {
        browser.goto(&format!("{}{address}", served.url()));
        browser.wait_for("document.getElementById('now').dataset.link === 'up'", 60);
        assert_accessible(&mut browser, &axe, &format!("a run being played{address}"));
    }
    player.play();
    player.wait();
    for address in ["", "?hall"] {
        browser.goto(&format!("{}{address}", served.url()));
        browser.wait_for("document.getElementById('now').dataset.state === 'over'", 60);
        browser.wait_for("document.querySelector('.podium li')", 60);
        assert_accessible(&mut browser, &axe, &format!("a served run{address}"));
    }
}

#[test]
#[ignore = "long: a browser"]
fn the_page_of_a_player_breaks_no_rule_of_axe() {
    let Some((mut browser, axe)) = tools() else { return };
    let run = Run::empty();
    let server = Server::start("builtin:random", "checkers", &run.path().join("run"));
    browser.goto(&server.url);
    browser.wait_for("playState.state !== null", 20);
    assert_accessible(&mut browser, &axe, "before the game");
    browser.click("#begin button");
    browser.wait_for("document.querySelector('#table').dataset.ready", 20);
    assert_accessible(&mut browser, &axe, "during the game");
    browser.click("#resign");
    browser.click("#resign");
    browser.wait_for("playState.state.phase.is === 'over'", 20);
    assert_accessible(&mut browser, &axe, "after the game");
}

#[test]
#[ignore = "long: a browser"]
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
