//! Tables that sort and filter, the panels of agents, and the way to them by keys.

use serde_json::{Value, json};

use super::wait_for_game;
use crate::chromium::Browser;
use crate::report_pages::{Run, competition};

/// Opens the page of a Swiss competition of eight at an address.
fn open_swiss(browser: &mut Browser, address: &str) -> Run {
    let run = competition("swiss", &[]);
    browser.open(&run.page(), address);
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
    run
}

/// The texts of what `selector` finds.
fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let all = format!("[...document.querySelectorAll({})].map((it) => it.textContent)", json!(selector));
    serde_json::from_value(browser.evaluate(&all)).unwrap()
}

/// Types into a field as a reader does.
fn type_into(browser: &mut Browser, selector: &str, text: &str) {
    let [selector, text] = [selector, text].map(|it| json!(it));
    browser.evaluate(&format!(
        "(() => {{ const it = document.querySelector({selector}); it.value = {text}; \
         it.dispatchEvent(new Event(it.tagName === 'SELECT' ? 'change' : 'input')); }})()"
    ));
}

#[test]
#[ignore = "long: a browser"]
fn headings_sort_and_the_address_keeps_the_order() {
    let Some(mut browser) = Browser::start() else { return };
    let run = open_swiss(&mut browser, "");
    let by_rank = texts(&mut browser, "#standings tbody th");
    let heading = |title: &str| format!("#standings thead th:nth-child({title}) button");
    let mut by_name = by_rank.clone();
    by_name.sort();
    assert_ne!(by_rank, by_name);
    browser.click(&heading("3"));
    assert_eq!(texts(&mut browser, "#standings tbody th"), by_name);
    let sorted = "document.querySelector('#standings th[aria-sort]')";
    assert_eq!(browser.evaluate(&format!("{sorted}.ariaSort")), "ascending");
    assert_eq!(browser.evaluate("location.hash"), "#standings&sort=agent");
    browser.click(&heading("3"));
    by_name.reverse();
    assert_eq!(texts(&mut browser, "#standings tbody th"), by_name);
    // The same address shows the same to whoever gets it.
    let address = browser.evaluate("location.hash");
    browser.goto("about:blank");
    browser.open(&run.page(), address.as_str().unwrap());
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
    assert_eq!(texts(&mut browser, "#standings tbody th"), by_name);
    browser.click(&heading("3"));
    assert_eq!(texts(&mut browser, "#standings tbody th"), by_rank, "a third click gives back the ranks");
    // Numbers are ordered as numbers, from the greatest.
    browser.click("#standings thead th:nth-child(4) button");
    let points = texts(&mut browser, "#standings tbody td:nth-child(4)");
    let points: Vec<f64> = points.iter().map(|text| text.parse().unwrap()).collect();
    assert!(points.is_sorted_by(|a, b| a >= b), "{points:?}");
}

/// The games that are listed, as their names and their players.
fn listed(browser: &mut Browser) -> Vec<Vec<String>> {
    let rows = "[...document.querySelectorAll('.game-list tbody tr')].map((row) => \
                [...row.cells].map((cell) => cell.textContent))";
    serde_json::from_value(browser.evaluate(rows)).unwrap()
}

#[test]
#[ignore = "long: a browser"]
fn games_are_found_by_text_agent_opponent_result_and_ending() {
    let Some(mut browser) = Browser::start() else { return };
    open_swiss(&mut browser, "#games&of=ada");
    let all = listed(&mut browser);
    assert_eq!(all.len(), 3, "one in each round");
    assert!(all.iter().all(|row| row[1] == "ada" || row[2] == "ada"), "{all:?}");
    // White has won all games.
    browser.evaluate("location.hash = '#games&of=ada&result=won'");
    browser.wait_for("document.querySelector('#filter-games-result').value === 'won'", 5);
    assert!(listed(&mut browser).iter().all(|row| row[2] == "ada"));
    let opponents = texts(&mut browser, "#filter-games-against option");
    assert_eq!(opponents.len(), 1 + 3, "those whom she has met: {opponents:?}");
    type_into(&mut browser, "#filter-games-result", "");
    let opponent = all[0].iter().skip(1).find(|name| *name != "ada").unwrap();
    type_into(&mut browser, "#filter-games-against", opponent);
    assert_eq!(listed(&mut browser), [all[0].clone()]);
    assert_eq!(browser.evaluate("location.hash"), json!(format!("#games&of=ada&against={opponent}")));
    // Without an agent there is no opponent; a text stands anywhere in the row.
    type_into(&mut browser, "#filter-games-of", "");
    assert_eq!(browser.evaluate("document.querySelector('#filter-games-against').hidden"), json!(true));
    assert_eq!(listed(&mut browser).len(), 12);
    type_into(&mut browser, "#find-games", "wrong ADA");
    assert_eq!(listed(&mut browser), all);
    type_into(&mut browser, "#find-games", "");
    let endings = texts(&mut browser, "#filter-games-ending option");
    assert!(endings.contains(&"wrong format".to_owned()), "{endings:?}");
    type_into(&mut browser, "#filter-games-ending", "wrong format");
    assert_eq!(listed(&mut browser).len(), 12);
    browser.evaluate("location.hash = '#games&of=nobody'");
    browser.wait_for("document.getElementById('missing-target')", 5);
    assert!(browser.text("#missing-target").starts_with("There is no agent nobody"));
}

#[test]
fn an_agent_has_a_panel_with_links_by_names() {
    let Some(mut browser) = Browser::start() else { return };
    open_swiss(&mut browser, "#agent=ben");
    browser.wait_for("document.activeElement.closest('details')?.open", 5);
    let panel = browser.evaluate("'#' + document.activeElement.closest('details').id");
    let panel = panel.as_str().unwrap();
    let text = browser.text(panel);
    for part in ["ben", "rank ", " points in 3 games", "Points after each round", "How games of ben ended"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let addresses = browser
        .evaluate(&format!("[...document.querySelectorAll('{panel} table a')].map((it) => it.getAttribute('href'))"));
    let addresses: Vec<String> = serde_json::from_value(addresses).unwrap();
    for start in ["#agent=", "#games&of=ben&against=", "#games&of=ben&result="] {
        assert!(addresses.iter().any(|address| address.starts_with(start)), "{start}: {addresses:?}");
    }
    let ending = addresses.iter().find(|address| address.contains("&ending=")).unwrap();
    browser.evaluate(&format!("location.hash = {}", json!(ending)));
    browser.wait_for("document.querySelector('#filter-games-ending').value !== ''", 5);
    assert!(!listed(&mut browser).is_empty());
}

/// What leads to a game is on one line and in sight, without moving its table sideways.
#[test]
fn links_to_games_are_whole_on_a_phone() {
    let Some(mut browser) = Browser::start() else { return };
    browser.set_size(390, 844);
    open_swiss(&mut browser, "#agent=ben");
    browser.wait_for("document.activeElement.closest('details')?.open", 5);
    let broken = browser.evaluate(
        "[...document.querySelectorAll('.game-list th a, .meetings small a')]
            .filter((link) => link.getClientRects().length > 1).map((link) => link.textContent)",
    );
    assert_eq!(broken, json!([]));
    let moved = browser.evaluate(
        "[...document.activeElement.closest('details').querySelectorAll('.wide')]
            .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent)",
    );
    assert_eq!(moved, json!([]));
}

#[test]
#[ignore = "long: a browser"]
fn results_of_a_crosstable_lead_to_their_games_also_by_keys() {
    let Some(mut browser) = Browser::start() else { return };
    open_swiss(&mut browser, "");
    let ranks: Vec<String> = texts(&mut browser, "#standings tbody td:first-child");
    assert!(ranks.iter().any(|rank| rank.ends_with('=')), "{ranks:?}");
    let heads = texts(&mut browser, ".crosstable thead th.upright");
    assert_eq!(heads, texts(&mut browser, ".crosstable tbody th"), "ranks that repeat name no column");
    assert_eq!(browser.evaluate("document.querySelectorAll('.crosstable td a[tabindex=\"0\"]').length"), json!(1));
    browser.evaluate("document.querySelector('.crosstable td a[tabindex=\"0\"]').focus()");
    let at = "(() => { const cell = document.activeElement.closest('td'); \
              return [cell.parentElement.rowIndex, cell.cellIndex]; })()";
    let before: (u64, u64) = serde_json::from_value(browser.evaluate(at)).unwrap();
    browser.key("ArrowRight");
    let after: (u64, u64) = serde_json::from_value(browser.evaluate(at)).unwrap();
    assert!(after.0 == before.0 && after.1 > before.1, "{before:?} {after:?}");
    let game = browser.evaluate("document.activeElement.getAttribute('href')");
    let id = game.as_str().unwrap().trim_start_matches("#game=").trim_end_matches("&ply=0").to_owned();
    browser.key("Enter");
    wait_for_game(&mut browser, &id, 0);
}

#[test]
#[ignore = "long: a browser"]
fn the_first_tab_skips_to_the_games() {
    let Some(mut browser) = Browser::start() else { return };
    open_swiss(&mut browser, "");
    browser.key("Tab");
    assert_eq!(browser.evaluate("document.activeElement.className"), Value::from("skip"));
    browser.key("Enter");
    browser.wait_for("document.activeElement.id === 'games'", 5);
    browser.key("Tab");
    assert_eq!(browser.evaluate("document.activeElement.closest('section').id"), Value::from("games"));
}
