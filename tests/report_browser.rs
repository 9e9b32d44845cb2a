//! Pages of reports in a real browser, opened from disk.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod browser;
mod report_pages;

use browser::Browser;
use referee::games::Side;
use referee::protocol::plain;
use referee::referee::{Scene, scenes};
use report_pages::{GAMES, Run, hostile, hostile_names, squares};
use serde_json::json;

/// What the page shows of a game.
fn shown(browser: &mut Browser) -> Shown {
    let script = "(() => {
        const all = (selector) => [...document.querySelectorAll(selector)];
        return {
            pieces: all('.square').map((square) => square.dataset.piece),
            names: all('.square').map((square) => square.dataset.square),
            clocks: all('.clock .time').map((time) => Number(time.dataset.us)),
            clock_texts: all('.clock .time').map((time) => time.textContent),
            live: document.querySelector('.live').textContent,
            current: document.querySelector('.moves [aria-current]')?.dataset.ply ?? '0',
            hash: location.hash,
        };
    })()";
    serde_json::from_value(browser.evaluate(script)).unwrap()
}

/// A position as the page shows it.
#[derive(Debug, serde::Deserialize)]
struct Shown {
    pieces: Vec<String>,
    names: Vec<String>,
    clocks: Vec<u64>,
    clock_texts: Vec<String>,
    live: String,
    current: String,
    hash: String,
}

fn assert_shows(shown: &Shown, scene: &Scene, ply: usize) {
    assert_eq!(shown.pieces, squares(&scene.rows), "the board after {ply} turns");
    let clocks = Side::BOTH.map(|side| scene.clocks.of(side).micros());
    assert_eq!(shown.clocks, clocks, "the clocks after {ply} turns");
    assert!(
        shown.clock_texts.iter().all(|text| text.ends_with(" s left")),
        "{:?}",
        shown.clock_texts
    );
    assert_eq!(shown.current, ply.to_string(), "the move that is marked");
    let live = if ply == 0 {
        "start of ".to_owned()
    } else {
        format!("turn {ply}: ")
    };
    assert!(shown.live.starts_with(&live), "{}", shown.live);
}

#[test]
fn every_game_is_shown_as_it_is_recorded_and_stepped_through_by_keys() {
    let Some(mut browser) = Browser::start() else { return };
    for game in GAMES {
        let run = Run::play(game);
        let page = run.page();
        for id in ["g0001", "g0002"] {
            let scenes = scenes(&run.record(id)).unwrap();
            let last = scenes.len() - 1;
            for ply in [0, 1, 7, last / 2, last] {
                browser.open(&page, &format!("#game={id}&ply={ply}"));
                let shown = shown(&mut browser);
                assert_shows(&shown, &scenes[ply], ply);
                assert_eq!(shown.names.len(), shown.pieces.len());
            }
            assert_keys_step(&mut browser, &scenes);
        }
        assert_eq!(
            browser.noticed(),
            [format!("file://{}", page.display())],
            "requests and console"
        );
    }
}

/// From the last position, where a deep link has put the focus into the replay.
fn assert_keys_step(browser: &mut Browser, scenes: &[Scene]) {
    let last = scenes.len() - 1;
    let mut ply = last;
    let steps = [
        ("ArrowLeft", last - 1),
        ("ArrowLeft", last - 2),
        ("ArrowRight", last - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("End", last),
        ("ArrowRight", last),
    ];
    for (key, expected) in steps {
        browser.key(key);
        let shown = shown(browser);
        assert_shows(&shown, &scenes[expected], expected);
        if expected != ply {
            assert!(shown.hash.ends_with(&format!("&ply={expected}")), "{}", shown.hash);
        }
        ply = expected;
    }
    browser.key(" ");
    let playing = "document.querySelector('[data-do=play]').getAttribute('aria-label')";
    assert_eq!(browser.evaluate(playing), "Pause", "space plays");
    browser.key(" ");
    assert_eq!(browser.evaluate(playing), "Play", "and stops");
}

#[test]
fn names_are_text_whatever_they_are() {
    let Some(mut browser) = Browser::start() else { return };
    let run = hostile();
    browser.open(&run.page(), "#game=g0001&ply=1");
    assert_eq!(browser.evaluate("document.title"), "Games of checkers");
    assert_eq!(browser.evaluate("document.querySelectorAll('script').length"), 2);
    assert_eq!(
        browser.evaluate("document.querySelectorAll('img, b, iframe').length"),
        0
    );
    let names =
        browser.evaluate("[...document.querySelectorAll('#agents strong')].map((name) => name.textContent).sort()");
    let mut expected = hostile_names().map(|name| plain(&name));
    expected.sort();
    assert_eq!(names, json!(expected));
    let output = browser.evaluate("document.querySelector('.ending pre').textContent");
    assert!(
        output
            .as_str()
            .unwrap()
            .contains(r"<script>alert(1)</script>\x1b[2J\xff"),
        "{output}"
    );
    let wide = browser.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    assert_eq!(wide, false, "a long name makes the page no wider");
}
