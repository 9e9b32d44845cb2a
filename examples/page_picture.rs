//! Takes a picture of a page as headless Chromium shows it, for the gallery (docs/gallery/make.sh).
//!
//! ```text
//! page_picture OUT.png WIDTHxHEIGHT light|dark ADDRESS [SELECTOR]
//! ```
//! The page is scrolled to the first element that SELECTOR finds. It is done by the `DevTools` protocol, since
//! Chromium's own `--screenshot` draws pages that are scrolled in the wrong place, and knows no window as narrow as a
//! phone.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Pages fade and fetch; after so many milliseconds they have come to rest.
const REST: u32 = 500;

struct Request {
    out: String,
    width: u32,
    height: u32,
    scheme: String,
    address: String,
    selector: Option<String>,
}

fn main() -> ExitCode {
    let Some(request) = Request::read(std::env::args().skip(1)) else {
        eprintln!("usage: page_picture OUT.png WIDTHxHEIGHT light|dark ADDRESS [SELECTOR]");
        return ExitCode::from(2);
    };
    let taken = Browser::start().and_then(|mut browser| browser.picture(&request));
    match taken.and_then(|picture| std::fs::write(&request.out, picture)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("no picture of `{}`: {error}", request.address);
            ExitCode::from(4)
        }
    }
}

impl Request {
    fn read(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let (out, size, scheme, address) = (words.next()?, words.next()?, words.next()?, words.next()?);
        let (width, height) = size.split_once('x')?;
        Some(Self {
            out,
            width: width.parse().ok()?,
            height: height.parse().ok()?,
            scheme: Some(scheme).filter(|scheme| ["light", "dark"].contains(&scheme.as_str()))?,
            address,
            selector: words.next(),
        })
    }
}

/// A browser that listens on a pipe. It ends with this value.
struct Browser {
    process: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    number: u64,
    _profile: TempDir,
}

impl Browser {
    fn start() -> io::Result<Self> {
        let profile = TempDir::new()?;
        // The browser listens on descriptor 3 and speaks on 4; the shell puts our two pipes there.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec chromium "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, "sh"])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"])
            .args(["--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let orders = process.stdin.take().expect("it was asked for");
        let answers = BufReader::new(process.stdout.take().expect("it was asked for"));
        Ok(Self { process, orders, answers, number: 0, _profile: profile })
    }

    fn picture(&mut self, request: &Request) -> io::Result<Vec<u8>> {
        let target = self.ask("", "Target.createTarget", &json!({ "url": "about:blank" }))?;
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.ask("", "Target.attachToTarget", &target)?;
        let session = session["sessionId"].as_str().unwrap_or_default().to_owned();
        let metrics = json!({
            "width": request.width,
            "height": request.height,
            "deviceScaleFactor": 1,
            "mobile": request.width < 600,
        });
        self.ask(&session, "Emulation.setDeviceMetricsOverride", &metrics)?;
        let media = json!({ "features": [
            { "name": "prefers-color-scheme", "value": request.scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ] });
        self.ask(&session, "Emulation.setEmulatedMedia", &media)?;
        self.ask(&session, "Page.navigate", &json!({ "url": request.address }))?;
        let loaded =
            "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))";
        self.evaluate(&session, loaded)?;
        self.evaluate(&session, &format!("new Promise(done => setTimeout(done, {REST}))"))?;
        if let Some(selector) = &request.selector {
            let selector = Value::from(selector.as_str());
            let found = self.evaluate(
                &session,
                &format!("(() => {{ const found = document.querySelector({selector}); found?.scrollIntoView(); return !!found; }})()"),
            )?;
            if found != true {
                return Err(io::Error::other(format!("nothing on the page is {selector}")));
            }
        }
        let shot = self.ask(&session, "Page.captureScreenshot", &json!({ "format": "png" }))?;
        Ok(decoded(shot["data"].as_str().unwrap_or_default()))
    }

    fn evaluate(&mut self, session: &str, expression: &str) -> io::Result<Value> {
        let order = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.ask(session, "Runtime.evaluate", &order)?;
        Ok(answer["result"]["value"].clone())
    }

    /// Gives an order and waits for what came of it.
    fn ask(&mut self, session: &str, method: &str, parameters: &Value) -> io::Result<Value> {
        self.number += 1;
        let mut order = json!({ "id": self.number, "method": method, "params": parameters });
        if !session.is_empty() {
            order["sessionId"] = session.into();
        }
        self.orders.write_all(format!("{order}\0").as_bytes())?;
        loop {
            let mut message = Vec::new();
            self.answers.read_until(0, &mut message)?;
            if message.pop().is_none() {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "the browser has ended"));
            }
            let message: Value = serde_json::from_slice(&message)?;
            if message["id"] == self.number {
                return match message.get("error") {
                    Some(error) => Err(io::Error::other(format!("{method}: {error}"))),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The bytes of a text in base 64 (RFC 4648); what is no digit of it is left out.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for six in text.bytes().filter_map(digit) {
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).expect("eight bits are a byte"));
        }
    }
    bytes
}
