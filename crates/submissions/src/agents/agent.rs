//! An agent that is ready to play. Plain data with the program to run; [`super::AgentBuilder`] makes it, and
//! participants take seats with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::copies::FolderContents;
use super::digest::Digest;
use super::snapshot::ProvidedFiles;
use super::spec::{AgentName, AgentSource, AgentSpec};
use referee_games::GameRef;
use referee_seat::{PreparationLimit, Program};
use referee_time::CpuTime;

/// An agent that can be given a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name. Two agents may share a name; the caller that holds both distinguishes them.
    pub name: AgentName,
    /// The user's argument.
    pub spec: AgentSpec,
    /// The program that answers `input.txt`; see [`Agent::program_for`].
    pub(super) program: Program,
    /// The program to run once before all games, if any.
    pub calibrate: Option<Program>,
    /// The time limit of that program.
    pub calibrate_limit: PreparationLimit,
    /// The digest of all its files.
    pub digest: Digest,
    /// The location of its sources.
    pub(super) sources: Sources,
    /// The contents of its build folder after preparation.
    pub(super) folders: FolderContents,
    /// Remarks for its author that are no faults: one sentence each, safe on a terminal.
    pub remarks: Vec<String>,
    /// The compilers' output in spite of success, such as warnings: its start, at most 64 KiB per program, with control
    /// characters escaped.
    pub compiler_output: Option<String>,
}

/// The location of an agent's sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sources {
    /// The referee itself.
    Builtin,
    /// A folder, all of which belongs to the agent, plus the files that the course provides.
    Folder { path: PathBuf, provided: Option<ProvidedFiles> },
    /// A single file that is a whole submission, with the name that it would have in a folder, plus provided files.
    FileOfFolder { path: PathBuf, name: String, provided: Option<ProvidedFiles> },
    /// A single file, under its own name or this one.
    File { path: PathBuf, name: OsString },
}

impl Sources {
    /// A file under its own name.
    pub(super) fn of_file(path: &Path) -> Self {
        Self::File { path: path.to_owned(), name: path.file_name().unwrap_or_default().to_owned() }
    }
}

impl Agent {
    /// The minimum charge for each move, for a built-in agent that states one.
    pub const fn pace(&self) -> Option<CpuTime> {
        match self.spec.source() {
            AgentSource::Builtin(agent) => agent.pace(),
            AgentSource::Path(_) | AgentSource::Submission(_) => None,
        }
    }

    /// Whether it is one of the referee's own.
    pub fn is_builtin(&self) -> bool {
        self.sources == Sources::Builtin
    }

    /// A folder of its copy or its products that has lost files since preparation: results of such an agent do not
    /// count.
    pub fn incomplete_folder(&self) -> Option<&Path> {
        self.folders.incomplete()
    }

    /// The program that plays, and what it is made of: for a program that is not an agent but made like one.
    pub const fn program(&self) -> &Program {
        &self.program
    }

    /// The program to run in a game of `game`. A built-in agent gets the game and `seed` as arguments; others take
    /// neither.
    pub fn program_for(&self, game: GameRef, seed: u64) -> Program {
        let mut program = self.program.clone();
        match self.spec.source() {
            AgentSource::Path(_) | AgentSource::Submission(_) => {}
            AgentSource::Builtin(_) => {
                let mut words = match game.rules_program() {
                    None => vec!["--game".to_owned(), game.name().to_owned()],
                    Some(rules) => {
                        program.reads_position = true;
                        program.folder = Some(rules.place.clone());
                        program.tools.clone_from(&rules.tools);
                        vec!["--rules-program".to_owned(), rules.attachment.clone()]
                    }
                };
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
