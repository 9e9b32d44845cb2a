//! Where in a JSON text something stands: `pieces[1].side`. `client` calls it, because errors of `serde_json` have a
//! column and no key.

/// The keys that lead to the value that ends before or at byte `offset` of a text that is one line, with `: `; empty if
/// the value is the whole.
pub(super) fn key_path(json: &str, offset: usize) -> String {
    let mut path: Vec<Step> = Vec::new();
    let mut text: Option<String> = None;
    let mut bytes = json.bytes().take(offset);
    let mut before = b' ';
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => text = Some(string(&mut bytes)),
            b':' => {
                if let Some(Step::Key(key)) = path.last_mut() {
                    *key = text.take().unwrap_or_default();
                }
            }
            b'{' => path.push(Step::Key(String::new())),
            b'[' => path.push(Step::Index(0)),
            b',' => {
                if let Some(Step::Index(index)) = path.last_mut() {
                    *index += 1;
                }
            }
            // The value that ends at the offset is the one at fault; an empty one is at fault itself.
            b'}' | b']' if bytes.len() > 0 || matches!(before, b'{' | b'[') => {
                path.pop();
            }
            _ => {}
        }
        before = byte;
    }
    let mut shown = String::new();
    for step in &path {
        match step {
            Step::Key(key) if key.is_empty() => {}
            Step::Key(key) if shown.is_empty() => shown.push_str(key),
            Step::Key(key) => shown.extend([".", key]),
            Step::Index(index) => shown.extend(["[", &index.to_string(), "]"]),
        }
    }
    if shown.is_empty() {
        shown
    } else {
        format!("`{shown}`: ")
    }
}

enum Step {
    Key(String),
    Index(usize),
}

/// What follows a quotation mark, to the next one.
fn string(bytes: &mut impl Iterator<Item = u8>) -> String {
    let mut text = Vec::new();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => text.extend(bytes.next()),
            byte => text.push(byte),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::key_path;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Example {
        time: Option<f64>,
        sides: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Inner {
        word: String,
    }

    #[test]
    fn the_path_of_an_error_leads_to_the_value_at_fault() {
        for (json, path) in [
            (r#"{"sides":[{"word":"a, \"{[:"}],"time":"100"}"#, "`time`: "),
            (r#"{"time":1,"sides":[{"word":"a"},{"word":2}]}"#, "`sides[1].word`: "),
            (r#"{"time":1,"sides":3}"#, "`sides`: "),
            ("[]", ""),
            ("7", ""),
        ] {
            let error = serde_json::from_str::<Example>(json).expect_err(json);
            assert_eq!(key_path(json, error.column()), path, "{json}: {error}");
        }
    }
}
