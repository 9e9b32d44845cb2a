//! An answer beside the one right answer, line by line.

use serde::Serialize;

use super::Finding;

/// One line of an answer beside the expected one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedLine {
    /// What the line has to tell.
    pub name: &'static str,
    /// What is right.
    pub expected: String,
    /// What was written, as it stands in the file but for blanks around it; `None` where the line is missing.
    ///
    /// Foreign text: to be shown by [`crate::protocol::plain()`] or [`crate::protocol::quote()`] only.
    pub got: Option<String>,
}

impl ComparedLine {
    /// Whether the line is the expected one.
    pub fn is_right(&self) -> bool {
        self.got.as_deref() == Some(self.expected.as_str())
    }
}

/// A whole answer beside the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The lines that an answer has to have.
    pub lines: Vec<ComparedLine>,
    /// Every tolerance used in reading the answer.
    pub warnings: Vec<Finding>,
}

impl Comparison {
    /// Whether all lines are the expected ones.
    pub fn is_right(&self) -> bool {
        self.differing().next().is_none()
    }

    /// The lines that differ, with their numbers from 1.
    pub fn differing(&self) -> impl Iterator<Item = (usize, &ComparedLine)> {
        (1..).zip(&self.lines).filter(|(_, line)| !line.is_right())
    }
}
