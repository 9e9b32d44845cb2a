//! Pages of reports in a real browser, opened from disk.

mod analysis;
mod brackets;
mod hostile;
mod large_class;
mod live;
mod media;
mod replay;
mod side_files;
mod standings;
mod tables;

use std::path::Path;

use crate::chromium::Browser;

/// What `.replay` says of itself once a game is shown at a turn.
fn wait_for_game(browser: &mut Browser, id: &str, ply: usize) {
    let at = format!("{id}:{ply}");
    browser
        .wait_for(&format!("(it => it.dataset.at === '{at}' && !it.ariaBusy)(document.querySelector('.replay'))"), 20);
}

/// Opens `page` at a turn of a game, and waits until it is shown.
fn open_game(browser: &mut Browser, page: &Path, id: &str, ply: usize) {
    browser.open(page, &format!("#game={id}&ply={ply}"));
    wait_for_game(browser, id, ply);
}

/// The address of a file, as it is noticed.
fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// Whether the page is no wider than the window.
fn assert_no_sideways_scroll(browser: &mut Browser, what: &str) {
    let widths = browser.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
    let outside = "[...document.querySelectorAll('body *')] \
                   .filter((it) => it.getBoundingClientRect().right > innerWidth) \
                   .map((it) => it.closest('[id]')?.id + ' ' + it.tagName + '.' + it.className).slice(0, 9)";
    let outside = browser.evaluate(outside);
    assert!(widths[0].as_u64() <= widths[1].as_u64(), "{what}: {widths}, {outside}");
}
