//! What an analysis adds to a page: curve, marks, better moves, a link to the mistake, and a table.

use serde_json::json;

use super::{address, assert_no_sideways_scroll, open_game, wait_for_game};
use crate::chromium::{Browser, Medium};
use crate::report_pages::analyzed::AnalyzedGame;

/// The number of elements that `selector` finds.
fn count(browser: &mut Browser, selector: &str) -> u64 {
    browser.evaluate(&format!("document.querySelectorAll({}).length", json!(selector))).as_u64().unwrap()
}

/// The marks of the turn's entry in the list of moves, as they are read aloud.
fn mark(browser: &mut Browser, turn: usize) -> serde_json::Value {
    browser.evaluate(&format!("document.querySelector('.moves [data-ply=\"{turn}\"] .mark')?.ariaLabel ?? ''"))
}

#[test]
#[ignore = "long: a browser"]
fn an_analyzed_game_shows_where_it_was_lost_and_what_was_better() {
    let Some(mut browser) = Browser::start() else { return };
    let game = AnalyzedGame::play();
    game.analyze();
    let (id, decisive, page) = (game.record.id.clone(), game.decisive, game.run.page());
    open_game(&mut browser, &page, &id, 0);
    assert!(browser.text(".story").contains("gave up a won game"));
    assert_eq!(mark(&mut browser, decisive), json!("decisive mistake"));
    assert_eq!(mark(&mut browser, game.unclear), json!("unclear"));
    assert_eq!(count(&mut browser, ".moves .mark"), 2, "no other move is marked");

    // The link goes before the mistake, where the board shows the better move.
    browser.click(".story a");
    wait_for_game(&mut browser, &id, decisive - 1);
    assert_eq!(count(&mut browser, ".board rect.better"), 2);
    assert_eq!(browser.evaluate("location.hash"), json!(format!("#game={id}&ply={}", decisive - 1)));
    let better = referee_messages::board_words(&game.better[0]);
    assert!(browser.text(".live").contains(&format!("a better move than the next one is {better}")));

    browser.key("ArrowRight");
    wait_for_game(&mut browser, &id, decisive);
    assert_eq!(count(&mut browser, ".board .better"), 0);
    let expected = format!("decisive mistake: expected score from 1.00 to 0.25; better was {better}");
    let told = browser.text(".live");
    assert!(told.contains(&expected), "{told}");

    // A click on the curve goes to the turn below it, and its ends are the ends of the game.
    let last = game.record.turns.len();
    for (share, turn) in [(0.001, 0), (0.999, last)] {
        browser.evaluate(&format!(
            "(svg => {{ const {{ left, top, width }} = svg.getBoundingClientRect(); svg.dispatchEvent(new \
             MouseEvent('click', {{ clientX: left + {share} * width, clientY: top + 9, bubbles: true }})) \
             }})(document.querySelector('svg.expected'))"
        ));
        wait_for_game(&mut browser, &id, turn);
    }
    assert_eq!(count(&mut browser, "svg.expected .mark.decisive"), 1);

    browser.click(".numbers summary");
    // Details are filled when the browser has told that they are open.
    browser.wait_for(&format!("document.querySelectorAll('.numbers tbody tr').length === {}", last + 1), 20);
    let row = browser.text(&format!(".numbers tbody tr:nth-child({})", decisive + 1));
    assert!(row.contains(&format!("decisive mistake; better was {better}")), "{row}");

    for (width, height) in [(1280, 900), (390, 844)] {
        browser.set_size(width, height);
        open_game(&mut browser, &page, &id, decisive - 1);
        browser.click(".numbers summary");
        browser.wait_for("document.querySelector('.numbers table') !== null", 20);
        assert_no_sideways_scroll(&mut browser, "an analyzed game");
    }
    browser.set_medium(Medium::Print);
    assert!(browser.evaluate("document.querySelector('svg.expected').clientHeight > 0").as_bool().unwrap());
    assert_eq!(browser.noticed(), [address(&page)], "requests and console");
}

#[test]
#[ignore = "long: a browser"]
fn the_page_for_the_staff_links_what_lost_the_games() {
    let Some(mut browser) = Browser::start() else { return };
    let game = AnalyzedGame::play();
    game.of_students();
    game.analyze();
    let (id, page) = (game.record.id.clone(), game.run.page());
    for (width, height) in [(1280, 900), (390, 844)] {
        browser.set_size(width, height);
        open_game(&mut browser, &page, &id, 0);
        let told = browser.text("#losses");
        assert!(told.contains("Participants lost 1 analyzed game;"), "{told}");
        assert!(told.contains("1 game, 1 agent: one mistake decided the game. For example: "), "{told}");
        browser.click("#losses a");
        wait_for_game(&mut browser, &id, game.decisive - 1);
        assert!(browser.text(".time-story").contains(" lost on the board with "), "time has its own story");
        assert_no_sideways_scroll(&mut browser, "what lost the games");
    }
    browser.set_medium(Medium::Print);
    assert!(browser.evaluate("document.querySelector('#losses li').clientHeight > 0").as_bool().unwrap());
    assert_eq!(browser.noticed(), [address(&page)], "requests and console");
}

#[test]
#[ignore = "long: a browser"]
fn a_game_without_an_analysis_shows_nothing_of_one() {
    let Some(mut browser) = Browser::start() else { return };
    let game = AnalyzedGame::play();
    game.analyze();
    let page = game.run.page();
    open_game(&mut browser, &page, &game.record.id, game.decisive);
    let other = if game.record.id == "g0001" { "g0002" } else { "g0001" };
    browser.evaluate(&format!("void (location.hash = 'game={other}&ply=3')"));
    wait_for_game(&mut browser, other, 3);
    assert!(browser.evaluate("document.querySelector('.analysis').hidden").as_bool().unwrap());
    assert_eq!(count(&mut browser, ".moves .mark, .board .better"), 0);
    assert!(!browser.text(".live").contains("expected score"));
}
