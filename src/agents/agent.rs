//! An agent made ready to play.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::digest::Digest;
use super::snapshot::Provided;
use super::spec::{AgentName, AgentSource, AgentSpec};
use crate::games::GameId;
use crate::seat::Program;
use crate::time::CpuTime;

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
    /// Where that lies.
    pub(super) sources: Sources,
    /// What its author should know although it is no fault: one sentence each, fit for a terminal.
    pub remarks: Vec<String>,
    /// What the compilers said although they were content, such as warnings: the beginning, at most 64 KiB a program,
    /// with everything escaped that could move a cursor.
    pub compiler_output: Option<String>,
}

/// Where lies what an agent was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sources {
    /// In the referee itself.
    Builtin,
    /// In a folder, all of which is the agent's, and in that of what the course provides.
    Folder { path: PathBuf, provided: Option<Provided> },
    /// In a file that is a whole submission, which would have this name in a folder; likewise.
    FileOfFolder {
        path: PathBuf,
        name: String,
        provided: Option<Provided>,
    },
    /// In a file that goes by its own name, or by this one.
    File { path: PathBuf, name: OsString },
}

impl Sources {
    /// A file that goes by its own name.
    pub(super) fn of_file(path: &Path) -> Self {
        Self::File {
            path: path.to_owned(),
            name: path.file_name().unwrap_or_default().to_owned(),
        }
    }
}

impl Agent {
    /// What its clock is charged at least for each move, where it is a built-in agent that states that.
    pub const fn pace(&self) -> Option<CpuTime> {
        match self.spec.source() {
            AgentSource::Builtin(agent) => agent.pace(),
            AgentSource::Path(_) | AgentSource::Submission(_) => None,
        }
    }

    /// What is to be run in a game of `game`. A built-in agent is told the game and gets `seed` for its choices; to all
    /// others these are nothing that they could be told.
    pub fn program_for(&self, game: GameId, seed: u64) -> Program {
        let mut program = self.program.clone();
        match self.spec.source() {
            AgentSource::Path(_) | AgentSource::Submission(_) => {}
            AgentSource::Builtin(_) => {
                let mut words = vec!["--game".to_owned(), game.name().to_owned()];
                if let Some(rules) = game.rules() {
                    words.extend(["--rules".to_owned(), rules.to_owned()]);
                }
                words.extend(["--seed".to_owned(), seed.to_string()]);
                program.command.extend(words.into_iter().map(Into::into));
            }
        }
        program
    }
}
