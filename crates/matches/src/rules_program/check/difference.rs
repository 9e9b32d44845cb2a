//! The first place where two JSON values differ, for people. `trial` calls it.

use serde_json::Value;

use crate::rules_program::fault;

/// The longest value that is shown.
const LONGEST: usize = 60;

/// `captures.BLACK: 2, then 0`; `None` if they are equal.
pub(super) fn first_difference(one: &Value, other: &Value) -> Option<String> {
    found("", one, other)
}

fn found(path: &str, one: &Value, other: &Value) -> Option<String> {
    if one == other {
        return None;
    }
    let within = match (one, other) {
        (Value::Object(first), Value::Object(second)) => {
            first.keys().chain(second.keys().filter(|key| !first.contains_key(*key))).find_map(|key| {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match (first.get(key), second.get(key)) {
                    (Some(one), Some(other)) => found(&path, one, other),
                    (Some(one), None) => Some(format!("{path}: {}, then missing", shown(one))),
                    (None, _) => Some(format!("{path}: missing, then {}", second.get(key).map(shown)?)),
                }
            })
        }
        (Value::Array(first), Value::Array(second)) if first.len() == second.len() => {
            let mut pairs = first.iter().zip(second).enumerate();
            pairs.find_map(|(index, (one, other))| found(&format!("{path}[{index}]"), one, other))
        }
        (Value::Array(first), Value::Array(second)) => {
            Some(format!("{path}: {} entries, then {}", first.len(), second.len()))
        }
        (_, _) => None,
    };
    Some(within.unwrap_or_else(|| {
        let both = format!("{}, then {}", shown(one), shown(other));
        if path.is_empty() { both } else { format!("{path}: {both}") }
    }))
}

fn shown(value: &Value) -> String {
    fault::shown(&value.to_string(), LONGEST)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::first_difference;

    #[test]
    fn the_place_of_the_first_difference_is_told() {
        let one = json!({"captures": {"BLACK": 2, "WHITE": 0}, "board": ["..", ".b"]});
        for (other, told) in [
            (one.clone(), None),
            (json!({"captures": {"BLACK": 0, "WHITE": 0}, "board": ["..", ".b"]}), Some("captures.BLACK: 2, then 0")),
            (
                json!({"captures": {"BLACK": 2, "WHITE": 0}, "board": ["..", ".w"]}),
                Some("board[1]: \".b\", then \".w\""),
            ),
            (json!({"captures": {"BLACK": 2, "WHITE": 0}, "board": []}), Some("board: 2 entries, then 0")),
            (json!({"board": ["..", ".b"]}), Some("captures: {\"BLACK\":2,\"WHITE\":0}, then missing")),
        ] {
            assert_eq!(first_difference(&one, &other).as_deref(), told);
        }
    }
}
