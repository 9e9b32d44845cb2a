//! Boards with more columns than rows: on the page of a run, and where a person plays.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::chromium::Browser;
use crate::play_browser::Server;
use crate::report_pages::{Run, said};
use crate::served::Served;
use crate::toolbox::{PYTHON3, require};

/// A board of four columns and two rows, on which the sides put their letters in turn until it is full.
const RULES: &str = r#"
from referee_rules import Game, drawn, to_move

class Oblong(Game):
    name, title = "oblong", "Oblong"
    sides = ("X", "O")
    columns, rows, surface = "abcd", "21", "points"
    # Signs that the data of the page uses, too.
    pieces = {"|": {"side": "X"}, ":": {"side": "O"}}
    colours = ("yellow", "red")
    draw_reasons = {"full": "the board is full"}

    def start(self, side):
        return {"board": ["....", "...."], "side": side}

    def moves(self, state):
        board = state["board"]
        return [c + r for y, r in enumerate("21") for x, c in enumerate("abcd") if board[y][x] == "."]

    def play(self, state, move):
        board = [list(row) for row in state["board"]]
        board["21".index(move[1])]["abcd".index(move[0])] = "|" if state["side"] == "X" else ":"
        return {"board": ["".join(row) for row in board], "side": "O" if state["side"] == "X" else "X"}

    def status(self, state):
        side = state["side"]
        return to_move(side) if any("." in row for row in state["board"]) else drawn(side, "full")

    def to_input(self, state, clocks):
        return "\n".join([state["side"], clocks.own] + state["board"]) + "\n"

    def from_output(self, text):
        return text.strip()

Oblong().run()
"#;

fn rules(folder: &Path) -> PathBuf {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rules/referee_rules.py");
    fs::copy(library, folder.join("referee_rules.py")).unwrap();
    let rules = folder.join("oblong.py");
    fs::write(&rules, RULES).unwrap();
    rules
}

/// The squares of the board by where they are drawn: the labels of their column and row, and what is drawn on them.
fn drawn(browser: &mut Browser) -> Vec<(String, String, bool)> {
    let squares = browser.evaluate(
        "(() => {
            const svg = document.querySelector('.square').closest('svg');
            const middle = (element) => {
                const { x, y, width, height } = element.getBoundingClientRect();
                return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
            };
            const near = (a, b) => Math.abs(a - b) < 6;
            const text = (label) => ({ ...middle(label), text: label.textContent });
            const labels = [...svg.querySelectorAll('.coordinate')].map(text);
            const pieces = [...svg.querySelectorAll('.piece')].map(middle);
            return [...svg.querySelectorAll('.square')].map((square) => {
                const at = middle(square);
                const columns = labels.filter(({ x, text }) => /[a-d]/.test(text) && near(x, at.x));
                const rows = labels.filter(({ y, text }) => /[12]/.test(text) && near(y, at.y));
                const isTaken = pieces.some(({ x, y }) => near(x, at.x) && near(y, at.y));
                return [square.dataset.square, [...columns, ...rows].map(({ text }) => text).join(''), isTaken];
            });
        })()",
    );
    serde_json::from_value(squares).unwrap()
}

/// Every square lies where its labels say, and pieces are on `taken` alone.
fn assert_drawn(browser: &mut Browser, taken: &[&str]) {
    let squares = drawn(browser);
    assert_eq!(squares.len(), 8);
    for (name, labels, is_taken) in &squares {
        assert_eq!((labels, *is_taken), (name, taken.contains(&name.as_str())), "{squares:?}");
    }
}

/// The sides have their colours, on the board and in the clocks.
fn assert_coloured(browser: &mut Browser) {
    let colours = browser.evaluate(
        "(() => ['black', 'white'].map((side) => [
            getComputedStyle(document.documentElement).getPropertyValue(`--${side}-side`).trim(),
            getComputedStyle(document.querySelector(`.clock[data-side=\"${side}\"]`), '::before').backgroundColor,
            [...document.querySelectorAll(`.piece.${side}`)].slice(0, 1).map((piece) => getComputedStyle(piece).fill),
        ]))()",
    );
    let (yellow, red) = ("rgb(255, 210, 63)", "rgb(198, 40, 40)");
    for (side, name, colour) in [(0, "#ffd23f", yellow), (1, "#c62828", red)] {
        let found = &colours[side];
        assert_eq!((&found[0], &found[1]), (&json!(name), &json!(colour)), "{colours}");
        assert!(found[2] == json!([]) || found[2] == json!([colour]), "{colours}");
    }
}

#[test]
#[ignore = "long: a browser"]
fn the_squares_of_an_oblong_board_lie_where_their_labels_say() {
    require!(PYTHON3);
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rules = rules(folder.path());
    let run = Run::empty();
    let out = run.path().join("run");
    let (rules, out) = (rules.to_str().unwrap(), out.to_str().unwrap());
    said(&["play", "builtin:random", "builtin:random", "--game", rules, "--games", "1", "--seed", "5", "--out", out]);
    let page = folder.path().join("page.html");
    said(&["report", out, "--out", page.to_str().unwrap()]);
    let record = fs::read(Path::new(out).join("games/g0001.json")).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    let moves = record["turns"].as_array().unwrap().iter().map(|turn| turn["move"].as_str().unwrap());
    let moves: Vec<&str> = moves.collect();
    assert_eq!(moves.len(), 8);
    for ply in [0, 3, 8] {
        browser.open(&page, &format!("#game=g0001&ply={ply}"));
        browser.wait_for(&format!("document.querySelector('.replay')?.dataset.at === 'g0001:{ply}'"), 20);
        assert_drawn(&mut browser, &moves[..ply]);
        assert_coloured(&mut browser);
    }

    let server = Server::start("builtin:random", rules, &folder.path().join("played"));
    browser.goto(&server.url);
    browser.wait_for("playState.state !== null", 10);
    browser.click("#begin button");
    browser.wait_for("document.querySelector('#table').dataset.ready", 20);
    assert_drawn(&mut browser, &[]);
    assert_coloured(&mut browser);
    let at_cursor = "document.querySelector('.square[tabindex=\"0\"]').dataset.square";
    browser.evaluate("document.querySelector('.square[tabindex=\"0\"]').focus()");
    for (key, corner) in [("ArrowRight", "d1"), ("ArrowUp", "d2"), ("ArrowLeft", "a2"), ("ArrowDown", "a1")] {
        for _ in 0..4 {
            browser.key(key);
        }
        assert_eq!(browser.evaluate(at_cursor), json!(corner));
    }
    // Turned, the keys still go where they point.
    browser.click("#turn");
    assert_drawn(&mut browser, &[]);
    browser.evaluate("document.querySelector('.square[tabindex=\"0\"]').focus()");
    for _ in 0..4 {
        browser.key("ArrowLeft");
    }
    assert_eq!(browser.evaluate(at_cursor), json!("d1"));
}

/// Signs of neither side are letters, and what the rules say stands below the board, also while a game is played.
#[test]
#[ignore = "long: a browser"]
fn numbers_and_notes_stand_on_the_board_of_a_running_game() {
    require!(PYTHON3);
    let Some(mut browser) = Browser::start() else { return };
    let run = Run::empty();
    let out = run.path().join("run");
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rules/kalah.py");
    let play = ["play", "builtin:random", "builtin:random", "--game", rules, "--out"];
    said(&[&play[..], &[out.to_str().unwrap()]].concat());
    let page = run.path().join("page.html");
    said(&["report", out.to_str().unwrap(), "--out", page.to_str().unwrap()]);
    let shown = |within: &str, last: &str| {
        format!(
            "[...document.querySelectorAll('{within} .sign')].map((sign) => sign.textContent).join('') === \
             '44444444444{last}' && document.querySelector('{within} .piece') === null && \
             document.querySelector('{within} .notes')?.textContent === 'SOUTH: 0 in the store; NORTH: 0 in the store'"
        )
    };
    browser.open(&page, "#game=g0001&ply=0");
    browser.wait_for(&shown(".replay", "4"), 90);
    fs::remove_file(out.join("games/g0001.json")).unwrap();
    let served = Served::start(&out, &[]);
    browser.goto(&served.url());
    browser.wait_for("document.getElementById('now').dataset.link === 'up'", 90);
    let now = referee_records::unix_ms();
    let game = json!({ "schema": 1, "id": "g0001", "turns": 0, "rows": [".444444.", ".44444C."], "at_work": "black",
        "notes": "SOUTH: 0 in the store; NORTH: 0 in the store", "since_unix_ms": now, "written_unix_ms": now,
        "left_cpu_us": { "black": 1, "white": 2 } });
    fs::create_dir_all(out.join("live")).unwrap();
    fs::write(out.join("live/g0001.json"), game.to_string()).unwrap();
    browser.wait_for(&shown(".running-game", "C"), 90);
}

/// The same game by another notation: a piece falls to the lowest empty row of a column, and `swap` does nothing.
fn falling(folder: &Path) -> PathBuf {
    let rules = rules(folder);
    let moves = RULES.find("    def moves").unwrap()..RULES.find("    def status").unwrap();
    let falling = r#"    def moves(self, state):
        top = state["board"][0]
        return ["drop " + c for x, c in enumerate("abcd") if top[x] == "."] + ["swap"]

    def play(self, state, move):
        board = [list(row) for row in state["board"]]
        if move != "swap":
            x = "abcd".index(move[-1])
            board[1 if board[1][x] == "." else 0][x] = "|" if state["side"] == "X" else ":"
        return {"board": ["".join(row) for row in board], "side": "O" if state["side"] == "X" else "X"}

"#;
    let text = RULES.replace(&RULES[moves], falling);
    fs::write(&rules, text).unwrap();
    rules
}

#[test]
#[ignore = "long: a browser"]
fn a_move_that_names_a_column_is_clicked_there_or_on_its_button() {
    require!(PYTHON3);
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rules = falling(folder.path());
    let server = Server::start("builtin:random", rules.to_str().unwrap(), &folder.path().join("played"));
    browser.goto(&server.url);
    browser.wait_for("playState.state !== null", 10);
    browser.click("#begin button");
    let is_asked = |turns: usize| {
        format!("playState.state.turns.length === {turns} && document.querySelector('#table').dataset.ready")
    };
    browser.wait_for(&is_asked(0), 90);
    let offered = browser.evaluate("[...document.querySelectorAll('#texts button')].map((one) => one.textContent)");
    assert_eq!(offered, json!(["drop a", "drop b", "drop c", "drop d", "swap"]));
    let can = "[...document.querySelectorAll('.square.can.end')].length";
    assert_eq!(browser.evaluate(can), json!(8), "every square names its column");
    browser.click("[data-square=c2]");
    browser.wait_for(&is_asked(2), 90);
    browser.click("#texts [data-move=swap]");
    browser.wait_for(&is_asked(4), 90);
    browser.click("#texts [data-move=\"drop a\"]");
    browser.wait_for("playState.state.turns.length >= 6", 90);
    let own = browser.evaluate("playState.state.turns.map(({ move }) => move).filter((_, at) => at % 2 === 0)");
    assert_eq!(own, json!(["drop c", "swap", "drop a"]));
}
