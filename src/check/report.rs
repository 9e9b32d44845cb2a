//! What a check has found: a light for each thing that was looked at.

use serde::Serialize;

use crate::messages::counted;

/// How something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Light {
    /// As it should be.
    Green,
    /// It may cost points, or hints at something that was not meant.
    Yellow,
    /// It costs points.
    Red,
}

impl Light {
    /// The light in one word, for those who see no colours.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Green => "ok",
            Self::Yellow => "warning",
            Self::Red => "fault",
        }
    }
}

/// One thing that was looked at. Its texts are fit for a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckItem {
    /// What, in a word or two.
    pub name: &'static str,
    /// How it was found.
    pub light: Light,
    /// What was found, in a sentence without a full stop.
    pub found: String,
    /// What to do about it, where there is something to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// The evidence, line by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

impl CheckItem {
    /// All is well.
    pub(super) fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self {
            name,
            light: Light::Green,
            found: found.into(),
            remedy: None,
            details: Vec::new(),
        }
    }

    /// Something to look at.
    pub(super) fn warning(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            light: Light::Yellow,
            remedy: Some(remedy.into()),
            ..Self::ok(name, found)
        }
    }

    /// Something to mend.
    pub(super) fn fault(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            light: Light::Red,
            ..Self::warning(name, found, remedy)
        }
    }

    /// The same with its evidence.
    #[must_use]
    pub(super) fn with(self, details: Vec<String>) -> Self {
        Self { details, ..self }
    }
}

/// An answer that was wrong or not in the exact format, so that it can be looked at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAnswer {
    /// The name of the position, fit for a file name.
    pub name: String,
    /// The whole `input.txt`.
    pub input: String,
    /// The whole `output.txt`, if there was one.
    pub output: Option<Vec<u8>>,
    /// The one right answer, where there is only one.
    pub expected: Option<String>,
}

/// Everything that a check has found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// In the order in which it was looked at.
    pub items: Vec<CheckItem>,
    /// The answers behind what is red or yellow.
    #[serde(skip)]
    pub failed: Vec<FailedAnswer>,
}

impl CheckReport {
    /// Whether nothing is red.
    pub fn is_ready(&self) -> bool {
        self.count(Light::Red) == 0
    }

    /// All of it in half a sentence.
    pub fn verdict(&self) -> String {
        match (self.count(Light::Red), self.count(Light::Yellow)) {
            (0, 0) => "ready to hand in".to_owned(),
            (0, warnings) => format!("ready, with {}", counted(warnings, "warning")),
            (faults, 0) => format!("not ready: {}", counted(faults, "fault")),
            (faults, warnings) => format!(
                "not ready: {}, and {}",
                counted(faults, "fault"),
                counted(warnings, "warning")
            ),
        }
    }

    fn count(&self, light: Light) -> usize {
        self.items.iter().filter(|item| item.light == light).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_counts_faults_and_warnings() {
        let item = |light| CheckItem {
            light,
            ..CheckItem::ok("build", "built")
        };
        let cases: [(&[Light], &str, bool); 5] = [
            (&[], "ready to hand in", true),
            (&[Light::Green], "ready to hand in", true),
            (&[Light::Yellow, Light::Green], "ready, with 1 warning", true),
            (&[Light::Red, Light::Red], "not ready: 2 faults", false),
            (&[Light::Red, Light::Yellow], "not ready: 1 fault, and 1 warning", false),
        ];
        for (lights, verdict, ready) in cases {
            let report = CheckReport {
                items: lights.iter().copied().map(item).collect(),
                failed: Vec::new(),
            };
            assert_eq!((report.verdict().as_str(), report.is_ready()), (verdict, ready));
        }
    }
}
