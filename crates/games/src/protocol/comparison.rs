//! An answer compared with the one right answer, line by line. Plain data; games fill it, and messages show it.

use serde::Serialize;

use super::Finding;

/// A line of an answer, with the expected one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedLine {
    /// The meaning of the line.
    pub name: &'static str,
    /// The right text.
    pub expected: String,
    /// The actual text, trimmed; `None` if the line is missing.
    ///
    /// Foreign text: show it only through [`crate::protocol::plain()`] or [`crate::protocol::quote()`].
    pub got: Option<String>,
}

impl ComparedLine {
    /// Whether the line is right.
    pub fn is_right(&self) -> bool {
        self.got.as_deref() == Some(self.expected.as_str())
    }
}

/// A whole answer, with the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The required lines.
    pub lines: Vec<ComparedLine>,
    /// The tolerances used in reading the answer.
    pub warnings: Vec<Finding>,
}

impl Comparison {
    /// Whether all lines are right.
    pub fn is_right(&self) -> bool {
        self.differing().next().is_none()
    }

    /// The differing lines, with their numbers from 1.
    pub fn differing(&self) -> impl Iterator<Item = (usize, &ComparedLine)> {
        (1..).zip(&self.lines).filter(|(_, line)| !line.is_right())
    }
}
