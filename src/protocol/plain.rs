//! Foreign text made harmless.

/// `text` fit for one line of a terminal: control characters, line ends and marks that change the direction of writing
/// are written as escapes.
///
/// ```
/// # use referee::protocol::plain;
/// assert_eq!(plain("agent\x1b[2J"), r"agent\u{1b}[2J");
/// ```
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\'' | '"' | '\\' => shown.push(character),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
                shown.extend(character.escape_unicode());
            }
            _ => shown.extend(character.escape_debug()),
        }
    }
    shown
}
