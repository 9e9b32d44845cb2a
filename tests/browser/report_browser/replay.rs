//! Stepping through games in every way, compared with the records.

use referee_games::Side;
use referee_matches::referee::{GameSnapshot, snapshots};
use serde_json::{Value, json};

use super::{address, open_game, wait_for_game};
use crate::chromium::{Browser, Medium};
use crate::report_pages::{Run, games, hostile, remarked, squares};

/// A position as the page shows it.
#[derive(Debug, serde::Deserialize)]
struct Shown {
    pieces: Vec<String>,
    names: Vec<String>,
    clocks: Vec<u64>,
    clock_texts: Vec<String>,
    live: String,
    words: String,
    current: String,
    hash: String,
    slider: String,
}

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
            words: document.getElementById('board-words').textContent,
            current: document.querySelector('.moves [aria-current]')?.dataset.ply ?? '0',
            hash: location.hash,
            slider: document.querySelector('.replay input').value,
        };
    })()";
    serde_json::from_value(browser.evaluate(script)).unwrap()
}

fn assert_shows(shown: &Shown, snapshot: &GameSnapshot, ply: usize) {
    assert_eq!(shown.pieces, squares(&snapshot.rows()), "the board after {ply} turns");
    assert_eq!(shown.names.len(), shown.pieces.len());
    let clocks = Side::BOTH.map(|side| snapshot.clocks.of(side).micros());
    assert_eq!(shown.clocks, clocks, "the clocks after {ply} turns");
    let is_clock = |text: &String| text.ends_with(" s left") || text == "10 s per move";
    assert!(shown.clock_texts.iter().all(is_clock), "{:?}", shown.clock_texts);
    assert_eq!(shown.current, ply.to_string(), "the move that is marked");
    assert_eq!(shown.slider, ply.to_string(), "the slider");
    let live = if ply == 0 { "start of ".to_owned() } else { format!("turn {ply}: ") };
    assert!(shown.live.starts_with(&live), "{}", shown.live);
    // Every piece that is seen is told of in words, too.
    let standing = shown.names.iter().zip(&shown.pieces).filter(|(_, piece)| *piece != ".");
    for (square, _) in standing {
        let told = shown.words.split([' ', ';']).any(|word| word.trim_end_matches(',') == square);
        assert!(told, "`{square}` in {}", shown.words);
    }
}

#[test]
#[ignore = "long: a browser"]
fn every_game_is_shown_as_it_is_recorded_and_stepped_through() {
    let Some(mut browser) = Browser::start() else { return };
    for game in games() {
        let run = Run::play(game);
        let page = run.page();
        for id in ["g0001", "g0002"] {
            let snapshots = snapshots(&run.record(id)).unwrap();
            let last = snapshots.len() - 1;
            open_game(&mut browser, &page, id, 7);
            assert_shows(&shown(&mut browser), &snapshots[7], 7);
            assert_charts_have_every_turn(&mut browser, &snapshots);
            for ply in [0, 1, last / 2, last] {
                browser.evaluate(&format!("void (location.hash = 'game={id}&ply={ply}')"));
                wait_for_game(&mut browser, id, ply);
                assert_shows(&shown(&mut browser), &snapshots[ply], ply);
            }
            assert_keys_step(&mut browser, &snapshots);
        }
        assert_slider_steps(&mut browser, &run);
        assert_eq!(browser.noticed(), [address(&page)], "requests and console");
    }
}

/// From the last position, where a deep link has put the focus into the replay.
fn assert_keys_step(browser: &mut Browser, snapshots: &[GameSnapshot]) {
    let last = snapshots.len() - 1;
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
        assert_shows(&shown, &snapshots[expected], expected);
        if expected != ply {
            assert!(shown.hash.ends_with(&format!("&ply={expected}")), "{}", shown.hash);
        }
        ply = expected;
    }
}

/// The charts of time have a bar for each turn, and a point for each clock before the first and after each.
fn assert_charts_have_every_turn(browser: &mut Browser, snapshots: &[GameSnapshot]) {
    let turns = snapshots.len() - 1;
    let points =
        "[...document.querySelectorAll('.replay .left path')].map((path) => path.getAttribute('d').split('L').length)";
    assert_eq!(browser.evaluate("document.querySelectorAll('.replay .used rect').length"), json!(turns));
    assert_eq!(browser.evaluate(points), json!([turns + 1, turns + 1]));
    assert_eq!(browser.evaluate("document.querySelectorAll('.moves li').length"), json!(turns));
}

/// With the focus in the slider its own keys move it, and so does whoever sets it.
fn assert_slider_steps(browser: &mut Browser, run: &Run) {
    let snapshots = snapshots(&run.record("g0002")).unwrap();
    let set = "(() => {
        const slider = document.querySelector('.replay input');
        slider.focus();
        slider.value = 5;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
    })()";
    browser.evaluate(set);
    assert_shows(&shown(browser), &snapshots[5], 5);
    browser.key("ArrowRight");
    assert_shows(&shown(browser), &snapshots[6], 6);
    browser.key("ArrowUp");
    assert_shows(&shown(browser), &snapshots[5], 5);
}

#[test]
#[ignore = "long: a browser"]
fn buttons_step_and_autoplay_goes_on_until_the_end() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("star-circle");
    let page = run.page();
    let snapshots = snapshots(&run.record("g0001")).unwrap();
    let last = snapshots.len() - 1;
    open_game(&mut browser, &page, "g0001", 3);
    for (button, ply) in [("next", 4), ("previous", 3), ("last", last), ("first", 0)] {
        browser.click(&format!("[data-do={button}]"));
        assert_shows(&shown(&mut browser), &snapshots[ply], ply);
    }
    browser.click(".moves li:nth-child(2) a");
    assert_shows(&shown(&mut browser), &snapshots[2], 2);

    let playing = "document.querySelector('[data-do=play]').getAttribute('aria-label')";
    browser.evaluate(&format!("referee.open('g0001', {})", last - 2));
    browser.click("[data-do=play]");
    assert_eq!(browser.evaluate(playing), "Pause", "it plays");
    assert_eq!(browser.evaluate("document.querySelector('.live').ariaLive"), "off");
    wait_for_game(&mut browser, "g0001", last);
    browser.wait_for(&format!("{playing} === 'Play'"), 5);
    assert_shows(&shown(&mut browser), &snapshots[last], last);
    browser.evaluate("document.querySelector('.replay').focus()");
    browser.key(" ");
    assert_eq!(browser.evaluate(playing), "Pause", "it plays from the start again");
    browser.key(" ");
    assert_eq!(browser.evaluate(playing), "Play", "space stops it");
}

#[test]
#[ignore = "long: a browser"]
fn every_control_has_a_name_and_shows_where_the_focus_is() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("halma");
    open_game(&mut browser, &run.page(), "g0001", 1);
    let nameless = browser.evaluate(
        "[...document.querySelectorAll('a, button, input, select, summary, [tabindex], svg[role]')]
            .filter((it) => !it.hidden && it.getClientRects().length > 0)
            .filter((it) => !(it.getAttribute('aria-label') || it.textContent.trim() || it.id))
            .map((it) => it.outerHTML.slice(0, 100))",
    );
    assert_eq!(nameless, Value::Array(vec![]), "without a name");
    let mut seen = 0;
    for _ in 0..12 {
        browser.key("Tab");
        let outline = browser.evaluate("getComputedStyle(document.activeElement).outlineStyle");
        if browser.evaluate("document.activeElement !== document.body") == json!(true) {
            assert_eq!(outline, "solid", "focus is to be seen");
            seen += 1;
        }
    }
    assert!(seen > 6, "there is much to reach by the keyboard");
}

#[test]
#[ignore = "long: a browser"]
fn what_the_address_names_and_is_unknown_is_said_to_be() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("checkers");
    browser.open(&run.page(), "#game=g0099&ply=3");
    wait_for_game(&mut browser, "g0001", 0);
    assert!(browser.text("#missing-target").starts_with("There is no game g0099 in this report."));
    for kind in ["agent", "student"] {
        browser.evaluate(&format!("location.hash = '#{kind}=99'"));
        let told = format!("'There is no {kind} 99 in this report.'");
        let notice = "document.getElementById('missing-target')?.textContent";
        browser.wait_for(&format!("{notice}.startsWith({told})"), 20);
    }
    browser.evaluate("location.hash = '#game=g0002&ply=3'");
    wait_for_game(&mut browser, "g0002", 3);
    assert_eq!(browser.evaluate("document.getElementById('missing-target')"), Value::Null);
    browser.evaluate("location.hash = `#agent=${referee.view.agents[1].name}`");
    browser.wait_for("document.getElementById('agent-1').open", 20);
    assert_eq!(browser.evaluate("document.getElementById('missing-target')"), Value::Null);
}

/// The colour of a side on the board is that of its clock, its moves and its charts, in light and dark.
#[test]
#[ignore = "long: a browser"]
fn a_side_has_one_colour_everywhere() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("halma");
    let page = run.page();
    for dark in [false, true] {
        browser.set_medium(Medium::Screen { dark });
        open_game(&mut browser, &page, "g0001", 1);
        for side in ["black", "white"] {
            let colours = browser.evaluate(&format!(
                "(() => {{
                    const colour = (selector, property, pseudo) =>
                        getComputedStyle(document.querySelector(selector), pseudo)[property];
                    return [
                        colour('.piece.{side}', 'fill'),
                        colour('.moves .key.{side}', 'backgroundColor'),
                        colour('figcaption .key.{side}', 'backgroundColor'),
                        colour('.clock[data-side={side}]', 'backgroundColor', '::before'),
                        colour('.chart rect.{side}', 'fill'),
                        colour('.chart path.{side}', 'stroke'),
                    ];
                }})()"
            ));
            let colours = colours.as_array().unwrap();
            assert!(colours.iter().all(|colour| *colour == colours[0]), "{side}: {colours:?}");
        }
        let legends = browser.evaluate("document.querySelectorAll('.replay figcaption .key').length");
        assert_eq!(legends, 4, "both charts say whose is whose");
    }
}

#[test]
#[ignore = "long: a browser"]
fn what_stands_between_backticks_is_code() {
    let Some(mut browser) = Browser::start() else { return };
    let run = remarked("`x.py` became `homework.py`");
    open_game(&mut browser, &run.page(), "g0001", 0);
    browser.evaluate("document.querySelectorAll('#agents details').forEach((it) => (it.open = true))");
    browser.wait_for("document.querySelector('#agents p code')", 10);
    assert_eq!(browser.text("#agents p.faint"), "x.py became homework.py");
}

#[test]
#[ignore = "long: a browser"]
fn a_turned_board_has_the_same_squares_seen_from_the_other_side() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("checkers");
    open_game(&mut browser, &run.page(), "g0001", 5);
    let snapshots = snapshots(&run.record("g0001")).unwrap();
    let corner = "['x', 'y'].map((at) => document.querySelector('[data-square=a8]').getAttribute(at))";
    assert_eq!(browser.evaluate(corner), json!(["0", "0"]));
    let clocks = "['black', 'white'].map((side) => document.querySelector(`.clock[data-side=${side}]`)
        .getBoundingClientRect().top).reduce((black, white) => black < white)";
    assert_eq!(browser.evaluate(clocks), json!(true), "black above white");
    browser.click("[data-do=turn]");
    assert_eq!(browser.evaluate(corner), json!(["7", "7"]));
    assert_eq!(browser.evaluate(clocks), json!(false));
    assert_shows(&shown(&mut browser), &snapshots[5], 5);
    browser.evaluate("referee.open('g0002', 3)");
    wait_for_game(&mut browser, "g0002", 3);
    assert_eq!(browser.evaluate(corner), json!(["7", "7"]), "it stays turned");
}

#[test]
#[ignore = "long: a browser"]
fn an_illegal_answer_is_shown_in_the_place_of_a_move() {
    let Some(mut browser) = Browser::start() else { return };
    let run = hostile();
    open_game(&mut browser, &run.page(), "g0001", 1);
    let shown = browser.text(".moves .illegal");
    assert!(shown.starts_with("✗ <script>alert(1)</script>"), "{shown}");
    assert!(shown.chars().count() <= 42, "{shown}");
    assert!(!browser.text(".live").contains('`'), "{}", browser.text(".live"));
}

/// The first turn of `g0001` whose move has so many jumps, with this number.
fn turn_with_jumps(run: &Run, holds: impl Fn(usize) -> bool) -> (usize, usize) {
    let record = run.record("g0001");
    let jumps = record.turns.iter().map(|turn| turn.mv().map_or(0, |mv| mv.matches('J').count()));
    let found = jumps.zip(1..).find(|(jumps, _)| holds(*jumps));
    let (jumps, turn) = found.expect("there are jumps in every game of this seed");
    (turn, jumps)
}

#[test]
#[ignore = "long: a browser"]
fn where_a_piece_was_and_what_it_captured_differ_in_shape() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("checkers");
    let (turn, jumps) = turn_with_jumps(&run, |jumps| jumps > 0);
    open_game(&mut browser, &run.page(), "g0001", turn);
    let counts = browser.evaluate(
        "['.from', '.to', '.taken', '.turned'].map((kind) => \
         document.querySelectorAll(`.board .changed${kind}`).length)",
    );
    assert_eq!(counts, json!([1, 1, jumps, 0]));
    assert_eq!(browser.evaluate("document.querySelectorAll('.board .cross').length"), json!(jumps));
}

#[test]
#[ignore = "long: a browser"]
fn a_long_chain_is_short_in_the_list_and_a_path_on_the_board() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("halma");
    let (turn, jumps) = turn_with_jumps(&run, |jumps| jumps > 2);
    open_game(&mut browser, &run.page(), "g0001", turn);
    let entry = browser.text(&format!(".moves [data-ply='{turn}'] span:last-child"));
    assert!(entry.ends_with(&format!("({jumps} jumps)")), "{entry}");
    let corners = browser.evaluate("document.querySelector('.board .path').getAttribute('d').split('L').length");
    assert_eq!(corners, json!(jumps + 1));
}

/// The moves of one side are below each other, beside those of the other side.
#[test]
#[ignore = "long: a browser"]
fn each_side_has_a_column_of_moves() {
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::play("duo-othello");
    open_game(&mut browser, &run.page(), "g0001", 1);
    let columns = browser.evaluate(
        "['black', 'white'].map((side) => new Set([...document.querySelectorAll(`.moves li.${side}`)]
            .map((entry) => entry.getBoundingClientRect().left)).size)",
    );
    assert_eq!(columns, json!([1, 1]));
}
