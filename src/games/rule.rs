//! Rules as they are told to people.

/// A rule: its name, what it says, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// A stable name for programs, in kebab case.
    pub code: &'static str,
    /// Its name for people, lower case.
    pub name: &'static str,
    /// What it says, in a sentence without a full stop.
    pub sentence: &'static str,
    /// Where it stands.
    pub section: Section,
}

/// Where a rule stands: a part of the handout, of which every handout has its own title ([`super::Handout`]), or
/// elsewhere.
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

/// The rule that a finding breaks, known as long as the finding has not been written to a file and read again.
///
/// All are equal, so that a finding that was judged anew equals the recorded one.
#[derive(Clone, Copy, Debug, Default)]
pub struct BrokenRule(pub Option<&'static RuleText>);

impl PartialEq for BrokenRule {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for BrokenRule {}
