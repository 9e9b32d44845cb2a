//! An agent made ready to play.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::build::{self, Built, Site};
use super::builtin::BuiltinAgent;
use super::digest::Digest;
use super::error::AgentError;
use super::language::Conventions;
use super::snapshot::{self, LIMITS};
use super::spec::{AgentName, AgentSource, AgentSpec};
use super::submission::{Source, Submission, in_words};
use super::toolchain::{Toolchain, is_executable};
use crate::games::GameId;
use crate::seat::Program;
use crate::time::WallTime;

/// An agent that can be given a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// What it goes by. Two agents may have the same name; whoever holds both tells them apart.
    pub name: AgentName,
    /// What the user named.
    pub spec: AgentSpec,
    /// Answers `input.txt`; see [`Agent::program_for`].
    program: Program,
    /// To be run once before all games, where there is one.
    pub calibrate: Option<Program>,
    /// Of everything it was made of.
    pub digest: Digest,
    /// What its author should know although it is no fault: one sentence each, fit for a terminal.
    pub remarks: Vec<String>,
}

impl Agent {
    /// What is to be run in a game of `game`. A built-in agent is told the game and gets `seed` for its choices; to all
    /// others these are nothing that they could be told.
    pub fn program_for(&self, game: GameId, seed: u64) -> Program {
        let mut program = self.program.clone();
        match self.spec.source() {
            AgentSource::Path(_) => {}
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

/// Where agents are made: the tools, and the rules by which they are used.
#[derive(Debug)]
pub struct Workshop {
    /// The compilers and interpreters.
    pub toolchain: Toolchain,
    /// What the names of a submission's files mean.
    pub conventions: Conventions,
    /// The longest that one run of a compiler may take.
    pub compile_limit: WallTime,
    /// The referee's own executable, which also is the built-in agents.
    pub referee: PathBuf,
}

impl Workshop {
    /// A workshop with the tools of this machine, today's naming and a minute for each compilation.
    ///
    /// # Errors
    ///
    /// The system's, where it does not know which executable this process runs.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            toolchain: Toolchain::from_environment(),
            conventions: Conventions::default(),
            compile_limit: WallTime::from_secs(60),
            referee: std::env::current_exe()?,
        })
    }

    /// Makes the agent that `spec` names, with `build`, a folder of this agent's own, for what is built. The folder is
    /// created if need be, must be empty, and has to stay for as long as the agent plays.
    ///
    /// # Errors
    ///
    /// [`AgentError`], whose text is for the user or for the author of the submission.
    pub fn prepare(&self, spec: &AgentSpec, build: &Path) -> Result<Agent, AgentError> {
        let made = match spec.source() {
            AgentSource::Builtin(agent) => self.builtin(*agent),
            AgentSource::Path(path) => self.at_path(path, build)?,
        };
        Ok(Agent {
            name: spec.name(),
            spec: spec.clone(),
            program: made.program,
            calibrate: made.calibrate,
            digest: made.digest,
            remarks: made.remarks,
        })
    }

    fn builtin(&self, agent: BuiltinAgent) -> Made {
        let text = agent.to_string();
        Made {
            digest: Digest::of_builtin(&text),
            program: Program {
                command: vec![self.referee.clone().into(), "agent".into(), text.into()],
                folder: None,
            },
            calibrate: None,
            remarks: vec![],
        }
    }

    fn at_path(&self, path: &Path, build: &Path) -> Result<Made, AgentError> {
        // Whoever names a link means what it points to.
        let path = path.canonicalize().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => AgentError::NotFound { path: path.to_owned() },
            _ => system("read", path)(error),
        })?;
        let kind = fs::metadata(&path).map_err(system("read", &path))?.file_type();
        if kind.is_dir() {
            return self.folder(&path, build);
        }
        if !kind.is_file() {
            let found = in_words(kind);
            return Err(AgentError::NotAFile { path, found });
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let source = name.and_then(|file| {
            let language = self.conventions.language_by_extension(file)?;
            let file = file.to_owned();
            Some(Source { file, language })
        });
        match source {
            Some(source) => self.source_file(&source, &path, build),
            None if is_executable(&path) => executable(&path),
            None => Err(AgentError::NotExecutable { path }),
        }
    }

    fn folder(&self, folder: &Path, build: &Path) -> Result<Made, AgentError> {
        let submission = Submission::find(folder, self.conventions)?;
        let build = make_folder(build)?;
        let sources = make_folder(&build.join("sources"))?;
        let snapshot = snapshot::take(&submission.folder, &sources, LIMITS)?;
        let mut remarks = submission.remarks;
        if !snapshot.left_out.is_empty() {
            let left_out = snapshot.left_out.join(", ");
            remarks.push(format!("left out, because only regular files are taken: {left_out}"));
        }
        let mut build_program = |source: &Source, products: &str| -> Result<Program, AgentError> {
            let products = make_folder(&build.join(products))?;
            let site = Site {
                sources: &sources,
                whole_folder: true,
                products: &products,
            };
            let Built { command, remark } = build::build(source, site, &self.toolchain, self.compile_limit)
                .map_err(|error| error.said_of(&submission.folder))?;
            remarks.extend(remark);
            Ok(Program {
                command,
                folder: Some(build.clone()),
            })
        };
        let program = build_program(&submission.homework, "homework")?;
        let calibrate = submission
            .calibrate
            .as_ref()
            .map(|source| build_program(source, "calibrate"))
            .transpose()?;
        Ok(Made {
            program,
            calibrate,
            digest: snapshot.digest,
            remarks,
        })
    }

    fn source_file(&self, source: &Source, path: &Path, build: &Path) -> Result<Made, AgentError> {
        let digest = snapshot::digest_file(path)?;
        let sources = folder_of(path);
        let products = make_folder(build)?;
        let site = Site {
            sources,
            whole_folder: false,
            products: &products,
        };
        let Built { command, remark } = build::build(source, site, &self.toolchain, self.compile_limit)?;
        // An interpreter reads the source where it lies, together with what it imports from beside it.
        let folder = if command.iter().any(|word| Path::new(word) == path) {
            sources
        } else {
            &products
        };
        Ok(Made {
            program: Program {
                folder: Some(folder.to_owned()),
                command,
            },
            calibrate: None,
            digest,
            remarks: remark.into_iter().collect(),
        })
    }
}

struct Made {
    program: Program,
    calibrate: Option<Program>,
    digest: Digest,
    remarks: Vec<String>,
}

/// A program that is run as it is, by the system: a binary, or a script with a `#!` line.
fn executable(path: &Path) -> Result<Made, AgentError> {
    Ok(Made {
        program: Program {
            command: vec![path.into()],
            folder: Some(folder_of(path).to_owned()),
        },
        calibrate: None,
        digest: snapshot::digest_file(path)?,
        remarks: vec![],
    })
}

fn folder_of(file: &Path) -> &Path {
    file.parent().expect("an absolute path to a file has a parent")
}

fn make_folder(path: &Path) -> Result<PathBuf, AgentError> {
    fs::create_dir_all(path)
        .and_then(|()| path.canonicalize())
        .map_err(system("create", path))
}

fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> AgentError {
    move |error| AgentError::System {
        action,
        path: path.to_owned(),
        error,
    }
}
