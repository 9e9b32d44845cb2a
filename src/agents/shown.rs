//! Foreign texts made fit for a terminal: compiler output and the names of files.

use std::fmt::Write;
use std::path::Path;

/// A path in backticks. Paths are shown whole: a user must be able to find the file.
pub(super) fn path(path: &Path) -> String {
    name(&path.to_string_lossy())
}

/// A file's name in backticks.
pub(super) fn name(name: &str) -> String {
    let mut shown = String::from("`");
    name.chars().for_each(|character| push_visibly(&mut shown, character));
    shown.push('`');
    shown
}

/// Names in backticks, with commas between them.
pub(super) fn names(names: &[String]) -> String {
    names.iter().map(|each| name(each)).collect::<Vec<_>>().join(", ")
}

/// A text of several lines, its line ends and tabs kept, everything else that could move a cursor escaped.
pub(super) fn lines(text: &[u8]) -> String {
    let mut shown = String::new();
    for character in String::from_utf8_lossy(text).chars() {
        match character {
            '\n' | '\t' | '`' => shown.push(character),
            _ => push_visibly(&mut shown, character),
        }
    }
    shown
}

/// How much of a text is shown where it is not asked for by itself.
const SHOWN_BYTES: usize = 4 << 10;

/// The beginning of a text of [`lines`], in whole lines where these are not too long.
pub(super) fn beginning(text: &str) -> String {
    if text.len() <= SHOWN_BYTES {
        return text.to_owned();
    }
    let cut = &text[..text.floor_char_boundary(SHOWN_BYTES)];
    let whole = cut.rfind('\n').map_or(cut, |end| &cut[..end]);
    format!("{whole}\n…")
}

fn push_visibly(text: &mut String, character: char) {
    let moves_text =
        matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    if character.is_control() || moves_text || character == '`' {
        write!(text, "\\u{{{:x}}}", u32::from(character)).expect("a string takes every text");
    } else {
        text.push(character);
    }
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
        assert_eq!(lines(b"a\r\x1b[2Jb\n\tc"), "a\\u{d}\\u{1b}[2Jb\n\tc");
        assert_eq!(name("\u{202e}yp.`x\n"), r"`\u{202e}yp.\u{60}x\u{a}`");
        assert_eq!(path(Path::new("Zoë's homework")), "`Zoë's homework`");
    }
}
