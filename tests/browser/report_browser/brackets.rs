//! Brackets: byes, ties and who went on.

use serde_json::json;

use crate::chromium::Browser;
use crate::report_pages::competition;

#[test]
#[ignore = "long: a browser"]
fn both_stay_after_a_tie_in_an_elimination() {
    let Some(mut browser) = Browser::start() else { return };
    // White wins every game, so that every pairing is split.
    let run = competition("elimination", &[]);
    browser.open(&run.page(), "");
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
    let [cards, told] = [".bracket .card:not(.bye)", ".bracket .tie"].map(|selector| {
        let texts = format!("[...document.querySelectorAll('{selector}')].map((it) => it.textContent)");
        browser.evaluate(&texts).as_array().unwrap().clone()
    });
    assert!(cards.len() > 3);
    assert_eq!(told, vec![json!("tied: both stay"); cards.len()]);
}

#[test]
#[ignore = "long: a browser"]
fn a_tie_says_why_one_went_on_and_a_bye_is_one_line() {
    let Some(mut browser) = Browser::start() else { return };
    let names: Vec<String> =
        ["a", "b", "c", "d", "e"].map(|name| format!("{name}-with a name that is much too long for its card")).to_vec();
    let run = competition("tied knockout", &names);
    browser.set_size(390, 844);
    browser.open(&run.page(), "");
    browser.wait_for("document.querySelector('.replay')?.dataset.at", 20);
    let reasons = browser.evaluate("[...document.querySelectorAll('.bracket .tie')].map((it) => it.textContent)");
    assert_eq!(reasons, json!(vec!["tied: better seed advanced"; 4]));
    // What is below the other's row is cut off by the card.
    let cut = browser.evaluate(
        "[...document.querySelectorAll('.card')].filter((card) => card.scrollHeight > card.clientHeight).length",
    );
    assert_eq!(cut, json!(0), "a card has room for its rows");
    let byes = browser.evaluate(
        "[...document.querySelectorAll('.card.bye span')].map((it) => [it.textContent, it.getClientRects().length,
            it.getBoundingClientRect().height < 30])",
    );
    assert_eq!(byes, json!(vec![json!(["bye", 1, true]); 3]));
}
