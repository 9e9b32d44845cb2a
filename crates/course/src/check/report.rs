//! The results of a check: a light for each item. Plain data; every step makes some, and `cli/check` shows them.

use serde::Serialize;

use referee_messages::{ProcessorWaits, counted};

/// The result of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckResult {
    /// Good.
    Green,
    /// It may cost points, or hints at a mistake.
    Yellow,
    /// It costs points.
    Red,
}

impl CheckResult {
    /// The light as a word, for readers without colours.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Green => "ok",
            Self::Yellow => "warning",
            Self::Red => "fault",
        }
    }
}

/// A checked item. Its texts are safe on a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckItem {
    /// Its name.
    pub name: &'static str,
    /// The result.
    pub light: CheckResult,
    /// The finding, as a sentence without a full stop.
    pub found: String,
    /// The remedy, if needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// The evidence, line by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

impl CheckItem {
    /// A green item.
    pub(super) fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, light: CheckResult::Green, found: found.into(), remedy: None, details: Vec::new() }
    }

    /// A yellow item.
    pub(super) fn warning(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { light: CheckResult::Yellow, remedy: Some(remedy.into()), ..Self::ok(name, found) }
    }

    /// A red item.
    pub(super) fn fault(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { light: CheckResult::Red, ..Self::warning(name, found, remedy) }
    }

    /// The same item with evidence.
    #[must_use]
    pub(super) fn with(self, details: Vec<String>) -> Self {
        Self { details, ..self }
    }
}

/// A wrong or inexact answer, kept for inspection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAnswer {
    /// The name of the position, valid as a file name.
    pub name: String,
    /// The whole `input.txt`.
    pub input: String,
    /// The `output.txt`, if there was one.
    pub output: Option<Vec<u8>>,
    /// The right answer, if there is only one.
    pub expected: Option<String>,
}

/// All results of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// In the order of the steps.
    pub items: Vec<CheckItem>,
    /// The answers behind red and yellow items.
    #[serde(skip)]
    pub failed: Vec<FailedAnswer>,
    /// How long the submission's runs waited for a processor.
    #[serde(skip)]
    pub waits: ProcessorWaits,
}

impl CheckReport {
    /// Whether no item is red.
    pub fn is_ready(&self) -> bool {
        self.count(CheckResult::Red) == 0
    }

    /// A summary in half a sentence.
    pub fn verdict(&self) -> String {
        match (self.count(CheckResult::Red), self.count(CheckResult::Yellow)) {
            (0, 0) => "ready to hand in".to_owned(),
            (0, warnings) => format!("ready, with {}", counted(warnings, "warning")),
            (faults, 0) => format!("not ready: {}", counted(faults, "fault")),
            (faults, warnings) => {
                format!("not ready: {}, and {}", counted(faults, "fault"), counted(warnings, "warning"))
            }
        }
    }

    fn count(&self, light: CheckResult) -> usize {
        self.items.iter().filter(|item| item.light == light).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_counts_faults_and_warnings() {
        let item = |light| CheckItem { light, ..CheckItem::ok("build", "built") };
        let cases: [(&[CheckResult], &str, bool); 5] = [
            (&[], "ready to hand in", true),
            (&[CheckResult::Green], "ready to hand in", true),
            (&[CheckResult::Yellow, CheckResult::Green], "ready, with 1 warning", true),
            (&[CheckResult::Red, CheckResult::Red], "not ready: 2 faults", false),
            (&[CheckResult::Red, CheckResult::Yellow], "not ready: 1 fault, and 1 warning", false),
        ];
        for (lights, verdict, ready) in cases {
            let report = CheckReport { items: lights.iter().copied().map(item).collect(), ..CheckReport::default() };
            assert_eq!((report.verdict().as_str(), report.is_ready()), (verdict, ready));
        }
    }
}
