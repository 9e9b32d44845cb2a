//! What a drawing may be made of, and lines made to fit.
//!
//! For: everything that is shown to people and depends on where it is shown: colours, characters, width. Deliberately
//! not here: finding out what a terminal can do ([`crate::console`] does), and making foreign text harmless
//! ([`plain`](super::plain())).
//!
//! What must always hold: a line that was fitted is no wider than it may be, and no character of it is cut in two.

use std::borrow::Cow;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// What a drawing may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether colours may be set.
    pub colours: Colours,
    /// Which characters can be shown.
    pub characters: Characters,
    /// The columns of the widest line.
    pub columns: usize,
}

/// Whether colours may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// No escape sequence at all.
    Plain,
    /// The colours of ECMA-48 that every terminal has.
    Ansi,
}

/// Which characters can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Characters {
    /// ASCII alone.
    Ascii,
    /// Every character.
    Unicode,
}

impl Look {
    /// What stands in files, in pipes and on pages: no colours, every character, no bounds.
    pub const PLAIN: Self = Self {
        colours: Colours::Plain,
        characters: Characters::Unicode,
        columns: usize::MAX,
    };

    /// `lines` as they can be shown: in the characters there are, and folded at the width.
    ///
    /// ```
    /// use referee::messages::{Characters, Look};
    ///
    /// let look = Look { characters: Characters::Ascii, columns: 16, ..Look::PLAIN };
    /// assert_eq!(look.fit("g1  ½-½ – a draw by time"), ["g1  1/2-1/2 - a", "    draw by time"]);
    /// ```
    pub fn fit(&self, line: &str) -> Vec<String> {
        fold(&self.spell(line), self.columns)
    }

    /// `line` on one line, its end cut off where there is no room for it.
    pub fn cut(&self, line: &str) -> String {
        cut_end(&self.spell(line), self.columns, self.characters)
    }

    /// `text` in the characters there are.
    pub fn spell<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.characters {
            Characters::Unicode => Cow::Borrowed(text),
            Characters::Ascii => ascii(text),
        }
    }

    /// This with other colours.
    #[must_use]
    pub const fn with_colours(self, colours: Colours) -> Self {
        Self { colours, ..self }
    }

    /// This with so many columns.
    #[must_use]
    pub const fn with_columns(self, columns: usize) -> Self {
        Self { columns, ..self }
    }
}

/// `text` in ASCII: what we draw with has its like there, everything else is escaped.
///
/// Boards, bars and tables are drawn in the characters there are from the beginning, so that their columns stay in
/// line.
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

/// What stands for a character of ours in ASCII.
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

/// How many columns `text` takes on a terminal; escape sequences take none, wide characters two.
pub fn width(text: &str) -> usize {
    console::measure_text_width(text)
}

/// `text` in at most so many columns, its end left out where it is too wide.
pub fn cut_end(text: &str, columns: usize, characters: Characters) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mark = ellipsis(columns, characters);
    console::truncate_str(text, columns, mark).into_owned()
}

/// `text` in at most so many columns, its middle left out where it is too wide: names differ at either end.
///
/// It is no line with escape sequences.
///
/// ```
/// use referee::messages::{Characters, cut_middle};
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
    let start = head(text, room - behind);
    let end = tail(text, behind);
    format!("{start}{mark}{end}")
}

/// What stands for text that was left out, if there is room for it.
const fn ellipsis(columns: usize, characters: Characters) -> &'static str {
    match characters {
        Characters::Unicode if columns > 0 => "…",
        Characters::Ascii if columns > 3 => "...",
        Characters::Ascii if columns > 0 => "~",
        Characters::Unicode | Characters::Ascii => "",
    }
}

/// The longest beginning of `text` that takes at most so many columns.
fn head(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    for (index, character) in text.char_indices() {
        taken += width(character.encode_utf8(&mut [0; 4]));
        if taken > columns {
            return &text[..index];
        }
    }
    text
}

/// The longest end of `text` that takes at most so many columns.
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

/// A blank at which [`wrap`] breaks no line.
pub const NO_BREAK: &str = "\u{a0}";

/// `text` in lines of at most `columns` columns, broken between words. The first line starts with the first of the two
/// indents, the others with the second. A word that is wider than a line stays whole.
///
/// ```
/// use referee::messages::wrap;
///
/// assert_eq!(wrap("from start to end", ["- ", "  "], 12), ["- from start", "  to end"]);
/// ```
pub fn wrap(text: &str, indents: [&str; 2], columns: usize) -> Vec<String> {
    let lines = textwrap::wrap(text, options(columns, indents).break_words(false)).into_iter();
    lines.map(|line| line.replace(NO_BREAK, " ")).collect()
}

/// `line` in lines of at most `columns` columns, broken between words, the further ones indented a little more than the
/// first.
///
/// A word that is wider than a line is broken anywhere; a drawing with escape sequences is cut instead.
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
    let [first, further] = if indent + 4 < columns / 2 {
        [indent, indent + 4]
    } else {
        [0, 0]
    };
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
                let look = Look { characters, columns, ..Look::PLAIN };
                let folded = look.fit(&text);
                prop_assert!(folded.iter().all(|line| width(line) <= columns), "{folded:?}");
                prop_assert!(width(&look.cut(&text)) <= columns);
                prop_assert!(width(&cut_middle(&text, columns, characters)) <= columns);
                prop_assert!(characters == Characters::Unicode || folded.iter().all(|line| line.is_ascii()));
                // Nothing is lost but blanks.
                let solid = |text: &str| text.replace(' ', "");
                prop_assert_eq!(solid(&folded.concat()), solid(&look.spell(&text)));
            }
        }
    }
}
