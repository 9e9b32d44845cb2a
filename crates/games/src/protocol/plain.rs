//! Escapes foreign text: the only definition of what is printable. Messages, pages and the reader of records use it.
//! And the plural of nouns, and faults of JSON.

use serde::{Deserialize, Deserializer};

/// `text` escaped for one line of a terminal: control characters, line ends and text direction marks become escapes.
/// Accents and vowel signs stay behind a letter, where many scripts have them, but not so many that they cover other
/// lines.
///
/// ```
/// # use referee_games::protocol::plain;
/// assert_eq!(plain("agent\x1b[2J"), r"agent\u{1b}[2J");
/// ```
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut room_for_marks = 0;
    for character in text.chars() {
        if room_for_marks > 0 && is_mark(character) {
            room_for_marks -= 1;
            shown.push(character);
        } else {
            push_plain(&mut shown, character);
            let is_letter = character.is_alphanumeric() && shown.ends_with(character);
            room_for_marks = if is_letter { MARKS_ON_A_LETTER } else { 0 };
        }
    }
    shown
}

/// As many as any script puts on one letter.
const MARKS_ON_A_LETTER: u32 = 4;

/// Whether it is visible, but only upon the character before it.
fn is_mark(character: char) -> bool {
    let is_escaped = || character.escape_debug().len() > 1;
    !character.is_ascii() && is_escaped() && format!("a{character}").escape_debug().count() == 2
}

/// A number with its noun: `1 game`, `20 games`.
pub fn counted(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// What is wrong with a JSON text of one line, without the place, which nobody could find in it.
pub fn json_fault(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).unwrap_or(&message).to_owned()
}

/// Appends `character` as [`plain`] shows it.
pub(super) fn push_plain(shown: &mut String, character: char) {
    match character {
        '\'' | '"' | '\\' => shown.push(character),
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
            shown.extend(character.escape_unicode());
        }
        _ => shown.extend(character.escape_debug()),
    }
}

/// Deserializes a text in a record and escapes it like [`plain`]: records are passed around, and text by strangers in
/// them ends up in messages.
///
/// # Errors
///
/// Those of the deserializer.
pub fn deserialize_plain<'de, D: Deserializer<'de>, T: From<String>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer).map(|text| T::from(plain(&text)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_of_every_script_stay_as_they_are() {
        for name in ["Zoe\u{308}", "प्रिया", "สมชาย ใจดี์", "d’Arc – Ann & Bob", "Nguyễn"]
        {
            assert_eq!(plain(name), name);
        }
        assert_eq!(plain("\u{301}a:\u{301}"), r"\u{301}a:\u{301}");
        let shown = plain(&format!("a{}", "\u{301}".repeat(6)));
        assert_eq!(shown, format!("a{}{}", "\u{301}".repeat(4), r"\u{301}".repeat(2)));
    }

    proptest! {
        #[test]
        fn what_is_plain_stays_as_it_is_and_moves_no_cursor(
            text in "(\\PC|[\u{0}-\u{9f}]|[\u{200b}-\u{2069}]|\u{301}){0,40}",
        ) {
            let shown = plain(&text);
            prop_assert_eq!(plain(&shown), shown.as_str());
            prop_assert!(!shown.chars().any(char::is_control), "{shown:?}");
        }
    }
}
