//! Findings about a text: what, where, and how to fix it. Plain data; readers of texts make them, and all output shows
//! them.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::plain::{deserialize_plain, plain, push_plain};
use crate::{BrokenRule, RuleText, Violation};

/// How strictly `output.txt` must follow the format of the handout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tolerance {
    /// Accepts stray blanks, empty lines, CR at line ends, a missing last LF and other letter case, with a warning.
    #[default]
    Tolerant,
    /// Exactly as specified; only the last LF may be missing.
    Exact,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The line, counted from 1.
    pub line: u32,
    /// The column of the first byte, counted from 1.
    pub column: u32,
    /// The number of bytes; 0 for a place between bytes.
    pub length: u32,
}

/// A finding in a text: a tolerance used, or a fault. Its texts are printable, whatever their source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// A stable name for programs, in kebab case: `letter-case`, `not-a-square`.
    #[serde(deserialize_with = "deserialize_plain")]
    pub code: Cow<'static, str>,
    /// The place, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Location>,
    /// A sentence for people, lower case, without a full stop.
    #[serde(deserialize_with = "deserialize_plain")]
    pub message: String,
    /// The right text, if known.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_plain")]
    pub hint: Option<String>,
    /// How many more of the same kind follow in the text.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u32,
    /// The broken rule of a fault; not stored in records, from which it is judged again.
    #[serde(skip)]
    pub rule: BrokenRule,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Finding {
    /// A finding without a place.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Cow::Borrowed(code),
            place: None,
            message: plain(&message.into()),
            hint: None,
            more: 0,
            rule: BrokenRule::default(),
        }
    }

    /// The same finding at `place`, if there is one.
    #[must_use]
    pub fn at(self, place: impl Into<Option<Location>>) -> Self {
        Self { place: place.into(), ..self }
    }

    /// The same finding as a violation of `rule`.
    #[must_use]
    pub fn under(self, rule: &'static RuleText) -> Self {
        Self { rule: BrokenRule(Some(rule)), ..self }
    }

    /// The same finding with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(plain(&hint.into())), ..self }
    }

    /// The same finding with `hint`, if there is one.
    #[must_use]
    pub(crate) fn hinted(self, hint: Option<String>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }
}

impl From<Violation> for Finding {
    fn from(Violation { code, message, rule }: Violation) -> Self {
        Self::new(code, message).under(rule)
    }
}

/// `line 2, column 3: message (hint), and 4 more of this kind`
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Location { line, column, .. }) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, " ({hint})")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, ", and {more} more of this kind"),
        }
    }
}

/// Why an `output.txt` is no legal answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It contains at most white space.
    Empty,
    /// It is not in the format of the handout.
    Format(Finding),
    /// Its format is right, but the move is illegal.
    Illegal(Finding),
}

impl Refusal {
    /// The refusal of an illegal move that is written at `place`.
    pub(crate) fn illegal(found: impl Into<Finding>, place: Option<Location>, hint: Option<String>) -> Self {
        Self::Illegal(found.into().at(place).hinted(hint))
    }
}

/// The maximum length of foreign text quoted in a message.
const QUOTED_CHARACTERS: usize = 40;

/// A foreign text in backticks, safe on a terminal: control characters, invalid UTF-8 and text direction marks are
/// escaped, and it is cut after 40 characters.
///
/// ```
/// # use referee_games::protocol::quote;
/// assert_eq!(quote(b"E c3\x1b[2J"), r"`E c3\u{1b}[2J`");
/// ```
pub fn quote(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut quoted = String::from("`");
    for (index, character) in text.chars().enumerate() {
        if index == QUOTED_CHARACTERS {
            quoted.push('…');
            break;
        }
        push_visibly(&mut quoted, character);
    }
    quoted.push('`');
    quoted
}

fn push_visibly(text: &mut String, character: char) {
    match character {
        '`' => text.extend(character.escape_unicode()),
        '\\' => text.push_str(r"\\"),
        _ => push_plain(text, character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_quoted_harmlessly() {
        assert_eq!(quote(b"a\n\x07`"), r"`a\n\u{7}\u{60}`");
        assert_eq!(quote("\u{202e}x".as_bytes()), r"`\u{202e}x`");
        assert_eq!(quote(&[0xff, b'a']), "`\u{fffd}a`");
        assert_eq!(quote(&[b'x'; 100]).chars().count(), 43);
    }
}
