//! The texts of rules. Plain data; findings refer to them, and explanations cite them.

/// A rule: its name, its text, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// A stable name for programs, in kebab case.
    pub code: &'static str,
    /// Its name for people, lower case.
    pub name: &'static str,
    /// Its text: a sentence without a full stop.
    pub sentence: &'static str,
    /// Its source.
    pub section: Section,
}

/// The source of a rule: a part of the handout, which has its own title in every handout ([`super::Handout`]), or
/// another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// How submissions are run and graded.
    Grading,
    /// The rules of play.
    Play,
    /// How a game ends between two agents.
    Endings,
    /// Time and turns.
    Turns,
    /// The files.
    Formats,
    /// Another place, in words.
    Elsewhere(&'static str),
    /// The handout is silent: a decision of this referee.
    Referee,
}

impl Section {
    /// The rule with this code, name and sentence, from this source.
    pub const fn rule(self, code: &'static str, name: &'static str, sentence: &'static str) -> RuleText {
        RuleText { code, name, sentence, section: self }
    }
}

/// How a claimed move violates a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Violation {
    /// A stable name for programs, in kebab case.
    pub code: &'static str,
    /// A sentence for the player: lower case, squares in backticks, no full stop.
    pub message: String,
    /// The rule.
    pub rule: &'static RuleText,
}

impl RuleText {
    /// The violation of this rule that the code names and the message describes.
    pub(super) fn violated(&'static self, code: &'static str, message: impl Into<String>) -> Violation {
        Violation { code, message: message.into(), rule: self }
    }
}

/// The rule broken by a finding, known until the finding is written to a file and read again.
///
/// All are equal, so that a newly judged finding equals the recorded one.
#[derive(Clone, Copy, Debug, Default)]
pub struct BrokenRule(pub Option<&'static RuleText>);

impl PartialEq for BrokenRule {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for BrokenRule {}
