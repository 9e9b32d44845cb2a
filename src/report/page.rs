//! The view model in an HTML file that needs nothing else.
//!
//! The model stands in the file as JSON in which no `<` is left, so nothing in it can end the element that holds it. The
//! page's own script and style are the only ones that its policy lets run: they are named by their digests.

use sha2::{Digest, Sha256};

use super::view::View;

const TEMPLATE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");

/// The page that shows `view`.
///
/// # Errors
///
/// Where the view cannot be written as JSON, which would be a bug.
pub fn page(view: &View) -> Result<String, serde_json::Error> {
    // JSON has `<` only within strings, where the escape means the same.
    let data = serde_json::to_string(view)?.replace('<', "\\u003c");
    Ok(filled(TEMPLATE, |name| match name {
        "policy" => policy(),
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.to_owned(),
        "data" => data.clone(),
        _ => unreachable!("the template has no such part: {name}"),
    }))
}

/// `template` with each `{{name}}` replaced by its value, in which nothing is looked for any more.
fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("the template closes what it opens");
        text += &value(name);
        text += rest;
    }
    text
}

/// Nothing is fetched from anywhere, and nothing runs but the page's own script.
fn policy() -> String {
    format!(
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'",
        base64(&Sha256::digest(STYLE)),
        base64(&Sha256::digest(SCRIPT)),
    )
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            let padding = digit > chunk.len();
            text.push(if padding {
                '='
            } else {
                char::from(DIGITS[value as usize])
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let value = |name: &str| if name == "a" { "{{b}}" } else { "never" }.to_owned();
        assert_eq!(filled("<{{a}}>", value), "<{{b}}>");
    }

    #[test]
    fn the_assets_can_stand_in_a_page() {
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
        assert!(!SCRIPT.contains("innerHTML"), "text is set as text");
    }
}
