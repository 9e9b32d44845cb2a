//! A real browser for tests of pages: headless Chromium, controlled through a pipe with the `DevTools` protocol.
//!
//! It opens pages, acts like a reader (keys, clicks) and inspects the result; it knows no page of this program. Every
//! network request and console message of a page must be recorded.
//!
//! Without Chromium the tests are skipped.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses another part of it, so that it is dead code in the others"
)]

mod input;
mod process;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use process::Lent;
use serde_json::{Value, json};

/// A browser with one open page, which is closed with this value.
pub(crate) struct Browser {
    process: Lent,
}

/// What a page is shown on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Medium {
    /// A screen in light or dark.
    Screen { dark: bool },
    /// Paper.
    Print,
}

impl Browser {
    /// A browser with an empty page, where Chromium is installed.
    pub(crate) fn start() -> Option<Self> {
        Some(Self { process: Lent::new()? })
    }

    /// Opens `url` anew and waits until it is loaded. What was noticed before is forgotten.
    pub(crate) fn goto(&mut self, url: &str) {
        // From another page, so that the browser does not only jump within the one that is open.
        self.process.navigate("about:blank");
        self.process.noticed.clear();
        self.process.navigate(url);
    }

    /// Opens the file `page` at `fragment`, which is empty or begins with `#`.
    pub(crate) fn open(&mut self, page: &Path, fragment: &str) {
        self.goto(&format!("file://{}{fragment}", page.display()));
    }

    /// Presses and lets go of a key, called as JavaScript calls it: `ArrowLeft`, `Enter`, ` `.
    pub(crate) fn key(&mut self, key: &str) {
        for event in input::key(key) {
            self.process.order("Input.dispatchKeyEvent", &event);
        }
    }

    /// Clicks in the middle of the one element that `selector` finds first, with the mouse.
    pub(crate) fn click(&mut self, selector: &str) {
        let quoted = json!(selector);
        let middle = self.evaluate(&format!(
            "(() => {{
                const found = document.querySelector({quoted});
                if (!found) return null;
                found.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
                const box = found.getBoundingClientRect();
                return [box.left + box.width / 2, box.top + box.height / 2];
            }})()"
        ));
        assert!(!middle.is_null(), "there is nothing to click at `{selector}`");
        for event in input::click(&middle[0], &middle[1]) {
            self.process.order("Input.dispatchMouseEvent", &event);
        }
    }

    /// The text of the element that `selector` finds first.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({})?.textContent", json!(selector)));
        let text = text.as_str();
        text.unwrap_or_else(|| panic!("there is nothing at `{selector}`")).to_owned()
    }

    /// What a JavaScript expression comes to on the page; a promise is waited for.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let result = self.process.order(
            "Runtime.evaluate",
            &json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Waits until `condition`, an expression, holds on the page, for at most so many seconds.
    pub(crate) fn wait_for(&mut self, condition: &str, seconds: u64) {
        let end = Instant::now() + Duration::from_secs(seconds);
        while self.evaluate(&format!("Boolean({condition})")) != json!(true) {
            assert!(Instant::now() < end, "`{condition}` does not hold after {seconds} s");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the page has asked the network for since it was opened, the page itself first, and what it has said on the
    /// console.
    pub(crate) fn noticed(&mut self) -> &[String] {
        // Events come before the answer to an order that is given after them.
        self.evaluate("0");
        &self.process.noticed
    }

    /// Forgets what was noticed.
    pub(crate) fn forget_noticed(&mut self) {
        self.noticed();
        self.process.noticed.clear();
    }

    /// Makes the window so many CSS pixels wide and high.
    pub(crate) fn set_size(&mut self, width: u32, height: u32) {
        self.process.order(
            "Emulation.setDeviceMetricsOverride",
            &json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
    }

    /// Shows the page as it is on `medium`.
    pub(crate) fn set_medium(&mut self, medium: Medium) {
        let (media, scheme) = match medium {
            Medium::Screen { dark: true } => ("screen", "dark"),
            Medium::Screen { dark: false } => ("screen", "light"),
            Medium::Print => ("print", "light"),
        };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.process.order("Emulation.setEmulatedMedia", &json!({ "media": media, "features": features }));
    }

    /// The page as a PDF.
    pub(crate) fn pdf(&mut self) -> Vec<u8> {
        let printed = self.process.order("Page.printToPDF", &json!({}));
        from_base64(printed["data"].as_str().unwrap())
    }

    /// Writes the whole page as PNG, down to `most` CSS pixels.
    pub(crate) fn photograph(&mut self, path: &Path, most: u32) {
        let size = self.evaluate("[innerWidth, document.documentElement.scrollHeight]");
        let height = size[1].as_u64().unwrap().min(u64::from(most));
        let clip = json!({ "x": 0, "y": 0, "width": size[0], "height": height, "scale": 1 });
        let wanted = json!({ "captureBeyondViewport": true, "clip": clip });
        let shot = self.process.order("Page.captureScreenshot", &wanted);
        fs::write(path, from_base64(shot["data"].as_str().unwrap())).unwrap();
    }

    /// Writes what the window shows as PNG.
    pub(crate) fn screenshot(&mut self, path: &Path) {
        let shot = self.process.order("Page.captureScreenshot", &json!({}));
        fs::write(path, from_base64(shot["data"].as_str().unwrap())).unwrap();
    }
}

/// RFC 4648, section 4.
fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().take_while(|&byte| byte != b'=');
    let digits: Vec<usize> = digits.map(|byte| DIGITS.iter().position(|&digit| digit == byte).unwrap()).collect();
    let group = |group: &[usize]| {
        let bits = (0..4).fold(0, |bits, at| bits << 6 | group.get(at).unwrap_or(&0));
        let bytes = [bits >> 16, bits >> 8, bits].map(|byte| u8::try_from(byte & 0xff).unwrap());
        bytes[..group.len() * 3 / 4].to_vec()
    };
    digits.chunks(4).flat_map(group).collect()
}
