//! An agent made ready to play.

use super::digest::Digest;
use super::spec::{AgentName, AgentSource, AgentSpec};
use crate::games::GameId;
use crate::seat::Program;

/// An agent that can be given a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// What it goes by. Two agents may have the same name; whoever holds both tells them apart.
    pub name: AgentName,
    /// What the user named.
    pub spec: AgentSpec,
    /// Answers `input.txt`; see [`Agent::program_for`].
    pub(super) program: Program,
    /// To be run once before all games, where there is one.
    pub calibrate: Option<Program>,
    /// Of everything it was made of.
    pub digest: Digest,
    /// What its author should know although it is no fault: one sentence each, fit for a terminal.
    pub remarks: Vec<String>,
    /// What the compilers said although they were content, such as warnings: the beginning, at most 64 KiB a program, with
    /// everything escaped that could move a cursor.
    pub compiler_output: Option<String>,
}

impl Agent {
    /// What is to be run in a game of `game`. A built-in agent is told the game and gets `seed` for its choices; to all
    /// others these are nothing that they could be told.
    pub fn program_for(&self, game: GameId, seed: u64) -> Program {
        let mut program = self.program.clone();
        match self.spec.source() {
            AgentSource::Path(_) | AgentSource::Submission(_) => {}
            AgentSource::Builtin(_) => {
                let mut words = vec!["--game".to_owned(), game.name().to_owned()];
                if let GameId::Halma(rules) = game {
                    words.extend(["--rules".to_owned(), rules.to_string()]);
                }
                words.extend(["--seed".to_owned(), seed.to_string()]);
                program.command.extend(words.into_iter().map(Into::into));
            }
        }
        program
    }
}
