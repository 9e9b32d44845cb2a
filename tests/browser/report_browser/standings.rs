//! The standings: bars of ratings.

use serde_json::json;

use crate::chromium::Browser;
use crate::report_pages::won_by_white;

/// The ends of each group's bars, by the number beside them: of all its intervals the lowest and the highest.
const ENDS: &str = "(() => {
    const ends = {};
    for (const bar of document.querySelectorAll('#standings .error-bar')) {
        const heads = [...document.querySelectorAll('#standings thead th')].map((head) => head.textContent);
        const place = heads.indexOf('group');
        const label = place < 0 ? 'all' : `group ${bar.closest('tr').cells[place].textContent}`;
        const [low, high] = ['x1', 'x2'].map((end) => Math.round(+bar.querySelector('.range').getAttribute(end)));
        const known = ends[label] ?? [low, high];
        ends[label] = [Math.min(low, known[0]), Math.max(high, known[1])];
    }
    return ends;
})()";

#[test]
#[ignore = "long: a browser"]
fn ratings_that_cannot_be_compared_share_no_axis() {
    let Some(mut browser) = Browser::start() else { return };
    // Three games say more than two, so the intervals of the second group are narrower.
    let apart = [["ada", "ben"], ["ben", "ada"], ["chi", "dan"], ["dan", "chi"], ["chi", "dan"]];
    let whole = [4, 96];
    for (games, expected) in
        [(&apart[..], json!({ "group 1": whole, "group 2": whole })), (&apart[..2], json!({ "all": whole }))]
    {
        let run = won_by_white(games);
        browser.open(&run.page(), "");
        browser.wait_for("document.querySelector('.error-bar')", 20);
        assert_eq!(browser.evaluate(ENDS), expected);
    }
}

#[test]
#[ignore = "long: a browser"]
fn the_criteria_of_the_ranks_have_columns_beside_points() {
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&won_by_white(&[["ada", "ben"], ["ben", "ada"]]).page(), "");
    browser.wait_for("document.querySelector('#standings tbody tr')", 20);
    let first_row = "(() => {
        const heads = [...document.querySelectorAll('#standings thead th')].map((head) => head.textContent);
        const cells = document.querySelector('#standings tbody tr').cells;
        return ['points', 'wins', 'SB', 'games'].map((head) => cells[heads.indexOf(head)]?.textContent);
    })()";
    assert_eq!(browser.evaluate(first_row), json!(["1", "1", "1", "2"]));
}
