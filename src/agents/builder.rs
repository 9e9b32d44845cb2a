//! Where agents are made: from what is named to a program in a folder of its own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::agent::{Agent, Sources};
use super::build::{BuildOptions, BuildSite, Built, build, join};
use super::builtin::BuiltinAgent;
use super::cache::Cache;
use super::digest::Digest;
use super::error::{AgentError, system};
use super::fault::SubmissionFault;
use super::names::FileNames;
use super::snapshot::{self, LIMITS, Provided, Snapshot};
use super::spec::{AgentSource, AgentSpec};
use super::submission::{self, PathKind, ProgramSource, Submission, in_words};
use super::toolchain::{Toolchain, is_executable};
use super::toolset::{Python2, Toolset};
use crate::games::GameId;
use crate::seat::{Limits, Program, SeatOptions};
use crate::time::WallTime;

/// The tools, and the rules by which they are used.
///
/// A run gives it the options of its seats, so that what builds a program is kept in as well as what runs it:
///
/// ```no_run
/// use std::path::Path;
///
/// use referee::agents::{AgentSpec, AgentBuilder};
/// use referee::seat::{Isolation, IsolationRange, SeatOptions};
///
/// let mut builder = AgentBuilder::new()?;
/// builder.seats = SeatOptions {
///     isolation: IsolationRange::at_least(Isolation::Confined),
///     ..SeatOptions::default()
/// };
/// builder.cache = Some("results/built".into());
/// match builder.prepare(&AgentSpec::of_path("class/ada"), Path::new("/tmp/builds/ada")) {
///     Ok(agent) => println!("{} {}", agent.name, agent.digest),
///     Err(error) => match error.finding() {
///         Some(finding) => println!("no points: {finding}"),
///         None => println!("this machine or its user: {error}"),
///     },
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AgentBuilder {
    /// The compilers and interpreters.
    pub toolchain: Toolchain,
    /// The game that the agents are to play; `None` where nothing of an agent depends on it.
    pub game: Option<GameId>,
    /// What the names of a submission's files mean.
    pub names: FileNames,
    /// The folder of the files that the course provides: they are beside those of every submission that has none of the
    /// same name, when it is built and when it is run.
    pub provide: Option<PathBuf>,
    /// What programs in Python 2 are run by.
    pub python2: Python2,
    /// The options of the seats that the agents will have: their isolation and keeper are those of the builds, too, and
    /// their limit on memory is what a Java machine is told that it has.
    pub seats: SeatOptions,
    /// What a compiler may use besides time.
    pub build_limits: Limits,
    /// The longest that one run of a compiler may take.
    pub compile_limit: WallTime,
    /// A folder in which what was built is kept from run to run; created when it is needed. No agent may be able to
    /// write there, which from `confined` on none is.
    pub cache: Option<PathBuf>,
    /// The referee's own executable, which also is the built-in agents.
    pub referee: PathBuf,
}

impl AgentBuilder {
    /// A workshop for agents of `game`, called as its homeworks' submissions are; otherwise as [`Self::new`].
    ///
    /// # Errors
    ///
    /// As those of [`Self::new`].
    pub fn for_game(game: GameId) -> io::Result<Self> {
        Ok(Self {
            game: Some(game),
            names: FileNames::of_game(game),
            ..Self::new()?
        })
    }

    /// A workshop with the tools of this machine, the usual names, a minute for each compilation, and no cache.
    ///
    /// # Errors
    ///
    /// The system's, where it does not know which executable this process runs.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            toolchain: Toolchain::from_environment(),
            game: None,
            names: FileNames::default(),
            provide: None,
            python2: Python2::default(),
            seats: SeatOptions::default(),
            // Java's compiler opens each of the libraries that it looks into.
            build_limits: Limits {
                open_files: 1024,
                ..Limits::default()
            },
            compile_limit: WallTime::from_secs(60),
            cache: None,
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
            AgentSource::Builtin(agent) => self.builtin(*agent)?,
            AgentSource::Path(path) => self.at_path(path, build)?,
            AgentSource::Submission(path) => self.submission(path, build)?,
        };
        Ok(Agent {
            name: spec.name(),
            spec: spec.clone(),
            program: made.program,
            calibrate: made.calibrate,
            digest: made.digest,
            sources: made.sources,
            remarks: made.remarks,
            compiler_output: made.output,
        })
    }

    fn builtin(&self, agent: BuiltinAgent) -> Result<Made, AgentError> {
        self.game.map_or(Ok(()), |game| agent.check_plays(game))?;
        let text = agent.to_string();
        let program = Program {
            command: vec![self.referee.clone().into(), "agent".into(), text.clone().into()],
            ..Program::default()
        };
        Ok(Made::ready(program, Digest::of_builtin(&text), Sources::Builtin))
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
            let by_its_name = self.names.language_by_extension(file);
            // Whoever plays against submissions may be written in what these may not.
            let language = by_its_name.or_else(|| FileNames::default().language_by_extension(file))?;
            let file = file.to_owned();
            Some(ProgramSource { file, language })
        });
        match source {
            Some(source) => self.source_file(&source, &path, build),
            None if is_executable(&path) => executable(&path),
            None => Err(AgentError::NotExecutable { path }),
        }
    }

    /// As it was handed in. Its path need not be a real one, for the folder that it is in may be behind a link.
    fn submission(&self, path: &Path, build: &Path) -> Result<Made, AgentError> {
        match submission::look_at(path)? {
            PathKind::Folder => self.folder(path, build),
            PathKind::File => self.file_alone(path, build),
        }
    }

    fn folder(&self, folder: &Path, build: &Path) -> Result<Made, AgentError> {
        let mut found = Submission::find(folder, &self.names)?;
        let shop = Shop::open(build)?;
        let provided = self.provided();
        let Snapshot { digest, left_out } = snapshot::take(&found.folder, provided.as_ref(), &shop.sources, LIMITS)?;
        if !left_out.is_empty() {
            let left_out = left_out.join(", ");
            found
                .remarks
                .push(format!("left out, because only regular files are taken: {left_out}"));
        }
        let path = found.folder.clone();
        let sources = Sources::Folder { path, provided };
        self.copied(found, &shop, digest, sources)
    }

    /// A file that is a whole submission, in a folder of its own under the name that it would have had there.
    fn file_alone(&self, path: &Path, build: &Path) -> Result<Made, AgentError> {
        let at_fault = |fault| AgentError::of_submission(path, fault);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = submission::alone(&name, &self.names).map_err(at_fault)?;
        if fs::metadata(path).map_err(system("read", path))?.len() == 0 {
            return Err(at_fault(SubmissionFault::EmptyFile));
        }
        let shop = Shop::open(build)?;
        let Some(homework) = source else {
            if !is_executable(path) {
                return Err(at_fault(SubmissionFault::NotASource { file: name }));
            }
            let digest = snapshot::take_file(path, PROGRAM, None, &shop.sources)?;
            let sources = Sources::File {
                path: path.to_owned(),
                name: PROGRAM.into(),
            };
            let program = Program {
                command: vec![shop.sources.join(PROGRAM).into()],
                arg0: Some(Path::new(".").join(PROGRAM).into()),
                template: Some(shop.sources.clone()),
                ..Program::default()
            };
            return Ok(Made::ready(program, digest, sources));
        };
        let provided = self.provided();
        let digest = snapshot::take_file(path, &homework.file, provided.as_ref(), &shop.sources)?;
        let sources = Sources::FileOfFolder {
            path: path.to_owned(),
            name: homework.file.clone(),
            provided,
        };
        let found = Submission {
            folder: path.to_owned(),
            homework,
            calibrate: None,
            remarks: vec![],
        };
        self.copied(found, &shop, digest, sources)
    }

    /// A submission whose files are in the shop.
    fn copied(&self, found: Submission, shop: &Shop, digest: Digest, sources: Sources) -> Result<Made, AgentError> {
        let terms = self.terms();
        let mut remarks = found.remarks;
        let mut outputs = Vec::new();
        let mut make = |source: &ProgramSource, products: &str| -> Result<_, AgentError> {
            let products = make_folder(&shop.build.join(products))?;
            let site = BuildSite {
                sources: &shop.sources,
                whole: Some(&digest),
                products: &products,
            };
            let built = build(source, site, &terms).map_err(|error| error.said_of(&found.folder))?;
            remarks.extend(built.remarks);
            outputs.extend(built.output);
            Ok((built.toolset, products))
        };
        let homework = make(&found.homework, "homework")?;
        let calibrate = found
            .calibrate
            .as_ref()
            .map(|source| Ok::<_, AgentError>((source, make(source, "calibrate")?)))
            .transpose()?;
        // Only now, for the one is not to be compiled with the products of the other.
        let join = |source: &ProgramSource, (toolset, products): &(Toolset, PathBuf)| {
            join(toolset, source, products, &shop.sources).map_err(system("write", &shop.sources))?;
            Ok::<_, AgentError>(toolset.run_in(&shop.sources, source, products, terms.memory_bytes))
        };
        Ok(Made {
            calibrate: calibrate.map(|(source, made)| join(source, &made)).transpose()?,
            remarks,
            output: (!outputs.is_empty()).then(|| outputs.join("\n")),
            ..Made::ready(join(&found.homework, &homework)?, digest, sources)
        })
    }

    fn source_file(&self, source: &ProgramSource, path: &Path, folder: &Path) -> Result<Made, AgentError> {
        let digest = snapshot::digest_file(path)?;
        let sources = folder_of(path);
        let products = make_folder(folder)?;
        let site = BuildSite {
            sources,
            whole: None,
            products: &products,
        };
        let terms = self.terms();
        let Built {
            toolset,
            remarks,
            output,
        } = build(source, site, &terms)?;
        let program = toolset.run(path, &products, terms.memory_bytes);
        Ok(Made {
            remarks,
            output,
            ..Made::ready(program, digest, Sources::of_file(path))
        })
    }

    fn provided(&self) -> Option<Provided> {
        let folder = self.provide.clone()?;
        let names = self.names.clone();
        Some(Provided { folder, names })
    }

    fn terms(&self) -> BuildOptions<'_> {
        BuildOptions {
            tools: &self.toolchain,
            names: &self.names,
            python2: self.python2,
            seats: SeatOptions {
                limits: self.build_limits,
                ..self.seats.clone()
            },
            limit: self.compile_limit,
            memory_bytes: self.seats.limits.memory_bytes,
            cache: self.cache.as_deref().map(Cache::in_folder),
        }
    }
}

/// What a program that is handed in alone is called.
const PROGRAM: &str = "homework";

struct Made {
    program: Program,
    calibrate: Option<Program>,
    digest: Digest,
    sources: Sources,
    remarks: Vec<String>,
    output: Option<String>,
}

impl Made {
    /// A program of which nothing is to be said.
    fn ready(program: Program, digest: Digest, sources: Sources) -> Self {
        Self {
            program,
            calibrate: None,
            digest,
            sources,
            remarks: vec![],
            output: None,
        }
    }
}

/// The folder of an agent, with a copy of its sources.
struct Shop {
    build: PathBuf,
    sources: PathBuf,
}

impl Shop {
    fn open(build: &Path) -> Result<Self, AgentError> {
        let build = make_folder(build)?;
        let sources = make_folder(&build.join("sources"))?;
        Ok(Self { build, sources })
    }
}

/// A program that is run as it is, by the system: a binary, or a script with a `#!` line.
fn executable(path: &Path) -> Result<Made, AgentError> {
    let program = Program {
        command: vec![path.into()],
        folder: Some(folder_of(path).to_owned()),
        ..Program::default()
    };
    Ok(Made::ready(
        program,
        snapshot::digest_file(path)?,
        Sources::of_file(path),
    ))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().expect("an absolute path to a file has a parent")
}

fn make_folder(path: &Path) -> Result<PathBuf, AgentError> {
    fs::create_dir_all(path)
        .and_then(|()| path.canonicalize())
        .map_err(system("create", path))
}
