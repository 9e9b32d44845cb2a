//! A person plays on a page, by clicks and keys in a real browser; and refusals for others.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use referee_games::{GAMES, KnownGames};
use referee_matches::referee::{snapshots, verify};
use referee_pages::report::cells;
use referee_records::{GameRecord, Verdict, read_game};
use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::invocation::command;
use crate::report_pages::types::Types;

/// A server at whose page games are played; it ends with this value.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(agent: &str, game: &str, out: &Path) -> Self {
        Self::start_with_time("none", agent, game, out)
    }

    fn start_with_time(time: &str, agent: &str, game: &str, out: &Path) -> Self {
        let mut child = command(&["serve", "--play", agent, "--game", game, "--time", time, "--out"])
            .arg(out)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split(' ').nth(1).unwrap().to_owned();
        Self { child, url }
    }

    /// The address and port of the server, and the folder of the page, as `/SECRET/`.
    fn parts(&self) -> (&str, &str) {
        let address = self.url.trim_start_matches("http://");
        address.split_at(address.find('/').unwrap())
    }

    fn host(&self) -> &str {
        self.parts().0
    }

    /// The status of the answer to a request for a name in the page's folder, and its body.
    fn answer(&self, method: &str, name: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        self.answer_at(method, &format!("{}{name}", self.parts().1), headers, body)
    }

    fn answer_at(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        let headers: String = headers.iter().flat_map(|(name, value)| [*name, ": ", *value, "\r\n"]).collect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            self.host(),
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, body.to_owned())
    }

    fn state(&self) -> Value {
        self.state_at("state")
    }

    fn state_at(&self, path: &str) -> Value {
        let (_, body) = self.answer("GET", path, &[], "");
        let json = body.find('{').and_then(|start| Some(&body[start..=body.rfind('}')?]));
        serde_json::from_str(json.unwrap()).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

const READY: &str = "document.querySelector('#table').dataset.ready || playState.state?.phase.is === 'over'";

/// Whether row 8, where black begins, is drawn below row 1, and black's clock below white's.
const IS_TURNED: &str = "(() => {
    const top = (selector) => document.querySelector(selector).getBoundingClientRect().top;
    const [squares, clocks] = [
        top('[data-square=b8]') > top('[data-square=a1]'),
        top('.clock[data-side=black]') > top('.clock[data-side=white]'),
    ];
    if (squares !== clocks) throw new Error('the clocks are not where the pieces are');
    return squares;
})()";

fn record(out: &Path, id: &str) -> GameRecord {
    read_game(&out.join(format!("games/{id}.json")), &KnownGames::builtin()).unwrap()
}

fn pieces(browser: &mut Browser) -> Vec<String> {
    let pieces = browser.evaluate("[...document.querySelectorAll('.square')].map((square) => square.dataset.piece)");
    serde_json::from_value(pieces).unwrap()
}

/// Nobody has to scroll for a button beside the board, even when all of them are there.
fn assert_buttons_in_sight(browser: &mut Browser, game: &str) {
    for (width, height) in [(900, 700), (390, 844)] {
        browser.set_size(width, height);
        let below = browser.evaluate(
            "(() => {
                scrollTo(0, 0);
                const buttons = [...document.querySelectorAll('.hand :is(button, label)')];
                for (const button of buttons) button.hidden = false;
                const texts = document.querySelector('#texts');
                if (!texts.firstChild) texts.append(document.createElement('button'));
                texts.firstChild.textContent = 'PASS';
                const box = (button) => button.getBoundingClientRect();
                const isOut = (button) => box(button).bottom > innerHeight || box(button).right > innerWidth;
                return buttons.filter(isOut).map((button) => [button.id, box(button).bottom, box(button).right]);
            })()",
        );
        assert_eq!(below, json!([]), "{game} at {width}x{height}");
    }
    browser.set_size(1200, 1000);
}

/// Makes one move by clicks, of those that are offered the one whose number is next in turn.
fn click_a_move(browser: &mut Browser, number: &mut usize) {
    let question = browser.evaluate("playState.state.phase.question");
    let mut types = Types::read();
    types.assert_is("GameState", &browser.evaluate("playState.state"));
    types.assert_is("Picking", &browser.evaluate("playState.picking"));
    types.assert_is("Setting", &browser.evaluate("JSON.parse(document.getElementById('setting').textContent)"));
    loop {
        let targets = browser.evaluate("playState.picking.targets.map((target) => [target.way.at(-1), target.ends])");
        let targets: Vec<(String, bool)> = serde_json::from_value(targets).unwrap();
        *number = (*number * 5 + 1) % 1009;
        let (square, ends) = &targets[*number % targets.len()];
        let held = browser.evaluate("playState.picked.length");
        browser.click(&format!("[data-square=\"{square}\"]"));
        if *ends {
            break;
        }
        browser.wait_for(&format!("playState.picked.length !== {held}"), 10);
    }
    browser.wait_for(&format!("playState.state.phase.question !== {question}"), 20);
}

#[test]
#[ignore = "long: a browser"]
fn a_game_is_played_by_clicks_and_recorded_as_it_was_shown() {
    let Some(mut browser) = Browser::start() else { return };
    for game in GAMES.iter().map(|variants| variants[0].name()) {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run");
        let server = Server::start("builtin:random", game, &out);
        browser.goto(&server.url);
        browser.wait_for("playState.state !== null", 10);
        browser.click("#begin button");
        browser.wait_for(READY, 20);
        assert_buttons_in_sight(&mut browser, game);
        let mut number = 3;
        let mut shown = Vec::new();
        for _ in 0..5 {
            browser.wait_for(READY, 20);
            shown.push((browser.evaluate("playState.state.turns.length"), pieces(&mut browser)));
            click_a_move(&mut browser, &mut number);
        }
        browser.wait_for(READY, 20);
        browser.click("#resign");
        browser.click("#resign");
        browser.wait_for("playState.state.phase.is === 'over'", 10);
        let record = record(&out, "g0001");
        assert_eq!(verify(&record), Ok(()), "{game}");
        let snapshots = snapshots(&record).unwrap();
        for (turn, pieces) in shown {
            let turn: usize = serde_json::from_value(turn).unwrap();
            assert_eq!(pieces, cells(record.game, &snapshots[turn].rows()), "{game} after {turn} turns");
        }
        assert!(browser.text("#ending").starts_with("You lose."), "{}", browser.text("#ending"));
        let requests: Vec<String> = browser.noticed().to_vec();
        assert!(requests.iter().all(|noticed| noticed.starts_with(&server.url)), "{requests:#?}");
    }
}

/// Rules programs: moves of one square and of two, and texts that try to become markup.
#[test]
#[ignore = "long: a browser"]
fn a_custom_game_is_played_by_clicks() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let made = command(&["new-game", "three"]).current_dir(folder.path()).status().unwrap();
    assert!(made.success());
    let three = folder.path().join("three/rules/three.py");
    let evil = "\"\\x1b[2J<img src=x onerror=owned()>\"";
    let text = std::fs::read_to_string(&three).unwrap();
    let changed = text
        .replace("\"Three\"", evil)
        .replace("\"it has three in a row\"", evil)
        .replace("    columns,", "    side_names = (\"<img src=x>\", \"<img src=y>\")\n    columns,");
    assert_eq!(changed.matches("<img").count(), 4);
    std::fs::write(&three, changed).unwrap();
    let heirs = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/rules/heirs.py");
    for (number, (rules, moves)) in [(three, 2), (heirs, 4)].into_iter().enumerate() {
        let out = folder.path().join(format!("run-{number}"));
        let server = Server::start("builtin:random", rules.to_str().unwrap(), &out);
        browser.goto(&server.url);
        browser.wait_for("playState.state !== null", 10);
        browser.click("#begin button");
        let mut number = 3;
        for _ in 0..moves {
            browser.wait_for(READY, 20);
            click_a_move(&mut browser, &mut number);
        }
        browser.wait_for(READY, 20);
        // The person's clock is below the board, also where the board has no near side, and moves with it.
        let own_is_below = "(() => {
            const top = (side) => document.querySelector(`.clock[data-side=${side}]`).getBoundingClientRect().top;
            const { own } = playState.state;
            return top(own) > top(own === 'black' ? 'white' : 'black');
        })()";
        assert_eq!(browser.evaluate(own_is_below), json!(true));
        browser.click("#turn");
        assert_eq!(browser.evaluate(own_is_below), json!(false));
        browser.click("#turn");
        if let Some(path) = std::env::var_os("REFEREE_SCREENSHOTS") {
            browser.screenshot(&Path::new(&path).join(format!("custom-{moves}.png")));
        }
        browser.click("#resign");
        browser.click("#resign");
        browser.wait_for("playState.state.phase.is === 'over'", 10);
        assert_harmless(&mut browser);
        drop(server);
        let verified = command(&["verify"]).arg(&out).output().unwrap();
        let verified = String::from_utf8(verified.stdout).unwrap();
        assert!(verified.contains(", 0 different"), "{verified}");
        let page = folder.path().join("report.html");
        assert!(command(&["report", "--out"]).arg(&page).arg(&out).status().unwrap().success());
        browser.open(&page, "#game=g0001&ply=1");
        browser.wait_for("document.querySelector('.replay')?.dataset.at === 'g0001:1'", 20);
        assert_harmless(&mut browser);
        assert!(browser.text(".moves li:last-child").ends_with("resigns"));
    }
}

/// Nothing that a rules program says has become an element or a control character.
fn assert_harmless(browser: &mut Browser) {
    assert_eq!(browser.evaluate("document.querySelectorAll('img').length"), json!(0));
    let text = browser.evaluate("document.documentElement.textContent");
    assert!(!text.as_str().unwrap().contains('\u{1b}'));
}

#[test]
#[ignore = "long: a browser"]
fn a_pass_is_a_button_beside_the_board() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let server = Server::start("builtin:random", "little-go", &out);
    browser.goto(&server.url);
    browser.wait_for("playState.state !== null", 10);
    browser.click("#begin button");
    browser.wait_for(READY, 20);
    assert_eq!(browser.text("#texts"), "PASS");
    let counts =
        browser.evaluate("[document.querySelectorAll('.hints .end').length, playState.picking.targets.length]");
    assert_eq!(counts, json!([25, 26]), "the pass is no point of the board");
    browser.click("[data-square=\"2,2\"]");
    browser.wait_for("playState.state.turns.length === 2 && document.querySelector('#table').dataset.ready", 20);
    browser.click("#texts button");
    browser.wait_for("playState.state.turns.length === 4 && document.querySelector('#table').dataset.ready", 20);
    browser.set_size(900, 700);
    if let Some(path) = std::env::var_os("REFEREE_SCREENSHOTS") {
        browser.screenshot(&Path::new(&path).join("little-go.png"));
    }
    browser.click("#resign");
    browser.click("#resign");
    browser.wait_for("playState.state.phase.is === 'over'", 10);
    assert_eq!(browser.text(".moves li:last-child"), "resigns");
    let record = record(&out, "g0001");
    let own: Vec<_> = record.turns.iter().step_by(2).map(|turn| turn.mv()).collect();
    assert_eq!(own, [Some("2,2"), Some("PASS"), None]);
    assert_eq!(verify(&record), Ok(()));
}

#[test]
#[ignore = "long: a browser"]
fn keys_do_what_clicks_do_and_a_new_game_may_have_the_other_side() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let server = Server::start("builtin:random", "checkers", &out);
    browser.goto(&server.url);
    browser.wait_for("playState.state !== null", 10);
    browser.click("#begin button");
    browser.wait_for(READY, 20);
    // The middle of the board is where the keys begin: a4. Black's pieces are at the bottom, so that b6 is one to the
    // left and two down.
    assert_eq!(browser.evaluate(IS_TURNED), json!(true));
    browser.evaluate("document.querySelector('.square[tabindex=\"0\"]').focus()");
    for key in ["ArrowLeft", "ArrowDown", "ArrowDown", "Enter"] {
        browser.key(key);
    }
    browser.wait_for("document.querySelector('#table').dataset.held === 'b6'", 10);
    assert_eq!(browser.text("#said"), "b6: end on c5, a5");
    browser.key("Escape");
    browser.wait_for("document.querySelector('#table').dataset.held === ''", 10);
    browser.key("Enter");
    browser.wait_for("document.querySelector('#table').dataset.held === 'b6'", 10);
    for key in ["ArrowRight", "ArrowUp", "Enter"] {
        browser.key(key);
    }
    browser.wait_for("playState.state.turns.length === 2 && document.querySelector('#table').dataset.ready", 20);
    let label = browser.evaluate("document.querySelector('[data-square=a5]').getAttribute('aria-label')");
    assert_eq!(label.as_str().unwrap().split(',').next(), Some("a5"));
    browser.click("#resign");
    browser.click("#resign");
    browser.wait_for("playState.state.phase.is === 'over'", 10);
    browser.click("#begin input[value=white]");
    browser.click("#begin button");
    browser.wait_for("playState.state.own === 'white' && document.querySelector('#table').dataset.ready", 20);
    assert_eq!(browser.evaluate("playState.state.turns.length"), json!(1), "the agent has begun");
    assert_eq!(browser.evaluate(IS_TURNED), json!(false), "white's pieces are at the bottom");
    browser.click("#turn");
    assert_eq!(browser.evaluate(IS_TURNED), json!(true));
    browser.click("#turn");
    browser.click("#resign");
    browser.click("#resign");
    browser.wait_for("playState.state.phase.is === 'over'", 10);
    assert_eq!(record(&out, "g0001").turns[0].mv(), Some("E b6 a5"));
    assert_eq!(record(&out, "g0002").players.white.name, "human");
}

#[test]
#[ignore = "long: a browser"]
fn a_hostile_name_is_a_text() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("<img src=x onerror=alert(1)>\u{202e}");
    let server = Server::start("a'b (c)@=builtin:random", "duo-othello", &out);
    browser.goto(&server.url);
    browser.wait_for("playState.state !== null", 10);
    browser.click("#begin button");
    browser.wait_for(READY, 20);
    browser.click("#resign");
    browser.click("#resign");
    browser.wait_for("playState.state.phase.is === 'over'", 10);
    assert!(browser.text("#ending").contains("<img src=x onerror=alert(1)>\\u{202e}"));
    assert_eq!(browser.evaluate("document.querySelectorAll('img').length"), json!(0));
    assert!(browser.text(".clock[data-side=black] .who").starts_with("a'b (c)@ ("));
}

/// Refusals that need no browser to be seen.
#[test]
fn nobody_else_plays() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let server = Server::start("builtin:random", "checkers", &out);
    let origin = format!("http://{}", server.host());
    let own = [("Origin", origin.as_str())];
    let begin = json!({ "side": "black" }).to_string();
    let foreign = [("Origin", "http://evil.example")];
    assert_eq!(server.answer("POST", "game", &foreign, &begin).0, 403, "from another page");
    assert_eq!(server.answer("POST", "game", &[], &begin).0, 403, "from nowhere");
    assert_eq!(server.answer("GET", "game", &own, "").0, 405);
    assert_eq!(server.answer("POST", "game", &own, "{").0, 400);
    assert_eq!(server.state()["phase"]["is"], "ready");
    assert_eq!(server.answer("POST", "game", &own, &begin).0, 204);
    let question = loop {
        let state = server.state();
        if let Some(question) = state["phase"]["question"].as_u64() {
            break question;
        }
    };
    let make = |question: u64, picked: &[&str]| json!({ "question": question, "picked": picked }).to_string();
    assert_eq!(server.answer("POST", "move", &own, &make(question, &["b6", "c4"])).0, 422);
    assert_eq!(server.answer("POST", "move", &own, &make(question, &["b6"])).0, 422);
    assert_eq!(server.answer("POST", "move", &own, &make(question + 1, &["b6", "a5"])).0, 409);
    assert_eq!(server.answer("GET", &format!("picking?question={question}&picked=b6~c4"), &[], "").0, 422);
    assert_eq!(server.answer("GET", &format!("picking?question={question}&picked=b6"), &[], "").0, 200);
    assert_eq!(server.state()["turns"], json!([]), "nothing of that was a move");
    assert_eq!(server.answer("POST", "move", &own, &make(question, &["b6", "a5"])).0, 204);
    assert_eq!(server.answer("POST", "move", &own, &make(question, &["b6", "a5"])).0, 409, "one answer each");
    // What was answered may still be shown for a moment.
    let next = loop {
        let asked = server.state()["phase"]["question"].as_u64();
        if let Some(next) = asked.filter(|&asked| asked != question) {
            break next;
        }
    };
    let resign = json!({ "question": next }).to_string();
    assert_eq!(server.answer("POST", "resign", &own, &resign).0, 204);
    while server.state()["phase"]["is"] != "over" {}
    assert!(matches!(record(&out, "g0001").verdict, Verdict::Forfeit { .. }));
}

/// Another user of the machine reaches the server and does not know where the page is.
#[test]
fn without_the_printed_address_nothing_is_seen_or_done() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start("builtin:random", "checkers", &folder.path().join("run"));
    let secret = server.parts().1;
    assert!(secret.len() >= 2 + 32, "{secret}");
    let another = Server::start("builtin:random", "checkers", &folder.path().join("another"));
    assert_ne!(secret, another.parts().1, "it is drawn anew");
    let origin = format!("http://{}", server.host());
    let wrong = secret.replace(char::is_alphanumeric, "0");
    let folders = ["/", wrong.as_str(), another.parts().1, &secret[..secret.len() - 2], "//", "/%2e/"];
    let bodies = [("game", "{\"side\":\"black\"}"), ("resign", "{\"question\":1}")];
    for folder in folders {
        for name in ["", "state", "play.js", "picking?question=1"] {
            let (status, said) = server.answer_at("GET", &format!("{folder}{name}"), &[], "");
            assert_eq!(status, 404, "{folder}{name}");
            assert!(said.contains("open the whole address that `referee serve` has printed"), "{said}");
            assert!(!said.contains(secret.trim_matches('/')), "{said}");
        }
        for (name, body) in bodies {
            let path = format!("{folder}{name}");
            assert_eq!(server.answer_at("POST", &path, &[("Origin", &origin)], body).0, 404, "{path}");
        }
    }
    assert_eq!(server.state()["phase"]["is"], "ready");
}

/// Begins a game as black, as the page does.
fn begin_by_hand(server: &Server) {
    let origin = format!("http://{}", server.host());
    let begin = json!({ "side": "black" }).to_string();
    assert_eq!(server.answer("POST", "game", &[("Origin", &origin)], &begin).0, 204);
}

#[test]
#[ignore = "long: a browser"]
fn a_closed_page_loses_no_game_and_an_open_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    let server = Server::start_with_time("2", "builtin:random", "checkers", &closed);
    begin_by_hand(&server);
    // Whoever asks for the state has an open page, so that this asks for something else.
    let is_asked = || server.answer("GET", "picking?question=1&picked=", &[], "").0 == 200;
    while !is_asked() {}
    while is_asked() {}
    assert_eq!(server.state()["phase"]["is"], "left");
    assert!(!closed.join("games/g0001.json").exists(), "who leaves leaves no record");

    let open = folder.path().join("open");
    let server = Server::start_with_time("0.2", "builtin:random", "checkers", &open);
    begin_by_hand(&server);
    let mut state = server.state();
    while state["phase"]["is"] != "over" {
        state = server.state_at(&format!("state?after={}", state["version"]));
    }
    assert!(matches!(record(&open, "g0001").verdict, Verdict::Forfeit { .. }));
}

#[test]
fn a_finished_game_is_shown_move_by_move() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start("builtin:random", "little-go", &folder.path().join("run"));
    browser.goto(&server.url);
    browser.wait_for("playState.state !== null", 10);
    assert_eq!(
        browser.text("#clocks"),
        "You have no clock; the agent has 10 s for each move, and 300 s for the whole game, in CPU time."
    );
    browser.click("#begin button");
    browser.wait_for(READY, 20);
    assert_eq!(browser.text(".clock[data-side=white] .time"), "10.00 s left", "the limit for a move, not the game's");
    browser.click("[data-square=\"2,2\"]");
    browser.wait_for("playState.state.turns.length === 2 && document.querySelector('#table').dataset.ready", 20);
    browser.click("#resign");
    browser.click("#resign");
    browser.wait_for("document.querySelector('#ending a')", 10);
    let address = browser.evaluate("document.querySelector('#ending a').href");
    browser.goto(address.as_str().unwrap());
    browser.wait_for("document.querySelector('.replay')?.dataset.at === 'g0001:0'", 20);
    assert_eq!(browser.evaluate("document.querySelectorAll('.moves li').length"), json!(3));
    assert_eq!(browser.text(".clock[data-side=white] .time"), "10 s per move");
}
