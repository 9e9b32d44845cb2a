//! Whose failure it is that the rules of a game do not answer. Plain data: `known` has it where a rules program cannot
//! be used, and positions where it fails during a game.

/// Why a rules program cannot be used, or does not answer, with the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesUnavailable {
    /// This machine does not run it: a tool is missing, or the system fails.
    #[error("{0}")]
    Machine(String),
    /// Its files are missing or faulty, or it fails.
    #[error("{0}")]
    Program(String),
}
