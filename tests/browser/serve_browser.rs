//! Watching a run in a real browser while another process plays it.

use referee_games::protocol::plain;
use referee_matches::referee::snapshots;
use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::report_pages::{Run, hostile, hostile_names, squares};
use crate::served::{Player, Served};

/// How long anything may take on the slowest machine.
const TIMEOUT: u64 = 90;

/// What the page has asked for, without the times that it did, and whatever it has said on the console.
fn assert_quiet(browser: &mut Browser, served: &Served) {
    let own = served.url();
    let foreign: Vec<&String> =
        browser.noticed().iter().filter(|said| !said.trim_matches('"').starts_with(&own)).collect();
    assert!(foreign.is_empty(), "requests and console: {foreign:?}");
}

#[test]
#[ignore = "long: a browser"]
fn boards_move_standings_change_and_finished_games_are_replayed() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::empty();
    let player = Player::start(run.path(), "builtin:alphabeta,nodes=2000", &["--game", "checkers", "--games", "3"]);
    let served = Served::start(run.path(), &[]);
    browser.goto(&served.url());
    browser.wait_for("document.getElementById('now').dataset.link === 'up'", TIMEOUT);
    player.play();
    // The board of one and the same game moves. Beside it there may be that of the game before, which stays for a
    // while.
    browser.evaluate("window.seen = {}");
    let moves = "[...document.querySelectorAll('.running-game')].some((game) => {
        const cells = [...game.querySelectorAll('.square')].map((square) => square.dataset.piece);
        if (cells.length !== 64) throw new Error(`${cells.length} squares`);
        const before = (window.seen[game.dataset.game] ??= cells.join());
        return before !== cells.join();
    })";
    browser.wait_for(moves, TIMEOUT);
    browser.wait_for("document.querySelectorAll('.running-game .changed').length > 0", TIMEOUT);
    // Nobody has touched the page, and its standings count what is finished.
    browser.evaluate("window.untouched = true");
    browser.wait_for("document.getElementById('now').dataset.state === 'over'", TIMEOUT);
    browser.wait_for("document.querySelectorAll('.game-list tbody tr').length === 3", TIMEOUT);
    player.wait();
    let points = browser.evaluate(
        "[...document.querySelectorAll('#standings tbody tr')].map((row) => \
         Number(row.cells[3].textContent)).reduce((a, b) => a + b)",
    );
    assert_eq!(points, json!(3));
    assert_eq!(browser.text("#now-title"), "The run is over");
    browser.wait_for("document.querySelectorAll('.ticker li').length > 0", TIMEOUT);
    // A finished game is stepped through as in a report.
    browser.evaluate("location.hash = '#game=g0002&ply=3'");
    browser.wait_for("document.querySelector('.replay').dataset.at === 'g0002:3'", TIMEOUT);
    let pieces =
        browser.evaluate("[...document.querySelectorAll('.replay .square')].map((square) => square.dataset.piece)");
    assert_eq!(pieces, json!(squares(&snapshots(&run.record("g0002")).unwrap()[3].rows())));
    assert_eq!(browser.evaluate("window.untouched"), json!(true));
    assert_quiet(&mut browser, &served);
}

#[test]
#[ignore = "long: a browser"]
fn clocks_run_and_a_lost_connection_is_shown() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::empty();
    let player = Player::start(run.path(), "builtin:random", &["--game", "halma", "--jobs", "2", "--games", "20"]);
    let mut served = Served::start(run.path(), &[]);
    browser.set_size(1280, 800);
    browser.goto(&format!("{}?hall", served.url()));
    player.play();
    browser.wait_for("document.querySelectorAll('.running-game').length === 2", TIMEOUT);
    let room = browser.evaluate(FILLED);
    let share = |at: usize| room[at].as_f64().unwrap();
    assert!(share(0) < 1.01 && share(1) < 1.01, "it is to be seen whole: {room}");
    assert!(share(0) > 0.9 || share(1) > 0.9, "larger boards would fit: {room}");
    browser.wait_for("document.querySelector('.player.at-work .time')?.textContent.startsWith('≈ ')", TIMEOUT);
    let wide = browser.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    assert_eq!(wide, json!(false));
    browser.evaluate(
        "(() => { const boards = document.getElementById('now-boards'); boards.value = '1'; \
                      boards.dispatchEvent(new Event('change')); })()",
    );
    browser.wait_for("document.querySelectorAll('.running-game').length === 1", TIMEOUT);
    browser.wait_for(
        "document.querySelector('.waiting-games').textContent === 'and 1 more game at the same time'",
        TIMEOUT,
    );
    assert_quiet(&mut browser, &served);
    served.end();
    browser.wait_for("document.getElementById('now').dataset.link === 'lost'", TIMEOUT);
    browser
        .wait_for("document.querySelector('.lamp').textContent.startsWith('connection lost, trying again')", TIMEOUT);
    player.stop();
}

#[test]
#[ignore = "long: a browser"]
fn four_boards_fill_a_hall() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::empty();
    let player = Player::start(run.path(), "builtin:random", &["--game", "halma", "--jobs", "4", "--games", "40"]);
    let served = Served::start(run.path(), &[]);
    browser.set_size(1280, 900);
    browser.goto(&format!("{}?hall", served.url()));
    player.play();
    // At one moment, because games end and others begin.
    browser.wait_for(
        &format!(
            "(() => {{
                const boards = [...document.querySelectorAll('.running-game .board')];
                return boards.length === 4 && {FILLED}.every((share) => share >= 0.9 && share < 1.01) &&
                    boards.every((board) => board.getBoundingClientRect().width > 220);
            }})()"
        ),
        TIMEOUT,
    );
    player.stop();
}

/// How much of its width and its height the boards of a hall take up, if all of the page is in the window.
const FILLED: &str = "(() => {
    const page = document.documentElement;
    if (page.scrollHeight > innerHeight || page.scrollWidth > innerWidth) return [2, 2];
    const grid = document.querySelector('.running-games').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('.running-game')].map((game) => game.getBoundingClientRect());
    const [right, bottom] = [Math.max(...boxes.map((it) => it.right)), Math.max(...boxes.map((it) => it.bottom))];
    return [(right - grid.left) / grid.width, (bottom - grid.top) / grid.height];
})()";

#[test]
#[ignore = "long: a browser"]
fn a_hall_is_offered_where_it_has_a_layout() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("duo-othello");
    let served = Served::start(run.path(), &[]);
    browser.goto(&served.url());
    browser.wait_for("document.getElementById('now').dataset.link === 'up'", TIMEOUT);
    for width in [390, 900, 960, 1280] {
        browser.set_size(width, 800);
        let is_offered = browser.evaluate("document.getElementById('now-hall').checkVisibility()");
        let has_layout = browser.evaluate("matchMedia('(min-width: 60rem)').matches");
        assert_eq!(is_offered, has_layout, "at {width}");
    }
}

#[test]
#[ignore = "long: a browser"]
fn a_hall_in_which_nobody_plays_says_so() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("duo-othello");
    let results = run.path().join("games");
    std::fs::remove_file(results.join("g0002.json")).unwrap();
    let served = Served::start(run.path(), &[]);
    browser.set_size(1280, 800);
    browser.goto(&format!("{}?hall", served.url()));
    browser.wait_for("document.getElementById('now').dataset.state === 'waiting'", TIMEOUT);
    assert_eq!(browser.text(".between p"), "Nobody is playing at the moment; 1 game left");
    // The state is told by itself; the results come with the view, when their games are drawn.
    browser.wait_for("document.querySelector('.ticker li')", TIMEOUT);
    let shown = |browser: &mut Browser, selector: &str| {
        browser.evaluate(&format!(
            "[...document.querySelectorAll('{selector}')].filter((one) => one.checkVisibility()).length"
        ))
    };
    // A match has no rounds: its two are always next.
    assert_eq!(shown(&mut browser, ".next li"), json!(0));
    assert_eq!(shown(&mut browser, ".ticker li"), json!(1));
    let fits =
        "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.evaluate(fits), json!(true));
    assert_quiet(&mut browser, &served);
}

#[test]
#[ignore = "long: a browser"]
fn names_are_text_on_a_served_page() {
    let Some(mut browser) = Browser::start() else { return };
    let run = hostile();
    std::fs::remove_file(run.path().join("games/g0002.json")).unwrap();
    let live = run.path().join("live");
    std::fs::create_dir(&live).unwrap();
    let now = referee_records::unix_ms();
    let start = run.record("g0001").start;
    let game = json!({ "schema": 1, "id": "g0002", "turns": 1, "rows": start, "at_work": "white", "since_unix_ms": now,
        "written_unix_ms": now, "left_cpu_us": { "black": 1_000_000, "white": 2_000_000 },
        "last": { "side": "black", "move": "<img src=x onerror=alert(1)>\u{202e}\u{1b}[2J" } });
    std::fs::write(live.join("g0002.json"), game.to_string()).unwrap();
    let served = Served::start(run.path(), &[]);
    browser.goto(&served.url());
    browser.wait_for("document.querySelector('.running-game .last')", TIMEOUT);
    let names: Value =
        browser.evaluate("[...document.querySelectorAll('.player bdi')].map((name) => name.textContent)");
    let expected: Vec<String> = hostile_names()[2..].iter().map(|name| plain(name)).collect();
    assert_eq!(names, json!(expected));
    assert_eq!(browser.text(".running-game .last"), plain("<img src=x onerror=alert(1)>\u{202e}\u{1b}[2J"));
    assert_eq!(browser.evaluate("document.querySelectorAll('img, iframe').length"), json!(0));
    for width in [1920, 390] {
        browser.set_size(width, 1000);
        let wide = browser.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
        assert_eq!(wide, json!(false), "at {width}");
    }
    assert_quiet(&mut browser, &served);
}
