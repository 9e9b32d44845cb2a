//! Makes foreign texts safe for a terminal: compiler output and file names. Errors, feedback and pages use it.

use std::path::Path;

use referee_games::protocol::plain;

/// A name that may not be UTF-8: every byte that does not fit as `%` and two digits, and then `%` itself likewise.
pub fn readable(name: &[u8]) -> String {
    if let Ok(name) = std::str::from_utf8(name) {
        return name.to_owned();
    }
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        text += &chunk.valid().replace('%', "%25");
        text.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02X}")));
    }
    text
}

/// A path in backticks, in full: a user must be able to find the file.
pub(super) fn path(path: &Path) -> String {
    name(&path.to_string_lossy())
}

/// A file name in backticks.
pub(super) fn name(name: &str) -> String {
    format!("`{}`", plain(name).replace('`', r"\u{60}"))
}

/// Names in backticks, separated by commas.
pub(super) fn names(names: &[String]) -> String {
    names.iter().map(|each| name(each)).collect::<Vec<_>>().join(", ")
}

/// A text of several lines, with control characters other than line ends and tabs escaped.
pub(super) fn lines(text: &[u8]) -> String {
    const KEPT: [char; 2] = ['\n', '\t'];
    let text = String::from_utf8_lossy(text);
    let pieces = text.split_inclusive(KEPT).map(|piece| {
        let (line, end) = piece.split_at(piece.trim_end_matches(KEPT).len());
        plain(line) + end
    });
    pieces.collect()
}

/// The length of an excerpt.
const SHOWN_BYTES: usize = 4 << 10;

/// The start of a text from [`lines`], in whole lines unless these are too long.
pub(super) fn beginning(text: &str) -> String {
    if text.len() <= SHOWN_BYTES {
        return text.to_owned();
    }
    let cut = &text[..text.floor_char_boundary(SHOWN_BYTES)];
    let whole = cut.rfind('\n').map_or(cut, |end| &cut[..end]);
    format!("{whole}\n…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_text_whole_lines_are_shown() {
        assert_eq!(beginning("a\nb"), "a\nb");
        let long = "é\n".repeat(3000);
        assert_eq!(beginning(&long), "é\n".repeat(1365) + "…");
        assert_eq!(beginning(&"é".repeat(3000)), "é".repeat(2048) + "\n…");
    }

    #[test]
    fn nothing_that_moves_a_cursor_or_turns_the_text_gets_through() {
        assert_eq!(lines(b"a\r\x1b[2Jb\n\tc"), "a\\r\\u{1b}[2Jb\n\tc");
        assert_eq!(name("\u{202e}yp.`x\n"), r"`\u{202e}yp.\u{60}x\n`");
        assert_eq!(path(Path::new("Zoë's homework")), "`Zoë's homework`");
    }
}
