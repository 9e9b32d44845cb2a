//! Keys and mouse buttons, as the `DevTools` protocol wants them.

use serde_json::{Value, json};

/// Pressing and letting go of `key`. Browsers scroll, move sliders and press buttons by the number of a key.
pub(super) fn key(key: &str) -> [Value; 2] {
    let (number, text) = match key {
        "Tab" => (9, ""),
        "Enter" => (13, "\r"),
        "Escape" => (27, ""),
        " " => (32, " "),
        "PageUp" => (33, ""),
        "PageDown" => (34, ""),
        "End" => (35, ""),
        "Home" => (36, ""),
        "ArrowLeft" => (37, ""),
        "ArrowUp" => (38, ""),
        "ArrowRight" => (39, ""),
        "ArrowDown" => (40, ""),
        letter => (letter.bytes().next().unwrap_or_default().to_ascii_uppercase(), letter),
    };
    let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
    let event = |what: &str| json!({ "type": what, "key": key, "code": key, "windowsVirtualKeyCode": number });
    let mut pressed = event(down);
    if !text.is_empty() {
        pressed["text"] = json!(text);
    }
    [pressed, event("keyUp")]
}

/// A click with the left button.
pub(super) fn click(x: &Value, y: &Value) -> [Value; 3] {
    let event = |what: &str, button: &str, buttons: u8| {
        let count = 1;
        json!({ "type": what, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": count })
    };
    [event("mouseMoved", "none", 0), event("mousePressed", "left", 1), event("mouseReleased", "left", 0)]
}
