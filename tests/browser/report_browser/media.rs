//! Paper, phones, and dark screens.

use serde_json::json;

use super::{assert_no_sideways_scroll, open_game};
use crate::chromium::{Browser, Medium};
use crate::report_pages::{Run, competition, games};

/// How many of the elements that `selector` finds are to be seen.
fn seen(browser: &mut Browser, selector: &str) -> u64 {
    let count = format!(
        "[...document.querySelectorAll({})].filter((it) => it.getClientRects().length > 0).length",
        json!(selector)
    );
    browser.evaluate(&count).as_u64().unwrap()
}

#[test]
#[ignore = "long: a browser"]
fn paper_has_the_standings_and_the_game_but_nothing_to_press() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("checkers");
    open_game(&mut browser, &run.page(), "g0001", 9);
    assert!(seen(&mut browser, "button") > 4 && seen(&mut browser, "nav a") > 2);
    let on_screen = browser.evaluate("document.querySelector('.moves').clientHeight");
    browser.set_medium(Medium::Print);
    assert_eq!(seen(&mut browser, "button, nav, .controls, .game-list, #agents"), 0);
    for part in ["#standings table", ".replay .board", ".replay .verdict", "#conditions dl", ".moves a"] {
        assert!(seen(&mut browser, part) > 0, "{part}");
    }
    let on_paper = browser.evaluate("document.querySelector('.moves').clientHeight");
    assert!(on_paper.as_u64() > on_screen.as_u64(), "all moves: {on_paper}");
    let pdf = browser.pdf();
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 10_000, "{} bytes", pdf.len());
}

#[test]
#[ignore = "long: a browser"]
fn a_phone_never_scrolls_sideways() {
    let Some(mut browser) = Browser::start() else { return };
    browser.set_size(360, 740);
    for game in games() {
        let run = Run::play(game);
        open_game(&mut browser, &run.page(), "g0001", 9);
        assert_no_sideways_scroll(&mut browser, game);
        browser.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))");
        assert_no_sideways_scroll(&mut browser, game);
    }
    for format in ["knockout", "swiss"] {
        let run = competition(format, &[]);
        browser.open(&run.page(), "");
        browser.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))");
        assert_no_sideways_scroll(&mut browser, format);
    }
}

/// The contrast of each text with what is behind it, as WCAG 2.2 (1.4.3) has it, where it is too little.
const TOO_LITTLE_CONTRAST: &str = "(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const over = (colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const colour of colours) {
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
        }
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const behind = (node) => {
        const colours = [];
        for (let it = node; it; it = it.parentElement) colours.unshift(getComputedStyle(it).backgroundColor);
        return colours;
    };
    const bad = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode.parentElement;
        if (texts.currentNode.data.trim() === '' || node.closest('svg, script, .unseen') || \
        node.getClientRects().length === 0) continue;
        const ground = behind(node);
        const [a, b] = [light(over(ground)), light(over([...ground, getComputedStyle(node).color]))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) bad.add(`${node.tagName}.${node.className}: ${ratio.toFixed(2)}`);
    }
    return [...bad];
})()";

#[test]
#[ignore = "long: a browser"]
fn texts_stand_out_in_light_and_dark() {
    let Some(mut browser) = Browser::start() else { return };
    let (hostile, knockout) = (crate::report_pages::hostile(), competition("knockout", &[]));
    let pages = (hostile.page(), knockout.page());
    for dark in [false, true] {
        browser.set_medium(Medium::Screen { dark });
        open_game(&mut browser, &pages.0, "g0001", 1);
        browser.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))");
        assert_eq!(browser.evaluate(TOO_LITTLE_CONTRAST), json!([]), "dark: {dark}");
        browser.open(&pages.1, "");
        browser.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))");
        assert_eq!(browser.evaluate(TOO_LITTLE_CONTRAST), json!([]), "dark: {dark}");
    }
}
