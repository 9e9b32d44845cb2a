//! A run so large that its games are in files beside the page.

use std::fs;

use super::{address, open_game};
use crate::chromium::Browser;
use crate::report_pages::{large, many_games};

#[test]
#[ignore = "long: a browser"]
fn a_page_takes_from_the_files_beside_it_what_the_reader_looks_at() {
    let run = large();
    let page = run.page();
    let folder = run.path().join("report-games");
    let files = fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, many_games().div_ceil(40));
    if let Some(mut browser) = Browser::start() {
        open_game(&mut browser, &page, "g1000", 1);
        let noticed = browser.noticed();
        assert_eq!(noticed.len(), 2, "{noticed:?}");
        assert_eq!(noticed[0], address(&page));
        let beside = address(&folder.join("0024-"));
        assert!(noticed[1].starts_with(&beside), "{noticed:?}");
        fs::rename(&folder, run.path().join("elsewhere")).unwrap();
        browser.open(&page, "#game=g1000&ply=1");
        browser.wait_for("document.querySelector('.verdict').textContent.includes('stay beside it')", 10);
        fs::rename(run.path().join("elsewhere"), &folder).unwrap();
    }

    // A smaller report leaves nothing of this one, and what is not its own alone.
    fs::write(folder.join("notes.js"), "mine").unwrap();
    fs::write(folder.join("0000-0123456789abcdef.js"), "mine, too").unwrap();
    for number in 11..=many_games() {
        fs::remove_file(run.path().join(format!("games/g{number:04}.json"))).unwrap();
    }
    run.page();
    let mut left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["0000-0123456789abcdef.js", "notes.js"]);
    fs::remove_file(folder.join("notes.js")).unwrap();
    fs::remove_file(folder.join("0000-0123456789abcdef.js")).unwrap();
    run.page();
    assert!(!folder.exists(), "an empty folder goes, too");
}
