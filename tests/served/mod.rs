//! `referee serve` in the background, and somebody who plays; both end with their values.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses another part of it, so that it is dead code in the others"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::invocation::command;

/// Longer than anything takes on the slowest machine.
const TIMEOUT: Duration = Duration::from_mins(10);

/// A server.
pub(crate) struct Served {
    process: Child,
    address: String,
}

impl Served {
    pub(crate) fn start(run: &Path, more: &[&str]) -> Self {
        let mut process =
            command(&["serve"]).arg(run).args(more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("serving: http://").and_then(|rest| rest.split_once("/ "));
        let address = address.expect("the server says where it is").0.to_owned();
        Self { process, address }
    }

    /// The address and the port, as a browser would name them.
    pub(crate) fn host(&self) -> String {
        self.address.clone()
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends a text and waits for everything that comes.
    pub(crate) fn ask(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        // The server may have answered and closed before it has read all of it.
        drop(stream.write_all(request.as_bytes()));
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        Answer::of(&String::from_utf8_lossy(&answer))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        let host = &self.address;
        self.ask(&format!("GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n"))
    }

    /// The stream of events. In the old version of the protocol it comes as it is.
    pub(crate) fn events(&self) -> Events {
        let mut stream = self.connect();
        let host = &self.address;
        write!(stream, "GET /events HTTP/1.0\r\nHost: {host}\r\n\r\n").unwrap();
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") && lines.read_line(&mut head).unwrap() > 0 {}
        let status = Answer::of(&head).status;
        Events { status, lines }
    }

    /// What is shown, once the run is in this state.
    pub(crate) fn settled(&self, state: &str) -> Value {
        let mut events = self.events();
        while events.next().unwrap().1["state"] != state {}
        self.get("/view").json()
    }

    /// Ends it as a user or the system does.
    pub(crate) fn end(&mut self) -> ExitStatus {
        end(&mut self.process)
    }

    /// What it has said on standard error; it is ended.
    pub(crate) fn warning(mut self) -> String {
        self.end();
        let mut text = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn end(process: &mut Child) -> ExitStatus {
    signal(process, Signal::SIGTERM);
    process.wait().unwrap()
}

fn signal(process: &Child, signal: Signal) {
    let id = i32::try_from(process.id()).unwrap();
    kill(Pid::from_raw(id), signal).unwrap();
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn of(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Self { status: status.unwrap_or_default(), head: head.to_lowercase(), body: body.to_owned() }
    }

    /// The value of a header, in lower case but for what no header here has in upper case.
    pub(crate) fn header(&self, name: &str) -> String {
        let mut lines = self.head.lines();
        let value = lines.find_map(|line| line.strip_prefix(&format!("{name}: ")));
        let value = value.unwrap_or_default();
        if value == "deny" { "DENY".to_owned() } else { value.to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.head);
        serde_json::from_str(&self.body).unwrap()
    }
}

/// A stream of events.
pub(crate) struct Events {
    pub(crate) status: u16,
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next event, its name and its data; `None` when the stream has ended.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        let (mut name, mut data) = (String::new(), None);
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < TIMEOUT, "nothing happens");
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).unwrap_or_default();
            if read == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(value) = line.strip_prefix("event: ") {
                value.clone_into(&mut name);
            } else if let Some(value) = line.strip_prefix("data: ") {
                data = Some(serde_json::from_str(value).unwrap());
            } else if line.is_empty() && data.is_some() {
                return data.map(|data| (name, data));
            }
        }
    }
}

/// Somebody who plays a run between two agents of the same kind, and who waits before the games until somebody looks
/// on.
pub(crate) struct Player {
    process: Child,
}

impl Player {
    /// Prepares a run in the folder `run`, which has its manifest when this returns, and then stands still: a game that
    /// is over before it can be watched would prove nothing.
    pub(crate) fn start(run: &Path, agent: &str, more: &[&str]) -> Self {
        let process = command(&["play", &format!("first={agent}"), &format!("second={agent}"), "--out"])
            .arg(run)
            .args(more)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while !run.join("manifest.json").exists() {
            assert!(began.elapsed() < TIMEOUT, "the run does not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&process, Signal::SIGSTOP);
        Self { process }
    }

    /// Plays, now that it is watched.
    pub(crate) fn play(&self) {
        signal(&self.process, Signal::SIGCONT);
    }

    /// Ends it as a user or the system does.
    pub(crate) fn stop(mut self) {
        end(&mut self.process);
    }

    /// Waits for the end of the run.
    pub(crate) fn wait(mut self) {
        assert!(self.process.wait().unwrap().success());
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
