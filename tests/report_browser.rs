//! Pages of reports in a real browser: headless Chromium, spoken to over a pipe by the `DevTools` protocol.
//!
//! Where there is no Chromium the tests are skipped and say so; with `CI=true` that is a failure.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod report_pages;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use referee::games::Side;
use referee::protocol::plain;
use referee::referee::{Scene, scenes};
use report_pages::{GAMES, Run, hostile, hostile_names, squares};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser with one open page. It ends with this value.
struct Browser {
    process: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    session: String,
    number: u64,
    /// What the page has asked the network for, and what it has said on the console.
    noticed: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// A browser, where there is one.
    fn start() -> Option<Self> {
        if !is_installed("chromium") {
            let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
            assert!(!in_ci, "there is no `chromium` in PATH");
            eprintln!("skipped: there is no `chromium` in PATH");
            return None;
        }
        let profile = TempDir::new().unwrap();
        // The browser listens on descriptor 3 and speaks on 4; the shell puts our two pipes there.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec chromium "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, "sh"])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args(["--window-size=1200,1000", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut browser = Self {
            orders: process.stdin.take().unwrap(),
            answers: BufReader::new(process.stdout.take().unwrap()),
            process,
            session: String::new(),
            number: 0,
            noticed: Vec::new(),
            _profile: profile,
        };
        let page = browser.order("Target.createTarget", &json!({ "url": "about:blank" }));
        let attached = browser.order(
            "Target.attachToTarget",
            &json!({ "targetId": page["targetId"], "flatten": true }),
        );
        attached["sessionId"].as_str().unwrap().clone_into(&mut browser.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.order(&format!("{domain}.enable"), &json!({}));
        }
        // Keys go to the page that has the focus, which a page of a browser without windows only has when told so.
        browser.order("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        Some(browser)
    }

    /// Gives an order and waits for its result.
    fn order(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let mut order = json!({ "id": self.number, "method": method, "params": params });
        if !self.session.is_empty() {
            order["sessionId"] = json!(self.session);
        }
        self.orders.write_all(format!("{order}\0").as_bytes()).unwrap();
        self.orders.flush().unwrap();
        loop {
            let message = self.message();
            if message["id"] == json!(self.number) {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn message(&mut self) -> Value {
        let mut text = Vec::new();
        self.answers.read_until(0, &mut text).unwrap();
        text.pop();
        let message: Value = serde_json::from_slice(&text).expect("the browser still speaks");
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Network.requestWillBeSent") => self.noticed.push(params["request"]["url"].to_string()),
            Some("Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded") => {
                self.noticed.push(params.to_string());
            }
            _ => {}
        }
        message
    }

    /// Opens `page` anew at `fragment`, with its script run.
    fn open(&mut self, page: &Path, fragment: &str) {
        // From another page, so that the browser does not only jump within the one that is open.
        self.order("Page.navigate", &json!({ "url": "about:blank" }));
        self.noticed.clear();
        let url = format!("file://{}{fragment}", page.display());
        self.order("Page.navigate", &json!({ "url": url }));
        loop {
            if self.message()["method"] == "Page.loadEventFired" && self.value("document.title != ''") == json!(true) {
                return;
            }
        }
    }

    /// What a JavaScript expression comes to on the page.
    fn value(&mut self, expression: &str) -> Value {
        let result = self.order(
            "Runtime.evaluate",
            &json!({ "expression": expression, "returnByValue": true }),
        );
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Presses and lets go of a key, called as JavaScript calls it.
    fn press(&mut self, key: &str) {
        for what in ["rawKeyDown", "keyUp"] {
            self.order("Input.dispatchKeyEvent", &json!({ "type": what, "key": key }));
        }
    }

    /// What the page shows of a game.
    fn shown(&mut self) -> Shown {
        let script = "(() => {
            const all = (selector) => [...document.querySelectorAll(selector)];
            return {
                pieces: all('.square').map((square) => square.dataset.piece),
                names: all('.square').map((square) => square.dataset.square),
                clocks: all('.clock .time').map((time) => Number(time.dataset.us)),
                clock_texts: all('.clock .time').map((time) => time.textContent),
                live: document.querySelector('.live').textContent,
                current: document.querySelector('.moves [aria-current]')?.dataset.ply ?? '0',
                hash: location.hash,
            };
        })()";
        serde_json::from_value(self.value(script)).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A position as the page shows it.
#[derive(Debug, serde::Deserialize)]
struct Shown {
    pieces: Vec<String>,
    names: Vec<String>,
    clocks: Vec<u64>,
    clock_texts: Vec<String>,
    live: String,
    current: String,
    hash: String,
}

fn assert_shows(shown: &Shown, scene: &Scene, ply: usize) {
    assert_eq!(shown.pieces, squares(&scene.rows), "the board after {ply} turns");
    let clocks = Side::BOTH.map(|side| scene.clocks.of(side).micros());
    assert_eq!(shown.clocks, clocks, "the clocks after {ply} turns");
    assert!(
        shown.clock_texts.iter().all(|text| text.ends_with(" s left")),
        "{:?}",
        shown.clock_texts
    );
    assert_eq!(shown.current, ply.to_string(), "the move that is marked");
    let live = if ply == 0 {
        "start of ".to_owned()
    } else {
        format!("turn {ply}: ")
    };
    assert!(shown.live.starts_with(&live), "{}", shown.live);
}

#[test]
fn every_game_is_shown_as_it_is_recorded_and_stepped_through_by_keys() {
    let Some(mut browser) = Browser::start() else { return };
    for game in GAMES {
        let run = Run::play(game);
        let page = run.page();
        for id in ["g0001", "g0002"] {
            let scenes = scenes(&run.record(id)).unwrap();
            let last = scenes.len() - 1;
            for ply in [0, 1, 7, last / 2, last] {
                browser.open(&page, &format!("#game={id}&ply={ply}"));
                let shown = browser.shown();
                assert_shows(&shown, &scenes[ply], ply);
                assert_eq!(shown.names.len(), shown.pieces.len());
            }
            assert_keys_step(&mut browser, &scenes);
        }
        assert_eq!(
            browser.noticed,
            [json!(format!("file://{}", page.display())).to_string()],
            "requests and console"
        );
    }
}

/// From the last position, where a deep link has put the focus into the replay.
fn assert_keys_step(browser: &mut Browser, scenes: &[Scene]) {
    let last = scenes.len() - 1;
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
        browser.press(key);
        let shown = browser.shown();
        assert_shows(&shown, &scenes[expected], expected);
        if expected != ply {
            assert!(shown.hash.ends_with(&format!("&ply={expected}")), "{}", shown.hash);
        }
        ply = expected;
    }
    browser.press(" ");
    let playing = "document.querySelector('[data-do=play]').getAttribute('aria-label')";
    assert_eq!(browser.value(playing), "Pause", "space plays");
    browser.press(" ");
    assert_eq!(browser.value(playing), "Play", "and stops");
}

#[test]
fn names_are_text_whatever_they_are() {
    let Some(mut browser) = Browser::start() else { return };
    let run = hostile();
    browser.open(&run.page(), "#game=g0001&ply=1");
    assert_eq!(browser.value("document.title"), "Games of checkers");
    assert_eq!(browser.value("document.querySelectorAll('script').length"), 2);
    assert_eq!(browser.value("document.querySelectorAll('img, b, iframe').length"), 0);
    let names =
        browser.value("[...document.querySelectorAll('#agents strong')].map((name) => name.textContent).sort()");
    let mut expected = hostile_names().map(|name| plain(&name));
    expected.sort();
    assert_eq!(names, json!(expected));
    let output = browser.value("document.querySelector('.ending pre').textContent");
    assert!(
        output
            .as_str()
            .unwrap()
            .contains(r"<script>alert(1)</script>\x1b[2J\xff"),
        "{output}"
    );
    let wide = browser.value("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    assert_eq!(wide, false, "a long name makes the page no wider");
}
