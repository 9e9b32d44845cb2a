//! Parses a player named on the command line: an agent, or the person at the terminal. It makes no agent.

use std::str::FromStr;

use crate::runs::PERSON;
use referee_submissions::agents::{AgentName, AgentSpec, SpecError};

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerArgument {
    /// The person at the terminal, with this name.
    Person(AgentName),
    /// An agent.
    Agent(AgentSpec),
}

impl FromStr for PlayerArgument {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        match text.split_once('=') {
            Some((name, PERSON)) if !name.contains(['/', ':']) => Ok(Self::Person(name.parse()?)),
            None if text == PERSON => Ok(Self::Person(text.parse()?)),
            Some(_) | None => text.parse().map(Self::Agent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_human_by_any_name() {
        let person = |name: &str| PlayerArgument::Person(name.parse().unwrap());
        let agent = |spec: &str| PlayerArgument::Agent(spec.parse().unwrap());
        let cases = [
            ("human", person("human")),
            ("Ada=human", person("Ada")),
            ("./human", agent("./human")),
            ("human=builtin:random", agent("human=builtin:random")),
            ("class/ada", agent("class/ada")),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
    }
}
