//! The look of output: colours, characters and width, and fitting lines into it.
//!
//! Everything shown to people uses it. It does not detect a terminal's capabilities (`console`) or escape
//! foreign text ([`plain`](super::plain())). A fitted line must not exceed its width, and no character of it may be
//! split.

use std::borrow::Cow;

use console::Style;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The look of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputStyle {
    /// Whether to use colours.
    pub colours: Colours,
    /// The available characters.
    pub characters: Characters,
    /// The maximum width in columns.
    pub columns: usize,
}

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// No escape sequences.
    Plain,
    /// The ECMA-48 colours of every terminal.
    Ansi,
}

/// The available characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Characters {
    /// Only ASCII.
    Ascii,
    /// All characters.
    Unicode,
}

impl OutputStyle {
    /// For files, pipes and pages: no colours, all characters, unlimited width.
    pub const PLAIN: Self = Self { colours: Colours::Plain, characters: Characters::Unicode, columns: usize::MAX };

    /// `line` in the available characters, folded at the width.
    ///
    /// ```
    /// use referee_messages::{Characters, OutputStyle};
    ///
    /// let style = OutputStyle { characters: Characters::Ascii, columns: 16, ..OutputStyle::PLAIN };
    /// assert_eq!(style.fit("g1  ½-½ – a draw by time"), ["g1  1/2-1/2 - a", "    draw by time"]);
    /// ```
    pub fn fit(&self, line: &str) -> Vec<String> {
        fold(&self.spell(line), self.columns)
    }

    /// The lines of `notes` beside a board; none where it has none.
    pub fn notes(&self, notes: &str) -> Vec<String> {
        if notes.is_empty() { Vec::new() } else { self.fit(notes) }
    }

    /// `line` on one line, its end cut off if it does not fit.
    pub fn cut(&self, line: &str) -> String {
        cut_end(&self.spell(line), self.columns, self.characters)
    }

    /// `text` in the available characters.
    pub fn spell<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.characters {
            Characters::Unicode => Cow::Borrowed(text),
            Characters::Ascii => ascii(text),
        }
    }

    /// `text` in `style`, if there are colours.
    pub fn painted(&self, text: &str, style: Style) -> String {
        match self.colours {
            Colours::Plain => text.to_owned(),
            Colours::Ansi if text.is_empty() => String::new(),
            Colours::Ansi => style.force_styling(true).apply_to(text).to_string(),
        }
    }

    /// The same look with other colours.
    #[must_use]
    pub const fn with_colours(self, colours: Colours) -> Self {
        Self { colours, ..self }
    }

    /// The same look with this many columns.
    #[must_use]
    pub const fn with_columns(self, columns: usize) -> Self {
        Self { columns, ..self }
    }
}

/// `text` in ASCII: our drawing characters are replaced by similar ones, everything else is escaped.
///
/// Boards, bars and tables are drawn in available characters from the start, so that their columns align.
pub fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len());
    for character in text.chars() {
        match like(character) {
            Some(like) => spelled.push_str(like),
            None if character.is_ascii() => spelled.push(character),
            None => spelled.extend(character.escape_unicode()),
        }
    }
    Cow::Owned(spelled)
}

/// The ASCII replacement of a drawing character.
const fn like(character: char) -> Option<&'static str> {
    Some(match character {
        '½' => "1/2",
        '–' | '—' | '−' | '─' => "-",
        '━' => "=",
        '│' => "|",
        '…' => "...",
        '·' => ".",
        '×' => "x",
        '±' => "+-",
        '∞' => "inf",
        '≥' => ">=",
        '≤' => "<=",
        '▸' => ">",
        '→' => "->",
        '←' => "<-",
        '↑' => "^",
        '↓' => "v",
        '‘' | '’' => "'",
        _ => return None,
    })
}

/// The width of `text` in terminal columns; escape sequences take none, wide characters two.
pub fn width(text: &str) -> usize {
    console::measure_text_width(text)
}

/// `text` in at most this many columns, cut at the end.
pub fn cut_end(text: &str, columns: usize, characters: Characters) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mark = ellipsis(columns, characters);
    console::truncate_str(text, columns, mark).into_owned()
}

/// `text` in at most this many columns, cut in the middle: names differ at both ends.
///
/// It must not contain escape sequences.
///
/// ```
/// use referee_messages::{Characters, cut_middle};
///
/// assert_eq!(cut_middle("submission-of-ada", 9, Characters::Unicode), "subm…-ada");
/// assert_eq!(cut_middle("submission-of-ada", 9, Characters::Ascii), "sub...ada");
/// ```
pub fn cut_middle(text: &str, columns: usize, characters: Characters) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mark = ellipsis(columns, characters);
    let room = columns - width(mark);
    let behind = room / 2;
    let start = console::truncate_str(text, room - behind, "");
    format!("{start}{mark}{}", tail(text, behind))
}

/// The mark for cut text, if there is room for it.
const fn ellipsis(columns: usize, characters: Characters) -> &'static str {
    match characters {
        Characters::Unicode if columns > 0 => "…",
        Characters::Ascii if columns > 3 => "...",
        Characters::Ascii if columns > 0 => "~",
        Characters::Unicode | Characters::Ascii => "",
    }
}

/// The longest suffix of `text` within this many columns.
fn tail(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    for (index, character) in text.char_indices().rev() {
        taken += width(character.encode_utf8(&mut [0; 4]));
        if taken > columns {
            return &text[index + character.len_utf8()..];
        }
    }
    text
}

/// A space at which [`wrap`] does not break.
pub const NO_BREAK: &str = "\u{a0}";

/// Wraps `text` at `columns` columns, between words. The first line begins with the first indent, the others with the
/// second. A word wider than a line stays whole.
///
/// ```
/// use referee_messages::wrap;
///
/// assert_eq!(wrap("from start to end", ["- ", "  "], 12), ["- from start", "  to end"]);
/// ```
pub fn wrap(text: &str, indents: [&str; 2], columns: usize) -> Vec<String> {
    let lines = textwrap::wrap(text, options(columns, indents).break_words(false)).into_iter();
    lines.map(|line| line.replace(NO_BREAK, " ")).collect()
}

/// Wraps `line` at `columns` columns, between words, with continuation lines indented slightly more.
///
/// A word wider than a line is broken anywhere; a drawing with escape sequences is cut instead.
pub fn fold(line: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    if width(line) <= columns {
        return vec![line.to_owned()];
    }
    if line.contains('\x1b') {
        return vec![console::truncate_str(line, columns, "").into_owned()];
    }
    let words = line.trim_start_matches(' ');
    let indent = line.len() - words.len();
    let [first, further] = if indent + 4 < columns / 2 { [indent, indent + 4] } else { [0, 0] };
    let lines = textwrap::wrap(words, options(columns, [&" ".repeat(first), &" ".repeat(further)]));
    lines.into_iter().map(Cow::into_owned).collect()
}

fn options(columns: usize, [first, further]: [&str; 2]) -> Options<'_> {
    Options::new(columns)
        .initial_indent(first)
        .subsequent_indent(further)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_we_draw_with_has_its_like_in_ascii() {
        assert_eq!(ascii("½-½ – ▸ 1 ≥ 2 … → ×"), "1/2-1/2 - > 1 >= 2 ... -> x");
        assert_eq!(ascii("é漢"), r"\u{e9}\u{6f22}");
        assert!(matches!(ascii("as it is"), Cow::Borrowed("as it is")));
    }

    #[test]
    fn wide_characters_are_not_cut_in_two() {
        assert_eq!(cut_middle("漢字漢字漢字", 6, Characters::Unicode), "漢…字");
        assert_eq!(cut_end("漢字漢字漢字", 6, Characters::Unicode), "漢字…");
        assert_eq!(cut_middle("abc", 0, Characters::Unicode), "");
        assert_eq!(cut_middle("abc", 2, Characters::Ascii), "a~");
    }

    #[test]
    fn lines_are_folded_between_words_and_further_ones_indented() {
        let line = "hint       put the move into it  and no more";
        let folded = ["hint       put the", "    move into it", "    and no more"];
        assert_eq!(fold(line, 20), folded);
        assert_eq!(fold("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(fold("\x1b[1mabcdefghij\x1b[0m", 4), ["\x1b[1mabcd\x1b[0m"]);
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_it_may_be(text in "[ a-c漢é·½]{0,60}", columns in 2_usize..50) {
            for characters in [Characters::Ascii, Characters::Unicode] {
                let look = OutputStyle { characters, columns, ..OutputStyle::PLAIN };
                let folded = look.fit(&text);
                prop_assert!(folded.iter().all(|line| width(line) <= columns), "{folded:?}");
                prop_assert!(width(&look.cut(&text)) <= columns);
                prop_assert!(width(&cut_middle(&text, columns, characters)) <= columns);
                prop_assert!(characters == Characters::Unicode || folded.iter().all(|line| line.is_ascii()));
                // Only blanks are lost.
                let solid = |text: &str| text.replace(' ', "");
                prop_assert_eq!(solid(&folded.concat()), solid(&look.spell(&text)));
            }
        }
    }
}
