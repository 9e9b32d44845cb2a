//! The process of the browser and its protocol: JSON messages, each ended by a NUL, over two pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::skips::{CHROMIUM, skip};

/// A running browser with one page.
pub(super) struct Process {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    session: String,
    number: u64,
    /// How many pages have been loaded.
    loaded: u64,
    /// What the page has asked the network for, and what it has said on the console.
    pub(super) noticed: Vec<String>,
    _profile: TempDir,
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

impl Process {
    /// A browser, where there is one.
    pub(super) fn start() -> Option<Self> {
        if !is_installed("chromium") {
            skip(&CHROMIUM, "no `chromium` in PATH");
            return None;
        }
        let profile = TempDir::new().unwrap();
        // The browser listens on descriptor 3 and speaks on 4; the shell puts our two pipes there.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec chromium "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, "sh"])
            .args(ARGUMENTS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut process = Self {
            orders: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
            session: String::new(),
            number: 0,
            loaded: 0,
            noticed: Vec::new(),
            _profile: profile,
        };
        process.attach();
        Some(process)
    }

    /// Makes a page and listens to it.
    fn attach(&mut self) {
        let page = self.order("Target.createTarget", &json!({ "url": "about:blank" }));
        let target = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = self.order("Target.attachToTarget", &target);
        attached["sessionId"].as_str().unwrap().clone_into(&mut self.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.order(&format!("{domain}.enable"), &json!({}));
        }
        // Keys go to the page that has the focus, which a page of a browser without windows only has when told so.
        self.order("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
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

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
