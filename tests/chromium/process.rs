//! The process of the browser and its protocol: JSON messages, each ended by a NUL, over two pipes.
//!
//! To start one takes longer than most tests, so the tests of a program have few, one after the other. Each has a
//! context of its own, as a private window: it shares no storage with those before.

use std::io::{BufRead, BufReader, Write};
use std::ops::{Deref, DerefMut};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use parking_lot::Mutex;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::skips::{CHROMIUM, skip};

/// Browsers that no test has at the moment.
static IDLE: Mutex<Vec<Process>> = Mutex::new(Vec::new());

/// The browser of a test, which the next one has after it.
pub(super) struct Lent(Option<Process>);

/// A running browser with one page. It ends when nobody holds the other end of its pipes.
pub(super) struct Process {
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// The storage of the page.
    context: Value,
    /// The connection to the page; empty while an order is for the browser.
    session: String,
    number: u64,
    /// How many pages have been loaded.
    loaded: u64,
    /// What the page has asked the network for, and what it has said on the console.
    pub(super) noticed: Vec<String>,
    _shell: Child,
}

const ARGUMENTS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1200,1000",
    "--remote-debugging-pipe",
];

impl Lent {
    /// A browser with an empty page, where there is one.
    pub(super) fn new() -> Option<Self> {
        let idle = IDLE.lock().pop();
        let mut process = idle.or_else(Process::start)?;
        process.attach();
        Some(Self(Some(process)))
    }
}

impl Deref for Lent {
    type Target = Process;

    fn deref(&self) -> &Process {
        self.0.as_ref().expect("it is given back at the end")
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Process {
        self.0.as_mut().expect("it is given back at the end")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // After a failure nobody knows what it is doing.
        if let Some(mut process) = self.0.take().filter(|_| !std::thread::panicking()) {
            process.detach();
            IDLE.lock().push(process);
        }
    }
}

impl Process {
    fn start() -> Option<Self> {
        if !is_installed("chromium") {
            skip(&CHROMIUM, "no `chromium` in PATH");
            return None;
        }
        let profile = TempDir::new().unwrap().keep();
        // The browser listens on descriptor 3 and speaks on 4; the shell puts our two pipes there, and cleans up.
        let script = r#"chromium "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1; rm -rf "$PROFILE""#;
        let mut shell = Command::new("sh")
            .args(["-c", script, "sh"])
            .args(ARGUMENTS)
            .arg(format!("--user-data-dir={}", profile.display()))
            .env("PROFILE", &profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Some(Self {
            orders: shell.stdin.take().unwrap(),
            answers: BufReader::new(shell.stdout.take().unwrap()),
            context: Value::Null,
            session: String::new(),
            number: 0,
            loaded: 0,
            noticed: Vec::new(),
            _shell: shell,
        })
    }

    /// Makes a page and listens to it.
    fn attach(&mut self) {
        self.context = self.order("Target.createBrowserContext", &json!({}))["browserContextId"].clone();
        let empty = json!({ "url": "about:blank", "browserContextId": self.context });
        let page = self.order("Target.createTarget", &empty);
        let target = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = self.order("Target.attachToTarget", &target);
        attached["sessionId"].as_str().unwrap().clone_into(&mut self.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.order(&format!("{domain}.enable"), &json!({}));
        }
        // Keys go to the page that has the focus, which a page of a browser without windows only has when told so.
        self.order("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
    }

    /// Closes the page and forgets all of it.
    fn detach(&mut self) {
        self.session.clear();
        let context = json!({ "browserContextId": self.context });
        self.order("Target.disposeBrowserContext", &context);
        self.noticed.clear();
    }

    /// Goes to `url` and waits until it is loaded.
    pub(super) fn navigate(&mut self, url: &str) {
        let before = self.loaded;
        let answer = self.order("Page.navigate", &json!({ "url": url }));
        assert!(answer["errorText"].is_null(), "{url}: {answer}");
        while self.loaded == before {
            self.message();
        }
    }

    /// Gives an order and waits for its result.
    pub(super) fn order(&mut self, method: &str, params: &Value) -> Value {
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
            Some("Page.loadEventFired") => self.loaded += 1,
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str();
                self.noticed.push(url.unwrap_or_default().to_owned());
            }
            Some("Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded") => {
                self.noticed.push(params.to_string());
            }
            _ => {}
        }
        message
    }
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
